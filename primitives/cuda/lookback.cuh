// lookback.cuh: the blocks of one launch hand a running product from tile to tile, each waiting
// only for what its predecessors have published [MerrillGarland16]. Independent of what is scanned.
// Includes device.cuh and warp.cuh.
//
// Protocol. Tile t publishes one word: first its own product (kAggregate), later the product of
// tiles 0..t (kPrefix), or at once the latter where it does not depend on the tiles before. To
// learn the product of tiles 0..t-1 a warp reads the words of a window of tiles before t,
// multiplies back to the nearest kPrefix, and goes on with the window before if there is none.
//
// Progress. Tiles are numbered in the order in which blocks draw (or by blockIdx, where a
// cooperative launch has all blocks running), so the tiles that tile t waits for belong to a block
// that runs already. Take the lowest tile that has not published its kPrefix: its block publishes
// kAggregate without waiting, and all words that its look-back asks for are there. So that tile
// goes on, in whatever order the device starts blocks and however few are resident.
//
// Memory order. Value and tag are one word of 128 bits, written and read whole: no other access is
// ordered by it, so relaxed accesses are enough. The counter is set for the next launch by the
// block that draws last: no other block of this launch uses it afterwards, and the end of the
// launch puts the store before the next one on the same stream.
//
// No clearing between launches. A tag holds the launch's epoch, so words that earlier launches left
// are not taken for new ones. Epochs have 42 bits: they begin anew after months of nothing but the
// shortest launches (2^42 at 2 us are 100 days); a workspace that gets there is cleared again.
#ifndef PRIMITIVES_CUDA_LOOKBACK_CUH_
#define PRIMITIVES_CUDA_LOOKBACK_CUH_

#include "primitives/cuda/device.cuh"
#include "primitives/cuda/warp.cuh"

// What a block draws: a number, in the order of drawing, and the launch's epoch.
struct Place {
    uint32_t tile;
    uint64_t epoch;
};

// The counter at the front of the workspace: epoch * 2^22 + numbers given out in this launch. Zero
// before its first use. A line of its own.
struct alignas(128) DrawCounter {
    static constexpr unsigned kNumberBits = 22;
    uint64_t draws;

    // Draw is called by one thread of each of the launch's blocks, once. blocks <= 2^22.
    DEVICE Place Draw(uint32_t blocks) {
        const uint64_t v = atomicAdd((unsigned long long *)&draws, 1ull);
        const uint32_t number = (uint32_t)v & ((1u << kNumberBits) - 1);
        const uint64_t epoch = v >> kNumberBits;
        if (number == blocks - 1) {
            StoreRelaxed(&draws, (epoch + 1) << kNumberBits);
        }
        return {number, epoch};
    }
};

enum : uint32_t { kAggregate = 1, kPrefix = 2 };

// lo: a product's bits. hi: epoch * 2^22 + round * 4 + what, where look-back's round is 0. One
// layout for all that share a workspace, because a word that another launch left must not be taken
// for a tag of this one.
using StatusWord = Word128;
HOST_DEVICE uint64_t StatusTag(uint64_t epoch, uint32_t round, uint32_t what) {
    return epoch << 22 | (uint64_t)round << 2 | what;
}

template <class M>
struct LookBack {
    using Value = typename M::Value;

    DrawCounter *counter;
    StatusWord *words;  // one for each tile

    static constexpr size_t Bytes(uint64_t tiles) {
        return sizeof(DrawCounter) + tiles * sizeof(StatusWord);
    }

    __host__ static LookBack In(void *workspace) {
        LookBack l;
        l.counter = (DrawCounter *)workspace;
        l.words = (StatusWord *)(l.counter + 1);
        return l;
    }

    // Publish is called by one thread: kAggregate at most once, then kPrefix once.
    DEVICE void Publish(Place at, uint32_t what, Value v) const {
        StoreRelaxed(words + at.tile, {ToBits(v), StatusTag(at.epoch, 0, what)});
    }

    // What a word says in this launch: 0, kAggregate or kPrefix.
    DEVICE static uint32_t What(Place at, const StatusWord &w) {
        const uint64_t kind = w.hi - StatusTag(at.epoch, 0, 0);
        return kind == kAggregate || kind == kPrefix ? (uint32_t)kind : 0;
    }

    DEVICE StatusWord Read(Place at, int64_t tile) const {
        if (tile < 0) {  // before the first tile stands an empty product
            return {ToBits(M::Identity()), StatusTag(at.epoch, 0, kPrefix)};
        }
        return LoadRelaxed(words + tile);
    }

    // Polls the calling lane's tile until the lanes up to the window's nearest prefix, or all, hold
    // a product; returns the number of those lanes.
    DEVICE unsigned Await(Place at, int64_t tile, StatusWord &word) const {
        for (Spin spin;; spin.Pause()) {
            const uint32_t what = What(at, word);
            const unsigned prefixes = __ballot_sync(kAllLanes, what == kPrefix);
            const unsigned known = __ballot_sync(kAllLanes, what != 0);
            const unsigned needed = prefixes != 0 ? prefixes ^ (prefixes - 1) : kAllLanes;
            if ((known & needed) == needed) {
                return (unsigned)__popc(needed);
            }
            if (what == 0) {
                word = Read(at, tile);
            }
        }
    }

    // Before returns the product of tiles 0 .. at.tile - 1. Called by a full warp; the result is in
    // all lanes. Waits. kAhead windows are read at once, because their latencies would add up; a
    // lane reads neighbouring windows, not neighbouring words, which are 1.4 times slower on an
    // H200.
    DEVICE Value Before(Place at) const {
        constexpr unsigned kAhead = 4;
        Value product = M::Identity();
        for (int64_t nearest = (int64_t)at.tile - 1;; nearest -= kAhead * kWarp) {
            StatusWord word[kAhead];
#pragma unroll
            for (unsigned k = 0; k < kAhead; k++) {
                word[k] = Read(at, nearest - k * kWarp - Lane());
            }
#pragma unroll
            for (unsigned k = 0; k < kAhead; k++) {
                const unsigned lanes = Await(at, nearest - k * kWarp - Lane(), word[k]);
                const bool counts = Lane() < lanes;
                const Value v = counts ? FromBits<Value>((Bits<Value>)word[k].lo) : M::Identity();
                // Higher lanes hold earlier tiles, and a window stands before what was collected.
                product = M::Combine(WarpReduceBackward<M>(v), product);
                if (__any_sync(kAllLanes, counts && What(at, word[k]) == kPrefix)) {
                    return product;
                }
            }
        }
    }
};

#endif  // PRIMITIVES_CUDA_LOOKBACK_CUH_
