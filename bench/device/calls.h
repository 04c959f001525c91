// calls.h: calls of the library that end a benchmark where they fail. Includes bigint.h.
#ifndef BENCH_DEVICE_CALLS_H_
#define BENCH_DEVICE_CALLS_H_

#include "bigint/bigint.h"

// calls_stop prints "PROGRAM: what: why" to stderr and ends the program with EXIT_WRONG.
_Noreturn void calls_stop(const char *what, const char *why);
// calls_must stops with the context's error unless the status is BIGINT_OK.
void calls_must(const bigint_ctx *ctx, bigint_status status);

#endif  // BENCH_DEVICE_CALLS_H_
