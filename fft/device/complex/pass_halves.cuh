// pass_halves.cuh: the launch that ends a transform of reals of any even length or in any layout,
// or begins its inverse: the formulas of half_spectrum.cuh from memory to memory. Includes both and
// takes the sides of pass_mixed.cuh.
#ifndef FFT_DEVICE_COMPLEX_PASS_HALVES_CUH_
#define FFT_DEVICE_COMPLEX_PASS_HALVES_CUH_

#include "fft/device/complex/half_spectrum.cuh"
#include "fft/device/complex/pass_mixed.cuh"

// Items 0 and m of the reals' frequencies are real: with kBack their imaginary parts are not read.
// The root is within 0.6 u of |w^k|, so that in FP64 a pair errs by less than 5 u. Cost: memory
// read and written once; about 80 operations a pair.
template <class Real, bool kBack>
__global__ void __launch_bounds__(kHalvesThreads) MixedHalvesPassKernel(const MixedHalves job) {
    WaitForKernelBefore();
    const uint64_t i = (uint64_t)blockIdx.x * kHalvesThreads + threadIdx.x;
    if (i >= job.batch * job.half) {
        return;
    }
    uint64_t low;
    const uint64_t high = fft_divide(i, job.around, job.inverse_around, &low);
    const uint64_t b = job.inner ? low : high, k = job.inner ? high : low, m = job.points - k;
    const Real *from = (const Real *)job.in + b * job.from.distance;
    Real *to = (Real *)job.out + b * job.to.distance;
    using Item = Complex<Real>;
    const auto load = [&](uint64_t at) { return LoadItem(from + at * job.from.stride, job.from); };
    const auto store = [&](uint64_t at, Item item) {
        StoreItem(to + at * job.to.stride, job.to, item);
    };
    const Item one = load(k);
    if (k == 0 && kBack) {
        store(0, HalfSpectrumEnds<Real>({one.re, load(m).re}));
    } else if (k == 0) {
        const Item ends = HalfSpectrumEnds(one);
        store(0, {ends.re, 0}), store(m, {ends.im, 0});
    } else {  // its own partner where k is m, and -i w^k is then exactly -1: the same result twice
        const Item w = RootOfAny<Real>(k, 2 * job.points, job.inverse_order);
        const auto pair = HalfSpectrum<kBack>(one, load(m), HalfSpectrumRoot<kBack>(w));
        store(k, pair.low), store(m, pair.high);
    }
}

#endif  // FFT_DEVICE_COMPLEX_PASS_HALVES_CUH_
