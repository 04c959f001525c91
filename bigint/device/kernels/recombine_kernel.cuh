// recombine_kernel.cuh: the kernel from coefficients to limbs and a sign, for any source of
// coefficients that carry/'s warps read. Includes carry/limbs_warp.cuh and launches.
//
// A source is the kernel's argument. It names its Warp, a LimbsWarp with as many words as its
// coefficients have, and kBlocks and kMostBlocks, blocks of a multiprocessor. Take(warp, product,
// stage, limbs) computes a lane's limbs of a batch's product and returns their effect on a carry.
// It uses StageWords() words of shared memory that belong to the warp. kBatches: there are products
// other than number 0.
//
// A warp computes several stretches of limbs, one after the other, and stores them as if no carry
// entered. Then carries ripple through the block and by look-back, and lanes that a carry enters
// add it to the stored limbs. That is rare: what enters a lane from below has fewer words than the
// lane has limbs, so a lane carries out only if its highest limb is all ones. Lanes of zeros are
// such lanes, because they are biased. So one wait for the number of a block's tile and one for the
// carry into it serve 8000 limbs. Proof: docs/proofs/modular_device.md, section 9.
#ifndef BIGINT_DEVICE_KERNELS_RECOMBINE_KERNEL_CUH_
#define BIGINT_DEVICE_KERNELS_RECOMBINE_KERNEL_CUH_

#include "bigint/device/kernels/product_rows.cuh"
#include "bigint/device/kernels/recombine_device.h"
#include "carry/limbs_warp.cuh"
#include "primitives/cuda/launch.cuh"

// Of a block, a warp.
constexpr unsigned kRecombineWarps = 8, kRecombineRounds = 8;

// RecombineShares: of a product. Each warp makes `each` stretches, the first `more` warps one more;
// at most kRecombineRounds.
struct RecombineShares {
    unsigned blocks, each, more;
};

// signs: of a single product; r is NULL for a batch. d: of product 0 of rows.
template <class Source>
struct RecombineJob {
    CarryData d;
    product_rows rows;
    Source source;
    recombine_signs signs;
    RecombineShares shares;
    LookBack<CarryStates> look_back;

    // The same of a product. kBatches: of any.
    template <bool kBatches>
    DEVICE decltype(auto) DataOf(unsigned product) const {
        if constexpr (kBatches) {
            const product_item item = ProductItem(rows, product);
            CarryData own = d;
            own.r = item.r;
            own.out = own.all = item.rn;
            own.vectors = (uintptr_t)item.r % 16 == 0;
            return own;
        } else {
            return (d);
        }
    }
};

// Whether the kernel with so many blocks takes batches: the one with the most has no registers for
// them.
template <class Source, unsigned kBlocks>
constexpr bool kRecombineBatches = Source::kBatches &&kBlocks == Source::kBlocks;

// Warps make stretches in their order. Tiles in the order of drawing are a product's, then the
// next one's; at a product's first tile nothing enters, so no tile waits for another product's.
template <class Source, unsigned kBlocks>
__global__ void __launch_bounds__(kRecombineWarps *kWarp, kBlocks)
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
    DYNAMIC_SHARED(uint64_t, stage);
    if (threadIdx.x == 0) {  // before the wait: see recombine_device.h on the workspace
        s.at = job.look_back.counter->Draw(gridDim.x);
    }
    WaitForKernelBefore();
    __syncthreads();
    const Place at = s.at;
    if (at.tile == 0 && threadIdx.x == 0 && job.signs.r != nullptr) {
        *job.signs.r = *job.signs.a ^ *job.signs.b;
    }
    constexpr bool kBatches = kRecombineBatches<Source, kBlocks>;
    const unsigned product = kBatches ? at.tile / job.shares.blocks : 0;
    const unsigned number = kBatches ? at.tile % job.shares.blocks : at.tile;
    const CarryData &d = job.template DataOf<kBatches>(product);
    const unsigned warp_of_block = threadIdx.x / kWarp;
    const uint64_t warp_of_all = (uint64_t)number * kRecombineWarps + warp_of_block;
    const bool one_more = warp_of_all < job.shares.more;
    const uint64_t first =
        warp_of_all * job.shares.each + (one_more ? warp_of_all : job.shares.more);
    const unsigned rounds = job.shares.each + (one_more ? 1 : 0);
    carry_state whole = CARRY_PROPAGATE;
#pragma unroll 1
    for (unsigned r = 0; r < rounds; r++) {
        const Warp warp(d, 0, (first + r) * Warp::kItems);
        typename Warp::Limbs b;
        uint32_t generate, propagate;
        uint64_t *const own = stage + warp_of_block * job.source.StageWords();
        Ripple::Ballot(job.source.Take(warp, product, own, b), &generate, &propagate);
        warp.Store(b);
        if (Lane() == 0) {
            s.generate[warp_of_block][r] = generate;
            s.propagate[warp_of_block][r] = propagate;
        }
        whole = carry_compose(whole, StateOf(generate, propagate));
    }
    LetKernelAfterBegin();
    Ripple ripple;
    const carry_state tile = ripple.TileOfWarps(whole, s.ripple);
    const unsigned into_tile = Ripple::Before(job.look_back, at, tile, number == 0);
    unsigned into = ripple.IntoWarp(into_tile, s.ripple);
    for (unsigned r = 0; r < rounds; r++) {
        const uint64_t carries =
            CarriesInto(s.generate[warp_of_block][r], s.propagate[warp_of_block][r], into);
        if ((carries >> Lane() & 1) != 0) {
            Warp(d, 0, (first + r) * Warp::kItems).AddCarry();
        }
        into = (unsigned)(carries >> kWarp) & 1;
    }
}

