// recombine_kernel.cuh: the kernel from coefficients to limbs and a sign, for any source of
// coefficients that carry/'s warps ask for them. Includes carry_limbs_warp.cuh and launches.
//
// A source is what a kernel is given: it names its Warp, a LimbsWarp of as many words as its
// coefficients have, and Take(warp, limbs) makes a lane's limbs and says what they do to a carry.
//
// A warp makes several stretches of limbs, one after the other, and stores them as if no carry
// entered; then carries ripple through the block and by look-back, and the lanes that one enters
// add it to what they stored. That is rare: what enters a lane from below has three words or fewer
// and the lane four limbs, so one carries out only where its fourth limb is all ones. Lanes of
// zeros are such lanes, as they are biased. So one wait for the number of a block's tile and one
// for what stands before it serve 4000 limbs. Proof: docs/proofs/modular_device.md, section 9.
#ifndef BIGINT_RECOMBINE_KERNEL_CUH_
#define BIGINT_RECOMBINE_KERNEL_CUH_

#include "bigint/recombine_device.h"
#include "carry/carry_limbs_warp.cuh"
#include "primitives/launch.cuh"

constexpr unsigned kRecombineWarps = 8, kRecombineRounds = 4;

// RecombineJob: warps make `rounds` stretches each, 1 .. kRecombineRounds.
template <class Source>
struct RecombineJob {
    CarryData d;
    Source source;
    recombine_signs signs;
    unsigned rounds;
    LookBack<CarryStates> look_back;
};

// Warp w of all makes the stretches from w rounds on. Grid: RecombineTiles blocks.
template <class Source>
__global__ void __launch_bounds__(kRecombineWarps *kWarp, 4)
    RecombineKernel(const __grid_constant__ RecombineJob<Source> job) {
    using Warp = typename Source::Warp;
    using Ripple = CarryRipple<kRecombineWarps>;
    struct Shared {
        Ripple::Shared ripple;
        Place at;
        uint32_t generate[kRecombineWarps][kRecombineRounds],
            propagate[kRecombineWarps][kRecombineRounds];  // of lanes, by stretch
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
    const uint64_t first = ((uint64_t)at.tile * kRecombineWarps + warp_of_block) * job.rounds;
    carry_state whole = CARRY_PROPAGATE;
#pragma unroll 1
    for (unsigned r = 0; r < job.rounds; r++) {
        const Warp warp(job.d, 0, (first + r) * Warp::kItems);
        typename Warp::Limbs b;
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

// Stretches of a warp where the caller leaves them open: one until every multiprocessor has blocks,
// then several.
inline unsigned RecombineRounds(uint64_t rn) {
    return rn >= UINT64_C(1) << 20 ? kRecombineRounds : 1;
}

// Limbs of a stretch are the same whatever a coefficient's words.
inline uint64_t RecombineTiles(uint64_t rn, unsigned rounds) {
    static_assert(LimbsWarp<1>::kItems == LimbsWarp<3>::kItems, "up to four words");
    return word_ceil_div(rn, (uint64_t)kRecombineWarps * rounds * LimbsWarp<1>::kItems);
}

// LaunchRecombine enqueues {rp, rn} = the sum of n coefficients that weigh 2^(w i), and the sign.
// stretches: of a warp, 0: by the length.
template <class Source>
result LaunchRecombine(const Source &source, uint64_t *rp, uint64_t rn, uint64_t n, unsigned w,
                       unsigned stretches, const recombine_signs *signs, void *workspace,
                       size_t bytes, cudaStream_t stream) {
    if (bytes < recombine_device_bytes(rn) || rn == 0 || stretches > kRecombineRounds ||
        RecombineTiles(rn, 1) > UINT64_C(1) << DrawCounter::kNumberBits) {
        return RESULT_REFUSED;
    }
    CarryData d = {};
    d.r = rp;
    d.is_signed = true;
    d.w = w;
    d.by_w = word_divisor_of(w);
    d.reciprocal = word_ceil_div(UINT64_C(1) << 32, w);
    d.n = n;
    d.out = d.all = rn;
    d.vectors = (uintptr_t)rp % 16 == 0;
    const unsigned rounds = stretches != 0 ? stretches : RecombineRounds(rn);
    const RecombineJob<Source> job = {d, source, *signs, rounds,
                                      LookBack<CarryStates>::In(workspace)};
    return LaunchEarly(RecombineKernel<Source>, (unsigned)RecombineTiles(rn, rounds),
                       kRecombineWarps * kWarp, 0, stream, job) == cudaSuccess
               ? RESULT_OK
               : RESULT_DEVICE_ERROR;
}

#endif  // BIGINT_RECOMBINE_KERNEL_CUH_
