// square.cuh: squares in the rings of montgomery.cuh by half the products, for numbers in one lane
// each. Includes montgomery.cuh only. Valid on: any device, the emulation.
//
// The columns of r^2 are made from r's digits in registers; the upper half lies in the lane's own
// shared memory until rows of the reduction add it. Bounds: docs/proofs/powm.md, section 7.
#ifndef PRIMITIVES_RESIDUES_SQUARE_CUH_
#define PRIMITIVES_RESIDUES_SQUARE_CUH_

#include "primitives/residues/montgomery.cuh"

// SquareDoubles: a lane's own shared memory: the factor and upper columns. Odd, for ForEachGroup.
static HOST_DEVICE unsigned SquareDoubles(unsigned each) { return 2 * each | 1; }

template <unsigned kEach, bool kOne>
struct SquareRing : Montgomery<kEach, kOne> {
    using Base = Montgomery<kEach, kOne>;
    using Base::Montgomery;
    // Rows of the reduction at once; all where they are short.
    static constexpr unsigned kSquareRows = kEach > 10 ? 2 : kEach;

    // Left: what the exponents of the half products that a column meets in the reduction from place
    // j down to 0 add up to: at place 0 none, for the low half there is left out; at place kEach
    // high halves, else both.
    DEVICE static constexpr uint64_t Left(unsigned j) {
        return j * (kLowBits + kHighBits) - (j < kEach ? 0 : kLowBits);
    }

    // Pairs: how many products of two different digits weigh as much as digit c.
    DEVICE static constexpr unsigned Pairs(unsigned c) {
        return c > 2 * kEach - 3 ? 0 : c < kEach ? (c + 1) / 2 : (2 * kEach - 1 - c) / 2;
    }

    // Upper: columns kEach and above.
    DEVICE uint64_t *Upper() const { return reinterpret_cast<uint64_t *>(this->factor) + kEach; }

    // Square: r = r^2 / R mod M, below 2 M before and after. Requires: groups of one lane, with
    // SquareDoubles of shared memory. Cost: kEach (kEach + 1) / 2 digit products for the columns,
    // kEach^2 to reduce them. The same instructions and addresses for all values.
    DEVICE void Square(double (&r)[kEach]) const {
        uint64_t lower[kEach];
        PutColumns(lower, r);
        ReduceColumns(r, lower);
    }

    // PutColumns: twice the products of two different digits, and each digit's square: the columns,
    // lower ones below kEach.
    DEVICE void PutColumns(uint64_t (&lower)[kEach], const double (&a)[kEach]) const {
        uint64_t *const upper = Upper();
        uint64_t t[2 * kEach];
#pragma unroll
        for (unsigned c = 0; c < 2 * kEach; c++) {
            t[c] = 0 - Pairs(c) * kLowBits - (c == 0 ? 0 : Pairs(c - 1) * kHighBits);
        }
#pragma unroll
        for (unsigned i = 0; i < kEach; i++) {
            uint64_t below = 0, high;
#pragma unroll
            for (unsigned j = i + 1; j < kEach; j++) {
                const uint64_t low = DigitProduct(&high, a[j], a[i]);
                t[i + j] += low + below;
                below = high;
            }
            t[i + kEach] += below;
            const uint64_t low = DigitProduct(&high, a[i], a[i]);
            t[2 * i] = 2 * t[2 * i] + (low - kLowBits);
            t[2 * i + 1] = 2 * t[2 * i + 1] + (high - kHighBits);
        }
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            lower[j] = t[j];
            upper[j] = t[kEach + j];
        }
    }

    // ReduceColumns: r = the columns / R mod M, below 2 M where they are below R M; t: the lower
    // ones. The lowest column and the low half that makes it a multiple of 2^52 are never added up:
    // their sum is that column rounded up.
    DEVICE void ReduceColumns(double (&r)[kEach], uint64_t (&t)[kEach]) const {
        const uint64_t *const upper = Upper();
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            t[j] -= Left(j);
        }
#pragma unroll kSquareRows
        for (unsigned i = 0; i < kEach; i++) {
            const double q = DigitToDouble(t[0] * this->inverse & kDigitMask);
            uint64_t high = DigitHigh(this->m[0], q) + ((t[0] + kDigitMask) >> kDigitBits);
#pragma unroll
            for (unsigned j = 1; j < kEach; j++) {
                const uint64_t below = high;
                const uint64_t low = DigitProduct(&high, this->m[j], q);
                t[j - 1] = t[j] + low + below;
            }
            t[kEach - 1] = high + (upper[i] - Left(kEach));
        }
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            t[j] += Left(j);
        }
        this->Ripple(t, 0);
        this->Doubles(r, t);
    }
};

#endif  // PRIMITIVES_RESIDUES_SQUARE_CUH_
