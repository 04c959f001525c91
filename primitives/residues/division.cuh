// division.cuh: remainders and quotients of numbers spread over lanes of a warp, one digit after
// the other from the top, and products that are reduced as they are formed. Includes lanes.cuh and
// number.cuh. Valid on: any device, the emulation.
//
// Digits have 48 bits, B = 2^48. The divisor is scaled by 2^shift so that its top bit is the second
// of the top digit: M in [R / 4, R / 2). A row takes T to T B + x b - q M, where x is a digit of
// one factor and b < M the other one, or T B + x for a digit of a dividend; q comes from the two
// highest columns of T by one product with 1 / M, so that 0 <= T < 2 M stays. Sums are kept in
// columns of 64 bits without carries. That reciprocal is the only thing computed from the divisor
// in advance. The divisor may be even. A product modulo M costs as much as a Montgomery product.
// Source: [Blakley83], [Barrett86]; bounds: docs/proofs/division_device.md.
#ifndef PRIMITIVES_RESIDUES_DIVISION_CUH_
#define PRIMITIVES_RESIDUES_DIVISION_CUH_

#include <cmath>

#include "primitives/residues/lanes.cuh"
#include "primitives/residues/number.cuh"

// ShortColumns: sums of products of short digits in a lane's places and the one above, which is
// the lowest of the lane above and gets there when all is added up. Signed, modulo 2^64.
template <unsigned kEach>
struct ShortColumns {
    uint64_t t[kEach + 1];

    // Fill: every column as if that many products of 0 had been subtracted: their biases.
    DEVICE void Fill(unsigned products) {
#pragma unroll
        for (unsigned j = 0; j <= kEach; j++) {
            t[j] = 0 - products * Bias(j);
        }
    }

    // Bias: what a product adds to a column beside its halves.
    DEVICE static constexpr uint64_t Bias(unsigned j) {
        return (j < kEach ? kLowBits : 0) + (j > 0 ? kShortHighBits : 0);
    }

    // Accumulate: t + a b, or t - a b, for one digit b: low halves in their places, high halves
    // one above, with biases.
    template <bool kMinus>
    DEVICE void Accumulate(const double (&a)[kEach], double b) {
        uint64_t below = 0;
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            uint64_t high;
            const uint64_t low = ShortProduct(&high, a[j], b);
            t[j] = kMinus ? t[j] - low - below : t[j] + low + below;
            below = high;
        }
        t[kEach] = kMinus ? t[kEach] - below : t[kEach] + below;
    }
};

template <unsigned kEach>
struct Division : LaneDigits<kEach, kShortBits> {
    using Base = LaneDigits<kEach, kShortBits>;
    using Base::digits, Base::group, Base::Place, Base::Reduce;
    using Columns = ShortColumns<kEach>;
    using Digits = double[kEach];

    double *factor;     // the group's own `digits` of shared memory: digits whose turn comes
    Digits m;           // M
    double reciprocal;  // of M B / R, in the last lane; 0 for M = 0, whose remainders mean nothing
    unsigned shift;

    DEVICE Division(LaneGroup of, double *shared) : Base(of), factor(shared) {}

