// naive.cu: see naive.h. Includes complex numbers, roots and launches.
#include "bench/fft/naive.h"

#include "fft/complex/root.h"
#include "fft/device/complex/complex.cuh"
#include "primitives/cuda/launch.cuh"

namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kDigitsMost = 4;  // of a node in registers

// Transforms of 2^lg items each, `items` in all.
template <class Real>
struct Items {
    const Complex<Real> *from, *roots;
    Complex<Real> *to;
    uint64_t items;
    unsigned lg;
};

// The number of the calling thread. There are `count` threads, or a few more.
DEVICE uint64_t Mine() { return (uint64_t)blockIdx.x * kThreads + threadIdx.x; }

template <class Kernel, class... A>
bool Step(Kernel kernel, uint64_t count, cuda_stream stream, A... arguments) {
    return Launch(kernel, (unsigned)((count + kThreads - 1) / kThreads), kThreads, 0, stream,
                  arguments...) == cudaSuccess;
}

template <class Real>
__global__ void RootsKernel(Complex<Real> *roots, unsigned lg) {
    const uint64_t e = Mine();
    if (e >> lg == 0) {
        const fft_root_f64 w = fft_root(e, lg);
        roots[e] = {(Real)w.re, (Real)-w.im};
    }
}

// --- naive-digit-reversal ------------------------------------------------------------------------
template <class Real>
__global__ void ReverseKernel(const Items<Real> x) {
    const uint64_t i = Mine(), k = i & ((UINT64_C(1) << x.lg) - 1);
    if (i < x.items) {
        uint64_t reversed = 0;
        for (unsigned d = 0; d < x.lg; d++) {
            reversed |= (k >> d & 1) << (x.lg - 1 - d);
        }
        x.to[i - k + reversed] = x.from[i];
    }
}

// Blocks of 2^level items by two: one pair for each thread.
template <class Real>
__global__ void LevelKernel(const Items<Real> x, unsigned level) {
    const uint64_t i = Mine(), half = UINT64_C(1) << level, j = i & (half - 1);
    if (i < x.items / 2) {
        Complex<Real> *const at = x.to + 2 * (i - j) + j;
        const Complex<Real> a = at[0], b = at[half] * x.roots[j << (x.lg - 1 - level)];
        at[0] = a + b;
        at[half] = a - b;
    }
}

template <class Real>
bool DigitReversal(const naive_fft_job &j, Items<Real> x, cuda_stream stream) {
    x.from = (const Complex<Real> *)j.in;
    x.to = (Complex<Real> *)j.out;
    bool ok = Step(ReverseKernel<Real>, x.items, stream, x);
    for (unsigned level = 0; ok && level < x.lg; level++) {
        ok = Step(LevelKernel<Real>, x.items / 2, stream, x, level);
    }
    return ok;
}

// --- naive-stockham ------------------------------------------------------------------------------

// With m = 2^(lg - kDigits), s = 2^done and t = s p + q, q < s, a thread takes items t + m j and
// puts frequency k of these at s (2^kDigits p + k) + q, times the root of s p k < 2^lg: the next
// level finds what it takes m apart again. `done` digits have been taken by levels before.
template <class Real, unsigned kDigits>
__global__ void StockhamKernel(const Items<Real> x, unsigned done) {
    const uint64_t i = Mine(), m = UINT64_C(1) << (x.lg - kDigits), t = i & (m - 1);
    if (i >= x.items >> kDigits) {
        return;
    }
    const uint64_t problem = (i - t) << kDigits, p = t >> done, q = t - (p << done);
    Complex<Real> v[1 << kDigits];
#pragma unroll
    for (unsigned j = 0; j < 1u << kDigits; j++) {
        v[j] = x.from[problem + t + m * j];
    }
    Dft<kDigits>(v);
#pragma unroll
    for (unsigned k = 0; k < 1u << kDigits; k++) {
        const Complex<Real> y = k == 0 ? v[0] : v[k] * x.roots[p * k << done];
        x.to[problem + (((p << kDigits) + k) << done) + q] = y;
    }
}

unsigned Levels(unsigned lg, unsigned digits) { return (lg + digits - 1) / digits; }

// Levels of kMost digits, after a first one of the remaining digits. They write alternately to out
// and to the workspace, and the last one to out.
template <class Real, unsigned kMost>
bool Stockham(const naive_fft_job &j, Items<Real> x, cuda_stream stream) {
    static_assert(kMost <= kDigitsMost, "nodes that there are");
    constexpr void (*kKernels[kDigitsMost])(Items<Real>, unsigned) = {
        StockhamKernel<Real, 1>, StockhamKernel<Real, 2>, StockhamKernel<Real, 3>,
        StockhamKernel<Real, 4>};
    Complex<Real> *const to[2] = {(Complex<Real> *)j.out, (Complex<Real> *)j.workspace};
    const unsigned levels = Levels(x.lg, kMost);
    x.from = (const Complex<Real> *)j.in;
    bool ok = true;
    for (unsigned level = 0, done = 0; ok && level < levels; level++) {
        const unsigned digits = level == 0 ? x.lg - (levels - 1) * kMost : kMost;
        x.to = to[(levels - 1 - level) % 2];
        ok = Step(kKernels[digits - 1], x.items >> digits, stream, x, done);
        x.from = x.to;
        done += digits;
    }
    return ok;
}

template <class Real>
Items<Real> ItemsOf(const naive_fft_job &j) {
    return {nullptr, (const Complex<Real> *)j.roots, nullptr, j.batch << j.lg, j.lg};
}

bool EnqueueDigitReversal(void *self, cuda_stream stream) {
    const naive_fft_job &j = *(const naive_fft_job *)self;
    return j.single ? DigitReversal(j, ItemsOf<float>(j), stream)
                    : DigitReversal(j, ItemsOf<double>(j), stream);
}

template <unsigned kMost>
bool EnqueueStockham(void *self, cuda_stream stream) {
    const naive_fft_job &j = *(const naive_fft_job *)self;
    return j.workspace_bytes >= naive_fft_bytes(&j) &&
           (j.single ? Stockham<float, kMost>(j, ItemsOf<float>(j), stream)
                     : Stockham<double, kMost>(j, ItemsOf<double>(j), stream));
}

unsigned OfDigitReversal(unsigned lg) { return lg + 1; }
template <unsigned kMost>
unsigned OfStockham(unsigned lg) {
    return Levels(lg, kMost);
}

}  // namespace

bool naive_fft_roots(const naive_fft_job *job, void *roots, cuda_stream stream) {
    const uint64_t count = UINT64_C(1) << job->lg;
    return job->single
               ? Step(RootsKernel<float>, count, stream, (Complex<float> *)roots, job->lg)
               : Step(RootsKernel<double>, count, stream, (Complex<double> *)roots, job->lg);
}

extern "C" const naive_fft naive_ffts[NAIVE_FFTS] = {
    {"naive-digit-reversal", OfDigitReversal, EnqueueDigitReversal},
    {"naive-stockham", OfStockham<1>, EnqueueStockham<1>},
    {"naive-stockham-16", OfStockham<kDigitsMost>, EnqueueStockham<kDigitsMost>}};
