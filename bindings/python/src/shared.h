// shared.h: what the module has once in a process. The limited API gives the functions of a type no
// way to their module that costs less than a short product, so this is a variable, written under
// the GIL only. CPython refuses to import a module of this kind in an interpreter with a GIL of its
// own.
#ifndef LONGMUL_PYTHON_SHARED_H_
#define LONGMUL_PYTHON_SHARED_H_

#include "context.h"
#include "number.h"
#include "pylong.h"

enum {
    SHARED_DEAD = 256,    // numbers kept for reuse, each with room for few limbs
    SHARED_LOWEST = -16,  // of the frequent ints
    SHARED_FREQUENT = 273,
};

typedef struct {
    PyTypeObject *mpz, *context, *limbs;
    pylong_calls pylong;
    PyObject *format_long, *round_long;  // of longmul._text
    PyObject *main_thread;               // threading.main_thread
    PyObject *rational;                  // numbers.Rational
    PyObject *entered;                   // a ContextVar: (context, what was entered before) or None
    uint64_t entered_count;              // of `with` blocks under way; 0: nobody asks the variable
    context *base;                       // the context outside of all blocks
    // ints as operands of short operations: frequent ones for good, others for one operation.
    bigint frequent[SHARED_FREQUENT], words[2];
    allocfunc allocate;  // of mpz
    freefunc release;
    number *dead[SHARED_DEAD];
    unsigned dead_count;
} shared_state;

extern shared_state shared;

#endif  // LONGMUL_PYTHON_SHARED_H_
