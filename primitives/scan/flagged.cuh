// flagged.cuh: the scan in one launch of a sequence whose rows begin where flags say: look_back.cuh
// with heads that are read. Values of 1, 4 or 8 bytes. Includes lookback.cuh and tile.cuh.
//
// AGPU counts (n elements, b words a transfer): I/O 2 n / b + n / 4 b for the flags, of a byte
// each, + 2 words of status a tile; one launch.
#ifndef PRIMITIVES_SCAN_FLAGGED_CUH_
#define PRIMITIVES_SCAN_FLAGGED_CUH_

#include "primitives/cuda/launch.cuh"
#include "primitives/cuda/lookback.cuh"
#include "primitives/scan/tile.cuh"

// A tile whose heads are where heads[i] != 0. Of ScanTile it keeps the layout and the totals.
template <class M, unsigned kWarps, unsigned kRows>
struct FlaggedTile : ScanTile<M, kWarps, kRows, true> {
    using Tile = ScanTile<M, kWarps, kRows, true>;
    using Value = typename M::Value;
    static constexpr unsigned kVector = Tile::kVector;

    struct alignas(kVector) Flags {
        uint8_t x[kVector];
    };

    unsigned heads[kRows];  // of each group, a bit an element

    DEVICE FlaggedTile(const ScanData<M> &d, const uint8_t *flags, uint64_t tile)
        : Tile(d, tile, 0) {
        Tile::Read(d, tile);
        const bool whole = Tile::Whole(d, tile) && (uintptr_t)flags % kVector == 0;
#pragma unroll
        for (unsigned r = 0; r < kRows; r++) {
            const uint64_t at = tile * Tile::kItems + Tile::Offset(r);
            Flags f = {};
            if (whole) {
                f = *(const Flags *)(flags + at);
            }
            heads[r] = 0;
#pragma unroll
            for (unsigned e = 0; e < kVector; e++) {
                const bool head = whole ? f.x[e] != 0 : at + e < d.size && flags[at + e] != 0;
                heads[r] |= (unsigned)head << e;
            }
        }
    }

    // Like Tile::ScanWarp.
    DEVICE Value ScanWarp(bool *any_head) {
        Value total = M::Identity();
        *any_head = false;
#pragma unroll
        for (unsigned r = 0; r < kRows; r++) {
#pragma unroll
            for (unsigned e = 1; e < kVector; e++) {
                if ((heads[r] >> e & 1) == 0) {
                    this->x[r][e] = M::Combine(this->x[r][e - 1], this->x[r][e]);
                }
            }
            const Totals<M> t = ScanTotals<M, kWarp, true>(this->x[r][kVector - 1], heads[r] != 0);
            this->before[r] = t.open ? M::Combine(total, t.before) : t.before;
            this->open[r] = t.open && !*any_head;
            total = t.any_head ? t.all : M::Combine(total, t.all);
            *any_head = *any_head || t.any_head;
        }
        return total;
    }

    // Like Tile::Store.
    DEVICE void Store(const ScanData<M> &d, Value before_warp) const {
        const bool whole = Tile::Whole(d, this->tile_first / Tile::kItems);
#pragma unroll
        for (unsigned r = 0; r < kRows; r++) {
            const Value left =
                this->open[r] ? M::Combine(before_warp, this->before[r]) : this->before[r];
            Vector<Value> y;
            Value before = left;
            bool open = true;  // no head in the group so far
#pragma unroll
            for (unsigned e = 0; e < kVector; e++) {
                const bool head = (heads[r] >> e & 1) != 0;
                open = open && !head;
                const Value inclusive = open ? M::Combine(left, this->x[r][e]) : this->x[r][e];
                y.x[e] = !d.exclusive ? inclusive : head ? M::Identity() : before;
                before = inclusive;
            }
            const uint64_t at = this->tile_first + Tile::Offset(r);
            if (whole) {
                *(Vector<Value> *)(d.out + at) = y;
            } else {
                Tile::StorePart(d, at, y);
            }
        }
    }
};

// A block for each tile, numbered in the order of drawing.
template <class M, unsigned kWarps, unsigned kRows>
__global__ void __launch_bounds__(kWarps *kWarp, 2)
    ScanFlaggedKernel(const ScanData<M> d, const uint8_t *flags, const LookBack<M> look_back) {
    using Tile = FlaggedTile<M, kWarps, kRows>;
    struct Shared {
        typename Tile::Shared scan;
        Place at;
    };
    SHARED(Shared, s);
    WaitForKernelBefore();
    if (threadIdx.x == 0) {
        s.at = look_back.counter->Draw(gridDim.x);
    }
    __syncthreads();
    const Place at = s.at;
    Tile tile(d, flags, at.tile);
    bool any_head;
    const typename M::Value total = tile.ScanWarp(&any_head);
    if (Lane() == 0) {
        s.scan.SetTotal(total, any_head);
    }
    __syncthreads();
    if (threadIdx.x < kWarp) {
        const Totals<M> t = Tile::ScanTotalsOfWarps(s.scan);
        const bool final = t.any_head || at.tile == 0;
        if (Lane() == 0) {
            look_back.Publish(at, final ? kPrefix : kAggregate, t.all);
        }
        const typename M::Value before = look_back.Before(at);
        if (Lane() == 0) {
            if (!final) {
                look_back.Publish(at, kPrefix, M::Combine(before, t.all));
            }
            s.scan.before_tile = before;
        }
    }
    __syncthreads();
    tile.Store(d, s.scan.BeforeWarp());
}

template <class M>
struct ScanFlagged {
    static constexpr bool kBytes = sizeof(typename M::Value) == 1;
    static constexpr unsigned kWarps = 8, kRows = kBytes ? 1 : 4;
    static constexpr uint64_t kItems = FlaggedTile<M, kWarps, kRows>::kItems;

    static uint64_t Tiles(uint64_t size) { return (size + kItems - 1) / kItems; }
    static size_t WorkspaceBytes(uint64_t size) { return LookBack<M>::Bytes(Tiles(size)); }

    // Requires d.size > 0 and d.n = d.size, and at most 2^22 tiles.
    static cudaError_t Run(const ScanData<M> &d, const uint8_t *flags, void *workspace,
                           cudaStream_t stream) {
        return LaunchEarly(ScanFlaggedKernel<M, kWarps, kRows>, (unsigned)Tiles(d.size),
                           kWarps * kWarp, 0, stream, d, flags, LookBack<M>::In(workspace));
    }
};

#endif  // PRIMITIVES_SCAN_FLAGGED_CUH_
