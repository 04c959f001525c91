// wave_kernel.cuh: radix 2^w for long numbers: one block on each multiprocessor goes through the
// tiles in waves (primitives/cuda/wave.cuh). primitives/scan/wave.cuh describes how the warps meet.
// Instantiated in device.cu.
//
// The working warps make a tile's limbs kAhead waves before they know the carries, and keep them in
// shared memory meanwhile; its coefficients' place is free for another tile at once. A tile whose
// state is not "propagate" is a head: what stands before it does not count. So all inputs take the
// same time, however far carries ripple.
//
// Progress, slots and barriers: as in primitives/scan/wave.cuh.
#ifndef CARRY_WAVE_KERNEL_CUH_
#define CARRY_WAVE_KERNEL_CUH_

#include "carry/limbs_warp.cuh"
#include "primitives/cuda/wave.cuh"

struct CarryWaveJob {
    CarryData data;
    WaveExchange<CarryStates> exchange;
    uint32_t tiles, waves;
    uint32_t step_rows, step_number;  // blocks, in tiles: rows and the rest
    unsigned stages;  // tiles whose coefficients are in shared memory or on their way: 2 .. 8
};

template <unsigned kWords>
struct CarryWave {
    using Warp = LimbsWarp<kWords>;
    using Exchange = WaveExchange<CarryStates>;
    static constexpr unsigned kAhead = Exchange::kAhead;
    static constexpr unsigned kMaxStages = 8;
    // About as many bytes of coefficients for every number of words.
    static constexpr unsigned kWarps = kWords <= 3 ? 20 : kWords == 4 ? 8 : 4;
    using Barriers = WaveBarriers<kWarps>;
    static constexpr unsigned kSlots = Barriers::kSlots;
    static constexpr unsigned kThreads = (kWarps + 2) * kWarp;

    // Between the wave that makes a tile's limbs and the one that stores them.
    struct Slot {
        uint64_t limb[Warp::kLimbs][kWarps * kWarp];
        uint32_t state[kWarps];                        // of the warps
        uint32_t generate[kWarps], propagate[kWarps];  // of their lanes
        uint32_t warps_generate, warps_propagate;
        uint32_t into_tile;
    };
    struct Shared {
        Slot slot[kSlots];
        uint64_t epoch;
    };

    const CarryWaveJob &job;
    Shared &s;
    uint64_t *stages;

    // The block's tile in a wave, which moves on from wave to wave.
    struct Tile {
        uint32_t wave, row, number;
        uint64_t index;  // among all tiles
    };

    DEVICE Tile FirstTile() const {
        return {0, blockIdx.x / job.data.tiles, blockIdx.x % job.data.tiles, blockIdx.x};
    }

    DEVICE void Advance(Tile &t) const {
        t.wave++;
        t.index += gridDim.x;
        t.row += job.step_rows;
        t.number += job.step_number;
        if (t.number >= job.data.tiles) {
            t.number -= job.data.tiles;
            t.row++;
        }
    }

    DEVICE bool Exists(const Tile &t) const { return t.index < job.tiles; }

    // --- A working warp --------------------------------------------------------------------------

    DEVICE Warp WarpOf(const Tile &t) const {
        const uint64_t warp = (uint64_t)t.number * kWarps + threadIdx.x / kWarp;
        return Warp(job.data, t.row, warp * Warp::kItems);
    }

    DEVICE uint64_t *Stage(uint32_t wave) const {
        return stages + (wave % job.stages * kWarps + threadIdx.x / kWarp) * job.data.stage;
    }

    DEVICE void Fetch(Tile &t) const {
        if (Exists(t)) {
            WarpOf(t).Fetch(Stage(t.wave));
        } else {
            CopyCommit();
        }
        Advance(t);
    }

    // Makes the limbs of a tile, and asks for the coefficients of another in its place.
    DEVICE void Announce(Tile &t, Tile &fetched) const {
        Slot &slot = s.slot[t.wave % kSlots];
        const unsigned warp = threadIdx.x / kWarp;
        CopyWaitNewest(job.stages - 1);
        __syncwarp();
        carry_state mine = CARRY_PROPAGATE;
        if (Exists(t)) {
            typename Warp::Limbs b;
            mine = WarpOf(t).template TakeWords<true>(Stage(t.wave), b);
#pragma unroll
            for (unsigned o = 0; o < Warp::kLimbs; o++) {
                slot.limb[o][threadIdx.x] = b.limb[o];
            }
        }
        // Here all lanes have done with what the slot held.
        const uint32_t generate = __ballot_sync(kAllLanes, mine == CARRY_GENERATE);
        const uint32_t propagate = __ballot_sync(kAllLanes, mine == CARRY_PROPAGATE);
        if (Lane() == 0) {
            slot.generate[warp] = generate;
            slot.propagate[warp] = propagate;
            slot.state[warp] = StateOf(generate, propagate);
        }
        __syncwarp();
        Barriers::ArriveAtTotals(t.wave);
        Fetch(fetched);
        Advance(t);
    }

