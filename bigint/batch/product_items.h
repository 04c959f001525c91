// product_items.h: the items of one batch of products on the host: what they have in common, their
// plans, and the task that computes a chunk of them. For products.c. Internal to bigint/.
#ifndef BIGINT_BATCH_PRODUCT_ITEMS_H_
#define BIGINT_BATCH_PRODUCT_ITEMS_H_

#include "bigint/batch/batch.h"
#include "bigint/core/context.h"
#include "bigint/multiply/mul.h"

// product_plan: the plan of the last item that needed one; its engine is ENGINE_AUTO before.
typedef struct {
    mul_plan plan;
    bool square;
} product_plan;

// product_job: one call.
typedef struct {
    bigint_ctx *ctx;
    bigint_span r, a, b;
    bool alike;  // all items have the same lengths
    bool lanes;  // some items may be computed eight at once
    // Of all items; NULL: they are made again for each item, by planner: a copy of ctx that does
    // not hold ws, so that a cap always leaves room for the same plans.
    product_plan *plans;
    bigint_ctx *planner;
    uint64_t chunks;
    unsigned char *ws;  // ws_bytes for each worker
    uint64_t ws_bytes;
    mul_tally *tallies;  // one for each worker
} product_job;

// product_item: the operands and the result of one product.
typedef struct {
    batch_item r, a, b;
} product_item;

static inline product_item product_item_of(const product_job *job, uint64_t i) {
    return (product_item){batch_item_of(&job->r, i), batch_item_of(&job->a, i),
                          batch_item_of(&job->b, i)};
}

// product_is_short: whether a product of these lengths needs no plan (mul_short_limbs), or is 0.
static inline bool product_is_short(const bigint_ctx *ctx, uint64_t an, uint64_t bn) {
    const uint64_t shorter = an < bn ? an : bn;
    return shorter == 0 || shorter <= ctx->short_limbs;
}

// product_replan: the plan of item x unless it is that already. Errors: as mul_plan_make.
bigint_status product_replan(bigint_ctx *ctx, product_plan *last, const product_item *x);

// product_chunk is a team_task on a product_job: one chunk of neighbouring items, in the batch's
// order. Adds to the worker's tally. Requires: every result holds its product, every plan can be
// made and is ready.
void product_chunk(void *job, size_t index, unsigned worker);

#endif  // BIGINT_BATCH_PRODUCT_ITEMS_H_
