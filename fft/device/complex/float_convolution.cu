// float_convolution.cu: float_convolution.h: kernels from limbs to points, of pointwise products
// and of the twist back, and the order in which they and the transforms are launched. Section
// numbers are those of docs/proofs/complex_fft.md. Includes complex numbers, roots and launches.
#include "fft/device/complex/float_convolution.h"

#include "fft/complex/root.h"
#include "fft/device/complex/complex.cuh"
#include "primitives/cuda/launch.cuh"

namespace {

constexpr unsigned kThreads = 256;

// Twist: exp(2 pi i j / 2^lg), j < 2^lg / 4, each part within 0.52 ulp (section 3).
template <class Real>
DEVICE Complex<Real> Twist(uint64_t j, unsigned lg) {
    if constexpr (sizeof(Real) == 8) {
        const fft_root_f64 w = fft_root(j, lg);
        return {w.re, w.im};
    } else {
        const fft_root_f32 w = fft_root_single(j, lg);
        return {w.re, w.im};
    }
}

// DigitSource: an operand as digits of `width` bits, 1 .. 24, `digits` of them.
struct DigitSource {
    const uint64_t *words;
    uint64_t words_n, digits;
    unsigned width;
    bool balanced;

    // `bits` <= 25 bits of the operand from bit `at` on; zero beyond its end.
    DEVICE uint64_t Field(uint64_t at, unsigned bits) const {
        const uint64_t word = at / 64, low = word < words_n ? words[word] : 0;
        const uint64_t high = at % 64 + bits > 64 && word + 1 < words_n ? words[word + 1] : 0;
        // two shifts, because high << 64 is undefined for at % 64 = 0
        return (low >> at % 64 | high << 1 << (63 - at % 64)) & ((UINT64_C(1) << bits) - 1);
    }

    // Digit i, 0 beyond the last; balanced: as a signed number, plus the bit below it, but the last
    // one, above which nothing takes a 1 (section 6).
    DEVICE int32_t Digit(uint64_t i) const {
        if (i >= digits) {
            return 0;
        }
        if (!balanced) {
            return (int32_t)Field(i * width, width);
        }
        const uint64_t with_below = i > 0 ? Field(i * width - 1, width + 1) : Field(0, width) << 1;
        const int32_t f = (int32_t)(with_below >> 1), below = (int32_t)(with_below & 1);
        return f + below - (i + 1 < digits ? f >> (width - 1) << width : 0);
    }
};

// SplitJob: points of operand[k] go to to[k]; packed: of both operands to to[0].
struct SplitJob {
    DigitSource operand[2];
    void *to[2];
    uint64_t points;
    unsigned lg_points;
};

// A thread makes one point; blockIdx.y is the operand's number. Reads the limbs, writes every point
// once.
template <class Real>
__global__ void __launch_bounds__(kThreads) SplitKernel(const __grid_constant__ SplitJob job) {
    WaitForKernelBefore();
    const uint64_t j = (uint64_t)blockIdx.x * kThreads + threadIdx.x;
    if (j >= job.points) {
        return;
    }
    const DigitSource &a = job.operand[blockIdx.y];
    const Complex<Real> z = {(Real)a.Digit(j), (Real)a.Digit(j + job.points)};
    ((Complex<Real> *)job.to[blockIdx.y])[j] = z * Twist<Real>(j, job.lg_points + 2);
}

// The same, packed: without a twist.
template <class Real>
__global__ void __launch_bounds__(kThreads)
    SplitPackedKernel(const __grid_constant__ SplitJob job) {
    WaitForKernelBefore();
    const uint64_t j = (uint64_t)blockIdx.x * kThreads + threadIdx.x;
    if (j < job.points) {
        ((Complex<Real> *)job.to[0])[j] = {(Real)job.operand[0].Digit(j),
                                           (Real)job.operand[1].Digit(j)};
    }
}

// x[j] = x[j] y[j] scale, scale a power of two; y may be x. Two roundings a part (section 2.2).
template <class Real>
__global__ void __launch_bounds__(kThreads)
    PointwiseKernel(Complex<Real> *x, const Complex<Real> *y, uint64_t points, Real scale) {
    WaitForKernelBefore();
    const uint64_t j = (uint64_t)blockIdx.x * kThreads + threadIdx.x;
    if (j < points) {
        const Complex<Real> z = x[j] * y[j];
        x[j] = {z.re * scale, z.im * scale};
    }
}

// x[j] = x[j] exp(-2 pi i j / (4 points)).
template <class Real>
__global__ void __launch_bounds__(kThreads)
    UntwistKernel(Complex<Real> *x, uint64_t points, unsigned lg_points) {
    WaitForKernelBefore();
    const uint64_t j = (uint64_t)blockIdx.x * kThreads + threadIdx.x;
    if (j < points) {
        const Complex<Real> w = Twist<Real>(j, lg_points + 2);
        x[j] = x[j] * Complex<Real>{w.re, -w.im};
    }
}

result Answer(cudaError_t e) { return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR; }

// Convolution: the launches of one, in the order of float_convolution.h's picture.
template <class Real>
struct Convolution {
    const fft_float_device_convolution &c;
    const fft_float_device_operand *a, *b;  // b: NULL for a square
    Complex<Real> *x = (Complex<Real> *)c.values, *y = (Complex<Real> *)c.other;
    bool packed = c.plan->method == FFT_BOUND_PACKED;
    uint64_t points = fft_id_length(&c.plan->transform.problem);
    unsigned lg_points = fft_id_digits(&c.plan->transform.problem);

