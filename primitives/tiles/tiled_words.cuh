// tiled_words.cuh: the convolution of two rows of bytes by one warp, in tiles that tensor cores
// multiply: rows of limbs in shared memory to words of 32 bits, one for each lane, and what spills
// out of them. Works on bytes; carries are the caller's. Includes falling.cuh and instructions.cuh.
// Valid on: any device, the emulation.
//
// c_t = sum over i of a_i b_(t-i) for bytes a, b. A tile is 128 columns, t = 128 m + r + c with
//
//   r = 32 (g / 2) + 4 (g % 2) + 2 h,  c = 8 (n / 2) + n % 2,  g, n < 8, h < 2
//
// Rows g, g + 8 and columns n of a product of fragments are these r, for h = 0 and 1, and c. So
// lane 4 g + q, which has columns n = 2 q and 2 q + 1 of both rows, has four columns that follow
// each other, those of word 8 (g / 2) + 2 q + g % 2 of the tile, and no column changes lanes; in
// tiled.cuh, whose fragments take half as many words, those of a limb are in eight lanes.
//
// Step p takes 32 bytes of a from 32 p + c - 25 on to each c, and to each r those of b that they
// meet:
//
//   c_(128 m + r + c) += sum over l < 32 of B_u[r][l] A_p[l][c],  u = 4 m - p
//   A_p[l][c] = a_(32 p + c - 25 + l),  B_u[r][l] = b_(32 u + r + 25 - l)
//
// so that each a_i meets a column in exactly one step. Of rows of 128 kTiles bytes A_p is 0 but for
// 0 <= p <= 4 kTiles, and, since r + 25 < 128, B_u but for -3 <= u <= 4 kTiles. With p = 4 k +
// phase and u = 4 j - phase, m = j + k: a phase has the A of all k in registers and goes through
// the B of all j. Words of A lie in the row, or in a copy shifted by a byte where c is even; those
// of B, in falling order, in a table: a load takes no time of the registers that tensor cores read.
#ifndef PRIMITIVES_TILES_TILED_WORDS_CUH_
#define PRIMITIVES_TILES_TILED_WORDS_CUH_

#include "primitives/cuda/instructions.cuh"
#include "primitives/tiles/falling.cuh"

// WordTileLane: where the calling lane's shares begin. Lane() is 4 g + tig for B and for columns,
// 4 n + tig for A; it takes l = 8 tig + 4 half + 0 .. 3.
struct WordTileLane {
    int a, b;        // words from the rows' first ones, for p = 0 and u = 0
    bool shifted;    // c is even
    unsigned place;  // of its word in a tile
    int below;       // the lane of the word below, of the tile before for the lowest word
    bool last;       // its word is a tile's highest

    // Of: the lane of a place.
    DEVICE static int Of(unsigned place) {
        return (int)(8 * (place / 8) + 4 * (place % 2) + place / 2 % 4);
    }
    DEVICE WordTileLane() {
        const unsigned upper = Lane() / 4, tig = Lane() % 4;
        a = (int)(2 * (upper / 2) + 2 * tig) - 6;
        b = (int)(8 * (upper / 2) + upper % 2 + 6 - 2 * tig);
        shifted = upper % 2 == 0;
        place = Again(8 * (upper / 2) + 2 * tig + upper % 2);
        below = (int)Again((unsigned)Of((place + kWarp - 1) % kWarp));
        last = place == kWarp - 1;
    }
};

// WordTilePair: two words that are loaded at once.
struct alignas(8) WordTilePair {
    uint32_t w[2];
};

// WordTileRows: two rows of up to 16 kTiles limbs in shared memory, zeros around them.
template <unsigned kTiles>
struct WordTileRows {
    static constexpr unsigned kLimbs = 16 * kTiles;
    // Limbs of zeros below and above each. Steps read words 8 p - 6 .. 8 p + 7 of a, p <= 4 kTiles;
    // a table is made of words -1 .. 32 kTiles - 1.
    static constexpr unsigned kZeros = 8;
    static_assert(2 * kZeros >= 6 && 2 * kZeros >= 8, "a");
    static constexpr unsigned kEach = kLimbs + 2 * kZeros, kAll = 2 * kEach;

    alignas(128) uint64_t room[kAll];

    DEVICE uint64_t *Row(unsigned k) { return room + kZeros + k * kEach; }
    // Clear makes what is around the rows zero, by the calling warp.
    DEVICE void Clear() {
        static_assert(4 * kZeros == kWarp, "a limb for each lane");
        const unsigned i = Lane() % (2 * kZeros);
        room[Lane() / (2 * kZeros) * kEach + (i < kZeros ? i : i + kLimbs)] = 0;
    }
};

