// compact.cuh: those elements of a sequence that a predicate keeps, in their order, in one launch:
// each tile counts what it keeps by ballots, look-back says where it goes, and the tile is packed
// in shared memory, so that it is written coalesced. Includes lookback.cuh.
//
// AGPU counts (n elements of which k are kept, b words a transfer): I/O (n + k) / b + 2 words of
// status a tile; one launch.
#ifndef PRIMITIVES_SCAN_COMPACT_CUH_
#define PRIMITIVES_SCAN_COMPACT_CUH_

#include "primitives/cuda/launch.cuh"
#include "primitives/cuda/lookback.cuh"

struct KeptCount {
    using Value = uint64_t;
    static constexpr bool kCommutative = true;
    HOST_DEVICE static Value Identity() { return 0; }
    HOST_DEVICE static Value Combine(Value first, Value then) { return first + then; }
};

template <class T>
struct CompactShape {
    static constexpr unsigned kWarps = 8;
    // Elements of a lane: 64 bytes, but no more than its registers hold.
    static constexpr unsigned kEach = sizeof(T) < 4 ? 16 : 64 / sizeof(T);
    static constexpr unsigned kItems = kWarps * kWarp * kEach;
};

// Turns the counts of the warps into what stands before each, in the tile; returns the tile's.
// Called by warp 0.
template <unsigned kWarps>
DEVICE uint64_t BeforeWarps(uint32_t (&warps)[kWarps]) {
    const uint64_t mine = Lane() < kWarps ? warps[Lane() % kWarps] : 0;
    const uint64_t up_to = WarpScan<KeptCount>(mine);
    __syncwarp();
    if (Lane() < kWarps) {
        warps[Lane() % kWarps] = (uint32_t)(up_to - mine);
    }
    return Broadcast(up_to, kWarps - 1);
}

// What the block of a tile shares.
template <class T>
struct CompactShared {
    T kept[CompactShape<T>::kItems];
    uint32_t warps[CompactShape<T>::kWarps];
    uint32_t all;
    uint64_t before;
    Place at;
};

// Publishes the tile's count and looks back for what stands before it; the last tile writes the
// count of all. Called by warp 0.
template <class T>
DEVICE void CountBefore(CompactShared<T> &s, Place at, uint64_t *count,
                        const LookBack<KeptCount> &look_back) {
    const uint64_t all = BeforeWarps(s.warps);
    if (Lane() == 0) {
        look_back.Publish(at, at.tile == 0 ? kPrefix : kAggregate, all);
    }
    const uint64_t before = look_back.Before(at);
    if (Lane() == 0) {
        if (at.tile > 0) {
            look_back.Publish(at, kPrefix, before + all);
        }
        if (at.tile == gridDim.x - 1) {
            *count = before + all;
        }
        s.before = before;
        s.all = (uint32_t)all;
    }
}

// A block for each tile, numbered in the order of drawing. All of a tile's elements are in
// registers before its count is published, and a tile writes below or within its own elements once
// the counts of all tiles before it are known: so out may be in.
template <class T, class Keep>
__global__ void __launch_bounds__(CompactShape<T>::kWarps *kWarp)
    CompactKernel(T *out, uint64_t *count, const T *in, uint64_t n, Keep keep,
                  const LookBack<KeptCount> look_back) {
    using Shape = CompactShape<T>;
    SHARED(CompactShared<T>, s);
    WaitForKernelBefore();
    if (threadIdx.x == 0) {
        s.at = look_back.counter->Draw(gridDim.x);
    }
    __syncthreads();
    const Place at = s.at;
    const unsigned warp = threadIdx.x / kWarp;
    const uint64_t first = ((uint64_t)at.tile * Shape::kWarps + warp) * Shape::kEach * kWarp;
    T x[Shape::kEach];
    unsigned kept[Shape::kEach], of_warp = 0;
#pragma unroll
    for (unsigned r = 0; r < Shape::kEach; r++) {
        const uint64_t i = first + r * kWarp + Lane();
        if (i < n) {
            x[r] = in[i];
        }
    }
#pragma unroll
    for (unsigned r = 0; r < Shape::kEach; r++) {
        const bool inside = first + r * kWarp + Lane() < n;
        kept[r] = __ballot_sync(kAllLanes, inside && keep(x[r]));
        of_warp += __popc(kept[r]);
    }
    if (Lane() == 0) {
        s.warps[warp] = of_warp;
    }
    __syncthreads();
    if (warp == 0) {
        CountBefore(s, at, count, look_back);
    }
    __syncthreads();
    unsigned place = s.warps[warp];
#pragma unroll
    for (unsigned r = 0; r < Shape::kEach; r++) {
        if ((kept[r] >> Lane() & 1) != 0) {
            s.kept[place + __popc(kept[r] & ((1u << Lane()) - 1))] = x[r];
        }
        place += __popc(kept[r]);
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < s.all; i += blockDim.x) {
        out[s.before + i] = s.kept[i];
    }
}

template <class T>
struct Compaction {
    using Shape = CompactShape<T>;

    // At least one, which writes the count.
    static uint64_t Tiles(uint64_t n) {
        return n > 0 ? (n + Shape::kItems - 1) / Shape::kItems : 1;
    }
    static size_t WorkspaceBytes(uint64_t n) { return LookBack<KeptCount>::Bytes(Tiles(n)); }

    // Requires at most 2^22 tiles.
    template <class Keep>
    static cudaError_t Run(T *out, uint64_t *count, const T *in, uint64_t n, Keep keep,
                           void *workspace, cudaStream_t stream) {
        return LaunchEarly(CompactKernel<T, Keep>, (unsigned)Tiles(n), Shape::kWarps * kWarp, 0,
                           stream, out, count, in, n, keep, LookBack<KeptCount>::In(workspace));
    }
};

#endif  // PRIMITIVES_SCAN_COMPACT_CUH_
