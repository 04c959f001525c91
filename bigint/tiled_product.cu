// tiled_product.cu: tiled_product.h: one warp for each product, from limbs to limbs: rows of words
// to columns by tensor cores (primitives/tiled.cuh), columns to limbs in registers, carries by
// ballots. Includes the rooms' device headers.
#include "bigint/tiled_product.h"

#include "bigint/product_rows.cuh"
#include "carry/carry_ripple.cuh"
#include "primitives/launch.cuh"
#include "primitives/tiled.cuh"
#include "primitives/warp.cuh"

#ifndef TB1
#define TB1 8
#define TB2 6
#define TB4 6
#define TB8 4
#define TB16 2
#endif
namespace {

constexpr unsigned kWarps = 4;   // of a block
constexpr unsigned kStages = 2;  // operands on their way while others are multiplied

// Carries: the limbs of a product, tile after tile from the lowest.
struct Carries {
    uint32_t spill = 0;  // lane 31's of the tile below
    unsigned carry = 0;  // into the tile

    // Resolve: the limb that is `limb` and what comes from below; spill: what it gives to the next.
    DEVICE uint64_t Resolve(uint64_t limb, uint32_t to_next) {
        const uint32_t from = Lane() == kWarp - 1 ? spill : to_next;
        const uint32_t below = __shfl_sync(kAllLanes, from, (int)((Lane() + kWarp - 1) % kWarp));
        spill = to_next;
        const uint64_t sum = limb + below;
        const uint32_t generate = __ballot_sync(kAllLanes, sum < limb);
        const uint32_t propagate = __ballot_sync(kAllLanes, sum == ~UINT64_C(0));
        const uint64_t into = CarriesInto(generate, propagate, carry);
        carry = (unsigned)(into >> kWarp) & 1;
        return sum + ((uint32_t)into >> Lane() & 1);
    }
};

// FetchRow begins to copy n limbs, and zeros up to the row's length.
template <unsigned kLimbs>
DEVICE void FetchRow(uint64_t *row, const uint64_t *p, uint64_t n) {
    const unsigned here = (unsigned)n;  // n <= kLimbs
#pragma unroll
    for (unsigned k = 0; k < kLimbs; k += kWarp) {
        CopyAsync8OrZero(row + Lane() + k, p + Lane() + k, Lane() + k < here);
    }
}

// Fetch does so for product i, if there is one, and commits one group. A common b is there.
template <unsigned kTiles, bool kCommon>
DEVICE void Fetch(const product_rows &all, uint64_t i, TiledRows<kTiles> &rows) {
    constexpr unsigned kLimbs = TiledRows<kTiles>::kLimbs;
    if (i < all.count) {
        const product_item item = ProductItem(all, i);
        FetchRow<kLimbs>(rows.A(), item.a, item.an);
        if constexpr (!kCommon) {
            FetchRow<kLimbs>(rows.B(), item.b, item.bn);
        }
    }
    CopyCommit();
}

template <unsigned kTiles>
DEVICE void Store(const product_item &item, const TiledColumns<kTiles> &columns) {
    constexpr unsigned kLimbs = kWarp * kTiles;
    const unsigned n = (unsigned)min(item.rn, (uint64_t)kLimbs);
    uint64_t *const r = item.r + Lane();
    Carries carries;
#pragma unroll
    for (unsigned tile = 0; tile < kTiles; tile++) {
        uint32_t to_next;
        const uint64_t limb = columns.Limb(tile, &to_next);
        const uint64_t sum = carries.Resolve(limb, to_next);
        if (Lane() + kWarp * tile < n) {
            r[kWarp * tile] = sum;
        }
    }
    for (uint64_t k = kLimbs; k + Lane() < item.rn; k += kWarp) {
        r[k] = 0;
    }
}

// Blocks of a multiprocessor, by registers.
constexpr unsigned BlocksFor(unsigned tiles) {
    return tiles <= 1 ? TB1 : tiles <= 2 ? TB2 : tiles <= 4 ? TB4 : tiles <= 8 ? TB8 : TB16;
}

// kCommon: one b for all products, kept in registers.
template <unsigned kTiles, bool kCommon>
__global__ void __launch_bounds__(kWarps *kWarp, kCommon ? kTiles == 1 ? 5 : 2 : BlocksFor(kTiles))
    TiledProductKernel(const __grid_constant__ product_rows all) {
    using Rows = TiledRows<kTiles>;
    DYNAMIC_SHARED(Rows, shared);
    const uint64_t step = (uint64_t)gridDim.x * kWarps;
    uint64_t i = (uint64_t)blockIdx.x * kWarps + threadIdx.x / kWarp;
    Rows *const rows = shared + threadIdx.x / kWarp * kStages;
    for (unsigned stage = 0; stage < kStages; stage++) {
        rows[stage].Clear();
    }
    __syncwarp();
    WaitForKernelBefore();
    TiledKept<kCommon ? kTiles : 1> kept;
    if constexpr (kCommon) {
        FetchRow<Rows::kLimbs>(rows[0].B(), all.first.b, all.first.bn);
        CopyCommit();
        CopyWait<0>();
        __syncwarp();
        kept.Take(rows[0].Windows());
    }
    Fetch<kTiles, kCommon>(all, i, rows[0]);
    for (unsigned stage = 0; i < all.count; i += step, stage ^= 1) {
        Fetch<kTiles, kCommon>(all, i + step, rows[stage ^ 1]);
        CopyWait<1>();
        __syncwarp();
        TiledColumns<kTiles> columns;
        if constexpr (kCommon) {
            columns.Multiply(rows[stage].Words(), kept);
        } else {
            columns.Multiply(rows[stage].Words(), rows[stage].Windows());
        }
        __syncwarp();
        Store(ProductItem(all, i), columns);
    }
    CopyWait<0>();
}

struct Entry {
    unsigned tiles;
    size_t bytes;
    void (*kernel[2])(product_rows);  // [common], NULL: none
};

template <unsigned kTiles>
constexpr Entry EntryOf() {
    constexpr size_t kBytes = sizeof(TiledRows<kTiles>) * kWarps * kStages;
    if constexpr (kTiles <= 2) {
        return {kTiles, kBytes, {TiledProductKernel<kTiles, false>, TiledProductKernel<kTiles, true>}};
    } else {
        return {kTiles, kBytes, {TiledProductKernel<kTiles, false>, nullptr}};
    }
}

constexpr Entry kEntries[] = {EntryOf<1>(), EntryOf<2>(), EntryOf<3>(),  EntryOf<4>(),
                              EntryOf<6>(), EntryOf<8>(), EntryOf<12>(), EntryOf<16>()};

const Entry *EntryFor(unsigned tiles) {
    for (const Entry &entry : kEntries) {
        if (entry.tiles == tiles) {
            return &entry;
        }
    }
    return nullptr;
}

}  // namespace

