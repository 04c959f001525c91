// scan_look_back.cuh: the scan in one launch: every tile is read once, scanned in registers, told what
// stands before it by look-back, and written once. Kernel and launch; instantiated in scan.cu.
//
// AGPU counts (n elements, b words a transfer, p cores, tile of T elements): time O(n / p + log T +
// look-back), I/O 2 n / b + 2 n / T words of status, one launch. Shared words: 2 a warp.
#ifndef PRIMITIVES_SCAN_LOOK_BACK_CUH_
#define PRIMITIVES_SCAN_LOOK_BACK_CUH_

#include "primitives/lookback.cuh"
#include "primitives/scan_tile.cuh"

template <class M, unsigned kWarps, unsigned kRows, bool kSegmented>
__global__ void __launch_bounds__(kWarps *kWarp)
    ScanLookBackKernel(const ScanData<M> d, const LookBack<M> look_back) {
    using Tile = ScanTile<M, kWarps, kRows, kSegmented>;
    struct Start {
        typename LookBack<M>::Place at;
        uint64_t phase;
    };
    SHARED(Start, start);
    SHARED(typename Tile::Shared, s);
    if (threadIdx.x == 0) {
        start.at = look_back.Start();
        start.phase = kSegmented ? (uint64_t)start.at.tile * Tile::kItems % d.n : start.at.tile;
    }
    __syncthreads();
    const typename LookBack<M>::Place at = start.at;
    Tile tile(d, at.tile, start.phase);
    tile.Load(d);
    tile.ScanWarps(d, s);
    __syncthreads();
    if (threadIdx.x < kWarp) {
        const Totals<M> t = Tile::ScanBlock(s);
        // After a head nothing before the tile counts; before tile 0 there is nothing.
        const bool final = t.any_head || at.tile == 0;
        if (Lane() == 0) {
            look_back.Publish(at, final ? kPrefix : kAggregate, t.all);
        }
        // phase 0: the tile begins with a head, so nobody asks what stands before it.
        const typename M::Value before = tile.phase == 0 ? M::Identity() : look_back.Before(at);
        if (Lane() == 0) {
            s.before_tile = before;
            if (!final) {
                look_back.Publish(at, kPrefix, M::Combine(before, t.all));
            }
        }
    }
    __syncthreads();
    tile.Store(d, s);
    if (threadIdx.x == 0) {
        look_back.Finish(at, gridDim.x);
    }
}

template <class M, unsigned kWarps, unsigned kRows>
struct ScanLookBack {
    static constexpr unsigned kItems = ScanTile<M, kWarps, kRows, false>::kItems;
    static constexpr unsigned kThreads = kWarps * kWarp;

    static uint64_t Tiles(uint64_t size) { return (size + kItems - 1) / kItems; }

    static size_t WorkspaceBytes(uint64_t size) { return LookBack<M>::Bytes(Tiles(size)); }

    // Requires d.size > 0 and a workspace of that many bytes.
    static void Run(const ScanData<M> &d, void *workspace, size_t bytes, cudaStream_t stream) {
        const LookBack<M> look_back = LookBack<M>::In(workspace, bytes);
        const unsigned tiles = (unsigned)Tiles(d.size);
        if (d.n < d.size) {
            auto kernel = ScanLookBackKernel<M, kWarps, kRows, true>;
            LAUNCH(kernel, tiles, kThreads, 0, stream, d, look_back);
        } else {
            auto kernel = ScanLookBackKernel<M, kWarps, kRows, false>;
            LAUNCH(kernel, tiles, kThreads, 0, stream, d, look_back);
        }
    }
};

#endif  // PRIMITIVES_SCAN_LOOK_BACK_CUH_
