// tiled.cuh: the convolution of two rows of bytes by one warp, in tiles that tensor cores multiply:
// rows of words in shared memory to columns in registers. Knows nothing of integers. Includes
// instructions.cuh.
//
// c_t = sum over i of a_i b_(t-i) for bytes a, b. A tile is 256 columns, t = 256 R + 32 g + 4 n + x
// with g, n < 8, x < 4: a matrix of 32 rows (g, x) and 8 columns n. Step p takes the 32 bytes of a
// from 32 p + 4 n - 28 on to each column n, and to each row those of b that they meet:
//
//   tile R += B_p A_p,  A_p[l][n] = a_(32 p + 4 n - 28 + l)
//                       B_p[(g, x)][l] = b_(256 R - 32 p + 32 g + x + 28 - l)
//
// so that a column's a_i are taken by exactly one step. A_p depends on p alone and B_p on 8 R - p:
// with p = 8 s + rho, a step of rho has the A of each s and the B of each d = R - s, and multiplies
// all pairs. Rows of B are bytes in falling order that begin at every place of a word, which one
// permutation of bytes makes of two words; A is made of whole words. With rows and columns numbered
// as above, the accumulators of a lane are the 8 columns of one limb, lane 0's the lowest.
#ifndef PRIMITIVES_TILED_CUH_
#define PRIMITIVES_TILED_CUH_

#include "primitives/instructions.cuh"

// TiledToeplitz: the calling lane's share of B_p for one 8 R - p: rows x = 2 m, 2 m + 1 at [m], as
// MultiplyBytes has them.
struct TiledToeplitz {
    uint32_t rows[2][4];

    // Where lane (g, tig) = Lane() / 4, Lane() % 4 begins in a row, in words: it takes l = 8 tig +
    // 4 half + byte.
    DEVICE static int Place() { return (int)(8 * (Lane() / 4)) + 6 - (int)(2 * (Lane() % 4)); }

    TiledToeplitz() = default;
    // b: word 64 d - 8 rho of the row, and the lane's place further.
    DEVICE explicit TiledToeplitz(const uint32_t *b) {
        const uint64_t two = *(const uint64_t *)b;
        const uint32_t word[3] = {b[-1], (uint32_t)two, (uint32_t)(two >> 32)};
#pragma unroll
        for (unsigned x = 0; x < 4; x++) {
            // Bytes x, x - 1, x - 2, x - 3, counted from the upper of two words.
            const uint32_t select = (4 + x) | (3 + x) << 4 | (2 + x) << 8 | (1 + x) << 12;
            rows[x / 2][x % 2] = SelectBytes(word[1], word[2], select);
            rows[x / 2][2 + x % 2] = SelectBytes(word[0], word[1], select);
        }
    }
};

// TiledHankel: the calling lane's share of A_p, for l as above.
struct TiledHankel {
    uint32_t half[2];

    // Where lane (n, tig) begins in a row, in words.
    DEVICE static int Place() { return (int)(Lane() / 4 + 2 * (Lane() % 4)) - 7; }
    // a: word 8 p of the row, and the lane's place further.
    DEVICE void Take(const uint32_t *a) { half[0] = a[0], half[1] = a[1]; }
};

// Where a step has its B from: made of a row in shared memory anew in each step,
struct TiledWindows {
    const uint32_t *b;  // word 0 of the row, and the lane's place further

    DEVICE TiledToeplitz At(unsigned d, unsigned rho) const {
        return TiledToeplitz(b - 8 * rho + 64 * d);
    }
};

// or kept in registers: all B of a row that many are multiplied by. For kTiles <= 2.
template <unsigned kTiles>
struct TiledKept {
    static constexpr unsigned kSteps = kTiles == 1 ? 5 : 8;
    TiledToeplitz kept[kSteps][kTiles];

    DEVICE void Take(const TiledWindows &windows) {
#pragma unroll
        for (unsigned i = 0; i < kSteps * kTiles; i++) {
            kept[i / kTiles][i % kTiles] = windows.At(i % kTiles, i / kTiles);
        }
    }
    DEVICE const TiledToeplitz &At(unsigned d, unsigned rho) const { return kept[rho][d]; }
};

// TiledRows: two rows in shared memory, aligned to 8 bytes, zeros around them so that no step asks
// whether there is a word: a has up to 16 kTiles limbs, b up to 32 kBlocks.
template <unsigned kTiles>
struct TiledRows {
    static constexpr unsigned kBlocks = (kTiles + 1) / 2;  // of 32 limbs, in each row
    static constexpr unsigned kLimbs = 32 * kBlocks;
    // Limbs of zeros: step p reads words 8 p - 7 .. 8 p + 7 of a, and words 64 d - 8 rho - 2 ..
    // 64 d - 8 rho + 63 of b, 0 <= p <= 8 kBlocks, 0 <= d <= kBlocks, rho < 8.
    static constexpr unsigned kAround = 4, kBelow = 32, kAbove = 32;
    static constexpr unsigned kAll = 2 * kLimbs + 2 * kAround + kBelow + kAbove;

