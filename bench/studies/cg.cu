// cg.cu: see cg.h. Launches take their order from the stream; no kernel waits for another block.
#include "bench/studies/cg.h"

#include <algorithm>
#include <cmath>

#include "primitives/cuda/launch.cuh"
#include "primitives/cuda/warp.cuh"

namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kDotBlocks = 256, kDotThreads = 192;  // the first stage of two
constexpr unsigned kAxpyThreads = 128;                   // with two elements each

struct Scalars {
    double alpha, beta, sigma, zeta, tau, dot;
};

// --- Sums ----------------------------------------------------------------------------------------

template <unsigned kN>
struct Sums {
    double of[kN];
};

// BlockSum returns in thread 0 the sum over the block: halves are added while they are equal.
template <unsigned kN>
DEVICE double BlockSum(double v) {
    SHARED(Sums<kN>, sums);
    sums.of[threadIdx.x] = v;
    __syncthreads();
    unsigned left = kN;
    for (; left % 2 == 0; left /= 2) {
        if (threadIdx.x < left / 2) {
            sums.of[threadIdx.x] += sums.of[threadIdx.x + left / 2];
        }
        __syncthreads();
    }
    double sum = sums.of[0];
    for (unsigned i = 1; i < left; i++) {
        sum += sums.of[i];
    }
    return sum;
}

__global__ void ProductKernel(double *to, const double *a, const double *b, uint32_t n) {
    const uint32_t i = blockIdx.x * kThreads + threadIdx.x;
    if (i < n) {
        to[i] = a[i] * b[i];
    }
}

// A sum for each block of elements, or of products where there is a b.
__global__ void SumKernel(double *to, const double *a, const double *b, uint32_t n) {
    const uint32_t i = blockIdx.x * kThreads + threadIdx.x;
    const double v = i < n ? a[i] * (b != nullptr ? b[i] : 1) : 0;
    const double sum = BlockSum<kThreads>(v);
    if (threadIdx.x == 0) {
        to[blockIdx.x] = sum;
    }
}

// The first of two stages: a fixed number of blocks, two elements at a time.
__global__ void DotKernel(double *to, const double *a, const double *b, uint32_t n) {
    double v = 0;
    for (uint64_t i = blockIdx.x * 2 * kDotThreads + threadIdx.x; i < n;
         i += 2 * kDotThreads * kDotBlocks) {
        v += a[i] * b[i];
        if (i + kDotThreads < n) {
            v += a[i + kDotThreads] * b[i + kDotThreads];
        }
    }
    const double sum = BlockSum<kDotThreads>(v);
    if (threadIdx.x == 0) {
        to[blockIdx.x] = sum;
    }
}

// The second stage, one block; `then` gets the sum in one thread.
template <class F>
__global__ void FinishKernel(const double *parts, uint32_t count, Scalars *s, F then) {
    double v = 0;
    for (uint32_t i = threadIdx.x; i < count; i += kThreads) {
        v += parts[i];
    }
    const double sum = BlockSum<kThreads>(v);
    if (threadIdx.x == 0) {
        then(s, sum);
    }
}

template <class F>
__global__ void ScalarKernel(Scalars *s, F f) {
    f(s);
}

// What is done with a sum, and the operations on numbers.
struct KeepDot {
    DEVICE void operator()(Scalars *s, double sum) const { s->dot = sum; }
};
struct MakeAlpha {
    DEVICE void operator()(Scalars *s, double sum) const { s->alpha = s->sigma / sum; }
};
struct MakeBeta {  // operations 5, 6, 7 and 9
    DEVICE void operator()(Scalars *s, double sum) const {
        s->beta = sum / s->sigma;
        s->zeta = s->sigma = sum;
        s->tau = sqrt(sum);
    }
};
struct Alpha {
    DEVICE void operator()(Scalars *s) const { s->alpha = s->sigma / s->dot; }
};
struct Beta {
    DEVICE void operator()(Scalars *s) const {
        s->zeta = s->dot;
        s->beta = s->zeta / s->sigma;
    }
};
struct Sigma {
    DEVICE void operator()(Scalars *s) const { s->sigma = s->zeta; }
};
struct Tau {
    DEVICE void operator()(Scalars *s) const { s->tau = sqrt(s->zeta); }
};

// --- Matrix times vector -------------------------------------------------------------------------

