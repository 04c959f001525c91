// decimal_tiled.cu: see decimal_tiled.h. Includes tiles and launches.
#include "bench/fft/decimal_tiled.h"

#include "primitives/cuda/launch.cuh"
#include "primitives/cuda/warp.cuh"
#include "primitives/tiles/tiled.cuh"
#include "primitives/words/word.h"

namespace {

constexpr uint64_t kWarpsWanted = 1 << 13;  // more than a device has places for
constexpr unsigned kBytesOfLimb = 8;

// Block (x, y, z) is the warp that takes tile pairs x each .. of diagonal y of product z.
struct Job {
    const uint64_t *a, *b;
    int32_t *c;
    unsigned tiles, each;  // of a factor; pairs of a warp
};

template <unsigned kTiles>
__global__ void __launch_bounds__(kWarp) TilesKernel(const __grid_constant__ Job job) {
    using Rows = TiledRows<kTiles>;
    constexpr unsigned kLimbs = Rows::kLimbs, kDigits = kBytesOfLimb * kLimbs;
    SHARED(Rows, rows);
    rows.Clear();
    const unsigned diagonal = blockIdx.y;
    const unsigned lowest = diagonal < job.tiles ? 0 : diagonal - (job.tiles - 1);
    const unsigned beyond = min(diagonal + 1, job.tiles);
    const unsigned first = lowest + blockIdx.x * job.each, last = min(first + job.each, beyond);
    if (first >= last) {
        return;
    }
    const uint64_t before = (uint64_t)blockIdx.z * job.tiles;
    TiledColumns<kTiles> columns = {};
    const TiledLane lane;
#pragma unroll 1
    for (unsigned i = first; i < last; i++) {
        __syncwarp();  // rows have been read, or cleared
        for (unsigned k = Lane(); k < kLimbs; k += kWarp) {
            rows.Row(0)[k] = job.a[(before + i) * kLimbs + k];
            rows.Row(1)[k] = job.b[(before + diagonal - i) * kLimbs + k];
        }
        __syncwarp();
#pragma unroll 1
        for (unsigned phase = 0; phase < 2; phase++) {
            columns.template Phase<0, TiledColumns<kTiles>::kM>(rows.Words(lane, 0),
                                                                rows.Windows(lane, 1), phase);
        }
    }
    // Column 64 y + 8 n + g, as in tiled.cuh; the last one of all, 2 kDigits - 1, is 0.
    int32_t *const c = job.c + (2 * before + diagonal) * kDigits;
    const unsigned g = Lane() / 4, n = 2 * (Lane() % 4);
#pragma unroll
    for (unsigned m = 0; m < TiledColumns<kTiles>::kM; m++) {
#pragma unroll
        for (unsigned k = 0; k < 4; k++) {
            atomicAdd(c + 64 * (2 * m + k / 2) + 8 * (n + k % 2) + g, columns.sum[m][k]);
        }
    }
}

template <unsigned kTiles>
cudaError_t Run(const decimal_tiled_job &j, cudaStream_t stream) {
    const unsigned tiles = (unsigned)(j.n >> j.lg_tile);
    const uint64_t pairs = (uint64_t)tiles * tiles * j.batch;
    const unsigned each = j.each > 0 ? j.each : (unsigned)word_ceil_div(pairs, kWarpsWanted);
    const Job job = {(const uint64_t *)j.a, (const uint64_t *)j.b, j.c, tiles, each};
    const dim3 grid((tiles + each - 1) / each, 2 * tiles - 1, (unsigned)j.batch);
    const cudaError_t e = cudaMemsetAsync(j.c, 0, 2 * j.n * j.batch * sizeof *j.c, stream);
    return e == cudaSuccess ? Launch(TilesKernel<kTiles>, grid, kWarp, 0, stream, job) : e;
}

}  // namespace

bool decimal_tiled_enqueue(void *self, cuda_stream stream) {
    const decimal_tiled_job &j = *(const decimal_tiled_job *)self;
    constexpr cudaError_t (*kRuns[])(const decimal_tiled_job &, cudaStream_t) = {
        Run<1>, Run<2>, Run<4>, Run<8>, Run<16>};
    const unsigned at = j.lg_tile - DECIMAL_TILED_LG_LEAST;
    return at < sizeof kRuns / sizeof *kRuns && j.n >> j.lg_tile << j.lg_tile == j.n &&
           kRuns[at](j, stream) == cudaSuccess;
}
