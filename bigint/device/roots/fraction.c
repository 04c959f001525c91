// fraction.c: see fraction.h. Bounds: docs/proofs/root.md, section 9.
#include "bigint/device/roots/fraction.h"

#include <assert.h>

#include "bigint/device/divide/kept.h"
#include "primitives/words/word.h"

device_size device_size_mul(device_size a, device_size b, uint64_t k) {
    assert(a.parts < k && b.parts < k);
    const bool carry = a.parts >= k - b.parts;
    return (device_size){a.bits + b.bits + carry, a.parts + b.parts - (carry ? k : 0)};
}

int64_t device_size_limbs(device_size a) {  // x < 2^(bits + 1), and 64 t > bits
    return a.bits >= 0 ? a.bits / 64 + 1 : 1 - (63 - a.bits) / 64;
}

void device_fractions_close(device_fractions *s) {
    bigint_clear(s->ctx, &s->at[0]), bigint_clear(s->ctx, &s->at[1]);
}

bigint_status device_fraction_mul(device_fractions *s, device_fraction *r, device_fraction a,
                                  device_fraction b) {
    bigint *const to = &s->at[s->turn];
    const bigint_status status = device_mul_magnitudes(s->ctx, s->who, to, a.x, b.x);
    if (status != BIGINT_OK) {
        return status;
    }
    s->turn ^= 1;
    *r = (device_fraction){.x = {to->d_, to->n_, NULL}, .f = a.f + b.f};
    if (s->limbs == UINT64_MAX) {
        return BIGINT_OK;
    }
    r->size = device_size_mul(a.size, b.size, s->k);
    const int64_t used = device_size_limbs(r->size) + r->f;  // limbs above these are 0
    assert(used >= 1);
    const uint64_t n = (uint64_t)used < to->n_ ? (uint64_t)used : to->n_,
                   drop = n > s->limbs ? (n - s->limbs) / 2 * 2 : 0;  // aligned to 16 bytes
    r->x = (limbs_device_number){to->d_ + drop, n - drop, NULL};
    r->f -= (int64_t)drop;
    return BIGINT_OK;
}

bigint_status device_fraction_factors(device_fractions *s, device_fraction *left,
                                      device_fraction *right, device_fraction x, uint64_t k) {
    bigint_status status = BIGINT_OK;
    device_fraction power = x;
    for (unsigned bit = 63 - word_clz(k); bit-- > 0 && status == BIGINT_OK;) {
        for (unsigned factor = 0; factor <= (k >> bit & 1) && status == BIGINT_OK; factor++) {
            *left = power;
            *right = factor == 0 ? power : x;
            if (bit == 0 && factor == (k & 1)) {
                return BIGINT_OK;
            }
            status = device_fraction_mul(s, &power, *left, *right);
        }
    }
    return status;
}

bigint_status device_fraction_power(device_fractions *s, device_fraction *r, device_fraction x,
                                    uint64_t k) {
    device_fraction left, right;
    *r = x;
    if (k == 1) {
        return BIGINT_OK;
    }
    const bigint_status status = device_fraction_factors(s, &left, &right, x, k);
    return status == BIGINT_OK ? device_fraction_mul(s, r, left, right) : status;
}

bigint device_fraction_integer(const bigint *like, limbs_device_number x) {
    bigint r = *like;
    r.d_ = (uint64_t *)(uintptr_t)x.p;
    r.n_ = x.n;
    r.sign_ = 0;
    return r;
}
