// recombine_device.cu: recombine_device.h: coefficients computed from residues as carry/'s warps
// ask for them. Includes the rooms' device headers.
//
// A warp makes several stretches of limbs, one after the other, and stores them as if no carry
// entered; then carries ripple through the block and by look-back, and the lanes that one enters
// add it to what they stored. That is rare: what enters a lane from below has three words and the
// lane four limbs, so one carries out only where its fourth limb is all ones. Lanes of zeros are
// such lanes, as they are biased. So one wait for the number of a block's tile and one for what
// stands before it serve 4000 limbs. Proof: docs/proofs/modular_device.md, section 9.
#include "bigint/recombine_device.h"

#include "carry/carry_limbs_warp.cuh"
#include "fft/modular_crt.cuh"
#include "primitives/launch.cuh"

namespace {

constexpr unsigned kWords = 3, kWarps = 8, kRounds = 4;

using Warp = LimbsWarp<kWords>;

// ResidueSource: coefficients by remaindering. kAligned: they weigh 2^(64 i), so those of a lane's
// limbs are whole vectors of each plane.
template <bool kAligned>
struct ResidueSource {
    recombine_residues residues;
    ModularCrt crt;

    DEVICE carry_state Take(const Warp &warp, Warp::Limbs &b) const {
        if (warp.BelowRow()) {
            b.TakeNothing(true);
        } else if constexpr (kAligned) {
            TakeVectors(warp, warp.FirstBit() / 64, b);
        } else {
            const unsigned bit = warp.FirstBit(), i = warp.Below(bit), w = warp.d.w;
            const double *x = residues.x + warp.begin;
            const unsigned count = warp.Count();
            b.TakeClose(
                i, warp.begin_bit + i * w - bit, w, true, [&](unsigned k, uint64_t(&c)[kWords]) {
                    if (k < count) {
                        crt.Coefficient(x[k], x[k + residues.plane], x[k + 2 * residues.plane], c);
                    }
                });
        }
        return warp.TakeSpill(b);
    }

    // Coefficients begin + first .. of a lane's limbs; planes have whole vectors of them.
    DEVICE void TakeVectors(const Warp &warp, unsigned first, Warp::Limbs &b) const {
        constexpr unsigned kEach = Warp::kLimbs;
        const uint64_t at = warp.begin + first;
        double r[FFT_PRIMES_USED][kEach] = {};
        if (at < residues.count) {
#pragma unroll
            for (unsigned p = 0; p < FFT_PRIMES_USED; p++) {
#pragma unroll
                for (unsigned i = 0; i < kEach; i += 2) {
                    const Pair two = *(const Pair *)(residues.x + p * residues.plane + at + i);
                    r[p][i] = two.low, r[p][i + 1] = two.high;
                }
            }
        }
        b.TakeAligned(first, true, [&](unsigned i, uint64_t(&c)[kWords]) {
            crt.Coefficient(r[0][i - first], r[1][i - first], r[2][i - first], c);
        });
    }

