// limbs.cuh: what one thread does in radix 2^w: it turns the coefficients that begin in a block of
// kLimbs consecutive limbs into these limbs and a spill into the block above, and adds the spill
// from below. After that the block kills, propagates or generates a carry of one. Kernels of any
// room may use it: they pass a function that reads coefficients. Includes monoid.h and
// primitives/cuda/device.cuh, word.h.
//
// Bounds, with X = 2^(64 kLimbs), m = kWords, kLimbs >= m. A block's coefficients stand at distinct
// bits b, 0 <= b < 64 kLimbs, so their weights add up to less than X.
//   unsigned   sum < 2^(64 m) X, so the spill is below 2^(64 m).
//   signed     |c_i| <= 2^(64 m - 1) =: B, so the sum V satisfies -B (X - 1) <= V. Every block
//              takes B (X - 1) more than its coefficients, in two parts: B less at its own bottom,
//              B more in what it spills; B X^(blocks) is missing at the top, B more enters at the
//              bottom: the telescoping sum of B (X - 1) X^t. So blocks and spills are not negative,
//              and V + B (X - 1) <= 2 B (X - 1) keeps the spill below 2 B = 2^(64 m) here too.
//   carry      limbs < X and spill < 2^(64 m) <= X: their sum carries out 0 or 1; if it carries out
//              1 the limbs left are at most 2^(64 m) - 2 < X - 1, so a carry in does not ripple.
#ifndef CARRY_LIMBS_CUH_
#define CARRY_LIMBS_CUH_