inline uint64_t RecombineStretches(uint64_t rn, unsigned items) {
    return word_ceil_div(rn, (uint64_t)items);
}
inline uint64_t RecombineTiles(uint64_t stretches) {
    return word_ceil_div(stretches, (uint64_t)kRecombineWarps);
}

// RecombineSharesOf: `each` stretches for every warp. 0: as few as fill all multiprocessors a whole
// number of times, because one block more would take as long as a whole round. places: of blocks.
inline RecombineShares RecombineSharesOf(uint64_t stretches, unsigned each, unsigned places) {
    if (each != 0) {
        return {(unsigned)RecombineTiles(word_ceil_div(stretches, (uint64_t)each)), each, 0};
    }
    const uint64_t wave = (uint64_t)places * kRecombineWarps;
    if (stretches <= wave) {
        return {(unsigned)RecombineTiles(stretches), 1, 0};
    }
    const uint64_t warps = wave * word_ceil_div(stretches, wave * kRecombineRounds);
    return {(unsigned)(warps / kRecombineWarps), (unsigned)(stretches / warps),
            (unsigned)(stretches % warps)};
}

// RecombineBytes: the workspace of `count` products of rn limbs, in stretches of `items`.
inline size_t RecombineBytes(uint64_t rn, unsigned items, uint64_t count) {
    return LookBack<CarryStates>::Bytes(count * RecombineTiles(RecombineStretches(rn, items)));
}

// LaunchRecombine enqueues each product of `rows`, up to rn limbs, as the sum of n coefficients
// that weigh 2^(w i), and the sign. each: stretches of a warp, 0: by the length.
template <class Source>
result LaunchRecombine(const Source &source, const product_rows &rows, uint64_t rn, uint64_t n,
                       unsigned w, unsigned each, const recombine_signs &signs, void *workspace,
                       size_t bytes, cudaStream_t stream) {
    constexpr uint64_t kMost = UINT64_C(1) << DrawCounter::kNumberBits;
    const uint64_t of_one = RecombineStretches(rn, Source::Warp::kItems), count = rows.count;
    const bool batch = count != 1 || rows.items != nullptr;
    if (rn == 0 || (batch && !Source::kBatches) || each > kRecombineRounds || count == 0 ||
        count > kMost || RecombineTiles(of_one) > kMost / count ||
        bytes < RecombineBytes(rn, Source::Warp::kItems, count)) {
        return RESULT_REFUSED;
    }
    const uint64_t stretches = count * of_one;
    int multiprocessors = 0;
    if (DeviceAttribute(cudaDevAttrMultiProcessorCount, &multiprocessors) != cudaSuccess) {
        return RESULT_DEVICE_ERROR;
    }
    // More blocks have fewer registers each and are slower, but faster than a second round, unless
    // only few warps have that.
    const uint64_t round = (uint64_t)multiprocessors * kRecombineWarps;
    const uint64_t least = stretches - stretches / 16;
    const bool more =
        !batch && least > round * Source::kBlocks && least <= round * Source::kMostBlocks;
    void (*const kernel)(RecombineJob<Source>) = more ? RecombineKernel<Source, Source::kMostBlocks>
                                                      : RecombineKernel<Source, Source::kBlocks>;
    const unsigned places =
        (unsigned)multiprocessors * (more ? Source::kMostBlocks : Source::kBlocks);
    const unsigned of_product = count < places ? places / (unsigned)count : 1;
    CarryData d = {};
    d.r = rows.first.r;
    d.is_signed = true;
    d.w = w;
    d.by_w = word_divisor_of(w);
    d.reciprocal = word_ceil_div(UINT64_C(1) << 32, w);
    d.n = n;
    d.out = d.all = rn;
    d.vectors = (uintptr_t)rows.first.r % 16 == 0;
    const RecombineJob<Source> job = {d,
                                      rows,
                                      source,
                                      signs,
                                      RecombineSharesOf(of_one, each, of_product),
                                      LookBack<CarryStates>::In(workspace)};
    const unsigned grid = job.shares.blocks * (unsigned)count;
    const size_t stage = kRecombineWarps * sizeof(uint64_t) * source.StageWords();
    cudaError_t e = stage == 0 ? cudaSuccess : AllowShared(kernel, stage);
    if (e == cudaSuccess) {
        e = LaunchEarly(kernel, grid, kRecombineWarps * kWarp, stage, stream, job);
    }
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}

#endif  // BIGINT_DEVICE_KERNELS_RECOMBINE_KERNEL_CUH_
