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
// Cost: operands that fit the device whole are sent, multiplied, and the product is fetched. Longer
// ones, and from 2^31 bits on all of similar lengths, are cut into blocks, which travel while
// others are multiplied, both ways at once. Where there is room, each block is sent and transformed
// once, and after the last ones the upper half of the product is left to compute and to fetch.
// Otherwise the longer operand is cut into few equal blocks, as the device's memory allows: for a
// sum of products of blocks, or one product, and ten blocks. ENOMEM if none does.
bigint_status host_product(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                           const bigint *b);

#endif  // BIGINT_API_HOST_PRODUCT_H_
