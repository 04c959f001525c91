// tiled.cuh: the convolution of two rows of bytes by one warp, in tiles that tensor cores multiply:
// rows of words in shared memory to columns in registers. Works on bytes; carries are the caller's.
// Includes falling.cuh and instructions.cuh.
//
// c_t = sum over i of a_i b_(t-i) for bytes a, b. Columns are t = 64 y + 8 n + g with g, n < 8.
// Step p takes 32 bytes of a from 32 p + 8 n - 56 on to each n, and to each (y, g) those of b that
// they meet:
//
//   c_(64 y + 8 n + g) += sum over l < 32 of B_u[g][l] A_p[l][n],  u = 2 y - p
//   A_p[l][n] = a_(32 p + 8 n - 56 + l),  B_u[g][l] = b_(32 u + 56 + g - l)
//
// so that each a_i meets a column in exactly one step. B_u stands for all y and p with the same u,
// and a tile, y = 2 m and 2 m + 1, is the product of the 16 rows of B_u, B_(u+2) by A_p: so a warp
// takes every B_u once, words of bytes in falling order that begin anywhere in a word. It makes
// them by a permutation of bytes for each register; or, where tiles are many, loads them from four
// copies of the row that are made before: beside products on tensor cores a load takes no time of
// the registers, an instruction that reads three of them two cycles. A_p is made of whole words.
// With p = 2 k + phase and u = 2 j - phase, m = (j + k) / 2: a phase has the A of all k and goes
// through the B of all j. tiled_words.cuh has other columns, whose words need not change lanes.
#ifndef PRIMITIVES_TILES_TILED_CUH_
#define PRIMITIVES_TILES_TILED_CUH_

#include <type_traits>

#include "primitives/cuda/instructions.cuh"
#include "primitives/tiles/falling.cuh"

// TiledLane: where the calling lane's shares begin, the same in all of a kernel. Lane() is 4 g +
// tig for B, 4 n + tig for A; it takes l = 8 tig + 4 half + 0 .. 3.
struct TiledLane {
    int a, b;         // words from the rows' first ones, for p = 0 and u = 0
    unsigned shift;   // bytes g modulo 4
    uint32_t select;  // bytes g, g - 1, g - 2, g - 3 modulo 4, counted from the upper of two words
    uint32_t other;   // the same, where the words have changed places

    DEVICE TiledLane() {
        const int upper = (int)(Lane() / 4), tig = (int)(Lane() % 4);
        a = 2 * upper - 14 + 2 * tig;
        b = 14 + upper / 4 - 2 * tig;
        shift = (unsigned)upper % 4;
        select = FallingSelector(shift);
        other = Again(select ^ 0x4444);
    }
};

// TiledHankel: the calling lane's share of A_p, by half.
struct TiledHankel {
    uint32_t half[2];
};

// TiledWindows: the B of a phase from a row in shared memory. Begin, then for each j in order Rows,
// the calling lane's share of B_(u-2) and B_u as rows of a product, and Next; B_u twice, made by
// two instructions, since it stands in two quads of registers, as rows g and as rows g + 8: where
// there is one of it, the compiler moves it, 425 times for the 1104 products of 16 tiles.
struct TiledWindows {
    const uint32_t *b;  // from the lane's place on
    uint32_t select, other;

    struct Pair {
        uint32_t low[2], high[2];
    };
    Pair before = {}, next = {};

    DEVICE void Begin(unsigned phase) { before = {}, next = At(0, phase); }
    DEVICE void Rows(uint32_t (&rows)[4]) const {
        rows[0] = before.low[0], rows[1] = next.high[0];
        rows[2] = before.low[1], rows[3] = next.high[1];
    }
    // Next: j is the next one; B_u is 0 where it is beyond the row.
    DEVICE void Next(unsigned j, unsigned phase, bool beyond) {
        before = next;
        next = beyond ? Pair{} : At(j, phase);
    }

   private:
    DEVICE Pair At(unsigned j, unsigned phase) const {
        const uint32_t *const at = b + 16 * j - 8 * phase;
        const uint32_t word[3] = {at[-2], at[-1], at[0]};
        return {{__byte_perm(word[1], word[2], select), __byte_perm(word[0], word[1], select)},
                {__byte_perm(word[2], word[1], other), __byte_perm(word[1], word[0], other)}};
    }
};

// TiledShifted: the same from TiledShifts. volatile: each word is loaded as often as it is used;
// else it is loaded once and moved.
struct TiledShifted {
    const volatile uint32_t *b;  // from the lane's place on
    const volatile uint32_t *at = nullptr;

    DEVICE void Begin(unsigned phase) { Next(0, phase, false); }
    DEVICE void Rows(uint32_t (&rows)[4]) const {
        rows[0] = at[-16], rows[1] = at[0], rows[2] = at[-17], rows[3] = at[-1];
    }
    DEVICE void Next(unsigned j, unsigned phase, bool) { at = b + 16 * j - 8 * phase; }
};

