// powm_sec.c: bigint_powm_sec: checks and places.
#include "bigint/modular/powm_sec.h"
#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "bigint/core/integer.h"
#include "bigint/core/limbs.h"
#include "bigint/device/powm.h"

static const char who[] = "bigint_powm_sec";

// sec_on_host: for |modulus| > 1 of mn limbs; base of bn.
static bigint_status sec_on_host(bigint_ctx *ctx, bigint *r, const bigint *base, uint64_t bn,
                                 bool negative, const bigint_limb *exponent,
                                 uint64_t exponent_limbs, const bigint *modulus, uint64_t mn) {
    bigint_status status = BIGINT_OK;
    const uint64_t *const bp = bn == 0 ? NULL : bigint_view(ctx, who, base, bn, &status);
    const uint64_t *const mp =
        status == BIGINT_OK ? bigint_view(ctx, who, modulus, mn, &status) : NULL;
    uint64_t *const x = status == BIGINT_OK ? arena_take_limbs(ctx, who, mn) : NULL;
    if (x == NULL) {
        return status == BIGINT_OK ? BIGINT_ENOMEM : status;
    }
    status = powm_sec_limbs(ctx, x, bp, bn, negative, exponent, exponent_limbs, mp, mn);
    return status == BIGINT_OK ? bigint_store(ctx, who, r, x, mn, 1) : status;
}

bigint_status bigint_powm_sec(bigint_ctx *ctx, bigint *r, const bigint *base,
                              const bigint_limb *exponent, uint64_t exponent_limbs,
                              const bigint *modulus) {
    bigint_status status = bigint_check_places(ctx, who, r, base, modulus);
    uint64_t base_bits = 0, bits = 0;
    int base_sign = 0, sign;
    if (status == BIGINT_OK) {
        status = bigint_check_size(ctx, who, exponent_limbs);
    }
    if (status == BIGINT_OK) {
        status = bigint_measure(ctx, who, &base_bits, &base_sign, base);
    }
    if (status == BIGINT_OK) {
        status = bigint_measure(ctx, who, &bits, &sign, modulus);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    const arena_mark mark = arena_get_mark(ctx);
    const uint64_t *const lowest = bits == 0 ? NULL : bigint_view(ctx, who, modulus, 1, &status);
    const bool odd = lowest != NULL && (*lowest & 1) != 0;
    if (status == BIGINT_OK && !odd) {
        status = bigint_fail(ctx, BIGINT_EINVAL, "%s: the modulus is even; take an odd one", who);
    } else if (status == BIGINT_OK && bits == 1) {
        status = bigint_set_u64(ctx, r, 0);
    } else if (status == BIGINT_OK && context_on_device(ctx) &&
               device_powm_serves(bits, 64 * exponent_limbs) && exponent_limbs > 0) {
        const device_exponent e = {.bits = 64 * exponent_limbs, .secret = exponent};
        status = device_powm(ctx, who, r, base, e, modulus, bits);
    } else if (status == BIGINT_OK) {
        status = sec_on_host(ctx, r, base, word_ceil_div(base_bits, 64), base_sign < 0, exponent,
                             exponent_limbs, modulus, word_ceil_div(bits, 64));
    }
    arena_release(ctx, mark);
    return status;
}
