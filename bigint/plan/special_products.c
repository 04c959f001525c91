// special_products.c: the plans of sums with products, of prepared operands, and of products
// modulo 2^bits -+ 1.
#include "bigint/plan/call_plans.h"

#include "bigint/device/divide/mod.h"
#include "bigint/device/plan.h"
#include "bigint/device/prep.h"
#include "bigint/device/sum.h"
#include "bigint/multiply/mod.h"
#include "bigint/multiply/mul.h"
#include "bigint/multiply/operand.h"
#include "bigint/multiply/product.h"
#include "bigint/multiply/sum.h"
#include "bigint/word/product.h"
#include "carry/add.h"

// --- Products modulo 2^bits -+ 1 -----------------------------------------------------------------

static void ring_host(work_need *n, const bigint_call *c) {
    mul_mod_need(n, c->an, c->bn, call_ring(c));
}
static void ring_device(work_need *n, const bigint_call *c) {
    device_mul_mod_need(n, c->an, c->bn, call_ring(c));
}

static int ring_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    return context_on_device(ctx) ? device_mul_mod_print(ctx, buf, cap, c->an, c->bn, call_ring(c))
                                  : mul_mod_print(ctx, buf, cap, c->an, c->bn, call_ring(c));
}

const call_plan plan_ring = {.host = ring_host,
                             .device = ring_device,
                             .line = ring_line,
                             .needs = NEEDS_BITS,
                             .operands = 2};

// --- Sums ----------------------------------------------------------------------------------------

static void sum_host(work_need *n, const bigint_call *c) {
    mul_sum_need(n, c->count, c->an, c->bn);
}
static void sum_device(work_need *n, const bigint_call *c) {
    device_mul_sum_need(n, c->an, c->bn, c->count);
}

static int sum_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    return context_on_device(ctx) ? device_mul_sum_print(ctx, buf, cap, c->an, c->bn, c->count)
                                  : mul_sum_print(ctx, buf, cap, c->count, c->an, c->bn);
}

static void addmul_host(work_need *n, const bigint_call *c) { addmul_need(n, c->an, c->bn); }

static void addmul_device(work_need *n, const bigint_call *c) {
    const uint64_t both = c->an + c->bn;
    if (c->an > 0 && c->bn > 0) {
        device_mul_need(n, c->an, c->bn, false);
        device_mul_need(n, c->an, c->bn, c->an == c->bn);
        need_words(n, carry_add_workspace_bytes((both > c->k ? both : c->k) + 1));
    }
}

// addmul_line: that of the product.
static int addmul_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    const bigint_call one = {BIGINT_CALL_MUL_SUM, c->an, c->bn, 0, 1};
    return sum_line(ctx, &one, buf, cap);
}

const call_plan plan_mul_sum = {.host = sum_host,
                                .device = sum_device,
                                .line = sum_line,
                                .needs = NEEDS_BATCH,
                                .members = true};
const call_plan plan_addmul = {.host = addmul_host,
                               .device = addmul_device,
                               .line = addmul_line,
                               .needs = NEEDS_LIMBS,
                               .members = true};

// --- Prepared operands ---------------------------------------------------------------------------

static void prep_host(work_need *n, const bigint_call *c) { mul_operand_init_need(n, c->an, c->k); }
static void prep_device(work_need *n, const bigint_call *c) { device_prep_need(n, c->an, c->k); }

static void mul_prep_host(work_need *n, const bigint_call *c) {
    mul_prepared_need(n, c->bn, c->an, c->k);
}
static void mul_prep_device(work_need *n, const bigint_call *c) {
    device_mul_prep_need(n, c->bn, c->an, c->k);
}

// prep_line: of the product by the longest operand, where no other one is given.
static int prep_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    const uint64_t other = c->kind == BIGINT_CALL_PREP_CREATE ? c->k : c->bn;
    return context_on_device(ctx) ? device_prep_print(ctx, buf, cap, other, c->an, c->k)
                                  : mul_operand_print(ctx, buf, cap, other, c->an, c->k);
}

const call_plan plan_prep_create = {.host = prep_host,
                                    .device = prep_device,
                                    .line = prep_line,
                                    .needs = NEEDS_LIMBS,
                                    .members = true};
const call_plan plan_mul_prep = {.host = mul_prep_host,
                                 .device = mul_prep_device,
                                 .line = prep_line,
                                 .needs = NEEDS_PREPARED | NEEDS_LIMBS,
                                 .members = true};
