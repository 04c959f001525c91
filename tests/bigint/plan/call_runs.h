// call_runs.h: the calls that call_peaks.c makes, a file a family. Internal to tests/bigint/plan.
#ifndef TESTS_BIGINT_PLAN_CALL_RUNS_H_
#define TESTS_BIGINT_PLAN_CALL_RUNS_H_

#include "bigint/bigint.h"
#include "tests/support/gen.h"

// numbers: the arguments of a call, a and b, and results. other: the context that made them.
typedef struct {
    bigint_ctx *ctx, *other;
    bigint a, b, r, q, t;
} numbers;

// call_set: x = a number of n limbs.
void call_set(gen *g, bigint_ctx *ctx, bigint *x, uint64_t n);

// run_...: the call; variant 0: all results; 1: the first alone; 2: the second alone, or what the
// function says.
bigint_status run_product(numbers *s, const bigint_call *c, int variant);
bigint_status run_batch(numbers *s, const bigint_call *c, int variant);
bigint_status run_number(numbers *s, const bigint_call *c, int variant);

#endif  // TESTS_BIGINT_PLAN_CALL_RUNS_H_