#include "carry/monoid.h"
#include "primitives/cuda/device.cuh"
#include "primitives/words/word.h"

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
    template <unsigned kN>
    DEVICE static void AddShifted(uint64_t (&window)[kN], const uint64_t (&c)[kWords],
                                  unsigned shift, bool is_signed) {
        uint64_t shifted[kN];
        uint64_t below = 0;
#pragma unroll
        for (unsigned j = 0; j < kWords; j++) {
            // two shifts to the right, because shift may be 0
            shifted[j] = c[j] << shift | below >> 1 >> (63 - shift);
            below = c[j];
        }
        shifted[kWords] = is_signed ? (uint64_t)((int64_t)below >> 1 >> (63 - shift))
                                    : below >> 1 >> (63 - shift);
#pragma unroll
        for (unsigned j = kWords + 1; j < kN; j++) {
            shifted[j] = is_signed ? (uint64_t)((int64_t)below >> 63) : 0;
        }
        AddWords<kN>(window, shifted, 0);
    }

    // The sum of the coefficients so far, from the current limb on: of kN = kWords + 1 words, below
    // 2^(64 (kWords + 1)), or within half of it of zero; of one more where coefficients may begin
    // above the current limb.
    template <unsigned kN>
    struct Window {
        uint64_t word[kN];
    };

    // At the bottom of a block: 0, or - 2^(64 kWords - 1).
    template <unsigned kN>
    DEVICE static Window<kN> Bottom(bool is_signed) {
        Window<kN> s;
#pragma unroll
        for (unsigned j = 0; j < kN; j++) {
            s.word[j] = j < kWords ? BottomSpill(j, is_signed) : is_signed ? ~UINT64_C(0) : 0;
        }
        return s;
    }

    // Limb o is done: the window goes up by one.
    template <unsigned kN>
    DEVICE void Release(unsigned o, Window<kN> &s, bool is_signed) {
        limb[o] = s.word[0];
#pragma unroll
        for (unsigned j = 0; j + 1 < kN; j++) {
            s.word[j] = s.word[j + 1];
        }
        s.word[kN - 1] = is_signed ? (uint64_t)((int64_t)s.word[kN - 1] >> 63) : 0;
    }

    // At the top: what is left, and 2^(64 kWords - 1) if signed.
    template <unsigned kN>
    DEVICE void Top(const Window<kN> &s, bool is_signed) {
#pragma unroll
        for (unsigned j = 0; j < kWords; j++) {
            spill[j] = s.word[j] ^ BottomSpill(j, is_signed);
        }
    }

    // Take sets limbs and spill from the coefficients i, i + 1, ... that begin at bits bit, bit +
    // w, ... of the block; read(i, c) gives coefficient i in c[kWords], zero beyond the last.
    template <class Read>
    DEVICE void Take(unsigned i, unsigned bit, unsigned w, bool is_signed, Read read) {
        Window<kWords + 1> s = Bottom<kWords + 1>(is_signed);
#pragma unroll
        for (unsigned o = 0; o < kLimbs; o++) {
            for (; bit < 64 * (o + 1); bit += w) {
                uint64_t c[kWords];
                read(i++, c);
                AddShifted(s.word, c, bit - 64 * o, is_signed);
            }
            Release(o, s, is_signed);
        }
        Top(s, is_signed);
    }

    // The same for kLeastClose <= w <= 64 and bit < w: coefficient j of the block begins in limb
    // j - 1 or j, as 64 (j - 1) <= j w and (j + 1) w <= 64 (j + 1), and there are kLimbs or one
    // more, as (kLimbs + 1) w >= 64 kLimbs. So all threads take equally many, one by one.
    static constexpr unsigned kLeastClose = (64 * kLimbs + kLimbs) / (kLimbs + 1);
    template <class Read>
    DEVICE void TakeClose(unsigned i, unsigned bit, unsigned w, bool is_signed, Read read) {
        Window<kWords + 2> s = Bottom<kWords + 2>(is_signed);  // from limb j - 1 on, or from 0
#pragma unroll
        for (unsigned j = 0; j <= kLimbs; j++, bit += w) {
            uint64_t c[kWords] = {};
            if (j < kLimbs || bit < 64 * kLimbs) {
                read(i + j, c);
            }
            const bool far = j > 0 && bit >= 64 * j;
            uint64_t shifted[kWords + 2] = {}, up[kWords + 2];
            AddShifted(shifted, c, bit % 64, is_signed);
            up[0] = far ? 0 : shifted[0];
#pragma unroll
            for (unsigned k = 1; k < kWords + 2; k++) {
                up[k] = far ? shifted[k - 1] : shifted[k];
            }
            AddWords<kWords + 2>(s.word, up, 0);
            if (j > 0) {
                Release(j - 1, s, is_signed);
            }
        }
        Top(s, is_signed);
    }

    // The same for w = 64 kApart, coefficient i at bit 0.
    template <unsigned kApart = 1, class Read>
    DEVICE void TakeAligned(unsigned i, bool is_signed, Read read) {
        static_assert(kLimbs % kApart == 0, "blocks begin with a coefficient");
        Window<kWords + 1> s = Bottom<kWords + 1>(is_signed);
#pragma unroll
        for (unsigned o = 0; o < kLimbs; o++) {
            if (o % kApart == 0) {
                uint64_t c[kWords], extended[kWords + 1];
                read(i + o / kApart, c);
#pragma unroll
                for (unsigned j = 0; j < kWords; j++) {
                    extended[j] = c[j];
                }
                extended[kWords] = is_signed ? (uint64_t)((int64_t)c[kWords - 1] >> 63) : 0;
                AddWords<kWords + 1>(s.word, extended, 0);
            }
            Release(o, s, is_signed);
        }
        Top(s, is_signed);
    }

    // Below the lowest block there is nothing but its bias.
    DEVICE void TakeNothing(bool is_signed) {
#pragma unroll
        for (unsigned j = 0; j < kWords; j++) {
            spill[j] = BottomSpill(j, is_signed);
        }
    }

    // The spill of the negative number, which enters a ring modulo X^blocks + 1 at the bottom: a
    // signed one with its bias. Not of the least number that a spill is.
    DEVICE void NegateSpill() {
        const uint64_t zero[kWords] = {};
#pragma unroll
        for (unsigned j = 0; j < kWords; j++) {
            spill[j] = ~spill[j];
        }
        AddWords<kWords>(spill, zero, 1);
    }

    // AddSpill adds what the block below spilled, and returns what the block does to a carry.
    DEVICE carry_state AddSpill(const uint64_t (&from_below)[kWords]) {
        uint64_t added[kLimbs];
#pragma unroll
        for (unsigned o = 0; o < kLimbs; o++) {
            added[o] = o < kWords ? from_below[o < kWords ? o : 0] : 0;
        }
        const uint64_t carry = AddWords<kLimbs>(limb, added, 0);
        uint64_t ones = limb[0];
#pragma unroll
        for (unsigned o = 1; o < kLimbs; o++) {
            ones &= limb[o];
        }
        return carry != 0 ? CARRY_GENERATE : ones == ~UINT64_C(0) ? CARRY_PROPAGATE : CARRY_KILL;
    }

    // AddCarry adds 0 or 1; what leaves the block is known from its state.
    DEVICE void AddCarry(unsigned carry_in) {
        if (carry_in != 0) {
            const uint64_t zero[kLimbs] = {};
            AddWords<kLimbs>(limb, zero, 1);
        }
    }
};

#endif  // CARRY_LIMBS_CUH_
