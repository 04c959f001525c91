// rounded.h: quotients rounded down and up, and divisibility, on other places than the host. Serves
// this folder only.
#ifndef BIGINT_DIVIDE_ROUNDED_H_
#define BIGINT_DIVIDE_ROUNDED_H_

#include "bigint/core/context.h"

// rounded_check: the checks of a division, on any place; q and r may be NULL.
bigint_status rounded_check(bigint_ctx *ctx, const char *who, const bigint *q, const bigint *r,
                            const bigint *a, const bigint *d);

// A place that divides does so and corrects the results when the signs of remainder and divisor are
// known; the host computes for others. rounded_there: q = a / d rounded down (step = -1) or up (1),
// r = a - q d; either may be NULL. ROUNDED_BY_SIGN: up for d < 0, else down.
enum { ROUNDED_BY_SIGN = 0 };
bigint_status rounded_there(bigint_ctx *ctx, const char *who, bigint *q, bigint *r, const bigint *a,
                            const bigint *d, int step);
// divisible_there, congruent_there: bigint_divisible, bigint_congruent.
bigint_status divisible_there(bigint_ctx *ctx, const char *who, int *yes, const bigint *a,
                              const bigint *d);
bigint_status congruent_there(bigint_ctx *ctx, const char *who, int *yes, const bigint *a,
                              const bigint *b, const bigint *d);

#endif  // BIGINT_DIVIDE_ROUNDED_H_