// TiledKept: the same with each word loaded once and moved: where tiles are few, what limits is
// shared memory.
struct TiledKept {
    const uint32_t *b;  // from the lane's place on
    uint32_t before[2] = {}, next[2] = {};

    DEVICE void Begin(unsigned phase) { next[0] = *At(0, phase), next[1] = At(0, phase)[-1]; }
    DEVICE void Rows(uint32_t (&rows)[4]) const {
        rows[0] = before[0], rows[1] = next[0], rows[2] = before[1], rows[3] = next[1];
    }
    DEVICE void Next(unsigned j, unsigned phase, bool beyond) {
        before[0] = next[0], before[1] = next[1];
        next[0] = beyond ? 0 : *At(j, phase), next[1] = beyond ? 0 : At(j, phase)[-1];
    }

   private:
    DEVICE const uint32_t *At(unsigned j, unsigned phase) const { return b + 16 * j - 8 * phase; }
};

// TiledShifts: four copies of a row of up to 16 kTiles limbs in shared memory, words of bytes in
// falling order: word w of copy s is bytes 4 w + s, and down to 4 w + s - 3, of the row.
template <unsigned kTiles>
struct TiledShifts {
    static constexpr unsigned kRow = 32 * kTiles;  // words
    // A phase reads words 8 u + 7 .. 8 u + 15, -3 <= u <= 4 kTiles + 1. Those outside the row are
    // zeros, except for bytes of the row in word kRow. Copies are a quarter of the banks apart, and
    // a lane's eight places in them follow each other.
    static constexpr unsigned kBelow = 20, kAbove = 24, kApart = kRow + 40;
    static constexpr unsigned kAll = kBelow + 3 * kApart + kRow + kAbove;
    static_assert(kBelow >= 17 && kBelow % 4 == 0 && kAbove >= 24, "zeros, quads");
    static_assert(kApart >= kRow + kAbove && kApart % 32 == 8, "zeros, banks");
    struct alignas(16) Quad {
        uint32_t w[4];
    };
    alignas(16) uint32_t room[kAll];

    DEVICE uint32_t *Copy(unsigned s) { return room + kBelow + kApart * s; }

    // Make: of a row of TiledRows, by the calling warp; meetings must stand around it.
    DEVICE void Make(const uint64_t *limbs) {
        const uint32_t *const row = (const uint32_t *)limbs;
#pragma unroll
        for (unsigned i = 0; i < kRow; i += 4 * kWarp) {
            const unsigned from = i + 4 * Lane();
            if (i + 4 * kWarp <= kRow || from < kRow) {
                const Quad words = *(const Quad *)(row + from);
                const uint32_t all[5] = {row[(int)from - 1], words.w[0], words.w[1], words.w[2],
                                         words.w[3]};
#pragma unroll
                for (unsigned s = 0; s < 4; s++) {
                    Quad shifted;
#pragma unroll
                    for (unsigned k = 0; k < 4; k++) {
                        shifted.w[k] = Falling(all[k], all[k + 1], s);
                    }
                    *(Quad *)(Copy(s) + from) = shifted;
                }
            }
        }
        if (Lane() < 3) {
            Copy(Lane())[kRow] = Falling(row[kRow - 1], 0, Lane());
        }
    }
    using Shifted = std::conditional_t<(kTiles <= 4), TiledKept, TiledShifted>;
    DEVICE Shifted Windows(const TiledLane &lane) { return {Copy(lane.shift) + lane.b}; }
    // Clear makes all of it zero, by the calling warp.
    DEVICE void Clear() {
#pragma unroll 1
        for (unsigned i = Lane(); i < kAll; i += kWarp) {
            room[i] = 0;
        }
    }

   private:
    // Bytes s, s - 1, s - 2, s - 3 of `word`, those below it from `below`.
    DEVICE static uint32_t Falling(uint32_t below, uint32_t word, unsigned s) {
        return __byte_perm(below, word, FallingSelector(s));
    }
};

// TiledRows: two rows of up to 16 kTiles limbs in shared memory, zeros around them so that no step
// asks whether there is a word. Each may be either factor, or both.
template <unsigned kTiles>
struct TiledRows {
    static constexpr unsigned kLimbs = 16 * kTiles, kWords = 2 * kLimbs;
    // Limbs of zeros below, between and above. A step reads words 8 p - 14 .. 8 p + 7 of a, 0 <= p
    // <= 4 kTiles + 1, and 8 u + 6 .. 8 u + 15 of b, -1 <= u <= 4 kTiles.
    static constexpr unsigned kZeros = 8;
    static_assert(2 * kZeros >= 14 && 2 * kZeros >= 8 * (4 * kTiles + 1) + 7 - kWords + 1, "a");
    static_assert(2 * kZeros >= 2 && 2 * kZeros >= 8 * 4 * kTiles + 15 - kWords + 1, "b");
    static constexpr unsigned kAll = 2 * kLimbs + 3 * kZeros;

    alignas(16) uint64_t room[kAll];

