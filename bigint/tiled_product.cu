// tiled_product.cu: tiled_product.h: one warp for each product, from limbs to limbs: rows of words
// to columns by tensor cores (primitives/tiled.cuh), columns to limbs in registers, carries by
// ballots. Includes the rooms' device headers.
#include "bigint/tiled_product.h"

#include "bigint/product_rows.cuh"
#include "carry/carry_ripple.cuh"
#include "primitives/launch.cuh"
#include "primitives/tiled.cuh"
#include "primitives/warp.cuh"

namespace {

constexpr unsigned kStages = 2;  // operands on their way while others are multiplied
// Products of a warp, which is a block. Warps of a multiprocessor do not go at one speed, so that
// many short blocks end more evenly than a few long ones.
template <unsigned kTiles>
constexpr unsigned kEach = kTiles <= 2 ? 16 : 8;

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
        if (k + kWarp <= kLimbs || Lane() + k < kLimbs) {
            CopyAsync8OrZero(row + Lane() + k, p + Lane() + k, Lane() + k < here);
        }
    }
}

// Fetch does so for the operands of the walk's product, if there is one, and commits one group. A
// common b is there.
template <unsigned kTiles, bool kCommon, class Walk>
DEVICE void Fetch(const Walk &walk, bool there, TiledRows<kTiles> &rows) {
    constexpr unsigned kLimbs = TiledRows<kTiles>::kLimbs;
    if (there) {
        const product_item item = walk.Item();
        FetchRow<kLimbs>(rows.A(), item.a, item.an);
        if constexpr (!kCommon) {
            FetchRow<kLimbs>(rows.B(), item.b, item.bn);
        }
    }
    CopyCommit();
}

template <unsigned kTiles>
DEVICE void Store(const product_item &item, const TiledColumns<kTiles> &columns,
                  TiledLimbs &limbs) {
    constexpr unsigned kLimbs = kWarp * kTiles;
    const unsigned n = (unsigned)min(item.rn, (uint64_t)kLimbs);
    uint64_t *const r = item.r + Lane();
    Carries carries;
#pragma unroll
    for (unsigned tile = 0; tile < kTiles; tile++) {
        uint32_t to_next;
        const uint64_t limb = columns.Limb(tile, limbs, &to_next);
        const uint64_t sum = carries.Resolve(limb, to_next);
        if (Lane() + kWarp * tile < n) {
            r[kWarp * tile] = sum;
        }
    }
    for (uint64_t k = kLimbs; k + Lane() < item.rn; k += kWarp) {
        r[k] = 0;
    }
}

enum Form { kStrided, kCommon, kListed };  // kCommon: one b for all, kept in registers

// Blocks of a multiprocessor, by registers.
constexpr unsigned BlocksFor(unsigned tiles, Form form) {
    return tiles <= 1   ? 32
           : tiles <= 2 ? (form == kCommon   ? 20
                           : form == kListed ? 24
                                             : 28)
           : tiles <= 4 ? (form == kCommon ? 12 : 16)
           : tiles <= 8 ? (form == kListed ? 12 : 16)
                        : 8;
}

template <unsigned kTiles>
struct Shared {
    TiledRows<kTiles> rows[kStages];
    TiledLimbs limbs;
};

template <unsigned kTiles, Form kForm>
__global__ void __launch_bounds__(kWarp, BlocksFor(kTiles, kForm))
    TiledProductKernel(const __grid_constant__ product_rows all) {
    using Walk = ProductWalk<kForm == kListed>;
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
    TiledKept<kForm == kCommon ? kTiles : 1> kept;
    if constexpr (kForm == kCommon) {
        FetchRow<16 * kTiles>(rows[0].B(), all.first.b, all.first.bn);
        CopyCommit();
        CopyWait<0>();
        __syncwarp();
        kept.Take(rows[0].Windows(lane));
    }
    Walk from(all, first, 1), to(all, first, 1);
    Fetch<kTiles, kForm == kCommon>(from, true, rows[0]);
    for (unsigned turn = 0;; turn++) {
        TiledRows<kTiles> &present = rows[turn % kStages];
        const bool more = turn + 1 < turns;
        from.Next();
        Fetch<kTiles, kForm == kCommon>(from, more, rows[(turn + 1) % kStages]);
        CopyWait<1>();
        __syncwarp();
        TiledColumns<kTiles> columns;
        if constexpr (kForm == kCommon) {
            columns.Multiply(present.Words(lane), kept);
        } else {
            columns.Multiply(present.Words(lane), present.Windows(lane));
        }
        Store(to.Item(), columns, shared->limbs);
        if (!more) {
            return;
        }
        to.Next();
    }
}

struct Entry {
    unsigned tiles, each;
    size_t bytes;
    void (*kernel[3])(product_rows);  // by form
};

template <unsigned kTiles>
constexpr Entry EntryOf() {
    // The registers hold B of up to four tiles.
    return {kTiles,
            kEach<kTiles>,
            sizeof(Shared<kTiles>),
            {TiledProductKernel<kTiles, kStrided>, TiledProductKernel < kTiles,
             kTiles <= 4 ? kCommon : kStrided >, TiledProductKernel<kTiles, kListed>}};
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
    const uint64_t longer = max(an, bn);
    for (const Entry &entry : kEntries) {
        const uint64_t tiles = entry.tiles;
        if (longer <= 16 * tiles) {
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
    if (rows.items == nullptr && rows.a_stride == 0) {
        ProductSwap(rows);
    }
    const Form form = rows.items != nullptr ? kListed : rows.b_stride == 0 ? kCommon : kStrided;
    void (*const kernel)(product_rows) = entry->kernel[form];
    const uint64_t blocks = word_ceil_div(rows.count, entry->each);
    if (blocks > kMaxGridX) {
        return RESULT_REFUSED;
    }
    cudaError_t e = AllowShared(kernel, entry->bytes);
    if (e == cudaSuccess && blocks > 0) {
        e = LaunchEarly(kernel, (unsigned)blocks, kWarp, entry->bytes, stream, rows);
    }
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}
