// ring_device.cu: ring_device.h. Includes launch.cuh and block_ripple.cuh. Proof:
// docs/proofs/division.md, section 8.
#include "primitives/limbs/ring_device.h"

#include "primitives/cuda/launch.cuh"
#include "primitives/limbs/block_ripple.cuh"
#include "primitives/limbs/quotient.cuh"
#include "primitives/words/word.h"

namespace {

// low: p's lowest limbs; more: what is added to them. One thread adds few limbs, but their loads
// and stores are several threads', at once.
struct Shared {
    BlockRipple ripple;
    int carry;
    uint64_t a[LIMBS_RING_LOW], b[LIMBS_RING_LOW], c[LIMBS_RING_LOW];
    uint64_t low[LIMBS_RING_LOW], more[LIMBS_RING_LOW];
};
static_assert(LIMBS_RING_OVER <= LIMBS_RING_LOW, "room for both");

// --- Carries -------------------------------------------------------------------------------------
// Called by all threads of the only block.

// {p, n} += the signed number {w, count}, or less that. One thread; returns what leaves limb
// count - 1.
DEVICE int AddSigned(uint64_t *p, const uint64_t *w, unsigned count) {
    uint64_t carry = 0;
    for (unsigned i = 0; i < count; i++) {
        p[i] = word_add(p[i], w[i], &carry);
    }
    return (int)carry - (int)(w[count - 1] >> 63);
}
DEVICE int SubtractSigned(uint64_t *p, const uint64_t *w, unsigned count) {
    uint64_t borrow = 0;
    for (unsigned i = 0; i < count; i++) {
        p[i] = word_sub(p[i], w[i], &borrow);
    }
    return (int)(w[count - 1] >> 63) - (int)borrow;
}

// {p, n} += the LIMBS_RING_OVER limbs above it, in two's complement, or less these. Returns what
// leaves the top: 1, 0 or -1.
DEVICE int FoldOver(uint64_t *p, uint64_t n, bool minus, Shared &s) {
    const unsigned i = threadIdx.x;
    if (i < LIMBS_RING_OVER) {
        s.low[i] = p[i];
        s.more[i] = p[n + i];
    }
    __syncthreads();
    if (i == 0) {
        s.carry = minus ? SubtractSigned(s.low, s.more, LIMBS_RING_OVER)
                        : AddSigned(s.low, s.more, LIMBS_RING_OVER);
    }
    __syncthreads();
    if (i < LIMBS_RING_OVER) {
        p[i] = s.low[i];
    }
    const int carry = s.carry;
    __syncthreads();  // before another carry takes its place
    return s.ripple.Step(p, LIMBS_RING_OVER, n, carry);
}

// {p, n + LIMBS_RING_OVER} in two's complement becomes {p, n}, congruent modulo B^n - 1. Returns
// what left the top and entered limb 0; if that is 0, limb 0 is in s.low.
DEVICE int FoldMinus(uint64_t *p, uint64_t n, Shared &s) {
    const int out = FoldOver(p, n, false, s);
    s.ripple.Step(p, 0, n, out);  // nothing leaves the top again
    return out;
}

// The same modulo B^n + 1: {p, n + 1} is the residue. What left the top counts -1, and so does
// what leaves it again: 0 less 1 is B^n, and B^n - 1 and 1 more is that, too.
DEVICE void FoldPlus(uint64_t *p, uint64_t n, Shared &s) {
    const int out = FoldOver(p, n, true, s), again = s.ripple.Step(p, 0, n, -out);
    if (again < 0) {
        s.ripple.Step(p, 0, n, 1);
    }
    if (threadIdx.x == 0) {
        p[n] = again != 0 ? 1 : 0;
    }
}

// --- Residues ------------------------------------------------------------------------------------

__global__ void __launch_bounds__(kRippleThreads) SettleKernel(uint64_t *p, uint64_t n, bool plus) {
    SHARED(Shared, s);
    WaitForKernelBefore();
    if (plus) {
        FoldPlus(p, n, s);
        return;
    }
    // B^n - 1, all limbs of which are ones, is 0. Limb 0 is most often known to be something else.
    const bool may = FoldMinus(p, n, s) != 0 || s.low[0] == ~UINT64_C(0);
    if (may && s.ripple.First(p, 0, n, ~UINT64_C(0)) == n) {
        s.ripple.Step(p, 0, n, 1);
    }
}

// --- Integers ------------------------------------------------------------------------------------

DEVICE uint64_t LimbOf(const uint64_t *p, uint64_t n, uint64_t i) { return i < n ? p[i] : 0; }

// {p, n + low} = r in two's complement, from {p, n} that is congruent to it modulo B^n - 1, and at
// most that. Limbs of c - a b give k, r = {p, n} + k - k B^n: of {p, low} in s.low this makes r's,
// and -k in s.c. One thread; returns what leaves s.low.
DEVICE int LiftLow(unsigned count, Shared &s) {
    uint64_t borrow = 0;
    for (unsigned i = 0; i < count; i++) {  // c - a b modulo B^count, a column at a time
        uint64_t carry = 0;
        for (unsigned j = 0; i + j < count; j++) {
            uint64_t high, low = word_mul(&high, s.a[i], s.b[j]), bit = 0;
            low = word_add(low, carry, &bit);
            carry = high + bit;
            bit = 0;
            s.c[i + j] = word_sub(s.c[i + j], low, &bit);
            carry += bit;
        }
    }
    for (unsigned i = 0; i < count; i++) {
        s.more[i] = word_sub(s.c[i], s.low[i], &borrow);
    }
    borrow = 0;
    for (unsigned i = 0; i < count; i++) {
        s.c[i] = word_sub(0, s.more[i], &borrow);
    }
    return AddSigned(s.low, s.more, count);
}

__global__ void __launch_bounds__(kRippleThreads)
    LiftKernel(uint64_t *p, uint64_t *r_sign, const __grid_constant__ limbs_lift lift,
               const __grid_constant__ limbs_quotient quotient, bool corrects) {
    SHARED(Shared, s);
    WaitForKernelBefore();
    LetKernelAfterBegin();
    const uint64_t n = lift.n, all = n + lift.low;
    if (threadIdx.x < LIMBS_RING_LOW) {
        s.a[threadIdx.x] = LimbOf(lift.a, lift.an, threadIdx.x);
        s.b[threadIdx.x] = LimbOf(lift.b, lift.bn, threadIdx.x);
        s.c[threadIdx.x] = LimbOf(lift.c, lift.cn, threadIdx.x);
    }
    if (lift.one_at != UINT64_MAX) {
        s.ripple.Step(p, lift.one_at % n, n + LIMBS_RING_OVER, 1);
    }
    FoldMinus(p, n, s);
    if (threadIdx.x < lift.low) {
        s.low[threadIdx.x] = p[threadIdx.x];
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        s.carry = LiftLow(lift.low, s);
    }
    __syncthreads();
    if (threadIdx.x < lift.low) {
        p[threadIdx.x] = s.low[threadIdx.x];
        p[n + threadIdx.x] = s.c[threadIdx.x];
    }
    __syncthreads();
    s.ripple.Step(p, lift.low, all, s.carry);
    const bool negative = p[all - 1] >> 63 != 0;
    const uint64_t at = negative ? s.ripple.First(p, 0, all, 0) : 0;
    if (threadIdx.x == 0) {
        *r_sign = negative ? 1 : 0;
        p[all] = at;
    }
    if (corrects) {
        CorrectQuotient(s.ripple, quotient, negative);
    }
}

// |r|: where the sign is a minus, limbs below limb *at, the lowest that is not 0, stay, and those
// above are flipped.
__global__ void __launch_bounds__(kRippleThreads)
    MagnitudeKernel(uint64_t *p, uint64_t n, const uint64_t *sign, const uint64_t *at) {
    WaitForKernelBefore();
    if (*sign == 0) {
        return;
    }
    const uint64_t first = (uint64_t)blockIdx.x * kRippleTile + threadIdx.x, lowest = *at;
#pragma unroll
    for (unsigned k = 0; k < kRippleEach; k++) {
        const uint64_t i = first + k * kRippleThreads;
        if (i < n && i >= lowest) {
            p[i] = i == lowest ? 0 - p[i] : ~p[i];
        }
    }
}

}  // namespace

