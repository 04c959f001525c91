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

// The unknowns of other portions, which the first and last row know; NULL where there are none.
template <class T>
struct Edges {
    const T *before, *behind;  // two elements for each system
};

template <class T>
__global__ void __launch_bounds__(kResidualThreads)
    ResidualsKernel(double *residual, const double *largest, const TridiagonalData<T> m,
                    const Edges<T> edges) {
    using Number = Twofold<T>;
    const RowPlace at = RowPlace::Of(m);
    Row<T> row = m.Load(at.system, at.row);
    const T x = m.x[m.At(at.system, at.row)];
    T lower = 0, upper = 0;
    if (at.row > 0) {
        lower = m.x[m.At(at.system, at.row - 1)];
    } else if (edges.before != nullptr) {
        row.a = m.a[m.At(at.system, at.row)];
        lower = edges.before[2 * at.system];
    }
    if (at.row + 1 < m.n) {
        upper = m.x[m.At(at.system, at.row + 1)];
    } else if (edges.behind != nullptr) {
        row.c = m.c[m.At(at.system, at.row)];
        upper = edges.behind[2 * at.system];
    }
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
unsigned BlocksOf(const TridiagonalData<T> &m) {
    return (unsigned)((m.n * m.batch + kResidualThreads - 1) / kResidualThreads);
}

template <class T>
cudaError_t Unknowns(const TridiagonalData<T> &m, double *largest, cudaStream_t stream) {
    return Launch(UnknownsKernel<T>, BlocksOf(m), kResidualThreads, 0, stream, largest, m);
}

template <class T>
cudaError_t Residuals(const TridiagonalData<T> &m, const tridiagonal_edges &edges,
                      const double *largest, double *residual, cudaStream_t stream) {
    const T *const neighbours = (const T *)edges.neighbours;
    const Edges<T> own = {edges.before ? neighbours : nullptr,
                          edges.behind ? neighbours + 1 : nullptr};
    return Launch(ResidualsKernel<T>, BlocksOf(m), kResidualThreads, 0, stream, residual, largest,
                  m, own);
}

template <class T>
TridiagonalData<T> SolvedBy(const tridiagonal_job &job, const void *a, const void *b, const void *c,
                            const void *d, const void *x) {
    T *const unknowns = (T *)x;  // which kernels here read
    return {(const T *)a, (const T *)b, (const T *)c, (const T *)d,   unknowns,
            nullptr,      job.n,        job.batch,    job.row_stride, job.system_stride};
}

// f(the systems), if there are rows.
template <class F>
cudaError_t WithSystems(const tridiagonal_job &job, const void *a, const void *b, const void *c,
                        const void *d, const void *x, F f) {
    if (job.n == 0 || job.batch == 0) {
        return cudaSuccess;
    }
    return job.type == TRIDIAGONAL_F32 ? f(SolvedBy<float>(job, a, b, c, d, x))
                                       : f(SolvedBy<double>(job, a, b, c, d, x));
}

// Whether tridiagonal.h takes the job: then thomas does.
bool Valid(const tridiagonal_job *job) {
    tridiagonal_plan plan;
    return tridiagonal_make_plan(&plan, job, TRIDIAGONAL_THOMAS);
}

// Largest values begin as zeros.
cudaError_t Clear(double *values, uint64_t count, cudaStream_t stream) {
    return count == 0 ? cudaSuccess : cudaMemsetAsync(values, 0, count * sizeof(double), stream);
}

result Answer(cudaError_t e) { return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR; }

}  // namespace

result tridiagonal_unknowns(const tridiagonal_job *job, const void *x, double *largest,
                            cuda_stream stream) {
    if (!Valid(job)) {
        return RESULT_REFUSED;
    }
    cudaError_t e = Clear(largest, job->batch, stream);
    if (e == cudaSuccess) {
        e = WithSystems(*job, x, x, x, x, x,
                        [&](const auto &m) { return Unknowns(m, largest, stream); });
    }
    return Answer(e);
}

result tridiagonal_residuals(const tridiagonal_job *job, const void *a, const void *b,
                             const void *c, const void *d, const void *x,
                             const tridiagonal_edges *edges, const double *largest,
                             double *residual, cuda_stream stream) {
    if (!Valid(job)) {
        return RESULT_REFUSED;
    }
    cudaError_t e = Clear(residual, job->batch, stream);
    if (e == cudaSuccess) {
        e = WithSystems(*job, a, b, c, d, x, [&](const auto &m) {
            return Residuals(m, *edges, largest, residual, stream);
        });
    }
    return Answer(e);
}

result tridiagonal_residual(const tridiagonal_job *job, const void *a, const void *b, const void *c,
                            const void *d, const void *x, double *residual, cuda_stream stream) {
    if (!Valid(job)) {
        return RESULT_REFUSED;
    }
    const tridiagonal_edges none = {false, false, nullptr};
    double *const largest = residual + job->batch;
    cudaError_t e = Clear(residual, 2 * job->batch, stream);
    if (e == cudaSuccess) {
        e = WithSystems(*job, a, b, c, d, x, [&](const auto &m) {
            const cudaError_t first = Unknowns(m, largest, stream);
            return first == cudaSuccess ? Residuals(m, none, largest, residual, stream) : first;
        });
    }
    return Answer(e);
}
