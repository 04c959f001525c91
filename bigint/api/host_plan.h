// host_plan.h: how a product of integers in host memory is cut into blocks for a device. Internal
// to bigint/.
#ifndef BIGINT_API_HOST_PLAN_H_
#define BIGINT_API_HOST_PLAN_H_

#include "bigint/core/context.h"

// HOST_KEPT_MOST: blocks of an operand that are kept as transforms.
enum { HOST_SLOTS_MOST = 64, HOST_TERMS_MOST = 16, HOST_KEPT_MOST = 16 };
enum { HOST_SUMS_MOST = 4 };
// Contexts beside the one that is asked for the product (host_blocks.h), each with so much of its
// cap.
enum { HOST_OTHERS = 2, HOST_OTHER_CAP_PART = 8 };

// host_lengths: limbs of the operands, an >= bn >= 1. square: they are one number.
typedef struct {
    uint64_t an, bn;
    bool square;
} host_lengths;

// host_plan: operands are cut into a_blocks and b_blocks of `block` limbs, the last ones shorter.
// One block of a: operands are sent whole. `slots` blocks lie on the device, at least four or all
// there are, and `terms` products of a column are added at once. `sums` columns' sums lie there.
// kept: blocks are kept as transforms. Pure data.
typedef struct {
    host_lengths of;
    uint64_t block, a_blocks, b_blocks, terms;
    uint64_t work_bytes;  // for a column's products, the staging aside, unless kept
    unsigned slots, sums;
    bool kept;
} host_plan;

static inline uint64_t host_columns(const host_plan *plan) {
    return plan->a_blocks + plan->b_blocks - 1;
}
// host_terms: terms of column c, a_i b_(c - i) from i = *first on.
static inline uint64_t host_terms(const host_plan *plan, uint64_t c, uint64_t *first) {
    *first = c < plan->b_blocks ? 0 : c - plan->b_blocks + 1;
    return (c < plan->a_blocks ? c + 1 : plan->a_blocks) - *first;
}
// host_block_limbs: of block `index` of a number of n limbs.
static inline uint64_t host_block_limbs(const host_plan *plan, uint64_t n, uint64_t index) {
    const uint64_t left = n - index * plan->block;
    return left < plan->block ? left : plan->block;
}

// host_sum_limbs: of the sum of a column, whose products add a bit at most each.
static inline uint64_t host_sum_limbs(const host_plan *plan) {
    return plan->block + host_block_limbs(plan, plan->of.bn, 0) + plan->b_blocks / 64 + 2;
}

// host_plan_make cuts a into *parts equal blocks, or as many more, and up to an eighth of them
// beyond, as it takes until the work of a column fits the device and the cap; *parts becomes their
// number. *parts = 0: as many as are fastest. Errors: ERANGE, ENOMEM if no number of parts fits.
bigint_status host_plan_make(bigint_ctx *ctx, const char *who, host_plan *plan,
                             const host_lengths *of, uint64_t *parts);

#endif  // BIGINT_API_HOST_PLAN_H_