    DEVICE uint64_t *Row(unsigned k) { return room + kZeros + k * (kLimbs + kZeros); }
    DEVICE const uint32_t *Words(const TiledLane &lane, unsigned k) {
        return (const uint32_t *)Row(k) + lane.a;
    }
    DEVICE TiledWindows Windows(const TiledLane &lane, unsigned k) {
        return {(const uint32_t *)Row(k) + lane.b, lane.select, lane.other};
    }
    // Clear makes all of it zero, by the calling warp.
    DEVICE void Clear() {
#pragma unroll 1
        for (unsigned i = Lane(); i < kAll; i += kWarp) {
            room[i] = 0;
        }
    }
};

// TiledLimb: the sum of eight columns, each at most kMost, of which number i stands at byte i: its
// low 64 bits, and in spill the others. low: columns 0 to 3; high: 4 to 7. The sum is below kMost
// 2^57, so spills are below 2^21.
template <uint64_t kMost>
DEVICE uint64_t TiledLimb(const uint32_t (&low)[4], const uint32_t (&high)[4], uint32_t *spill) {
    static_assert(kMost < UINT64_C(1) << 28, "spills have 21 bits");
    // Two columns of short rows in a word.
    constexpr unsigned kEach = kMost * 257 < UINT64_C(1) << 32 ? 2 : 1;
    uint32_t limb[3] = {};
#pragma unroll
    for (unsigned x = 0; x < 4; x += kEach) {
        const uint32_t l = kEach == 1 ? low[x] : low[x] + 256 * low[x + 1];
        const uint32_t h = kEach == 1 ? high[x] : high[x] + 256 * high[x + 1];
        const unsigned up = 8 * x;
        if (x == 0) {
            limb[0] = l, limb[1] = h;
        } else {
            AddTriple(limb, l << up, h << up | l >> (32 - up), h >> (32 - up));
        }
    }
    *spill = limb[2];
    return (uint64_t)limb[1] << 32 | limb[0];
}

// TiledColumns: the columns of a product of two rows of up to 16 kTiles limbs, or of the sum of as
// many as kRows of them.
template <unsigned kTiles, unsigned kRows = 1>
struct TiledColumns {
    static constexpr unsigned kM = 2 * kTiles, kK = 2 * kTiles + 1;
    // A column is a sum of at most as many products of bytes as the rows have bytes.
    static constexpr uint64_t kMost = UINT64_C(255) * 255 * (8 * 16 * kTiles * kRows);
    static_assert(kMost < UINT64_C(1) << 31, "sums in 32 bits do not overflow");

    int32_t sum[kM][4];  // [m][2 (y % 2) + n % 2], n / 2 = Lane() % 4, g = Lane() / 4

    DEVICE void Clear() { ClearTo<kM>(); }
    // ClearTo: the columns of the first tiles alone.
    template <unsigned kTo>
    DEVICE void ClearTo() {
#pragma unroll
        for (unsigned i = 0; i < 4 * kTo; i++) {
            sum[i / 4][i % 4] = 0;
        }
    }

    // The pairs of one phase that lead to tiles kFrom to kTo - 1, by TiledWindows, TiledShifted or
    // TiledKept.
    // B_u is 0 for u < -1 and, beyond the row, for u > 4 kTiles.
    template <unsigned kFrom, unsigned kTo, class Windows>
    DEVICE void Phase(const uint32_t *a, Windows b, unsigned phase) {
        TiledHankel hankel[kK];
#pragma unroll
        for (unsigned k = 0; k < kK; k++) {
            const uint64_t two = k < 2 * kTo ? *(const uint64_t *)(a + 16 * k + 8 * phase) : 0;
            hankel[k] = {{(uint32_t)two, (uint32_t)(two >> 32)}};
        }
        b.Begin(phase);
#pragma unroll
        for (unsigned at = 0; at <= kK && at < 2 * kTo; at++) {
            if (at < kK || phase == 1) {
                uint32_t rows[4];
                b.Rows(rows);
#pragma unroll
                for (unsigned k = 0; k < kK; k++) {
                    const unsigned twice = at + k - 1;  // 2 m, if that is even
                    if (at + k > 2 * kFrom && twice % 2 == 0 && twice / 2 < kTo) {
                        MultiplyBytes(sum[twice / 2], rows, hankel[k].half);
                    }
                }
            }
            if (at < kK) {
                b.Next(at + 1, phase, at + 1 == kK);
            }
        }
    }

    // Add adds the columns of a product, or those of tiles kFrom to kTo - 1 alone.
    template <unsigned kFrom = 0, unsigned kTo = kM, class Windows>
    DEVICE void Add(const uint32_t *a, const Windows &b) {
        if constexpr (kTiles <= 4) {
            Phase<kFrom, kTo>(a, b, 0);
            Phase<kFrom, kTo>(a, b, 1);
        } else {
#pragma unroll 1
            for (unsigned phase = 0; phase < 2; phase++) {
                Phase<kFrom, kTo>(a, b, phase);
            }
        }
    }
};

#endif  // PRIMITIVES_TILES_TILED_CUH_
