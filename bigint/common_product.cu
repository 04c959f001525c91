// common_product.cu: common_product.h: the common factor's Toeplitz matrix in shared memory, rows
// of limbs beside it, columns to limbs in the lanes that have them. Includes the rooms' device
// headers.
#include "bigint/common_product.h"

#include "bigint/product_rows.cuh"
#include "carry/carry_spills.cuh"
#include "primitives/launch.cuh"
#include "primitives/tiled.cuh"
#include "primitives/toeplitz.cuh"

namespace {

constexpr unsigned kWarpsMost = 16;  // of a block, by registers
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

// AddLate adds to limb k of {r, n} what comes from below after it was stored, with its carry, which
// rarely goes further. Called by one lane of a row's, after a barrier.
DEVICE void AddLate(uint64_t *r, uint64_t k, uint64_t n, uint64_t late) {
    for (bool more = k < n; more;) {
        const uint64_t sum = r[k] + late;
        r[k] = sum;
        more = sum < late && ++k < n;
        late = 1;
    }
}

// Results: where rows g = Lane() / 4 and g + 8 of the 16 products from `first` on go, limb by limb.
struct Results {
    const product_rows &all;
    uint64_t first;
    CarrySpills<kGroup> carries[2] = {};

    DEVICE Results(const product_rows &rows, uint64_t from) : all(rows), first(from) {}

    // Limbs of a row, none beyond the last product.
    DEVICE uint64_t Limbs(unsigned row) const {
        return first + Lane() / kGroup + 8 * row < all.count ? all.first.rn : 0;
    }
    DEVICE uint64_t *Place(unsigned row) const {
        return all.first.r + (first + Lane() / kGroup + 8 * row) * all.r_stride;
    }

    // Store: a tile's columns are the next 16 limbs. Where limbs have carries, they are read back.
    DEVICE void Store(unsigned tile, const ToeplitzColumns &columns) {
        const unsigned from = kTileLimbs * tile + Lane() % kGroup;
#pragma unroll
        for (unsigned row = 0; row < 2; row++) {
            uint64_t *const r = Place(row) + from;
            // Of the lane's limbs of the tile, those 4 y < here are.
            const uint64_t limbs = Limbs(row);
            const unsigned here =
                limbs > from ? (unsigned)min(limbs - from, (uint64_t)kTileLimbs) : 0;
#pragma unroll
            for (unsigned y = 0; y < kToeplitzBlocks; y++) {
                uint32_t c[2][4], spill;
#pragma unroll
                for (unsigned i = 0; i < 8; i++) {
                    c[i / 4][i % 4] = (uint32_t)columns.sum[y][i / 2][2 * row + i % 2];
                }
                const uint64_t low = TiledLimb<ToeplitzColumns::kMost>(c[0], c[1], &spill);
                const uint64_t sum = carries[row].Add(y, low, spill);
                if (4 * y < here) {
                    r[4 * y] = sum;
                }
            }
            if (carries[row].Any()) {
                Resolve(r, here, carries[row]);
            }
            carries[row].Next();
        }
    }

    DEVICE static void Resolve(uint64_t *r, unsigned here, CarrySpills<kGroup> &carries) {
#pragma unroll 1
        for (unsigned y = 0; y < kToeplitzBlocks; y++) {
            const bool there = 4 * y < here;
            const uint64_t sum = carries.Resolve(y, there ? r[4 * y] : 0);
            if (there) {
                r[4 * y] = sum;
            }
        }
    }

    // Leave: what a warp's columns give to the limb above.
    DEVICE void Leave(uint32_t (&spill)[kToeplitzRows]) const {
        if (Lane() % kGroup == kGroup - 1) {
            spill[Lane() / kGroup] = carries[0].beyond;
            spill[Lane() / kGroup + kToeplitzRows / 2] = carries[1].beyond;
        }
    }

