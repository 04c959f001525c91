// tiled_product.cu: tiled_product.h: one warp for each product, from limbs to limbs: tensor cores
// turn rows of limbs into words (primitives/tiles/tiled_words.cuh), ballots resolve carries.
// Includes the rooms' device headers.
#include "bigint/device/kernels/tiled_product.h"

#include "bigint/device/kernels/product_rows.cuh"
#include "carry/spills.cuh"
#include "primitives/cuda/launch.cuh"
#include "primitives/cuda/warp.cuh"
#include "primitives/tiles/tiled_words.cuh"

namespace {

constexpr unsigned kStages = 2;  // operands are loaded while others are multiplied

// FetchRow begins to copy n limbs, and zeros up to the row's length. Values that depend on n are
// computed again for each product, because registers to keep them are scarce.
template <unsigned kLimbs>
DEVICE void FetchRow(uint64_t *row, const uint64_t *p, uint64_t n) {
    const unsigned here = Again((unsigned)n);  // n <= kLimbs
#pragma unroll
    for (unsigned k = 0; k < kLimbs; k += kWarp) {
        if (k + kWarp <= kLimbs || Lane() + k < kLimbs) {
            CopyAsyncOrZero<8>(row + Lane() + k, p + Lane() + k, Lane() + k < here);
        }
    }
}

// Results: where the words of a product go, tile after tile of columns, `tiles` of them.
template <unsigned kTiles>
struct Results {
    static constexpr unsigned kColumns = 2 * kTiles;  // tiles of columns, of kWarp words
    const product_item item;
    uint32_t *const r;
    const int n;  // words of the product's tiles that it has room for
    CarrySpills<kWarp, uint32_t> carries;

    DEVICE explicit Results(const product_item &of)
        : item(of), r((uint32_t *)of.r), n(2 * (int)min(of.rn, (uint64_t)(kWarp * kTiles))) {}

    // Store: words from tile `from` on of the columns are those from that many tiles on.
    template <class Columns>
    DEVICE void Store(const WordTileLane &lane, unsigned from, const Columns &columns) {
        uint32_t *const to = r + kWarp * from + lane.place;
        const int left = n - (int)(kWarp * from + lane.place);
#pragma unroll
        for (unsigned m = 0; m < Columns::kM; m++) {
            uint32_t spill;
            const uint32_t word = columns.Word(m, &spill);
            const uint32_t sum = carries.Add(word, spill, lane.last, lane.below);
            if ((int)(kWarp * m) < left) {
                to[kWarp * m] = sum;
            }
        }
    }

    // End: if words have carries, it reads them back, in order, and adds the carries. It pads with
    // zeros from limb 32 kTiles on.
    DEVICE void End() {
        if (carries.Any()) {
            __syncwarp();  // words are read by other lanes
            carries.Reorder(WordTileLane::Of(Lane()));
#pragma unroll 1
            for (unsigned m = 0; m < kColumns; m++) {
                const int k = (int)(kWarp * m + Lane());
                const uint32_t sum = carries.Resolve(m, kColumns, k < n ? r[k] : 0);
                if (k < n) {
                    r[k] = sum;
                }
            }
        }
        for (uint64_t k = kWarp * kTiles + Lane(); k < item.rn; k += kWarp) {
            item.r[k] = 0;
        }
    }
};

// Product and Square: a warp's work on one product of up to kTiles tiles: Fetch begins to copy its
// operands, Make computes it.
// kSame: both factors are one number, which is copied once.
template <unsigned kTiles, bool kSame>
struct Product {
    using Rows = WordTileRows<kTiles>;
    using Tables = WordTileTable<kTiles>[1];
    static constexpr unsigned kLimbs = Rows::kLimbs;

    DEVICE static void Fetch(const product_item &item, Rows &rows) {
        FetchRow<kLimbs>(rows.Row(0), item.a, item.an);
        if constexpr (!kSame) {
            FetchRow<kLimbs>(rows.Row(1), item.b, item.bn);
        }
    }
    DEVICE static void Make(const product_item &item, const WordTileLane &lane, Rows &rows,
                            Tables &tables) {
        tables[0].Make(rows.Row(0), rows.Row(kSame ? 0 : 1));
        __syncwarp();
        WordTileColumns<kTiles, (kTiles > 4), kTiles == 8> columns;
        columns.Clear();
        columns.Add(tables[0].A(lane, rows.Row(0)), tables[0].B(lane));
        Results<kTiles> results(item);
        results.Store(lane, 0, columns);
        results.End();
    }
};

template <unsigned kTiles>
struct Square {
    using Rows = WordTileRows<kTiles / 2>;
    using Tables = WordTileTable<kTiles / 2>[2];
    static constexpr unsigned kLimbs = Rows::kLimbs;

