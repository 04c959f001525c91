// montgomery.cuh: residues modulo odd numbers and modulo powers of 2, spread over lanes of a warp.
// Includes lanes.cuh only. Valid on: any device, the emulation.
//
// A number is `digits` digits of 52 bits, `kEach` in each of the lanes of a group, least
// significant first, as doubles: a product of two digits is two fused operations and a
// subtraction, exact, and its halves are added up as integers without any carry. R is
// 2^(52 digits), M odd, 4 M <= R; the form of x is x R mod M, any such number below 2 M.
// Groups of a warp work on numbers of their own, in step. Source: [Montgomery85]; digits in
// doubles [EmmartZhengWeems18]. Bounds: docs/proofs/powm.md, sections 7 and 8.
#ifndef PRIMITIVES_RESIDUES_MONTGOMERY_CUH_
#define PRIMITIVES_RESIDUES_MONTGOMERY_CUH_

#include "primitives/residues/lanes.cuh"

// Numbers modulo M and modulo R, of one group. All lanes of the warp call every function. kOne:
// groups are one lane.
template <unsigned kEach, bool kOne = false>
struct Montgomery : LaneDigits<kEach, kDigitBits> {
    using Base = LaneDigits<kEach, kDigitBits>;
    using Base::Add, Base::digits, Base::Doubles, Base::group, Base::Place, Base::Settle;
    using Shared = double;
    using Digit = double;
    using Digits = Digit[kEach];
    static constexpr unsigned kBits = kDigitBits;
    static constexpr bool kFull = false;

    double *factor;    // the group's own `digits` of shared memory: the second factor of products
    double m[kEach];   // M
    uint64_t inverse;  // -1 / M mod 2^52

    DEVICE Montgomery(LaneGroup of, Shared *shared) : Base(of), factor(shared) {}
    DEVICE static Digit ToDigit(uint64_t bits) { return DigitToDouble(bits); }
    DEVICE static uint64_t Of(Digit digit) { return DigitOf(digit); }

    // SetModulus: M = {of}; of 0 too, modulo which sums stay below 2 R and a product by 1 is 1 / R
    // of something.
    DEVICE void SetModulus(const double (&of)[kEach]) {
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            m[j] = of[j];
        }
        inverse = (0 - DigitInverse(group.From(DigitOf(m[0]), 0))) & kDigitMask;
    }

    // Reduce: r - M where r >= M: from below 2 M to below M, in digits of at most 2^52.
    DEVICE void Reduce(double (&r)[kEach]) const { Base::Reduce(r, m); }

    // AddModulo: r = a + b mod M, all below M.
    DEVICE void AddModulo(double (&r)[kEach], const double (&a)[kEach],
                          const double (&b)[kEach]) const {
        Add(r, a, b);
        Reduce(r);
    }

    // Negate: r = M - a; a <= M, in digits below 2^52.
    DEVICE void Negate(double (&r)[kEach], const double (&a)[kEach]) const {
        Base::Subtract(r, m, a);
    }

    // Double: r = 2 r mod M, below 2 M before and after.
    DEVICE void Double(double (&r)[kEach]) const {
        Reduce(r);
        Add(r, r, r);
    }

    // --- Products ---

    // PutFactor: the factor of products to come.
    DEVICE void PutFactor(const double (&b)[kEach]) const {
        __syncwarp();
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            if (group.owns) {
                factor[Place(j)] = b[j];
            }
        }
        __syncwarp();
    }

    // Pending: what the exponent bits of all half products that a column meets from place j down
    // to 0 add up to, modulo 2^64: at place 0 low halves, at place kEach high halves, else both;
    // kProducts of each in a row.
    template <unsigned kProducts>
    DEVICE static constexpr uint64_t Pending(unsigned j) {
        return kProducts * (j * (kLowBits + kHighBits) + (j < kEach ? kLowBits : 0));
    }

    // Accumulate: t += a b for one digit b: low halves in their places, high halves one above.
    // Returns that of the last.
    DEVICE static uint64_t Accumulate(uint64_t (&t)[kEach], const double (&a)[kEach], double b) {
        uint64_t below = 0;
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            uint64_t high;
            const uint64_t low = DigitProduct(&high, a[j], b);
            t[j] = t[j] + low + below;
            below = high;
        }
        return below;
    }

    // Shift: moves t down by one place; top: what comes in. The lowest column goes to the lane
    // below, as the returned value of the lane above says, which belongs to the highest place; the
    // first lane keeps what its own has above the digit.
    DEVICE uint64_t Shift(uint64_t (&t)[kEach], uint64_t top) const {
        const uint64_t above = kOne ? 0 : group.From(t[0], group.rank + 1);
        const uint64_t carry = group.First() ? t[0] >> kDigitBits : 0;
#pragma unroll
        for (unsigned j = 0; j + 1 < kEach; j++) {
            t[j] = t[j + 1];
        }
        t[kEach - 1] = top;
        t[0] += carry;
        return group.Last() ? 0 : above;
    }

    // Multiply: r = a b / R mod M, where b is the factor; r may be a. Requires: a b < R M, as for
    // a, b < 2 M, or a < R and b < M. Ensures: r < 2 M, in digits of at most 2^52; r <= M for b = 1
    // and a < 2 M. kRows rows stand in the loop at once, so that one waits while others go on.
    // Cost: 2 digits kEach digit products; 4 shuffles a digit. The same instructions and addresses
    // for all values.
    template <unsigned kRows = 2>
    DEVICE void Multiply(double (&r)[kEach], const double (&a)[kEach]) const {
        uint64_t t[kEach], above = 0;  // what comes from the lane above is waited for late
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            t[j] = 0 - Pending<2>(j);
        }
#pragma unroll kRows
        for (unsigned i = 0; i < digits; i++) {
            uint64_t top = Accumulate(t, a, factor[i]) - Pending<2>(kEach);
            const uint64_t lowest = kOne ? t[0] : group.From(t[0], 0);
            t[kEach - 1] += above;
            top += Accumulate(t, m, DigitToDouble(lowest * inverse & kDigitMask));
            above = Shift(t, top);
        }
        t[kEach - 1] += above;
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            t[j] += Pending<2>(j);
        }
        Settle(t);
        Doubles(r, t);
    }

    // MultiplyLow: r = a b mod R, where b is the factor, which is lost; r may be a. A digit that
    // leaves the first lane takes the place of the factor's that has had its turn.
    DEVICE void MultiplyLow(double (&r)[kEach], const double (&a)[kEach]) const {
        uint64_t t[kEach], above = 0;
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            t[j] = 0 - Pending<1>(j);
        }
#pragma unroll 1
        for (unsigned i = 0; i < digits; i++) {
            const uint64_t top = Accumulate(t, a, factor[i]) - Pending<1>(kEach);
            t[kEach - 1] += above;
            const double digit = DigitToDouble(t[0] & kDigitMask);
            __syncwarp();
            if (group.First() && group.owns) {
                factor[i] = digit;
            }
            above = Shift(t, top);
        }
        __syncwarp();
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            r[j] = factor[Place(j)];
        }
    }
};

#endif  // PRIMITIVES_RESIDUES_MONTGOMERY_CUH_
