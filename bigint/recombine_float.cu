// recombine_float.cu: recombine_device.h for reals: coefficients rounded to integers as carry/'s
// warps ask for them. Includes the kernel.
#include <cmath>

#include "bigint/recombine_kernel.cuh"

namespace {

// RealSource: coefficients of one word, in two's complement.
template <class Real>
struct RealSource {
    using Warp = LimbsWarp<1>;
    static constexpr unsigned kBlocks = 4;

    recombine_reals reals;

    HOST_DEVICE static unsigned StageWords() { return 0; }

    DEVICE carry_state Take(const Warp &warp, uint64_t *, Warp::Limbs &b) const {
        const Real *const x = (const Real *)reals.x;
        const unsigned count = warp.Count();
        return warp.Take(
            [&](unsigned i, uint64_t(&c)[1]) {
                const uint64_t at = warp.begin + i;
                const uint64_t place = at >= reals.points ? 2 * (at - reals.points) + 1
                                                          : 2 * at + (reals.imaginary ? 1 : 0);
                c[0] = i < count ? (uint64_t)llrint((double)x[place]) : 0;
            },
            b);
    }
};

}  // namespace

result recombine_device_reals(uint64_t *rp, uint64_t rn, const recombine_signs *signs,
                              const recombine_reals *reals, void *workspace, size_t bytes,
                              device_stream stream) {
    const auto run = [&](const auto &source) {
        return LaunchRecombine(source, rp, rn, reals->count, reals->bits, reals->stretches, signs,
                               workspace, bytes, stream);
    };
    return reals->single ? run(RealSource<float>{*reals}) : run(RealSource<double>{*reals});
}
