// recombine_device.cu: recombine_device.h for residues: coefficients computed from them as carry/'s
// warps ask for them. Includes the rooms' device headers.
#include "bigint/recombine_device.h"

#include "bigint/recombine_kernel.cuh"
#include "fft/modular_crt.cuh"

namespace {

constexpr unsigned kWords = 3;

// ResidueSource: coefficients by remaindering. kAligned: they weigh 2^(64 i), so those of a lane's
// limbs are whole vectors of each plane.
template <bool kAligned>
struct ResidueSource {
    using Warp = LimbsWarp<kWords>;

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

__global__ void SignKernel(recombine_signs signs) {
    WaitForKernelBefore();
    *signs.r = *signs.a ^ *signs.b;
}

}  // namespace

size_t recombine_device_bytes(uint64_t rn) {
    return LookBack<CarryStates>::Bytes(RecombineTiles(RecombineStretches(rn)));
}

result recombine_device(uint64_t *rp, uint64_t rn, const recombine_signs *signs,
                        const recombine_residues *residues, void *workspace, size_t bytes,
                        device_stream stream) {
    if (residues->bits > 64 || residues->bits < LimbsWarp<kWords>::Limbs::kLeastClose) {
        return RESULT_REFUSED;
    }
    const auto run = [&](const auto &source) {
        return LaunchRecombine(source, rp, rn, residues->count, residues->bits, residues->stretches,
                               signs, workspace, bytes, stream);
    };
    return residues->bits == 64 ? run(ResidueSource<true>{*residues, MakeModularCrt()})
                                : run(ResidueSource<false>{*residues, MakeModularCrt()});
}

result recombine_device_sign(const recombine_signs *signs, device_stream stream) {
    return LaunchEarly(SignKernel, 1, 1, 0, stream, *signs) == cudaSuccess ? RESULT_OK
                                                                           : RESULT_DEVICE_ERROR;
}
