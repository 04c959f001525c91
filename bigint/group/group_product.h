// group_product.h: products of a group's integers. Internal to bigint/.
#ifndef BIGINT_GROUP_GROUP_PRODUCT_H_
#define BIGINT_GROUP_GROUP_PRODUCT_H_

#include "bigint/core/context.h"

// group_mul: r = a b for integers of the group whose places have been checked; r may be either.
// Backend ref gathers the operands and multiplies on the host: the reference.
bigint_status group_mul(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                        const bigint *b);
// group_mul_sum: bigint_mul_sum, term by term. Memory: a term and the sum.
bigint_status group_mul_sum(bigint_ctx *ctx, const char *who, bigint *r, const bigint *const *a,
                            const bigint *const *b, const int *signs, uint64_t count);

#endif  // BIGINT_GROUP_GROUP_PRODUCT_H_
