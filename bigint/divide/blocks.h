// blocks.h: long quotients block by block, with one reciprocal of the divisor. Internal to bigint/.
#ifndef BIGINT_DIVIDE_BLOCKS_H_
#define BIGINT_DIVIDE_BLOCKS_H_

#include "bigint/core/context.h"

// divide_blocks: as div_small (divide/small.h), for long quotients and divisors. Cost: a reciprocal
// of a block's length, and two products a block, with the reciprocal and with the divisor, whose
// transforms are kept. Errors: as bigint_mul_limbs.
bigint_status divide_blocks(bigint_ctx *ctx, uint64_t *qp, uint64_t *ap, uint64_t qn,
                            const uint64_t *dp, uint64_t dn);
// divide_blocks_below: {qp, qn} = the quotient, or up to BLOCKS_BELOW_MOST less; {ap} is destroyed.
// Cost: one product with the divisor less.
enum { BLOCKS_BELOW_MOST = 9 };
bigint_status divide_blocks_below(bigint_ctx *ctx, uint64_t *qp, uint64_t *ap, uint64_t qn,
                                  const uint64_t *dp, uint64_t dn);

#endif  // BIGINT_DIVIDE_BLOCKS_H_
