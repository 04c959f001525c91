// recombine_device.cu: recombine_device.h: carry/'s kernel of limbs, its coefficients computed from
// residues as they are asked for. Includes the rooms' device headers.
#include "bigint/recombine_device.h"

#include "carry/carry_limbs_kernel.cuh"
#include "fft/modular_crt.cuh"
#include "primitives/launch.cuh"

namespace {

constexpr unsigned kWords = 3;

using Warp = LimbsWarp<kWords>;

// ResidueSource: coefficients by remaindering. kAligned: they weigh 2^(64 i), so those of a lane's
// limbs are whole vectors of each plane.
template <bool kAligned>
struct ResidueSource {
    recombine_residues residues;
    recombine_signs signs;
    ModularCrt crt;

    DEVICE carry_state Take(const Warp &warp, uint64_t *, Warp::Limbs &b) const {
        if (warp.first < 0 && Lane() == 0) {
            *signs.r = *signs.a ^ *signs.b;
        }
        if constexpr (kAligned) {
            return warp.TakeBy([&](unsigned bit) { TakeVectors(warp, bit / 64, b); }, b);
        } else {
            const double *x = residues.x + warp.begin;
            const unsigned count = warp.Count();
            return warp.Take(
                [&](unsigned i, uint64_t(&c)[kWords]) {
                    c[0] = c[1] = c[2] = 0;
                    if (i < count) {
                        crt.Coefficient(x[i], x[i + residues.plane], x[i + 2 * residues.plane], c);
                    }
                },
                b);
        }
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

template <bool kAligned>
cudaError_t Run(const CarryData &d, const recombine_residues &residues,
                const recombine_signs &signs, void *workspace, cudaStream_t stream) {
    const ResidueSource<kAligned> source = {residues, signs, MakeModularCrt()};
    return LaunchEarly(CarryLimbsKernel<kWords, ResidueSource<kAligned>>, d.tiles,
                       kLimbsWarps * kWarp, 0, stream, d, source,
                       LookBack<CarryStates>::In(workspace));
}

uint64_t Tiles(uint64_t rn) { return word_ceil_div(rn, kLimbsWarps * LimbsWarp<kWords>::kItems); }

}  // namespace

size_t recombine_device_bytes(uint64_t rn) { return LookBack<CarryStates>::Bytes(Tiles(rn)); }

result recombine_device(uint64_t *rp, uint64_t rn, const recombine_signs *signs,
                        const recombine_residues *residues, void *workspace, size_t bytes,
                        device_stream stream) {
    if (bytes < recombine_device_bytes(rn) || rn == 0 ||
        Tiles(rn) > UINT64_C(1) << DrawCounter::kNumberBits) {
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
    d.tiles = (uint32_t)Tiles(rn);
    const cudaError_t e = d.w == 64 ? Run<true>(d, *residues, *signs, workspace, stream)
                                    : Run<false>(d, *residues, *signs, workspace, stream);
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}

result recombine_device_sign(const recombine_signs *signs, device_stream stream) {
    return LaunchEarly(SignKernel, 1, 1, 0, stream, *signs) == cudaSuccess ? RESULT_OK
                                                                           : RESULT_DEVICE_ERROR;
}