    // AddBelow adds that to limb k, which with those above it is stored.
    DEVICE void AddBelow(unsigned k, const uint32_t (&spill)[kToeplitzRows]) const {
        const unsigned row = Lane() % kGroup;
        if (row < 2) {
            AddLate(Place(row), k, Limbs(row), spill[Lane() / kGroup + kToeplitzRows / 2 * row]);
        }
    }

    // Pad: zeros from limb n on.
    DEVICE void Pad(uint64_t n) const {
#pragma unroll 1
        for (unsigned row = 0; row < 2; row++) {
#pragma unroll 1
            for (uint64_t k = n + Lane() % kGroup; k < Limbs(row); k += kGroup) {
                Place(row)[k] = 0;
            }
        }
    }
};

// FirstOf: the first product of the block's 16 products number `group`.
DEVICE uint64_t FirstOf(unsigned group) {
    return ((uint64_t)group * gridDim.x + blockIdx.x) * kToeplitzRows;
}

// Draw: the next number that no warp has drawn, to all lanes.
DEVICE unsigned Draw(unsigned &drawn) {
    const unsigned mine = Lane() == 0 ? atomicAdd(&drawn, 1u) : 0;
    return __shfl_sync(kAllLanes, mine, 0);
}

// Between: what the warps of a team tell one another.
struct Between {
    unsigned next;                  // group of products
    uint32_t spill[kToeplitzRows];  // of the lower half of the columns
};

// Shared: of a block, beside its dynamic shared memory.
struct alignas(16) Shared {
    unsigned drawn;  // groups
    Between of[kWarpsMost];
};

// Team: kShare warps that make 16 products together, and meet at a barrier of their own.
template <unsigned kShare>
struct Team {
    Between &between;
    unsigned barrier, part;

    DEVICE void Meet() const {
        if constexpr (kShare == 1) {
            __syncwarp();
        } else {
            NamedBarrierWait(barrier, kShare * kWarp);
        }
    }

    // Fetch begins to copy all tiles of rows, each warp some of them.
    DEVICE void Fetch(const product_rows &all, uint64_t first, unsigned tiles,
                      ToeplitzRows &rows) const {
#pragma unroll 1
        for (unsigned x = part; x < tiles; x += kShare) {
            ::Fetch(all, first, x, rows);
        }
    }

    // Begin draws the next group; of several warps, when what is between them has been read and all
    // rows are there.
    DEVICE void Begin(unsigned &drawn) const {
        if constexpr (kShare > 1) {
            CopyWait<0>();
        }
        Meet();
        if (part == 0) {
            between.next = Draw(drawn);
        }
        if constexpr (kShare == 1) {
            Meet();
        }
    }

    // End returns the next group, when all rows have been read.
    DEVICE unsigned End(const Results &results) const {
        if (kShare > 1 && part == 0) {
            results.Leave(between.spill);
        }
        Meet();
        return between.next;
    }

