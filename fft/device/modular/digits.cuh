// digits.cuh: reads an operand's digits as residues, and reduces the operand modulo x^n - w.
// Includes residues.cuh.
#ifndef FFT_DEVICE_MODULAR_DIGITS_CUH_
#define FFT_DEVICE_MODULAR_DIGITS_CUH_

#include "fft/device/modular/residues.cuh"

// What digits are: words, words as signed integers with the carry of the one below, or fewer bits.
// More than a word: up to FFT_MODULAR_TWO_CHUNKS, FFT_MODULAR_THREE_CHUNKS bits, or two words. Or
// parts that the outer pass has left in the plane.
enum ModularDigitsKind : unsigned {
    kWholeDigits,
    kBalancedDigits,
    kShortDigits,
    kTwoChunkDigits,
    kThreeChunkDigits,
    kTwoWordDigits,
    kSplitDigits,
    kModularDigitsKinds,
};

// ModularDigits: an operand and where its residues go. Words and digits are fewer than 2^32 - 1.
struct ModularDigits {
    const uint64_t *words;
    const uint32_t *halves;  // the same
    unsigned words_n;
    unsigned bits;     // of a digit
    uint64_t mask;     // this many bits, or those of the highest chunk of a digit
    unsigned pairs_n;  // words above which another word, or if balanced a digit, begins
    unsigned count;    // digits, >= 1
    double *plane;
    bool aligned;  // words, to 16 bytes

    // Whether ModularDigit<kDigits, true> serves all digits from `first` to `last`.
    template <unsigned kDigits>
    DEVICE bool Inside(unsigned first, unsigned last) const {
        if constexpr (kDigits == kTwoWordDigits) {
            return aligned && 2 * last < pairs_n;
        }
        return last < words_n && (kDigits == kWholeDigits || (first > 0 && last + 1 < count));
    }
};

// Of such a digit chunk 0 has 38 bits, and the others 52 except for the highest, or as many as the
// digit has. A third one is a half word, but of two words.
constexpr unsigned kLowestChunk = 38, kChunk = 52;
static_assert(FFT_MODULAR_TWO_CHUNKS == kLowestChunk + kChunk &&
                  FFT_MODULAR_THREE_CHUNKS == kLowestChunk + kChunk + 32,
              "chunks are what kernels cut");

// A digit from its chunks as a residue within p / 2 + 2^39. They stand in the digits of 2^52,
// 2^90 and 2^142. The quotient of the third one by 2^38 p leaves a multiple of 2^38 that has 53
// digits together with the second one. Five operations and a rounding for two chunks, four and a
// rounding more for three.
template <unsigned kChunks>
DEVICE double ModularLongDigit(const uint64_t (&c)[kChunks], const fft_modular_field &f) {
    static_assert(kChunks == 2 || kChunks == 3, "what the proof has");
    double upper = DoubleOf(0x45900000 | (uint32_t)(c[1] >> 32), (uint32_t)c[1]) - 0x1p90;
    if constexpr (kChunks == 3) {
        const double top = DoubleOf(0x48D00000 | (uint32_t)(c[2] >> 32), (uint32_t)c[2]) - 0x1p142;
        upper += fma(-rint(top * (f.inverse * 0x1p-38)), f.p * 0x1p38, top);
    }
    const double lowest = DoubleOf(0x43300000 | (uint32_t)(c[0] >> 32), (uint32_t)c[0]) - 0x1p52;
    return ModularReduce(upper, f) + lowest;
}

// Bits shift .. shift + 31 of two half words, shift < 32; one word of two.
DEVICE uint32_t BitsFrom(uint32_t low, uint32_t high, unsigned shift) {
    return (uint32_t)(((uint64_t)high << 32 | low) >> shift);
}
DEVICE uint64_t WordOf(uint32_t low, uint32_t high) { return (uint64_t)high << 32 | low; }

