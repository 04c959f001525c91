// three_kernel.cuh: reduce, scan, scan (the papers' Scan-SP). Rows are cut into chunks of several
// tiles, a block each: the first kernel computes the chunks' products, the same three steps scan
// those, as rows of their own, and the last kernel scans the chunks, each beginning with its
// prefix. Rows of at most a tile need only the last kernel, in which a block takes several whole
// rows. Includes tile.cuh.
//
// Where it differs from the source: what stands before an element is taken as the value of its
// left neighbour, where Scan-SP subtracts an element from its inclusive value, so operators need
// neither inverses nor commute; products of chunks that would not fit one block are scanned by
// recursion instead of by one block; results may be exclusive, rows and chunks of any length.
//
// AGPU counts (n elements, b words a transfer, p cores, tile of T elements, chunk of K tiles): time
// O(n / p + log T) for each level, I/O 3 n / b + 4 n / (K T), 2 L + 1 launches, where L is 0 for
// rows of one chunk and otherwise one more than for rows of n / (K T) products: 1 up to T chunks,
// which with 16 KiB a tile and K = 32 are 2^27 elements of 8 bytes, 2^29 of 4. Shared words: 2 T.
// The same job on the same device gives the same bits: chunks depend on n, rows and the device.
#ifndef PRIMITIVES_SCAN_THREE_KERNEL_CUH_
#define PRIMITIVES_SCAN_THREE_KERNEL_CUH_

#include <algorithm>

#include "primitives/cuda/launch.cuh"
#include "primitives/scan/tile.cuh"

constexpr unsigned kChunkWarps = 8, kChunkRows = 4;
// Chunks are no longer than this, and shorter while there are fewer than this many for each
// multiprocessor.
constexpr uint64_t kChunkTiles = 32;
constexpr uint64_t kChunksPerMultiprocessor = 14;

// Stretches of `stretch` elements (a row, or the whole rows of one block) are cut into chunks of
// `length`, a multiple of the tile where a stretch has several; the last of each may be shorter.
template <class M>
struct Chunks {
    ScanData<M> d;
    uint64_t stretch, length;
    uint64_t each;              // chunks of a stretch
    typename M::Value *totals;  // of each chunk, then what stands before it; NULL if each == 1

    HOST_DEVICE uint64_t Count() const { return (d.size + stretch - 1) / stretch * each; }

    // The chunk as data of its own.
    DEVICE ScanData<M> Chunk(uint64_t i) const {
        const uint64_t begin = i / each * stretch;
        const uint64_t end = begin + stretch < d.size ? begin + stretch : d.size;
        const uint64_t first = begin + i % each * length;
        ScanData<M> chunk = d;
        chunk.in += first;
        chunk.out += first;
        chunk.size = first + length < end ? length : end - first;
        return chunk;
    }
};

// A block goes through the tiles of its chunk, the next one on its way to shared memory meanwhile.
// Use takes (tile, buffer) and gets each tile in turn.
template <class Tile, class M, class Use>
DEVICE void ForTiles(const ScanData<M> &chunk,
                     Vector<typename M::Value> (&buffers)[2][Tile::kItems / Tile::kVector],
                     Use use) {
    const uint64_t tiles = (chunk.size + Tile::kItems - 1) / Tile::kItems;
    Tile::Fetch(chunk, 0, buffers[0]);
    for (uint64_t tile = 0; tile < tiles; tile++) {
        if (tile + 1 < tiles) {
            Tile::Fetch(chunk, tile + 1, buffers[(tile + 1) % 2]);
        } else {
            CopyCommit();
        }
        CopyWait<1>();
        use(tile, buffers[tile % 2]);
    }
    CopyWait<0>();
}

template <class M>
__global__ void __launch_bounds__(kChunkWarps *kWarp) ChunkTotalsKernel(const Chunks<M> c) {
    using Value = typename M::Value;
    using Tile = ScanTile<M, kChunkWarps, kChunkRows, false>;
    struct Shared {
        Vector<Value> buffers[2][Tile::kItems / Tile::kVector];
        // Alternating: a warp may be a tile ahead of warp 0's reading, not two, for the barrier.
        Value warps[2][kChunkWarps];
    };
    SHARED(Shared, s);
    const ScanData<M> chunk = c.Chunk(blockIdx.x);
    Value total = M::Identity();
    ForTiles<Tile>(chunk, s.buffers, [&](uint64_t tile, const Vector<Value> *buffer) {
        const Value warp = Tile::WarpTotal(chunk, tile, buffer, 0);
        total = M::Combine(total, BlockReduce<M, kChunkWarps>(warp, s.warps[tile % 2]));
    });
    if (threadIdx.x == 0) {
        c.totals[blockIdx.x] = total;
    }
}

