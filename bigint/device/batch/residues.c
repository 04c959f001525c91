// residues.c: see residues.h. Products by transforms that wrap around at the modulus, of a block
// each or in shared launches (passes.c), where there are any; else products by device_mul_batch
// into workspace, in rows of one length, then their residues. What can fail comes before results
// are written.
#include "bigint/device/batch/residues.h"

#include <stdio.h>

#include "bigint/batch/batch.h"
#include "bigint/core/arena.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/batch/batch.h"
#include "bigint/device/batch/batch_plan.h"
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

void device_mul_mod_batch_need(work_need *w, uint64_t count, uint64_t an, uint64_t bn,
                               mul_ring ring) {
    const uint64_t in_use = w->device.in_use, most = mul_ring_limbs(ring);
    an = an < most ? an : most;  // as factors are
    bn = bn < most ? bn : most;
    const uint64_t row = an + bn > 0 ? an + bn : 1;
    if (count == 0) {
        return;
    }
    if (!ring.plus && ring.bits % 64 == 0 && an > 0 && bn > 0) {
        device_ring_batch_need(w, count, an, bn, ring.bits / 64);
    }
    need_take(&w->device, 8 * row * count);  // also where the passes have no memory
    need_take(&w->device, product_rows_fold_bytes(count, ring.bits));
    device_mul_batch_need(w, count, an, bn, false);
    device_mul_batch_need(w, count, an, bn, true);
    need_release(&w->device, in_use);
}

int device_mul_mod_batch_print(bigint_ctx *ctx, char *buf, size_t cap, uint64_t count, uint64_t an,
                               uint64_t bn, mul_ring ring) {
    device_batch_way way;
    const bool rings = !ring.plus && ring.bits % 64 == 0 && an > 0 && bn > 0 &&
                       device_batch_ring(ctx, count, an, bn, ring.bits / 64, &way);
    const int before =
        snprintf(buf, cap, "modulo 2^%llu %s 1, %s", (unsigned long long)ring.bits,
                 ring.plus ? "+" : "-", rings ? "transforms that wrap around there, else " : "");
    const size_t at = cap < (size_t)before ? cap : (size_t)before;
    return before +
           device_mul_batch_print(ctx, cap == 0 ? NULL : buf + at, cap - at, count, an, bn);
}