    // AddLate: the upper half of the columns takes what the lower one has left, from limb k on.
    DEVICE void AddLate(const Results &results, unsigned k) const {
        if (part > 0) {
            results.AddBelow(k, between.spill);
        }
    }
};

// CommonProductKernel: all r = a b, where b is the common factor and a, b have up to 16 tiles
// limbs, by any number of blocks of teams of kShare warps, up to kWarpsMost warps; shared memory as
// in ShapeFor. A team makes 16 products at a time, and then draws the next ones of its block, since
// teams do not go at one speed; neighbours are in different blocks, so that few products keep all
// of them busy. Tile y of columns needs tiles y - tiles .. y of the rows. A warp alone lets tile x
// of rows give way to that of the next products after columns x + tiles. Of two, each makes half of
// the columns, and the spill of the lower ones is added late; all rows give way at the end.
template <unsigned kShare>
__global__ void __launch_bounds__(kWarpsMost *kWarp, 1)
    CommonProductKernel(const __grid_constant__ product_rows all, unsigned tiles) {
    constexpr bool kAlone = kShare == 1;
    DYNAMIC_SHARED(ToeplitzTable::Pair, room);
    SHARED(Shared, shared);
    const unsigned number = threadIdx.x / kWarp / kShare, part = threadIdx.x / kWarp % kShare;
    ToeplitzTable table = {room};
    ToeplitzRows rows((ToeplitzRows::Share *)((char *)room + ToeplitzTable::Bytes(tiles)) +
                          number * ToeplitzRows::Shares(tiles),
                      tiles);
    Team<kShare> team = {shared.of[number], 1 + number, part};
    if (threadIdx.x == 0) {
        shared.drawn = blockDim.x / kWarp / kShare;
    }
    uint64_t first = FirstOf(number);
    WaitForKernelBefore();
    team.Fetch(all, first, tiles, rows);
    table.Make(tiles, all.first.b, (unsigned)all.first.bn);
#pragma unroll 1
    while (first < all.count) {
        team.Begin(shared.drawn);
        Results results(all, first);
#pragma unroll 1
        for (unsigned y = part * tiles; y < (part + 2 / kShare) * tiles; y++) {
            if (kAlone && y < tiles) {
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
            if (kAlone && y >= tiles) {
                __syncwarp();
                Fetch(all, FirstOf(team.between.next), y - tiles, rows);
            }
            results.Store(y, columns);
        }
        first = FirstOf(team.End(results));
        if constexpr (!kAlone) {
            team.Fetch(all, first, tiles, rows);
            team.AddLate(results, kTileLimbs * tiles);
        }
        if (part + 1 == kShare) {
            results.Pad(2 * kTileLimbs * tiles);
        }
    }
    CopyWait<0>();
}

// Shape of a launch: one block for each multiprocessor, of as many teams as it has room for and
// there is work; of two warps each where one each would leave places of two warps or more empty.
struct Shape {
    unsigned blocks, share, warps;
    size_t bytes;
};

cudaError_t ShapeFor(uint64_t count, unsigned tiles, Shape *shape) {
    int multiprocessors = 0, most = 0;
    cudaError_t e = DeviceAttribute(cudaDevAttrMultiProcessorCount, &multiprocessors);
    if (e == cudaSuccess) {
        e = DeviceAttribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, &most);
    }
    const size_t each = ToeplitzRows::Shares(tiles) * sizeof(ToeplitzRows::Share);
    const size_t table = ToeplitzTable::Bytes(tiles), beside = table + sizeof(Shared);
    const uint64_t groups = word_ceil_div(count, kToeplitzRows);
    const uint64_t blocks = min(groups, (uint64_t)max(multiprocessors, 1));
    const uint64_t room = (size_t)most > beside ? ((size_t)most - beside) / each : 0;
    const uint64_t work = blocks > 0 ? word_ceil_div(groups, blocks) : 0;
    const unsigned share = room + 1 < kWarpsMost ? 2 : 1;
    const uint64_t teams = min(min(room, work), (uint64_t)kWarpsMost / share);
    *shape = {(unsigned)blocks, share, (unsigned)teams * share, table + (size_t)teams * each};
    return e == cudaSuccess && room == 0 ? cudaErrorInvalidConfiguration : e;
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
    if (!ProductCommon(rows) || tiles == 0 || tiles > ToeplitzColumns::kTilesMost) {
        return RESULT_REFUSED;
    }
    Shape shape;
    cudaError_t e = ShapeFor(rows.count, tiles, &shape);
    const auto kernel = shape.share == 1 ? CommonProductKernel<1> : CommonProductKernel<2>;
    if (e == cudaSuccess) {
        e = AllowShared(kernel, shape.bytes);
    }
    if (e == cudaSuccess && rows.count > 0) {
        e = LaunchEarly(kernel, shape.blocks, shape.warps * kWarp, shape.bytes, stream, rows,
                        tiles);
    }
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}
