// circuit.cuh: the scan in one launch in which tiles exchange products along the wires of a prefix
// circuit, a block for each tile. This file has what the circuits in kogge_stone.cuh,
// ladner_fischer.cuh, brent_kung.cuh and han_carlson.cuh share. Includes lookback.cuh, for its
// words, epochs and tile numbers, and tile.cuh.
//
// A tile's value at level 0 is its own product; at level l + 1 it is its source's value times its
// own at level l. It stands for a stretch of tiles that ends with this one, and after the last
// level for all tiles up to it. A circuit C over T tiles says, with log = ceil(log2 T),
//   C::Levels(log)                  levels of a tile, at most 32; 0 if log is 0
//   C::Words(tiles, levels)         words of the workspace
//   C::Source(tile, level, levels)  a lower tile, the tile itself for none, negative before tile 0
//   C::At(level, levels)            the level of the source's value: l, or `levels` for its last
//   C::Publishes(tile, level, levels)  whether the tile's value at that level is another's source
//   C::Word(tile, level, levels)    the index of that value's word; only where it is published
//
// Rows. A value is final (kPrefix) if its stretch has a head, or reaches tile 0: nothing before it
// counts, and it is the product from its last head on. docs/proofs/scan.md, section 1.
//
// Progress. Tile numbers come from an atomic counter, and sources are lower tiles. The lowest tile
// that has not ended finds all it waits for, since the tiles below it have published every level.
//
// Determinism. The circuit alone decides what is combined with what, regardless of timing: the same
// bits every time, for floating point too.
#ifndef PRIMITIVES_SCAN_CIRCUIT_CUH_
#define PRIMITIVES_SCAN_CIRCUIT_CUH_

#include "primitives/cuda/launch.cuh"
#include "primitives/cuda/lookback.cuh"
#include "primitives/scan/tile.cuh"

// A stretch of tiles: its product from its last head on; final: nothing before it counts.
template <class M>
struct Stretch {
    typename M::Value value;
    bool final;
};

template <class M, class Circuit>
struct CircuitWires {
    using Value = typename M::Value;
    using Words = LookBack<M>;

    Words words;
    unsigned levels;  // at most 32: a lane for each

    // The word that level's source of the tile publishes, as it is now.
    DEVICE StatusWord Read(uint32_t tile, uint64_t epoch, unsigned level) const {
        const int64_t source = level < levels ? Circuit::Source(tile, level, levels) : tile;
        if (source == tile) {  // no operand: an empty product that stands for nothing
            return {ToBits(M::Identity()), StatusTag(epoch, 0, kAggregate)};
        }
        const unsigned at = Circuit::At(level, levels);
        const int64_t word = source < 0 ? -1 : (int64_t)Circuit::Word((uint32_t)source, at, levels);
        return words.Read({0, epoch}, word);
    }

    // Before publishes the tile's values, own being its value at level 0, and returns what stands
    // before it; `alone`: nothing does. Called by a full warp. All levels' words are asked for at
    // once, because their latencies would add up, and taken in order.
    DEVICE Value Before(uint32_t tile, uint64_t epoch, const Stretch<M> &own, bool alone) const {
        StatusWord word = Read(tile, epoch, Lane());
        Stretch<M> before = {M::Identity(), alone};
        for (unsigned level = 0;; level++) {
            if (Lane() == 0 && Circuit::Publishes(tile, level, levels)) {
                words.Publish({Circuit::Word(tile, level, levels), epoch},
                              own.final || before.final ? kPrefix : kAggregate,
                              own.final ? own.value : M::Combine(before.value, own.value));
            }
            if (level == levels) {
                return before.value;
            }
            if (!before.final) {
                const unsigned what = Await(tile, epoch, level, word);
                const Value left = Broadcast(FromBits<Value>((Bits<Value>)word.lo), level);
                before = {M::Combine(left, before.value), what == kPrefix};
            }
        }
    }

    // Polls until lane `level` holds what it asked for; returns what that is.
    DEVICE unsigned Await(uint32_t tile, uint64_t epoch, unsigned level, StatusWord &word) const {
        for (Spin spin;; spin.Pause()) {
            const unsigned mine = Words::What({0, epoch}, word);
            const unsigned what = __shfl_sync(kAllLanes, mine, (int)level);
            if (what != 0) {
                return what;
            }
            if (mine == 0) {
                word = Read(tile, epoch, Lane());
            }
        }
    }
};

constexpr unsigned kCircuitWarps = 8, kCircuitRows = 8;

template <class M, class Circuit, bool kSegmented>
__global__ void __launch_bounds__(kCircuitWarps *kWarp)
    ScanCircuitKernel(const ScanData<M> d, const CircuitWires<M, Circuit> wires) {
    using Tile = ScanTile<M, kCircuitWarps, kCircuitRows, kSegmented>;
    struct Shared {
        typename Tile::Shared scan;
        Place at;
        uint64_t phase;
    };
    SHARED(Shared, s);
    if (threadIdx.x == 0) {
        s.at = wires.words.counter->Draw(gridDim.x);
        s.phase = kSegmented ? (uint64_t)s.at.tile * Tile::kItems % d.n : s.at.tile;
    }
    __syncthreads();
    const uint32_t number = s.at.tile;
    Tile tile(d, number, s.phase);
    tile.Read(d, number);
    bool any_head;
    const typename M::Value total = tile.ScanWarp(d, &any_head);
    if (Lane() == 0) {
        s.scan.SetTotal(total, any_head);
    }
    __syncthreads();
    if (threadIdx.x < kWarp) {
        const Totals<M> t = Tile::ScanTotalsOfWarps(s.scan);
        // phase 0: the tile begins with a head.
        const typename M::Value before =
            wires.Before(number, s.at.epoch, {t.all, t.any_head || number == 0}, tile.phase == 0);
        if (Lane() == 0) {
            s.scan.before_tile = before;
        }
    }
    __syncthreads();
    tile.Store(d, s.scan.BeforeWarp());
}

template <class M, class Circuit>
struct ScanCircuit {
    using Operator = M;
    static constexpr uint64_t kItems = ScanTile<M, kCircuitWarps, kCircuitRows, false>::kItems;

    static uint64_t Tiles(uint64_t size) { return (size + kItems - 1) / kItems; }

    static unsigned Levels(uint64_t tiles) {
        unsigned log = 0;
        while (UINT64_C(1) << log < tiles) {
            log++;
        }
        return Circuit::Levels(log);
    }

    static size_t WorkspaceBytes(uint64_t n, uint64_t rows) {
        const uint64_t tiles = Tiles(n * rows);
        return LookBack<M>::Bytes(Circuit::Words(tiles, Levels(tiles)));
    }

    // 2^34 elements are 2^22 tiles of the smallest kind, 2^12 elements of 8 bytes: as many as a
    // launch may draw, and at most 23 levels and 22 2^22 words, which 32 bits can count.
    static cudaError_t Run(const ScanData<M> &d, void *workspace, cudaStream_t stream) {
        const uint32_t tiles = (uint32_t)Tiles(d.size);
        const CircuitWires<M, Circuit> wires = {LookBack<M>::In(workspace), Levels(tiles)};
        auto kernel = d.n < d.size ? ScanCircuitKernel<M, Circuit, true>
                                   : ScanCircuitKernel<M, Circuit, false>;
        return Launch(kernel, tiles, kCircuitWarps * kWarp, 0, stream, d, wires);
    }
};

#endif  // PRIMITIVES_SCAN_CIRCUIT_CUH_
