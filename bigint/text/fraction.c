// fraction.c: a number as a fraction of a power of the base, and the digits of such a fraction. B =
// 2^64. Proof: docs/proofs/text.md.
#include <assert.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "bigint/divide/divrem.h"
#include "bigint/text/text.h"
#include "primitives/words/word.h"

uint64_t text_fraction_limbs(const text_power *power) {
    return text_fraction_limbs_of(text_power_of_ten_bits(power));
}

text_units text_units_of(uint64_t top, uint64_t m, uint64_t ten_bits) {
    // 10^k = top 2^(b - 64) for b its bits, a unit is B^-m: 1 / 10^k = 2^(e + 64) / top units, e =
    // 64 m - b in [64, 128); times 2^-64 |2^63 - g_top| makes 2^(e - 127) (2^127 / top) |...|.
    const uint64_t e = 64 * m - ten_bits;
    assert(e >= 64 && e < 128 && top >> 63 == 1);
    return (text_units){(uint64_t)((((word_pair)1 << 127) - 1) / top), (unsigned)(127 - e)};
}

void text_cut(uint64_t *rp, uint64_t rn, const uint64_t *ap, uint64_t an, uint64_t bits) {
    const uint64_t skip = bits / 64, n = an <= skip ? 0 : an - skip < rn ? an - skip : rn;
    const unsigned shift = (unsigned)(bits % 64);
    limbs_rshift(rp, ap + (n > 0 ? skip : 0), n, shift);
    if (shift != 0 && n > 0 && skip + n < an) {
        rp[n - 1] |= ap[skip + n] << (64 - shift);
    }
    memset(rp + n, 0, (rn - n) * sizeof *rp);
}

// {fp, m} = (N + 1/2) / 10^k = (2 N + 1) 2^(64 m - k - 1) / 5^k, rounded down.
bigint_status text_fraction(bigint_ctx *ctx, const char *who, uint64_t *fp, const text_power *power,
                            const uint64_t *ap, uint64_t an) {
    const arena_mark mark = arena_get_mark(ctx);
    const uint64_t m = text_fraction_limbs(power),
                   scale = 64 * m - text_power_twos(power);  // 2 N + 1 = 2 (N + 1/2)
    const uint64_t zeros = (scale - 1) / 64, n = zeros + an + 2;
    uint64_t *const x = arena_take_limbs(ctx, who, n);
    uint64_t *const q = x == NULL ? NULL : arena_take_limbs(ctx, who, n - power->n + 1);
    if (q == NULL) {
        return BIGINT_ENOMEM;
    }
    memset(x, 0, zeros * sizeof *x);
    x[n - 1] = 0;
    x[n - 2] = limbs_lshift(x + zeros, ap, an, 1);
    x[zeros] |= 1;
    limbs_lshift(x + zeros, x + zeros, an + 2, (unsigned)((scale - 1) % 64));
    const bigint_status status = bigint_divrem_limbs(ctx, q, NULL, x, n, power->p, power->n);
    if (status == BIGINT_OK) {
        text_cut(fp, m, q, n - power->n + 1, 0);
    }
    arena_release(ctx, mark);
    return status;
}

// With r words still to come r + 1 limbs are enough: what is cut off adds less than 1 / B to the
// error of d.
void text_fraction_words(const limbs_ops *ops, const text_radix *radix, uint64_t *words,
                         uint64_t room, uint64_t all, uint64_t *fp, uint64_t m) {
    for (uint64_t left = all; left > 0; left--) {
        if (m > left + 1) {
            fp += m - (left + 1);
            m = left + 1;
        }
        const uint64_t word = ops->mul_1(fp, fp, m, radix->word);
        assert(word < radix->word && (left <= room || word == 0));
        if (left <= room) {
            words[left - 1] = word;
        }
    }
}