    // Load: r = the digits of x 2^shift from that one on.
    DEVICE void Load(Digits &r, const Number &x, uint64_t first) const {
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            const uint64_t bit = kShortBits * (first + Place(j));
            r[j] = DigitToDouble(x.DigitUp<kShortBits>(bit, shift));
        }
    }

    // SetModulus: M = n 2^shift. Requires: n < R / 2. Returns whether n > 0.
    DEVICE bool SetModulus(const Number &n) {
        unsigned own = 0, bits = 0;
        for (uint64_t i = group.rank; i < n.n; i += group.lanes) {
            own = n.p[i] != 0 ? 64 * (unsigned)i + BitLength(n.p[i]) : own;
        }
        for (unsigned lane = 0; lane < group.lanes; lane++) {
            bits = max(bits, group.From(own, lane));
        }
        shift = bits == 0 ? 0 : kShortBits * digits - 1 - bits;
        Load(m, n, 0);
        reciprocal = bits == 0 ? 0 : 1 / (m[kEach - 1] + m[kEach - 2] * 0x1p-48);
        return bits > 0;
    }

    // --- Rows ---

    // ShiftUp: T B. The highest two columns become one, as T < R.
    DEVICE static void ShiftUp(const LaneGroup &group, Columns &c) {
        const uint64_t comes = group.From(c.t[kEach], group.rank - 1);
        const uint64_t top = c.t[kEach - 1] + (group.Last() ? c.t[kEach] << kShortBits : 0);
#pragma unroll
        for (unsigned j = kEach - 1; j > 0; j--) {
            c.t[j] = c.t[j - 1];
        }
        c.t[kEach] = top;
        c.t[0] = 0;
        c.t[1] += group.First() ? 0 : comes;
    }

    // Quotient: T / M, at most 2 too small, of columns with the biases of one product.
    DEVICE double Quotient(const Columns &c) const {
        const int64_t high = (int64_t)(c.t[kEach] - Columns::Bias(kEach));
        const int64_t low = (int64_t)(c.t[kEach - 1] - Columns::Bias(kEach - 1));
        const double top = fma((double)high, 0x1p48, (double)low);
        // To the nearest integer, less 1: the sum is in [2^52, 2^53).
        const double q = fma(top, reciprocal, 0x1.8p52 - 1) - 0x1.8p52;
        return group.From(q < 0 ? 0 : q, group.lanes - 1);
    }

    // Row: T = T B + x b - q M; returns q. Requires: b < M.
    DEVICE double Row(Columns &c, const Digits &b, double x) const {
        ShiftUp(group, c);
        c.template Accumulate<false>(b, x);
        const double q = Quotient(c);
        c.template Accumulate<true>(m, q);
        return q;
    }

    // RowOfDividend: T = T B + x - q M; returns q.
    DEVICE double RowOfDividend(Columns &c, double x) const {
        ShiftUp(group, c);
#pragma unroll
        for (unsigned j = 0; j <= kEach; j++) {
            c.t[j] += Columns::Bias(j);
        }
        c.t[0] += group.First() ? DigitOf(x) : 0;
        const double q = Quotient(c);
        c.template Accumulate<true>(m, q);
        return q;
    }

    // FromTop: row(x, i) for the digits i = count - 1 .. 0 of x 2^up, through shared memory.
    // Requires: count is the warp's.
    template <class F>
    DEVICE void FromTop(const Number &x, uint64_t count, unsigned up, F row) const {
        for (uint64_t end = count; end > 0;) {
            const uint64_t begin = (end - 1) / digits * digits;
            __syncwarp();
            for (unsigned at = group.rank; at < digits && group.owns; at += group.lanes) {
                factor[at] = DigitToDouble(x.DigitUp<kShortBits>(kShortBits * (begin + at), up));
            }
            __syncwarp();
#pragma unroll 1
            for (uint64_t i = end; i-- > begin;) {
                row(factor[i - begin], i);
            }
            end = begin;
        }
    }

    // Finish: r = T mod M, from columns whose value is in [0, 2 M); returns whether T >= M. What is
    // added makes columns, which are below 2^62, positive, and is 2^14 R in all.
    DEVICE bool Finish(Digits &r, Columns &c) const {
        const uint64_t comes = group.From(c.t[kEach], group.rank - 1);
        c.t[0] += group.First() ? 0 : comes;
        uint64_t t[kEach];
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            const uint64_t taken = j == 0 && group.First() ? 0 : (uint64_t)1 << 14;
            t[j] = c.t[j] + ((uint64_t)1 << 62) - taken;
        }
        Base::Normalize(t, 0);
        Base::Doubles(r, t);
        return Reduce(r, m);
    }

    // --- Numbers ---

    // RowsOf: how many rows the dividend takes beyond its highest digits, which are T, below R / 2
    // <= 2 M, to begin with: of the warp's longest.
    DEVICE uint64_t RowsOf(const Number &x) const {
        const uint64_t all = word_ceil_div(64 * x.n + shift + 1, kShortBits);
        return __reduce_max_sync(kAllLanes, all <= digits ? 0 : (unsigned)(all - digits));
    }

    // Divide: r = x 2^shift mod M, in that many rows; digit(q, i) gets the digits of x / n from the
    // top, below 2^50; returns what is to be added to them, 0 or 1.
    template <class F>
    DEVICE bool Divide(Digits &r, const Number &x, uint64_t rows, F digit) const {
        Load(r, x, rows);
        Columns c;
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            c.t[j] = DigitOf(r[j]);
        }
        c.t[kEach] = 0;
        FromTop(x, rows, shift, [&](double next, uint64_t i) { digit(RowOfDividend(c, next), i); });
        return Finish(r, c);
    }

    // Multiply: r = b x mod M for b < M; r may be b.
    DEVICE void Multiply(Digits &r, const Digits &b, const Number &x) const {
        const unsigned count =
            __reduce_max_sync(kAllLanes, (unsigned)word_ceil_div(64 * x.n, kShortBits));
        Columns c;
        c.Fill(0);
        FromTop(x, count, 0, [&](double next, uint64_t) { Row(c, b, next); });
        Finish(r, c);
    }

    // PutRemainder: x = r 2^-shift, or 0, where `real`.
    DEVICE void PutRemainder(const Number &x, const Digits &r, bool zero, bool real) const {
        __syncwarp();
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            if (group.owns) {
                factor[Place(j)] = zero ? 0 : r[j];
            }
        }
        __syncwarp();
        if (real && group.owns) {
            PutLimbs<kShortBits>(x, group.rank, group.lanes, digits, shift,
                                 [&](uint64_t i) { return DigitOf(factor[i]); });
        }
        __syncwarp();
    }
};

#endif  // PRIMITIVES_RESIDUES_DIVISION_CUH_
