// wave.cuh: the blocks of a launch, all of them running, take tiles in rounds ("waves"): in wave w
// block b has tile w * blocks + b. Each learns the product of all tiles before its own from what the
// blocks publish in each wave, without a chain from tile to tile. Knows waves and products, nothing
// of what is scanned. Includes lookback.cuh.
//
// Protocol. In every wave every block publishes one word: the product of its tile (kAggregate), or
// since its last head (kPrefix) where nothing before the head counts; an empty product if it has no
// tile. Every block reads all words of the wave: their product goes on to the next wave, that of the
// lower blocks stands before its own tile. So the order of combination is fixed, and the result of a
// floating-point scan too. Blocks read blocks words a wave: 1.6 % of the traffic of tiles of 32 KiB
// on 132 multiprocessors, and all in cache.
//
// Progress. The launch is cooperative. Take the lowest wave that some block has not published: that
// block waits for nothing but its data and for lower waves, whose words are all there.
//
// Slots. A word is written again kSlots waves later. A block publishes at most kAhead waves before
// the one whose products it waits for. If X publishes wave v + kSlots, X has gathered wave
// v + kSlots - kAhead - 1, so every block Y had published that wave, so Y had gathered wave
// v + kSlots - 2 kAhead - 2 >= v: nobody needs the old word any more.
//
// Memory order: as in lookback.cuh, a value and its tag are one word.
#ifndef PRIMITIVES_WAVE_CUH_
#define PRIMITIVES_WAVE_CUH_

#include "primitives/lookback.cuh"

template <class M>
struct WaveExchange {
    using Value = typename M::Value;
    static constexpr unsigned kAhead = 3;
    static constexpr unsigned kSlots = 2 * kAhead + 2;
    static constexpr unsigned kWindows = 8;
    static constexpr unsigned kMaxBlocks = kWindows * kWarp;

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

    // Publish is called by one thread of each block, once a wave. wave < 2^20 - 1.
    DEVICE void Publish(uint64_t epoch, uint32_t wave, uint32_t what, Value v) const {
        StoreRelaxed(Slot(wave) + blockIdx.x, {ToBits(v), StatusTag(epoch, wave + 1, what)});
    }

    // The product of `left` and of the lanes in `lanes`, of which those in `heads` begin anew.
    DEVICE static Value After(Value left, Value v, unsigned lanes, unsigned heads) {
        heads &= lanes;
        const unsigned from = heads != 0 ? kWarp - 1 - (unsigned)__clz((int)heads) : 0;
        const bool counts = (lanes >> Lane() & 1) != 0 && Lane() >= from;
        const Value product = WarpReduce<M>(counts ? v : M::Identity());
        return heads != 0 ? product : M::Combine(left, product);
    }

    // Gather waits for all words of the wave. Called by a full warp. `all` is the product of the
    // earlier waves and becomes that of this one too; returns what stands before the block's tile.
    DEVICE Value Gather(uint64_t epoch, uint32_t wave, Value &all) const {
        const StatusWord *slot = Slot(wave);
        const uint64_t tag = StatusTag(epoch, wave + 1, 0);
        StatusWord word[kWindows];
#pragma unroll
        for (unsigned k = 0; k < kWindows; k++) {
            word[k] = {ToBits(M::Identity()), tag + kAggregate};
            if (k * kWarp + Lane() < gridDim.x) {
                word[k] = LoadRelaxed(slot + k * kWarp + Lane());
            }
        }
        Await(slot, tag, word);
        Value before = all;
#pragma unroll
        for (unsigned k = 0; k < kWindows; k++) {
            if (k * kWarp < gridDim.x) {
                const unsigned heads = __ballot_sync(kAllLanes, word[k].hi == tag + kPrefix);
                const Value v = FromBits<Value>((Bits<Value>)word[k].lo);
                if (blockIdx.x / kWarp == k) {
                    before = After(all, v, (1u << blockIdx.x % kWarp) - 1, heads);
                }
                all = After(all, v, kAllLanes, heads);
            }
        }
        return before;
    }

    // All missing words are asked for at once: their latencies would add up.
    DEVICE static void Await(const StatusWord *slot, uint64_t tag, StatusWord (&word)[kWindows]) {
#if !defined(NDEBUG)
        uint64_t polls = 0;
#endif
        for (;;) {
            bool missing = false;
#pragma unroll
            for (unsigned k = 0; k < kWindows; k++) {
                missing = missing || word[k].hi - tag - kAggregate > kPrefix - kAggregate;
            }
            if (!__any_sync(kAllLanes, missing)) {
                return;
            }
#if !defined(NDEBUG)
            if (++polls > kMaxPolls) {
                GiveUp();
            }
#endif
            SpinPause(0);
#pragma unroll
            for (unsigned k = 0; k < kWindows; k++) {
                if (word[k].hi - tag - kAggregate > kPrefix - kAggregate) {
                    word[k] = LoadRelaxed(slot + k * kWarp + Lane());
                }
            }
        }
    }
};

#endif  // PRIMITIVES_WAVE_CUH_
