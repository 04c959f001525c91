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
constexpr unsigned kBlocks =
    kEach == POWM_DEVICE_EACH ? POWM_DEVICE_BLOCKS : POWM_DEVICE_BLOCKS_FEW;

using namespace powm;

// --- Kernels -------------------------------------------------------------------------------------

// ForEach: all powers; an odd number of doubles of shared memory holds a group's factor.
template <class F>
DEVICE void ForEach(const Job &job, F one) {
    ForEachGroup<kThreads>(job.plan.lanes, job.plan.each * job.plan.lanes | 1, job.batch.count,
                           one);
}

DEVICE bool Negative(const powm_device_batch &b, uint64_t i) {
    return b.negative != nullptr && b.negative[i] != 0;
}

template <unsigned kEach>
__global__ void __launch_bounds__(kThreads, kBlocks<kEach>)
    PowmOddKernel(const __grid_constant__ Job job) {
    ForEach(job, [&](uint64_t i, bool real, LaneGroup group, double *factor, uint64_t slot) {
        const powm_device_batch &b = job.batch;
        OddPowers<kEach> powers(job, group, factor, slot);
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
    ForEach(job, [&](uint64_t i, bool real, LaneGroup group, double *factor, uint64_t slot) {
        const powm_device_batch &b = job.batch;
        LowPowers<kEach> powers(job, group, factor, slot);
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

template <unsigned kEach>
result Run(const Job &job, cudaStream_t stream) {
    const powm_device_plan &plan = job.plan;
    const uint64_t groups = numbers_device_groups(plan.lanes, kThreads);
    const size_t bytes = groups * (kEach * plan.lanes | 1) * sizeof(double);
    cudaError_t e = Launch(PowmOddKernel<kEach>, plan.blocks, kThreads, bytes, stream, job);
    if (e == cudaSuccess) {
        e = Launch(PowmEvenKernel<kEach>, plan.blocks, kThreads, bytes, stream, job);
    }
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}

}  // namespace

result powm_device(const powm_device_plan *plan, const powm_device_batch *batch, void *workspace,
                   device_stream stream) {
    const Job job = {*plan, *batch, (double *)workspace};
    return plan->each == POWM_DEVICE_EACH ? Run<POWM_DEVICE_EACH>(job, stream)
                                          : Run<POWM_DEVICE_EACH_FEW>(job, stream);
}