    struct alignas(16) Pair {
        double low, high;
    };
};

// RecombineJob: warps make `rounds` stretches each, 1 .. kRounds.
template <bool kAligned>
struct RecombineJob {
    CarryData d;
    ResidueSource<kAligned> source;
    recombine_signs signs;
    unsigned rounds;
    LookBack<CarryStates> look_back;
};

template <bool kAligned>
__global__ void __launch_bounds__(kWarps *kWarp, 4)
    RecombineKernel(const __grid_constant__ RecombineJob<kAligned> job) {
    using Ripple = CarryRipple<kWarps>;
    struct Shared {
        Ripple::Shared ripple;
        Place at;
        uint32_t generate[kWarps][kRounds], propagate[kWarps][kRounds];  // of lanes, by stretch
    };
    SHARED(Shared, s);
    WaitForKernelBefore();
    if (threadIdx.x == 0) {
        s.at = job.look_back.counter->Draw(gridDim.x);
    }
    __syncthreads();
    const Place at = s.at;
    if (at.tile == 0 && threadIdx.x == 0) {
        *job.signs.r = *job.signs.a ^ *job.signs.b;
    }
    const unsigned warp_of_block = threadIdx.x / kWarp;
    const uint64_t first = ((uint64_t)at.tile * kWarps + warp_of_block) * job.rounds;
    carry_state whole = CARRY_PROPAGATE;
#pragma unroll 1
    for (unsigned r = 0; r < job.rounds; r++) {
        const Warp warp(job.d, 0, (first + r) * Warp::kItems);
        Warp::Limbs b;
        uint32_t generate, propagate;
        Ripple::Ballot(job.source.Take(warp, b), &generate, &propagate);
        warp.Store(b);
        if (Lane() == 0) {
            s.generate[warp_of_block][r] = generate;
            s.propagate[warp_of_block][r] = propagate;
        }
        whole = carry_compose(whole, StateOf(generate, propagate));
    }
    Ripple ripple;
    const carry_state tile = ripple.TileOfWarps(whole, s.ripple);
    const unsigned into_tile = Ripple::Before(job.look_back, at, tile, at.tile == 0);
    unsigned into = ripple.IntoWarp(into_tile, s.ripple);
    for (unsigned r = 0; r < job.rounds; r++) {
        const uint64_t carries =
            CarriesInto(s.generate[warp_of_block][r], s.propagate[warp_of_block][r], into);
        if ((carries >> Lane() & 1) != 0) {
            Warp(job.d, 0, (first + r) * Warp::kItems).AddCarry();
        }
        into = (unsigned)(carries >> kWarp) & 1;
    }
}

__global__ void SignKernel(recombine_signs signs) {
    WaitForKernelBefore();
    *signs.r = *signs.a ^ *signs.b;
}

// Stretches of a warp: one until every multiprocessor has blocks, then several.
constexpr uint64_t kManyLimbs = UINT64_C(1) << 20;
unsigned Rounds(uint64_t rn) { return rn >= kManyLimbs ? kRounds : 1; }

uint64_t Tiles(uint64_t rn, unsigned rounds) {
    return word_ceil_div(rn, (uint64_t)kWarps * rounds * Warp::kItems);
}

template <bool kAligned>
cudaError_t Run(const CarryData &d, const recombine_residues &residues,
                const recombine_signs &signs, void *workspace, cudaStream_t stream) {
    const unsigned rounds = residues.stretches != 0 ? residues.stretches : Rounds(d.out);
    const RecombineJob<kAligned> job = {
        d, {residues, MakeModularCrt()}, signs, rounds, LookBack<CarryStates>::In(workspace)};
    return LaunchEarly(RecombineKernel<kAligned>, (unsigned)Tiles(d.out, rounds), kWarps * kWarp, 0,
                       stream, job);
}

}  // namespace

size_t recombine_device_bytes(uint64_t rn) { return LookBack<CarryStates>::Bytes(Tiles(rn, 1)); }

result recombine_device(uint64_t *rp, uint64_t rn, const recombine_signs *signs,
                        const recombine_residues *residues, void *workspace, size_t bytes,
                        device_stream stream) {
    if (bytes < recombine_device_bytes(rn) || rn == 0 || residues->bits > 64 ||
        residues->bits < Warp::Limbs::kLeastClose || residues->stretches > kRounds ||
        Tiles(rn, 1) > UINT64_C(1) << DrawCounter::kNumberBits) {
        return RESULT_REFUSED;
    }
    CarryData d = {};
    d.r = rp;
    d.is_signed = true;
    d.w = residues->bits;
    d.by_w = word_divisor_of(d.w);
    d.reciprocal = word_ceil_div(UINT64_C(1) << 32, d.w);
    d.n = residues->count;
    d.out = d.all = rn;
    d.vectors = (uintptr_t)rp % 16 == 0;
    const cudaError_t e = d.w == 64 ? Run<true>(d, *residues, *signs, workspace, stream)
                                    : Run<false>(d, *residues, *signs, workspace, stream);
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}

result recombine_device_sign(const recombine_signs *signs, device_stream stream) {
    return LaunchEarly(SignKernel, 1, 1, 0, stream, *signs) == cudaSuccess ? RESULT_OK
                                                                           : RESULT_DEVICE_ERROR;
}
