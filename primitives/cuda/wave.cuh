// wave.cuh: the blocks of a launch, all of them running, take tiles in rounds ("waves"): in wave w
// block b has tile w * blocks + b. Each learns the product of all tiles before its own from what
// the blocks publish in each wave, without a chain from tile to tile. Independent of what is
// scanned. Includes lookback.cuh.
//
// Protocol. In every wave every block publishes one word: the product of its tile (kAggregate), or
// since its last head (kPrefix) where nothing before the head counts; an empty product if it has no
// tile. Every block reads all words of the wave: their product goes on to the next wave, that of
// the lower blocks stands before its own tile. So the order of combination is fixed, and the result
// of a floating-point scan too. Blocks read blocks words a wave: 3 % of the traffic of tiles of
// 32 KiB on 132 multiprocessors, and all in cache.
//
// Progress. The launch is cooperative. Take the lowest wave that some block has not published: that
// block waits for nothing but its data and for lower waves, whose words are all there.
//
// Slots. A word is written again kSlots waves later. A block publishes at most kAhead waves before
// the one whose products it waits for. If X publishes wave v + kSlots, X has gathered wave v +
// kSlots - kAhead - 1, so every block Y had published that wave, so Y had gathered wave v + kSlots
// - 2 kAhead - 2 >= v: no thread needs the old word any more.
//
// Memory order: as in lookback.cuh, a value and its tag are one word.
#ifndef PRIMITIVES_CUDA_WAVE_CUH_
#define PRIMITIVES_CUDA_WAVE_CUH_

#include "primitives/cuda/lookback.cuh"

// Waves by which products are known before they are needed.
constexpr unsigned kWavesAhead = 3;

// WaveBarriers: where the warps of a block meet in a wave: kWorking warps that work on tiles, one
// that publishes, one that gathers. Totals: the working warps have left their totals for the
// publishing one. Published: the gathering warp may write where they have read. Before: they may
// take what the publishing warp and, after it, the gathering warp wrote; the gathering warp arrives
// for both, since it has waited for Published. Each is called by a full warp; a warp that only
// arrives is not held up.
template <unsigned kWorking>
struct WaveBarriers {
    static constexpr unsigned kSlots = kWavesAhead + 1;  // a barrier is used again so much later
    static constexpr unsigned kAtTotals = (kWorking + 1) * kWarp;
    static constexpr unsigned kAtPublished = 2 * kWarp;
    static constexpr unsigned kAtBefore = (kWorking + 1) * kWarp;

    DEVICE static unsigned Number(unsigned which, uint32_t wave) {
        return 1 + which * kSlots + wave % kSlots;
    }
    DEVICE static void ArriveAtTotals(uint32_t wave) {
        NamedBarrierArrive(Number(0, wave), kAtTotals);
    }
    DEVICE static void WaitForTotals(uint32_t wave) {
        NamedBarrierWait(Number(0, wave), kAtTotals);
    }
    DEVICE static void ArriveAtPublished(uint32_t wave) {
        NamedBarrierArrive(Number(1, wave), kAtPublished);
    }
    DEVICE static void WaitForPublished(uint32_t wave) {
        NamedBarrierWait(Number(1, wave), kAtPublished);
    }
    DEVICE static void ArriveAtBefore(uint32_t wave) {
        NamedBarrierArrive(Number(2, wave), kAtBefore);
    }
    DEVICE static void WaitForBefore(uint32_t wave) {
        NamedBarrierWait(Number(2, wave), kAtBefore);
    }
};

template <class M>
struct WaveExchange {
    using Value = typename M::Value;
    static constexpr unsigned kAhead = kWavesAhead;
    static constexpr unsigned kSlots = 2 * kAhead + 2;
    static constexpr unsigned kWindows = 5;
    static constexpr unsigned kMaxBlocks = kWindows * kWarp;
    // So that wave + 1 fits StatusTag's round. 2^22 tiles are fewer waves where at least 5 blocks
    // are resident; the launcher refuses more.
    static constexpr uint32_t kMaxWaves = (1u << 20) - 1;

    DrawCounter *counter;
    StatusWord *words;  // kSlots rows of kMaxBlocks

    static constexpr size_t Bytes() {
        return sizeof(DrawCounter) + sizeof(StatusWord) * kSlots * kMaxBlocks;
    }

    __host__ static WaveExchange In(void *workspace) {
        WaveExchange x;
        x.counter = (DrawCounter *)workspace;
        x.words = (StatusWord *)(x.counter + 1);
        return x;
    }

