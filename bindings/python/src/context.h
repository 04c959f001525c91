// context.h: Context, the settings of operations and the library's contexts made from them.
#ifndef LONGMUL_PYTHON_CONTEXT_H_
#define LONGMUL_PYTHON_CONTEXT_H_

#include <Python.h>
#include <semaphore.h>

#include "bigint/bigint.h"
#include "object.h"

enum { CONTEXT_IDLE = 16 };  // idle ones kept; one works for each thread that is inside a call

typedef struct context {
    PyObject_HEAD bigint_device *device;
    bigint_ctx_options options;
    char names[3][32];  // engine, variant, mode: options point here
    PyObject *stream;   // whose options.stream is: it lives as long as the context, or NULL
    int place;
    bigint_ctx *idle[CONTEXT_IDLE];
    unsigned idle_count;
    // Of a device: the only bigint_ctx, on whose stream its numbers are, is lent to one thread.
    sem_t turn;
    struct discarded *discarded;  // integers that died while it was lent
} context;

extern PyType_Spec context_spec;

// context_current: the context of the innermost `with` block, or the base. Borrowed: the block, or
// the module, holds it.
context *context_current(void);
// context_peek: an idle bigint_ctx of a context of the host, to be used before the GIL is released.
bigint_ctx *context_peek(context *c);
// context_lend: a bigint_ctx for the calling thread, which may release the GIL. On a device it
// waits until no other thread has it. context_give_back ends that.
bigint_ctx *context_lend(context *c);
void context_give_back(context *c, bigint_ctx *ctx);
// context_discard clears an integer of the context's place, at once or when the stream is free.
void context_discard(context *c, bigint *x);
// context_raise sets the exception for a failed call. text: bigint_ctx_error, copied or not.
void context_raise(bigint_status status, const char *text);

// The module's functions.
PyObject *context_get(PyObject *module, PyObject *unused);
PyObject *context_set(PyObject *module, PyObject *c);

#endif  // LONGMUL_PYTHON_CONTEXT_H_
