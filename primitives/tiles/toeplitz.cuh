// toeplitz.cuh: the convolutions of many rows of bytes with one row that is common to all, as a
// product of matrices on tensor cores: fragments of the common row's Toeplitz matrix and the other
// rows in shared memory, columns in registers. Works on bytes; carries are the caller's. Includes
// falling.cuh and instructions.cuh.
//
// With blocks of 32 bytes, rows R times 32 k + l, and 32 y + c for columns:
//
//   C[R][32 y + c] = sum over k, l of A[R][32 k + l] T_(y-k)[l][c],  T_u[l][c] = b_(32 u + c - l)
//
// so T_u, u = 0 .. 4 tiles for a row of 128 tiles bytes, is all there is of the matrix, and lies
// once in a block's shared memory. Both numberings are free: l, so that a lane has eight bytes of a
// row that follow each other; c, so that a lane gets eight columns that follow each other. A warp
// takes 16 rows and 128 columns at a time, and for each 128 bytes of a row each T_u once.
#ifndef PRIMITIVES_TILES_TOEPLITZ_CUH_
#define PRIMITIVES_TILES_TOEPLITZ_CUH_

#include "primitives/cuda/instructions.cuh"
#include "primitives/tiles/falling.cuh"

constexpr unsigned kToeplitzRows = 16;   // of a warp
constexpr unsigned kToeplitzBlocks = 4;  // of 32 bytes in a tile

// ToeplitzRows: a warp's 16 rows of up to 16 tiles words of 64 bits in shared memory. Rows g and
// g + 8 alternate by halves of words, so that a lane has its share of a block by one load; pairs of
// rows stand some words apart, so that lanes meet in no bank.
struct ToeplitzRows {
    struct alignas(16) Share {  // [2 half + row / 8]
        uint32_t word[4];
    };
    Share *room;
    unsigned stride;

    HOST_DEVICE static unsigned Shares(unsigned tiles) {
        return kToeplitzRows / 2 * (16 * tiles + 4);
    }
    DEVICE ToeplitzRows(Share *shares, unsigned tiles) : room(shares), stride(16 * tiles + 4) {}

    // Where a half of word i of a row stands.
    DEVICE uint32_t *Place(unsigned row, unsigned i, unsigned half) {
        return room[row % 8 * stride + i].word + 2 * half + row / 8;
    }

    // Take: the calling lane's share of block k, of rows g = Lane() / 4 and g + 8, bytes 32 k + 8
    // (Lane() % 4) on.
    DEVICE Share Take(unsigned k) const { return room[Lane() / 4 * stride + 4 * k + Lane() % 4]; }
};

// ToeplitzTable: T_u of a row of up to 16 tiles words of 64 bits. Column c = 8 (n / 2) + 2 q + n %
// 2 of T_u is column n of its fragment q, and bytes l = 8 t + 4 half + 0 .. 3 are those of lane
// 4 n + t.
struct ToeplitzTable {
    struct alignas(16) Pair {   // a lane's shares of fragments 2 i and 2 i + 1
        uint32_t column[2][2];  // [q % 2][half]
    };
    Pair *pairs;  // [u][i][lane]

    // Behind the pairs stands the row between words of zeros: T_0 has bytes from 31 below it on,
    // T_(4 tiles) up to 31 above it.
    static constexpr unsigned kAround = 8;
    HOST_DEVICE static unsigned Pairs(unsigned tiles) { return (4 * tiles + 1) * 2 * kWarp; }
    HOST_DEVICE static size_t Bytes(unsigned tiles) {
        return sizeof(Pair) * Pairs(tiles) + 4 * (32 * tiles + 2 * kAround);
    }

    // Take: T_u, 0 <= u <= 4 tiles.
    DEVICE void Take(unsigned u, Pair (&pair)[2]) const {
        pair[0] = pairs[2 * kWarp * u + Lane()];
        pair[1] = pairs[2 * kWarp * u + kWarp + Lane()];
    }