DEVICE double RowTimes(const cg_matrix &m, uint32_t row, const double *p) {
    double sum = 0;
    if (m.format == CG_ELL) {
        for (uint32_t k = 0; k < m.width; k++) {
            const size_t at = (size_t)k * m.n + row;
            sum += m.values[at] * p[m.columns[at]];
        }
    } else {
        for (uint32_t at = m.begins[row]; at < m.begins[row + 1]; at++) {
            sum += m.values[at] * p[m.columns[at]];
        }
    }
    return sum;
}

// A thread for each row. parts: where there is one, also the blocks' sums of p v.
__global__ void RowsKernel(double *v, cg_matrix m, const double *p, double *parts) {
    const uint32_t row = blockIdx.x * kThreads + threadIdx.x;
    double product = 0;
    if (row < m.n) {
        const double sum = RowTimes(m, row, p);
        v[row] = sum;
        product = sum * p[row];
    }
    if (parts != nullptr) {
        const double sum = BlockSum<kThreads>(product);
        if (threadIdx.x == 0) {
            parts[blockIdx.x] = sum;
        }
    }
}

// A warp for each row.
__global__ void WarpRowsKernel(double *v, cg_matrix m, const double *p) {
    const uint32_t row = (uint32_t)(((uint64_t)blockIdx.x * kThreads + threadIdx.x) / kWarp);
    if (row >= m.n) {
        return;
    }
    double sum = 0;
    for (uint32_t at = m.begins[row] + Lane(); at < m.begins[row + 1]; at += kWarp) {
        sum += m.values[at] * p[m.columns[at]];
    }
    for (unsigned by = kWarp / 2; by > 0; by /= 2) {
        sum += ShuffleXor(sum, by);
    }
    if (Lane() == 0) {
        v[row] = sum;
    }
}

// --- Updates of vectors --------------------------------------------------------------------------

// y += sign alpha x.
struct Axpy {
    double *y;
    const double *x;
    const Scalars *s;
    double sign;
    DEVICE void operator()(uint32_t i) const { y[i] += sign * s->alpha * x[i]; }
};
// p = r + beta p.
struct Xpay {
    double *p;
    const double *r;
    const Scalars *s;
    DEVICE void operator()(uint32_t i) const { p[i] = r[i] + s->beta * p[i]; }
};

template <class F>
__global__ void EachKernel(F f, uint32_t n) {
    const uint32_t i = blockIdx.x * kThreads + threadIdx.x;
    if (i < n) {
        f(i);
    }
}

template <class F>
__global__ void TwoEachKernel(F f, uint32_t n) {
    const uint32_t i = blockIdx.x * 2 * kAxpyThreads + threadIdx.x;
    if (i < n) {
        f(i);
    }
    if (i + kAxpyThreads < n) {
        f(i + kAxpyThreads);
    }
}

// Operations 3 and 4, and the blocks' part of 5.
__global__ void UpdateKernel(double *x, double *r, const double *p, const double *v,
                             const Scalars *s, double *parts, uint32_t n) {
    const uint32_t i = blockIdx.x * kThreads + threadIdx.x;
    double square = 0;
    if (i < n) {
        x[i] += s->alpha * p[i];
        const double left = r[i] - s->alpha * v[i];
        r[i] = left;
        square = left * left;
    }
    const double sum = BlockSum<kThreads>(square);
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = sum;
    }
}

__global__ void StartKernel(double *x, double *r, double *p, const double *b, uint32_t n) {
    const uint32_t i = blockIdx.x * kThreads + threadIdx.x;
    if (i < n) {
        x[i] = 0;
        r[i] = p[i] = b[i];
    }
}

// --- Launches ------------------------------------------------------------------------------------

unsigned Blocks(uint64_t n, unsigned each) { return (unsigned)((n + each - 1) / each); }

// Lines up launches; the first error stops them.
struct Solver {
    const cg_job &job;
    cudaStream_t stream;
    uint32_t n;
    Scalars *s;
    double *v, *r, *p, *products, *parts[2];
    cudaError_t error;

    Solver(const cg_job &j, cudaStream_t on)
        : job(j), stream(on), n(j.matrix.n), s((Scalars *)j.workspace), error(cudaSuccess) {
        v = (double *)j.workspace + 32;
        r = v + n;
        p = r + n;
        products = p + n;
        parts[0] = products + n;
        parts[1] = parts[0] + Parts(n);
    }

    static uint64_t Parts(uint32_t n) { return std::max(Blocks(n, kThreads), kDotBlocks); }
    static size_t Bytes(uint32_t n) { return sizeof(double) * (32 + 4 * (size_t)n + 2 * Parts(n)); }

