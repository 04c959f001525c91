// pass_kernel.cuh: the kernel of one pass, and how many of its blocks a multiprocessor holds.
// Includes the pass.
#ifndef FFT_DEVICE_COMPLEX_PASS_KERNEL_CUH_
#define FFT_DEVICE_COMPLEX_PASS_KERNEL_CUH_

#include "fft/device/complex/pass_complex.cuh"

// How many blocks a multiprocessor is to hold: as many as leave each thread registers for its
// items, for the loads of several, and for addresses. Found by trial on an H200.
template <class Real, class Shape>
constexpr unsigned PassBlocks() {
    constexpr size_t kBytes = sizeof(Complex<Real>) << Shape::kP;  // of a thread's items
    constexpr unsigned kRegisters = kBytes > 128                             ? 128
                                    : kBytes == 128 && sizeof(Real) == 8     ? 64
                                    : kBytes == 128 && Shape::kThreads < 512 ? 80
                                    : kBytes == 128                          ? 64
                                                                             : 48;
    // Less than a warp is a single problem, alone.
    return Shape::kThreads < kWarp ? 1 : 65536 / (kRegisters * Shape::kThreads);
}

// The mail of a block, opened, in clusters; elsewhere there is none.
template <class P>
DEVICE ClusterMail *PassMail() {
    if constexpr (P::kRanks > 0) {
        SHARED(ClusterMail, mail);
        ClusterMailOpen(&mail, P::Shape::kThreads, P::kComing);
        return &mail;
    } else {
        return nullptr;
    }
}

// One block for each tile of 2^x lines.
template <class Real, unsigned kNodes, unsigned kS, unsigned kMode>
__global__ void __launch_bounds__(PassShape<kNodes, kS, kMode>::kThreads,
                                  (PassBlocks<Real, PassShape<kNodes, kS, kMode>>()))
    PassKernel(const PassJob job) {
    using P = Pass<Real, kNodes, kS, kMode>;
    DYNAMIC_SHARED(Complex<Real>, shared);
    constexpr unsigned kG = P::Shape::kG, kLocal = P::Shape::kLocal;
    ClusterMail *const mail = PassMail<P>();
    unsigned rank = 0;
    if constexpr (kG > 0) {
        rank = ClusterRank();
        ClusterArriveShared();
    }
    P pass = {{shared, threadIdx.x + rank * P::Shape::kThreads, {}},
              job,
              shared + ((size_t)1 << kLocal),
              shared + ((size_t)1 << kLocal) + (P::kItems << P::Shape::kX),
              (uint64_t)(blockIdx.x >> kG) << P::Shape::kX,
              rank,
              mail};
    pass.Run();
}

#endif  // FFT_DEVICE_COMPLEX_PASS_KERNEL_CUH_
