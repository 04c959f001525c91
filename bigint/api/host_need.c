// host_need.c: see host_need.h.
#include "bigint/api/host_need.h"

#include <stdio.h>

#include "bigint/api/host_kept.h"
#include "bigint/core/arena.h"
#include "bigint/core/device_integer.h"
#include "bigint/core/device_staging.h"
#include "bigint/core/names.h"
#include "bigint/device/plan.h"
#include "bigint/device/sum.h"
#include "carry/add.h"
#include "primitives/words/team.h"

// lengths: a product with no limbs is planned as one of a limb; it needs less.
static host_lengths lengths(uint64_t an, uint64_t bn, bool square) {
    const uint64_t longer = an > bn ? an : bn, shorter = an > bn ? bn : an;
    return (host_lengths){longer > 0 ? longer : 1, shorter > 0 ? shorter : 1, square};
}

// --- Bytes ---------------------------------------------------------------------------------------

// whole_need: operands are sent whole.
static void whole_need(work_need *w, const host_lengths *of) {
    const uint64_t both = of->an + of->bn;
    const uint64_t numbers = device_integer_bytes(of->an) + device_integer_bytes(both) +
                             (of->square ? 0 : device_integer_bytes(of->bn));
    device_transfer_need(w, 8 * both);
    device_mul_need(w, of->an, of->bn, of->square);
    need_integers(w, numbers);
    need_integers_end(w, numbers);
}

// slots_need: blocks, sums, of which one may grow, and a product. Products are of whole and of last
// blocks, alone and added.
static void slots_need(work_need *w, const host_plan *plan) {
    const host_lengths *const of = &plan->of;
    const uint64_t a[] = {plan->block, host_block_limbs(plan, of->an, plan->a_blocks - 1)},
                   b[] = {host_block_limbs(plan, of->bn, 0),
                          host_block_limbs(plan, of->bn, plan->b_blocks - 1)};
    const uint64_t sum = host_sum_limbs(plan), in_use = w->device.in_use,
                   numbers = plan->slots * device_integer_bytes(plan->block) +
                             (plan->sums + 2) * device_integer_bytes(sum);
    for (int i = 0; i < 4; i++) {
        for (uint64_t terms = 1; terms <= plan->terms; terms++) {
            device_mul_sum_need(w, a[i / 2], b[i % 2], terms);
        }
    }
    need_words(w, carry_add_workspace_bytes(sum));
    need_take(&w->device, plan->work_bytes);
    need_release(&w->device, in_use);
    need_integers(w, numbers);
    need_integers_end(w, numbers);
}

// other_bytes: pinned memory of one of the other contexts, for blocks and the top of the product.
static uint64_t other_bytes(const bigint_ctx *ctx, const host_plan *plan) {
    return device_rings_bytes(ctx->options.max_workspace_bytes / HOST_OTHER_CAP_PART,
                              team_size(ctx->team), 16 * plan->block);
}

static void plan_need(work_need *w, const host_plan *plan) {
    if (plan->a_blocks == 1) {
        whole_need(w, &plan->of);
        return;
    }
    if (plan->kept) {
        host_kept_need(w, plan);
    } else {
        slots_need(w, plan);
    }
    need_pinned(w, HOST_OTHERS * other_bytes(w->ctx, plan));
}

void host_need(work_need *w, uint64_t an, uint64_t bn) {
    for (int square = 0; square < (an == bn ? 2 : 1); square++) {
        const host_lengths of = lengths(an, bn, square != 0);
        host_plan plan;
        uint64_t parts = 0;
        if (w->status == BIGINT_OK) {
            w->status = host_plan_make(w->ctx, w->who, &plan, &of, &parts);
        }
        if (w->status == BIGINT_OK) {
            plan_need(w, &plan);
        }
    }
}

// --- The line ------------------------------------------------------------------------------------

bigint_status host_explain(bigint_ctx *ctx, const char *who, host_explained *out, uint64_t an,
                           uint64_t bn) {
    const host_lengths of = lengths(an, bn, false);
    work_need w = device_need_begin(ctx, who);
    uint64_t parts = 0, all = 0;
    w.status = host_plan_make(ctx, who, &out->plan, &of, &parts);
    if (w.status == BIGINT_OK) {
        plan_need(&w, &out->plan);
    }
    const bigint_status status = need_bytes(&w, &all);
    out->pinned = device_staging_bytes(ctx) + w.pinned;
    out->device = all > out->pinned ? all - out->pinned : 0;
    return status;
}

// print_way: how the operands come to the device.
static int print_way(const bigint_ctx *ctx, const host_plan *p, char *buf, size_t cap) {
    char blocks[64];
    const unsigned threads = team_size(ctx->team);
    const char *const plural = threads == 1 ? "" : "s";
    if (p->a_blocks == 1) {
        return snprintf(buf, cap, "sent and fetched whole by %u thread%s", threads, plural);
    }
    if (p->kept) {
        snprintf(blocks, sizeof blocks, "kept as transforms");
    } else {
        snprintf(blocks, sizeof blocks, "%u at a time, %llu products at once", p->slots,
                 (unsigned long long)p->terms);
    }
    return snprintf(buf, cap,
                    "in %llu x %llu blocks of %llu limbs, %s, %llu columns; %u thread%s each to "
                    "compute, to send and to fetch",
                    (unsigned long long)p->a_blocks, (unsigned long long)p->b_blocks,
                    (unsigned long long)p->block, blocks, (unsigned long long)host_columns(p),
                    threads, plural);
}

int host_print(bigint_ctx *ctx, const host_explained *x, char *buf, size_t cap) {
    const host_lengths *const of = &x->plan.of;
    char way[240];
    print_way(ctx, &x->plan, way, sizeof way);
    return snprintf(
        buf, cap,
        "%s from host memory, %llu x %llu limbs, %s; up to %llu bytes on the device and "
        "%llu pinned, and %llu in host memory where the result has no room",
        names_backend(ctx->device.backend), (unsigned long long)of->an, (unsigned long long)of->bn,
        way, (unsigned long long)x->device, (unsigned long long)x->pinned,
        (unsigned long long)(8 * (of->an + of->bn)));
}
