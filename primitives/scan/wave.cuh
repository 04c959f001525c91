// wave.cuh: the scan of long sequences in one launch, as fast as a copy: one block on each
// multiprocessor goes through the data in waves (cuda/wave.cuh), several tiles on their way to
// shared memory. Kernel and launch; instantiated in device.cu.
//
// There are three kinds of warps, so that no warp waits for what can be known earlier. The scanning
// warps add up a tile as soon as it has arrived, kAhead waves before they scan and store it. One
// warp combines the warps' products to the tile's and publishes it. One warp gathers the tile's
// prefix. They meet at named barriers, three for each wave: Totals, when the scanning warps have
// left their totals; Published, when the gathering warp may write where they have read; Before,
// when they may take the prefix. Only warps that wait are held up.
//
// Slots of shared memory, kSlots = kAhead + 1. A scanning warp leaves totals of wave v + kSlots
// after it has passed kBefore of wave v, so both other warps are done with v.
//
// On an H200, 2^28 words take the time of a copy (bench/records/device.md). What was tried on the
// way, without records: before the gathering warp asked one wave ahead 600 to 630 us; with one warp
// to publish and gather 760 us, because then each wave waits for the one before to be seen by all;
// with a chain of look-backs 642 us. Totals known one wave ahead in place of three: 600 us; two:
// 560 us. Bulk copies in place of 16 bytes a thread: 535 to 590 us, depending on the tile's shape
// in no way that was understood.
//
// AGPU counts (n elements, b words a transfer, p cores, tile of T elements, B blocks): time O(n / p
// + n / (B T) log b), I/O 2 n / b + n / T (1 + B) words of status, one launch. Shared words:
// kStages T.
#ifndef PRIMITIVES_SCAN_WAVE_CUH_
#define PRIMITIVES_SCAN_WAVE_CUH_

#include "primitives/cuda/wave.cuh"
#include "primitives/scan/tile.cuh"

// What is the same for all blocks of a launch.
template <class M>
struct WaveJob {
    ScanData<M> data;
    WaveExchange<M> exchange;
    uint32_t tiles, waves;
    uint64_t phase_step;  // blocks times the tile's elements, modulo n
};

template <class M, unsigned kWarps, unsigned kRows, bool kSegmented>
struct ScanWave {
    using Value = typename M::Value;
    using Tile = ScanTile<M, kWarps, kRows, kSegmented>;
    using Exchange = WaveExchange<M>;
    static constexpr unsigned kAhead = Exchange::kAhead;
    using Barriers = WaveBarriers<kWarps>;
    static constexpr unsigned kSlots = Barriers::kSlots;
    static constexpr unsigned kStages = 7;
    static constexpr unsigned kBuffer = Tile::kItems / Tile::kVector;
    static constexpr unsigned kThreads = (kWarps + 2) * kWarp;
    static constexpr size_t kDynamicBytes = kStages * Tile::kItems * sizeof(Value);

    struct Shared {
        typename Tile::Shared tile[kSlots];
        uint64_t epoch;
    };

    const WaveJob<M> &job;
    Shared &s;

    DEVICE uint64_t TileOf(uint32_t wave) const { return (uint64_t)wave * gridDim.x + blockIdx.x; }

    DEVICE uint64_t Advance(uint64_t phase) const {
        phase += job.phase_step;
        return kSegmented && phase >= job.data.n ? phase - job.data.n : phase;
    }

    // --- A scanning warp -------------------------------------------------------------------------

    DEVICE void Fetch(uint32_t wave, Vector<Value> *buffers) const {
        if (TileOf(wave) < job.tiles) {
            Tile::Fetch(job.data, TileOf(wave), buffers + wave % kStages * kBuffer);
        } else {
            CopyCommit();
        }
    }

