// direct.h: quotients and remainders of batches of short numbers, straight to the results, because
// nothing can fail. Internal to bigint/.
#ifndef BIGINT_BATCH_DIRECT_H_
#define BIGINT_BATCH_DIRECT_H_

#include "bigint/core/context.h"

// batch_direct_job: q[i], r[i] = quotient and remainder of a[i], or of a[i] b[i], by d[i].
typedef struct {
    const bigint_span *q, *r;  // NULL: not wanted
    const bigint_span *a, *b;  // b: NULL, or factors
    const bigint_span *d;
} batch_direct_job;

// batch_direct_serves: whether all dividends are short (DIVREM_SHORT), and no product is checked.
// batch_direct_takes: the same by the lengths of dividends, or of factors if there are two.
bool batch_direct_takes(const bigint_ctx *ctx, uint64_t an, uint64_t bn, bool product);
bool batch_direct_serves(const bigint_ctx *ctx, const batch_direct_job *j);
// batch_direct_run computes all items, on the context's threads if there is work enough. No d[i] is
// 0, and results hold theirs. Cost: as a loop of bigint_mul and bigint_divrem.
void batch_direct_run(bigint_ctx *ctx, const batch_direct_job *j);

#endif  // BIGINT_BATCH_DIRECT_H_
