// modular.c: the plans of powers, tests of primality and greatest common divisors.
#include "bigint/plan/call_plans.h"

#include <stdio.h>

#include "bigint/batch/prime.h"
#include "bigint/core/names.h"
#include "bigint/device/power/power.h"
#include "bigint/device/powm.h"
#include "bigint/device/prime.h"
#include "bigint/gcd/plan.h"
#include "bigint/modular/plan.h"
#include "bigint/number/plan.h"
#include "primitives/words/word.h"

// --- Powers --------------------------------------------------------------------------------------

static void powm_host(work_need *n, const bigint_call *c) {
    need_take_limbs(&n->host, c->bn);
    powm_need(n, c->an, c->k, c->bn);
}

static void powm_device(work_need *n, const bigint_call *c) {
    const uint64_t bits = 64 * c->bn;
    if (device_powm_pays(n->ctx, bits, c->k)) {
        device_powm_need(n, bits, c->k, false);
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

const call_plan plan_powm = {.host = powm_host,
                             .device = powm_device,
                             .line = powm_line,
                             .needs = NEEDS_DIVISOR | NEEDS_EXPONENT,
                             .operands = 2};

// --- Powers with a secret exponent ---------------------------------------------------------------

static uint64_t exponent_limbs(const bigint_call *c) { return word_ceil_div(c->k, 64); }

static bool sec_takes(const bigint_ctx *ctx, const bigint_call *c) {
    (void)ctx;
    return device_powm_serves(64 * c->bn, 64 * exponent_limbs(c)) && c->k > 0;
}

static void sec_host(work_need *n, const bigint_call *c) {
    need_take_limbs(&n->host, c->bn);
    powm_sec_need(n, c->an, exponent_limbs(c), c->bn);
}

static void sec_device(work_need *n, const bigint_call *c) {
    need_take_limbs(&n->host, 1);  // the lowest limb of the modulus
    device_powm_need(n, 64 * c->bn, 64 * exponent_limbs(c), true);
}

static int sec_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    return context_on_device(ctx) ? powm_line(ctx, c, buf, cap)
                                  : powm_sec_print(ctx, buf, cap, exponent_limbs(c), c->bn);
}

const call_plan plan_powm_sec = {.host = sec_host,
                                 .device = sec_device,
                                 .takes = sec_takes,
                                 .line = sec_line,
                                 .needs = NEEDS_DIVISOR | NEEDS_EXPONENT,
                                 .operands = 2};

// --- Primes --------------------------------------------------------------------------------------

static void prime_host(work_need *n, const bigint_call *c) {
    batch_prime_need(n, 1, c->an);
    batch_prime_there_need(n, context_on_device(n->ctx) ? 1 : 0);
}
static void primes_host(work_need *n, const bigint_call *c) {
    batch_prime_need(n, c->count, c->an);
}
static void primes_device(work_need *n, const bigint_call *c) {
    device_prime_need(n, c->count, c->an);
}
static void next_prime_host(work_need *n, const bigint_call *c) { next_prime_need(n, c->an); }

static int prime_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    return batch_prime_print(ctx, buf, cap,
                             c->kind == BIGINT_CALL_PROBABLE_PRIME_BATCH ? c->count : 1, c->an);
}

const call_plan plan_probable_prime = {.host = prime_host, .line = prime_line, .operands = 1};
const call_plan plan_next_prime = {.host = next_prime_host, .line = prime_line, .operands = 1};
const call_plan plan_probable_prime_batch = {
    .host = primes_host, .device = primes_device, .line = prime_line, .needs = NEEDS_BATCH};

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
    .host = invert_host, .line = gcd_line, .needs = NEEDS_DIVISOR, .operands = 2};