// WordTileTable: what steps load beside a row: the row a shifted by a byte, and the words of B.
template <unsigned kTiles>
struct WordTileTable {
    static constexpr unsigned kWords = 32 * kTiles;
    // Steps read pairs 8 u + 0 .. 31 and the ones below, -3 <= u <= 4 kTiles, and words of the
    // shifted row as of the row itself. Outside the row all are zeros, except for a pair and a
    // word.
    static constexpr unsigned kBelow = 26, kAbove = 32, kPairs = kBelow + kWords + kAbove;
    static constexpr unsigned kShiftBelow = 32, kShiftAbove = 32;
    static constexpr unsigned kShifted = kShiftBelow + kWords + kShiftAbove;
    static_assert(kBelow >= 25 && kBelow % 2 == 0 && kAbove >= 32, "zeros, quads");
    static_assert(kPairs <= kShifted, "cleared together");
    static_assert(kShiftBelow >= 6 && kShiftAbove >= 8 && kShiftBelow % 32 == 0, "zeros, banks");
    struct alignas(16) Quad {
        WordTilePair of[2];
    };

    // Pair w: bytes 4 w + 1 and down to 4 w - 2 of b; 4 w + 3 and down to 4 w.
    alignas(128) WordTilePair pairs[kPairs];
    // Word w: bytes 4 w - 1 .. 4 w + 2 of a. Half of the banks away from the row's word w, since
    // half a warp loads ten words of each that follow each other.
    alignas(128) uint32_t shifted[kShifted];

    // Make: of two rows of WordTileRows, by the calling warp; meetings must stand around it.
    DEVICE void Make(const uint64_t *a, const uint64_t *b) {
        const uint32_t *const as = (const uint32_t *)a, *const bs = (const uint32_t *)b;
#pragma unroll
        for (unsigned i = 0; i < kWords; i += 2 * kWarp) {
            const unsigned w = 2 * Lane() + i;
            if (i + 2 * kWarp <= kWords || w < kWords) {
                const WordTilePair x = *(const WordTilePair *)(as + w);
                const WordTilePair y = *(const WordTilePair *)(bs + w);
                const uint32_t before = as[(int)w - 1], below = bs[(int)w - 1];
                *(Quad *)(pairs + kBelow +
                          w) = {{{{Falling(below, y.w[0], 1), Falling(0, y.w[0], 3)}},
                                 {{Falling(y.w[0], y.w[1], 1), Falling(0, y.w[1], 3)}}}};
                *(WordTilePair *)(shifted + kShiftBelow +
                                  w) = {{Rising(before, x.w[0]), Rising(x.w[0], x.w[1])}};
                if (w + 2 == kWords) {
                    pairs[kBelow + kWords].w[0] = Falling(y.w[1], 0, 1);
                    shifted[kShiftBelow + kWords] = Rising(x.w[1], 0);
                }
            }
        }
    }
    // Clear makes what is around both zero, by the calling warp.
    DEVICE void Clear() {
#pragma unroll 1
        for (unsigned i = Lane(); i < kShifted - kWords; i += kWarp) {
            if (i < kPairs - kWords) {
                pairs[i < kBelow ? i : i + kWords] = {};
            }
            shifted[i < kShiftBelow ? i : i + kWords] = 0;
        }
    }

    // The calling lane's words of A_0, of the row that this was made of or its copy, and of B_0.
    DEVICE const uint32_t *A(const WordTileLane &lane, const uint64_t *row) const {
        return (lane.shifted ? shifted + kShiftBelow : (const uint32_t *)row) + lane.a;
    }
    DEVICE const WordTilePair *B(const WordTileLane &lane) const { return pairs + kBelow + lane.b; }

   private:
    // Bytes s, s - 1, s - 2, s - 3 of `word`, those below it from `below`.
    DEVICE static uint32_t Falling(uint32_t below, uint32_t word, unsigned s) {
        return __byte_perm(below, word, FallingSelector(s));
    }
    // The highest byte of `below` and the three lowest ones of `word`.
    DEVICE static uint32_t Rising(uint32_t below, uint32_t word) {
        return __byte_perm(below, word, 0x6543);
    }
};

// WordTileColumns: the columns of a product of two rows of up to 16 kTiles limbs, or of the sum of
// as many as kRows of them. kLoop: three of the four phases are one piece of code. kLate: no word
// is loaded long before it is used, which takes fewer registers and more time waiting.
template <unsigned kTiles, bool kLoop, bool kLate, unsigned kRows = 1>
struct WordTileColumns {
    static constexpr unsigned kM = 2 * kTiles;
    // A column is a sum of at most as many products of bytes as the rows have bytes.
    static constexpr uint64_t kMost = UINT64_C(255) * 255 * (8 * 16 * kTiles * kRows);
    static_assert(kMost < UINT64_C(1) << 28, "spills have 21 bits");

    int32_t sum[kM][4];  // [m][column of the lane's word]