// Digit i of more than a word. kInside: of two words, which exist and are aligned together.
template <unsigned kDigits, bool kInside>
DEVICE double ModularDigitOfChunks(const ModularDigits &a, unsigned i, const fft_modular_field &f) {
    constexpr uint64_t kLowestMask = (UINT64_C(1) << kLowestChunk) - 1;
    constexpr uint64_t kMask = (UINT64_C(1) << kChunk) - 1;
    constexpr unsigned kUp = kLowestChunk % 32, kNext = (kLowestChunk + kChunk) % 32;
    if constexpr (kDigits == kTwoWordDigits) {
        Word128 two;
        if constexpr (kInside) {
            two = ((const Word128 *)a.words)[i];
        } else {
            two.lo = 2 * i < a.words_n ? a.words[2 * i] : 0;
            two.hi = 2 * i < a.pairs_n ? a.words[2 * i + 1] : 0;
        }
        const uint64_t low = two.lo, high = two.hi;
        const uint64_t second = low >> kLowestChunk | high << (64 - kLowestChunk);
        return ModularLongDigit<3>({low & kLowestMask, second & kMask, high >> kNext}, f);
    } else {
        constexpr unsigned kHalves = kDigits == kTwoChunkDigits ? 3 : 4;
        const uint64_t bit = (uint64_t)i * a.bits;
        const unsigned at = (unsigned)(bit / 32), shift = bit % 32;
        uint32_t all[kHalves + 1], half[kHalves];
#pragma unroll
        for (unsigned j = 0; j <= kHalves; j++) {
            all[j] = at + j < 2 * a.words_n ? a.halves[at + j] : 0;
        }
#pragma unroll
        for (unsigned j = 0; j < kHalves; j++) {
            half[j] = BitsFrom(all[j], all[j + 1], shift);
        }
        const uint64_t lowest = WordOf(half[0], half[1]) & kLowestMask;
        const uint64_t second = WordOf(BitsFrom(half[1], half[2], kUp), half[2] >> kUp);
        if constexpr (kDigits == kTwoChunkDigits) {
            return ModularLongDigit<2>({lowest, second & a.mask}, f);
        } else {
            const uint32_t third = BitsFrom(half[2], half[3], kNext) & (uint32_t)a.mask;
            return ModularLongDigit<3>({lowest, second & kMask, third}, f);
        }
    }
}

// Whether digits are words, whole or balanced.
template <unsigned kDigits>
constexpr bool kModularWordDigits = kDigits == kWholeDigits || kDigits == kBalancedDigits;

// Whether their words are asked for ahead: not where registers are all in use.
template <unsigned kDigits>
constexpr bool kModularAsksAhead =
    kModularWordDigits<kDigits> || kDigits == kShortDigits || kDigits == kTwoWordDigits;

// Digit from + ahead of an operand as a residue. kInside, of digits that are words: its word
// exists, and the one below; it is not the last digit. Of two words: as above.
template <unsigned kDigits, bool kInside>
DEVICE double ModularDigit(const ModularDigits &a, unsigned from, unsigned ahead,
                           const fft_modular_field &f) {
    static_assert(!kInside || kModularWordDigits<kDigits> || kDigits == kTwoWordDigits,
                  "questions are asked");
    if constexpr (kDigits == kTwoChunkDigits || kDigits == kThreeChunkDigits ||
                  kDigits == kTwoWordDigits) {
        return ModularDigitOfChunks<kDigits, kInside>(a, from + ahead, f);
    } else if constexpr (kDigits == kShortDigits) {
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

// Digits of a block above the lowest one that are asked for together, since each that waited for
// the one before it would take a cache's latency. Longer ones have registers for fewer, those that
// are cut from words for one.
template <unsigned kDigits>
constexpr unsigned kModularFoldedAtOnce = kModularWordDigits<kDigits> ? 4
                                          : kDigits == kTwoWordDigits ? 2
                                                                      : 1;

// An operand modulo x^n - w_piece, n = length: v[r] = the sum of elements from + ahead(r) of its
// blocks of n digits, weighed by powers of w, within 1.33 p but for pieces that a twist follows.
// ahead ascends. first, last: block 0's digits that the thread block reads are between them. The
// lowest block comes first, all its words at once, and if kInsideTiles without questions where all
// are inside; the highest one is short where little wraps around, and digits beyond it are 0.
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
    constexpr unsigned kMost = kModularFoldedAtOnce<kDigits>, kEach = kN < kMost ? kN : kMost;
    double weight = prime.omega[piece];
    for (unsigned block = length; block < a.count; block += length) {  // fewer than 2^31
        // A digit is no larger than a product. Others have no registers for the question.
        const bool unit = kModularWordDigits<kDigits> && fabs(weight) == 1;
#pragma unroll
        for (unsigned r = 0; r < kN; r += kEach) {
            if (block + from + ahead(r) < a.count) {
                double digit[kEach];
#pragma unroll
                for (unsigned i = 0; i < kEach; i++) {
                    digit[i] =
                        ModularDigit<kDigits, false>(a, from, block + ahead(r + i), prime.field);
                }
#pragma unroll
                for (unsigned i = 0; i < kEach; i++) {
                    v[r + i] +=
                        unit ? weight * digit[i] : ModularMul(digit[i], weight, prime.field);
                }
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

#endif  // FFT_DEVICE_MODULAR_DIGITS_CUH_
