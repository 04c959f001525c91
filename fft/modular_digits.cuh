// modular_digits.cuh: an operand's digits as residues, and the operand modulo x^n - w: what kernels
// do that read operands. Includes modular.cuh.
#ifndef FFT_MODULAR_DIGITS_CUH_
#define FFT_MODULAR_DIGITS_CUH_

#include "fft/modular.cuh"

// ModularDigits: an operand and where its residues go. Words and digits are fewer than 2^32 - 1.
struct ModularDigits {
    const uint64_t *words;
    const uint32_t *halves;  // the same
    unsigned words_n;
    unsigned bits;     // of a digit
    uint64_t mask;     // so many bits
    unsigned pairs_n;  // words above which another word, or if balanced a digit, begins
    unsigned count;    // digits, >= 1
    double *plane;
};

// What digits are: words, words as signed integers with the carry of the one below, or fewer bits.
// Or parts that the outer pass has left in the plane.
enum ModularDigitsKind : unsigned { kWholeDigits, kBalancedDigits, kShortDigits, kSplitDigits };

// Digit i of an operand as a residue.
template <unsigned kDigits>
DEVICE double ModularDigit(const ModularDigits &a, unsigned i, const fft_modular_field &f) {
    if constexpr (kDigits == kShortDigits) {
        const uint64_t bit = (uint64_t)i * a.bits;
        const unsigned at = (unsigned)(bit / 64), shift = bit % 64;
        const uint64_t low = at < a.words_n ? a.words[at] : 0;
        const uint64_t high = at < a.pairs_n ? a.words[at + 1] : 0;
        // two shifts, because high << 64 is undefined
        const uint64_t both = low >> shift | high << 1 << (63 - shift);
        return ModularResidue(both & a.mask, f);
    } else {
        const uint64_t word = i < a.words_n ? a.words[i] : 0;
        if constexpr (kDigits == kWholeDigits) {
            return ModularResidue(word, f);
        }
        // Digit 0 has none below, i - 1 being 2^32 - 1 then.
        const bool carries = i - 1 < a.pairs_n && (int32_t)(a.halves[2 * i - 1]) < 0;
        return ModularBalanced(word, i + 1 < a.count, carries, f);
    }
}

// An operand modulo x^n - w_piece, n = length: v[r] = the sum of elements at(r) of its blocks of n
// digits, weighed by powers of w, within 1.33 p but for pieces that a twist follows. The lowest
// block comes first, all its words at once; the highest one is short where little wraps around.
template <unsigned kDigits, unsigned kN, class At>
DEVICE void ModularFold(double *v, const ModularDigits &a, unsigned length,
                        const fft_modular_prime &prime, unsigned piece, At at) {
#pragma unroll
    for (unsigned r = 0; r < kN; r++) {
        v[r] = ModularDigit<kDigits>(a, at(r), prime.field);
    }
    double weight = prime.omega[piece];
    for (unsigned block = length; block < a.count; block += length) {  // fewer than 2^31
#pragma unroll
        for (unsigned r = 0; r < kN; r++) {
            const unsigned i = block + at(r);
            if (i < a.count) {
                v[r] += ModularMul(ModularDigit<kDigits>(a, i, prime.field), weight, prime.field);
            }
        }
        weight = ModularMul(weight, prime.omega[piece], prime.field);
    }
    if (piece == 0 && a.count > 2 * length) {
#pragma unroll
        for (unsigned r = 0; r < kN; r++) {
            v[r] = ModularReduce(v[r], prime.field);
        }
    }
}

#endif  // FFT_MODULAR_DIGITS_CUH_