    unsigned Blocks() const { return (unsigned)((points + kThreads - 1) / kThreads); }

    DigitSource Source(const fft_float_device_operand &operand) const {
        const unsigned width = c.plan->width;
        return {operand.words, operand.words_n, (operand.words_n * 64 + width - 1) / width, width,
                c.plan->balanced};
    }

    result Split() const {
        const SplitJob job = {
            {Source(*a), Source(b != nullptr ? *b : *a)}, {x, y}, points, lg_points};
        const dim3 grid(Blocks(), packed || b == nullptr ? 1 : 2);
        return Answer(LaunchEarly(packed ? SplitPackedKernel<Real> : SplitKernel<Real>, grid,
                                  kThreads, 0, c.stream, job));
    }

    result Transform(Complex<Real> *z, fft_id_direction direction) const {
        fft_id_plan plan = c.plan->transform;
        plan.problem.direction = direction;
        return fft_device_transform(&plan, z, z, c.workspace, c.tables, c.stream);
    }

    // Packed, the product is half of the imaginary part.
    result Pointwise() const {
        const Real scale = (packed ? Real(0.5) : Real(1)) / (Real)points;
        return Answer(LaunchEarly(PointwiseKernel<Real>, Blocks(), kThreads, 0, c.stream, x,
                                  packed || b == nullptr ? x : y, points, scale));
    }

    result Run() const {
        result done = Split();
        done = done == RESULT_OK ? Transform(x, FFT_ID_FORWARD) : done;
        if (!packed && b != nullptr) {
            done = done == RESULT_OK ? Transform(y, FFT_ID_FORWARD) : done;
        }
        done = done == RESULT_OK ? Pointwise() : done;
        done = done == RESULT_OK ? Transform(x, FFT_ID_INVERSE) : done;
        return done != RESULT_OK || packed
                   ? done
                   : Answer(LaunchEarly(UntwistKernel<Real>, Blocks(), kThreads, 0, c.stream, x,
                                        points, lg_points));
    }
};

}  // namespace

result fft_float_device_tables(const fft_float_device_plan *plan, void *tables,
                               cuda_stream stream) {
    return fft_device_tables(&plan->transform, tables, stream);
}

result fft_float_device_convolve(const fft_float_device_convolution *c,
                                 const fft_float_device_operand *a,
                                 const fft_float_device_operand *b) {
    const fft_float_device_plan &plan = *c->plan;
    const bool fits = a->words_n * 64 <= plan.a_digits * plan.width &&
                      (b == nullptr || b->words_n * 64 <= plan.b_digits * plan.width);
    if (!fits || fft_id_length(&plan.transform.problem) > kMaxGridX * kThreads) {
        return RESULT_REFUSED;
    }
    return plan.transform.problem.element == FFT_ID_COMPLEX_F64
               ? Convolution<double>{*c, a, b}.Run()
               : Convolution<float>{*c, a, b}.Run();
}
