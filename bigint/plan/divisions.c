// divisions.c: the plans of quotients and roots.
#include "bigint/plan/call_plans.h"

#include "bigint/device/divide/divisor.h"
#include "bigint/device/divide/quotient.h"
#include "bigint/device/divide/root.h"
#include "bigint/device/roots/root.h"
#include "bigint/divide/kept.h"
#include "bigint/divide/plan.h"
#include "bigint/divide/root_plan.h"
#include "carry/add.h"

// --- Division ------------------------------------------------------------------------------------

static void divrem_host(work_need *n, const bigint_call *c) { divrem_need(n, c->an, c->bn); }
static void divrem_device(work_need *n, const bigint_call *c) {
    device_divrem_need(n, c->an, c->bn);
}

static int divrem_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    return context_on_device(ctx) ? device_divrem_print(ctx, buf, cap, c->an, c->bn)
                                  : division_print(ctx, buf, cap, c->an, c->bn);
}

// With copies of the divisor and of the remainder.
static void fdiv_host(work_need *n, const bigint_call *c) {
    need_take_limbs(&n->host, c->bn);
    need_take_limbs(&n->host, c->bn);
    divrem_need(n, c->an, c->bn);
}

static void fdiv_device(work_need *n, const bigint_call *c) {
    divrem_device(n, c);
    need_words(n, carry_add_workspace_bytes((c->an > c->bn ? c->an : c->bn) + 1));
}

static void divexact_host(work_need *n, const bigint_call *c) { divexact_need(n, c->an, c->bn); }

// The difference of two numbers of up to an limbs, and its division.
static void congruent_host(work_need *n, const bigint_call *c) {
    need_take_limbs(&n->host, c->an + 1);
    divexact_need(n, c->an + 1, c->bn);
}

static void congruent_device(work_need *n, const bigint_call *c) {
    device_divrem_need(n, c->an + 1, c->bn);
    need_words(n, carry_add_workspace_bytes(c->an + 1));
}

static uint64_t kept_quotient(const bigint_call *c) { return c->k == 0 ? c->bn : c->k; }

static void div_prep_host(work_need *n, const bigint_call *c) {
    kept_divisor_need(n, c->bn, kept_quotient(c));
}

static void divrem_prep_host(work_need *n, const bigint_call *c) {
    if (c->an >= c->bn) {
        need_take_limbs(&n->host, c->an - c->bn + 1);
        kept_divide_need(n, c->an, c->bn, kept_quotient(c));
    }
}

static int kept_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    return context_on_device(ctx) ? device_divisor_print(ctx, buf, cap, c->bn, kept_quotient(c))
                                  : kept_print(ctx, buf, cap, c->an, c->bn, kept_quotient(c));
}

static device_divisor kept_there(const bigint_ctx *ctx, const bigint_call *c) {
    return device_divisor_plan(ctx, 64 * c->bn, kept_quotient(c), true);
}

static void div_prep_device(work_need *n, const bigint_call *c) {
    const device_divisor d = kept_there(n->ctx, c);
    device_divisor_need(n, &d);
}

static void divrem_prep_device(work_need *n, const bigint_call *c) {
    const device_divisor d = kept_there(n->ctx, c);
    if (d.m == 0) {
        divrem_device(n, c);  // of a long dividend
    } else {
        device_divide_need(n, &d, c->an);
    }
}

const call_plan plan_divrem = {.host = divrem_host,
                               .device = divrem_device,
                               .line = divrem_line,
                               .needs = NEEDS_DIVISOR,
                               .operands = 2};
const call_plan plan_fdiv = {.host = fdiv_host,
                             .device = fdiv_device,
                             .line = divrem_line,
                             .needs = NEEDS_DIVISOR,
                             .operands = 2};
const call_plan plan_divexact = {.host = divexact_host,
                                 .device = divrem_device,
                                 .line = divrem_line,
                                 .needs = NEEDS_DIVISOR,
                                 .operands = 2};
const call_plan plan_congruent = {.host = congruent_host,
                                  .device = congruent_device,
                                  .line = divrem_line,
                                  .needs = NEEDS_DIVISOR,
                                  .operands = 2};
const call_plan plan_div_prep_create = {.host = div_prep_host,
                                        .device = div_prep_device,
                                        .line = kept_line,
                                        .needs = NEEDS_DIVISOR,
                                        .operands = 2};
const call_plan plan_divrem_prep = {.host = divrem_prep_host,
                                    .device = divrem_prep_device,
                                    .line = kept_line,
                                    .needs = NEEDS_DIVISOR,
                                    .operands = 1};

// --- Roots ---------------------------------------------------------------------------------------

static uint64_t degree(const bigint_call *c) { return c->kind == BIGINT_CALL_SQRT ? 2 : c->k; }

static void root_host(work_need *n, const bigint_call *c) { root_need(n, c->an, degree(c)); }
static void root_device(work_need *n, const bigint_call *c) {
    device_root_need(n, c->an, degree(c));
}

static int root_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    return context_on_device(ctx) ? device_root_print(ctx, buf, cap, c->an, degree(c))
                                  : root_print(ctx, buf, cap, c->an, degree(c));
}

static void rsqrt_host(work_need *n, const bigint_call *c) { rsqrt_need(n, c->an, c->k); }
static void rsqrt_device(work_need *n, const bigint_call *c) { device_rsqrt_need(n, c->an, c->k); }

static int rsqrt_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    return rsqrt_print(ctx, buf, cap, c->an, c->k);
}

const call_plan plan_root = {
    .host = root_host, .device = root_device, .line = root_line, .operands = 1};
const call_plan plan_rsqrt_fixed = {
    .host = rsqrt_host, .device = rsqrt_device, .line = rsqrt_line, .operands = 1};
