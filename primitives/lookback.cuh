// lookback.cuh: the blocks of one launch hand a running product from tile to tile, each waiting only
// for what its predecessors have published [MerrillGarland16]. Knows tiles and products, nothing of
// what is scanned. Includes device.cuh and warp.cuh.
//
// Protocol. Tile t publishes one word: first its own product (kAggregate), later the product of tiles
// 0..t (kPrefix), or at once the latter where it does not depend on the tiles before. To learn the
// product of tiles 0..t-1 a warp reads the words of the 32 tiles before t, multiplies back to the
// nearest kPrefix, and moves 32 tiles back if there is none.
//
// Progress. Tile numbers come from an atomic counter, in the order in which blocks start. So whoever
// tile t waits for belongs to a block that runs already; that block publishes its kAggregate without
// waiting for anybody, and tile 0 its kPrefix. No block waits for one that has not started, whatever
// the order in which the device starts blocks and however few are resident.
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
    uint32_t started;   // blocks of this launch that have a tile
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

    struct Place {
        uint32_t tile, epoch;
    };

    // Start gives the calling block its tile; one thread calls it, once.
    DEVICE Place Start() const {
        const uint32_t epoch = LoadRelaxed(&counters->epoch);
        return {atomicAdd(&counters->started, 1u), epoch};
    }

    // Publish is called by one thread: kAggregate at most once, then kPrefix once.
    DEVICE void Publish(Place at, uint32_t what, Value v) const {
        StoreRelaxed(words + at.tile, {ToBits(v), at.epoch * 4 + what});
    }

    // Before returns the product of tiles 0 .. at.tile - 1. Called by a full warp; the result is in
    // all lanes. Waits.
    DEVICE Value Before(Place at) const {
        Value product = M::Identity();
        for (int64_t nearest = (int64_t)at.tile - 1;; nearest -= kWarp) {
            const int64_t tile = nearest - Lane();
            // Before the first tile stands an empty product.
            Value v = M::Identity();
            uint32_t what = tile < 0 ? (uint32_t)kPrefix : 0;
            unsigned prefixes, known;
#if !defined(NDEBUG)
            uint64_t polls = 0;
#endif
            for (;;) {
                if (what != kPrefix && tile >= 0) {
                    const StatusWord w = LoadRelaxed(words + tile);
                    const uint64_t kind = w.hi - at.epoch * 4;
                    what = kind == kAggregate || kind == kPrefix ? (uint32_t)kind : 0;
                    v = FromBits<Value>((Bits<Value>)w.lo);
                }
                prefixes = __ballot_sync(kAllLanes, what == kPrefix);
                known = __ballot_sync(kAllLanes, what != 0);
                // The lanes up to the nearest prefix, or all: known must cover them.
                const unsigned needed = prefixes != 0 ? prefixes ^ (prefixes - 1) : kAllLanes;
                if ((known & needed) == needed) {
                    break;
                }
#if !defined(NDEBUG)
                if (++polls > (1u << 26)) {
                    GiveUp();  // minutes: a predecessor died, or the workspace was not clear
                }
#endif
                SpinPause(0);
            }
            const unsigned last = prefixes != 0 ? (unsigned)__ffs((int)prefixes) - 1 : kWarp - 1;
            if (Lane() > last) {
                v = M::Identity();
            }
            // Higher lanes hold earlier tiles, and this window stands before what was collected.
            product = M::Combine(WarpReduceBackward<M>(v), product);
            if (prefixes != 0) {
                return product;
            }
        }
    }

    // Finish is called by one thread of each block after the block's last use; blocks is the number
    // of calls of Start in this launch. Leaves the workspace ready for the next launch.
    DEVICE void Finish(Place at, uint32_t blocks) const {
        if (AddAcquireRelease(&counters->finished, 1) + 1 < blocks) {
            return;
        }
        const uint32_t epoch = (at.epoch + 1) % kEpochs;
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
