// pass_mixed_entries.cu: the kernels of pass_mixed.h, for both types of items. Includes the
// kernels.
#include "fft/device/complex/pass_mixed.cuh"

#include "fft/device/complex/pass_halves.cuh"

MixedKernel *MixedPassKernelOf(bool f64, unsigned most) {
    if (most == 8) {
        return f64 ? MixedPassKernel<double, 8> : MixedPassKernel<float, 8>;
    }
    return f64 ? MixedPassKernel<double, 16> : MixedPassKernel<float, 16>;
}

MixedKernel *MixedTablesKernelOf(bool f64) {
    return f64 ? MixedTablesKernel<double> : MixedTablesKernel<float>;
}

MixedHalvesKernel *MixedHalvesKernelOf(bool f64, bool back) {
    if (back) {
        return f64 ? MixedHalvesPassKernel<double, true> : MixedHalvesPassKernel<float, true>;
    }
    return f64 ? MixedHalvesPassKernel<double, false> : MixedHalvesPassKernel<float, false>;
}
