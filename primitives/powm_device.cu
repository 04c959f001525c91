// powm_device.cu: powm_device.h. Includes launch.cuh and powers.cuh.
//
// With m = o 2^k, o odd, one kernel computes x = a^e mod o in Montgomery form. The other one, which
// has nothing to do where k = 0, computes y = a^e modulo a power of 2 and joins the two:
// r = x + o ((y - x) / o mod 2^k). Each group of lanes takes one power after the other.
#include "primitives/powm_device.h"

#include "primitives/launch.cuh"
#include "primitives/powers.cuh"

namespace {

constexpr unsigned kThreads = POWM_DEVICE_THREADS;
template <unsigned kEach>
constexpr unsigned kBlocks = kEach == POWM_DEVICE_EACH_FEW    ? POWM_DEVICE_BLOCKS_FEW
                             : kEach == POWM_DEVICE_EACH_SOME ? POWM_DEVICE_BLOCKS_SOME
                                                              : POWM_DEVICE_BLOCKS;

using namespace powm;

// OwnDoubles: of a group's shared memory.
template <bool kHalves>
HOST_DEVICE unsigned OwnDoubles(const powm_device_plan &plan) {
    return kHalves ? SquareDoubles(plan.each) : plan.each * plan.lanes | 1;
}

// --- Kernels -------------------------------------------------------------------------------------

// ForEach: all powers; with kHalves groups are one lane, as compilers see.
template <bool kHalves, class F>
DEVICE void ForEach(const Job &job, F one) {
    ForEachGroup<kThreads>(kHalves ? 1 : job.plan.lanes, OwnDoubles<kHalves>(job.plan),
                           job.batch.count, one);
}

DEVICE bool Negative(const powm_device_batch &b, uint64_t i) {
    return b.negative != nullptr && b.negative[i] != 0;
}

template <unsigned kEach, bool kHalves>
__global__ void __launch_bounds__(kThreads, kBlocks<kEach>)
    PowmOddKernel(const __grid_constant__ Job job) {
    using Kind = OddPowers<kEach, kHalves>;
    ForEach<kHalves>(job, [&](uint64_t i, bool real, LaneGroup group, double *own, uint64_t slot) {
        const powm_device_batch &b = job.batch;
        Kind powers(job, group, own, slot);
        const Number m(b.modulus, i);
        const Parts parts = PartsOf(powers.ring, m);
        powers.SetModulus(m, parts);
        double r[kEach];
        powers.Raise(r, Number(b.base, i), Negative(b, i), Number(b.exponent, i), parts.bits);
        powers.Store(Number(b.r, i), r, real);
    });
}

template <unsigned kEach>
__global__ void __launch_bounds__(kThreads, POWM_DEVICE_BLOCKS)
    PowmEvenKernel(const __grid_constant__ Job job) {
    using Kind = LowPowers<kEach>;
    ForEach<false>(job, [&](uint64_t i, bool real, LaneGroup group, double *own, uint64_t slot) {
        const powm_device_batch &b = job.batch;
        Kind powers(job, group, own, slot);
        const Number m(b.modulus, i), result(b.r, i);
        const Parts parts = PartsOf(powers.ring, m);
        if (!__any_sync(kAllLanes, parts.twos > 0)) {
            return;
        }
        double r[kEach];
        powers.Raise(r, Number(b.base, i), Negative(b, i), Number(b.exponent, i));
        powers.Join(r, result, m, parts.twos);
        powers.Store(result, r, real && parts.twos > 0);
    });
}

template <bool kHalves>
result RunKernel(void (*kernel)(Job), const Job &job, cudaStream_t stream) {
    const size_t bytes = numbers_device_groups(job.plan.lanes, kThreads) * sizeof(double) *
                         OwnDoubles<kHalves>(job.plan);
    cudaError_t e = AllowShared(kernel, bytes);
    if (e == cudaSuccess) {
        e = Launch(kernel, job.plan.blocks, kThreads, bytes, stream, job);
    }
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}

template <unsigned kEach>
result Run(const Job &job, cudaStream_t stream) {
    constexpr bool kHalves = kEach > POWM_DEVICE_EACH_FEW;
    const result odd = job.plan.lanes == 1
                           ? RunKernel<kHalves>(PowmOddKernel<kEach, kHalves>, job, stream)
                           : RunKernel<false>(PowmOddKernel<kEach, false>, job, stream);
    return odd == RESULT_OK ? RunKernel<false>(PowmEvenKernel<kEach>, job, stream) : odd;
}

}  // namespace

result powm_device(const powm_device_plan *plan, const powm_device_batch *batch, void *workspace,
                   device_stream stream) {
    const Job job = {*plan, *batch, (double *)workspace};
    return WithDigits(plan->each,
                      [&](auto each) { return Run<decltype(each)::kEach>(job, stream); });
}
