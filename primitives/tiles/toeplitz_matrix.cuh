// toeplitz_matrix.cuh: the convolutions of many rows of bytes with one row that is common to all,
// as a product of matrices by warpgroups: the rows and the common row's Toeplitz matrix in shared
// memory, columns in registers. Works on bytes; carries are the caller's. Includes falling.cuh,
// instructions.cuh and warpgroup.cuh.
//
// Columns 128 y + c, c < 128, are a tile, and a step takes 32 bytes of the rows:
//
//   C[R][128 y + c] = sum over i of A[R][i] b_(128 y + c - i)
//
// Instructions take a factor in pieces of 8 by 16 bytes. Of the matrix these are
//
//   P_v[n][k] = b_(4 v + f(n) - k),  f(2 t + e) = e + 2 (t % 2) + 64 (t / 2),  e < 2
//
// so that columns 4 j + f(n), j < 16, of any tile and step are 16 pieces that follow each other, 16
// bytes further along the rows are four pieces less, and the matrix is 32 pieces a tile. With this
// f lanes t and t + 1, t even, have all of 64 columns that follow each other, two by two in turns.
// The numbering of bytes within a step is free: the upper 16 come first, since strides are
// positive.
#ifndef PRIMITIVES_TILES_TOEPLITZ_MATRIX_CUH_
#define PRIMITIVES_TILES_TOEPLITZ_MATRIX_CUH_

#include "primitives/cuda/instructions.cuh"
#include "primitives/cuda/warpgroup.cuh"
#include "primitives/tiles/falling.cuh"

constexpr unsigned kMatrixRows = 64, kMatrixColumns = 128;  // of a warpgroup; of a tile
constexpr unsigned kMatrixStep = 32, kMatrixSteps = kMatrixColumns / kMatrixStep;
constexpr unsigned kMatrixTiles = 16;  // of a row

// MatrixRows: 64 rows of `tiles` tiles of bytes in shared memory: for 16 bytes after the other,
// the last ones first, those of all rows.
struct MatrixRows {
    static constexpr unsigned kPiece = 16, kApart = kMatrixRows * kPiece;  // bytes
    char *room;
    unsigned tiles;

    HOST_DEVICE static size_t Bytes(unsigned tiles) {
        return (size_t)kMatrixRows * kMatrixColumns * tiles;
    }
    // Where word i of 64 bits of a row stands.
    DEVICE uint64_t *Place(unsigned row, unsigned i) const {
        const unsigned piece = kMatrixColumns / kPiece * tiles - 1 - i / 2;
        return (uint64_t *)(room + piece * kApart + row * kPiece) + i % 2;
    }
    // Step 0 of a tile; each further one stands kStep below.
    static constexpr unsigned kStep = kMatrixStep / kPiece * kApart;
    DEVICE ByteMatrix First(unsigned tile) const {
        return {Place(0, kMatrixColumns / 8 * tile + kMatrixStep / 8 - 2), kApart, 8 * kPiece};
    }
};

// MatrixTable: the pieces of a row of up to 16 tiles words of 64 bits, 4 words of 32 bits for
// each column of each piece.
struct MatrixTable {
    uint32_t *words;

    // P_v from v = -28 on: step 4 y + 3 of tile y begins there; and up to v = 32 tiles + 15, where
    // step 0 of tile `tiles` ends.
    static constexpr unsigned kBelow = 28, kAround = kBelow + 16, kPiece = 32;
    // Behind them stands the row between words of zeros: bytes from 4 (-28) - 15 on to 4 (32 tiles
    // + 15) + 67 are asked for.
    static constexpr unsigned kZeros = 128;
    static_assert(kZeros >= 4 * kBelow + 15 && kZeros >= 4 * 15 + 67 + 1, "bytes around the row");
    HOST_DEVICE static unsigned Words(unsigned tiles) { return kPiece * (32 * tiles + kAround); }
    HOST_DEVICE static size_t Bytes(unsigned tiles) {
        return sizeof(uint32_t) * Words(tiles) + kMatrixColumns * tiles + 2 * kZeros;
    }