    uint64_t room[kAll];

    DEVICE uint64_t *A() { return room + kAround; }
    DEVICE uint64_t *B() { return room + 2 * kAround + kLimbs + kBelow; }
    // The rows from the calling lane's places on, which are the same in all of a kernel.
    DEVICE const uint32_t *Words(int place) { return (const uint32_t *)A() + place; }
    DEVICE TiledWindows Windows(int place) { return {(const uint32_t *)B() + place}; }
    // Clear makes all of it zero, by the calling warp.
    DEVICE void Clear() {
#pragma unroll 1
        for (unsigned i = Lane(); i < kAll; i += kWarp) {
            room[i] = 0;
        }
    }
};

// TiledColumns: the columns of a product of rows of at most 16 kTiles and 32 kBlocks limbs that
// lie in kTiles tiles.
template <unsigned kTiles>
struct TiledColumns {
    using Rows = TiledRows<kTiles>;
    // A column is a sum of at most as many products of bytes as the shorter row has bytes.
    static constexpr uint64_t kMost = UINT64_C(255) * 255 * (8 * 16 * kTiles);
    static_assert(kMost < UINT64_C(1) << 31, "sums in 32 bits do not overflow");

    int32_t sum[kTiles][2][4];  // [tile][x / 2][2 (x % 2) + which half of the limb]

    // One step's pairs: kS values of s.
    template <unsigned kS, class B>
    DEVICE void Step(const uint32_t *a, const B &b, unsigned rho) {
        TiledHankel hankel[kS];
#pragma unroll
        for (unsigned s = 0; s < kS; s++) {
            hankel[s].Take(a + 8 * rho + 64 * s);
        }
#pragma unroll
        for (unsigned d = 0; d <= Rows::kBlocks && d < kTiles; d++) {
            const TiledToeplitz t = b.At(d, rho);
#pragma unroll
            for (unsigned s = 0; s < kS && s + d < kTiles; s++) {
                MultiplyBytes(sum[s + d][0], t.rows[0], hankel[s].half);
                MultiplyBytes(sum[s + d][1], t.rows[1], hankel[s].half);
            }
        }
    }

    // Multiply: all steps, p <= 4 kTiles.
    template <class B>
    DEVICE void Multiply(const uint32_t *a, const B &b) {
        constexpr unsigned kS = kTiles / 2, kUnroll = kTiles <= 2 ? 8 : 1;
        constexpr unsigned kLong = kTiles % 2 == 0 ? 1 : 5;  // steps with one more s
#pragma unroll
        for (unsigned i = 0; i < 8 * kTiles; i++) {
            sum[i / 8][i / 4 % 2][i % 4] = 0;
        }
#pragma unroll
        for (unsigned rho = 0; rho < kLong; rho++) {
            Step<kS + 1>(a, b, rho);
        }
        if constexpr (kS > 0) {
#pragma unroll(kUnroll)
            for (unsigned rho = kLong; rho < 8; rho++) {
                Step<kS>(a, b, rho);
            }
        }
    }

    // Limb: limb 32 tile + Lane() of the sum of all columns, each with its place, but for what
    // comes from below; spill: what goes to the limb above.
    DEVICE uint64_t Limb(unsigned tile, uint32_t *spill) const {
        uint32_t c[2][4];  // [half][x]: column 8 limb + 4 half + x
#pragma unroll
        for (unsigned i = 0; i < 8; i++) {
            c[i / 4][i % 4] = (uint32_t)sum[tile][i % 4 / 2][2 * (i % 2) + i / 4];
        }
        // Two columns of short rows in a word. The limb is below kMost 2^57: spills below 2^24.
        constexpr unsigned kEach = kMost * 257 < UINT64_C(1) << 32 ? 2 : 1;
        static_assert(kMost < UINT64_C(1) << 28, "so spills have a word");
        uint32_t limb[3] = {};
#pragma unroll
        for (unsigned x = 0; x < 4; x += kEach) {
            const uint32_t low = kEach == 1 ? c[0][x] : c[0][x] + 256 * c[0][x + 1];
            const uint32_t high = kEach == 1 ? c[1][x] : c[1][x] + 256 * c[1][x + 1];
            const unsigned up = 8 * x;
            if (x == 0) {
                limb[0] = low, limb[1] = high;
            } else {
                AddTriple(limb, low << up, high << up | low >> (32 - up), high >> (32 - up));
            }
        }
        *spill = limb[2];
        return (uint64_t)limb[1] << 32 | limb[0];
    }
};

#endif  // PRIMITIVES_TILED_CUH_
