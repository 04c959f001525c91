// tiled.cu: see tiled.h. Includes tiles and launches.
#include "bigint/device/decimal/tiled.h"

#include <algorithm>

#include "primitives/cuda/launch.cuh"
#include "primitives/cuda/warp.cuh"
#include "primitives/tiles/tiled.cuh"
#include "primitives/words/word.h"

namespace {

constexpr uint64_t kWarpsWanted = 1 << 13;  // more than a device has places for
constexpr unsigned kWarpsOfDiagonal = 4;
constexpr unsigned kBytesOfLimb = 8;
constexpr uint64_t kMaxGrid = 1 << 16;  // exclusive, in y and z

struct Job {
    const uint64_t *a, *b;
    int32_t *c;
    unsigned a_tiles, b_tiles;
    unsigned each;    // atomics: pairs of tiles of a warp
    unsigned parity;  // else: of the launch's diagonals

    HOST_DEVICE unsigned Diagonals() const { return a_tiles + b_tiles - 1; }
    // Pair i of a diagonal: tile i of a and diagonal - i of b, First() <= i < Beyond().
    DEVICE unsigned First(unsigned diagonal) const {
        return diagonal < b_tiles ? 0 : diagonal - (b_tiles - 1);
    }
    DEVICE unsigned Beyond(unsigned diagonal) const { return min(diagonal + 1, a_tiles); }
};

// Diagonal: the sums of a warp's pairs of tiles of one diagonal of one product.
template <unsigned kTiles>
struct Diagonal {
    using Rows = TiledRows<kTiles>;
    static constexpr unsigned kLimbs = Rows::kLimbs, kDigits = kBytesOfLimb * kLimbs;

    const Job &job;
    Rows &rows;  // the warp's own
    TiledColumns<kTiles> columns = {};

    // Every step-th pair from `first` on, below `last`.
    DEVICE void Add(uint64_t product, unsigned diagonal, unsigned first, unsigned last,
                    unsigned step) {
        const TiledLane lane;
        const uint64_t *const a = job.a + product * job.a_tiles * kLimbs;
        const uint64_t *const b = job.b + product * job.b_tiles * kLimbs;
#pragma unroll 1
        for (unsigned i = first; i < last; i += step) {
            __syncwarp();  // rows have been read, or cleared
            for (unsigned k = Lane(); k < kLimbs; k += kWarp) {
                rows.Row(0)[k] = a[(uint64_t)i * kLimbs + k];
                rows.Row(1)[k] = b[(uint64_t)(diagonal - i) * kLimbs + k];
            }
            __syncwarp();
#pragma unroll 1
            for (unsigned phase = 0; phase < 2; phase++) {
                columns.template Phase<0, TiledColumns<kTiles>::kM>(rows.Words(lane, 0),
                                                                    rows.Windows(lane, 1), phase);
            }
        }
    }

    // Calls f(column, sum) for each column of the calling lane: 64 y + 8 n + g, as in tiled.cuh.
    // The last one of all, 2 kDigits - 1, is 0.
    template <class F>
    DEVICE void ForEach(F f) const {
        const unsigned g = Lane() / 4, n = 2 * (Lane() % 4);
#pragma unroll
        for (unsigned m = 0; m < TiledColumns<kTiles>::kM; m++) {
#pragma unroll
            for (unsigned k = 0; k < 4; k++) {
                f(64 * (2 * m + k / 2) + 8 * (n + k % 2) + g, columns.sum[m][k]);
            }
        }
    }

