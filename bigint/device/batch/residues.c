// residues.c: see residues.h. Products in shared launches of transforms that wrap around at the
// modulus (passes.c), where there are any; else products by device_mul_batch into workspace, in
// rows of one length, then their residues. What can fail comes before results are written.
#include "bigint/device/batch/residues.h"

#include "bigint/batch/batch.h"
#include "bigint/core/arena.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/batch/batch.h"
#include "bigint/device/batch/rows.h"
#include "bigint/device/kernels/product_rows_fold.h"

static bigint_status fold(bigint_ctx *ctx, const char *who, const batch_residue *s,
                          const device_rows *m) {
    const product_rows rows = device_rows_of(s->r, m);
    const product_rows_folding folding = {m->p, m->row, s->ring.bits, s->ring.plus};
    bigint_status status = device_enter(ctx, who);
    if (status == BIGINT_OK) {
        status = device_status(ctx, who,
                               product_rows_fold(&rows, &folding, m->states, ctx->queue.stream));
        device_leave(ctx);
    }
    return status;
}

bigint_status device_mul_mod_batch(bigint_ctx *ctx, const char *who, const batch_residue *s) {
    const uint64_t count = s->r->count;
    bigint_status status;
    if (!s->ring.plus && s->ring.bits % 64 == 0 &&
        device_ring_batch(ctx, who, s->r, s->a, s->b, s->ring.bits / 64, &status)) {
        return status;
    }
    device_rows m = {.row = batch_residue_row(s)};
    const arena_mark host = arena_get_mark(ctx), mark = arena_mark_in(&ctx->queue.memory);
    status = device_rows_take(ctx, who, s->r, 1, product_rows_fold_bytes(count, s->ring.bits), &m);
    const bigint_span p = device_rows_products(&m, m.p, count);
    status = status == BIGINT_OK ? device_mul_batch(ctx, who, &p, s->a, s->b) : status;
    status = status == BIGINT_OK ? fold(ctx, who, s, &m) : status;
    arena_release_in(ctx, &ctx->queue.memory, mark);
    arena_release(ctx, host);
    return status;
}