unsigned tiled_product_tiles(uint64_t an, uint64_t bn) {
    const uint64_t shorter = min(an, bn), longer = max(an, bn);
    for (const Entry &entry : kEntries) {
        const uint64_t tiles = entry.tiles;
        if (shorter <= 16 * tiles && longer <= 32 * ((tiles + 1) / 2) && longer <= 32 * tiles - shorter) {
            return entry.tiles;
        }
    }
    return 0;
}

result tiled_product(const product_rows *all, unsigned tiles, device_stream stream) {
    const Entry *const entry = EntryFor(tiles);
    if (entry == nullptr) {
        return RESULT_REFUSED;
    }
    product_rows rows = *all;
    const product_item &first = rows.first;
    const bool common_a = rows.a_stride == 0 && first.an >= first.bn;
    if (rows.items == nullptr && (first.an > first.bn || common_a)) {
        ProductSwap(rows);
    }
    const bool common = rows.items == nullptr && rows.b_stride == 0 && entry->kernel[1] != nullptr;
    void (*const kernel)(product_rows) = entry->kernel[common];
    const unsigned threads = kWarps * kWarp;
    unsigned blocks = 0;
    cudaError_t e = AllowShared(kernel, entry->bytes);
    if (e == cudaSuccess) {
        e = ResidentBlocks(kernel, threads, entry->bytes, &blocks);
    }
    if (e == cudaSuccess && rows.count > 0) {
        const unsigned grid = (unsigned)min((uint64_t)blocks, word_ceil_div(rows.count, kWarps));
        e = LaunchEarly(kernel, grid, threads, entry->bytes, stream, rows);
    }
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}
