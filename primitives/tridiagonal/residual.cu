// residual.cu: see residual.h. A thread a row, twice: the largest unknown of
// each system, then the largest residual of a row. Largest values meet in one word of each system,
// so the order of threads does not matter.
#include "primitives/tridiagonal/residual.h"

#include "primitives/cuda/launch.cuh"
#include "primitives/cuda/warp.cuh"
#include "primitives/tridiagonal/kernels.cuh"
#include "primitives/words/twofold.h"

namespace {

constexpr unsigned kResidualThreads = 256;

// The thread's row. Threads behind the last row repeat it, which changes no largest value.
struct RowPlace {
    uint64_t system, row;

    template <class T>
    DEVICE static RowPlace Of(const TridiagonalData<T> &m) {
        const uint64_t thread = (uint64_t)blockIdx.x * kResidualThreads + threadIdx.x;
        const uint64_t last = m.n * m.batch - 1, i = thread < last ? thread : last;
        // Neighbours in memory are neighbouring threads.
        return m.row_stride > m.system_stride ? RowPlace{i % m.batch, i / m.batch}
                                              : RowPlace{i / m.n, i % m.n};
    }
};

DEVICE bool IsFinite(double v) { return v - v == 0; }

// largest[system] becomes at least `value`, which is not negative: then doubles are ordered like
// their bits. Called by full warps. Lanes of one system agree first.
DEVICE void KeepLargest(double *largest, uint64_t system, double value) {
    unsigned long long bits = ToBits(value);
    auto *const word = (unsigned long long *)(largest + system);
    const uint64_t first = __shfl_sync(kAllLanes, (unsigned long long)system, 0, (int)kWarp);
    if (__all_sync(kAllLanes, first == system)) {
        for (unsigned by = 1; by < kWarp; by *= 2) {
            const unsigned long long other = ShuffleXor(bits, by);
            bits = other > bits ? other : bits;
        }
        if (Lane() == 0) {
            atomicMax(word, bits);
        }
    } else {
        atomicMax(word, bits);
    }
}

template <class T>
__global__ void __launch_bounds__(kResidualThreads)
    UnknownsKernel(double *largest, const TridiagonalData<T> m) {
    const RowPlace at = RowPlace::Of(m);
    const double size = fabs((double)m.x[m.At(at.system, at.row)]);
    KeepLargest(largest, at.system, IsFinite(size) ? size : (double)INFINITY);
}

template <class T>
__global__ void __launch_bounds__(kResidualThreads)
    ResidualsKernel(double *residual, const double *largest, const TridiagonalData<T> m) {
    using Number = Twofold<T>;
    const RowPlace at = RowPlace::Of(m);
    const Row<T> row = m.Load(at.system, at.row);
    const T x = m.x[m.At(at.system, at.row)];
    const T lower = at.row > 0 ? m.x[m.At(at.system, at.row - 1)] : (T)0;
    const T upper = at.row + 1 < m.n ? m.x[m.At(at.system, at.row + 1)] : (T)0;
    Number r = fma(-Number(row.b), Number(x), Number(row.d));
    r = fma(-Number(row.a), Number(lower), r);
    r = fma(-Number(row.c), Number(upper), r);
    const double element =
        fmax(fabs((double)row.a), fmax(fabs((double)row.b), fabs((double)row.c)));
    const double size = element * largest[at.system] + fabs((double)row.d);
    const double share = size > 0 ? fabs(r) / size : 0;
    const bool known = IsFinite(size) && IsFinite(share) && size >= 0;
    KeepLargest(residual, at.system, known ? share : (double)INFINITY);
}

template <class T>
cudaError_t Enqueue(double *residual, const TridiagonalData<T> &m, cudaStream_t stream) {
    const uint64_t blocks = (m.n * m.batch + kResidualThreads - 1) / kResidualThreads;
    double *const largest = residual + m.batch;
    const cudaError_t e =
        Launch(UnknownsKernel<T>, (unsigned)blocks, kResidualThreads, 0, stream, largest, m);
    return e != cudaSuccess ? e
                            : Launch(ResidualsKernel<T>, (unsigned)blocks, kResidualThreads, 0,
                                     stream, residual, (const double *)largest, m);
}

template <class T>
TridiagonalData<T> SolvedBy(const tridiagonal_job &job, const void *a, const void *b, const void *c,
                            const void *d, const void *x) {
    T *const unknowns = (T *)x;  // which kernels here read
    return {(const T *)a, (const T *)b, (const T *)c, (const T *)d,   unknowns,
            nullptr,      job.n,        job.batch,    job.row_stride, job.system_stride};
}

}  // namespace

result tridiagonal_residual(const tridiagonal_job *job, const void *a, const void *b, const void *c,
                            const void *d, const void *x, double *residual, cuda_stream stream) {
    tridiagonal_plan plan;
    if (!tridiagonal_make_plan(&plan, job, TRIDIAGONAL_THOMAS)) {  // which takes every valid job
        return RESULT_REFUSED;
    }
    if (job->batch == 0) {
        return RESULT_OK;
    }
    cudaError_t e = cudaMemsetAsync(residual, 0, 2 * job->batch * sizeof(double), stream);
    if (e == cudaSuccess && job->n > 0) {
        if (job->type == TRIDIAGONAL_F32) {
            e = Enqueue(residual, SolvedBy<float>(*job, a, b, c, d, x), stream);
        } else {
            e = Enqueue(residual, SolvedBy<double>(*job, a, b, c, d, x), stream);
        }
    }
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}
