// common_matrix.cu: common_matrix.h: 64 rows and the common factor's Toeplitz matrix in shared
// memory. Four warpgroups compute the tiles of columns in turn, each from columns to limbs in its
// registers. Includes the rooms' device headers.
#include "bigint/device/kernels/common_matrix.h"

#include "bigint/device/kernels/product_rows.cuh"
#include "carry/ripple.cuh"
#include "primitives/cuda/launch.cuh"
#include "primitives/tiles/toeplitz_matrix.cuh"

namespace {

constexpr unsigned kGroups = 4, kThreads = kGroups * kWarpgroup;  // warpgroups of a block
constexpr unsigned kTileLimbs = 16, kLimbs = MatrixColumns::kLimbs, kLanes = kTileLimbs / kLimbs;

// Fetch begins to copy a tile of limbs of the 64 products from `first` on, and zeros beyond their
// limbs and the last product, by a warpgroup.
DEVICE void Fetch(const product_rows &all, uint64_t first, unsigned tile, const MatrixRows &rows) {
    constexpr unsigned kAside = 4;  // limbs, by neighbouring lanes: a sector of memory
    constexpr unsigned kDown = kWarpgroup / kAside;
    constexpr unsigned kFurther = kAside / 2 * MatrixRows::kApart / sizeof(uint64_t);
    const unsigned thread = threadIdx.x % kWarpgroup, limb = kTileLimbs * tile + thread % kAside;
#pragma unroll
    for (unsigned row = thread / kAside; row < kMatrixRows; row += kDown) {
        const uint64_t *const a = all.first.a + (first + row) * all.a_stride + limb;
        const unsigned here = first + row < all.count ? (unsigned)all.first.an : 0;
        uint64_t *const to = rows.Place(row, limb);
#pragma unroll
        for (unsigned k = 0; k < kTileLimbs; k += kAside) {
            CopyAsyncOrZero<8>(to - k / kAside * kFurther, a + k, limb + k < here);
        }
    }
}

// Spills: from tile to tile, for each row; group i of warps reads the spill of group i - 1.
struct Spills {
    uint32_t of[kGroups][kMatrixRows];
};

// Carry adds the carry from below, spill or `below`, to the limbs of a tile; `below` becomes the
// carry into the next tile. kLanes lanes hold a number's limbs, lowest first; `below` counts in the
// last one. A lane's sum that generates a carry is below 2^32, so it propagates none.
DEVICE void Carry(uint64_t (&limb)[kLimbs], uint32_t spill, uint32_t &below) {
    const unsigned place = Lane() % kLanes, group = Lane() - place, last = kLanes - 1;
    const uint32_t gives = place == last ? below : spill;
    const uint64_t into[kLimbs] = {
        __shfl_sync(kAllLanes, gives, (int)(group + (place + last) % kLanes))};
    const bool generated = AddWords<kLimbs>(limb, into, 0) != 0;
    below = spill;
    if (__any_sync(kAllLanes, generated)) {
        bool full = true;
#pragma unroll
        for (unsigned i = 0; i < kLimbs; i++) {
            full = full && limb[i] == ~UINT64_C(0);
        }
        constexpr uint32_t kMine = (1u << kLanes) - 1;
        const uint32_t generate = __ballot_sync(kAllLanes, generated) >> group & kMine;
        const uint32_t propagate = __ballot_sync(kAllLanes, full) >> group & kMine;
        const uint32_t carries = (uint32_t)CarriesInto(generate, propagate, 0);
        const uint64_t carry[kLimbs] = {carries >> place & 1};
        AddWords<kLimbs>(limb, carry, 0);
        below += carries >> kLanes & 1;
    }
}

// Results: where rows g = Lane() / 4 and g + 8 of the 16 products from `first` on go.
struct Results {
    uint64_t *r[2];
    unsigned n[2];  // limbs of a row's tiles that it has room for, none beyond the last product

