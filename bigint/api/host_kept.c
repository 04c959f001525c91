// host_kept.c: see host_kept.h.
//
// Block i of both operands is sent and transformed, and then column i is computed; so the lower
// half of the product goes back while operands come. Nothing of the upper half is known before the
// last blocks have come, and only its columns are left to compute then.
#include "bigint/api/host_kept.h"

#include "bigint/api/host_columns.h"
#include "bigint/core/arena.h"
#include "bigint/device/block_sum.h"

typedef struct {
    host_job *s;
    device_block_plan plan;
    double *left[HOST_KEPT_MOST], *right[HOST_KEPT_MOST];  // transforms of a_i and b_j
} kept_job;

uint64_t host_kept_bytes(const bigint_ctx *ctx, const host_plan *plan) {
    device_block_plan blocks;
    if (!device_block_plan_make(ctx, &blocks, plan->block, plan->b_blocks)) {
        return 0;
    }
    const uint64_t numbers = plan->slots * plan->block + plan->sums * blocks.limbs;
    return device_held_bytes(ctx, &blocks.products) + 8 * numbers +
           arena_held_bytes((plan->a_blocks + plan->b_blocks) * device_block_bytes(&blocks));
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

// add_column enqueues the sum of column c, whose blocks have come.
static bigint_status add_column(kept_job *k, uint64_t c) {
    static const bigint nothing = BIGINT_INIT;
    host_job *const s = k->s;
    const uint64_t sums = s->plan.sums;
    uint64_t first;
    const uint64_t terms = host_terms(&s->plan, c, &first), last = first + terms - 1;
    double *left[HOST_KEPT_MOST];  // backwards: right factors rise
    for (uint64_t i = 0; i < terms; i++) {
        left[i] = k->left[last - i];
    }
    return device_block_sum(s->ctx, s->who, &k->plan, &s->sum[c % sums], left,
                            k->right + (c - last), terms,
                            c == 0 ? &nothing : &s->sum[(c - 1) % sums]);
}

// column sends what column c is the first to need, and enqueues its sum.
static bigint_status column(void *self, uint64_t c) {
    kept_job *const k = self;
    const host_plan *const plan = &k->s->plan;
    bigint_status status = BIGINT_OK;
    if (c < plan->a_blocks) {
        status = bring(k, k->s->a, c, false);
    }
    if (c < plan->b_blocks && status == BIGINT_OK) {
        status = bring(k, k->s->b, c, true);
    }
    return status == BIGINT_OK ? add_column(k, c) : status;
}

bigint_status host_kept_multiply(host_job *s) {
    kept_job k = {.s = s};
    arena *const memory = &s->ctx->queue.memory;
    const arena_mark mark = arena_mark_in(memory);
    if (!device_block_plan_make(s->ctx, &k.plan, s->plan.block, s->plan.b_blocks)) {
        return bigint_fail(s->ctx, BIGINT_ENOMEM, "%s: no plan for transforms of blocks", s->who);
    }
    const uint64_t bytes = device_block_bytes(&k.plan);
    double *const planes =
        arena_take_in(s->ctx, memory, s->who, (s->plan.a_blocks + s->plan.b_blocks) * bytes);
    if (planes == NULL) {
        return s->ctx->failed != BIGINT_OK ? s->ctx->failed : BIGINT_ENOMEM;
    }
    for (uint64_t i = 0; i < s->plan.a_blocks; i++) {
        k.left[i] = planes + i * (bytes / sizeof *planes);
    }
    for (uint64_t j = 0; j < s->plan.b_blocks; j++) {
        k.right[j] = planes + (s->plan.a_blocks + j) * (bytes / sizeof *planes);
    }
    const bigint_status status = host_columns_run(s, column, &k);
    arena_release_in(s->ctx, memory, mark);
    return status;
}