    DEVICE int32_t *Coefficients(uint64_t product, unsigned diagonal) const {
        return job.c + (product * (job.a_tiles + job.b_tiles) + diagonal) * kDigits;
    }
};

// Block (x, y, z) is the warp that takes pairs x each .. of diagonal y of product z.
template <unsigned kTiles>
__global__ void __launch_bounds__(kWarp) AtomicsKernel(const __grid_constant__ Job job) {
    SHARED(TiledRows<kTiles>, rows);
    rows.Clear();
    const unsigned diagonal = blockIdx.y;
    const unsigned first = job.First(diagonal) + blockIdx.x * job.each;
    const unsigned last = min(first + job.each, job.Beyond(diagonal));
    if (first >= last) {
        return;
    }
    Diagonal<kTiles> own = {job, rows};
    own.Add(blockIdx.z, diagonal, first, last, 1);
    int32_t *const c = own.Coefficients(blockIdx.z, diagonal);
    own.ForEach([&](unsigned column, int32_t sum) { atomicAdd(c + column, sum); });
}

// Block (x, z) takes diagonal 2 x + parity of product z. Its warps take pairs in turn, then add
// their sums up in shared memory one warp after another.
template <unsigned kTiles>
__global__ void __launch_bounds__(kWarpsOfDiagonal *kWarp)
    DiagonalKernel(const __grid_constant__ Job job) {
    constexpr unsigned kColumns = 2 * Diagonal<kTiles>::kDigits;
    struct Shared {
        TiledRows<kTiles> rows[kWarpsOfDiagonal];
        int32_t sum[kColumns];
    };
    SHARED(Shared, s);
    const unsigned warp = threadIdx.x / kWarp, diagonal = 2 * blockIdx.x + job.parity;
    s.rows[warp].Clear();
    for (unsigned i = threadIdx.x; i < kColumns; i += blockDim.x) {
        s.sum[i] = 0;
    }
    Diagonal<kTiles> own = {job, s.rows[warp]};
    own.Add(blockIdx.z, diagonal, job.First(diagonal) + warp, job.Beyond(diagonal),
            kWarpsOfDiagonal);
    for (unsigned turn = 0; turn < kWarpsOfDiagonal; turn++) {
        __syncthreads();
        if (turn == warp) {
            own.ForEach([&](unsigned column, int32_t sum) { s.sum[column] += sum; });
        }
    }
    __syncthreads();
    // An odd diagonal finds the sums of its neighbours; the last one has none above.
    int32_t *const c = own.Coefficients(blockIdx.z, diagonal);
    const unsigned found = job.parity == 0                   ? 0
                           : diagonal + 1 == job.Diagonals() ? kColumns / 2
                                                             : kColumns;
    for (unsigned i = threadIdx.x; i < kColumns; i += blockDim.x) {
        c[i] = s.sum[i] + (i < found ? c[i] : 0);
    }
}

template <unsigned kTiles>
cudaError_t RunAtomics(Job job, uint64_t rows, unsigned each, cudaStream_t stream) {
    const uint64_t pairs = (uint64_t)job.a_tiles * job.b_tiles * rows;
    job.each = each > 0 ? each : (unsigned)word_ceil_div(pairs, kWarpsWanted);
    const unsigned longest = std::min(job.a_tiles, job.b_tiles);
    const dim3 grid((longest + job.each - 1) / job.each, job.Diagonals(), (unsigned)rows);
    const size_t bytes =
        rows * (job.a_tiles + job.b_tiles) * Diagonal<kTiles>::kDigits * sizeof *job.c;
    const cudaError_t e = cudaMemsetAsync(job.c, 0, bytes, stream);
    return e == cudaSuccess ? Launch(AtomicsKernel<kTiles>, grid, kWarp, 0, stream, job) : e;
}

template <unsigned kTiles>
cudaError_t RunDiagonals(Job job, uint64_t rows, cudaStream_t stream) {
    cudaError_t e = cudaSuccess;
    for (job.parity = 0; job.parity < 2 && e == cudaSuccess; job.parity++) {
        const unsigned blocks = (job.Diagonals() + 1 - job.parity) / 2;
        if (blocks > 0) {
            e = Launch(DiagonalKernel<kTiles>, dim3(blocks, 1, (unsigned)rows),
                       kWarpsOfDiagonal * kWarp, 0, stream, job);
        }
    }
    return e;
}

template <unsigned kTiles>
cudaError_t Run(const decimal_tiled_job &j, cudaStream_t stream) {
    const Job job = {(const uint64_t *)j.a,
                     (const uint64_t *)j.b,
                     j.c,
                     (unsigned)(j.an >> j.lg_tile),
                     (unsigned)(j.bn >> j.lg_tile),
                     0,
                     0};
    return j.atomics ? RunAtomics<kTiles>(job, j.rows, j.each, stream)
                     : RunDiagonals<kTiles>(job, j.rows, stream);
}

// Whether n digits are whole tiles, at least one.
bool IsWhole(uint64_t n, unsigned lg_tile) { return n > 0 && n >> lg_tile << lg_tile == n; }

}  // namespace

result decimal_tiled(const decimal_tiled_job *job, cuda_stream stream) {
    constexpr cudaError_t (*kRuns[])(const decimal_tiled_job &, cudaStream_t) = {
        Run<1>, Run<2>, Run<4>, Run<8>, Run<16>};
    const unsigned at = job->lg_tile - DECIMAL_TILED_LG_LEAST;
    if (at >= sizeof kRuns / sizeof *kRuns || !IsWhole(job->an, job->lg_tile) ||
        !IsWhole(job->bn, job->lg_tile) || (job->an + job->bn) >> job->lg_tile >= kMaxGrid ||
        job->rows >= kMaxGrid) {
        return RESULT_REFUSED;
    }
    if (job->rows == 0) {
        return RESULT_OK;
    }
    return kRuns[at](*job, stream) == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}