    // Make fills it from b[0 .. bn), bn <= 16 tiles, by all threads of the block; a barrier within,
    // and one must follow.
    DEVICE void Make(unsigned tiles, const uint64_t *b, unsigned bn) const {
        uint32_t *const row = words + Words(tiles);
        PutBetweenZeros((uint64_t *)row, 16 * tiles + kZeros / 4, kZeros / 8, b, bn);
        __syncthreads();
        for (unsigned i = threadIdx.x; i < Words(tiles); i += blockDim.x) {
            const unsigned n = i / 4 % 8, k = i % 4 * 4;
            const unsigned at = kZeros + 4 * (i / kPiece) - 4 * kBelow + n % 4 + n / 4 * 64 - k;
            words[i] = FallingBytes(row, at);
        }
    }

    // For tile y of the columns and step 0 of tile x of the rows; for each further one it stands
    // kStep below.
    static constexpr unsigned kStep = 8 * sizeof(uint32_t) * kPiece;
    DEVICE ByteMatrix First(unsigned y, unsigned x) const {
        return {words + kPiece * (kBelow + 32 * y - 32 * x - 4), 4 * 4 * kPiece, 4 * kPiece};
    }
};

// MatrixColumns: the calling lane's share of 64 rows of a tile of columns: of warp w, rows 16 w +
// g = Lane() / 4 and g + 8.
struct MatrixColumns {
    // A column is a sum of at most as many products of bytes as a row has bytes.
    static constexpr uint64_t kMost = UINT64_C(255) * 255 * kMatrixColumns * kMatrixTiles;
    static_assert(kMost < UINT64_C(1) << 31, "sums in 32 bits do not overflow");
    static constexpr unsigned kLimbs = 4;

    MatrixSum sum;

    // Make: tile y of the columns of rows of `tiles` tiles, 0 <= y < 2 tiles, by a warpgroup. Bytes
    // of steps that are left out meet bytes outside the common row.
    DEVICE void Make(const MatrixTable &table, const MatrixRows &rows, unsigned y) {
        const unsigned tiles = rows.tiles, begin = y < tiles ? 0 : y - tiles;
        const unsigned end = y < tiles ? y + 1 : tiles;
        ByteMatrix a = rows.First(begin), b = table.First(y, begin);
#pragma unroll 1
        for (unsigned left = end - begin; left > 0; left--) {
            MatrixBegin();
#pragma unroll
            for (unsigned k = 0; k < kMatrixSteps; k++) {
                MultiplyMatrices(sum, a.Below(k * MatrixRows::kStep),
                                 b.Below(k * MatrixTable::kStep), k > 0 || left < end - begin);
            }
            a = a.Below(kMatrixSteps * MatrixRows::kStep);
            b = b.Below(kMatrixSteps * MatrixTable::kStep);
        }
        MatrixEnd(sum);
    }

    // Limbs: of row g or g + 8, limbs 4 (Lane() % 4) + 0 .. 3 of the tile's 16, of the sum of its
    // columns, each with its place, except for what comes from below; returns what goes to the limb
    // above, below 2^22. Called by all lanes. Two neighbours have two columns of each four: so each
    // makes a number of its own of 64, and takes half of the sum of both. A partial sum is at most
    // 2^32 + kMost (2^16 + 2^24) < 2^52.
    DEVICE uint32_t Limbs(unsigned upper_row, uint64_t (&limb)[kLimbs]) const {
        static_assert(kMost < UINT64_C(1) << 27, "partial sums, what is left");
        const bool upper = Lane() % 2 != 0;
        const uint32_t first = upper ? 1u << 16 : 1, second = first << 8;
        uint64_t own[2 * kLimbs] = {}, t = 0;
#pragma unroll
        for (unsigned j = 0; j < 4 * kLimbs; j++) {
            const int32_t *const c = sum[j] + 2 * upper_row;
            t = WideMultiplyAdd(t >> 32, (uint32_t)c[0], first);
            t = WideMultiplyAdd(t, (uint32_t)c[1], second);
            own[j / 2] |= (t & 0xFFFFFFFF) << 32 * (j % 2);
        }
        const uint32_t above = (uint32_t)(t >> 32);
        uint64_t other[kLimbs];
#pragma unroll
        for (unsigned i = 0; i < kLimbs; i++) {
            other[i] = __shfl_xor_sync(kAllLanes, upper ? own[i] : own[kLimbs + i], 1);
            limb[i] = upper ? own[kLimbs + i] : own[i];
        }
        const uint32_t both = above + __shfl_xor_sync(kAllLanes, above, 1);
        return (uint32_t)AddWords<kLimbs>(limb, other, 0) + (upper ? both : 0);
    }
};

#endif  // PRIMITIVES_TILES_TOEPLITZ_MATRIX_CUH_
