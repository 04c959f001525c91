// host_product.h: the product of integers in host memory by a context on a device. Internal to
// bigint/.
#ifndef BIGINT_API_HOST_PRODUCT_H_
#define BIGINT_API_HOST_PRODUCT_H_

#include "bigint/core/context.h"

// host_product_asked: whether all three live in host memory, and not merely because none has limbs.
bool host_product_asked(const bigint *r, const bigint *a, const bigint *b);
// host_product: r = a b, in host memory, for such operands and a context on a device. r may be an
// operand. Waits. A failure leaves r unchanged or, where r is no operand and has room for the
// product, which then is written there, 0.
// Cost: what fits the device whole is sent, multiplied and fetched. Of longer ones blocks travel
// while others are multiplied, but for the first of each operand and the last ones of the product.
// Memory on the device: the plan's, and ten blocks of the operands at least. A block is the largest
// part of the longer operand, of equal ones, with which this fits; ENOMEM if none does.
bigint_status host_product(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                           const bigint *b);

#endif  // BIGINT_API_HOST_PRODUCT_H_
