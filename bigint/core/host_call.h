// host_call.h: public calls that the host computes for every place: operands are copied to host
// memory, the call runs there, and its results go back. Internal to bigint/.
//
// A public call that has no code for devices and groups begins with
//     if (bigint_is_away(ctx)) {
//         host_call there;
//         host_call_begin(&there, ctx, who, (host_operands){.r = {r}, .a = {a, b}});
//         return host_call_end(&there, bigint_and(ctx, there.r[0], there.a[0], there.a[1]));
//     }
// In between the context works on the host, with its own workspace, threads, checks and cap; its
// engine is the host's choice if the context is on a device. If the operands could not be brought,
// it is a context that failed, so that the call returns the reason.
#ifndef BIGINT_CORE_HOST_CALL_H_
#define BIGINT_CORE_HOST_CALL_H_

#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "bigint/core/integer.h"

enum { HOST_CALL_RESULTS = 3, HOST_CALL_OPERANDS = 3 };

// host_operands: the integers of a call, NULL where there is none; their places have not been
// checked. A result that the call reads, or may leave unchanged, is an operand, too. Integers that
// are the same object are the same in host memory.
typedef struct {
    bigint *r[HOST_CALL_RESULTS];
    const bigint *a[HOST_CALL_OPERANDS];
    // Not 0: the call reads no more than this many of the lowest limbs of operands that are no
    // results; their lengths and signs are right.
    uint64_t low;
} host_operands;

// host_call: a call under way; r and a are what it works on.
typedef struct {
    bigint *r[HOST_CALL_RESULTS];
    const bigint *a[HOST_CALL_OPERANDS];
    bigint_ctx *ctx;
    const char *who;
    host_operands of;  // the caller's
    bigint results[HOST_CALL_RESULTS], operands[HOST_CALL_OPERANDS];
    arena_mark mark;
    // What the context gets back.
    const struct place_calls *away;
    bigint_status failed;
    engine_kind engine;
    int place;
} host_call;

// host_call_begin waits for the stream. Memory: operands in workspace, results as integers.
void host_call_begin(host_call *c, bigint_ctx *ctx, const char *who, host_operands of);
// host_call_end stores the results if the call, whose status is given, was successful: all or none.
// Returns the status of both.
bigint_status host_call_end(host_call *c, bigint_status status);

#endif  // BIGINT_CORE_HOST_CALL_H_
