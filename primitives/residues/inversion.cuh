// inversion.cuh: inverses of numbers spread over lanes of a warp, by steps of division on their
// lowest digits. Includes division.cuh and divsteps.h. Valid on: any device, the emulation.
//
// If there is an inverse, a or n is odd. F is n if n is odd, otherwise a; G is the other. A round
// does 48 steps: f, g, beginning with F, G, become (u f + v g) / B and (q f + r g) / B; d and e
// with d G = f, e G = g modulo F follow by the same matrix, and a multiple of F makes them
// divisible by B. In the end g = 0, and f = +-1 or there is none. d then is +-1 / G mod F: of an
// odd n the inverse; of an even one, with F = a and y = -1 / n mod a, it is (1 + n y) / a. Digits
// between rounds are from -B / 2 - 8 to B / 2 + 8, except for the highest, which has the sign: the
// number 0 then has no digit but zeros. Bounds: docs/proofs/division_device.md.
#ifndef PRIMITIVES_RESIDUES_INVERSION_CUH_
#define PRIMITIVES_RESIDUES_INVERSION_CUH_

#include "primitives/residues/division.cuh"
#include "primitives/words/divsteps.h"

template <unsigned kEach>
struct Inversion : LaneDigits<kEach, kShortBits> {
    using Base = LaneDigits<kEach, kShortBits>;
    using Base::digits, Base::group, Base::Place, Base::Reduce;
    using Columns = ShortColumns<kEach>;
    using Digits = double[kEach];
    static constexpr int64_t kHalf = (int64_t)1 << (kShortBits - 1);

    double *shared;    // of the group: F, and then e, in the end a factor, `digits` each
    uint64_t inverse;  // -1 / F mod B
    Digits f, g, d;

    DEVICE Inversion(LaneGroup of, double *room) : Base(of), shared(room) {}

    DEVICE void Load(Digits &r, const Number &x, bool zero) const {
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            const uint64_t digit = x.Digit<kShortBits>((uint64_t)kShortBits * Place(j));
            r[j] = DigitToDouble(zero ? 0 : digit);
        }
    }
    // Put, Get: own digits to and from shared memory, from `at` on.
    DEVICE void Put(unsigned at, const Digits &r) const {
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            if (group.owns) {
                shared[at + Place(j)] = r[j];
            }
        }
    }
    DEVICE void Get(Digits &r, unsigned at) const {
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            r[j] = shared[at + Place(j)];
        }
    }
    // Lowest: the number modulo 2^48, in the lowest bits.
    DEVICE uint64_t Lowest(const Digits &r) const {
        return (uint64_t)SignedOf(group.From(r[0], 0));
    }

    // --- Rounds ---

    // Begin: Requires: F odd, or g is 0 from the start. F, G < R / 4.
    DEVICE void Begin(const Number &odd, const Number &other, bool none) {
        Load(f, odd, false), Load(g, other, none);
        Digits e;
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            d[j] = 0;
            e[j] = Place(j) == 0 ? 1 : 0;
        }
        __syncwarp();
        Put(0, f), Put(digits, e);
        __syncwarp();
        inverse = 0 - DigitInverse(Lowest(f));
    }

    // Divided: r = the columns / B. Requires: divisible; below 2^52, the highest below 2^50.
    DEVICE void Divided(Digits &r, Columns &c) const {
        const uint64_t comes = group.From(c.t[kEach], group.rank - 1);
        int64_t carry = group.First() ? 0 : (int64_t)comes;
        int64_t digit[kEach];
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            const int64_t sum = (int64_t)c.t[j] + carry;
            carry = (sum + kHalf) >> kShortBits;
            digit[j] = sum - (int64_t)((uint64_t)carry << kShortBits);
        }
        const int64_t above = group.From(digit[0], group.rank + 1);