    DEVICE Results(const product_rows &all, uint64_t first, unsigned tiles) {
#pragma unroll
        for (unsigned k = 0; k < 2; k++) {
            const uint64_t i = first + Lane() / kLanes + 8 * k;
            r[k] = all.first.r + i * all.r_stride;
            const uint64_t room = i < all.count ? all.first.rn : 0;
            n[k] = (unsigned)min(room, (uint64_t)(2 * kTileLimbs * tiles));
        }
    }
    DEVICE void Store(unsigned k, unsigned tile, const uint64_t (&limb)[kLimbs]) const {
        const unsigned from = kTileLimbs * tile + kLimbs * (Lane() % kLanes);
#pragma unroll
        for (unsigned i = 0; i < kLimbs; i++) {
            if (from + i < n[k]) {
                r[k][from + i] = limb[i];
            }
        }
    }
};

// Pad: zeros above the tiles of the 64 products from `first` on, by the block.
DEVICE void Pad(const product_rows &all, uint64_t first, unsigned tiles) {
    for (unsigned row = threadIdx.x / kWarp; row < kMatrixRows && first + row < all.count;
         row += kThreads / kWarp) {
        for (uint64_t k = 2 * kTileLimbs * tiles + Lane(); k < all.first.rn; k += kWarp) {
            all.first.r[(first + row) * all.r_stride + k] = 0;
        }
    }
}

// CommonMatrixKernel: all r = a b, where b is the common factor and a, b have up to 16 tiles limbs,
// with any number of blocks; shared memory as in BytesFor. Warpgroup i computes tiles i, i + 4, ...
// of the columns, so all have the same work. It waits for the spill of the tile before, which the
// group before writes; so the spill shows that all tiles before are complete. Tile y of columns
// needs tiles y - tiles .. y of the rows. Then the next products' tile replaces tile y - tiles.
__global__ void __launch_bounds__(kThreads, 1)
    CommonMatrixKernel(const __grid_constant__ product_rows all, unsigned tiles) {
    DYNAMIC_SHARED(uint32_t, room);
    SHARED(Spills, spills);
    // The same in all lanes, and the compiler knows it.
    const unsigned group = __shfl_sync(kAllLanes, threadIdx.x / kWarpgroup, 0);
    const unsigned before = (group + kGroups - 1) % kGroups;
    const unsigned after = (group + 1) % kGroups;
    const unsigned above = threadIdx.x / kWarp % 4 * 16, own = above + Lane() / kLanes;
    const MatrixTable table = {room};
    const MatrixRows rows = {(char *)room + MatrixTable::Bytes(tiles), tiles};
    const uint64_t step = (uint64_t)gridDim.x * kMatrixRows;
    uint64_t first = (uint64_t)blockIdx.x * kMatrixRows;
    WaitForKernelBefore();
#pragma unroll 1
    for (unsigned x = group; x < tiles; x += kGroups) {
        Fetch(all, first, x, rows);
    }
    CopyCommit();
    table.Make(tiles, all.first.b, (unsigned)all.first.bn);
#pragma unroll 1
    for (; first < all.count; first += step) {
        CopyWait<0>();
        SharedForMatrices();
        __syncthreads();
        const Results results(all, first + above, tiles);
#pragma unroll 1
        for (unsigned y = group; y < 2 * tiles; y += kGroups) {
            MatrixColumns columns;
            columns.Make(table, rows, y);
            uint64_t limb[2][kLimbs];
            uint32_t spill[2], below[2] = {};
#pragma unroll
            for (unsigned k = 0; k < 2; k++) {
                spill[k] = columns.Limbs(k, limb[k]);
            }
            if (y > 0) {
                NamedBarrierWait(1 + group, 2 * kWarpgroup);
                below[0] = spills.of[before][own];
                below[1] = spills.of[before][own + 8];
            }
#pragma unroll
            for (unsigned k = 0; k < 2; k++) {
                Carry(limb[k], spill[k], below[k]);
                if (Lane() % kLanes == kLanes - 1) {
                    spills.of[group][own + 8 * k] = below[k];
                }
            }
            if (y + 1 < 2 * tiles) {
                NamedBarrierArrive(1 + after, 2 * kWarpgroup);
            }
            results.Store(0, y, limb[0]);
            results.Store(1, y, limb[1]);
            // Also beyond the last product: if this depended on more, the compiler would take the
            // branch to the next matrix products for divergent, and serialise them.
            if (y >= tiles) {
                Fetch(all, first + step, y - tiles, rows);
            }
        }
        CopyCommit();
        Pad(all, first, tiles);
    }
    CopyWait<0>();
}

size_t BytesFor(unsigned tiles) { return MatrixTable::Bytes(tiles) + MatrixRows::Bytes(tiles); }

}  // namespace

unsigned common_matrix_tiles(uint64_t an, uint64_t bn) {
    const uint64_t longer = max(an, bn);
    int major = 0, minor = 0;
    const bool there =
        DeviceAttribute(cudaDevAttrComputeCapabilityMajor, &major) == cudaSuccess && major == 9 &&
        DeviceAttribute(cudaDevAttrComputeCapabilityMinor, &minor) == cudaSuccess && minor == 0;
    return there && longer <= kTileLimbs * kMatrixTiles
               ? max((unsigned)word_ceil_div(longer, kTileLimbs), 1u)
               : 0;
}

result common_matrix(const product_rows *all, unsigned tiles, cuda_stream stream) {
    product_rows rows = *all;
    if (!ProductCommon(rows) || tiles == 0 || tiles > kMatrixTiles) {
        return RESULT_REFUSED;
    }
    int multiprocessors = 0;
    cudaError_t e = DeviceAttribute(cudaDevAttrMultiProcessorCount, &multiprocessors);
    if (e == cudaSuccess) {
        e = AllowShared(CommonMatrixKernel, BytesFor(tiles));
    }
    if (e == cudaSuccess && rows.count > 0) {
        const uint64_t blocks = min(word_ceil_div(rows.count, (uint64_t)kMatrixRows),
                                    (uint64_t)max(multiprocessors, 1));
        e = LaunchEarly(CommonMatrixKernel, (unsigned)blocks, kThreads, BytesFor(tiles), stream,
                        rows, tiles);
    }
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}
