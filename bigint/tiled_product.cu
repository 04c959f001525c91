// tiled_product.cu: tiled_product.h: one warp for each product, from limbs to limbs: rows of words
// to columns by tensor cores (primitives/tiled.cuh), columns to limbs in registers, carries by
// ballots. Includes the rooms' device headers.
#include "bigint/tiled_product.h"

#include <type_traits>

#include "bigint/product_rows.cuh"
#include "carry/carry_spills.cuh"
#include "primitives/launch.cuh"
#include "primitives/tiled.cuh"
#include "primitives/warp.cuh"

namespace {

constexpr unsigned kStages = 2;  // operands on their way while others are multiplied

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

// Results: where the limbs of a product go, tile after tile. kByFlag: as in CarrySpills.
template <bool kByFlag>
struct Results {
    const product_item item;
    const unsigned n;  // limbs of the product's tiles that it has room for
    CarrySpills<kWarp, kByFlag> carries;

    DEVICE Results(const product_item &of, unsigned limbs)
        : item(of), n((unsigned)min(of.rn, (uint64_t)limbs)) {}

    // Store: limbs from tile `from` on of the columns are those from that many tiles on.
    template <class Columns>
    DEVICE void Store(unsigned from, const Columns &columns, TiledLimbs (&limbs)[2]) {
#pragma unroll
        for (unsigned tile = 0; tile < Columns::kM / 2; tile++) {
            const unsigned k = Lane() + kWarp * (from + tile);
            uint32_t spill;
            const uint64_t limb = columns.Limb(tile, limbs, &spill);
            const uint64_t sum = carries.Add(from + tile, limb, spill);
            if (k < n) {
                item.r[k] = sum;
            }
        }
    }

    // End: where limbs have carries, it reads them back and adds these; and pads with zeros from
    // limb 32 tiles on.
    DEVICE void End(unsigned tiles) {
        if (carries.Any()) {
#pragma unroll 1
            for (unsigned tile = 0; tile < tiles; tile++) {
                const unsigned k = Lane() + kWarp * tile;
                const uint64_t sum = carries.Resolve(tile, tiles, k < n ? item.r[k] : 0);
                if (k < n) {
                    item.r[k] = sum;
                }
            }
        }
        for (uint64_t k = kWarp * tiles + Lane(); k < item.rn; k += kWarp) {
            item.r[k] = 0;
        }
    }
};

// NoShifts: of products that permute (TiledWindows).
struct NoShifts {
    DEVICE void Clear() {}
};

// Product and Square: what a warp does with one product of up to kTiles tiles: Fetch begins to copy
// its operands, Make makes it. A warp, which is a block, makes kEach: warps of a multiprocessor do
// not go at one speed, so that many short blocks end more evenly than a few long ones.
// kSame: both factors are one number, which is copied once.
template <unsigned kTiles, bool kSame>
struct Product {
    using Rows = TiledRows<kTiles>;
    static constexpr unsigned kLimbs = Rows::kLimbs, kEach = kTiles <= 2 ? 16 : 8;
    // Tiles from which copies of the row take less than permutations: of fewer, shared memory and
    // the wait for the copies.
    static constexpr bool kCopies = kTiles >= 16;
    using Shifts = std::conditional_t<kCopies, TiledShifts<kTiles>, NoShifts>;

    DEVICE static void Fetch(const product_item &item, Rows &rows) {
        FetchRow<kLimbs>(rows.Row(0), item.a, item.an);
        if constexpr (!kSame) {
            FetchRow<kLimbs>(rows.Row(1), item.b, item.bn);
        }
    }
    DEVICE static void Make(const product_item &item, const TiledLane &lane, Rows &rows,
                            Shifts &shifts, TiledLimbs (&limbs)[2]) {
        TiledColumns<kTiles> columns;
        columns.Clear();
        if constexpr (kCopies) {
            shifts.Make(rows.Row(1));
            __syncwarp();
            columns.Add(rows.Words(lane, 0), shifts.Windows(lane));
        } else {
            columns.Add(rows.Words(lane, 0), rows.Windows(lane, kSame ? 0 : 1));
        }
        Results<kSame> results(item, 2 * kLimbs);
        results.Store(0, columns, limbs);
        results.End(kTiles);
    }
};

template <unsigned kTiles>
struct Square {
    using Rows = TiledRows<kTiles / 2>;
    using Shifts = TiledShifts<kTiles / 2>;
    static constexpr unsigned kLimbs = Rows::kLimbs, kEach = 8;

