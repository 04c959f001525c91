// look_back.cuh: the scan in one launch: every tile is read once, gets its prefix, is scanned in
// registers and written once. Kernel and launch; instantiated in device.cu.
//
// Two schedules: here, a block for each tile and look-back; for long sequences the waves of
// wave.cuh, if the device takes their launch.
//
// AGPU counts (n elements, b words a transfer, p cores, tile of T elements): time O(n / p + log T +
// look-back), I/O 2 n / b + 2 n / T words of status, one launch.
#ifndef PRIMITIVES_SCAN_LOOK_BACK_CUH_
#define PRIMITIVES_SCAN_LOOK_BACK_CUH_

#include "primitives/cuda/launch.cuh"
#include "primitives/cuda/lookback.cuh"
#include "primitives/scan/tile.cuh"
#include "primitives/scan/wave.cuh"

// A block for each tile, numbered in the order of drawing. One tile draws nothing.
template <class M, unsigned kWarps, unsigned kRows, bool kSegmented>
__global__ void __launch_bounds__(kWarps *kWarp, sizeof(typename M::Value) == 4 ? 2 : 1)
    ScanTileEachKernel(const ScanData<M> d, const LookBack<M> look_back) {
    using Tile = ScanTile<M, kWarps, kRows, kSegmented>;
    using Value = typename M::Value;
    struct Shared {
        typename Tile::Shared scan;
        Place at;
    };
    SHARED(Shared, s);
    WaitForKernelBefore();
    uint32_t index = 0;
    if (gridDim.x > 1) {
        if (threadIdx.x == 0) {
            s.at = look_back.counter->Draw(gridDim.x);
        }
        __syncthreads();
        index = s.at.tile;
    }
    Tile tile(d, index, kSegmented ? index * (uint64_t)Tile::kItems % d.n : index);
    tile.Read(d, index);
    bool any_head;
    const Value total = tile.ScanWarp(d, &any_head);
    if (Lane() == 0) {
        s.scan.SetTotal(total, any_head);
    }
    __syncthreads();
    if (threadIdx.x < kWarp) {
        const Totals<M> t = Tile::ScanTotalsOfWarps(s.scan);
        Value before = M::Identity();
        if (gridDim.x > 1) {
            const Place at = s.at;
            const bool final = t.any_head || index == 0;
            if (Lane() == 0) {
                look_back.Publish(at, final ? kPrefix : kAggregate, t.all);
            }
            // phase 0: the tile begins with a head, so no tile asks what stands before it.
            if (tile.phase != 0) {
                before = look_back.Before(at);
            }
            if (Lane() == 0 && !final) {
                look_back.Publish(at, kPrefix, M::Combine(before, t.all));
            }
        }
        if (Lane() == 0) {
            s.scan.before_tile = before;
        }
    }
    __syncthreads();
    tile.Store(d, s.scan.BeforeWarp());
}

template <class M>
struct ScanLookBack {
    // The same tile for both schedules.
    // A thread has 64 bytes, but 32 if they are elements: then registers would not hold them.
    static constexpr bool kBytes = sizeof(typename M::Value) == 1;
    static constexpr unsigned kWarps = kBytes ? 12 : 16;
    static constexpr unsigned kRows = kBytes ? 2 : 4;
    static constexpr unsigned kItems = ScanTile<M, kWarps, kRows, false>::kItems;
    // Waves pay where each block has at least this many.
    static constexpr uint32_t kMinWaves = 4;

    static uint64_t Tiles(uint64_t size) { return (size + kItems - 1) / kItems; }

    static size_t WorkspaceBytes(uint64_t size) {
        const size_t each = LookBack<M>::Bytes(Tiles(size)), waves = WaveExchange<M>::Bytes();
        return each > waves ? each : waves;
    }

    // Requires d.size > 0 and a workspace of that many bytes.
    static cudaError_t Run(const ScanData<M> &d, void *workspace, cudaStream_t stream) {
        int multiprocessors = 0;
        cudaError_t e = DeviceAttribute(cudaDevAttrMultiProcessorCount, &multiprocessors);
        if (e != cudaSuccess) {
            return e;
        }
        const uint32_t tiles = (uint32_t)Tiles(d.size);
        // Rows within a tile or two need no prefix from afar, and then starting blocks hide more.
        if (tiles >= kMinWaves * (uint32_t)multiprocessors && d.n > kItems) {
            e = d.n < d.size ? Waves<true>(d, workspace, (uint32_t)multiprocessors, tiles, stream)
                             : Waves<false>(d, workspace, (uint32_t)multiprocessors, tiles, stream);
            if (e != cudaErrorInvalidValue) {
                return e;
            }
            cudaGetLastError();  // too little shared memory, too many waves: a block for each tile
        }
        auto kernel = d.n < d.size ? ScanTileEachKernel<M, kWarps, kRows, true>
                                   : ScanTileEachKernel<M, kWarps, kRows, false>;
        const LookBack<M> look_back = LookBack<M>::In(workspace);
        return LaunchEarly(kernel, tiles, kWarps * kWarp, 0, stream, d, look_back);
    }

    template <bool kSegmented>
    static cudaError_t Waves(const ScanData<M> &d, void *workspace, uint32_t multiprocessors,
                             uint32_t tiles, cudaStream_t stream) {
        // Fewer warps with longer stretches, where what they do between loads is short: trials on
        // an H200, without records, 2^28 words: 8 warps 537 us, 16 warps 575 us, except for long
        // rows 568 and 553.
        constexpr unsigned kFewer = kSegmented || kBytes ? 1 : 2;
        using Wave = ScanWave<M, kWarps / kFewer, kRows * kFewer, kSegmented>;
        auto kernel = ScanWaveKernel<M, kWarps / kFewer, kRows * kFewer, kSegmented>;
        uint32_t blocks = multiprocessors < WaveExchange<M>::kMaxBlocks
                              ? multiprocessors
                              : WaveExchange<M>::kMaxBlocks;
        unsigned resident = 0;
        cudaError_t e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                             (int)Wave::kDynamicBytes);
        if (e == cudaSuccess) {
            e = ResidentBlocks(kernel, Wave::kThreads, Wave::kDynamicBytes, &resident);
        }
        if (e != cudaSuccess) {
            return e;
        }
        blocks = blocks < resident ? blocks : resident;
        WaveJob<M> job;
        job.data = d;
        job.exchange = WaveExchange<M>::In(workspace);
        job.tiles = tiles;
        job.waves = (tiles + blocks - 1) / blocks;
        if (job.waves > WaveExchange<M>::kMaxWaves) {
            return cudaErrorInvalidValue;
        }
        job.phase_step = (uint64_t)blocks * kItems % d.n;
        return LaunchCooperative(kernel, blocks, Wave::kThreads, Wave::kDynamicBytes, stream, job);
    }
};

#endif  // PRIMITIVES_SCAN_LOOK_BACK_CUH_
