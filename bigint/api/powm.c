// powm.c: bigint_powm: signs, zeros and places. On a device a kernel computes powers modulo numbers
// up to its limit, products compute the others. Other places copy operands to the host and the
// result back.
#include "bigint/device/powm.h"
#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "bigint/core/integer.h"
#include "bigint/device/power/power.h"
#include "bigint/modular/powm_natural.h"

static const char who[] = "bigint_powm";

// operand: the sign and length of an argument, on either kind of place.
typedef struct {
    const bigint *x;
    uint64_t bits;
    int sign;
} operand;

static uint64_t limbs_of(const operand *a) { return word_ceil_div(a->bits, 64); }

// measure: on a device this waits for the stream.
static bigint_status measure(bigint_ctx *ctx, operand *a) {
    return bigint_measure(ctx, who, &a->bits, &a->sign, a->x);
}

// view: the magnitude of a number that is not 0, in host memory.
static natural view(bigint_ctx *ctx, const operand *a, bigint_status *status) {
    const uint64_t n = limbs_of(a);
    return (natural){bigint_view(ctx, who, a->x, n, status), n};
}

// power_of: {xp, m.n} = base^exponent mod |m|, none of the three 0.
static bigint_status power_of(bigint_ctx *ctx, uint64_t *xp, const operand *base,
                              const operand *exponent, const operand *modulus) {
    bigint_status status;
    const natural m = view(ctx, modulus, &status);
    const natural a = status == BIGINT_OK ? view(ctx, base, &status) : m;
    const natural e = status == BIGINT_OK ? view(ctx, exponent, &status) : m;
    if (status == BIGINT_OK) {
        status = powm_natural(ctx, xp, a, e, m);
    }
    if (status == BIGINT_OK && base->sign < 0 && (e.p[0] & 1) != 0 &&
        limbs_normalize(xp, m.n) != 0) {
        limbs_sub_n(xp, m.p, xp, m.n);
    }
    return status;
}

// on_device: by the kernel, or by products with the exponent's limbs on the host.
static bigint_status on_device(bigint_ctx *ctx, bigint *r, const operand *base,
                               const operand *exponent, const operand *modulus) {
    if (device_powm_pays(ctx, modulus->bits, exponent->bits)) {
        const device_exponent e = {.p = exponent->x->d_, .bits = exponent->bits};
        return device_powm(ctx, who, r, base->x, e, modulus->x, modulus->bits);
    }
    bigint_status status;
    const natural e = view(ctx, exponent, &status);
    const device_power_base a = {base->x, base->bits, base->sign < 0};
    return status == BIGINT_OK ? device_power(ctx, who, r, a, e, modulus->x, modulus->bits)
                               : status;
}

// by_host: with copies of operands that live elsewhere.
static bigint_status by_host(bigint_ctx *ctx, bigint *r, const operand *base,
                             const operand *exponent, const operand *modulus) {
    const uint64_t n = limbs_of(modulus);
    uint64_t *const x = arena_take_limbs(ctx, who, n);
    bigint_status status = x == NULL ? BIGINT_ENOMEM : BIGINT_OK;
    if (status == BIGINT_OK) {
        status = power_of(ctx, x, base, exponent, modulus);
    }
    return status == BIGINT_OK ? bigint_store(ctx, who, r, x, n, 1) : status;
}

// powm: bigint_powm for |modulus| > 1, base and exponent not 0. The result is computed beside r,
// which may be any operand.
static bigint_status powm(bigint_ctx *ctx, bigint *r, const operand *base, const operand *exponent,
                          const operand *modulus) {
    const arena_mark mark = arena_get_mark(ctx);
    const bigint_status status =
        (context_on_device(ctx) ? on_device : by_host)(ctx, r, base, exponent, modulus);
    arena_release(ctx, mark);
    return status;
}

bigint_status bigint_powm(bigint_ctx *ctx, bigint *r, const bigint *base, const bigint *exponent,
                          const bigint *modulus) {
    operand b = {.x = base}, e = {.x = exponent}, m = {.x = modulus};
    bigint_status status = bigint_check_places(ctx, who, base, exponent, modulus);
    if (status == BIGINT_OK) {
        status = bigint_check_places(ctx, who, r, NULL, NULL);
    }
    operand *const operands[] = {&b, &e, &m};
    for (int k = 0; k < 3 && status == BIGINT_OK; k++) {
        status = measure(ctx, operands[k]);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    if (m.bits == 0) {
        return bigint_fail(ctx, BIGINT_EINVAL, "bigint_powm: the modulus is 0");
    }
    if (e.sign < 0) {
        return bigint_fail(ctx, BIGINT_EINVAL,
                           "bigint_powm: the exponent is negative; invert the base first");
    }
    if (m.bits == 1) {
        return bigint_set_u64(ctx, r, 0);
    }
    if (e.bits == 0 || b.bits == 0) {
        return bigint_set_u64(ctx, r, e.bits == 0);
    }
    return powm(ctx, r, &b, &e, &m);
}
