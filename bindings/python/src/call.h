// call.h: one operation of the library with the objects it works on. A short one runs at once. A
// longer one releases the GIL. One that takes more than some 10 ms and was called from the main
// thread runs on a thread of its own, so that the main thread can look for signals:
// KeyboardInterrupt is raised within 0.1 s, and the result of the operation, which ends soon, is
// dropped.
#ifndef LONGMUL_PYTHON_CALL_H_
#define LONGMUL_PYTHON_CALL_H_

#include "context.h"
#include "number.h"
#include "short.h"

enum { CALL_OPERANDS = 3, CALL_RESULTS = 3 };

typedef struct call {
    // The operation: reads in, writes out and the fields below. It has no GIL: no Python here.
    bigint_status (*run)(bigint_ctx *ctx, struct call *c);
    // Held by the call, which drops them: NULL at the end of each list. Operands on the host move
    // to the device of the first that lives on one. Results belong to that place.
    number *in[CALL_OPERANDS];
    number *out[CALL_RESULTS];
    bool result_on_host;  // they are moved there
    context *where;       // NULL: chosen by the operands. Borrowed.
    PyObject *keep;       // what must live as long as the operation. Borrowed; may be NULL
    double effort;        // estimated cost, in limbs of a product of the same cost
    // For operations that need more.
    uint64_t k;
    int64_t answer;
    void *memory;  // from malloc; call_end frees it
    size_t length;
    const void *from;  // in keep
    // What call_unary and the next two compute.
    short_unary unary;
    short_binary binary;
    short_counted counted;
    const struct entry *entry;  // of a call of entry.c
} call;

// call_unary, call_binary, call_counted are `run` for operations of these kinds: out[0] from in and
// k.
bigint_status call_unary(bigint_ctx *ctx, call *c);
bigint_status call_binary(bigint_ctx *ctx, call *c);
bigint_status call_counted(bigint_ctx *ctx, call *c);

// call_run runs it. Operands and results that could not be made (NULL before the end of a list) are
// the caller's to look for.
int call_run(call *c);
// call_end drops what the call holds.
void call_end(call *c);
// call_number makes a result, runs, ends, and returns the result. call_tuple makes
// and returns two or three of them in a tuple.
PyObject *call_number(call *c);
PyObject *call_tuple(call *c, int count);
// call_answer runs, ends and stores c->answer.
int call_answer(call *c, int64_t *answer);

#endif  // LONGMUL_PYTHON_CALL_H_
