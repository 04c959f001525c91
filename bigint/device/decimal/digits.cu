// digits.cu: see digits.h. A thread makes one number; blockIdx.y is the row. Includes complex
// numbers and launches.
#include "bigint/device/decimal/digits.h"

#include <cmath>

#include "fft/device/complex/complex.cuh"
#include "primitives/cuda/launch.cuh"

namespace {

constexpr unsigned kThreads = 256;
constexpr uint64_t kMaxRows = 1 << 16;  // exclusive

// DigitSource: the digits of one row's text.
struct DigitSource {
    const char *text;
    uint64_t n;
    unsigned k;
    int radix;
    bool balanced;

    // The k characters from place i k on, as a number.
    DEVICE int Field(uint64_t i) const {
        int field = 0;
        for (unsigned t = k; t-- > 0;) {
            const uint64_t at = i * k + t;
            field = field * 10 + (at < n ? text[n - 1 - at] - '0' : 0);
        }
        return field;
    }

    // Balanced: 1 from the field below if that is D / 2 or more, which then lacks D; not the top
    // one, above which nothing takes a 1.
    DEVICE int Digit(uint64_t i) const {
        const int field = Field(i);
        if (!balanced) {
            return field;
        }
        const bool top = (i + 1) * k >= n;
        const int below = i > 0 && i * k < n && Field(i - 1) >= radix / 2;
        return field + below - (!top && field >= radix / 2 ? radix : 0);
    }
};

template <class Real>
DEVICE void Set(Complex<Real> &to, int digit) {
    to = {(Real)digit, 0};
}
template <class Number>
DEVICE void Set(Number &to, int digit) {
    to = (Number)digit;
}

template <class Real>
DEVICE Real RealPart(Complex<Real> x) {
    return x.re;
}
template <class Real>
DEVICE Real RealPart(Real x) {
    return x;
}

template <class Item>
__global__ void __launch_bounds__(kThreads)
    SplitKernel(Item *to, uint64_t points, const __grid_constant__ DigitSource first) {
    WaitForKernelBefore();
    const uint64_t i = (uint64_t)blockIdx.x * kThreads + threadIdx.x;
    if (i < points) {
        DigitSource source = first;
        source.text += blockIdx.y * source.n;
        Set(to[blockIdx.y * points + i], source.Digit(i));
    }
}

// Two roundings a part; scale is a power of two.
template <class Real>
__global__ void __launch_bounds__(kThreads)
    MultiplyKernel(Complex<Real> *x, const Complex<Real> *y, uint64_t items, Real scale) {
    WaitForKernelBefore();
    const uint64_t i = (uint64_t)blockIdx.x * kThreads + threadIdx.x;
    if (i < items) {
        const Complex<Real> z = x[i] * y[i];
        x[i] = {z.re * scale, z.im * scale};
    }
}

template <class Item>
__global__ void __launch_bounds__(kThreads)
    RoundKernel(const Item *from, uint64_t points, int64_t *to, uint64_t count) {
    WaitForKernelBefore();
    const uint64_t i = (uint64_t)blockIdx.x * kThreads + threadIdx.x;
    if (i < count) {
        to[blockIdx.y * count + i] = llrint(RealPart(from[blockIdx.y * points + i]));
    }
}

// A thread has one word.
__global__ void __launch_bounds__(kThreads)
    WriteKernel(const uint64_t *words, uint64_t words_n, unsigned k, char *text, uint64_t n) {
    WaitForKernelBefore();
    const uint64_t i = (uint64_t)blockIdx.x * kThreads + threadIdx.x;
    if (i < words_n) {
        uint64_t word = words[blockIdx.y * words_n + i];
        char *const end = text + (blockIdx.y + 1) * n;
        for (uint64_t at = i * k; at < (i + 1) * k && at < n; at++) {
            end[-1 - (int64_t)at] = (char)('0' + word % 10);
            word /= 10;
        }
    }
}

// LaunchRows: a thread for each of `items` of each row.
template <class K, class... A>
result LaunchRows(K kernel, uint64_t items, uint64_t rows, cudaStream_t stream, A... arguments) {
    const uint64_t blocks = (items + kThreads - 1) / kThreads;
    if (blocks > kMaxGridX || rows >= kMaxRows) {
        return RESULT_REFUSED;
    }
    if (blocks * rows == 0) {
        return RESULT_OK;
    }
    const dim3 grid((unsigned)blocks, (unsigned)rows);
    return LaunchEarly(kernel, grid, kThreads, 0, stream, arguments...) == cudaSuccess
               ? RESULT_OK
               : RESULT_DEVICE_ERROR;
}

template <class Item>
result Split(const decimal_form *form, const DigitSource &source, void *to, cudaStream_t stream) {
    return LaunchRows(SplitKernel<Item>, form->points, form->rows, stream, (Item *)to, form->points,
                      source);
}

template <class Real>
result Multiply(const decimal_form *form, void *x, const void *y, cudaStream_t stream) {
    const uint64_t items = form->rows * (form->complex ? form->points : form->points / 2 + 1);
    return LaunchRows(MultiplyKernel<Real>, items, 1, stream, (Complex<Real> *)x,
                      (const Complex<Real> *)y, items, Real(1) / (Real)form->points);
}

template <class Item>
result Round(const decimal_form *form, const void *from, int64_t *to, uint64_t count,
             cudaStream_t stream) {
    return LaunchRows(RoundKernel<Item>, count, form->rows, stream, (const Item *)from,
                      form->points, to, count);
}

}  // namespace

result decimal_split(const decimal_form *form, decimal_text_rows from, void *to,
                     cuda_stream stream) {
    int radix = 1;
    for (unsigned i = 0; i < form->k; i++) {
        radix *= 10;
    }
    const DigitSource source = {from.text, from.n, form->k, radix, form->balanced};
    switch (form->number) {
        case DECIMAL_F64:
            return (form->complex ? Split<Complex<double>> : Split<double>)(form, source, to,
                                                                            stream);
        case DECIMAL_F32:
            return (form->complex ? Split<Complex<float>> : Split<float>)(form, source, to, stream);
        default:
            return Split<uint8_t>(form, source, to, stream);
    }
}

result decimal_pointwise(const decimal_form *form, void *x, const void *y, cuda_stream stream) {
    return (form->number == DECIMAL_F64 ? Multiply<double> : Multiply<float>)(form, x, y, stream);
}

result decimal_round(const decimal_form *form, const void *from, int64_t *to, uint64_t count,
                     cuda_stream stream) {
    if (form->number == DECIMAL_F64) {
        return (form->complex ? Round<Complex<double>> : Round<double>)(form, from, to, count,
                                                                        stream);
    }
    return (form->complex ? Round<Complex<float>> : Round<float>)(form, from, to, count, stream);
}

result decimal_write(const uint64_t *words, uint64_t words_n, unsigned k, char *text, uint64_t n,
                     uint64_t rows, cuda_stream stream) {
    return LaunchRows(WriteKernel, words_n, rows, stream, words, words_n, k, text, n);
}
