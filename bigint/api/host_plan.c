// host_plan.c: see host_plan.h.
#include "bigint/api/host_plan.h"

#include "bigint/api/host_kept.h"
#include "bigint/core/arena.h"
#include "bigint/core/device_queue.h"
#include "bigint/device/plan.h"
#include "bigint/device/sum.h"
#include "primitives/words/word.h"

// SLOTS_LEAST: two blocks in use and two under way.
enum { SLOTS_LEAST = 4, LINE_WORDS = 16, PARTS_MOST = 1 << 16 };
// Operands that fit the device whole are cut in two all the same from this many limbs on: halves
// travel while others are multiplied, though the product then takes longer.
enum { OVERLAP_LIMBS = 1 << 27 };
// Operands from KEPT_LIMBS limbs on are cut into KEPT_PARTS blocks that are kept as transforms, or
// twice as many, whose work takes less memory, where these fit.
enum { KEPT_LIMBS = 1 << 25, KEPT_PARTS = 4 };

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

static uint64_t blocks_of(const bigint *x, uint64_t block) { return word_ceil_div(x->n_, block); }

// slots_beside: how many blocks have room beside the work of a column, two sums, a product and a
// sum's longer memory, each of two blocks and a little. The driver and others may hold a part of
// the device's memory.
static uint64_t slots_beside(const bigint_ctx *ctx, const host_plan *plan, uint64_t bn,
                             uint64_t held) {
    const uint64_t memory = ctx->device.about.memory_bytes, room = memory - memory / 16,
                   work = held + 8 * 4 * (plan->block + bn + 4 * LINE_WORDS);
    return work >= room ? 0 : (room - work) / (8 * (plan->block + 2 * LINE_WORDS));
}

// alike: whether last blocks are no shorter than half of one, so that products of blocks are added
// in the transform domain.
static bool alike(const host_plan *plan, const bigint *a, const bigint *b) {
    return plan->a_blocks * plan->block - a->n_ <= plan->block / 2 &&
           plan->b_blocks * plan->block - b->n_ <= plan->block / 2;
}

// choose_slots: how many blocks lie on the device, and how many products are added at once: as many
// as a column has if the blocks of all of them have room, or as leave two blocks under way. False
// if there is no room for the least work.
static bool choose_slots(bigint_ctx *ctx, const char *who, host_plan *plan, const bigint *a,
                         const bigint *b) {
    const uint64_t blocks = plan->a_blocks + (a == b ? 0 : plan->b_blocks);
    const uint64_t bn = least(b->n_, plan->block),
                   column = least(least(plan->a_blocks, plan->b_blocks), HOST_TERMS_MOST);
    const bool tested = ctx->queue.forced.host_block != 0;
    device_plan product;
    if (device_plan_make(ctx, who, &product, plan->block, bn, false, false) != BIGINT_OK) {
        return false;
    }
    const uint64_t one = device_held_bytes(ctx, &product),
                   sum = device_sum_held_bytes(ctx, plan->block, bn, column);
    plan->work_bytes = sum > one ? sum : one;
    uint64_t fit = sum == 0 || !alike(plan, a, b)
                       ? 0
                       : least(slots_beside(ctx, plan, bn, arena_held_bytes(plan->work_bytes)),
                               tested ? 2 * SLOTS_LEAST : HOST_SLOTS_MOST);
    plan->terms = fit >= blocks            ? column
                  : fit >= SLOTS_LEAST + 2 ? least((fit - 2) / 2, column)
                                           : 1;
    if (plan->terms == 1) {
        plan->work_bytes = one;
        fit = least(slots_beside(ctx, plan, bn, arena_held_bytes(one)),
                    tested ? SLOTS_LEAST : HOST_SLOTS_MOST);
    }
    plan->slots = (unsigned)least(fit, blocks);
    return plan->slots >= least(blocks, SLOTS_LEAST);
}

static void cut(host_plan *plan, const bigint *a, const bigint *b, uint64_t block) {
    *plan = (host_plan){.block = block, .sums = 2};
    plan->a_blocks = blocks_of(a, block);
    plan->b_blocks = blocks_of(b, block);
}

static uint64_t equal_block(const bigint *a, uint64_t parts) {
    return word_ceil_div(word_ceil_div(a->n_, parts), LINE_WORDS) * LINE_WORDS;
}

// keep: whether all blocks fit the device as transforms.
static bool keep(const bigint_ctx *ctx, host_plan *plan, const bigint *a, const bigint *b,
                 uint64_t block) {
    cut(plan, a, b, block);
    if (plan->a_blocks > HOST_KEPT_MOST || ctx->options.max_workspace_bytes != 0) {
        return false;
    }
    plan->kept = true;
    plan->slots = SLOTS_LEAST;
    plan->sums = (unsigned)least(host_columns(plan), HOST_SUMS_MOST);
    const uint64_t bytes = host_kept_bytes(ctx, plan), memory = ctx->device.about.memory_bytes;
    return bytes != 0 && bytes <= memory - memory / 16;
}

bool host_plan_make(bigint_ctx *ctx, const char *who, host_plan *plan, const bigint *a,
                    const bigint *b, uint64_t *parts) {
    const uint64_t forced = ctx->queue.forced.host_block, most = forced != 0 ? 1 : PARTS_MOST;
    const bool alike_lengths = b->n_ >= a->n_ / 2;
    if (*parts == 0) {
        const bool long_ones = b->n_ >= KEPT_LIMBS && alike_lengths;
        if (forced != 0 ? ctx->queue.forced.host_kept && keep(ctx, plan, a, b, forced)
                        : long_ones && (keep(ctx, plan, a, b, equal_block(a, KEPT_PARTS)) ||
                                        keep(ctx, plan, a, b, equal_block(a, 2 * KEPT_PARTS)))) {
            return true;
        }
        *parts = forced == 0 && b->n_ >= OVERLAP_LIMBS && alike_lengths ? 2 : 1;
    }
    for (; *parts <= most && *parts <= a->n_; ++*parts) {
        cut(plan, a, b, forced != 0 ? forced : equal_block(a, *parts));
        if (choose_slots(ctx, who, plan, a, b)) {
            return true;
        }
    }
    return false;
}
