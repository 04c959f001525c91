// scan_look_back.cuh: the scan in one launch: every tile is read once, told what stands before it
// by look-back, scanned in registers and written once. Kernels and launch; instantiated in scan.cu.
//
// Two schedules. Few tiles: a block for each, numbered in the order of their start. Many tiles: as
// many blocks as are resident together (a cooperative launch, which fails otherwise), block b
// taking tiles b, b + grid, ...; the next tiles are on their way to shared memory meanwhile, and a
// tile's product is published one step before the block needs what stands before it, so that
// look-back seldom waits. Measured on an H200, 2^28 words: a block for each tile 896 us, a copy 538
// us.
//
// Progress of the second schedule: all blocks run, and each takes its tiles in increasing order.
// Take the lowest tile whose product is not published: its block is at most waiting in look-back
// for a lower tile, of which all words that it needs are published. So that block goes on.
//
// AGPU counts (n elements, b words a transfer, p cores, tile of T elements): time O(n / p + log T +
// look-back), I/O 2 n / b + 2 n / T words of status, one launch. Shared words: kScanStages T.
#ifndef PRIMITIVES_SCAN_LOOK_BACK_CUH_
#define PRIMITIVES_SCAN_LOOK_BACK_CUH_

#include "primitives/lookback.cuh"
#include "primitives/scan_tile.cuh"

// Tiles that a block has in hand: one in work, one whose product is being published, others on
// their way.
constexpr unsigned kScanStages = 3;
constexpr unsigned kScanBlocksPerMultiprocessor = 2;

// What a tile publishes first: its product since its last head. Nothing before the tile counts in
// it if the tile has a head, or is the first.
template <class M>
struct ScanProduct {
    typename M::Value value;
    bool final;
};

template <class M, unsigned kWarps, unsigned kRows, bool kSegmented>
struct ScanBlock {
    using Value = typename M::Value;
    using Tile = ScanTile<M, kWarps, kRows, kSegmented>;
    using Place = typename LookBack<M>::Place;

    struct Shared {
        typename Tile::Shared scan;
        Value total[kWarps];
    };

    DEVICE static uint64_t Phase(const ScanData<M> &d, uint64_t tile) {
        return kSegmented ? tile * Tile::kItems % d.n : tile;
    }

    // Computes and publishes the tile's product; the result is in warp 0. One barrier.
    DEVICE static ScanProduct<M> Announce(const ScanData<M> &d, const LookBack<M> &look_back,
                                          Place at, const Vector<Value> *buffer, Shared &s) {
        bool any_head;
        const unsigned from = Tile::LastHead(d, at.tile, &any_head);
        ScanProduct<M> product;
        product.value = BlockReduce<M, kWarps>(Tile::WarpTotal(d, at.tile, buffer, from), s.total);
        product.final = any_head;
        if (threadIdx.x == 0) {
            look_back.Publish(at, product.final ? kPrefix : kAggregate, product.value);
        }
        return product;
    }

    // Asks for what stands before the tile, scans and stores it. Two barriers, the first after all
    // reads of s.total; after the second nothing of the tile is read but s.scan.
    DEVICE static void Finish(const ScanData<M> &d, const LookBack<M> &look_back, Place at,
                              const ScanProduct<M> &product, const Vector<Value> *buffer,
                              Shared &s) {
        Tile tile(d, at.tile, Phase(d, at.tile));
        if (threadIdx.x < kWarp) {
            // phase 0: the tile begins with a head, so nobody asks what stands before it.
            const Value before = tile.phase == 0 ? M::Identity() : look_back.Before(at);
            if (Lane() == 0) {
                s.scan.before_tile = before;
                if (!product.final) {
                    look_back.Publish(at, kPrefix, M::Combine(before, product.value));
                }
            }
        }
        tile.Take(d, at.tile, buffer);
        tile.ScanWarps(d, s.scan);
        __syncthreads();
        if (threadIdx.x < kWarp) {
            Tile::ScanTotalsOfWarps(s.scan);
        }
        __syncthreads();
        tile.Store(d, s.scan);
    }
};

// A block for each tile: the tile's product falls off its scan.
template <class M, unsigned kWarps, unsigned kRows, bool kSegmented>
__global__ void __launch_bounds__(kWarps *kWarp)
    ScanTileEachKernel(const ScanData<M> d, const LookBack<M> look_back) {
    using Block = ScanBlock<M, kWarps, kRows, kSegmented>;
    using Tile = typename Block::Tile;
    using Value = typename M::Value;
    struct Shared {
        typename Tile::Shared scan;
        typename Block::Place at;
        uint64_t phase;
    };
    SHARED(Shared, s);
    if (threadIdx.x == 0) {
        s.at = {look_back.NextTile(), look_back.Epoch()};
        s.phase = Block::Phase(d, s.at.tile);
    }
    __syncthreads();
    const typename Block::Place at = s.at;
    Tile tile(d, at.tile, s.phase);
    tile.Read(d, at.tile);
    tile.ScanWarps(d, s.scan);
    __syncthreads();
    if (threadIdx.x < kWarp) {
        const Totals<M> t = Tile::ScanTotalsOfWarps(s.scan);
        const bool final = t.any_head || at.tile == 0;
        if (Lane() == 0) {
            look_back.Publish(at, final ? kPrefix : kAggregate, t.all);
        }
        // phase 0: the tile begins with a head, so nobody asks what stands before it.
        const Value before = tile.phase == 0 ? M::Identity() : look_back.Before(at);
        if (Lane() == 0) {
            s.scan.before_tile = before;
            if (!final) {
                look_back.Publish(at, kPrefix, M::Combine(before, t.all));
            }
        }
    }
    __syncthreads();
    tile.Store(d, s.scan);
    if (threadIdx.x == 0) {
        look_back.Finish(at.epoch, gridDim.x);
    }
}