    // Leaves the warp's total in the wave's slot.
    DEVICE void Announce(uint32_t wave, uint64_t phase, const Vector<Value> *buffers) const {
        Value total = M::Identity();
        bool any_head = false;
        if (TileOf(wave) < job.tiles) {
            const Tile tile(job.data, TileOf(wave), phase);
            const unsigned from = tile.LastHead(job.data, &any_head);
            total =
                Tile::WarpTotal(job.data, TileOf(wave), buffers + wave % kStages * kBuffer, from);
        }
        if (Lane() == 0) {
            s.tile[wave % kSlots].SetTotal(total, any_head);
        }
        __syncwarp();
        Barriers::ArriveAtTotals(wave);
    }

    DEVICE void Scan(Vector<Value> *buffers) const {
        uint64_t phase = kSegmented ? blockIdx.x * (uint64_t)Tile::kItems % job.data.n : 0;
        uint64_t phase_ahead = phase;
        for (uint32_t wave = 0; wave < kAhead && wave < job.waves; wave++) {
            CopyWait<kStages - kAhead>();
            Announce(wave, phase_ahead, buffers);
            phase_ahead = Advance(phase_ahead);
        }
        for (uint32_t wave = 0; wave < job.waves; wave++) {
            if (wave + kAhead < job.waves) {
                CopyWait<kStages - kAhead - 1>();
                Announce(wave + kAhead, phase_ahead, buffers);
            }
            const bool mine = TileOf(wave) < job.tiles;
            Tile tile(job.data, TileOf(wave), phase);
            if (mine) {
                bool any_head;
                tile.Take(job.data, TileOf(wave), buffers + wave % kStages * kBuffer);
                tile.ScanWarp(job.data, &any_head);
            }
            // A thread refills what it alone has read.
            Fetch(wave + kStages, buffers);
            Barriers::WaitForBefore(wave);
            if (mine) {
                tile.Store(job.data, s.tile[wave % kSlots].BeforeWarp());
            }
            __syncwarp();  // all lanes have read the slot that the next Announce writes
            phase = Advance(phase);
            phase_ahead = Advance(phase_ahead);
        }
        CopyWait<0>();
    }

    // --- The other two ---------------------------------------------------------------------------

    DEVICE void Publish() const {
        for (uint32_t wave = 0; wave < job.waves; wave++) {
            Barriers::WaitForTotals(wave);
            const Totals<M> t = Tile::ScanTotalsOfWarps(s.tile[wave % kSlots]);
            if (Lane() == 0) {
                job.exchange.Publish(s.epoch, wave, t.any_head ? kPrefix : kAggregate, t.all);
            }
            __syncwarp();
            Barriers::ArriveAtPublished(wave);
        }
    }

    DEVICE void Gather() const {
        Value all = M::Identity();
        typename Exchange::Words words = job.exchange.Ask(s.epoch, 0);
        for (uint32_t wave = 0; wave < job.waves; wave++) {
            const typename Exchange::Words next = job.exchange.Ask(s.epoch, wave + 1);
            const Value before = job.exchange.Gather(s.epoch, wave, words, all);
            words = next;
            Barriers::WaitForPublished(wave);
            if (Lane() == 0) {
                s.tile[wave % kSlots].before_tile = before;
            }
            __syncwarp();
            Barriers::ArriveAtBefore(wave);
        }
    }
};

template <class M, unsigned kWarps, unsigned kRows, bool kSegmented>
__global__ void __launch_bounds__((kWarps + 2) * kWarp, 1) ScanWaveKernel(const WaveJob<M> job) {
    using Wave = ScanWave<M, kWarps, kRows, kSegmented>;
    SHARED(typename Wave::Shared, s);
    DYNAMIC_SHARED(Vector<typename M::Value>, buffers);
    const Wave wave = {job, s};
    const unsigned warp = threadIdx.x / kWarp;
    if (warp < kWarps) {
#pragma unroll
        for (unsigned stage = 0; stage < Wave::kStages; stage++) {
            wave.Fetch(stage, buffers);
        }
    }
    if (threadIdx.x == 0) {
        s.epoch = job.exchange.counter->Draw(gridDim.x).epoch;
    }
    __syncthreads();
    if (warp < kWarps) {
        wave.Scan(buffers);
    } else if (warp == kWarps) {
        wave.Publish();
    } else {
        wave.Gather();
    }
}

#endif  // PRIMITIVES_SCAN_WAVE_CUH_