    DEVICE static void Fetch(const product_item &item, Rows &rows) {
        const uint64_t low = min(item.an, (uint64_t)kLimbs);
        FetchRow<kLimbs>(rows.Row(0), item.a, low);
        FetchRow<kLimbs>(rows.Row(1), item.a + low, item.an - low);
    }
    DEVICE static void Make(const product_item &item, const WordTileLane &lane, Rows &rows,
                            Tables &tables) {
        uint64_t *const low = rows.Row(0), *const high = rows.Row(1);
#pragma unroll 1
        for (unsigned k = 0; k < 2; k++) {
            tables[k].Make(rows.Row(k), rows.Row(k));
        }
        __syncwarp();
        WordTileSquare<kTiles / 2> square;
        Results<kTiles> results(item);
        square.Lower(lane, tables, low, high);
        results.Store(lane, 0, square.columns);
        square.Upper(lane, tables, high);
        results.Store(lane, kTiles, square.columns);
        results.End();
    }
};

template <class Work>
struct Shared {
    typename Work::Rows rows[kStages];
    typename Work::Tables tables;
};

// kBlocks: of a multiprocessor.
template <class Work, bool kListed, unsigned kBlocks>
__global__ void __launch_bounds__(kWarp, kBlocks)
    TiledProductKernel(const __grid_constant__ product_rows all) {
    using Walk = ProductWalk<kListed>;
    DYNAMIC_SHARED(Shared<Work>, shared);
    const WordTileLane lane;
    for (unsigned stage = 0; stage < kStages; stage++) {
        shared->rows[stage].Clear();
    }
    for (auto &table : shared->tables) {
        table.Clear();
    }
    __syncwarp();
    WaitForKernelBefore();
    const uint64_t first = (uint64_t)blockIdx.x * all.each;
    const unsigned turns = Again((unsigned)min(all.count - first, (uint64_t)all.each));
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
        Work::Make(to.Item(), lane, shared->rows[turn % kStages], shared->tables);
        if (!more) {
            return;
        }
        __syncwarp();  // the table has been read
        to.Next();
    }
}

// Blocks of a multiprocessor, by registers: each scheduler has as many.
constexpr unsigned BlocksFor(unsigned tiles, bool listed) {
    return tiles <= 1    ? 32
           : tiles <= 2  ? 24
           : tiles <= 3  ? 20
           : tiles <= 6  ? 16
           : tiles <= 8  ? (listed ? 12 : 16)
           : tiles <= 12 ? (listed ? 8 : 12)
                         : 8;
}
constexpr unsigned SquareBlocksFor(unsigned tiles) {
    return tiles == 8 ? 20 : tiles <= 12 ? 16 : 12;
}

// Products for each warp, which is a block. The warps of a multiprocessor run at different speeds,
// so many short blocks end more evenly than a few long ones.
constexpr unsigned EachFor(unsigned tiles) { return tiles <= 2 ? 16 : 8; }

// Squares of this many tiles or more are computed by halves; for fewer tiles that costs more than
// it saves.
constexpr unsigned kSquaresFrom = 6;

template <unsigned kTiles>
constexpr ProductKernel KernelOf() {
    using Work = Product<kTiles, false>;
    using Same = Product<kTiles, (kTiles < kSquaresFrom)>;
    static_assert(sizeof(Shared<Same>) == sizeof(Shared<Work>), "one launch for both");
    const auto same = TiledProductKernel<Same, false, BlocksFor(kTiles, false)>;
    return {kTiles,
            kWarp,
            1,
            EachFor(kTiles),
            sizeof(Shared<Work>),
            {TiledProductKernel<Work, false, BlocksFor(kTiles, false)>,
             kTiles < kSquaresFrom ? same : nullptr,
             TiledProductKernel<Work, true, BlocksFor(kTiles, true)>}};
}

template <unsigned kTiles>
constexpr ProductKernel SquareOf() {
    using Work = Square<kTiles>;
    return {kTiles,
            kWarp,
            1,
            EachFor(kTiles),
            sizeof(Shared<Work>),
            {nullptr, TiledProductKernel<Work, false, SquareBlocksFor(kTiles)>, nullptr}};
}

constexpr ProductKernel kKernels[] = {KernelOf<1>(), KernelOf<2>(), KernelOf<3>(),  KernelOf<4>(),
                                      KernelOf<6>(), KernelOf<8>(), KernelOf<12>(), KernelOf<16>(),
                                      SquareOf<6>(), SquareOf<8>(), SquareOf<12>(), SquareOf<16>()};

}  // namespace

unsigned tiled_product_tiles(uint64_t an, uint64_t bn) {
    const uint64_t longer = max(an, bn);
    return ProductSize(kKernels, longer / 16 + (longer % 16 != 0), kStrided);
}

result tiled_product(const product_rows *all, unsigned tiles, cuda_stream stream) {
    return ProductLaunch(kKernels, tiles, *all, stream);
}
