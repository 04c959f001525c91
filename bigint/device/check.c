// check.c: checks of products, and of sums of products, on a device: residues before and after,
// their memory, and the report to the host.
//
// The residues of the factors are computed before the product is written, which may overwrite them.
// A wrong product leaves a mark in pinned memory, which every wait for the stream reads.
#include "bigint/device/check.h"

#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/device_queue.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/kernels/product_rows.h"
#include "bigint/device/kernels/product_rows_check.h"

// Device memory: the factors' residues, then the workspace of the kernels.
enum { FACTORS_BYTES = 64, DEVICE_BYTES = FACTORS_BYTES + LIMBS_RESIDUE_WORKSPACE_BYTES };

static uint64_t *factors_of(const device_queue *q) { return (uint64_t *)q->check; }
static void *sums_of(const device_queue *q) { return q->check + FACTORS_BYTES; }

uint64_t device_check_bytes(const bigint_ctx *ctx) {
    return ctx->check_modulus == 0 ? 0 : DEVICE_BYTES + sizeof(limbs_residue_report);
}

bigint_status device_check_need(bigint_ctx *ctx, const char *who) {
    device_queue *q = &ctx->queue;
    if (ctx->check_modulus == 0 || q->check != NULL) {
        return BIGINT_OK;
    }
    q->modulus = limbs_modulus_of(ctx->check_modulus);
    q->report = workspace_allocate(ctx, who, MEMORY_PINNED, sizeof *q->report);
    q->check = q->report == NULL ? NULL : workspace_allocate(ctx, who, MEMORY_DEVICE, DEVICE_BYTES);
    if (q->check == NULL) {
        device_check_trim(ctx);
        return ctx->failed != BIGINT_OK ? ctx->failed : BIGINT_ENOMEM;
    }
    memset(q->report, 0, sizeof *q->report);
    return device_status(ctx, who, cuda_set(q->check, 0, DEVICE_BYTES, q->stream));
}

void device_check_trim(bigint_ctx *ctx) {
    device_queue *q = &ctx->queue;
    workspace_release(ctx, MEMORY_DEVICE, q->check, DEVICE_BYTES);
    workspace_release(ctx, MEMORY_PINNED, q->report, sizeof *q->report);
    q->check = NULL;
    q->report = NULL;
}

result device_check_term(bigint_ctx *ctx, uint64_t *factors, limbs_device_number a,
                         limbs_device_number b, bool subtract) {
    const device_queue *q = &ctx->queue;
    const limbs_residue_number first = {a.p, a.n, a.sign, subtract},
                               second = {b.p, b.n, b.sign, false};
    return ctx->check_modulus == 0
               ? RESULT_OK
               : limbs_residue_factors(factors, first, second, &q->modulus, sums_of(q), q->stream);
}

result device_check_sum(bigint_ctx *ctx, limbs_device_number r, const uint64_t *factors,
                        uint64_t terms, uint64_t an, uint64_t bn) {
    const device_queue *q = &ctx->queue;
    const limbs_residue_number sum = {r.p, r.n, r.sign, false};
    return ctx->check_modulus == 0 ? RESULT_OK
                                   : limbs_residue_product(q->report, sum, factors, terms, an, bn,
                                                           &q->modulus, sums_of(q), q->stream);
}

result device_check_factors(bigint_ctx *ctx, const uint64_t *ap, uint64_t an, const uint64_t *bp,
                            uint64_t bn) {
    const limbs_device_number a = {ap, an, NULL}, b = {bp, bn, NULL};
    return device_check_term(ctx, factors_of(&ctx->queue), a, b, false);
}

result device_check_product(bigint_ctx *ctx, const uint64_t *rp, uint64_t rn, uint64_t an,
                            uint64_t bn) {
    const limbs_device_number r = {rp, rn, NULL};
    return device_check_sum(ctx, r, factors_of(&ctx->queue), 1, an, bn);
}

result device_check_rows(bigint_ctx *ctx, const product_rows *rows) {
    const device_queue *q = &ctx->queue;
    return ctx->check_modulus == 0
               ? RESULT_OK
               : product_rows_check(q->report, rows, &q->modulus, sums_of(q), q->stream);
}
