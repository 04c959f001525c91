// recombine_device.cu: recombine_device.h: carry/'s kernel of limbs, its coefficients computed from
// residues as they are asked for. Includes the rooms' device headers.
#include "bigint/recombine_device.h"

#include "carry/carry_limbs_kernel.cuh"
#include "fft/modular_crt.cuh"
#include "primitives/launch.cuh"

namespace {

constexpr unsigned kWords = 3;

struct ResidueSource {
    recombine_residues residues;
    recombine_signs signs;
    ModularCrt crt;

    using Warp = LimbsWarp<kWords>;

    DEVICE carry_state Take(const Warp &warp, uint64_t *, typename Warp::Limbs &b) const {
        if (warp.first < 0 && Lane() == 0) {
            *signs.r = *signs.a ^ *signs.b;
        }
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
};

__global__ void SignKernel(recombine_signs signs) {
    WaitForKernelBefore();
    *signs.r = *signs.a ^ *signs.b;
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
    const ResidueSource source = {*residues, *signs, MakeModularCrt()};
    const cudaError_t e =
        LaunchEarly(CarryLimbsKernel<kWords, ResidueSource>, d.tiles, kLimbsWarps * kWarp, 0,
                    stream, d, source, LookBack<CarryStates>::In(workspace));
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}

result recombine_device_sign(const recombine_signs *signs, device_stream stream) {
    return LaunchEarly(SignKernel, 1, 1, 0, stream, *signs) == cudaSuccess ? RESULT_OK
                                                                           : RESULT_DEVICE_ERROR;
}
