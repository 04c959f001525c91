// powm_digits.cu: powm_device.h: powers in digits of 52 bits. Includes digit_rings.cuh, launch.cuh
// and powers_modulo.cuh.
//
// With m = o 2^k, o odd, one kernel computes x = a^e mod o in Montgomery form. The other one, which
// has nothing to do where k = 0, computes y = a^e modulo a power of 2 and joins the two:
// r = x + o ((y - x) / o mod 2^k). Each group of lanes takes one power after the other.
#include "primitives/residues/powm_device.h"

#include "primitives/cuda/launch.cuh"
#include "primitives/residues/digit_rings.cuh"
#include "primitives/residues/powers_modulo.cuh"

namespace {

constexpr unsigned kThreads = POWM_DEVICE_THREADS;
template <unsigned kEach>
constexpr unsigned kBlocks = kEach == POWM_DEVICE_EACH_FEW    ? POWM_DEVICE_BLOCKS_FEW
                             : kEach == POWM_DEVICE_EACH_SOME ? POWM_DEVICE_BLOCKS_SOME
                                                              : POWM_DEVICE_BLOCKS;

using namespace powm;

// --- Kernels -------------------------------------------------------------------------------------

// OwnDoubles: of a group's shared memory.
template <class Ring>
HOST_DEVICE unsigned OwnDoubles(const powm_device_plan &plan) {
    return Ring::kHalves ? SquareDoubles(plan.each) : plan.each * plan.lanes | 1;
}

// ForEach: all powers; with kHalves groups are one lane, as compilers see.
template <class Ring, class F>
DEVICE void ForEach(const Job &job, F one) {
    ForEachGroup<kThreads>(Ring::kHalves ? 1 : job.plan.lanes, OwnDoubles<Ring>(job.plan),
                           job.batch.count, one);
}

template <class Ring>
__global__ void __launch_bounds__(kThreads, kBlocks<Ring::kEach>)
    PowmOddKernel(const __grid_constant__ Job job) {
    ForEach<Ring>(job, [&](uint64_t i, bool real, LaneGroup group, double *own, uint64_t slot) {
        OddPower(OddPowers<Ring>(job, group, own, slot), i, real);
    });
}

template <class Ring>
__global__ void __launch_bounds__(kThreads, POWM_DEVICE_BLOCKS)
    PowmEvenKernel(const __grid_constant__ Job job) {
    ForEach<Ring>(job, [&](uint64_t i, bool real, LaneGroup group, double *own, uint64_t slot) {
        EvenPower(LowPowers<Ring>(job, group, own, slot), i, real);
    });
}

template <class Ring>
result RunKernel(void (*kernel)(Job), const Job &job, cudaStream_t stream) {
    const size_t bytes = numbers_device_groups(job.plan.lanes, kThreads) * sizeof(double) *
                         OwnDoubles<Ring>(job.plan);
    cudaError_t e = AllowShared(kernel, bytes);
    if (e == cudaSuccess) {
        e = Launch(kernel, job.plan.blocks, kThreads, bytes, stream, job);
    }
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}

template <class Ring>
result RunOdd(const Job &job, cudaStream_t stream) {
    return RunKernel<Ring>(PowmOddKernel<Ring>, job, stream);
}

template <unsigned kEach>
result Run(const Job &job, cudaStream_t stream) {
    using One = OddRing<kEach, (kEach > POWM_DEVICE_EACH_FEW)>;
    const result odd =
        job.plan.lanes == 1 ? RunOdd<One>(job, stream) : RunOdd<OddRing<kEach>>(job, stream);
    return odd == RESULT_OK ? RunKernel<LowRing<kEach>>(PowmEvenKernel<LowRing<kEach>>, job, stream)
                            : odd;
}

}  // namespace

result powm_device(const powm_device_plan *plan, const powm_device_batch *batch, void *workspace,
                   cuda_stream stream) {
    const Job job = {*plan, *batch, workspace};
    if (plan->tiles > 0) {
        return TiledPowers(job, stream);
    }
    return WithDigits(plan->each,
                      [&](auto each) { return Run<decltype(each)::kEach>(job, stream); });
}