// All blocks resident together, each with many tiles.
template <class M, unsigned kWarps, unsigned kRows, bool kSegmented>
__global__ void __launch_bounds__(kWarps *kWarp, kScanBlocksPerMultiprocessor)
    ScanStreamKernel(const ScanData<M> d, const LookBack<M> look_back, const uint32_t tiles) {
    using Block = ScanBlock<M, kWarps, kRows, kSegmented>;
    using Tile = typename Block::Tile;
    SHARED(typename Block::Shared, s);
    DYNAMIC_SHARED(Vector<typename M::Value>, buffers);
    constexpr unsigned kBuffer = Tile::kItems / Tile::kVector;
    const uint32_t epoch = look_back.Epoch();
    const uint32_t step = gridDim.x;
    // Tile number i of this block is in buffer i modulo kScanStages.
    auto fetch = [&](uint64_t tile, unsigned stage) {
        if (tile < tiles) {
            Tile::Fetch(d, tile, buffers + stage * kBuffer);
        } else {
            CopyCommit();
        }
    };
#pragma unroll
    for (unsigned k = 0; k < kScanStages; k++) {
        fetch(blockIdx.x + (uint64_t)k * step, k);
    }
    uint32_t tile = blockIdx.x;
    CopyWait<kScanStages - 1>();
    ScanProduct<M> product = Block::Announce(d, look_back, {tile, epoch}, buffers, s);
    for (unsigned stage = 0; tile < tiles;) {
        const unsigned next_stage = stage + 1 < kScanStages ? stage + 1 : 0;
        const uint32_t next = tile + step;
        ScanProduct<M> next_product = product;
        __syncthreads();  // nobody reads s for the last tile any more
        if (next < tiles) {
            CopyWait<kScanStages - 2>();
            next_product =
                Block::Announce(d, look_back, {next, epoch}, buffers + next_stage * kBuffer, s);
        }
        Block::Finish(d, look_back, {tile, epoch}, product, buffers + stage * kBuffer, s);
        // A thread refills what it alone has read.
        fetch(tile + (uint64_t)kScanStages * step, stage);
        stage = next_stage;
        tile = next;
        product = next_product;
    }
    CopyWait<0>();
    if (threadIdx.x == 0) {
        look_back.Finish(epoch, gridDim.x);
    }
}

template <class M>
struct ScanLookBack {
    // The same tile for both schedules. More registers a thread pay only where blocks are many.
    static constexpr unsigned kItems = ScanTile<M, 16, 4, false>::kItems;
    static constexpr unsigned kTileBytes = kItems * sizeof(typename M::Value);
    static_assert(kItems == ScanTile<M, 8, 8, false>::kItems, "they share workspaces");

    static uint64_t Tiles(uint64_t size) { return (size + kItems - 1) / kItems; }

    static size_t WorkspaceBytes(uint64_t size) { return LookBack<M>::Bytes(Tiles(size)); }

    // Requires d.size > 0 and a workspace of that many bytes.
    static cudaError_t Run(const ScanData<M> &d, void *workspace, size_t bytes,
                           cudaStream_t stream) {
        int device = 0, multiprocessors = 0;
        cudaError_t e = cudaGetDevice(&device);
        if (e == cudaSuccess) {
            e = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
        }
        if (e != cudaSuccess) {
            return e;
        }
        const uint32_t tiles = (uint32_t)Tiles(d.size);
        const uint32_t resident = (uint32_t)multiprocessors * kScanBlocksPerMultiprocessor;
        const LookBack<M> look_back = LookBack<M>::In(workspace, bytes);
        // Rows within a tile or two need no prefix from afar, and then starting blocks hide more.
        if (tiles <= resident || d.n <= kItems) {
            auto kernel = d.n < d.size ? ScanTileEachKernel<M, 16, 4, true>
                                       : ScanTileEachKernel<M, 16, 4, false>;
            LAUNCH(kernel, tiles, 16 * kWarp, 0, stream, d, look_back);
            return cudaGetLastError();
        }
        return d.n < d.size
                   ? Stream<16>(ScanStreamKernel<M, 16, 4, true>, d, look_back, resident, stream)
                   : Stream<8>(ScanStreamKernel<M, 8, 8, false>, d, look_back, resident, stream);
    }

    template <unsigned kWarps, class K>
    static cudaError_t Stream(K kernel, const ScanData<M> &d, const LookBack<M> &look_back,
                              uint32_t blocks, cudaStream_t stream) {
        constexpr unsigned kBytes = kScanStages * kTileBytes;
        unsigned resident = 0;
        cudaError_t e =
            cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes);
        if (e == cudaSuccess) {
            e = ResidentBlocks(kernel, kWarps * kWarp, kBytes, &resident);
        }
        blocks = blocks < resident ? blocks : resident;
        return e != cudaSuccess ? e
                                : LaunchCooperative(kernel, blocks, kWarps * kWarp, kBytes, stream,
                                                    d, look_back, (uint32_t)Tiles(d.size));
    }
};

#endif  // PRIMITIVES_SCAN_LOOK_BACK_CUH_
