// common_product.cu: common_product.h: the common factor's Toeplitz matrix in shared memory, rows of
// limbs beside it, columns to limbs in the lanes that have them. Includes the rooms' device headers.
#include "bigint/common_product.h"

#include "bigint/product_rows.cuh"
#include "carry/carry_spills.cuh"
#include "primitives/launch.cuh"
#include "primitives/tiled.cuh"
#include "primitives/toeplitz.cuh"

namespace {

#ifndef COMMON_BLOCKS
#define COMMON_BLOCKS 3
#endif
constexpr unsigned kWarps = 4;  // of a block
constexpr unsigned kTileLimbs = 16;
constexpr unsigned kGroup = 4;  // lanes that share rows g and g + 8

// Fetch begins to copy a tile of limbs of the 16 products from `first` on, and zeros beyond their
// limbs and the last product, and commits one group.
DEVICE void Fetch(const product_rows &all, uint64_t first, unsigned tile, ToeplitzRows &rows) {
    static_assert(kWarp == 2 * kTileLimbs, "two rows at a time");
    const unsigned limb = kTileLimbs * tile + Lane() % kTileLimbs, upper = Lane() / kTileLimbs * 8;
    const uint32_t *a = (const uint32_t *)(all.first.a + (first + upper) * all.a_stride + limb);
    const bool within = limb < (unsigned)all.first.an;
#pragma unroll
    for (unsigned row = 0; row < kToeplitzRows / 2; row++) {
        const bool there = within && first + upper + row < all.count;
        CopyAsyncOrZero<4>(rows.Place(upper + row, limb, 0), a, there);
        CopyAsyncOrZero<4>(rows.Place(upper + row, limb, 1), a + 1, there);
        a += 2 * all.a_stride;
    }
    CopyCommit();
}

// Results: where rows g and g + 8 of 16 products go, limb after limb.
struct Results {
    uint64_t *r[2];
    unsigned rn[2];  // limbs there, as far as products reach
    CarrySpills<kGroup> carries[2];

    DEVICE Results(const product_rows &all, uint64_t first, unsigned tiles) {
#pragma unroll
        for (unsigned row = 0; row < 2; row++) {
            const uint64_t i = first + Lane() / kGroup + 8 * row;
            const uint64_t most = 2 * kTileLimbs * tiles;
            r[row] = all.first.r + i * all.r_stride;
            rn[row] = i < all.count ? (unsigned)min(all.first.rn, most) : 0;
        }
    }

    // Store: a tile's columns are the next 16 limbs. Where limbs have carries, they are read back.
    DEVICE void Store(unsigned tile, const ToeplitzColumns &columns) {
#pragma unroll
        for (unsigned y = 0; y < kToeplitzBlocks; y++) {
            const unsigned limb = kTileLimbs * tile + 4 * y + Lane() % kGroup;
#pragma unroll
            for (unsigned row = 0; row < 2; row++) {
                uint32_t c[2][4], spill;
#pragma unroll
                for (unsigned i = 0; i < 8; i++) {
                    c[i / 4][i % 4] = (uint32_t)columns.sum[y][i / 2][2 * row + i % 2];
                }
                const uint64_t low = TiledLimb<ToeplitzColumns::kMost>(c[0], c[1], &spill);
                const uint64_t sum = carries[row].Add(y, low, spill);
                if (limb < rn[row]) {
                    r[row][limb] = sum;
                }
            }
        }
#pragma unroll
        for (unsigned row = 0; row < 2; row++) {
            if (carries[row].Any()) {
                Resolve(tile, row);
            }
            carries[row].Next();
        }
    }

    DEVICE void Resolve(unsigned tile, unsigned row) {
#pragma unroll 1
        for (unsigned y = 0; y < kToeplitzBlocks; y++) {
            const unsigned limb = kTileLimbs * tile + 4 * y + Lane() % kGroup;
            const bool there = limb < rn[row];
            const uint64_t sum = carries[row].Resolve(y, there ? r[row][limb] : 0);
            if (there) {
                r[row][limb] = sum;
            }
        }
    }

