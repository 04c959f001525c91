// recombine_float.cu: recombine_device.h for reals: coefficients are rounded to integers when
// carry/'s warps read them. Includes recombine_kernel.cuh.
#include <cassert>
#include <cmath>

#include "bigint/device/kernels/recombine_kernel.cuh"
#include "primitives/cuda/warp.cuh"

namespace {

// Largest: the largest of doubles >= 0, compared as bits, which have the same order; not a number
// is above all.
struct Largest {
    using Value = unsigned long long;
    DEVICE static Value Combine(Value a, Value b) { return max(a, b); }
};

// RealSource: coefficients of one word, in two's complement. kMeasured: the round-off is wanted.
template <class Real, bool kMeasured>
struct RealSource {
    using Warp = LimbsWarp<1>;
    static constexpr unsigned kBlocks = 4, kMostBlocks = 4;
    static constexpr bool kBatches = false;

    recombine_reals reals;

    HOST_DEVICE static unsigned StageWords() { return 0; }

    DEVICE carry_state Take(const Warp &warp, unsigned, uint64_t *, Warp::Limbs &b) const {
        const Real *const x = (const Real *)reals.x;
        const unsigned count = warp.Count();
        Largest::Value most = 0;
        const carry_state state = warp.Take(
            [&](unsigned i, uint64_t(&c)[1]) {
                const uint64_t at = warp.begin + i;
                const uint64_t place = at >= reals.points ? 2 * (at - reals.points) + 1
                                                          : 2 * at + (reals.imaginary ? 1 : 0);
                const double v = i < count ? (double)x[place] : 0;
                c[0] = (uint64_t)llrint(v);
                assert(reals.bound == 0.5 || fabs(v - rint(v)) <= reals.bound);
                if (kMeasured) {
                    most = Largest::Combine(most, ToBits(fabs(v - rint(v))));
                }
            },
            b);
        if (kMeasured) {
            most = WarpReduce<Largest>(most);
            if (Lane() == 0) {
                atomicMax((Largest::Value *)reals.roundoff, most);
            }
        }
        return state;
    }
};

template <class Real>
result Recombine(uint64_t *rp, uint64_t rn, const recombine_signs *signs,
                 const recombine_reals &reals, void *workspace, size_t bytes, cudaStream_t stream) {
    const auto run = [&](const auto &source) {
        return LaunchRecombine(source, product_rows_of({rp, nullptr, nullptr, rn, 0, 0}), rn,
                               reals.count, reals.bits, reals.stretches, *signs, workspace, bytes,
                               stream);
    };
    return reals.roundoff != nullptr ? run(RealSource<Real, true>{reals})
                                     : run(RealSource<Real, false>{reals});
}

}  // namespace

result recombine_device_reals(uint64_t *rp, uint64_t rn, const recombine_signs *signs,
                              const recombine_reals *reals, void *workspace, size_t bytes,
                              cuda_stream stream) {
    return (reals->single ? Recombine<float> : Recombine<double>)(rp, rn, signs, *reals, workspace,
                                                                  bytes, stream);
}
