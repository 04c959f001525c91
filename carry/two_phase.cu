// two_phase.cu: see two_phase.h. Includes the coefficients of device_job.cuh, the carries of
// ripple.cuh, and launches.
#include "carry/two_phase.h"

#include "carry/device_job.cuh"
#include "primitives/cuda/launch.cuh"

namespace {

constexpr unsigned kWarps = 8, kThreads = kWarps * kWarp;
constexpr unsigned kEach = 8, kTile = kEach * kThreads;  // places of a thread, of a block
// A coefficient has up to 10 digits: it reaches the 9 places above its own. Phase 2 wants the tens
// of the place below the tile, so the block takes the coefficients of 10 places there.
constexpr unsigned kDigits = 10, kBelow = kDigits;
constexpr unsigned kTakes = (kTile + kBelow + kThreads - 1) / kThreads;  // coefficients of a thread
constexpr unsigned kFront = 16;  // bytes before the tile's first place: 10 places, and alignment
constexpr uint64_t kMaxLength = UINT64_C(1) << 40;

struct Job {
    CarryData data;  // c, form, n, out and tiles
    char *text;
};

struct TwoPhase {
    struct Shared {
        alignas(16) uint8_t place[kFront + kTile];
        typename CarryRipple<kWarps>::Shared ripple;
        Place at;
    };

    const Job &job;
    Shared &s;
    uint64_t row, first;  // the tile's row, and its first place there

    // Digit d of every coefficient in round d: no two of them meet in a place. A round is a barrier
    // apart from the next; the last one is that of the largest coefficient.
    DEVICE void PhaseOne() const {
        const CarryData &d = job.data;
        uint64_t c[kTakes];
#pragma unroll
        for (unsigned k = 0; k < kTakes; k++) {
            const unsigned i = threadIdx.x + k * kThreads;
            const uint64_t at = first + i - kBelow;  // below 0 is far above n
            c[k] = i < kTile + kBelow && at < d.n ? d.Word(d.c, row * d.n + at) : 0;
        }
        for (unsigned i = threadIdx.x; i < kFront + kTile; i += kThreads) {
            s.place[i] = 0;
        }
        for (unsigned digit = 0; __syncthreads_or(Any(c)) != 0; digit++) {
#pragma unroll
            for (unsigned k = 0; k < kTakes; k++) {
                const unsigned i = threadIdx.x + k * kThreads + digit;
                if (c[k] != 0 && i < kTile + kBelow) {
                    s.place[kFront - kBelow + i] += (uint8_t)(c[k] % 10);
                }
                c[k] /= 10;
            }
        }
    }

    DEVICE static bool Any(const uint64_t (&c)[kTakes]) {
        uint64_t any = 0;
#pragma unroll
        for (unsigned k = 0; k < kTakes; k++) {
            any |= c[k];
        }
        return any != 0;
    }

    // Units of the thread's places and tens of those below them: at most 9 + 9 each. Bits of those
    // above 9 generate a carry, of those that are 9 propagate one.
    DEVICE void Sums(unsigned (&sum)[kEach], uint32_t *generate, uint32_t *propagate) const {
        const uint8_t *const own = s.place + kFront + kEach * threadIdx.x;
        unsigned below = own[-1];
        *generate = *propagate = 0;
#pragma unroll
        for (unsigned e = 0; e < kEach; e++) {
            const unsigned place = own[e];
            sum[e] = place % 10 + below / 10;
            *generate |= (sum[e] > 9 ? 1u : 0u) << e;
            *propagate |= (sum[e] == 9 ? 1u : 0u) << e;
            below = place;
        }
    }

    DEVICE void PhaseTwo(const LookBack<CarryStates> &look_back, Place at, bool begins) const {
        unsigned sum[kEach];
        uint32_t generate, propagate;
        Sums(sum, &generate, &propagate);
        CarryRipple<kWarps> ripple;
        // Bits beyond the thread's places propagate, so that its last carry is the word's. Behind
        // the barrier in Tile nobody reads places of phase 1.
        const carry_state mine = StateOf(generate, propagate | ~((1u << kEach) - 1));
        const carry_state tile = ripple.Tile(mine, s.ripple);
        const unsigned into = CarryRipple<kWarps>::Before(look_back, at, tile, begins);
        const uint64_t carries = CarriesInto(generate, propagate, ripple.Into(into, s.ripple));
        uint8_t *const own = s.place + kFront + kEach * threadIdx.x;
#pragma unroll
        for (unsigned e = 0; e < kEach; e++) {
            own[e] = (uint8_t)((sum[e] + ((unsigned)(carries >> e) & 1)) % 10);
        }
        __syncthreads();
        Store();
    }

    DEVICE void Store() const {
        const CarryData &d = job.data;
        char *const text = job.text + row * d.out;
        for (unsigned i = threadIdx.x; i < kTile && first + i < d.out; i += kThreads) {
            text[d.out - 1 - (first + i)] = (char)('0' + s.place[kFront + i]);
        }
    }
};

__global__ void __launch_bounds__(kThreads)
    TwoPhaseKernel(const __grid_constant__ Job job, const LookBack<CarryStates> look_back) {
    SHARED(TwoPhase::Shared, s);
    WaitForKernelBefore();
    if (threadIdx.x == 0) {
        s.at = look_back.counter->Draw(gridDim.x);
    }
    __syncthreads();
    const Place at = s.at;
    const uint32_t number = job.data.Number(at.tile);
    const TwoPhase tile = {job, s, job.data.Row(at.tile), (uint64_t)number * kTile};
    tile.PhaseOne();
    tile.PhaseTwo(look_back, at, number == 0);
}

uint64_t TilesOf(const carry_two_phase_job *job) { return (job->out + kTile - 1) / kTile; }

}  // namespace

size_t carry_two_phase_bytes(const carry_two_phase_job *job) {
    constexpr uint64_t kMaxTiles = UINT64_C(1) << DrawCounter::kNumberBits;
    const bool valid = (unsigned)job->form < CARRY_FORMS && job->n <= kMaxLength &&
                       job->out <= kMaxLength && job->rows <= kMaxTiles &&
                       TilesOf(job) * job->rows <= kMaxTiles;
    return valid ? LookBack<CarryStates>::Bytes(TilesOf(job) * job->rows) : 0;
}

result carry_two_phase(const carry_two_phase_job *job, char *text, const void *c, void *workspace,
                       size_t bytes, cuda_stream stream) {
    const size_t needed = carry_two_phase_bytes(job);
    if (needed == 0 || bytes < needed) {
        return RESULT_REFUSED;
    }
    const uint64_t tiles = TilesOf(job);
    if (tiles * job->rows == 0) {
        return RESULT_OK;
    }
    Job j = {};
    j.data.c = c;
    j.data.form = job->form;
    j.data.n = job->n;
    j.data.out = job->out;
    j.data.tiles = (uint32_t)tiles;
    j.text = text;
    const cudaError_t e = LaunchEarly(TwoPhaseKernel, (unsigned)(tiles * job->rows), kThreads, 0,
                                      stream, j, LookBack<CarryStates>::In(workspace));
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}
