// host_kept.c: see host_kept.h.
//
// Block i of both operands is sent and transformed, and then column i is computed; so the lower
// half of the product goes back while operands come. Nothing of the upper half is known before the
// last blocks have come, and only its columns are left to compute then.
#include "bigint/api/host_kept.h"

#include <assert.h>

#include "bigint/api/host_columns.h"
#include "bigint/core/arena.h"
#include "bigint/core/device_integer.h"
#include "bigint/device/blocks/sum.h"

typedef struct {
    host_job *s;
    device_block_plan plan;
    double *left[HOST_KEPT_MOST], *right[HOST_KEPT_MOST];  // transforms of a_i and b_j
    double *sum;                                           // of a column, in transform order
} kept_job;

// transforms: of all blocks, and of a sum.
static uint64_t transforms(const host_plan *plan) { return plan->a_blocks + plan->b_blocks + 1; }

// numbers_bytes: blocks under way, and sums.
static uint64_t numbers_bytes(const host_plan *plan, const device_block_plan *blocks) {
    return plan->slots * device_integer_bytes(plan->block) +
           plan->sums * device_integer_bytes(blocks->limbs);
}

// room_beside: bytes that transforms take in the arena beside the workspace of a sum.
static uint64_t room_beside(const host_plan *plan, const device_block_plan *blocks) {
    return transforms(plan) * device_block_bytes(blocks) + 2 * ARENA_DEVICE_ALIGNMENT;
}

uint64_t host_kept_bytes(const bigint_ctx *ctx, const host_plan *plan) {
    device_block_plan blocks;
    if (!device_block_plan_make(ctx, &blocks, plan->block, plan->b_blocks)) {
        return 0;
    }
    return device_held_bytes(ctx, &blocks.products) + numbers_bytes(plan, &blocks) +
           arena_held_bytes(transforms(plan) * device_block_bytes(&blocks));
}

void host_kept_need(work_need *w, const host_plan *plan) {
    device_block_plan blocks;
    const bool made = device_block_plan_make(w->ctx, &blocks, plan->block, plan->b_blocks);
    assert(made);
    (void)made;
    const uint64_t numbers = numbers_bytes(plan, &blocks);
    blocks.products.workspace_bytes += room_beside(plan, &blocks);
    device_plan_need(w, &blocks.products);
    need_integers(w, numbers);
    need_integers_end(w, numbers);
}

// --- Columns -------------------------------------------------------------------------------------

// bring: a block and its transform.
static bigint_status bring(kept_job *k, const bigint *operand, uint64_t index, bool right) {
    host_job *const s = k->s;
    host_slot *x;
    s->in_use = s->turn;
    bigint_status status = host_block(s, &x, operand, index);
    if (status == BIGINT_OK) {
        status = device_block_transform(s->ctx, s->who, &k->plan,
                                        right ? k->right[index] : k->left[index], &x->x, right);
    }
    return status == BIGINT_OK ? host_block_used(s, x) : status;
}

// terms_from: `count` terms of column c, the first of them a_first b_(c - first). left: room for
// them, backwards, because right factors rise.
static device_block_terms terms_from(const kept_job *k, uint64_t c, uint64_t first, uint64_t count,
                                     double **left) {
    const uint64_t last = first + count - 1;
    for (uint64_t i = 0; i < count; i++) {
        left[i] = k->left[last - i];
    }
    return (device_block_terms){k->sum, false, left, k->right + (c - last), count};
}

// begin_column enqueues the terms of column c whose blocks have come before block c.
static bigint_status begin_column(const kept_job *k, uint64_t c) {
    double *left[HOST_KEPT_MOST];
    const device_block_terms inner = terms_from(k, c, 1, c - 1, left);
    return device_block_add(k->s->ctx, k->s->who, &k->plan, &inner);
}

// end_column enqueues the sum of column c: all its terms or, if it has begun, a_0 b_c and a_c b_0
// alone.
static bigint_status end_column(const kept_job *k, uint64_t c, bool begun) {
    static const bigint nothing = BIGINT_INIT;
    host_job *const s = k->s;
    const uint64_t sums = s->plan.sums;
    double *left[HOST_KEPT_MOST], *const ends[] = {k->right[0], k->right[begun ? c : 0]};
    uint64_t first;
    const uint64_t all = host_terms(&s->plan, c, &first);
    device_block_terms t = terms_from(k, c, first, all, left);
    if (begun) {
        left[0] = k->left[c], left[1] = k->left[0];
        t = (device_block_terms){k->sum, true, left, ends, 2};
    }
    return device_block_sum(s->ctx, s->who, &k->plan, &s->sum[c % sums], &t,
                            c == 0 ? &nothing : &s->sum[(c - 1) % sums]);
}

// column enqueues the sum of column c, and sends what it is the first to need. What needs less is
// done before: a column's inner terms, and the left transform.
static bigint_status column(void *self, uint64_t c) {
    kept_job *const k = self;
    const host_plan *const plan = &k->s->plan;
    const bool begun = 2 <= c && c < plan->b_blocks;
    bigint_status status = begun ? begin_column(k, c) : BIGINT_OK;
    if (c < plan->b_blocks && status == BIGINT_OK) {
        status = bring(k, k->s->b, c, true);
    }
    if (c < plan->a_blocks && status == BIGINT_OK) {
        status = bring(k, k->s->a, c, false);
    }
    return status == BIGINT_OK ? end_column(k, c, begun) : status;
}

bigint_status host_kept_multiply(host_job *s) {
    kept_job k = {.s = s};
    arena *const memory = &s->ctx->queue.memory;
    const arena_mark mark = arena_mark_in(memory);
    if (!device_block_plan_make(s->ctx, &k.plan, s->plan.block, s->plan.b_blocks)) {
        return bigint_fail(s->ctx, BIGINT_ENOMEM, "%s: no plan for transforms of blocks", s->who);
    }
    const uint64_t bytes = device_block_bytes(&k.plan), all = transforms(&s->plan) * bytes;
    // One block for all and for each sum's work, so that the arena need not join blocks afterwards.
    // Where it cannot be had, the takes say so.
    arena_make_room(s->ctx, memory,
                    room_beside(&s->plan, &k.plan) + k.plan.products.workspace_bytes);
    double *const planes = arena_take_in(s->ctx, memory, s->who, all);
    if (planes == NULL) {
        return s->ctx->failed != BIGINT_OK ? s->ctx->failed : BIGINT_ENOMEM;
    }
    for (uint64_t i = 0; i < s->plan.a_blocks; i++) {
        k.left[i] = planes + i * (bytes / sizeof *planes);
    }
    for (uint64_t j = 0; j < s->plan.b_blocks; j++) {
        k.right[j] = planes + (s->plan.a_blocks + j) * (bytes / sizeof *planes);
    }
    k.sum = planes + (transforms(&s->plan) - 1) * (bytes / sizeof *planes);
    const bigint_status status = host_columns_run(s, column, &k);
    arena_release_in(s->ctx, memory, mark);
    return status;
}