    template <class K, class... A>
    void Do(K kernel, unsigned blocks, unsigned threads, A... arguments) {
        if (error == cudaSuccess) {
            error = Launch(kernel, blocks, threads, 0, stream, arguments...);
        }
    }
    template <class F>
    void Scalar(F f) {
        Do(ScalarKernel<F>, 1, 1, s, f);
    }
    template <class F>
    void Finish(uint32_t count, F then) {
        Do(FinishKernel<F>, 1, kThreads, (const double *)parts[0], count, s, then);
    }
    template <class F>
    void Each(F f) {
        if (job.form == CG_TWO_STAGE) {
            Do(TwoEachKernel<F>, Blocks(n, 2 * kAxpyThreads), kAxpyThreads, f, n);
        } else {
            Do(EachKernel<F>, Blocks(n, kThreads), kThreads, f, n);
        }
    }

    // v = A p; parts_too: and the blocks' parts of p v.
    void Multiply(bool parts_too) {
        const cg_matrix &m = job.matrix;
        if (m.format == CG_CSR_VECTOR) {
            Do(WarpRowsKernel, Blocks((uint64_t)n * kWarp, kThreads), kThreads, v, m,
               (const double *)p);
        } else {
            Do(RowsKernel, Blocks(n, kThreads), kThreads, v, m, (const double *)p,
               parts_too ? parts[0] : nullptr);
        }
    }

    // s->dot = a b, in the job's form.
    void Dot(const double *a, const double *b) {
        if (job.form == CG_TWO_STAGE) {
            Do(DotKernel, kDotBlocks, kDotThreads, parts[0], a, b, n);
            return Finish(kDotBlocks, KeepDot());
        }
        if (job.form == CG_NINE) {
            Do(ProductKernel, Blocks(n, kThreads), kThreads, products, a, b, n);
            a = products;
            b = nullptr;
        }
        // Alternately into two buffers, the last sum into s.
        uint32_t left = n;
        for (unsigned at = 0; left > 0; at ^= 1) {
            const unsigned blocks = Blocks(left, kThreads);
            Do(SumKernel, blocks, kThreads, blocks > 1 ? parts[at] : &s->dot, a, b, left);
            a = parts[at];
            b = nullptr;
            left = blocks > 1 ? blocks : 0;
        }
    }

    void Separate() {
        Multiply(false);
        Dot(p, v);
        Scalar(Alpha());
        Each(Axpy{job.x, p, s, 1});
        Each(Axpy{r, v, s, -1});
        Dot(r, r);
        Scalar(Beta());
        Scalar(Sigma());
        Each(Xpay{p, r, s});
        Scalar(Tau());
    }

    void Merged() {
        uint32_t count = Blocks(n, kThreads);
        Multiply(true);
        if (job.matrix.format == CG_CSR_VECTOR) {
            count = kDotBlocks;
            Do(DotKernel, kDotBlocks, kDotThreads, parts[0], (const double *)p, (const double *)v,
               n);
        }
        Finish(count, MakeAlpha());
        Do(UpdateKernel, Blocks(n, kThreads), kThreads, job.x, r, (const double *)p,
           (const double *)v, (const Scalars *)s, parts[0], n);
        Finish(Blocks(n, kThreads), MakeBeta());
        Each(Xpay{p, r, s});
    }
};

bool Valid(const cg_job &job) {
    return (unsigned)job.matrix.format < CG_FORMATS && (unsigned)job.form < CG_FORMS &&
           job.matrix.n > 0 && job.matrix.n <= 1u << 28;
}

result Done(const Solver &solver) {
    return solver.error == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}

}  // namespace

size_t cg_workspace_bytes(const cg_job *job) {
    return Valid(*job) ? Solver::Bytes(job->matrix.n) : 0;
}

result cg_start(const cg_job *job, cuda_stream stream) {
    if (!Valid(*job)) {
        return RESULT_REFUSED;
    }
    Solver solver(*job, stream);
    solver.Do(StartKernel, Blocks(solver.n, kThreads), kThreads, job->x, solver.r, solver.p, job->b,
              solver.n);
    solver.Dot(solver.r, solver.r);
    solver.Scalar(Beta());
    solver.Scalar(Sigma());
    solver.Scalar(Tau());
    return Done(solver);
}

result cg_step(const cg_job *job, cuda_stream stream) {
    if (!Valid(*job)) {
        return RESULT_REFUSED;
    }
    Solver solver(*job, stream);
    job->form == CG_MERGED ? solver.Merged() : solver.Separate();
    return Done(solver);
}

const double *cg_residual(const cg_job *job) { return &((const Scalars *)job->workspace)->tau; }
