// sums.c: see sums.h. Both products of all items by device_mul_batch into workspace, in rows of one
// length, then their sums in two launches. What can fail comes before results are written.
#include "bigint/device/batch/sums.h"

#include "bigint/batch/batch.h"
#include "bigint/core/arena.h"
#include "bigint/core/device_staging.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/batch/batch.h"
#include "bigint/device/kernels/product_rows_sum.h"

// room: the memory of a call, on the device.
typedef struct {
    uint64_t *p, *q;     // products, `row` limbs each
    void *states;        // for product_rows_sum
    product_item *list;  // NULL: results are alike
    uint64_t row, longest;
} room;

static product_item item_of(const batch_sum *s, const room *m, uint64_t i) {
    const batch_item r = batch_item_of(s->r, i);
    return (product_item){r.p, m->p + i * m->row, m->q + i * m->row, r.n, m->row, m->row};
}

// send_list writes the items, where results are not alike, and starts the copy to the device.
static bigint_status send_list(bigint_ctx *ctx, const char *who, const batch_sum *s, room *m) {
    if (s->r->lengths == NULL && s->r->offsets == NULL) {
        return BIGINT_OK;
    }
    const uint64_t bytes = s->r->count * sizeof(product_item);
    bigint_status status = device_staging_need(ctx, who);
    product_item *const list = status == BIGINT_OK ? arena_take(ctx, who, bytes) : NULL;
    m->list = list == NULL ? NULL : arena_take_in(ctx, &ctx->queue.memory, who, bytes);
    if (m->list == NULL) {
        return status != BIGINT_OK        ? status
               : ctx->failed != BIGINT_OK ? ctx->failed
                                          : BIGINT_ENOMEM;
    }
    for (uint64_t i = 0; i < s->r->count; i++) {
        list[i] = item_of(s, m, i);
    }
    const uint64_t *const from = (const uint64_t *)list;  // its first word goes as a sign
    return device_send(ctx, who, (uint64_t *)m->list + 1, from + 1, bytes / sizeof *from - 1,
                       from[0]);
}

// take: all memory but that of the products' own launches.
static bigint_status take(bigint_ctx *ctx, const char *who, const batch_sum *s, room *m) {
    const uint64_t count = s->r->count;
    uint64_t limbs, bytes;
    if (__builtin_mul_overflow(count, m->row, &limbs) ||
        __builtin_mul_overflow(limbs, 16, &bytes)) {
        return bigint_fail(ctx, BIGINT_ENOMEM, "%s: no memory for %llu products", who,
                           (unsigned long long)count);
    }
    bigint_status status = device_enter(ctx, who);
    if (status != BIGINT_OK) {
        return status;
    }
    m->p = arena_take_in(ctx, &ctx->queue.memory, who, bytes);
    m->q = m->p == NULL ? NULL : m->p + limbs;
    m->states = m->p == NULL ? NULL
                             : arena_take_in(ctx, &ctx->queue.memory, who,
                                             product_rows_sum_bytes(count, m->longest));
    if (m->states == NULL) {
        status = ctx->failed != BIGINT_OK ? ctx->failed : BIGINT_ENOMEM;
    } else {
        status = send_list(ctx, who, s, m);
    }
    device_leave(ctx);
    return status;
}

static bigint_status add(bigint_ctx *ctx, const char *who, const batch_sum *s, const room *m) {
    const product_rows rows = {item_of(s, m, 0), s->r->stride, m->row, m->row,
                               m->list,          s->r->count,  0};
    const product_rows_signs signs = {s->ab_negative, s->cd_negative, s->negative};
    bigint_status status = device_enter(ctx, who);
    if (status == BIGINT_OK) {
        status = device_status(
            ctx, who, product_rows_sum(&rows, &signs, m->longest, m->states, ctx->queue.stream));
        device_leave(ctx);
    }
    return status;
}

bigint_status device_mul_sum_batch(bigint_ctx *ctx, const char *who, const batch_sum *s) {
    room m = {.row = batch_sum_row(s), .longest = batch_longest(s->r)};
    const arena_mark host = arena_get_mark(ctx), mark = arena_mark_in(&ctx->queue.memory);
    bigint_status status = take(ctx, who, s, &m);
    const bigint_span p = {m.p, m.row, m.row, s->r->count, NULL, NULL};
    const bigint_span q = {m.q, m.row, m.row, s->r->count, NULL, NULL};
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