// kSegmented: a chunk is whole rows, and one tile.
template <class M, bool kSegmented>
__global__ void __launch_bounds__(kChunkWarps *kWarp) ScanChunksKernel(const Chunks<M> c) {
    using Value = typename M::Value;
    using Tile = ScanTile<M, kChunkWarps, kChunkRows, kSegmented>;
    struct Shared {
        Vector<Value> buffers[2][Tile::kItems / Tile::kVector];
        typename Tile::Shared scan;
    };
    SHARED(Shared, s);
    const ScanData<M> chunk = c.Chunk(blockIdx.x);
    Value before = c.totals != nullptr ? c.totals[blockIdx.x] : M::Identity();
    ForTiles<Tile>(chunk, s.buffers, [&](uint64_t number, const Vector<Value> *buffer) {
        Tile tile(chunk, number, 0);
        tile.Take(chunk, number, buffer);
        bool any_head;
        const Value total = tile.ScanWarp(chunk, &any_head);
        __syncwarp();  // SetTotal writes words of s.scan that only this warp has read since
        if (Lane() == 0) {
            s.scan.SetTotal(total, any_head);
        }
        __syncthreads();
        if (threadIdx.x < kWarp) {
            const Totals<M> t = Tile::ScanTotalsOfWarps(s.scan);
            if (Lane() == 0) {
                s.scan.before_tile = before;
            }
            before = M::Combine(before, t.all);
        }
        __syncthreads();
        tile.Store(chunk, s.scan.BeforeWarp());
    });
}

template <class M>
struct ScanThreeKernel {
    using Operator = M;
    using Value = typename M::Value;
    using Tile = ScanTile<M, kChunkWarps, kChunkRows, false>;
    static constexpr uint64_t kTile = Tile::kItems;

    static uint64_t Quotient(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

    // Elements between the totals of one level and the next: 16-byte alignment is kept.
    static uint64_t Stride(uint64_t totals) { return Quotient(totals, 16) * 16; }

    // Chunks of one tile have the most totals; 16 bytes more, so that it is never 0.
    static size_t WorkspaceBytes(uint64_t n, uint64_t rows) {
        uint64_t totals = 0;
        for (uint64_t k = n; k > kTile;) {
            k = Quotient(k, kTile);
            totals += Stride(rows * k);
        }
        return 16 + totals * sizeof(Value);
    }

    static cudaError_t Run(const ScanData<M> &d, void *workspace, cudaStream_t stream) {
        int multiprocessors = 0;
        const cudaError_t e = DeviceAttribute(cudaDevAttrMultiProcessorCount, &multiprocessors);
        const uint64_t blocks = (uint64_t)multiprocessors * kChunksPerMultiprocessor;
        return e == cudaSuccess ? Scan(d, (Value *)workspace, blocks, kChunkTiles, stream) : e;
    }

    // Chunks have `most` tiles, or fewer where that makes less than `blocks` chunks.
    // Launches at most 2 size / kTile + 1 <= 2^24 blocks: a stretch of more than a tile has at most
    // twice as many chunks as it has whole tiles.
    static cudaError_t Scan(const ScanData<M> &d, Value *totals, uint64_t blocks, uint64_t most,
                            cudaStream_t stream) {
        Chunks<M> c = {d, d.n, kTile, 1, nullptr};
        if (d.n <= kTile) {
            uint64_t rows = kTile / d.n;
            rows -= rows > Tile::kVector ? rows % Tile::kVector : 0;  // keeps alignment
            c.stretch = c.length = rows * d.n;
        } else {
            c.length *= std::min(std::max<uint64_t>(d.size / kTile / blocks, 1), most);
            c.each = Quotient(d.n, c.length);
        }
        c.d.vectors = d.vectors && (c.stretch >= d.size || c.stretch % Tile::kVector == 0);
        const uint64_t count = c.Count();
        if (c.each > 1) {
            c.totals = totals;
            const ScanData<M> inner = {totals, totals, count, c.each, true, true};
            cudaError_t e =
                Launch(ChunkTotalsKernel<M>, (unsigned)count, kChunkWarps * kWarp, 0, stream, c);
            if (e == cudaSuccess) {
                e = Scan(inner, totals + Stride(count), blocks, most, stream);
            }
            if (e != cudaSuccess) {
                return e;
            }
        }
        auto kernel = d.n <= kTile ? ScanChunksKernel<M, true> : ScanChunksKernel<M, false>;
        return Launch(kernel, (unsigned)count, kChunkWarps * kWarp, 0, stream, c);
    }
};

#endif  // PRIMITIVES_SCAN_THREE_KERNEL_CUH_
