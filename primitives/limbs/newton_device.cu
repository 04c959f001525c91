// newton_device.cu: newton_device.h. Includes launch.cuh and block_ripple.cuh. Proof:
// docs/proofs/division.md, section 6.
#include "primitives/limbs/newton_device.h"

#include "primitives/cuda/launch.cuh"
#include "primitives/limbs/block_ripple.cuh"
#include "primitives/limbs/quotient.cuh"
#include "primitives/limbs/warp_limbs.cuh"

namespace {

struct Shared {
    BlockRipple ripple;
    bool last;
    int carry;
    uint64_t one, stop;  // where the power is added, and where its carry ends
    uint64_t a[LIMBS_RING_LOW], b[LIMBS_RING_LOW], above[LIMBS_RING_LOW];
};

// Upper: limbs_upper as a kernel takes it; lift.n = 0: there is none.
struct Upper {
    const uint64_t *p;
    uint64_t n;
    limbs_lift lift;

    explicit Upper(const limbs_upper &of)
        : p(of.p), n(of.n), lift(of.lift != nullptr ? *of.lift : limbs_lift{}) {}

    // Begin adds the power, and finds the limbs above the ring. V = W + K (1 - B^n) for what is
    // left, W, the limbs over the ring added to its lowest: those of V and W give K, and -K stands
    // above. By all threads of the block; a barrier follows.
    DEVICE void Begin(Shared &s) const {
        if (threadIdx.x == 0) {
            s.one = s.stop = UINT64_MAX;
        }
        const bool power = lift.n != 0 && lift.one_at != UINT64_MAX;
        if (power) {  // a carry is rare, so every block looks for the limb where it stops
            const uint64_t one = lift.one_at % lift.n;
            const uint64_t stop =
                p[one] != ~UINT64_C(0) ? one : s.ripple.First(p, one, lift.n, ~UINT64_C(0));
            if (threadIdx.x == 0) {
                s.one = one, s.stop = stop;
            }
        }
        __syncthreads();
        if (lift.n != 0 && threadIdx.x < kWarp) {
            const unsigned lane = Lane(), low = lift.low, over = LIMBS_RING_OVER - 1;
            const auto limb = [&](const uint64_t *of, uint64_t count) {
                return lane < low && lane < count ? of[lane] : 0;
            };
            const uint64_t own = lane < low ? Ring(s, lane) : 0, c = limb(lift.c, lift.cn);
            const uint64_t sign = (uint64_t)((int64_t)p[lift.n + over] >> 63);
            const uint64_t out = power && lane == 0 && s.stop == lift.n ? 1 : 0;
            const uint64_t more = WarpSum<false>(lane <= over ? p[lift.n + lane] : sign, out);
            if (lane < LIMBS_RING_LOW) {
                s.a[lane] = limb(lift.a, lift.an);
                s.b[lane] = limb(lift.b, lift.bn);
            }
            __syncwarp();
            const uint64_t w = WarpSum<false>(own, more);
            const uint64_t above =
                WarpSum<true>(WarpSum<false>(w, WarpLowProduct(s.a, s.b, low)), c);
            if (lane < low) {
                s.above[lane] = above;
            }
        }
        __syncthreads();
    }
    // The power's limb and those that its carry passes are one more.
    DEVICE uint64_t Ring(const Shared &s, uint64_t i) const {
        return p[i] + (i >= s.one && i <= s.stop ? 1 : 0);
    }
    DEVICE uint64_t Limb(const Shared &s, uint64_t i) const {
        return lift.n == 0 || i < lift.n ? Ring(s, i) : s.above[i - lift.n];
    }
};

bool ValidLift(const limbs_upper &v, uint64_t below) {
    const limbs_lift *lift = v.lift;
    return lift == nullptr ||
           (lift->low >= 1 && lift->low <= LIMBS_RING_LOW && lift->n >= LIMBS_RING_LEAST &&
            lift->n + lift->low >= v.n && lift->one_at >= lift->low && below >= 2 * LIMBS_RING_LOW);
}

// ForEachLimb: one(i) for the calling thread's limbs i < n of the block's tiles.
template <class F>
DEVICE void ForEachLimb(uint64_t n, F one) {
    const uint64_t step = (uint64_t)gridDim.x * kRippleTile;
    for (uint64_t tile = (uint64_t)blockIdx.x * kRippleTile; tile < n; tile += step) {
#pragma unroll
        for (unsigned k = 0; k < kRippleEach; k++) {
            const uint64_t i = tile + k * kRippleThreads + threadIdx.x;
            if (i < n) {
                one(i);
            }
        }
    }
}

// IsLast: whether this block ends last; it then sees what all others wrote.
DEVICE bool IsLast(uint32_t *finished, Shared &s) {
    __syncthreads();
    if (threadIdx.x == 0) {
        s.last = AddAcquireRelease(finished, 1) == gridDim.x - 1;
        if (s.last) {
            *finished = 0;
        }
    }
    __syncthreads();
    return s.last;
}

// An index below 0 wraps around to one beyond every end.
__global__ void __launch_bounds__(kRippleThreads)
    ResidualKernel(uint64_t *tp, uint64_t tn, uint64_t *t_sign, const __grid_constant__ Upper v,
                   bool flip) {
    SHARED(Shared, s);
    WaitForKernelBefore();
    v.Begin(s);
    const bool negative = v.Limb(s, v.n - 1) >> 63 != 0;
    const uint64_t mask = negative ? ~UINT64_C(0) : 0;
    LetKernelAfterBegin();
    ForEachLimb(tn, [&](uint64_t i) {
        const uint64_t j = i + v.n - tn;
        tp[i] = (j < v.n ? v.Limb(s, j) : 0) ^ mask;
    });
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        *t_sign = negative != flip ? 1 : 0;
    }
}