    DEVICE static void Fetch(const product_item &item, Rows &rows) {
        const uint64_t low = min(item.an, (uint64_t)kLimbs);
        FetchRow<kLimbs>(rows.Row(0), item.a, low);
        FetchRow<kLimbs>(rows.Row(1), item.a + low, item.an - low);
    }
    DEVICE static void Make(const product_item &item, const TiledLane &lane, Rows &rows,
                            Shifts &shifts, TiledLimbs (&limbs)[2]) {
        TiledSquare<kTiles / 2> square;
        Results<false> results(item, 4 * kLimbs);
        shifts.Make(rows.Row(0));
        __syncwarp();
        square.Lower(lane, rows, shifts);
        results.Store(0, square.columns, limbs);
        shifts.Make(rows.Row(1));
        __syncwarp();
        square.Upper(lane, rows, shifts);
        results.Store(kTiles / 2, square.columns, limbs);
        results.End(kTiles);
    }
};

template <class Work>
struct Shared {
    typename Work::Rows rows[kStages];
    typename Work::Shifts shifts;
    TiledLimbs limbs[2];
};

// kBlocks: of a multiprocessor.
template <class Work, bool kListed, unsigned kBlocks>
__global__ void __launch_bounds__(kWarp, kBlocks)
    TiledProductKernel(const __grid_constant__ product_rows all) {
    using Walk = ProductWalk<kListed>;
    DYNAMIC_SHARED(Shared<Work>, shared);
    const TiledLane lane;
    for (unsigned stage = 0; stage < kStages; stage++) {
        shared->rows[stage].Clear();
    }
    shared->shifts.Clear();
    __syncwarp();
    WaitForKernelBefore();
    const uint64_t first = (uint64_t)blockIdx.x * Work::kEach;
    const unsigned turns = (unsigned)min(all.count - first, (uint64_t)Work::kEach);
    Walk from(all, first, 1), to(all, first, 1);
    Work::Fetch(from.Item(), shared->rows[0]);
    CopyCommit();
    for (unsigned turn = 0;; turn++) {
        const bool more = turn + 1 < turns;
        from.Next();
        if (more) {
            Work::Fetch(from.Item(), shared->rows[(turn + 1) % kStages]);
        }
        CopyCommit();
        CopyWait<1>();
        __syncwarp();
        Work::Make(to.Item(), lane, shared->rows[turn % kStages], shared->shifts, shared->limbs);
        if (!more) {
            return;
        }
        to.Next();
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

// Tiles from which squares are made by halves: of fewer, what that takes is more than what it
// saves.
constexpr unsigned kSquaresFrom = 12, kSquareBlocks = 12;

// Whether squares of so many tiles are faster as products of one row by itself.
constexpr bool OneRow(unsigned tiles) { return tiles > 1 && tiles <= 6; }

template <unsigned kTiles>
constexpr ProductKernel KernelOf() {
    using Work = Product<kTiles, false>;
    using Same = Product<kTiles, OneRow(kTiles)>;
    static_assert(sizeof(Shared<Same>) == sizeof(Shared<Work>), "one launch for both");
    const auto strided = TiledProductKernel<Work, false, BlocksFor(kTiles, false)>;
    const auto same = TiledProductKernel<Same, false, BlocksFor(kTiles, false)>;
    return {kTiles,
            kWarp,
            Work::kEach,
            sizeof(Shared<Work>),
            {strided, kTiles < kSquaresFrom ? same : nullptr,
             TiledProductKernel<Work, true, BlocksFor(kTiles, true)>}};
}

template <unsigned kTiles>
constexpr ProductKernel SquareOf() {
    using Work = Square<kTiles>;
    return {kTiles,
            kWarp,
            Work::kEach,
            sizeof(Shared<Work>),
            {nullptr, TiledProductKernel<Work, false, kSquareBlocks>, nullptr}};
}

constexpr ProductKernel kKernels[] = {KernelOf<1>(),  KernelOf<2>(), KernelOf<3>(),  KernelOf<4>(),
                                      KernelOf<6>(),  KernelOf<8>(), KernelOf<12>(), KernelOf<16>(),
                                      SquareOf<12>(), SquareOf<16>()};

}  // namespace

unsigned tiled_product_tiles(uint64_t an, uint64_t bn) {
    const uint64_t longer = max(an, bn);
    return ProductSize(kKernels, longer / 16 + (longer % 16 != 0), kStrided);
}

result tiled_product(const product_rows *all, unsigned tiles, device_stream stream) {
    return ProductLaunch(kKernels, tiles, *all, stream);
}