result limbs_device_settle(uint64_t *p, uint64_t n, bool plus, cuda_stream stream) {
    if (n < LIMBS_RING_LEAST) {
        return RESULT_REFUSED;
    }
    const cudaError_t error = LaunchEarly(SettleKernel, 1, kRippleThreads, 0, stream, p, n, plus);
    return error == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}

result limbs_device_lift_words(uint64_t *p, uint64_t *negative, const limbs_lift *lift,
                               const limbs_quotient *quotient, cuda_stream stream) {
    if (lift->low == 0 || lift->low > LIMBS_RING_LOW || lift->n < LIMBS_RING_LEAST ||
        lift->one_at < lift->low) {
        return RESULT_REFUSED;
    }
    const cudaError_t error =
        LaunchEarly(LiftKernel, 1, kRippleThreads, 0, stream, p, negative, *lift,
                    quotient != nullptr ? *quotient : limbs_quotient{}, quotient != nullptr);
    return error == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}

result limbs_device_lift(uint64_t *p, uint64_t *r_sign, const limbs_lift *lift,
                         cuda_stream stream) {
    const uint64_t all = lift->n + lift->low, blocks = word_ceil_div(all, (uint64_t)kRippleTile);
    if (blocks > kMaxGridX) {
        return RESULT_REFUSED;
    }
    const result lifted = limbs_device_lift_words(p, r_sign, lift, nullptr, stream);
    if (lifted != RESULT_OK) {
        return lifted;
    }
    const cudaError_t error =
        LaunchEarly(MagnitudeKernel, (unsigned)blocks, kRippleThreads, 0, stream, p, all,
                    (const uint64_t *)r_sign, (const uint64_t *)(p + all));
    return error == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}
