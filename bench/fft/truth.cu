// truth.cu: truth.h. Numbers are sums of two doubles [Dekker71]; compiled without
// contraction, as those need it.
#include "bench/fft/truth.h"

#include <cmath>
#include <vector>

#include "primitives/cuda/launch.cuh"

namespace {

constexpr unsigned kThreads = 256, kBlocks = 256;
constexpr unsigned kHalf = FFT_TRUTH_LG_MAX / 2;  // digits of each of the two tables of roots

struct Pair {
    double high, low;
};
struct Complex {
    Pair re, im;
};
static_assert(sizeof(Complex) == 32 && (sizeof(Complex) << (kHalf + 1)) == FFT_TRUTH_ROOTS_BYTES &&
                  kThreads * kBlocks * 16 == FFT_TRUTH_SUMS_BYTES,
              "what truth.h says");

DEVICE Pair Normal(double high, double low) {
    const double sum = high + low;
    return {sum, low - (sum - high)};
}

DEVICE Pair operator+(Pair a, Pair b) {
    const double sum = a.high + b.high, other = sum - a.high;
    return Normal(sum, (a.high - (sum - other)) + (b.high - other) + (a.low + b.low));
}

DEVICE Pair operator-(Pair a) { return {-a.high, -a.low}; }

DEVICE Pair operator*(Pair a, Pair b) {
    const double product = a.high * b.high;
    const double low = fma(a.high, b.high, -product);
    return Normal(product, fma(a.low, b.high, fma(a.high, b.low, low)));
}

DEVICE Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
DEVICE Complex operator-(Complex a, Complex b) { return {a.re + -b.re, a.im + -b.im}; }
DEVICE Complex operator*(Complex a, Complex b) {
    return {a.re * b.re + -(a.im * b.im), a.re * b.im + a.im * b.re};
}

DEVICE uint64_t Reversed(uint64_t i, unsigned digits) {
    uint64_t r = 0;
    for (unsigned d = 0; d < digits; d++) {
        r |= (i >> d & 1) << (digits - 1 - d);
    }
    return r;
}

// Items of an array, as numbers of the type T.
template <class T>
struct Items {
    T *items;
    fft_truth_form form;
    unsigned lg;
    bool reversed;

    // How many numbers, real or complex, a problem has.
    DEVICE uint64_t Numbers() const {
        return form == FFT_TRUTH_HALF ? ((uint64_t)1 << lg) / 2 + 1 : (uint64_t)1 << lg;
    }
    DEVICE T *At(uint64_t problem, uint64_t k) const {
        const uint64_t at = problem * Numbers() + (reversed ? Reversed(k, lg) : k);
        return items + (form == FFT_TRUTH_REAL ? at : 2 * at);
    }
};

// The threads of a grid share the indices from 0 to count - 1.
template <class F>
DEVICE void Each(uint64_t count, F visit) {
    for (uint64_t i = (uint64_t)blockIdx.x * kThreads + threadIdx.x; i < count;
         i += (uint64_t)gridDim.x * kThreads) {
        visit(i);
    }
}

// 54 bits of a hash, as a multiple of 2^-53. Not fewer: sums of short numbers are exact, which an
// algorithm whose first steps are sums would take for accuracy.
DEVICE double RandomAt(uint64_t i, uint32_t seed) {
    uint64_t z = (i + seed) * 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return ((double)(int64_t)(z >> 10) - 0x1p53) * 0x1p-53;
}

template <class T>
__global__ void RandomKernel(const Items<T> x, uint64_t batch, uint32_t seed) {
    const uint64_t numbers = x.Numbers();
    Each(batch * numbers, [&](uint64_t i) {
        const uint64_t k = i % numbers;
        T *to = x.At(i / numbers, k);
        to[0] = (T)RandomAt(2 * i, seed);
        if (x.form != FFT_TRUTH_REAL) {
            const bool is_real = x.form == FFT_TRUTH_HALF && (k == 0 || k == numbers - 1);
            to[1] = is_real ? 0 : (T)RandomAt(2 * i + 1, seed);
        }
    });
}

template <class T>
__global__ void LoadKernel(Complex *to, const Items<T> x, uint64_t batch) {
    const uint64_t length = (uint64_t)1 << x.lg;
    Each(batch << x.lg, [&](uint64_t i) {
        const uint64_t k = i & (length - 1), problem = i >> x.lg;
        const bool mirrored = x.form == FFT_TRUTH_HALF && k > length / 2;
        const T *from = x.At(problem, mirrored ? length - k : k);
        const double im = x.form == FFT_TRUTH_REAL ? 0 : mirrored ? -from[1] : from[1];
        to[i] = {{from[0], 0}, {im, 0}};
    });
}

// One level on blocks of 2^lg numbers, frequencies even and odd to the lower and the upper half.
__global__ void LevelKernel(Complex *x, uint64_t pairs, unsigned lg, const Complex *roots,
                            bool inverse) {
    Each(pairs, [&](uint64_t i) {
        const uint64_t half = (uint64_t)1 << (lg - 1), j = i & (half - 1);
        Complex *at = x + ((i >> (lg - 1)) << lg) + j;
        const uint64_t e = j << (FFT_TRUTH_LG_MAX - lg);
        const Complex *fine = roots + ((uint64_t)1 << kHalf);
        Complex root = roots[e >> kHalf] * fine[e & (((uint64_t)1 << kHalf) - 1)];
        if (!inverse) {
            root.im = -root.im;
        }
        const Complex a = at[0], b = at[half];
        at[0] = a + b;
        at[half] = (a - b) * root;
    });
}

// sums: for each thread the squares of errors and of the truth, whose number k is where k's digits
// are reversed.
template <class T>
__global__ void ErrorKernel(const Complex *truth, const Items<T> y, uint64_t batch, double *sums) {
    double errors = 0, squares = 0;
    const uint64_t numbers = y.Numbers();
    Each(batch * numbers, [&](uint64_t i) {
        const uint64_t problem = i / numbers, k = i % numbers;
        const Complex want = truth[(problem << y.lg) + Reversed(k, y.lg)];
        const T *got = y.At(problem, k);
        const double re = (got[0] - want.re.high) - want.re.low;
        errors += re * re;
        squares += want.re.high * want.re.high;
        if (y.form != FFT_TRUTH_REAL) {
            const double im = (got[1] - want.im.high) - want.im.low;
            errors += im * im;
            squares += want.im.high * want.im.high;
        }
    });
    double *to = sums + 2 * ((size_t)blockIdx.x * kThreads + threadIdx.x);
    to[0] = errors;
    to[1] = squares;
}

unsigned BlocksFor(uint64_t n, unsigned most) {
    const uint64_t blocks = (n + kThreads - 1) / kThreads;
    return blocks < most ? (unsigned)blocks : most;
}
constexpr unsigned kMany = 1 << 14;  // blocks where nothing is kept for each

bool Done(cudaError_t e) { return e == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess; }

// Calls f with the array's items in its precision.
template <class F>
cudaError_t With(const fft_truth_array *x, F f) {
    if (x->single) {
        return f(Items<float>{(float *)x->items, x->form, x->lg, x->reversed});
    }
    return f(Items<double>{(double *)x->items, x->form, x->lg, x->reversed});
}

Pair Split(long double x) {
    const double high = (double)x;
    return {high, (double)(x - high)};
}

}  // namespace

