// powm_few.c: see powm_few.h. Windows start at the exponent's low end. The squares form a chain in
// which each waits for the one before; the products with them do not wait and run beside the chain.
#include "bigint/modular/powm_few.h"

#include <assert.h>
#include <string.h>

#include "bigint/divide/divrem.h"
#include "primitives/limbs/redc.h"
#include "primitives/words/inverse.h"
#include "primitives/words/word.h"

#define INLINE static inline __attribute__((always_inline))

// On an Emerald Rapids, by hand: exponents of more bits take windows of one bit more.
enum { WINDOW_MAX = 5 };
static const uint64_t window_ends[WINDOW_MAX] = {0, 24, 72, 288, 960};

static unsigned window_bits(uint64_t exponent_bits) {
    unsigned w = 1;
    while (w < WINDOW_MAX && exponent_bits > window_ends[w]) {
        w++;
    }
    return w;
}

typedef struct {
    const uint64_t *mp;
    uint64_t inverse;  // -1 / M mod B
} modulus;

INLINE void multiply(const modulus *m, uint64_t *rp, const uint64_t *ap, const uint64_t *bp,
                     const size_t n) {
    limbs_mul_redc_inline(rp, ap, bp, m->mp, m->inverse, n);
}

// power: {x, n} = {x, n}^e; one is the form of 1. Product d of the table is that of all x^(2^i) of
// windows, at bit i, which are d; the power is that of their powers d, made of running products
// from the top.
INLINE void power(const modulus *m, uint64_t *x, const uint64_t *one, const uint64_t *ep,
                  uint64_t en, const size_t n) {
    const uint64_t bits = 64 * en - word_clz(ep[en - 1]);
    const unsigned w = window_bits(bits);
    uint64_t table[POWM_FEW << WINDOW_MAX], running[POWM_FEW];
    size_t d = (size_t)1 << w;
    for (size_t i = 0; i < d; i++) memcpy(table + i * n, one, n * sizeof *x);
    for (uint64_t i = 0;;) {
        const uint64_t digit = limbs_bits(ep, en, i, w);
        uint64_t *const entry = table + digit * n;
        // Entry 0 is not used, but whether a digit of several bits is 0 cannot be predicted.
        if (w > 1 || digit != 0) multiply(m, entry, x, entry, n);
        i += w;
        if (i >= bits) break;
        for (unsigned k = 0; k < w; k++) multiply(m, x, x, x, n);
    }
    memcpy(x, table + --d * n, n * sizeof *x);
    memcpy(running, x, n * sizeof *x);
    while (--d > 0) {
        multiply(m, running, running, table + d * n, n);
        multiply(m, x, x, running, n);
    }
}

// power_of: {rp, n} = {rp, n}^e mod M, {square, n} = B^(2 n) mod M, which takes numbers to
// Montgomery form.
INLINE void power_of(const modulus *m, uint64_t *rp, const uint64_t *square, const uint64_t *ep,
                     uint64_t en, const size_t n) {
    const uint64_t unit[POWM_FEW] = {1};
    uint64_t x[POWM_FEW], one[POWM_FEW];
    multiply(m, x, rp, square, n);
    multiply(m, one, unit, square, n);
    power(m, x, one, ep, en, n);
    multiply(m, rp, unit, x, n);
}

// reduced: {rp, n} = {ap, an}, modulo M if it is longer.
static bigint_status reduced(bigint_ctx *ctx, uint64_t *rp, const uint64_t *ap, uint64_t an,
                             const uint64_t *mp, uint64_t n) {
    if (an > n) {
        return bigint_divrem_limbs(ctx, NULL, rp, ap, an, mp, n);
    }
    memcpy(rp, ap, an * sizeof *rp);
    memset(rp + an, 0, (n - an) * sizeof *rp);
    return BIGINT_OK;
}

bigint_status powm_few(bigint_ctx *ctx, uint64_t *rp, const uint64_t *ap, uint64_t an,
                       const uint64_t *ep, uint64_t en, const uint64_t *mp, uint64_t n) {
    assert(1 <= n && n <= POWM_FEW && (mp[0] & 1) != 0 && mp[n - 1] != 0);
    assert(an >= 1 && en >= 1 && ep[en - 1] != 0);
    uint64_t square[2 * POWM_FEW + 1] = {0};
    const modulus m = {.mp = mp, .inverse = -word_inverse(mp[0])};
    square[2 * n] = 1;
    bigint_status status = bigint_divrem_limbs(ctx, NULL, square, square, 2 * n + 1, mp, n);
    if (status == BIGINT_OK) {
        status = reduced(ctx, rp, ap, an, mp, n);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    if (n == 1) {
        power_of(&m, rp, square, ep, en, 1);
    } else {
        power_of(&m, rp, square, ep, en, 2);
    }
    return BIGINT_OK;
}
