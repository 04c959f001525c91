// tiled_ring.cuh: residues modulo odd numbers and modulo powers of 2, each by one warp, products on
// tensor cores. Includes lanes.cuh and tiled.cuh only. Valid on: any device, the emulation.
//
// A number is 16 kTiles limbs, kEach in each of the lanes of a group, least significant first; R is
// 2^(1024 kTiles), M odd, M < R; the form of x is x R mod M, any such number below R. A product is
// T = a b, Q = T (-1 / M) mod R, (T + Q M) / R: the columns of T, the lower half of those of the
// second product, the upper half of those of the third on top of T's. M and -1 / M stay in shared
// memory as copies shifted by bytes, so that no instruction makes their fragments.
// Source: [Montgomery85]. Bounds: docs/proofs/powm.md, section 11.
#ifndef PRIMITIVES_RESIDUES_TILED_RING_CUH_
#define PRIMITIVES_RESIDUES_TILED_RING_CUH_

#include <cassert>

#include "primitives/residues/lanes.cuh"
#include "primitives/tiles/tiled.cuh"

// TiledLimbsEach: limbs of a lane: a power of two, which loads take at once.
constexpr unsigned TiledLimbsEach(unsigned tiles) {
    return tiles <= 2 ? 1 : tiles <= 4 ? 2 : tiles <= 8 ? 4 : 8;
}

// TiledRingShared: a warp's shared memory.
template <unsigned kTiles>
struct TiledRingShared {
    static constexpr unsigned kLimbs = 16 * kTiles;
    // Columns change lanes here: those of each of the eight bytes of limbs in turn, some words
    // apart, so that lanes that write pairs of columns meet in no bank.
    static constexpr unsigned kApart = (kLimbs + 31 - 8) / 32 * 32 + 8;
    static_assert(kApart >= kLimbs && kApart % 32 == 8, "room, banks");

    TiledRows<kTiles> rows;                // a value, the factor of products to come
    TiledShifts<kTiles> modulus, inverse;  // M, -1 / M mod R
    alignas(16) uint64_t m[kLimbs];        // M
    alignas(16) uint32_t columns[8 * kApart];
};

// TiledRing: sums, and products of rows. Functions are called by all lanes.
template <unsigned kTiles>
struct TiledRing {
    using Shared = TiledRingShared<kTiles>;
    using Digit = uint64_t;
    static constexpr bool kFull = true, kAlone = true;
    static constexpr unsigned kBits = 64, kEach = TiledLimbsEach(kTiles);
    static constexpr unsigned kLanes = 16 * kTiles / kEach;
    using Digits = Digit[kEach];
    using Columns = TiledColumns<kTiles, 2>;  // T and Q M
    static constexpr unsigned digits = 16 * kTiles;
    static constexpr unsigned kValue = 0, kFactor = 1;  // rows

    LaneGroup group;
    Shared &shared;
    Digit *factor;

    DEVICE TiledRing(LaneGroup of, Shared *own)
        : group(of), shared(*own), factor(own->rows.Row(kFactor)) {}
    DEVICE static uint64_t ToDigit(uint64_t bits) { return bits; }
    DEVICE static uint64_t Of(uint64_t digit) { return digit; }
    DEVICE unsigned Place(unsigned j) const { return group.rank * kEach + j; }

    // --- Sums ---

    // Carries: bit i: what goes into lane i of the group, where a number's lane `generates` a carry
    // or, all ones, lets one pass; bit kLanes: what goes out. No lane does both.
    DEVICE uint64_t Carries(const Digits &r, bool generates) const {
        uint64_t ones = r[0];
#pragma unroll
        for (unsigned j = 1; j < kEach; j++) {
            ones &= r[j];
        }
        const uint64_t generate = group.Ballot(generates);
        const uint64_t propagate = group.Ballot(ones == ~UINT64_C(0));
        return ((generate << 1) + propagate) ^ propagate;
    }

    // Ripple: r + v at the lane's lowest limb; returns the carry.
    DEVICE static bool Ripple(Digits &r, uint64_t v) {
        CarryChain chain;
        r[0] = chain.First(r[0], v);
#pragma unroll
        for (unsigned j = 1; j < kEach; j++) {
            r[j] = chain.Next(r[j], 0);
        }
        return chain.Last(0) != 0;
    }

