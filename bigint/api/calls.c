// calls.c: bigint_call_explain and bigint_call_workspace_bytes: the plans of all calls, on each
// place. Where the host computes a call, its operands are copied to host memory first.
#include <stdio.h>

#include "bigint/api/explain.h"
#include "bigint/core/host_call.h"
#include "bigint/core/limbs.h"
#include "bigint/core/need.h"
#include "bigint/device/divide/divisor.h"
#include "bigint/device/divide/mod.h"
#include "bigint/device/divide/quotient.h"
#include "bigint/device/divide/root.h"
#include "bigint/device/roots/root.h"
#include "bigint/device/text/decimal.h"
#include "bigint/divide/kept.h"
#include "bigint/divide/plan.h"
#include "bigint/divide/root_plan.h"
#include "bigint/gcd/plan.h"
#include "bigint/multiply/mod.h"
#include "bigint/text/plan.h"
#include "bigint/text/text.h"
#include "carry/add.h"

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

// --- Greatest common divisors --------------------------------------------------------------------

static void gcd_host(work_need *n, const bigint_call *c) { gcd_need(n, c->an, c->bn); }
static void lcm_host(work_need *n, const bigint_call *c) { lcm_need(n, c->an, c->bn); }
static void gcdext_host(work_need *n, const bigint_call *c) { gcdext_need(n, c->an, c->bn); }
static void invert_host(work_need *n, const bigint_call *c) { invert_need(n, c->an, c->bn); }

static int gcd_line(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap) {
    return gcd_print(ctx, buf, cap, c->an, c->bn);
}

// --- The kinds -----------------------------------------------------------------------------------

// call_plan: what a call needs on the host and on a device, NULL where the host computes it, and
// its line, on either. operands: of an and bn limbs, which are copied from a group.
typedef struct {
    void (*host)(work_need *n, const bigint_call *c);
    void (*device)(work_need *n, const bigint_call *c);
    int (*line)(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap);
    enum { ANY, DIVISOR, RING, BASE } needs;  // nothing; bn > 0; k > 0; k a base of text
    unsigned operands;
} call_plan;

static const call_plan plans[BIGINT_CALL_KINDS] = {
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
    [BIGINT_CALL_GCD] = {gcd_host, NULL, gcd_line, ANY, 2},
    [BIGINT_CALL_LCM] = {lcm_host, NULL, gcd_line, ANY, 2},
    [BIGINT_CALL_GCDEXT] = {gcdext_host, NULL, gcd_line, ANY, 2},
    [BIGINT_CALL_INVERT] = {invert_host, NULL, gcd_line, DIVISOR, 2},
    [BIGINT_CALL_SET_TEXT] = {set_text_host, set_text_device, set_text_line, BASE, 0},
    [BIGINT_CALL_GET_TEXT] = {get_text_host, get_text_device, get_text_line, BASE, 1},
};

// check: EINVAL for what no call takes, ERANGE for lengths that no integer has.
static bigint_status check(bigint_ctx *ctx, const char *who, const bigint_call *c) {
    bigint_status status = bigint_check_places(ctx, who, NULL, NULL, NULL);
    if (status == BIGINT_OK && (unsigned)c->kind >= BIGINT_CALL_KINDS) {
        return bigint_fail(ctx, BIGINT_EINVAL, "%s: kind %d of a call; the last one is %d", who,
                           (int)c->kind, BIGINT_CALL_KINDS - 1);
    }
    if (status == BIGINT_OK && plans[c->kind].needs == DIVISOR && c->bn == 0) {
        return bigint_fail(ctx, BIGINT_EINVAL, "%s: a divisor of 0 limbs", who);
    }
    if (status == BIGINT_OK && plans[c->kind].needs == RING) {
        status = c->k > 0 ? bigint_check_size(ctx, who, c->k / 64 + 1)
                          : bigint_fail(ctx, BIGINT_EINVAL, "%s: a modulus of 0 bits", who);
    }
    if (status == BIGINT_OK && plans[c->kind].needs == BASE) {
        status = text_check_base(ctx, who, c->k > TEXT_BASE_MOST ? 0 : (int)c->k, 0);
    }
    if (status == BIGINT_OK) {
        status = bigint_check_size(ctx, who, c->an);
    }
    return status == BIGINT_OK ? bigint_check_size(ctx, who, c->bn) : status;
}

