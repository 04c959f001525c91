// scan_sweep.cu: see scan_sweep.h.
#include "bench/primitives/scan_sweep.h"

#include <utility>

#include "primitives/cuda/launch.cuh"
#include "primitives/scan/matrix.cuh"
#include "primitives/scan/monoid.cuh"
#include "primitives/scan/three_kernel.cuh"

namespace {

using M = Sum<uint32_t>;
using ThreeKernel = ScanThreeKernel<M>;

constexpr unsigned kAlphas[] = {1, 3, 5, 7, 9, 11, 13, 15, 17, 18, 21, 25, 33, 41};
static_assert(sizeof kAlphas / sizeof kAlphas[0] == SCAN_SWEEP_ALPHAS, "scan_sweep.h counts them");

// WithAlpha calls f(ScanMatrixOf<M, alpha>()) if there are kernels for that alpha; false otherwise.
template <class F, size_t... kIndex>
bool WithAlphaOf(unsigned alpha, F f, std::index_sequence<kIndex...>) {
    return ((alpha == kAlphas[kIndex] && (f(ScanMatrixOf<M, kAlphas[kIndex]>()), true)) || ...);
}

template <class F>
bool WithAlpha(unsigned alpha, F f) {
    return WithAlphaOf(alpha, f, std::make_index_sequence<SCAN_SWEEP_ALPHAS>());
}

ScanData<M> DataOf(const scan_sweep_job &j) {
    const bool vectors = (uintptr_t)j.in % 16 == 0 && (uintptr_t)j.out % 16 == 0;
    return {j.in, j.out, j.n, j.n, false, vectors};
}

template <unsigned kAlpha>
auto LastKernel(ScanMatrixOf<M, kAlpha>) {
    return ScanSharesKernel<M, kAlpha, false>;
}

template <class K>
unsigned WarpsOf(K kernel, unsigned warps) {
    unsigned blocks = 0;
    int multiprocessors = 0;
    return ResidentBlocks(kernel, warps * kWarp, 0, &blocks) == cudaSuccess &&
                   DeviceAttribute(cudaDevAttrMultiProcessorCount, &multiprocessors) == cudaSuccess
               ? blocks / (unsigned)multiprocessors * warps
               : 0;
}

}  // namespace

size_t scan_sweep_bytes(const scan_sweep_job *job) {
    size_t bytes = 0;
    if (job->n > UINT64_C(1) << 34 || (job->k > 0) == (job->alpha > 0)) {
        return 0;
    }
    if (job->k > 0) {
        return ThreeKernel::WorkspaceBytes(job->n, 1);
    }
    WithAlpha(job->alpha, [&](auto s) { bytes = decltype(s)::WorkspaceBytes(job->n, 1); });
    return bytes;
}

unsigned scan_sweep_warps(const scan_sweep_job *job) {
    if (job->k > 0) {
        return WarpsOf(ScanChunksKernel<M, false>, kChunkWarps);
    }
    unsigned warps = 0;
    WithAlpha(job->alpha, [&](auto s) { warps = WarpsOf(LastKernel(s), kMatrixWarps); });
    return warps;
}

bool scan_sweep_enqueue(void *job, cuda_stream stream) {
    const scan_sweep_job &j = *(const scan_sweep_job *)job;
    const size_t bytes = scan_sweep_bytes(&j);
    if (bytes == 0 || j.workspace_bytes < bytes) {
        return false;
    }
    if (j.n == 0) {
        return true;
    }
    cudaError_t e = cudaSuccess;
    if (j.k > 0) {
        e = ThreeKernel::Scan(DataOf(j), (uint32_t *)j.workspace, 1, j.k, stream);
    } else {
        WithAlpha(j.alpha, [&](auto s) { e = decltype(s)::Run(DataOf(j), j.workspace, stream); });
    }
    return e == cudaSuccess;
}
