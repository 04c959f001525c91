// entry.h: functions that differ in a call of the library alone. A table of entries describes them.
#ifndef LONGMUL_PYTHON_ENTRY_H_
#define LONGMUL_PYTHON_ENTRY_H_

#include "call.h"

// What a function returns, from the call's results and answer.
enum result {
    RESULT_BOOL,
    RESULT_INT,
    RESULT_INDEX,  // None for -1
    RESULT_NUMBER,
    RESULT_PAIR,
    RESULT_TRIPLE,
    RESULT_NUMBER_AND_COUNT,
    RESULT_INVERSE,  // ZeroDivisionError for the answer 0
};

typedef struct entry {
    PyMethodDef definition;
    // What it computes: one of these, or `binary` or `counted` below.
    bigint_status (*run)(bigint_ctx *ctx, call *c);
    bigint_status (*ask_one)(bigint_ctx *ctx, int *answer, const bigint *a);
    bigint_status (*ask_two)(bigint_ctx *ctx, int *answer, const bigint *a, const bigint *b);
    bigint_status (*ask_three)(bigint_ctx *ctx, int *answer, const bigint *a, const bigint *b,
                               const bigint *c);
    double (*effort)(const call *c);
    enum result result;
    int numbers, counts;  // arguments: integers, then counts, in the call's k and answer
    bool optional;        // the count, which then is `otherwise`
    uint64_t otherwise;
    // refuse: the text of a ValueError, or NULL. Its operands are on the host.
    const char *(*refuse)(const call *c);
    bool divides;           // the last integer must not be 0
    short_binary binary;    // for call_binary; of two short integers at once
    short_counted counted;  // for call_counted
} entry;

// The function of all entries' definitions.
PyObject *entry_apply(PyObject *self, PyObject *const *args, Py_ssize_t n);
#define ENTRY_APPLY (PyCFunction)(void *) entry_apply, METH_FASTCALL

// entry_method: the function of that entry, as a method of x with n more arguments.
PyObject *entry_method(const entry *e, PyObject *x, PyObject *const *args, Py_ssize_t n);
// entry_add adds the functions of `count` entries, which stay, to the module.
int entry_add(PyObject *module, const entry *entries, size_t count);

// Efforts: proportional to the operands' limbs; of some products; of a gcd.
double entry_linear(const call *c);
double entry_products(const call *c);
double entry_euclid(const call *c);
// entry_answered stores what a call of the library wrote to an int.
bigint_status entry_answered(call *c, bigint_status status, int answer);
// entry_above: whether in[i], on the host, is above a limit.
bool entry_above(const call *c, int i, bigint_limb limit);

#endif  // LONGMUL_PYTHON_ENTRY_H_
