// modular.c: the plans of powers and greatest common divisors.
#include "bigint/plan/call_plans.h"

#include <stdio.h>

#include "bigint/core/names.h"
#include "bigint/device/power/power.h"
#include "bigint/device/powm.h"
#include "bigint/gcd/plan.h"
#include "bigint/modular/plan.h"
#include "primitives/words/word.h"

// --- Powers --------------------------------------------------------------------------------------

static void powm_host(work_need *n, const bigint_call *c) {
    need_take_limbs(&n->host, c->bn);
    powm_need(n, c->an, c->k, c->bn);
}

static void powm_device(work_need *n, const bigint_call *c) {
    const uint64_t bits = 64 * c->bn;
    if (device_powm_pays(n->ctx, bits, c->k)) {
        device_powm_need(n, bits, c->k);
    } else if (c->k > 0) {  // the exponent on the host
        need_take_limbs(&n->host, word_ceil_div(c->k, 64));
        device_power_need(n, c->an, c->k, c->bn);
    }
}

static int powm_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    if (context_on_device(ctx) && device_powm_pays(ctx, 64 * c->bn, c->k)) {
        return snprintf(buf, cap,
                        "%s power, exponent of %llu bits, modulus of %llu limbs, one launch",
                        names_backend(ctx->device.backend), (unsigned long long)c->k,
                        (unsigned long long)c->bn);
    }
    return context_on_device(ctx) ? device_power_print(ctx, buf, cap, c->k, c->bn)
                                  : powm_print(ctx, buf, cap, c->an, c->k, c->bn);
}

const call_plan plan_powm = {
    .host = powm_host, .device = powm_device, .line = powm_line, .needs = DIVISOR, .operands = 2};

// --- Greatest common divisors --------------------------------------------------------------------

static void gcd_host(work_need *n, const bigint_call *c) { gcd_need(n, c->an, c->bn); }
static void lcm_host(work_need *n, const bigint_call *c) { lcm_need(n, c->an, c->bn); }
static void gcdext_host(work_need *n, const bigint_call *c) { gcdext_need(n, c->an, c->bn); }
static void invert_host(work_need *n, const bigint_call *c) { invert_need(n, c->an, c->bn); }

static int gcd_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    return gcd_print(ctx, buf, cap, c->an, c->bn);
}

const call_plan plan_gcd = {.host = gcd_host, .line = gcd_line, .operands = 2};
const call_plan plan_lcm = {.host = lcm_host, .line = gcd_line, .operands = 2};
const call_plan plan_gcdext = {.host = gcdext_host, .line = gcd_line, .operands = 2};
const call_plan plan_invert = {
    .host = invert_host, .line = gcd_line, .needs = DIVISOR, .operands = 2};
