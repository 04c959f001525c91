// special_products.c: the plans of products modulo 2^bits -+ 1.
#include "bigint/plan/call_plans.h"

#include "bigint/device/divide/mod.h"
#include "bigint/multiply/mod.h"

// --- Products modulo 2^bits -+ 1 -----------------------------------------------------------------

static mul_ring ring_of(const bigint_call *c) {
    return (mul_ring){c->k, c->kind == BIGINT_CALL_MUL_PLUS1};
}

static void ring_host(work_need *n, const bigint_call *c) {
    mul_mod_need(n, c->an, c->bn, ring_of(c));
}
static void ring_device(work_need *n, const bigint_call *c) {
    device_mul_mod_need(n, c->an, c->bn, ring_of(c));
}

static int ring_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    return context_on_device(ctx) ? device_mul_mod_print(ctx, buf, cap, c->an, c->bn, ring_of(c))
                                  : mul_mod_print(ctx, buf, cap, c->an, c->bn, ring_of(c));
}

const call_plan plan_mul_minus1 = {
    .host = ring_host, .device = ring_device, .line = ring_line, .needs = RING, .operands = 2};
const call_plan plan_mul_plus1 = {
    .host = ring_host, .device = ring_device, .line = ring_line, .needs = RING, .operands = 2};
