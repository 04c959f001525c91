// blocks.h: long quotients block by block, with one reciprocal of the divisor. Internal to bigint/.
#ifndef BIGINT_DIVIDE_BLOCKS_H_
#define BIGINT_DIVIDE_BLOCKS_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"
#include "bigint/multiply/operand.h"
#include "bigint/multiply/wrap.h"

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

// divide_blocks_need: what either needs.
void divide_blocks_need(work_need *n, uint64_t qn, uint64_t dn);

// block_divider: a divisor D of dn limbs, its top bit set, prepared for quotient blocks of up to m
// <= dn limbs.
typedef struct {
    const uint64_t *dp;
    uint64_t dn, m;
    mul_operand *reciprocal;  // m limbs, fraction of B^(2m) / D's top m limbs, rounded down
    mul_wrap *wrap;           // of D: products are found modulo B^w + 1, w > dn; or NULL
    bool differences;         // otherwise: by mul_difference, or as a whole
    mul_operand *divisor;     // as a whole
    uint64_t *product;        // m + dn limbs, or as many as wrap has
} block_divider;

// block_divider_keep prepares D = {dp, dn}, which stays where it is, in block_divider_bytes at
// `memory`, aligned to 64 bytes. 2 <= m <= dn. block_divider_divide: as divide_blocks, by any
// context with the same variant. Errors: as bigint_mul_limbs.
uint64_t block_divider_bytes(const bigint_ctx *ctx, uint64_t dn, uint64_t m);
bigint_status block_divider_keep(bigint_ctx *ctx, block_divider *s, void *memory,
                                 const uint64_t *dp, uint64_t dn, uint64_t m);
bigint_status block_divider_divide(bigint_ctx *ctx, const block_divider *kept, uint64_t *qp,
                                   uint64_t *ap, uint64_t qn);
// block_divider_keep_need, block_divider_divide_need: what these need beside `memory`.
void block_divider_keep_need(work_need *n, uint64_t dn, uint64_t m);
void block_divider_divide_need(work_need *n, uint64_t dn, uint64_t m);

#endif  // BIGINT_DIVIDE_BLOCKS_H_