    DEVICE StatusWord *Slot(uint32_t wave) const { return words + wave % kSlots * kMaxBlocks; }

    // Publish is called by one thread of each block, once a wave. wave < kMaxWaves.
    DEVICE void Publish(uint64_t epoch, uint32_t wave, uint32_t what, Value v) const {
        StoreRelaxed(Slot(wave) + blockIdx.x, {ToBits(v), StatusTag(epoch, wave + 1, what)});
    }

    // The words of a wave as the calling lane sees them: window k, this lane.
    struct Words {
        StatusWord word[kWindows];
    };

    DEVICE static bool Missing(const StatusWord &w, uint64_t tag) {
        return w.hi - tag - kAggregate > kPrefix - kAggregate;
    }

    // Ask asks for the words of a wave; some may not be there yet. Called by a full warp, one wave
    // ahead of Gather, so that latencies do not add up.
    DEVICE Words Ask(uint64_t epoch, uint32_t wave) const {
        Words w;
#pragma unroll
        for (unsigned k = 0; k < kWindows; k++) {
            // Beyond the last block stand empty products.
            w.word[k] = {ToBits(M::Identity()), StatusTag(epoch, wave + 1, kAggregate)};
            if (k * kWarp + Lane() < gridDim.x) {
                w.word[k] = LoadRelaxed(Slot(wave) + k * kWarp + Lane());
            }
        }
        return w;
    }

    // Polls for what is missing, all missing words at once.
    DEVICE void Await(uint64_t tag, uint32_t wave, Words &w) const {
        for (Spin spin;; spin.Pause()) {
            bool missing = false;
#pragma unroll
            for (unsigned k = 0; k < kWindows; k++) {
                missing = missing || Missing(w.word[k], tag);
            }
            if (!__any_sync(kAllLanes, missing)) {
                return;
            }
#pragma unroll
            for (unsigned k = 0; k < kWindows; k++) {
                if (Missing(w.word[k], tag)) {
                    w.word[k] = LoadRelaxed(Slot(wave) + k * kWarp + Lane());
                }
            }
        }
    }

    // The product of the lanes in `lanes`, since the last of them that is in `heads`.
    struct Product {
        Value value;
        bool begins;  // there is one, so what stands before does not count
    };
    DEVICE static Product ProductOf(const StatusWord &w, unsigned lanes, unsigned heads) {
        heads &= lanes;
        const unsigned from = heads != 0 ? kWarp - 1 - (unsigned)__clz((int)heads) : 0;
        const bool counts = (lanes >> Lane() & 1) != 0 && Lane() >= from;
        const Value v = counts ? FromBits<Value>((Bits<Value>)w.lo) : M::Identity();
        return {WarpReduce<M>(v), heads != 0};
    }

    // Gather waits for all words of the wave, w being those that Ask found. `all` is the product of
    // the earlier waves and becomes that of this one too; returns what stands before the block's
    // tile. Called by a full warp.
    DEVICE Value Gather(uint64_t epoch, uint32_t wave, Words w, Value &all) const {
        const uint64_t tag = StatusTag(epoch, wave + 1, 0);
        Await(tag, wave, w);
        StatusWord own = {0, 0};  // the window of the calling block
        Product window[kWindows];
#pragma unroll
        for (unsigned k = 0; k < kWindows; k++) {
            const unsigned heads = __ballot_sync(kAllLanes, w.word[k].hi == tag + kPrefix);
            window[k] = ProductOf(w.word[k], kAllLanes, heads);
            const uint64_t mine = blockIdx.x / kWarp == k ? ~UINT64_C(0) : 0;
            own = {own.lo | (w.word[k].lo & mine), own.hi | (w.word[k].hi & mine)};
        }
        const unsigned own_heads = __ballot_sync(kAllLanes, own.hi == tag + kPrefix);
        const Product lower = ProductOf(own, (1u << blockIdx.x % kWarp) - 1, own_heads);
        Value before = all;
#pragma unroll
        for (unsigned k = 0; k < kWindows; k++) {
            if (blockIdx.x / kWarp == k) {
                before = lower.begins ? lower.value : M::Combine(all, lower.value);
            }
            all = window[k].begins ? window[k].value : M::Combine(all, window[k].value);
        }
        return before;
    }
};

#endif  // PRIMITIVES_CUDA_WAVE_CUH_
