// word_plan.c: see word_plan.h. Integers only.
#include "fft/device/modular/word_plan.h"

#include <assert.h>

#include "primitives/words/word.h"

// Digits of an operand are below 2^LG_DIGITS_MAX, of both together if they are more than words, as
// in plan.c.
enum { LG_DIGITS_MAX = 31 };

// exact: whether `pairs` < 2^32 products of two digits add up to no more than coefficients may be.
// most^2 < (upper + 1) 2^64, and (upper + 1) pairs < 2^97. Proof: docs/proofs/modular_device.md,
// sections 8 and 14.
static bool exact(uint64_t pairs, const fft_modular_words *words) {
    const unsigned lg = fft_modular_lg_coefficient(words->primes);
    uint64_t upper;
    word_mul(&upper, words->most, words->most);
    assert(lg + 64 >= 2 * words->bits && lg + 64 - 2 * words->bits < 128);
    return ((word_pair)upper + 1) * pairs <= (word_pair)1 << (lg + 64 - 2 * words->bits);
}

uint64_t fft_modular_plan_words(fft_modular_plan *plan, fft_modular_plan *high, uint64_t an,
                                uint64_t bn, const fft_modular_words *words, bool clusters) {
    const uint64_t digits = words->primes > FFT_PRIMES_USED ? an + bn : an | bn;
    if ((an | bn | digits) >> LG_DIGITS_MAX != 0 || !exact(an < bn ? an : bn, words)) {
        return UINT64_MAX;
    }
    *plan = (fft_modular_plan){.a_digits = an,
                               .b_digits = bn,
                               .primes = words->primes,
                               .digit_bits = words->bits,
                               .clusters = clusters};
    return fft_modular_plan_fastest(plan, high);
}