    DEVICE void Clear() {
#pragma unroll
        for (unsigned i = 0; i < 4 * kM; i++) {
            sum[i / 4][i % 4] = 0;
        }
    }

    // Add adds the columns of a product; a and b: WordTileTable's A and B. 4 kTiles^2 + 5 kTiles
    // products of fragments, 12 kTiles + 9 loads of 8 bytes.
    DEVICE void Add(const uint32_t *a, const WordTilePair *b) {
        Phase<kTiles + 1>(a, b, 0);
        if constexpr (kLoop) {
#pragma unroll 1
            for (unsigned phase = 1; phase < 4; phase++) {
                Phase<kTiles>(a, b, phase);
            }
        } else {
            Phase<kTiles>(a, b, 1);
            Phase<kTiles>(a, b, 2);
            Phase<kTiles>(a, b, 3);
        }
    }

    // Word: word 32 m + place of the sum of all columns, each with its place, except for what comes
    // from below; spill: what goes to the word above. A column with what the ones below it in the
    // word carry into it is below kMost (1 + 2^-7), so spills are below 2^21.
    DEVICE uint32_t Word(unsigned m, uint32_t *spill) const {
        uint32_t column[4];
        column[0] = (uint32_t)sum[m][0];
#pragma unroll
        for (unsigned i = 1; i < 4; i++) {
            column[i] = (uint32_t)sum[m][i] + (column[i - 1] >> 8);
        }
        *spill = column[3] >> 8;
        return __byte_perm(__byte_perm(column[0], column[1], 0x0040),
                           __byte_perm(column[2], column[3], 0x0040), 0x5410);
    }

   private:
    DEVICE static WordTilePair Load(const WordTilePair *p) {
        if constexpr (kLate) {
            const uint64_t two = *(const volatile uint64_t *)p;
            return {{(uint32_t)two, (uint32_t)(two >> 32)}};
        } else {
            return *p;
        }
    }

    // The steps p = 4 k + phase, k < kK.
    template <unsigned kK>
    DEVICE void Phase(const uint32_t *a, const WordTilePair *b, unsigned phase) {
        WordTilePair column[kK];
#pragma unroll
        for (unsigned k = 0; k < kK; k++) {
            column[k] = Load((const WordTilePair *)(a + 32 * k + 8 * phase));
        }
#pragma unroll
        for (unsigned j = 0; j <= kTiles; j++) {
            const WordTilePair *const at = b + (32 * (int)j - 8 * (int)phase);
            const WordTilePair upper = Load(at), lower = Load(at - 1);
            const uint32_t rows[4] = {upper.w[0], upper.w[1], lower.w[0], lower.w[1]};
#pragma unroll
            for (unsigned k = 0; k < kK && j + k < kM; k++) {
                MultiplyBytes(sum[j + k], rows, column[k].w);
            }
        }
    }
};

// WordTileSquare: the columns of the square of low + high 2^(1024 kTiles), each of up to 16 kTiles
// limbs: low^2 + 2 low high 2^(1024 kTiles) + high^2 2^(2048 kTiles). Three products of these where
// one of twice the tiles takes as much as four; and the lower half of the columns comes first, so
// that three quarters of all are in registers at most.
template <unsigned kTiles>
struct WordTileSquare {
    using Table = WordTileTable<kTiles>;
    // A half of all: both rows are in each column at most.
    WordTileColumns<kTiles, (kTiles > 3), false, 2> columns;
    int32_t above[kTiles][4];  // what the lower columns' tiles leave for the others

    // Lower makes the lower half of the columns. low, high: of each row its table and itself.
    DEVICE void Lower(const WordTileLane &lane, const Table (&tables)[2], const uint64_t *low,
                      const uint64_t *high) {
        columns.Clear();
        columns.Add(tables[1].A(lane, high), tables[0].B(lane));
#pragma unroll
        for (unsigned i = 0; i < 4 * kTiles; i++) {
            int32_t(&first)[4] = columns.sum[i / 4], (&second)[4] = columns.sum[kTiles + i / 4];
            above[i / 4][i % 4] = 2 * second[i % 4];
            second[i % 4] = 2 * first[i % 4];
            first[i % 4] = 0;
        }
        columns.Add(tables[0].A(lane, low), tables[0].B(lane));
    }

    // Upper makes the other half, after Lower.
    DEVICE void Upper(const WordTileLane &lane, const Table (&tables)[2], const uint64_t *high) {
        columns.Clear();
#pragma unroll
        for (unsigned i = 0; i < 4 * kTiles; i++) {
            columns.sum[i / 4][i % 4] = above[i / 4][i % 4];
        }
        columns.Add(tables[1].A(lane, high), tables[1].B(lane));
    }
};

#endif  // PRIMITIVES_TILES_TILED_WORDS_CUH_