    // Sum: r = a + b + one mod R; returns the carry.
    DEVICE bool Sum(Digits &r, const Digits &a, const Digits &b, unsigned one) const {
        CarryChain chain;
        chain.First(group.First() ? one : 0, ~UINT64_C(0));
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            r[j] = chain.Next(a[j], b[j]);
        }
        const bool generates = chain.Last(0) != 0;
        // With `one` a lane may generate a carry and be all ones: the first one, into which none
        // comes.
        const uint64_t carries = Carries(r, generates);
        Ripple(r, carries >> group.rank & 1);
        return (carries >> kLanes & 1) != 0;
    }

    // Less: r = a - b mod R where mask is all ones, a where it is 0; returns whether a >= b, or
    // false.
    DEVICE bool Less(Digits &r, const Digits &a, const Digits &b, uint64_t mask) const {
        Digits complement;
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            complement[j] = ~b[j] & mask;
        }
        return Sum(r, a, complement, (unsigned)mask & 1);
    }

    // Subtract: r = a - b mod R; returns whether a >= b.
    DEVICE bool Subtract(Digits &r, const Digits &a, const Digits &b) const {
        return Less(r, a, b, ~UINT64_C(0));
    }

    // Add: r = a + b mod R.
    DEVICE void Add(Digits &r, const Digits &a, const Digits &b) const { Sum(r, a, b, 0); }

    DEVICE void GetModulus(Digits &m) const {
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            m[j] = shared.m[Place(j)];
        }
    }

    // ReduceWith: carry R + r less M, where that is not negative.
    DEVICE void ReduceWith(Digits &r, bool carry) const {
        Digits m, less;
        GetModulus(m);
        const bool large = Subtract(less, r, m) | carry;
        const uint64_t mask = 0 - (uint64_t)large;
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            r[j] = (less[j] & mask) | (r[j] & ~mask);
        }
    }

    DEVICE static void Canonical(Digits &) {}  // limbs always are

    // Reduce: r - M where r >= M: from below 2 M to below M.
    DEVICE void Reduce(Digits &r) const { ReduceWith(r, false); }

    // AddModulo: r = a + b mod M, all below M.
    DEVICE void AddModulo(Digits &r, const Digits &a, const Digits &b) const {
        const bool carry = Sum(r, a, b, 0);
        ReduceWith(r, carry);
    }

    // Double: r = 2 r mod M, from below 2 M to below M.
    DEVICE void Double(Digits &r) const {
        Reduce(r);
        AddModulo(r, r, r);
    }

    // Negate: r = M - a; a <= M.
    DEVICE void Negate(Digits &r, const Digits &a) const {
        Digits m;
        GetModulus(m);
        Subtract(r, m, a);
    }

    // --- Rows ---

    DEVICE void Put(unsigned row, const Digits &r) const {
        struct alignas(8 * (kEach < 2 ? kEach : 2)) Some {
            uint64_t limb[kEach];
        };
        Some some;
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            some.limb[j] = r[j];
        }
        if (group.owns) {
            *(Some *)(shared.rows.Row(row) + Place(0)) = some;
        }
    }

    DEVICE void Get(Digits &r) const {
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            r[j] = shared.rows.Row(kValue)[Place(j)];
        }
    }

    // PutFactor: the factor of products to come.
    DEVICE void PutFactor(const Digits &b) const {
        __syncwarp();
        Put(kFactor, b);
        __syncwarp();
    }

    // --- Columns to limbs ---

    // Exchange: the lane's limbs of kTiles tiles of columns from kFrom on, except for what comes
    // from below; returns what goes above, at most 2^24.
    template <unsigned kFrom>
    DEVICE uint32_t Exchange(Digits &r, const Columns &all) const {
        struct alignas(8) Pair {
            uint32_t c[2];
        };
        uint32_t *const put = shared.columns + Lane() / 4 * Shared::kApart + 2 * (Lane() % 4);
        __syncwarp();
#pragma unroll
        for (unsigned i = 0; i < 2 * kTiles; i++) {
            const int32_t(&sum)[4] = all.sum[kFrom + i / 2];
            *(Pair *)(put + 8 * i) = {{(uint32_t)sum[i % 2 * 2], (uint32_t)sum[i % 2 * 2 + 1]}};
        }
        __syncwarp();
        uint64_t half[2][kEach];  // sums of four columns: below 2^31 (2^32 - 1) / 255
        Halves(half);
        CarryChain chain;
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            const uint64_t low = (uint32_t)half[0][j] | half[1][j] << 32;
            const uint64_t below = j == 0 ? 0 : half[1][j - 1] >> 32;
            const uint64_t high = below | half[0][j] >> 32 << 32;
            r[j] = j == 0 ? chain.First(low, high) : chain.Next(low, high);
        }
        return chain.Last((uint32_t)(half[1][kEach - 1] >> 32));
    }

    DEVICE void Halves(uint64_t (&half)[2][kEach]) const {
        struct alignas(4 * (kEach < 4 ? kEach : 4)) Some {
            uint32_t c[kEach];
        };
        const uint32_t *const take = shared.columns + Place(0);
#pragma unroll
        for (unsigned h = 0; h < 2; h++) {
            Some byte[4];
#pragma unroll
            for (unsigned b = 0; b < 4; b++) {
                byte[b] = *(const Some *)(take + (4 * h + b) * Shared::kApart);
            }
#pragma unroll
            for (unsigned j = 0; j < kEach; j++) {
                uint64_t sum = byte[0].c[j];
#pragma unroll
                for (unsigned b = 1; b < 4; b++) {
                    sum += (uint64_t)byte[b].c[j] << 8 * b;
                }
                half[h][j] = sum;
            }
        }
    }

    // Limbs: r = `into` and the tiles of columns from kFrom on, mod R; returns what goes above.
    template <unsigned kFrom>
    DEVICE uint32_t Limbs(Digits &r, const Columns &all, uint32_t into) const {
        const uint32_t above = Exchange<kFrom>(r, all);
        const uint32_t below = group.From(above, group.rank - 1);
        const bool generates = Ripple(r, group.First() ? into : below);
        const uint64_t carries = Carries(r, generates);
        Ripple(r, carries >> group.rank & 1);
        return group.From(above, kLanes - 1) + (uint32_t)(carries >> kLanes & 1);
    }

    // --- Products ---

    // BelowUpper: what the columns of Q M below R give to those above, with T mod R, whose highest
    // word is `top`: the sum is a multiple of R. Of its columns the highest three and 24 bits of T
    // are added; the others are below 1 at the lowest of these places, so rounding up is exact.
    // Words of M come from its copies; where shared memory is what limits, from one of them, which
    // is shifted, and the lane above has the next one.
    DEVICE uint32_t BelowUpper(const Digits &q, uint32_t top) const {
        constexpr bool kFew = kTiles <= 4;
        const int first = 2 * (int)(digits - 1 - Place(0));
        uint32_t m[2 * kEach + 1];  // in falling order, the lowest for q's lowest word
        uint64_t sum = (uint64_t)(top >> 8) + 0xFFFFFF;
#pragma unroll
        for (unsigned s = 3; s > 0; s--) {
#pragma unroll
            for (unsigned j = 0; j < kEach && (s == 3 || !kFew); j++) {
                const uint64_t two =
                    *(const uint64_t *)(shared.modulus.Copy(s) + first - 2 * (int)j);
                m[2 * j] = (uint32_t)(two >> 32), m[2 * j + 1] = (uint32_t)two;
            }
            if (s == 3 && kFew) {
                const uint32_t next = group.From(m[0], group.rank + 1);
                m[2 * kEach] = group.rank + 1 < kLanes ? next : 0;
            }
            uint32_t column = 0;
#pragma unroll
            for (unsigned j = 0; j < 2 * kEach; j++) {
                const uint32_t word =
                    kFew ? __byte_perm(m[j], m[j + 1], 0x6543 - 0x1111 * s) : m[j];
                column = DotBytes(column, (uint32_t)(q[j / 2] >> 32 * (j % 2)), word);
            }
            column = __reduce_add_sync(kAllLanes, group.owns ? column : 0);
            sum += (uint64_t)column << 8 * (s - 1);
        }
        return (uint32_t)(sum >> 24);
    }

    // RowProduct: {value} = {value} {row} / R mod M, below R; below 2 M where {value} {row} < R M;
    // at most M for a row of 1. The same instructions and addresses for all values.
    // Cost: some 8 kTiles^2 + 10 kTiles products of fragments; columns change lanes three times.
    DEVICE void RowProduct(unsigned row) const {
        const TiledLane lane;
        const uint32_t *const value = shared.rows.Words(lane, kValue);
        Columns columns;
        columns.Clear();
        columns.Add(value, shared.rows.Windows(lane, row));
        Digits r;
        uint32_t into = Limbs<0>(r, columns, 0);
        const uint32_t top = group.From((uint32_t)(r[kEach - 1] >> 32), kLanes - 1);
        Put(kValue, r);
        __syncwarp();
        columns.template ClearTo<kTiles>();
        columns.template Add<0, kTiles>(value, shared.inverse.Windows(lane));
        Limbs<0>(r, columns, 0);
        Put(kValue, r);
        __syncwarp();
        into += BelowUpper(r, top);
        columns.template Add<kTiles, 2 * kTiles>(value, shared.modulus.Windows(lane));
        const uint32_t carry = Limbs<kTiles>(r, columns, into);
        assert(carry <= 1);  // below R + M
        Digits m;
        GetModulus(m);
        Less(r, r, m, 0 - (uint64_t)carry);
        Put(kValue, r);
        __syncwarp();
    }

    // RowProductLow: {value} = {value} {factor} mod R.
    DEVICE void RowProductLow() const {
        const TiledLane lane;
        Columns columns;
        columns.template ClearTo<kTiles>();
        columns.template Add<0, kTiles>(shared.rows.Words(lane, kValue),
                                        shared.rows.Windows(lane, kFactor));
        Digits r;
        Limbs<0>(r, columns, 0);
        Put(kValue, r);
        __syncwarp();
    }
};

#endif  // PRIMITIVES_RESIDUES_TILED_RING_CUH_
