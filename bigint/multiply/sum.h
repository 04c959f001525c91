// sum.h: sums of products on the host. Internal to bigint/.
#ifndef BIGINT_MULTIPLY_SUM_H_
#define BIGINT_MULTIPLY_SUM_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"

// mul_sum_terms: the caller's terms, signs[i] a[i] b[i].
typedef struct {
    const bigint *const *a, *const *b;
    const int *signs;
    uint64_t count;
} mul_sum_terms;

// mul_sum: r = the sum, for integers on the host whose places have been checked; r may be any of
// them. Errors: ENOMEM, ERANGE: r unchanged; ECHECK.
bigint_status mul_sum(bigint_ctx *ctx, const char *who, bigint *r, const mul_sum_terms *s);
// mul_sum_need: what it needs for `count` products of an by bn limbs. mul_sum_print: how they are
// computed, on one line, like snprintf.
void mul_sum_need(work_need *w, uint64_t count, uint64_t an, uint64_t bn);
int mul_sum_print(bigint_ctx *ctx, char *buf, size_t cap, uint64_t count, uint64_t an, uint64_t bn);

#endif  // BIGINT_MULTIPLY_SUM_H_