__global__ void __launch_bounds__(kRippleThreads)
    RefineKernel(uint64_t *rp, uint64_t rn, const uint64_t *hp, const __grid_constant__ Upper of,
                 uint64_t l, unsigned right, const uint64_t *sign, uint32_t *finished) {
    SHARED(Shared, s);
    WaitForKernelBefore();
    of.Begin(s);
    const auto f = [&](uint64_t i) { return of.Limb(s, of.n - 1 - l + i); };
    const uint64_t mask = *sign != 0 ? ~UINT64_C(0) : 0;
    ForEachLimb(rn, [&](uint64_t i) {
        if (i < l) {
            const uint64_t above = right == 0 ? 0 : f(i + 1) << (64 - right);
            rp[i] = (f(i) >> right | above) ^ mask;
        } else {
            rp[i] = hp[i - l];
        }
    });
    if (!IsLast(finished, s)) {
        return;
    }
    if (threadIdx.x == 0) {
        const uint64_t high = hp[0], top = (uint64_t)((int64_t)f(l) >> right) ^ mask,
                       sum = high + top;
        rp[l] = sum;
        s.carry = top >> 63 == 0 ? (sum < high ? 1 : 0) : (sum > high ? -1 : 0);
    }
    __syncthreads();
    s.ripple.Step(rp, l + 1, rn, s.carry);
}

__global__ void __launch_bounds__(kRippleThreads)
    RoundKernel(uint64_t *rp, uint64_t rn, const uint64_t *pp, uint64_t more) {
    SHARED(Shared, s);
    WaitForKernelBefore();
    // A carry is rare, so every block looks for the limb where it stops: all ones below become 0.
    const bool carry = pp[0] + more < more;
    const uint64_t stop = carry ? s.ripple.First(pp, 1, rn + 1, ~UINT64_C(0)) : 0;
    LetKernelAfterBegin();
    ForEachLimb(rn, [&](uint64_t i) { rp[i] = pp[i + 1] + (i < stop ? 1 : 0); });
}

__global__ void __launch_bounds__(kRippleThreads)
    CorrectKernel(const __grid_constant__ limbs_quotient x) {
    SHARED(Shared, s);
    WaitForKernelBefore();
    CorrectQuotient(s.ripple, x, x.q != nullptr && *x.less != 0);
}

// Run: a launch of a block for each tile of n limbs, or, since each first finds what all need, of
// as many blocks as run at once.
#if defined(__CUDACC__)
constexpr uint64_t kMostBlocks = 1024;
#else
constexpr uint64_t kMostBlocks = 2;
#endif
template <class K, class... A>
result Run(K kernel, uint64_t n, cudaStream_t stream, A... arguments) {
    const uint64_t tiles = (n + kRippleTile - 1) / kRippleTile;
    const uint64_t blocks = tiles < kMostBlocks ? tiles : kMostBlocks;
    if (blocks == 0) {
        return RESULT_REFUSED;
    }
    const cudaError_t error =
        LaunchEarly(kernel, (unsigned)blocks, kRippleThreads, 0, stream, arguments...);
    return error == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}

}  // namespace

result limbs_device_residual(uint64_t *tp, uint64_t tn, uint64_t *t_sign, limbs_upper v, bool flip,
                             cuda_stream stream) {
    return v.n == 0 || (v.lift != nullptr && (v.n < tn || !ValidLift(v, v.n - tn)))
               ? RESULT_REFUSED
               : Run(ResidualKernel, tn, stream, tp, tn, t_sign, Upper(v), flip);
}

result limbs_device_refine(uint64_t *rp, uint64_t rn, const uint64_t *hp, limbs_upper of,
                           uint64_t l, unsigned right, const uint64_t *sign, uint32_t *finished,
                           cuda_stream stream) {
    return l >= rn || l >= of.n || right > 63 || !ValidLift(of, of.n - 1 - l)
               ? RESULT_REFUSED
               : Run(RefineKernel, rn, stream, rp, rn, hp, Upper(of), l, right, sign, finished);
}

result limbs_device_round(uint64_t *rp, uint64_t rn, const uint64_t *pp, uint64_t more,
                          cuda_stream stream) {
    return Run(RoundKernel, rn, stream, rp, rn, pp, more);
}

result limbs_device_correct(const limbs_quotient *quotient, cuda_stream stream) {
    return Run(CorrectKernel, 1, stream, *quotient);
}