    // Make fills it from b[0 .. bn), bn <= 16 tiles, by all threads of the block; barriers within.
    DEVICE void Make(unsigned tiles, const uint64_t *b, unsigned bn) {
        uint32_t *const row = (uint32_t *)(pairs + Pairs(tiles));
        PutBetweenZeros((uint64_t *)row, 16 * tiles + kAround, kAround / 2, b, bn);
        __syncthreads();
        for (unsigned i = threadIdx.x; i < Pairs(tiles); i += blockDim.x) {
            const unsigned lane = i % kWarp, n = lane / 4, u = i / (2 * kWarp);
#pragma unroll
            for (unsigned k = 0; k < 4; k++) {
                const unsigned q = i / kWarp % 2 * 2 + k / 2, half = k % 2;
                const unsigned at =
                    4 * kAround + 32 * u + 8 * (n / 2) + 2 * q + n % 2 - 8 * (lane % 4) - 4 * half;
                pairs[i].column[k / 2][half] = FallingBytes(row, at);
            }
        }
        __syncthreads();
    }
};

// ToeplitzColumns: the calling lane's share of 16 rows of 128 columns: of rows g = Lane() / 4 and g
// + 8, columns 32 y + 8 (Lane() % 4) + 0 .. 7 of each block y.
struct ToeplitzColumns {
    // A column is a sum of at most as many products of bytes as a row has bytes.
    static constexpr unsigned kTilesMost = 8;
    static constexpr uint64_t kMost = UINT64_C(255) * 255 * 128 * kTilesMost;
    static_assert(kMost < UINT64_C(1) << 31, "sums in 32 bits do not overflow");

    int32_t sum[kToeplitzBlocks][4][4];  // [y][q][2 (row / 8) + column % 2]
    ToeplitzTable::Pair kept[3][2];      // T_(u+1), T_(u+2), T_(u+3), u of the tile to come

    // Clear begins with zeros, and with a tile of rows `apart` tiles below the columns.
    DEVICE void Clear(const ToeplitzTable &table, unsigned tiles, unsigned apart) {
#pragma unroll
        for (unsigned i = 0; i < 16 * kToeplitzBlocks; i++) {
            sum[i / 16][i / 4 % 4][i % 4] = 0;
        }
        if (apart < tiles) {
#pragma unroll
            for (unsigned more = 1; more <= 3; more++) {
                table.Take(kToeplitzBlocks * apart + more, kept[more - 1]);
            }
        }
    }

    // Add adds the products of a tile of the rows and the part of the matrix that leads to columns
    // `apart` tiles further, 0 <= apart <= tiles, one less than for the tile before. 64 products of
    // fragments, 40 at both ends; 12 loads of 16 bytes.
    DEVICE void Add(const ToeplitzTable &table, unsigned tiles, unsigned apart,
                    const ToeplitzRows &rows, unsigned tile) {
        const unsigned u = kToeplitzBlocks * apart;
        ToeplitzRows::Share share[kToeplitzBlocks];
#pragma unroll
        for (unsigned k = 0; k < kToeplitzBlocks; k++) {
            share[k] = rows.Take(kToeplitzBlocks * tile + k);
        }
        if (apart < tiles) {
            Multiply<1>(kept[0], share);
            Multiply<2>(kept[1], share);
            Multiply<3>(kept[2], share);
        }
        ToeplitzTable::Pair same[2];
        table.Take(u, same);
        Multiply<0>(same, share);
        if (apart > 0) {
            table.Take(u - 1, kept[2]);
            table.Take(u - 2, kept[1]);
            table.Take(u - 3, kept[0]);
            Multiply<-1>(kept[2], share);
            Multiply<-2>(kept[1], share);
            Multiply<-3>(kept[0], share);
        }
    }

   private:
    // Blocks of columns that are kMore blocks beyond those of bytes.
    template <int kMore>
    DEVICE void Multiply(const ToeplitzTable::Pair (&pair)[2],
                         const ToeplitzRows::Share (&share)[kToeplitzBlocks]) {
        constexpr unsigned kFrom = kMore < 0 ? -kMore : 0;
        constexpr unsigned kTo = kMore < 0 ? kToeplitzBlocks : kToeplitzBlocks - kMore;
#pragma unroll
        for (unsigned k = kFrom; k < kTo; k++) {
#pragma unroll
            for (unsigned q = 0; q < 4; q++) {
                MultiplyBytes(sum[(int)k + kMore][q], share[k].word, pair[q / 2].column[q % 2]);
            }
        }
    }
};

#endif  // PRIMITIVES_TILES_TOEPLITZ_CUH_