    DEVICE void Finish(Tile &t) const {
        const Slot &slot = s.slot[t.wave % kSlots];
        const unsigned warp = threadIdx.x / kWarp;
        Barriers::WaitForBefore(t.wave);
        if (Exists(t)) {
            const uint64_t into_warps =
                CarriesInto(slot.warps_generate, slot.warps_propagate, slot.into_tile);
            const uint64_t into_lanes = CarriesInto(slot.generate[warp], slot.propagate[warp],
                                                    (unsigned)(into_warps >> warp) & 1);
            typename Warp::Limbs b;
#pragma unroll
            for (unsigned o = 0; o < Warp::kLimbs; o++) {
                b.limb[o] = slot.limb[o][threadIdx.x];
            }
            b.AddCarry((unsigned)(into_lanes >> Lane()) & 1);
            WarpOf(t).Store(b);
        }
        Advance(t);
    }

    // fetched: the next tile to ask for.
    DEVICE void Work(Tile &fetched) const {
        Tile announced = FirstTile(), finished = FirstTile();
        for (uint32_t wave = 0; wave < kAhead && wave < job.waves; wave++) {
            Announce(announced, fetched);
        }
        for (uint32_t wave = 0; wave < job.waves; wave++) {
            if (wave + kAhead < job.waves) {
                Announce(announced, fetched);
            }
            Finish(finished);
        }
        CopyWait<0>();
    }

    // --- The other two ---------------------------------------------------------------------------

    DEVICE void Publish() const {
        Tile t = FirstTile();
        for (uint32_t wave = 0; wave < job.waves; wave++) {
            Barriers::WaitForTotals(wave);
            Slot &slot = s.slot[wave % kSlots];
            // Lanes beyond the last warp propagate.
            const carry_state state =
                Lane() < kWarps ? (carry_state)slot.state[Lane() % kWarps] : CARRY_PROPAGATE;
            const uint32_t generate = __ballot_sync(kAllLanes, state == CARRY_GENERATE);
            const uint32_t propagate = __ballot_sync(kAllLanes, state == CARRY_PROPAGATE);
            if (Lane() == 0) {
                slot.warps_generate = generate;
                slot.warps_propagate = propagate;
                carry_state tile = StateOf(generate, propagate);
                if (t.number == 0 && tile == CARRY_PROPAGATE) {
                    tile = CARRY_KILL;  // nothing enters
                }
                job.exchange.Publish(s.epoch, wave, tile == CARRY_PROPAGATE ? kAggregate : kPrefix,
                                     tile);
            }
            __syncwarp();
            Barriers::ArriveAtPublished(wave);
            Advance(t);
        }
    }

    DEVICE void Gather() const {
        Tile t = FirstTile();
        uint32_t all = CARRY_KILL;
        typename Exchange::Words words = job.exchange.Ask(s.epoch, 0);
        for (uint32_t wave = 0; wave < job.waves; wave++) {
            const typename Exchange::Words next = job.exchange.Ask(s.epoch, wave + 1);
            const uint32_t before = job.exchange.Gather(s.epoch, wave, words, all);
            words = next;
            Barriers::WaitForPublished(wave);
            if (Lane() == 0) {
                s.slot[wave % kSlots].into_tile = before == CARRY_GENERATE && t.number != 0;
            }
            __syncwarp();
            Barriers::ArriveAtBefore(wave);
            Advance(t);
        }
    }
};

template <unsigned kWords>
__global__ void __launch_bounds__(CarryWave<kWords>::kThreads, 1)
    CarryWaveKernel(const CarryWaveJob job) {
    using Wave = CarryWave<kWords>;
    // The stages stand behind the slots.
    DYNAMIC_SHARED(typename Wave::Shared, s);
    const Wave wave = {job, *s, (uint64_t *)(s + 1)};
    const unsigned warp = threadIdx.x / kWarp;
    typename Wave::Tile fetched = wave.FirstTile();
    if (warp < Wave::kWarps) {
        for (unsigned stage = 0; stage < job.stages; stage++) {
            wave.Fetch(fetched);
        }
    }
    if (threadIdx.x == 0) {
        s->epoch = job.exchange.counter->Draw(gridDim.x).epoch;
    }
    __syncthreads();
    if (warp < Wave::kWarps) {
        wave.Work(fetched);
    } else if (warp == Wave::kWarps) {
        wave.Publish();
    } else {
        wave.Gather();
    }
}

#endif  // CARRY_WAVE_KERNEL_CUH_
