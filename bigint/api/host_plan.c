// host_plan.c: see host_plan.h.
#include "bigint/api/host_plan.h"

#include "bigint/api/host_kept.h"
#include "bigint/core/arena.h"
#include "bigint/core/device_integer.h"
#include "bigint/core/device_queue.h"
#include "bigint/core/device_staging.h"
#include "bigint/core/limbs.h"
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

// room_for: the device's memory, of which the driver and others may hold a part, or the cap less
// what it leaves to the other contexts.
static uint64_t room_for(const bigint_ctx *ctx) {
    const uint64_t memory = ctx->device.about.memory_bytes, cap = ctx->options.max_workspace_bytes;
    const uint64_t others = HOST_OTHERS * (cap / HOST_OTHER_CAP_PART);
    return least(memory - memory / 16, cap == 0 ? UINT64_MAX : cap - others);
}

// slots_beside: how many blocks have room beside the work of a column, two sums, a product and a
// sum's longer memory.
static uint64_t slots_beside(const bigint_ctx *ctx, const host_plan *plan, uint64_t held) {
    const uint64_t room = room_for(ctx),
                   work = held + 4 * device_integer_bytes(host_sum_limbs(plan));
    return work >= room ? 0 : (room - work) / device_integer_bytes(plan->block);
}

// alike: whether last blocks are no shorter than half of one, so that products of blocks are added
// in the transform domain.
static bool alike(const host_plan *plan) {
    return plan->a_blocks * plan->block - plan->of.an <= plan->block / 2 &&
           plan->b_blocks * plan->block - plan->of.bn <= plan->block / 2;
}

// choose_slots: how many blocks lie on the device, and how many products are added at once: as many
// as a column has if the blocks of all of them have room, or as leave two blocks under way. False
// if there is no room for the least work.
static bool choose_slots(bigint_ctx *ctx, const char *who, host_plan *plan) {
    const uint64_t blocks = plan->a_blocks + (plan->of.square ? 0 : plan->b_blocks);
    const uint64_t bn = host_block_limbs(plan, plan->of.bn, 0),
                   column = least(least(plan->a_blocks, plan->b_blocks), HOST_TERMS_MOST);
    const bool tested = ctx->queue.forced.host_block != 0;
    device_plan product;
    if (device_plan_make(ctx, who, &product, plan->block, bn, false, false) != BIGINT_OK) {
        return false;
    }
    const uint64_t one = device_held_bytes(ctx, &product),
                   sum = device_sum_held_bytes(ctx, plan->block, bn, column);
    plan->work_bytes = sum > one ? sum : one;
    uint64_t fit = sum == 0 || !alike(plan)
                       ? 0
                       : least(slots_beside(ctx, plan, arena_held_bytes(plan->work_bytes)),
                               tested ? 2 * SLOTS_LEAST : HOST_SLOTS_MOST);
    plan->terms = fit >= blocks            ? column
                  : fit >= SLOTS_LEAST + 2 ? least((fit - 2) / 2, column)
                                           : 1;
    if (plan->terms == 1) {
        plan->work_bytes = one;
        fit = least(slots_beside(ctx, plan, arena_held_bytes(one)),
                    tested ? SLOTS_LEAST : HOST_SLOTS_MOST);
    }
    plan->work_bytes -= device_staging_bytes(ctx);
    plan->slots = (unsigned)least(fit, blocks);
    return plan->slots >= least(blocks, SLOTS_LEAST);
}

static void cut(host_plan *plan, const host_lengths *of, uint64_t block) {
    *plan = (host_plan){.of = *of,
                        .block = block,
                        .a_blocks = word_ceil_div(of->an, block),
                        .b_blocks = word_ceil_div(of->bn, block),
                        .sums = 2};
}

static uint64_t equal_block(uint64_t an, uint64_t parts) {
    return word_ceil_div(word_ceil_div(an, parts), LINE_WORDS) * LINE_WORDS;
}

// keep: whether all blocks fit the device as transforms.
static bool keep(const bigint_ctx *ctx, host_plan *plan, const host_lengths *of, uint64_t block) {
    cut(plan, of, block);
    if (plan->a_blocks > HOST_KEPT_MOST || ctx->options.max_workspace_bytes != 0) {
        return false;
    }
    plan->kept = true;
    plan->slots = SLOTS_LEAST;
    plan->sums = (unsigned)least(host_columns(plan), HOST_SUMS_MOST);
    const uint64_t bytes = host_kept_bytes(ctx, plan);
    return bytes != 0 && bytes <= room_for(ctx);
}

// keeps: whether the blocks of operands that are long and alike, or the blocks asked for, are kept.
static bool keeps(const bigint_ctx *ctx, host_plan *plan, const host_lengths *of) {
    const uint64_t forced = ctx->queue.forced.host_block;
    if (forced != 0) {
        return ctx->queue.forced.host_kept && keep(ctx, plan, of, forced);
    }
    return of->bn >= KEPT_LIMBS && of->bn >= of->an / 2 &&
           (keep(ctx, plan, of, equal_block(of->an, KEPT_PARTS)) ||
            keep(ctx, plan, of, equal_block(of->an, 2 * KEPT_PARTS)));
}

bigint_status host_plan_make(bigint_ctx *ctx, const char *who, host_plan *plan,
                             const host_lengths *of, uint64_t *parts) {
    const uint64_t forced = ctx->queue.forced.host_block, most = forced != 0 ? 1 : PARTS_MOST;
    const bigint_status status = bigint_check_product_size(ctx, who, of->an, of->bn);
    if (status != BIGINT_OK) {
        return status;
    }
    if (*parts == 0) {
        if (keeps(ctx, plan, of)) {
            return BIGINT_OK;
        }
        const bool overlaps = of->bn >= OVERLAP_LIMBS && of->bn >= of->an / 2;
        *parts = forced == 0 && overlaps ? 2 : 1;
    }
    for (; *parts <= most && *parts <= of->an; *parts += *parts / 8 + 1) {
        cut(plan, of, forced != 0 ? forced : equal_block(of->an, *parts));
        if (choose_slots(ctx, who, plan)) {
            return BIGINT_OK;
        }
    }
    return bigint_fail(ctx, BIGINT_ENOMEM,
                       "%s: %llu by %llu limbs in host memory have no room on device %d, even in "
                       "blocks; the cap is %llu, the device has %llu",
                       who, (unsigned long long)of->an, (unsigned long long)of->bn,
                       ctx->device.place, (unsigned long long)ctx->options.max_workspace_bytes,
                       (unsigned long long)ctx->device.about.memory_bytes);
}
