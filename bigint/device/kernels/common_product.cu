// common_product.cu: common_product.h: the common factor's Toeplitz matrix in shared memory, rows
// of limbs beside it. The lanes that hold the columns turn them into limbs. Includes the rooms'
// device headers.
#include "bigint/device/kernels/common_product.h"

#include "bigint/device/kernels/product_rows.cuh"
#include "carry/spills.cuh"
#include "primitives/cuda/launch.cuh"
#include "primitives/tiles/tiled.cuh"
#include "primitives/tiles/toeplitz.cuh"

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

// AddLate adds the carry from below to {r, n} after it was stored, with its own carry, which rarely
// goes further than the first limb. One lane of a row calls it, after a barrier.
DEVICE void AddLate(uint64_t *r, int n, uint64_t late) {
    for (int k = 0; late != 0 && k < n; k++) {
        const uint64_t sum = r[k] + late;
        r[k] = sum;
        late = sum < late ? 1 : 0;
    }
}

// Results: where the next limbs of rows g = Lane() / 4 and g + 8 of the 16 products from `first` on
// go, tile after tile.
struct Results {
    const product_rows &all;
    uint64_t *next;  // of row g, the lane's first one
    int there;       // products from row g on
    CarrySpills<kGroup> carries[2] = {};

    DEVICE Results(const product_rows &rows, uint64_t first, unsigned tile) : all(rows) {
        const unsigned row = Lane() / kGroup, before = kTileLimbs * tile + Lane() % kGroup;
        next = all.first.r + (first + row) * all.r_stride + before;
        there = (int)min(all.count - first, (uint64_t)kToeplitzRows) - (int)row;
    }

    // Row g or g + 8, from the lane's next limb on; and whether it is one of a product.
    DEVICE uint64_t *Next(unsigned row) const { return next + 8 * row * all.r_stride; }
    DEVICE bool There(unsigned row) const { return (int)(8 * row) < there; }
    // Limbs that a row has room for, from the lane's first one of a tile on.
    DEVICE int Left(unsigned tile) const {
        constexpr uint64_t kMost = 2 * kTileLimbs * ToeplitzColumns::kTilesMost;
        return (int)min(all.first.rn, kMost) - (int)(kTileLimbs * tile + Lane() % kGroup);
    }

    // Store: a tile's columns are the next 16 limbs. Where limbs have carries, they are read back.
    DEVICE void Store(unsigned tile, const ToeplitzColumns &columns) {
#pragma unroll
        for (unsigned row = 0; row < 2; row++) {
            uint64_t *const r = Next(row);
            const int here = There(row) ? Left(tile) : 0;
#pragma unroll
            for (unsigned y = 0; y < kToeplitzBlocks; y++) {
                uint32_t c[2][4], spill;
#pragma unroll
                for (unsigned i = 0; i < 8; i++) {
                    c[i / 4][i % 4] = (uint32_t)columns.sum[y][i / 2][2 * row + i % 2];
                }
                const uint64_t low = TiledLimb<ToeplitzColumns::kMost>(c[0], c[1], &spill);
                const uint64_t sum = carries[row].Add(low, spill);
                if ((int)(4 * y) < here) {
                    r[4 * y] = sum;
                }
            }
            if (carries[row].Any()) {
                Resolve(r, here, carries[row]);
            }
            carries[row].Next();
        }
        next += kTileLimbs;
    }

    DEVICE static void Resolve(uint64_t *r, int here, CarrySpills<kGroup> &carries) {
#pragma unroll 1
        for (unsigned y = 0; y < kToeplitzBlocks; y++) {
            const bool there = (int)(4 * y) < here;
            const uint64_t sum = carries.Resolve(y, kToeplitzBlocks, there ? r[4 * y] : 0);
            if (there) {
                r[4 * y] = sum;
            }
        }
    }

    // Leave: writes what a warp's columns carry into the limb above.
    DEVICE void Leave(uint32_t (&spill)[kToeplitzRows]) const {
        if (Lane() % kGroup == kGroup - 1) {
            spill[Lane() / kGroup] = carries[0].beyond;
            spill[Lane() / kGroup + kToeplitzRows / 2] = carries[1].beyond;
        }
    }

