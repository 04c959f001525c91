// batch.c: batches of numbers in the memory of arrays, for longmul.batch, which checks the arrays.
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "functions.h"
#include "shared.h"

// Operations by their spans, those of results first. Flags are bytes on the host.
static bigint_status run_mul(bigint_ctx *ctx, call *c) {
    const bigint_span *s = c->memory;
    return bigint_mul_batch(ctx, s, s + 1, s + 2);
}
static bigint_status run_powmod(bigint_ctx *ctx, call *c) {
    const bigint_span *s = c->memory;
    return bigint_powm_batch(ctx, s, s + 1, s + 2, s + 3);
}
static bigint_status run_mulmod(bigint_ctx *ctx, call *c) {
    const bigint_span *s = c->memory;
    return bigint_mulmod_batch(ctx, s, s + 1, s + 2, s + 3);
}
static bigint_status run_sqrmod(bigint_ctx *ctx, call *c) {
    const bigint_span *s = c->memory;
    return bigint_sqrmod_batch(ctx, s, s + 1, s + 2);
}
static bigint_status run_invert(bigint_ctx *ctx, call *c) {
    const bigint_span *s = c->memory;
    return bigint_invmod_batch(ctx, s, s + 1, s + 2);
}
static bigint_status run_divmod(bigint_ctx *ctx, call *c) {
    const bigint_span *s = c->memory;
    return bigint_divrem_batch(ctx, s, s + 1, s + 2, s + 3);
}
static bigint_status run_is_prime(bigint_ctx *ctx, call *c) {
    const bigint_span *s = c->memory;
    return bigint_probable_prime_batch(ctx, (unsigned char *)s->p, s + 1);
}

static const struct {
    const char *name;
    bigint_status (*run)(bigint_ctx *ctx, call *c);
    int spans;
    bool modular;  // a product for each bit of a number
} operations[] = {
    {"mul", run_mul, 3, false},          {"powmod", run_powmod, 4, true},
    {"mulmod", run_mulmod, 4, false},    {"sqrmod", run_sqrmod, 3, false},
    {"invert", run_invert, 3, false},    {"divmod", run_divmod, 4, false},
    {"is_prime", run_is_prime, 2, true},
};

// take_span: (address, limbs of a number, limbs from one to the next, numbers).
static int take_span(PyObject *tuple, bigint_span *s) {
    unsigned long long address, n, stride, count;
    if (!PyArg_ParseTuple(tuple, "KKKK", &address, &n, &stride, &count)) {
        return -1;
    }
    s->p = (bigint_limb *)(uintptr_t)address;
    s->n = n;
    s->stride = stride;
    s->count = count;
    return 0;
}

PyObject *functions_batch(PyObject *module, PyObject *args) {
    (void)module;
    const Py_ssize_t given = PyTuple_Size(args) - 3;
    const char *name = given < 0 ? NULL : PyUnicode_AsUTF8AndSize(PyTuple_GetItem(args, 0), NULL);
    PyObject *where = name == NULL ? Py_None : PyTuple_GetItem(args, 1);
    size_t op = 0;
    while (name != NULL && op < sizeof operations / sizeof *operations &&
           strcmp(name, operations[op].name) != 0) {
        op++;
    }
    if (name == NULL || op == sizeof operations / sizeof *operations ||
        given != operations[op].spans || (where != Py_None && Py_TYPE(where) != shared.context)) {
        PyErr_SetString(PyExc_TypeError, "no such batch");
        return NULL;
    }
    call c = {.run = operations[op].run, .keep = PyTuple_GetItem(args, 2)};
    c.where = where == Py_None ? NULL : (context *)where;
    bigint_span *spans = c.memory = calloc((size_t)given, sizeof *spans);
    if (spans == NULL) {
        return PyErr_NoMemory();
    }
    for (int i = 0; i < given; i++) {
        if (take_span(PyTuple_GetItem(args, 3 + i), &spans[i]) < 0) {
            call_end(&c);
            return NULL;
        }
    }
    const double n = (double)spans[1].n;
    c.effort = (double)spans[1].count * n * (operations[op].modular ? 64 * n : 1);
    const int result = call_run(&c);
    call_end(&c);
    return result < 0 ? NULL : Py_NewRef(Py_None);
}
