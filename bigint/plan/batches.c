// batches.c: the plans of batches.
#include "bigint/plan/call_plans.h"

#include <stdio.h>

#include "bigint/batch/modular.h"
#include "bigint/batch/products.h"
#include "bigint/batch/residues.h"
#include "bigint/core/names.h"
#include "bigint/device/batch/batch.h"
#include "bigint/device/batch/residues.h"
#include "bigint/device/batch/sums.h"
#include "bigint/device/division.h"
#include "bigint/device/powm.h"
#include "primitives/words/word.h"

// --- Batches -------------------------------------------------------------------------------------

static void mul_batch_host(work_need *n, const bigint_call *c) {
    batch_mul_need(n, c->count, c->an, c->bn);
}
static void mul_batch_device(work_need *n, const bigint_call *c) {
    device_mul_batch_need(n, c->count, c->an, c->bn, false);
    device_mul_batch_need(n, c->count, c->an, c->bn, true);
}

static void mul_sum_batch_host(work_need *n, const bigint_call *c) {
    need_take_limbs(&n->host, 2 * c->count * (c->an + c->bn));
    mul_batch_host(n, c);
}
static void mul_sum_batch_device(work_need *n, const bigint_call *c) {
    device_mul_sum_batch_need(n, c->count, c->an, c->bn);
}

static int batch_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    return context_on_device(ctx) ? device_mul_batch_print(ctx, buf, cap, c->count, c->an, c->bn)
                                  : batch_mul_print(ctx, buf, cap, c->count, c->an, c->bn);
}

const call_plan plan_mul_batch = {.host = mul_batch_host,
                                  .device = mul_batch_device,
                                  .line = batch_line,
                                  .needs = NEEDS_BATCH,
                                  .operands = 2};
const call_plan plan_mul_sum_batch = {.host = mul_sum_batch_host,
                                      .device = mul_sum_batch_device,
                                      .line = batch_line,
                                      .needs = NEEDS_BATCH,
                                      .operands = 2};

// --- Modulo 2^bits -+ 1 --------------------------------------------------------------------------

static void ring_host(work_need *n, const bigint_call *c) {
    batch_mul_mod_need(n, c->count, c->an, c->bn, call_ring(c));
}
static void ring_device(work_need *n, const bigint_call *c) {
    device_mul_mod_batch_need(n, c->count, c->an, c->bn, call_ring(c));
}

static int ring_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    return context_on_device(ctx)
               ? device_mul_mod_batch_print(ctx, buf, cap, c->count, c->an, c->bn, call_ring(c))
               : batch_mul_mod_print(ctx, buf, cap, c->count, c->an, c->bn, call_ring(c));
}

const call_plan plan_ring_batch = {
    .host = ring_host, .device = ring_device, .line = ring_line, .needs = NEEDS_BATCH | NEEDS_BITS};

// --- Modulo numbers ------------------------------------------------------------------------------

static batch_modular_size size_of(const bigint_call *c) {
    switch (c->kind) {
        case BIGINT_CALL_POWM_BATCH:
            return batch_powm_size(c->count, c->an, c->k, c->bn);
        case BIGINT_CALL_DIVREM_BATCH:
            return batch_divrem_size(c->count, c->an, c->bn);
        case BIGINT_CALL_INVMOD_BATCH:
            return batch_invmod_size(c->count, c->an, c->bn);
        default:
            return batch_mulmod_size(c->count, c->an,
                                     c->kind == BIGINT_CALL_SQRMOD_BATCH ? c->an : c->k, c->bn);
    }
}

static void modular_host(work_need *n, const bigint_call *c) {
    const batch_modular_size size = size_of(c);
    batch_modular_need(n, &size);
}

static void powm_batch_device(work_need *n, const bigint_call *c) {
    if (c->count > 0) {
        device_powm_batch_need(n, c->count, word_ceil_div(c->k, 64), c->bn);
    }
}

static void division_device(work_need *n, const bigint_call *c) {
    const device_division_kind kind = c->kind == BIGINT_CALL_DIVREM_BATCH   ? DEVICE_DIVREM
                                      : c->kind == BIGINT_CALL_INVMOD_BATCH ? DEVICE_INVMOD
                                                                            : DEVICE_MULMOD;
    device_division_need(n, kind, c->count, c->an, c->bn);
}

static int modular_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    const batch_modular_size size = size_of(c);
    return context_on_device(ctx)
               ? snprintf(buf, cap, "%s batch, %llu items modulo %llu limbs, %s",
                          names_backend(ctx->device.backend), (unsigned long long)c->count,
                          (unsigned long long)c->bn,
                          c->kind == BIGINT_CALL_POWM_BATCH ? "two launches" : "one launch")
               : batch_modular_print(ctx, buf, cap, &size);
}

const call_plan plan_powm_batch = {.host = modular_host,
                                   .device = powm_batch_device,
                                   .line = modular_line,
                                   .needs = NEEDS_BATCH | NEEDS_DIVISOR | NEEDS_EXPONENT};
const call_plan plan_mulmod_batch = {.host = modular_host,
                                     .device = division_device,
                                     .line = modular_line,
                                     .needs = NEEDS_BATCH | NEEDS_DIVISOR | NEEDS_LIMBS};
const call_plan plan_division_batch = {.host = modular_host,
                                       .device = division_device,
                                       .line = modular_line,
                                       .needs = NEEDS_BATCH | NEEDS_DIVISOR};
