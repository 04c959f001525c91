// ring_rows.cu: ring_rows.h. What V has above B^n follows from its two highest coefficients and the
// two highest limbs that were stored. Proof: docs/proofs/division.md, section 9. Includes the
// rooms' device headers.
#include "bigint/device/kernels/ring_rows.h"

#include <assert.h>

#include "bigint/device/kernels/product_rows.cuh"
#include "fft/device/modular/crt.cuh"
#include "primitives/cuda/launch.cuh"
#include "primitives/limbs/block_ripple.cuh"

namespace {

constexpr unsigned kWords = FFT_COEFFICIENT_WORDS;

struct RingJob {
    product_rows rows;
    recombine_residues residues;
    uint64_t stride;
    ModularCrt crt;

    // {to + shift, kWords} += coefficient i of a product, whose planes begin at x.
    template <unsigned kSum>
    DEVICE void AddCoefficient(const double *x, uint64_t i, unsigned shift,
                               uint64_t (&to)[kSum]) const {
        uint64_t c[kWords], moved[kSum] = {};
        crt.Coefficient(x[i], x[i + residues.plane], x[i + 2 * residues.plane], c);
        for (unsigned k = 0; k < kWords; k++) {
            moved[shift + k] = c[k];
        }
        AddWords<kSum>(to, moved, 0);
    }
};

// Above: {above, 2} = floor(V / B^n) for V mod B^n in r. floor(V / B^(n - 2)) is the sum of two
// coefficients, `top`, and what comes from below, which is less than B^2 and so is what the limbs
// stored differ by.
DEVICE void Above(const RingJob &job, const double *x, const uint64_t *r, uint64_t (&above)[2]) {
    const uint64_t n = job.residues.count;
    uint64_t top[kWords + 1] = {}, borrow = 0;
    job.AddCoefficient(x, n - 2, 0, top);
    job.AddCoefficient(x, n - 1, 1, top);
    uint64_t below[kWords + 1] = {};
    below[0] = word_sub(r[n - 2], top[0], &borrow);
    below[1] = word_sub(r[n - 1], top[1], &borrow);
    AddWords<kWords + 1>(top, below, 0);
    above[0] = top[2], above[1] = top[3];
    assert(above[1] < 2 * n);
}

// A block for each product.
__global__ void __launch_bounds__(kRippleThreads)
    RingRowsKernel(const __grid_constant__ RingJob job) {
    struct Shared {
        BlockRipple ripple;
        int carry;
    };
    SHARED(Shared, s);
    WaitForKernelBefore();
    const product_item item = ProductItem(job.rows, blockIdx.x);
    const uint64_t n = job.residues.count;
    uint64_t *const r = item.r;
    if (threadIdx.x == 0) {
        uint64_t above[2], carry = 0;
        Above(job, job.residues.x + blockIdx.x * job.stride, r, above);
        r[0] = word_add(r[0], above[0], &carry);
        r[1] = word_add(r[1], above[1], &carry);
        s.carry = (int)carry;
    }
    __syncthreads();
    const int out = s.ripple.Step(r, 2, n, s.carry);
    s.ripple.Step(r, 0, n, out);  // nothing leaves the top again
    const bool modulus = s.ripple.First(r, 0, n, ~UINT64_C(0)) == n;
    for (uint64_t i = (modulus ? 0 : n) + threadIdx.x; i < item.rn; i += kRippleThreads) {
        r[i] = 0;
    }
}

}  // namespace

result ring_rows(const product_rows *rows, const recombine_residues *residues, uint64_t stride,
                 cuda_stream stream) {
    if (rows->count == 0) {
        return RESULT_OK;
    }
    if (residues->primes != FFT_PRIMES_USED || residues->bits != 64 ||
        residues->count < RING_ROWS_LEAST || residues->count > UINT64_C(1) << 32 ||
        rows->count > kMaxGridX) {
        return RESULT_REFUSED;
    }
    const RingJob job = {*rows, *residues, stride, MakeModularCrt()};
    const cudaError_t e =
        LaunchEarly(RingRowsKernel, (unsigned)rows->count, kRippleThreads, 0, stream, job);
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}
