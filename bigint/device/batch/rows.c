// rows.c: see rows.h.
#include "bigint/device/batch/rows.h"

#include "bigint/batch/batch.h"
#include "bigint/core/arena.h"
#include "bigint/core/device_staging.h"
#include "bigint/core/device_stream.h"

static bigint_status no_memory(const bigint_ctx *ctx) {
    return ctx->failed != BIGINT_OK ? ctx->failed : BIGINT_ENOMEM;
}

bigint_status device_list_take(bigint_ctx *ctx, const char *who, uint64_t count,
                               product_item **here, product_item **there) {
    const uint64_t bytes = count * sizeof(product_item);
    const bigint_status status = device_staging_need(ctx, who);
    if (status != BIGINT_OK) {
        return status;
    }
    *here = arena_take(ctx, who, bytes);
    *there = *here == NULL ? NULL : arena_take_in(ctx, &ctx->queue.memory, who, bytes);
    return *there == NULL ? no_memory(ctx) : BIGINT_OK;
}

// The first word goes where an integer has its sign.
bigint_status device_list_send(bigint_ctx *ctx, const char *who, const product_item *here,
                               product_item *there, uint64_t count) {
    const uint64_t *const from = (const uint64_t *)here;
    const uint64_t words = count * sizeof(product_item) / sizeof *from;
    return device_send(ctx, who, (uint64_t *)there + 1, from + 1, words - 1, from[0]);
}

// --- Rows ----------------------------------------------------------------------------------------

static product_item item_of(const bigint_span *r, const device_rows *m, uint64_t i) {
    const batch_item to = batch_item_of(r, i);
    const uint64_t *const p = m->p + i * m->row, *const q = m->q == NULL ? NULL : m->q + i * m->row;
    return (product_item){to.p, p, q, to.n, m->row, q == NULL ? 0 : m->row};
}

// send_items writes the items, where results are not alike, and starts the copy to the device.
static bigint_status send_items(bigint_ctx *ctx, const char *who, const bigint_span *r,
                                device_rows *m) {
    product_item *here;
    if (r->lengths == NULL && r->offsets == NULL) {
        return BIGINT_OK;
    }
    const bigint_status status = device_list_take(ctx, who, r->count, &here, &m->list);
    for (uint64_t i = 0; i < r->count && status == BIGINT_OK; i++) {
        here[i] = item_of(r, m, i);
    }
    return status == BIGINT_OK ? device_list_send(ctx, who, here, m->list, r->count) : status;
}

bigint_status device_rows_take(bigint_ctx *ctx, const char *who, const bigint_span *r,
                               unsigned products, uint64_t state_bytes, device_rows *m) {
    uint64_t limbs, bytes;
    if (__builtin_mul_overflow(r->count, m->row, &limbs) ||
        __builtin_mul_overflow(limbs, 8 * products, &bytes)) {
        return bigint_fail(ctx, BIGINT_ENOMEM, "%s: no memory for %llu products", who,
                           (unsigned long long)r->count);
    }
    bigint_status status = device_enter(ctx, who);
    if (status != BIGINT_OK) {
        return status;
    }
    m->p = arena_take_in(ctx, &ctx->queue.memory, who, bytes);
    m->q = m->p == NULL || products == 1 ? NULL : m->p + limbs;
    m->states = m->p == NULL ? NULL : arena_take_in(ctx, &ctx->queue.memory, who, state_bytes);
    status = m->states == NULL ? no_memory(ctx) : send_items(ctx, who, r, m);
    device_leave(ctx);
    return status;
}

product_rows device_rows_of(const bigint_span *r, const device_rows *m) {
    return (product_rows){item_of(r, m, 0), r->stride, m->row, m->row, m->list, r->count, 0};
}
