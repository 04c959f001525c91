// word_plan.c: see word_plan.h. Integers only. Shapes are those that plan.c finds for limbs.
#include "fft/device/modular/word_plan.h"

#include "primitives/words/word.h"

// Words of an operand are below 2^LG_WORDS_MAX, as plan.c's limbs. Coefficients of 0 to
// 2^LG_COEFFICIENT are exact modulo three primes (docs/proofs/modular_device.md, sections 8 and
// 14).
enum { LG_WORDS_MAX = 31, LG_COEFFICIENT = 148 };

// exact: whether `pairs` < 2^32 products of two words up to `most` add up to at most
// 2^LG_COEFFICIENT. most^2 < (upper + 1) 2^64, and (upper + 1) pairs < 2^97.
static bool exact(uint64_t pairs, uint64_t most) {
    uint64_t upper;
    word_mul(&upper, most, most);
    return ((word_pair)upper + 1) * pairs <= (word_pair)1 << (LG_COEFFICIENT - 64);
}

// limbs_of: limbs with n digits of that many bits, or one more.
static uint64_t limbs_of(uint64_t n, unsigned bits) { return word_ceil_div(n * bits, 64); }

bool fft_modular_plan_words(fft_modular_plan *plan, fft_modular_plan *high, uint64_t an,
                            uint64_t bn, uint64_t most, bool clusters) {
    if ((an | bn) >> LG_WORDS_MAX != 0 || !exact(an < bn ? an : bn, most)) {
        return false;
    }
    // The fewest limbs whose widest exact digits are no fewer than the words.
    unsigned bits = 64;
    fft_modular_plan digits, shape, unused;
    while (fft_modular_plan_digits(&digits, limbs_of(an, bits - 1), limbs_of(bn, bits - 1),
                                   FFT_PRIMES_USED, 64) &&
           digits.digit_bits <= bits - 1) {
        bits--;
    }
    if (!fft_modular_plan_limbs(&shape, &unused, limbs_of(an, bits), limbs_of(bn, bits),
                                FFT_PRIMES_USED, clusters)) {
        return false;
    }
    *plan = shape;
    plan->a_digits = an;
    plan->b_digits = bn;
    plan->digit_bits = 64;
    plan->balanced = false;
    return fft_modular_plan_shape(plan, high);
}