    // Pad: zeros above the products, up to limb `end`.
    DEVICE void Pad(uint64_t end) const {
#pragma unroll
        for (unsigned row = 0; row < 2; row++) {
#pragma unroll 1
            for (uint64_t k = rn[row] + Lane() % kGroup; rn[row] > 0 && k < end; k += kGroup) {
                r[row][k] = 0;
            }
        }
    }
};

// b is the common factor. A warp makes 16 products at a time; blocks stay, and take those that come
// after all blocks'. A tile of rows gives way to that of the next products as soon as no column to
// come needs it.
__global__ void __launch_bounds__(kWarps *kWarp, COMMON_BLOCKS)
    CommonProductKernel(const __grid_constant__ product_rows all, unsigned tiles) {
    DYNAMIC_SHARED(ToeplitzTable::Pair, shared);
    ToeplitzTable table = {shared};
    ToeplitzRows::Share *const shares =
        (ToeplitzRows::Share *)((char *)shared + ToeplitzTable::Bytes(tiles));
    ToeplitzRows rows(shares + threadIdx.x / kWarp * ToeplitzRows::Shares(tiles), tiles);
    uint64_t first = ((uint64_t)blockIdx.x * kWarps + threadIdx.x / kWarp) * kToeplitzRows;
    WaitForKernelBefore();
#pragma unroll 1
    for (unsigned x = 0; x < tiles; x++) {
        Fetch(all, first, x, rows);
    }
    table.Make(tiles, all.first.b, (unsigned)all.first.bn);
#pragma unroll 1
    while (first < all.count) {
        const uint64_t next = first + (uint64_t)gridDim.x * (kWarps * kToeplitzRows);
        Results results(all, first, tiles);
#pragma unroll 1
        for (unsigned y = 0; y < 2 * tiles; y++) {
            if (y < tiles) {
                CopyWaitNewest(tiles - 1 - y);
                __syncwarp();
            }
            const unsigned begin = y < tiles ? 0 : y - tiles, end = min(y, tiles - 1);
            ToeplitzColumns columns;
            columns.Clear(table, tiles, y - begin);
#pragma unroll 1
            for (unsigned x = begin; x <= end; x++) {
                columns.Add(table, tiles, y - x, rows, x);
            }
            if (y >= tiles) {
                __syncwarp();
                Fetch(all, next, y - tiles, rows);
            }
            results.Store(y, columns);
        }
        results.Pad(all.first.rn);
        first = next;
    }
    CopyWait<0>();
}

}  // namespace

unsigned common_product_tiles(uint64_t an, uint64_t bn) {
    const uint64_t longer = max(an, bn);
    return longer <= kTileLimbs * ToeplitzColumns::kTilesMost
               ? max((unsigned)word_ceil_div(longer, kTileLimbs), 1u)
               : 0;
}

result common_product(const product_rows *all, unsigned tiles, device_stream stream) {
    product_rows rows = *all;
    if (rows.a_stride == 0) {
        ProductSwap(rows);
    }
    if (rows.items != nullptr || rows.b_stride != 0 || tiles == 0 ||
        tiles > ToeplitzColumns::kTilesMost) {
        return RESULT_REFUSED;
    }
    const size_t bytes = ToeplitzTable::Bytes(tiles) +
                         kWarps * ToeplitzRows::Shares(tiles) * sizeof(ToeplitzRows::Share);
    unsigned resident = 0;
    cudaError_t e = AllowShared(CommonProductKernel, bytes);
    if (e == cudaSuccess) {
        e = ResidentBlocks(CommonProductKernel, kWarps * kWarp, bytes, &resident);
    }
    const uint64_t blocks =
        min(word_ceil_div(rows.count, kToeplitzRows * kWarps), (uint64_t)resident);
    if (e == cudaSuccess && blocks > 0) {
        e = LaunchEarly(CommonProductKernel, (unsigned)blocks, kWarps * kWarp, bytes, stream, rows,
                        tiles);
    }
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}
