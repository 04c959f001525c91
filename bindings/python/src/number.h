// number.h: mpz, the immutable integer: its object and how numbers are made. Every file of this
// folder is compiled against CPython's limited API. Functions follow its rules: they need the GIL,
// return new references, and report a failure as NULL or -1 with an exception set, unless they say
// otherwise.
#ifndef LONGMUL_PYTHON_NUMBER_H_
#define LONGMUL_PYTHON_NUMBER_H_

#include <Python.h>
#include <stdbool.h>

#include "bigint/bigint.h"
#include "object.h"

struct context;

typedef struct {
    PyObject_HEAD bigint value;
    struct context *home;  // of a number on a device, held; NULL on the host
    Py_hash_t hash;        // -1 before it is asked for
    bool few;              // it never had room for more limbs than a short operation needs
    bool brief;            // an operand of short operations: number_settle has seen it
} number;

enum { NUMBER_BRIEF = 256 };  // limbs of an operand of a short operation

extern PyType_Spec number_spec;

// number_check: whether x is an mpz. The type has no subclasses.
bool number_check(PyObject *x);
// number_new: a number to be written to, 0 or what a dead number has left. Who gives it more room
// than a short operation says so in `few`. Operations on it are the faster if number_settle is
// called when it has its value.
number *number_new(void);
// number_from_i64: value.
number *number_from_i64(int64_t value);
// number_dealloc is the type's.
void number_dealloc(PyObject *self);
// number_host: x itself on the host, otherwise a copy there.
number *number_host(number *x);

static inline uint64_t number_limbs(const number *x) { return bigint_limbs_bound(&x->value); }
static inline void number_settle(number *x) {
    x->brief = x->home == NULL && number_limbs(x) <= NUMBER_BRIEF;
}
// number_sign: -1, 0 or 1, of a number on the host.
int number_sign(const number *x);

#endif  // LONGMUL_PYTHON_NUMBER_H_
