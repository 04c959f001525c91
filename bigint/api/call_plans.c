// call_plans.c: see call_plans.h. A line a call: which room plans it on the host and on a device.
#include "bigint/api/call_plans.h"

#include <stdio.h>

#include "bigint/batch/products.h"
#include "bigint/core/names.h"
#include "bigint/device/batch/batch.h"
#include "bigint/device/batch/sums.h"
#include "bigint/device/decimal.h"
#include "bigint/device/divide/divisor.h"
#include "bigint/device/divide/mod.h"
#include "bigint/device/divide/quotient.h"
#include "bigint/device/divide/root.h"
#include "bigint/device/power/power.h"
#include "bigint/device/powm.h"
#include "bigint/device/roots/root.h"
#include "bigint/device/text/decimal.h"
#include "bigint/divide/kept.h"
#include "bigint/divide/plan.h"
#include "bigint/divide/root_plan.h"
#include "bigint/gcd/plan.h"
#include "bigint/modular/plan.h"
#include "bigint/multiply/mod.h"
#include "bigint/text/mul_decimal.h"
#include "bigint/text/plan.h"
#include "bigint/text/text.h"
#include "carry/add.h"
#include "primitives/words/word.h"

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

// --- Text ----------------------------------------------------------------------------------------

static void set_text_host(work_need *n, const bigint_call *c) {
    const text_radix radix = text_radix_of((int)c->k);
    text_read_need(n, &radix, c->an);
}
static void get_text_host(work_need *n, const bigint_call *c) {
    const text_radix radix = text_radix_of((int)c->k);
    text_write_need(n, &radix, c->an);
}

static void set_text_device(work_need *n, const bigint_call *c) {
    device_decimal_read_need(n, c->an);
}
static void get_text_device(work_need *n, const bigint_call *c) {
    device_decimal_write_need(n, c->an);
}

// digits_of: of a text that is read or written, or one more.
static uint64_t digits_of(const bigint_call *c) {
    return c->kind == BIGINT_CALL_SET_TEXT ? c->an
           : c->an == 0                    ? 1
                                           : text_digits_bound(&text_decimal, 64 * c->an);
}

static int set_text_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    if (context_on_device(ctx)) {
        return device_decimal_print(ctx, buf, cap, digits_of(c));
    }
    const text_radix radix = text_radix_of((int)c->k);
    return text_read_print(ctx, buf, cap, &radix, c->an);
}
static int get_text_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    if (context_on_device(ctx)) {
        return device_decimal_print(ctx, buf, cap, digits_of(c));
    }
    const text_radix radix = text_radix_of((int)c->k);
    return text_write_print(ctx, buf, cap, &radix, c->an);
}

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

// --- Greatest common divisors --------------------------------------------------------------------

static void gcd_host(work_need *n, const bigint_call *c) { gcd_need(n, c->an, c->bn); }
static void lcm_host(work_need *n, const bigint_call *c) { lcm_need(n, c->an, c->bn); }
static void gcdext_host(work_need *n, const bigint_call *c) { gcdext_need(n, c->an, c->bn); }
static void invert_host(work_need *n, const bigint_call *c) { invert_need(n, c->an, c->bn); }

static int gcd_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    return gcd_print(ctx, buf, cap, c->an, c->bn);
}

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

// --- Decimal products ----------------------------------------------------------------------------

static void decimal_host(work_need *n, const bigint_call *c) { decimal_host_need(n, c->an, c->bn); }
static void decimal_device(work_need *n, const bigint_call *c) {
    decimal_device_need(n, c->an, c->bn);
}

static int decimal_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    return context_on_device(ctx) ? decimal_device_print(ctx, buf, cap, c->an, c->bn)
                                  : decimal_host_print(ctx, buf, cap, c->an, c->bn);
}

// --- The kinds -----------------------------------------------------------------------------------

const call_plan call_plans[BIGINT_CALL_KINDS] = {
    [BIGINT_CALL_MUL_MINUS1] = {ring_host, ring_device, ring_line, RING, 2},
    [BIGINT_CALL_MUL_PLUS1] = {ring_host, ring_device, ring_line, RING, 2},
    [BIGINT_CALL_DIVREM] = {divrem_host, divrem_device, divrem_line, DIVISOR, 2},
    [BIGINT_CALL_FDIV] = {fdiv_host, fdiv_device, divrem_line, DIVISOR, 2},
    [BIGINT_CALL_DIVEXACT] = {divexact_host, divrem_device, divrem_line, DIVISOR, 2},
    [BIGINT_CALL_DIV_PREP_CREATE] = {div_prep_host, div_prep_device, kept_line, DIVISOR, 2},
    [BIGINT_CALL_DIVREM_PREP] = {divrem_prep_host, divrem_prep_device, kept_line, DIVISOR, 1},
    [BIGINT_CALL_SQRT] = {root_host, root_device, root_line, ANY, 1},
    [BIGINT_CALL_ROOT] = {root_host, root_device, root_line, ANY, 1},
    [BIGINT_CALL_RSQRT_FIXED] = {rsqrt_host, rsqrt_device, rsqrt_line, ANY, 1},
    [BIGINT_CALL_POWM] = {powm_host, powm_device, powm_line, DIVISOR, 2},
    [BIGINT_CALL_GCD] = {gcd_host, NULL, gcd_line, ANY, 2},
    [BIGINT_CALL_LCM] = {lcm_host, NULL, gcd_line, ANY, 2},
    [BIGINT_CALL_GCDEXT] = {gcdext_host, NULL, gcd_line, ANY, 2},
    [BIGINT_CALL_INVERT] = {invert_host, NULL, gcd_line, DIVISOR, 2},
    [BIGINT_CALL_MUL_BATCH] = {mul_batch_host, mul_batch_device, batch_line, BATCH, 2},
    [BIGINT_CALL_MUL_SUM_BATCH] = {mul_sum_batch_host, mul_sum_batch_device, batch_line, BATCH, 2},
    [BIGINT_CALL_MUL_DECIMAL] = {decimal_host, decimal_device, decimal_line, ANY, 0},
    [BIGINT_CALL_SET_TEXT] = {set_text_host, set_text_device, set_text_line, BASE, 0},
    [BIGINT_CALL_GET_TEXT] = {get_text_host, get_text_device, get_text_line, BASE, 1},
};

bool call_on_device(const bigint_ctx *ctx, const bigint_call *c) {
    return context_on_device(ctx) && call_plans[c->kind].device != NULL &&
           (call_plans[c->kind].needs != BASE ||
            (c->k == text_decimal.base && device_decimal_takes(ctx, digits_of(c))));
}
