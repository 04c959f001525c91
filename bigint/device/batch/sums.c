// sums.c: see sums.h. Both products of all items by device_mul_batch into workspace, in rows of one
// length, then their sums in two launches. What can fail comes before results are written.
#include "bigint/device/batch/sums.h"

#include "bigint/batch/batch.h"
#include "bigint/core/arena.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/batch/batch.h"
#include "bigint/device/batch/rows.h"
#include "bigint/device/kernels/product_rows_sum.h"

static bigint_status add(bigint_ctx *ctx, const char *who, const batch_sum *s,
                         const device_rows *m) {
    const product_rows rows = device_rows_of(s->r, m);
    const product_rows_signs signs = {s->ab_negative, s->cd_negative, s->negative};
    bigint_status status = device_enter(ctx, who);
    if (status == BIGINT_OK) {
        status = device_status(
            ctx, who,
            product_rows_sum(&rows, &signs, batch_longest(s->r), m->states, ctx->queue.stream));
        device_leave(ctx);
    }
    return status;
}

bigint_status device_mul_sum_batch(bigint_ctx *ctx, const char *who, const batch_sum *s) {
    const uint64_t count = s->r->count;
    device_rows m = {.row = batch_sum_row(s)};
    const arena_mark host = arena_get_mark(ctx), mark = arena_mark_in(&ctx->queue.memory);
    bigint_status status =
        device_rows_take(ctx, who, s->r, 2, product_rows_sum_bytes(count, batch_longest(s->r)), &m);
    const bigint_span p = device_rows_products(&m, m.p, count);
    const bigint_span q = device_rows_products(&m, m.q, count);
    status = status == BIGINT_OK ? device_mul_batch(ctx, who, &p, s->a, s->b) : status;
    status = status == BIGINT_OK ? device_mul_batch(ctx, who, &q, s->c, s->d) : status;
    status = status == BIGINT_OK ? add(ctx, who, s, &m) : status;
    arena_release_in(ctx, &ctx->queue.memory, mark);
    arena_release(ctx, host);
    return status;
}

void device_mul_sum_batch_need(work_need *w, uint64_t count, uint64_t an, uint64_t bn) {
    const uint64_t in_use = w->device.in_use, row = an + bn > 0 ? an + bn : 1;
    if (count > 0) {
        need_take(&w->device, 16 * row * count);
        need_take(&w->device, product_rows_sum_bytes(count, row + 1));
        device_mul_batch_need(w, count, an, bn, false);
        device_mul_batch_need(w, count, an, bn, true);
    }
    need_release(&w->device, in_use);
}
