// lookback.cuh: the blocks of one launch hand a running product from tile to tile, each waiting
// only for what its predecessors have published [MerrillGarland16]. Knows tiles and products,
// nothing of what is scanned. Includes device.cuh and warp.cuh.
//
// Protocol. Tile t publishes one word: first its own product (kAggregate), later the product of
// tiles 0..t (kPrefix), or at once the latter where it does not depend on the tiles before. To
// learn the product of tiles 0..t-1 a warp reads the words of a window of tiles before t,
// multiplies back to the nearest kPrefix, and goes on with the window before if there is none.
//
// Progress. Tile numbers come from an atomic counter, so whoever tile t waits for belongs to a
// block that runs already. A block may hold several tiles, but works on them in increasing order.
// Take the lowest tile that has not published its kPrefix: its block has finished all its lower
// tiles, so this is the one it works on; it publishes kAggregate without waiting, and all words
// that its look-back asks for are there. So that tile goes on, whatever the order in which the
// device starts blocks and however few are resident.
//
// Memory order. Value and tag are one word of 128 bits, written and read whole: no other access is
// ordered by it, so relaxed accesses are enough. The counters are reset by the block that finishes
// last; its acquire of all others' releases puts the reset behind every use in this launch, and the
// end of the launch puts it before the next one on the same stream.
//
// No clearing between launches. A tag holds the launch's epoch, so words that earlier launches left
// are not taken for new ones; the last block adds one to the epoch. Epochs have 30 bits: when they
// begin anew, the last block clears all words.
#ifndef PRIMITIVES_LOOKBACK_CUH_
#define PRIMITIVES_LOOKBACK_CUH_

#include "primitives/device.cuh"
#include "primitives/warp.cuh"

// The counters at the front of the workspace. All zero before its first use.
struct LookBackCounters {
    uint32_t started;   // tiles of this launch that were given out
    uint32_t finished;  // blocks of this launch that have ended
    uint32_t epoch;     // launches so far, modulo kEpochs
    uint32_t unused[29];
};
static_assert(sizeof(LookBackCounters) == 128, "a line of its own, and words stay aligned");

constexpr uint32_t kEpochs = 1u << 30;
enum : uint32_t { kAggregate = 1, kPrefix = 2 };

// lo: the product's bits. hi: epoch * 4 + what. One layout for all operators, because a word that a
// scan of another operator left must not be taken for a tag of this one.
using StatusWord = Word128;

template <class M>
struct LookBack {
    using Value = typename M::Value;

    LookBackCounters *counters;
    StatusWord *words;
    uint32_t capacity;  // words

    static constexpr size_t Bytes(uint64_t tiles) {
        return sizeof(LookBackCounters) + tiles * sizeof(StatusWord);
    }

    // The part of a workspace of that many bytes that a launch uses.
    __host__ static LookBack In(void *workspace, size_t bytes) {
        LookBack l;
        l.counters = (LookBackCounters *)workspace;
        l.words = (StatusWord *)(l.counters + 1);
        l.capacity = (uint32_t)((bytes - sizeof(LookBackCounters)) / sizeof(StatusWord));
        return l;
    }

    // A tile, and the launch's epoch.
    struct Place {
        uint32_t tile, epoch;
    };

    DEVICE uint32_t Epoch() const { return LoadRelaxed(&counters->epoch); }

    // NextTile gives the calling block a tile; one thread calls it. Numbers beyond the last tile
    // mean that there is none left.
    DEVICE uint32_t NextTile() const { return atomicAdd(&counters->started, 1u); }

    // Publish is called by one thread: kAggregate at most once, then kPrefix once.
    DEVICE void Publish(Place at, uint32_t what, Value v) const {
        StoreRelaxed(words + at.tile, {ToBits(v), at.epoch * 4 + what});
    }

    // What a word says in this launch: 0, kAggregate or kPrefix.
    DEVICE static uint32_t What(Place at, const StatusWord &w) {
        const uint64_t kind = w.hi - at.epoch * 4;
        return kind == kAggregate || kind == kPrefix ? (uint32_t)kind : 0;
    }

    DEVICE StatusWord Read(Place at, int64_t tile) const {
        if (tile < 0) {  // before the first tile stands an empty product
            return {ToBits(M::Identity()), at.epoch * 4 + kPrefix};
        }
        return LoadRelaxed(words + tile);
    }

    // Polls the calling lane's tile until the lanes up to the window's nearest prefix, or all, hold
    // a product; returns the number of those lanes.
    DEVICE unsigned Await(Place at, int64_t tile, StatusWord &word) const {
#if !defined(NDEBUG)
        uint64_t polls = 0;
#endif
        for (;;) {
            const uint32_t what = What(at, word);
            const unsigned prefixes = __ballot_sync(kAllLanes, what == kPrefix);
            const unsigned known = __ballot_sync(kAllLanes, what != 0);
            const unsigned needed = prefixes != 0 ? prefixes ^ (prefixes - 1) : kAllLanes;
            if ((known & needed) == needed) {
                return (unsigned)__popc(needed);
            }
#if !defined(NDEBUG)
            if (++polls > (1u << 26)) {
                GiveUp();  // minutes: a predecessor died, or the workspace was not clear
            }
#endif
            SpinPause(0);
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

    // Finish is called by one thread of each of the launch's blocks after the block's last use.
    // Leaves the workspace ready for the next launch.
    DEVICE void Finish(uint32_t old_epoch, uint32_t blocks) const {
        if (AddAcquireRelease(&counters->finished, 1) + 1 < blocks) {
            return;
        }
        const uint32_t epoch = (old_epoch + 1) % kEpochs;
        if (epoch == 0) {
            for (uint32_t i = 0; i < capacity; i++) {
                words[i] = {0, 0};
            }
        }
        counters->started = 0;
        counters->finished = 0;
        counters->epoch = epoch;
    }
};

#endif  // PRIMITIVES_LOOKBACK_CUH_
