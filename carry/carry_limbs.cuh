// carry_limbs.cuh: what one thread does in radix 2^w: the coefficients that begin in a block of
// kLimbs consecutive limbs become those limbs and a spill into the block above; a spill from below
// is added; then the block kills, propagates or generates a carry of one. Knows no memory and no
// other thread: kernels of any room give it a reader of coefficients. Includes carry_monoid.h and
// primitives/device.cuh, word.h.
//
// Bounds, with X = 2^(64 kLimbs), m = kWords, kLimbs >= m. A block's coefficients stand at distinct
// bits b, 0 <= b < 64 kLimbs, so their weights add up to less than X.
//   unsigned   sum < 2^(64 m) X, so the spill is below 2^(64 m).
//   signed     |c_i| <= 2^(64 m - 1) =: B, so the sum V satisfies -B (X - 1) <= V. Every block takes
//              B (X - 1) more than its coefficients, in two parts: B less at its own bottom, B more
//              in what it spills; B X^(blocks) is missing at the top, B more enters at the bottom:
//              the telescoping sum of B (X - 1) X^t. So blocks and spills are not negative, and
//              V + B (X - 1) <= 2 B (X - 1) keeps the spill below 2 B = 2^(64 m) here too.
//   carry      limbs < X and spill < 2^(64 m) <= X: their sum carries out 0 or 1; if it carries out
//              1 the limbs left are at most 2^(64 m) - 2 < X - 1, so a carry in does not ripple.
#ifndef CARRY_CARRY_LIMBS_CUH_
#define CARRY_CARRY_LIMBS_CUH_

#include "carry/carry_monoid.h"
#include "primitives/device.cuh"
#include "primitives/word.h"

template <unsigned kWords, unsigned kLimbs>
struct CarryLimbs {
    static_assert(kLimbs >= kWords, "a spill reaches no further than the next block");

    uint64_t limb[kLimbs];
    uint64_t spill[kWords];

    // The spill that enters the lowest block of a number.
    DEVICE static uint64_t BottomSpill(unsigned word, bool is_signed) {
        return is_signed && word == kWords - 1 ? UINT64_C(1) << 63 : 0;
    }

    // window += c 2^shift, 0 <= shift < 64; c is extended by its sign or by zeros.
    DEVICE static void AddShifted(uint64_t (&window)[kWords + 1], const uint64_t (&c)[kWords],
                                  unsigned shift, bool is_signed) {
        const uint64_t above = is_signed ? (uint64_t)((int64_t)c[kWords - 1] >> 63) : 0;
        uint64_t carry = 0, below = 0;
#pragma unroll
        for (unsigned j = 0; j <= kWords; j++) {
            const uint64_t word = j < kWords ? c[j < kWords ? j : 0] : above;
            // two shifts, because shift may be 0
            window[j] = word_add(window[j], word << shift | below >> 1 >> (63 - shift), &carry);
            below = word;
        }
    }

    // Take sets limbs and spill from the coefficients that begin in limbs first .. first + kLimbs - 1
    // of the number: read(i, c) gives coefficient i in c[kWords], zero beyond the last.
    template <class Read>
    DEVICE void Take(uint64_t first, unsigned w, bool is_signed, Read read) {
        uint64_t i = word_ceil_div(64 * first, w);
        unsigned bit = (unsigned)(i * w - 64 * first);  // where coefficient i begins in the block
        // The sum of the coefficients so far from the current limb on: below 2^(64 (kWords + 1)), or
        // within half of it of zero.
        uint64_t window[kWords + 1];
#pragma unroll
        for (unsigned j = 0; j < kWords; j++) {
            window[j] = BottomSpill(j, is_signed);  // - 2^(64 kWords - 1), modulo 2^(64 kWords)
        }
        window[kWords] = is_signed ? ~UINT64_C(0) : 0;
#pragma unroll
        for (unsigned o = 0; o < kLimbs; o++) {
            for (; bit < 64 * (o + 1); bit += w) {
                uint64_t c[kWords];
                read(i++, c);
                AddShifted(window, c, bit - 64 * o, is_signed);
            }
            limb[o] = window[0];
#pragma unroll
            for (unsigned j = 0; j < kWords; j++) {
                window[j] = window[j + 1];
            }
            window[kWords] = is_signed ? (uint64_t)((int64_t)window[kWords] >> 63) : 0;
        }
#pragma unroll
        for (unsigned j = 0; j < kWords; j++) {
            spill[j] = window[j] ^ BottomSpill(j, is_signed);  // + 2^(64 kWords - 1)
        }
    }

    // AddSpill adds what the block below spilled, and returns what the block does to a carry.
    DEVICE carry_state AddSpill(const uint64_t (&from_below)[kWords]) {
        uint64_t carry = 0;
        uint64_t ones = ~UINT64_C(0);
#pragma unroll
        for (unsigned o = 0; o < kLimbs; o++) {
            limb[o] = word_add(limb[o], o < kWords ? from_below[o < kWords ? o : 0] : 0, &carry);
            ones &= limb[o];
        }
        return carry != 0 ? CARRY_GENERATE : ones == ~UINT64_C(0) ? CARRY_PROPAGATE : CARRY_KILL;
    }

    // AddCarry adds 0 or 1; what leaves the block is known from its state.
    DEVICE void AddCarry(unsigned carry_in) {
        uint64_t carry = carry_in;
#pragma unroll
        for (unsigned o = 0; o < kLimbs; o++) {
            limb[o] = word_add(limb[o], 0, &carry);
        }
    }
};

#endif  // CARRY_CARRY_LIMBS_CUH_