size_t fft_truth_array_bytes(const fft_truth_array *x) {
    const uint64_t length = (uint64_t)1 << x->lg;
    const uint64_t scalars = x->form == FFT_TRUTH_COMPLEX ? 2 * length
                             : x->form == FFT_TRUTH_REAL  ? length
                                                          : length + 2;
    return (size_t)(x->batch * scalars * (x->single ? 4 : 8));
}

bool fft_truth_random(const fft_truth_array *x, uint32_t seed) {
    return Done(With(x, [&](auto items) {
        const unsigned blocks = BlocksFor(x->batch << x->lg, kMany);
        return Launch(RandomKernel<std::remove_reference_t<decltype(*items.items)>>, blocks,
                      kThreads, 0, nullptr, items, x->batch, seed);
    }));
}

bool fft_truth_roots(const fft_truth *t) {
    const long double turn = 6.283185307179586476925286766559005768L;
    const size_t entries = (size_t)1 << kHalf;
    std::vector<Complex> roots(2 * entries);
    for (size_t i = 0; i < 2 * entries; i++) {
        const int lg = i < entries ? (int)kHalf : (int)FFT_TRUTH_LG_MAX;
        const long double angle = ldexpl(turn * (long double)(i % entries), -lg);
        roots[i] = {Split(cosl(angle)), Split(sinl(angle))};
    }
    return Done(cudaMemcpyAsync(t->roots, roots.data(), FFT_TRUTH_ROOTS_BYTES,
                                cudaMemcpyHostToDevice, nullptr));
}

bool fft_truth_make(const fft_truth *t, const fft_truth_array *x, bool inverse) {
    Complex *items = (Complex *)t->items;
    cudaError_t e = With(x, [&](auto from) {
        const unsigned blocks = BlocksFor(x->batch << x->lg, kMany);
        return Launch(LoadKernel<std::remove_reference_t<decltype(*from.items)>>, blocks, kThreads,
                      0, nullptr, items, from, x->batch);
    });
    const uint64_t pairs = x->batch << x->lg >> 1;
    for (unsigned lg = x->lg; lg > 0 && e == cudaSuccess; lg--) {
        e = Launch(LevelKernel, BlocksFor(pairs, kMany), kThreads, 0, nullptr, items, pairs, lg,
                   (const Complex *)t->roots, inverse);
    }
    return Done(e);
}

double fft_truth_error(const fft_truth *t, const fft_truth_array *y) {
    const unsigned blocks = BlocksFor(y->batch << y->lg, kBlocks);
    std::vector<double> sums(2 * kThreads * blocks);
    cudaError_t e = With(y, [&](auto items) {
        return Launch(ErrorKernel<std::remove_reference_t<decltype(*items.items)>>, blocks,
                      kThreads, 0, nullptr, (const Complex *)t->items, items, y->batch,
                      (double *)t->sums);
    });
    if (e != cudaSuccess ||
        !Done(cudaMemcpyAsync(sums.data(), t->sums, sums.size() * sizeof(double),
                              cudaMemcpyDeviceToHost, nullptr))) {
        return -1;
    }
    double errors = 0, squares = 0;
    for (size_t i = 0; i < sums.size(); i += 2) {
        errors += sums[i];
        squares += sums[i + 1];
    }
    return sqrt(errors / squares);
}