// on_device: whether the device of the context computes the call.
static bool on_device(const bigint_ctx *ctx, const bigint_call *c) {
    return context_on_device(ctx) && plans[c->kind].device != NULL &&
           (plans[c->kind].needs != BASE ||
            (c->k == text_decimal.base && device_decimal_takes(ctx, digits_of(c))));
}

static bool is_product(const bigint_call *c) {
    return c->kind == BIGINT_CALL_MUL || c->kind == BIGINT_CALL_SQR;
}

// by_host: of a call whose operands are copied to host memory, as host_call_begin does.
static bigint_status by_host(work_need *n, const bigint_call *c) {
    const call_plan *const plan = &plans[c->kind];
    host_call there;
    host_call_begin(&there, n->ctx, n->who, (host_operands){0});
    if (plan->operands > 0) {
        need_take_limbs(&n->host, c->an);
    }
    if (plan->operands > 1) {
        need_take_limbs(&n->host, c->bn);
    }
    plan->host(n, c);
    return host_call_end(&there, n->status);
}

bigint_status bigint_call_workspace_bytes(bigint_ctx *ctx, uint64_t *bytes,
                                          const bigint_call *call) {
    const char *who = "bigint_call_workspace_bytes";
    bigint_status status = check(ctx, who, call);
    if (status != BIGINT_OK) {
        return status;
    }
    const bool square = call->kind == BIGINT_CALL_SQR;
    if (is_product(call)) {
        return explain_product_bytes(ctx, who, bytes, call->an, square ? call->an : call->bn,
                                     square);
    }
    const call_plan *const plan = &plans[call->kind];
    work_need n = context_on_device(ctx) ? device_need_begin(ctx, who) : need_begin(ctx, who);
    if (ctx->away == NULL) {
        plan->host(&n, call);
    } else if (on_device(ctx, call)) {
        plan->device(&n, call);
    } else {
        status = by_host(&n, call);
    }
    return status == BIGINT_OK ? need_bytes(&n, bytes) : status;
}

static int print(bigint_ctx *ctx, const void *call, char *buf, size_t cap) {
    const bigint_call *const c = call;
    return plans[c->kind].line(ctx, c, buf, cap);
}

// print_by_host: the same, where the host computes for another place.
static int print_by_host(bigint_ctx *ctx, const void *call, char *buf, size_t cap) {
    const int before = snprintf(buf, cap, "by the host: ");
    const backend_kind backend = ctx->device.backend;
    const size_t at = cap < (size_t)before ? cap : (size_t)before;
    host_call there;
    host_call_begin(&there, ctx, "bigint_call_explain", (host_operands){0});
    ctx->device.backend = backend == BACKEND_REF ? BACKEND_REF : BACKEND_CPU;
    const int length = print(ctx, call, cap == 0 ? NULL : buf + at, cap - at);
    ctx->device.backend = backend;
    return host_call_end(&there, BIGINT_OK) == BIGINT_OK ? before + length : before;
}

bigint_status bigint_call_explain(bigint_ctx *ctx, char *buf, size_t cap, size_t *need,
                                  const bigint_call *call) {
    const char *who = "bigint_call_explain";
    const bigint_status status = check(ctx, who, call);
    if (status != BIGINT_OK) {
        return status;
    }
    const bool square = call->kind == BIGINT_CALL_SQR;
    if (is_product(call)) {
        return explain_product(ctx, who, buf, cap, need, call->an, square ? call->an : call->bn,
                               square);
    }
    const bool here = ctx->away == NULL || on_device(ctx, call);
    return explain_line(ctx, who, buf, cap, need, here ? print : print_by_host, call);
}
