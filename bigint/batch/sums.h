// sums.h: batches of sums of two products: what host and device share, and the sums on the host.
// Internal to bigint/.
#ifndef BIGINT_BATCH_SUMS_H_
#define BIGINT_BATCH_SUMS_H_

#include "bigint/core/context.h"

// batch_sum: one call, r[i] = |s|, s = +-a[i] b[i] +- c[i] d[i] (bigint_mul_sum_batch).
typedef struct {
    const bigint_span *r, *a, *b, *c, *d;
    const bigint_limb *ab_negative, *cd_negative;  // NULL: none is
    bigint_limb *negative;                         // NULL: not wanted
} batch_sum;

// batch_sum_row: limbs of the longest product, at least 1.
uint64_t batch_sum_row(const batch_sum *s);
// batch_sum_check: EINVAL if a result has no more limbs than its products.
bigint_status batch_sum_check(bigint_ctx *ctx, const char *who, const batch_sum *s);
// batch_sum_add: the sums of products p, q in rows of batch_sum_row limbs, on the context's
// threads. Nothing can fail.
void batch_sum_add(bigint_ctx *ctx, const batch_sum *s, const uint64_t *p, const uint64_t *q);

#endif  // BIGINT_BATCH_SUMS_H_
