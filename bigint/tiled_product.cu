// tiled_product.cu: tiled_product.h: one warp for each product, from limbs to limbs: rows of words
// to columns by tensor cores (primitives/tiled.cuh), columns to limbs in registers, carries by
// ballots. Includes the rooms' device headers.
#include "bigint/tiled_product.h"

#include "bigint/product_rows.cuh"
#include "carry/carry_spills.cuh"
#include "primitives/launch.cuh"
#include "primitives/tiled.cuh"
#include "primitives/warp.cuh"

namespace {

constexpr unsigned kStages = 2;  // operands on their way while others are multiplied
// Products of a warp, which is a block. Warps of a multiprocessor do not go at one speed, so that
// many short blocks end more evenly than a few long ones.
template <unsigned kTiles>
constexpr unsigned kEach = kTiles <= 2 ? 16 : 8;

// FetchRow begins to copy n limbs, and zeros up to the row's length.
template <unsigned kLimbs>
DEVICE void FetchRow(uint64_t *row, const uint64_t *p, uint64_t n) {
    const unsigned here = (unsigned)n;  // n <= kLimbs
#pragma unroll
    for (unsigned k = 0; k < kLimbs; k += kWarp) {
        if (k + kWarp <= kLimbs || Lane() + k < kLimbs) {
            CopyAsyncOrZero<8>(row + Lane() + k, p + Lane() + k, Lane() + k < here);
        }
    }
}

// Fetch does so for the operands of the walk's product, if there is one, and commits one group.
template <unsigned kTiles, class Walk>
DEVICE void Fetch(const Walk &walk, bool there, TiledRows<kTiles> &rows) {
    constexpr unsigned kLimbs = TiledRows<kTiles>::kLimbs;
    if (there) {
        const product_item item = walk.Item();
        FetchRow<kLimbs>(rows.A(), item.a, item.an);
        FetchRow<kLimbs>(rows.B(), item.b, item.bn);
    }
    CopyCommit();
}

// Store writes the product. Where limbs have carries, it reads them back and adds these.
template <unsigned kTiles>
DEVICE void Store(const product_item &item, const TiledColumns<kTiles> &columns,
                  TiledLimbs &limbs) {
    constexpr unsigned kLimbs = kWarp * kTiles;
    const unsigned n = (unsigned)min(item.rn, (uint64_t)kLimbs);
    uint64_t *const r = item.r + Lane();
    CarrySpills<kWarp> carries;
#pragma unroll
    for (unsigned tile = 0; tile < kTiles; tile++) {
        uint32_t spill;
        const uint64_t limb = columns.Limb(tile, limbs, &spill);
        const uint64_t sum = carries.Add(tile, limb, spill);
        if (Lane() + kWarp * tile < n) {
            r[kWarp * tile] = sum;
        }
    }
    if (carries.Any()) {
#pragma unroll 1
        for (unsigned tile = 0; tile < kTiles; tile++) {
            const bool there = Lane() + kWarp * tile < n;
            const uint64_t sum = carries.Resolve(tile, there ? r[kWarp * tile] : 0);
            if (there) {
                r[kWarp * tile] = sum;
            }
        }
    }
    for (uint64_t k = kLimbs; k + Lane() < item.rn; k += kWarp) {
        r[k] = 0;
    }
}

// Blocks of a multiprocessor, by registers.
constexpr unsigned BlocksFor(unsigned tiles, bool listed) {
    return tiles <= 1   ? 32
           : tiles <= 2 ? 24
           : tiles <= 4 ? 16
           : tiles <= 8 ? (listed ? 12 : 16)
                        : 8;
}

template <unsigned kTiles>
struct Shared {
    TiledRows<kTiles> rows[kStages];
    TiledLimbs limbs;
};

template <unsigned kTiles, bool kListed>
__global__ void __launch_bounds__(kWarp, BlocksFor(kTiles, kListed))
    TiledProductKernel(const __grid_constant__ product_rows all) {
    using Walk = ProductWalk<kListed>;
    DYNAMIC_SHARED(Shared<kTiles>, shared);
    TiledRows<kTiles> *const rows = shared->rows;
    const TiledLane lane;
    for (unsigned stage = 0; stage < kStages; stage++) {
        rows[stage].Clear();
    }
    __syncwarp();
    WaitForKernelBefore();
    const uint64_t first = (uint64_t)blockIdx.x * kEach<kTiles>;
    const unsigned turns = (unsigned)min(all.count - first, (uint64_t)kEach<kTiles>);
    Walk from(all, first, 1), to(all, first, 1);
    Fetch<kTiles>(from, true, rows[0]);
    for (unsigned turn = 0;; turn++) {
        TiledRows<kTiles> &present = rows[turn % kStages];
        const bool more = turn + 1 < turns;
        from.Next();
        Fetch<kTiles>(from, more, rows[(turn + 1) % kStages]);
        CopyWait<1>();
        __syncwarp();
        TiledColumns<kTiles> columns;
        columns.Multiply(present.Words(lane), present.Windows(lane));
        Store(to.Item(), columns, shared->limbs);
        if (!more) {
            return;
        }
        to.Next();
    }
}

template <unsigned kTiles>
constexpr ProductKernel KernelOf() {
    return {kTiles,
            kWarp,
            kEach<kTiles>,
            sizeof(Shared<kTiles>),
            {TiledProductKernel<kTiles, false>, TiledProductKernel<kTiles, false>,
             TiledProductKernel<kTiles, true>}};
}

constexpr ProductKernel kKernels[] = {KernelOf<1>(), KernelOf<2>(), KernelOf<3>(),  KernelOf<4>(),
                                      KernelOf<6>(), KernelOf<8>(), KernelOf<12>(), KernelOf<16>()};

}  // namespace

unsigned tiled_product_tiles(uint64_t an, uint64_t bn) {
    const uint64_t longer = max(an, bn);
    return ProductSize(kKernels, longer / 16 + (longer % 16 != 0), kStrided);
}

result tiled_product(const product_rows *all, unsigned tiles, device_stream stream) {
    return ProductLaunch(kKernels, tiles, *all, stream);
}
