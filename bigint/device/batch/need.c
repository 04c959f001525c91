// need.c: what batches of products on a device need, from the plans of batch.c.
#include <stdio.h>

#include "bigint/core/names.h"
#include "bigint/device/batch/batch.h"
#include "bigint/device/batch/batch_plan.h"
#include "bigint/device/batch/passes.h"
#include "bigint/device/kernels/block_product.h"
#include "bigint/device/plan.h"

// shape_need: the tables of the modular transform of this shape.
static void shape_need(work_need *w, const fft_modular_plan *shape) {
    const device_plan plan = {.engine = ENGINE_MODULAR_FFT, .modular = *shape};
    device_plan_need(w, &plan);
}

// passes_need: ring: 0, or the points of the class.
static void passes_need(work_need *w, unsigned size, const product_rows *rows, uint64_t ring) {
    const uint64_t in_use = w->device.in_use;
    device_passes passes;
    device_passes_make(w->ctx, &passes, size, rows, rows->first.an, rows->first.bn, rows->first.rn,
                       ring);
    shape_need(w, &passes.modular);
    need_words(w, device_passes_words(&passes));
    need_take(&w->device, device_passes_bytes(&passes));
    need_release(&w->device, in_use);
}

static void alone_need(work_need *w, uint64_t an, uint64_t bn) {
    device_plan plan;
    w->status = device_plan_make(w->ctx, w->who, &plan, an, bn, false, true);
    if (w->status == BIGINT_OK) {
        device_plan_need(w, &plan);
    }
}

// rows_of: products that are all alike, as far as choices go.
static product_rows rows_of(uint64_t count, uint64_t an, uint64_t bn, bool common) {
    static const uint64_t somewhere[2];  // a and b are not the same
    return (product_rows){.first = {NULL, somewhere, somewhere + 1, an + bn, an, bn},
                          .r_stride = an + bn,
                          .a_stride = an,
                          .b_stride = common ? 0 : bn,
                          .count = count};
}

void device_mul_batch_need(work_need *w, uint64_t count, uint64_t an, uint64_t bn, bool common) {
    const uint64_t in_use = w->device.in_use, longer = an > bn ? an : bn,
                   shorter = an + bn - longer;
    const product_rows rows = rows_of(count, an, bn, common);
    if (w->status != BIGINT_OK || count == 0 || shorter == 0) {
        return;
    }
    const device_batch_way way =
        device_batch_choose(w->ctx, device_batch_shares(&rows), count, longer, shorter);
    fft_modular_plan shape;
    switch (way.kind) {
        case BATCH_ALONE:
            alone_need(w, longer, shorter);
            break;
        case BATCH_PASSES:
            passes_need(w, way.size, &rows, 0);
            break;
        case BATCH_BLOCK:
            need_take(&w->device, block_product_bytes(way.size, count));
            break;
        case BATCH_CLUSTER:
            if (device_batch_shape(w->ctx, way.size, &shape)) {
                shape_need(w, &shape);
            }
            break;
        default:
            break;
    }
    need_release(&w->device, in_use);
}

void device_ring_batch_need(work_need *w, uint64_t count, uint64_t an, uint64_t bn, uint64_t n) {
    const uint64_t in_use = w->device.in_use;
    device_batch_way way;
    if (!device_batch_ring(w->ctx, count, an, bn, n, &way)) {
        return;
    }
    for (unsigned common = 0; common < 2 && way.kind == BATCH_PASSES; common++) {
        product_rows rows = rows_of(count, an > bn ? an : bn, an > bn ? bn : an, common == 1);
        rows.first.rn = n;
        passes_need(w, way.size, &rows, n);
    }
    if (way.kind == BATCH_WRAPPED) {
        need_take(&w->device, block_product_bytes(way.size, count));
    }
    need_release(&w->device, in_use);
}

int device_mul_batch_print(bigint_ctx *ctx, char *buf, size_t cap, uint64_t count, uint64_t an,
                           uint64_t bn) {
    static const char *const ways[BATCH_KINDS] = {[BATCH_ALONE] = "one after the other",
                                                  [BATCH_SHORT] = "a thread each",
                                                  [BATCH_TILED] = "tensor cores",
                                                  [BATCH_BLOCK] = "a block each",
                                                  [BATCH_WRAPPED] = "a block each, wrapped",
                                                  [BATCH_COMMON] = "tensor cores, one factor",
                                                  [BATCH_MATRIX] = "tensor cores, matrices",
                                                  [BATCH_CLUSTER] = "a cluster each",
                                                  [BATCH_PASSES] = "shared passes"};
    const uint64_t longer = an > bn ? an : bn, shorter = an + bn - longer;
    const product_rows rows = rows_of(count, an, bn, false);
    const device_batch_way way =
        device_batch_choose(ctx, device_batch_shares(&rows), count, longer, shorter);
    return snprintf(buf, cap, "%s batch, %llu products of %llu x %llu limbs: %s",
                    names_backend(ctx->device.backend), (unsigned long long)count,
                    (unsigned long long)an, (unsigned long long)bn, ways[way.kind]);
}