    // AddBelow adds that to the lowest of the `tiles` tiles that follow it and are stored.
    DEVICE void AddBelow(unsigned tiles, const uint32_t (&spill)[kToeplitzRows]) const {
        const unsigned row = Lane() % kGroup;
        if (row < 2 && There(row)) {
            const int limbs = (int)(kTileLimbs * tiles);
            AddLate(Next(row) - row - limbs, Left(tiles) + (int)row,
                    spill[Lane() / kGroup + kToeplitzRows / 2 * row]);
        }
    }

    // Pad: zeros from limb n on, the next one.
    DEVICE void Pad(uint64_t n) const {
#pragma unroll 1
        for (unsigned row = 0; row < 2 && There(row); row++) {
#pragma unroll 1
            for (uint64_t k = Lane() % kGroup; n + k < all.first.rn; k += kGroup) {
                Next(row)[k - Lane() % kGroup] = 0;
            }
        }
    }
};

// FirstOf: the first product of the block's 16 products number `group`.
DEVICE uint64_t FirstOf(unsigned group) {
    return ((uint64_t)group * gridDim.x + blockIdx.x) * kToeplitzRows;
}

// Draw: the next number that no warp has taken, in all lanes.
DEVICE unsigned Draw(unsigned &drawn) {
    const unsigned mine = Lane() == 0 ? atomicAdd(&drawn, 1u) : 0;
    return __shfl_sync(kAllLanes, mine, 0);
}

// Between: the data that the warps of a team share.
struct Between {
    unsigned next;                  // group of products
    uint32_t spill[kToeplitzRows];  // of the lower half of the columns
};

// Shared: of a block, beside its dynamic shared memory.
struct alignas(16) Shared {
    unsigned drawn;  // groups
    Between of[kWarpsMost];
};

// Team: kShare warps that compute 16 products together, with a barrier of their own.
template <unsigned kShare>
struct Team {
    Between *of;  // of all teams
    unsigned barrier, part;

    // Computed again each time: keeping its address would take one register too many.
    DEVICE Between &Own() const { return of[Again(threadIdx.x) / (kShare * kWarp)]; }

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

    // Begin draws the next group; with several warps, once the shared data has been read and all
    // rows are loaded.
    DEVICE void Begin(unsigned &drawn) const {
        if constexpr (kShare > 1) {
            CopyWait<0>();
        }
        Meet();
        if (part == 0) {
            Own().next = Draw(drawn);
        }
        if constexpr (kShare == 1) {
            Meet();
        }
    }

    // End returns the next group, when all rows have been read.
    DEVICE unsigned End(const Results &results) const {
        if (kShare > 1 && part == 0) {
            results.Leave(Own().spill);
        }
        Meet();
        return Own().next;
    }

    // AddLate: adds what the lower half of the columns has left to the upper half, which has
    // `tiles` tiles.
    DEVICE void AddLate(const Results &results, unsigned tiles) const {
        if (part > 0) {
            results.AddBelow(tiles, Own().spill);
        }
    }
};

// CommonProductKernel: all r = a b, where b is the common factor and a, b have up to 16 tiles
// limbs, with any number of blocks of teams of kShare warps, up to kWarpsMost warps; shared memory
// as in ShapeFor. A team computes 16 products at a time and then draws the next ones of its block,
// because teams run at different speeds. Neighbouring groups are in different blocks, so that even
// few products keep all blocks busy. Tile y of columns needs tiles y - tiles .. y of the rows. With
// one warp, the next products' tile x of rows replaces the current one after columns x + tiles.
// With two, each warp computes half of the columns, the spill of the lower ones is added late, and
// all rows are replaced at the end.
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
    const Team<kShare> team = {shared.of, 1 + number, part};
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
        Results results(all, first, part * tiles);
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
                Fetch(all, FirstOf(team.Own().next), y - tiles, rows);
            }
            results.Store(y, columns);
        }
        first = FirstOf(team.End(results));
        if constexpr (!kAlone) {
            team.Fetch(all, first, tiles, rows);
            team.AddLate(results, tiles);
        }
        if (part + 1 == kShare) {
            results.Pad(2 * kTileLimbs * tiles);
        }
    }
    CopyWait<0>();
}

// Shape of a launch: one block for each multiprocessor, with as many teams as fit and have work.
// Teams have two warps if teams of one would leave places for two warps or more empty.
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

result common_product(const product_rows *all, unsigned tiles, cuda_stream stream) {
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