#pragma unroll
        for (unsigned j = 0; j + 1 < kEach; j++) {
            r[j] = SignedToDouble(digit[j + 1]);
        }
        r[kEach - 1] = SignedToDouble(carry + (group.Last() ? (int64_t)c.t[kEach] : above));
    }

    // Sign: -1 of negative numbers, otherwise 1: that of the highest digit that is not 0, which
    // what is below does not outweigh.
    DEVICE int64_t Sign(const Digits &r) const {
        double sum = 0;
#pragma unroll
        for (unsigned j = kEach; j-- > 0;) {
            sum = fma(sum, 0x1p48, r[j]);
        }
        const uint32_t lanes = group.Ballot(sum != 0);
        const uint32_t negative = group.Ballot(sum < 0);
        const unsigned top = lanes == 0 ? 0 : 31 - (unsigned)__clz((int)lanes);
        return (negative >> top & 1) != 0 ? -1 : 1;
    }

    // Multiple: k with u d + v e + k F divisible by B, so that a quotient below 3 F / 2 follows:
    // what takes F from positive d and e and adds it to negative ones, and a rest in [-B / 2,
    // B / 2).
    DEVICE double Multiple(uint64_t d0, uint64_t e0, int64_t sd, int64_t se, int64_t u,
                           int64_t v) const {
        const uint64_t base = 0 - (uint64_t)(u * sd + v * se);
        const uint64_t rest = ((uint64_t)u * d0 + (uint64_t)v * e0) * inverse - base;
        const int64_t least = (int64_t)(rest << (64 - kShortBits)) >> (64 - kShortBits);
        return SignedToDouble((int64_t)base + least);
    }

    // Combine: r = (u a + v b) / B.
    DEVICE void Combine(Digits &r, const Digits &a, const Digits &b, int64_t u, int64_t v) const {
        Columns c;
        c.Fill(2);
        c.template Accumulate<false>(a, SignedToDouble(u));
        c.template Accumulate<false>(b, SignedToDouble(v));
        Divided(r, c);
    }
    // CombineModulo: r = (u d + v e + k F) / B.
    DEVICE void CombineModulo(Digits &r, int64_t u, int64_t v, double k) const {
        Columns c;
        c.Fill(3);
        c.template Accumulate<false>(d, SignedToDouble(u));
        AccumulateShared(c, digits, SignedToDouble(v));
        AccumulateShared(c, 0, k);
        Divided(r, c);
    }
    DEVICE void AccumulateShared(Columns &c, unsigned at, double factor) const {
        Digits a;
        Get(a, at);
        c.template Accumulate<false>(a, factor);
    }

    // IsNull: whether x = 0.
    DEVICE bool IsNull(const Number &x) const {
        bool any = false;
        for (uint64_t i = group.rank; i < x.n; i += group.lanes) {
            any = any || x.p[i] != 0;
        }
        return group.Ballot(any) == 0;
    }

    // AllZero: of the warp's numbers.
    DEVICE bool AllZero(const Digits &r) const {
        bool any = false;
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            any = any || r[j] != 0;
        }
        return !__any_sync(kAllLanes, any);
    }

    // Round: 48 steps.
    DEVICE void Round(int32_t *delta) {
        const divsteps_matrix m = divsteps_twice(delta, Lowest(f), Lowest(g), kShortBits / 2);
        Digits next;
        Combine(next, f, g, m.u, m.v);
        Combine(g, f, g, m.q, m.r);
        Copy(f, next);
        Get(next, digits);
        const uint64_t d0 = Lowest(d), e0 = Lowest(next);
        const int64_t sd = Sign(d), se = Sign(next);
        Digits e;
        CombineModulo(next, m.u, m.v, Multiple(d0, e0, sd, se, m.u, m.v));
        CombineModulo(e, m.q, m.r, Multiple(d0, e0, sd, se, m.q, m.r));
        Copy(d, next);
        __syncwarp();  // lanes that own nothing read what the first group's have
        Put(digits, e);
        __syncwarp();
    }
    DEVICE static void Copy(Digits &to, const Digits &from) {
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            to[j] = from[j];
        }
    }

    // --- Results ---

    // Unit: f where that is 1 or -1, else 0.
    DEVICE int Unit() const {
        bool others = false;
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            others = others || (Place(j) != 0 && f[j] != 0);
        }
        const double low = group.From(f[0], 0);
        return group.Ballot(others) != 0 || (low != 1 && low != -1) ? 0 : low < 0 ? -1 : 1;
    }

    // Residue: r = d, or -d, mod F: |d| <= 3 F / 2, so 2 F more is positive and below 4 F < R.
    // What is added to columns makes each positive, and is 4 R in all.
    DEVICE void Residue(Digits &r, bool negative) const {
        Digits m;
        Get(m, 0);
        uint64_t t[kEach];
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            const int64_t digit = SignedOf(negative ? -d[j] : d[j]) + 2 * SignedOf(m[j]);
            const uint64_t taken = j == 0 && group.First() ? 0 : 4;
            t[j] = (uint64_t)digit + ((uint64_t)4 << kShortBits) - taken;
        }
        Base::Normalize(t, 0);
        Base::Doubles(r, t);
        for (unsigned i = 0; i < 3; i++) {
            Reduce(r, m);
        }
    }

    // ExactQuotient: the factor = (1 + n y) / F, for the factor y < F and that divisible, where
    // `here`. A row
    // makes the lowest digit of what is left 0 and goes on to the next; the digit of the quotient
    // takes the place of y's that has had its turn.
    DEVICE void ExactQuotient(const Number &n, bool here) const {
        Digits a, m;
        Load(a, n, false);
        Get(m, 0);
        double *const factor = shared + digits;
        Columns c;
        c.Fill(0);
        c.t[0] = Place(0) == 0 ? 1 : 0;
#pragma unroll 1
        for (unsigned i = 0; i < digits; i++) {
            c.template Accumulate<false>(a, factor[i]);
            const uint64_t digit = group.From(0 - c.t[0] * inverse, 0) & kShortMask;
            const double q = DigitToDouble(digit);
            c.template Accumulate<true>(m, q);
            __syncwarp();
            if (group.First() && group.owns && here) {
                factor[i] = q;
            }
            ShiftDown(c);
        }
        __syncwarp();
    }
    DEVICE void ShiftDown(Columns &c) const {
        const uint64_t comes = group.From(c.t[0], group.rank + 1);
        const int64_t carry = group.First() ? (int64_t)c.t[0] >> kShortBits : 0;
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            c.t[j] = c.t[j + 1];
        }
        c.t[0] += (uint64_t)carry;
        c.t[kEach - 1] += group.Last() ? 0 : comes;
        c.t[kEach] = 0;
    }
};

#endif  // PRIMITIVES_RESIDUES_INVERSION_CUH_
