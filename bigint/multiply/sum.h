// sum.h: sums of products on the host. Internal to bigint/.
#ifndef BIGINT_MULTIPLY_SUM_H_
#define BIGINT_MULTIPLY_SUM_H_

#include "bigint/core/context.h"

// mul_sum_terms: the caller's terms, signs[i] a[i] b[i].
typedef struct {
    const bigint *const *a, *const *b;
    const int *signs;
    uint64_t count;
} mul_sum_terms;

// mul_sum: r = the sum, for integers on the host whose places have been checked; r may be any of
// them. Errors: ENOMEM, ERANGE: r unchanged; ECHECK.
bigint_status mul_sum(bigint_ctx *ctx, const char *who, bigint *r, const mul_sum_terms *s);

#endif  // BIGINT_MULTIPLY_SUM_H_
