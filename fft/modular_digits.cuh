// modular_digits.cuh: an operand's digits as residues, and the operand modulo x^n - w: what kernels
// do that read operands. Includes modular.cuh.
#ifndef FFT_MODULAR_DIGITS_CUH_
#define FFT_MODULAR_DIGITS_CUH_

#include "fft/modular.cuh"

// What digits are: words, words as signed integers with the carry of the one below, or fewer bits.
// Or parts that the outer pass has left in the plane.
enum ModularDigitsKind : unsigned { kWholeDigits, kBalancedDigits, kShortDigits, kSplitDigits };

// ModularDigits: an operand and where its residues go. Words and digits are fewer than 2^32 - 1.
struct ModularDigits {
    const uint64_t *words;
    unsigned words_n;
    unsigned bits;     // of a digit
    uint64_t mask;     // so many bits
    unsigned pairs_n;  // words above which another word, or if balanced a digit, begins
    unsigned count;    // digits, >= 1
    double *plane;

    // Whether ModularDigit<kDigits, true> serves all digits from `first` to `last`.
    template <unsigned kDigits>
    DEVICE bool Inside(unsigned first, unsigned last) const {
        return last < words_n && (kDigits == kWholeDigits || (first > 0 && last + 1 < count));
    }
};

// Digit from + ahead of an operand as a residue. kInside, not of short digits: its word exists, and
// the one below; it is not the last digit.
template <unsigned kDigits, bool kInside>
DEVICE double ModularDigit(const ModularDigits &a, unsigned from, unsigned ahead,
                           const fft_modular_field &f) {
    if constexpr (kDigits == kShortDigits) {
        static_assert(!kInside, "questions are asked");
        const uint64_t bit = (uint64_t)(from + ahead) * a.bits;
        const unsigned at = (unsigned)(bit / 64), shift = bit % 64;
        const uint64_t low = at < a.words_n ? a.words[at] : 0;
        const uint64_t high = at < a.pairs_n ? a.words[at + 1] : 0;
        // two shifts, because high << 64 is undefined
        const uint64_t both = low >> shift | high << 1 << (63 - shift);
        return ModularResidue(both & a.mask, f);
    } else {
        const unsigned i = from + ahead;
        const uint64_t *at = a.words + from + ahead;  // so that addresses differ by constants
        const uint64_t word = kInside || i < a.words_n ? *at : 0;
        if constexpr (kDigits == kWholeDigits) {
            return ModularResidue(word, f);
        }
        // Digit 0 has none below, i - 1 being 2^32 - 1 then.
        const uint64_t below = kInside || i - 1 < a.pairs_n ? at[-1] : 0;
        return ModularBalanced(word, kInside || i + 1 < a.count, below, f);
    }
}

// An operand modulo x^n - w_piece, n = length: v[r] = the sum of elements from + ahead(r) of its
// blocks of n digits, weighed by powers of w, within 1.33 p but for pieces that a twist follows.
// first, last: block 0's digits that the thread block reads are between them. The lowest block
// comes first, all its words at once, and if kInsideTiles without questions where all are inside;
// the highest one is short where little wraps around.
template <unsigned kDigits, unsigned kN, bool kInsideTiles, class Ahead>
DEVICE void ModularFold(double *v, const ModularDigits &a, unsigned length,
                        const fft_modular_prime &prime, unsigned piece, unsigned first,
                        unsigned last, unsigned from, Ahead ahead) {
    if (kInsideTiles && a.Inside<kDigits>(first, last)) {
#pragma unroll
        for (unsigned r = 0; r < kN; r++) {
            v[r] = ModularDigit<kDigits, kInsideTiles>(a, from, ahead(r), prime.field);
        }
    } else {
#pragma unroll
        for (unsigned r = 0; r < kN; r++) {
            v[r] = ModularDigit<kDigits, false>(a, from, ahead(r), prime.field);
        }
    }
    double weight = prime.omega[piece];
    for (unsigned block = length; block < a.count; block += length) {  // fewer than 2^31
#pragma unroll
        for (unsigned r = 0; r < kN; r++) {
            if (block + from + ahead(r) < a.count) {
                const double digit =
                    ModularDigit<kDigits, false>(a, from, block + ahead(r), prime.field);
                v[r] += ModularMul(digit, weight, prime.field);
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
