// naive.cu: see naive.h.
#include "bench/tridiagonal/naive.h"

#include "primitives/cuda/launch.cuh"
#include "primitives/tridiagonal/redundant.cuh"
#include "primitives/tridiagonal/row.cuh"

namespace {

constexpr unsigned kThreads = 256;

// The systems of a job, and what has become of their rows: row i of system s at s n + i.
template <class T>
struct Systems {
    const T *a, *b, *c, *d;
    T *x;
    uint64_t n, batch;
    Row<T> *rows, *next;
};

// The calling thread's row among those at first, first + step, ... of each system; false if it has
// none. `at` counts from 0 through all systems.
template <class T>
DEVICE bool Mine(const Systems<T> &s, uint64_t first, uint64_t step, uint64_t *i, uint64_t *at) {
    const uint64_t each = s.n > first ? (s.n - first - 1) / step + 1 : 0;
    const uint64_t t = (uint64_t)blockIdx.x * kThreads + threadIdx.x;
    if (t >= each * s.batch) {
        return false;
    }
    *i = first + t % each * step;
    *at = t / each * s.n + *i;
    return true;
}

template <class T>
__global__ void CopyKernel(const Systems<T> s) {
    uint64_t i, at;
    if (Mine(s, 0, 1, &i, &at)) {
        s.rows[at] = {i > 0 ? s.a[at] : 0, s.b[at], i + 1 < s.n ? s.c[at] : 0, s.d[at]};
    }
}

// Rows at odd multiples of u, less one, are eliminated from those at even ones.
template <class T>
__global__ void ReduceKernel(const Systems<T> s, uint64_t u) {
    uint64_t i, at;
    if (Mine(s, 2 * u - 1, 2 * u, &i, &at)) {
        const Row<T> higher = i + u < s.n ? s.rows[at + u] : NoRow<T>();
        s.rows[at] = Between(s.rows[at - u], s.rows[at], higher);
    }
}

template <class T>
__global__ void SubstituteKernel(const Systems<T> s, uint64_t u) {
    uint64_t i, at;
    if (Mine(s, u - 1, 2 * u, &i, &at)) {
        s.x[at] = Unknown(s.rows[at], i >= u ? s.x[at - u] : 0, i + u < s.n ? s.x[at + u] : 0);
    }
}

// Every row loses its neighbours u away and knows those 2 u away then.
template <class T>
__global__ void ReduceAllKernel(const Systems<T> s, uint64_t u) {
    uint64_t i, at;
    if (Mine(s, 0, 1, &i, &at)) {
        const Row<T> lower = i >= u ? s.rows[at - u] : NoRow<T>();
        const Row<T> higher = i + u < s.n ? s.rows[at + u] : NoRow<T>();
        s.next[at] = Between(lower, s.rows[at], higher);
    }
}

template <class T>
__global__ void DivideKernel(const Systems<T> s) {
    uint64_t i, at;
    if (Mine(s, 0, 1, &i, &at)) {
        s.x[at] = s.rows[at].d / s.rows[at].b;
    }
}

// Items of the right half of each group take the last one of the left half: their inner rows are in
// rows, their outer ones in next.
template <class T>
__global__ void RedundantKernel(const Systems<T> s, uint64_t half) {
    uint64_t i, at;
    if (Mine(s, 0, 1, &i, &at) && (i & half) != 0) {
        const uint64_t left = at - i % half - 1;
        const RedundantItem<T> item =
            Combine<T>({s.rows[left], s.next[left]}, {s.rows[at], s.next[at]});
        s.rows[at] = item.inner;
        s.next[at] = item.outer;
    }
}

template <class T>
__global__ void CopyOuterKernel(const Systems<T> s) {
    uint64_t i, at;
    if (Mine(s, 0, 1, &i, &at)) {
        s.next[at] = s.rows[at];
    }
}

// The last item knows x(0), and with it every other knows the unknown behind it.
template <class T>
__global__ void ShootKernel(const Systems<T> s) {
    uint64_t i, at;
    if (Mine(s, 0, 1, &i, &at)) {
        const Row<T> all = s.next[at - i + s.n - 1];
        const T first = all.d / all.b;
        const Row<T> before = s.next[i > 0 ? at - 1 : at];
        s.x[at] = i > 0 ? fma(-before.b, first, before.d) / before.c : first;
    }
}

template <class T>
Systems<T> SystemsOf(const naive_tridiagonal_job &j) {
    Row<T> *const rows = (Row<T> *)j.workspace;
    return {(const T *)j.a, (const T *)j.b, (const T *)j.c,
            (const T *)j.d, (T *)j.x,       j.job.n,
            j.job.batch,    rows,           rows + j.job.n * j.job.batch};
}

template <class T, class... S>
cudaError_t Step(void (*kernel)(Systems<T>, S...), const Systems<T> &s, uint64_t rows,
                 cuda_stream stream, S... step) {
    const uint64_t blocks = (rows * s.batch + kThreads - 1) / kThreads;
    return blocks == 0
               ? cudaSuccess
               : Launch(kernel, (unsigned)blocks, kThreads, 0, (cudaStream_t)stream, s, step...);
}

template <class T>
bool Cyclic(const naive_tridiagonal_job &j, cuda_stream stream) {
    const Systems<T> s = SystemsOf<T>(j);
    cudaError_t e = Step(CopyKernel<T>, s, s.n, stream);
    uint64_t u = 1;
    for (; e == cudaSuccess && 2 * u <= s.n; u *= 2) {
        e = Step(ReduceKernel<T>, s, s.n / (2 * u), stream, u);
    }
    for (; e == cudaSuccess && u > 0; u /= 2) {
        e = Step(SubstituteKernel<T>, s, (s.n + u) / (2 * u), stream, u);
    }
    return e == cudaSuccess;
}

template <class T>
bool ParallelCyclic(const naive_tridiagonal_job &j, cuda_stream stream) {
    Systems<T> s = SystemsOf<T>(j);
    cudaError_t e = Step(CopyKernel<T>, s, s.n, stream);
    for (uint64_t u = 1; e == cudaSuccess && u < s.n; u *= 2) {
        e = Step(ReduceAllKernel<T>, s, s.n, stream, u);
        Row<T> *const done = s.next;
        s.next = s.rows;
        s.rows = done;
    }
    return e == cudaSuccess && Step(DivideKernel<T>, s, s.n, stream) == cudaSuccess;
}

template <class T>
bool Redundant(const naive_tridiagonal_job &j, cuda_stream stream) {
    const Systems<T> s = SystemsOf<T>(j);
    cudaError_t e = Step(CopyKernel<T>, s, s.n, stream);
    if (e == cudaSuccess) {
        e = Step(CopyOuterKernel<T>, s, s.n, stream);
    }
    for (uint64_t half = 1; e == cudaSuccess && half < s.n; half *= 2) {
        e = Step(RedundantKernel<T>, s, s.n, stream, half);
    }
    return e == cudaSuccess && Step(ShootKernel<T>, s, s.n, stream) == cudaSuccess;
}

size_t RowsBytes(const tridiagonal_job *job) {
    return job->n * job->batch *
           (job->type == TRIDIAGONAL_F32 ? sizeof(Row<float>) : sizeof(Row<double>));
}

size_t TwiceRowsBytes(const tridiagonal_job *job) { return 2 * RowsBytes(job); }

bool EnqueueCyclic(void *self, cuda_stream stream) {
    const naive_tridiagonal_job &j = *(const naive_tridiagonal_job *)self;
    return j.workspace_bytes >= RowsBytes(&j.job) &&
           (j.job.type == TRIDIAGONAL_F32 ? Cyclic<float>(j, stream) : Cyclic<double>(j, stream));
}

bool EnqueueParallel(void *self, cuda_stream stream) {
    const naive_tridiagonal_job &j = *(const naive_tridiagonal_job *)self;
    return j.workspace_bytes >= TwiceRowsBytes(&j.job) &&
           (j.job.type == TRIDIAGONAL_F32 ? ParallelCyclic<float>(j, stream)
                                          : ParallelCyclic<double>(j, stream));
}

bool EnqueueRedundant(void *self, cuda_stream stream) {
    const naive_tridiagonal_job &j = *(const naive_tridiagonal_job *)self;
    return j.workspace_bytes >= TwiceRowsBytes(&j.job) &&
           (j.job.type == TRIDIAGONAL_F32 ? Redundant<float>(j, stream)
                                          : Redundant<double>(j, stream));
}

constexpr uint64_t kAny = UINT64_C(1) << 31;

}  // namespace

extern "C" const naive_tridiagonal naive_tridiagonals[NAIVE_TRIDIAGONALS] = {
    {"naive-cyclic-reduction", RowsBytes, EnqueueCyclic, {kAny, kAny}, false},
    {"naive-parallel-cyclic-reduction", TwiceRowsBytes, EnqueueParallel, {kAny, kAny}, false},
    {"naive-redundant-reduction", TwiceRowsBytes, EnqueueRedundant, {kAny, kAny}, true}};
