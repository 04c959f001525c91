// block_division.cu: block_division.h, by one block or by a cluster (block_columns.cuh). Includes
// the rooms' device headers. Proof: docs/proofs/division.md, section 6.
#include "bigint/device/kernels/block_division.h"

#include "bigint/device/kernels/block_columns.cuh"
#include "primitives/cuda/launch.cuh"

namespace {

constexpr unsigned kCluster = 8;        // blocks that divide long numbers together
constexpr unsigned kClusterLeast = 64;  // limbs of a divisor that is long enough for them
constexpr unsigned kOfWarp = 40;        // limbs of a reciprocal up to which a warp makes the steps
// What makes an estimate no less than the quotient, in units of its fraction's limb.
constexpr uint64_t kMore = 6;

// --- Reciprocals ---------------------------------------------------------------------------------

DEVICE unsigned HalfOf(unsigned k) { return k - (k - 1) / 2; }

// The length from which `steps` steps lead to k.
DEVICE unsigned LengthBefore(unsigned k, unsigned steps) {
    while (steps-- > 0) {
        k = HalfOf(k);
    }
    return k;
}

// Step: {to, k + 1} from the reciprocal {x, h + 1} of the top h limbs of {e, k}, k <= 2 h: X B^l +
// X T / B^(2h), T = B^(k + h) - E X, l = k - h. Columns that lie more than two limbs below what is
// kept are left out.
template <unsigned kTeam>
DEVICE void Step(Shared &s, uint64_t *to, const uint64_t *x, const uint64_t *e, unsigned k,
                 unsigned h) {
    const unsigned l = k - h, from = l < 2 ? 0 : l - 2;
    Multiply<kTeam>(s, from, k + 2 - from, e, k, x, h + 1);
    // -T modulo B^(k + 2), which has the power for h = 1 alone. |T| / B^l < 2^6 B^h.
    const uint64_t *const v = s.product + (l - from);
    const uint64_t minus = v[h + 1] - (h == 1 ? 1 : 0);
    const uint64_t flip = minus >> 63 != 0 ? ~UINT64_C(0) : 0;
    for (unsigned i = threadIdx.x; i <= h; i += kTeam * kWarp) {
        s.factor[i] = v[i] ^ flip;
    }
    Barrier<kTeam>();
    // |X T| / B^(2h) < 2^8 B^l
    const unsigned skip = 2 * h - l < 2 ? 2 * h - l : 2;
    Multiply<kTeam>(s, 2 * h - l - skip, skip + l + 1, s.factor, h + 1, x, h + 1);
    const uint64_t *const f = s.product + skip;
    for (unsigned i = threadIdx.x; i < l; i += kTeam * kWarp) {
        to[i] = f[i] ^ ~flip;
    }
    AddUp<kTeam>(
        s, to + l, h + 1, 0, [&](unsigned c) { return x[c]; },
        [&](unsigned c) { return (c == 0 ? f[l] : 0) ^ ~flip; });
}

// WordReciprocal: floor((B^2 - 1) / e) - B, bit after bit, for e >= B / 2.
DEVICE uint64_t WordReciprocal(uint64_t e) {
    uint64_t rest = ~e, quotient = 0;
#pragma unroll 1
    for (unsigned bit = 0; bit < 64; bit++) {
        const bool above = rest >> 63 != 0;
        rest = rest << 1 | 1;
        const bool fits = above || rest >= e;
        rest -= fits ? e : 0;
        quotient = quotient << 1 | (fits ? 1 : 0);
    }
    return quotient;
}

// StepOf: of `steps` steps from 2 limbs to k, the one after which `left` are left.
template <unsigned kTeam>
DEVICE void StepOf(Shared &s, const uint64_t *e, unsigned k, unsigned steps, unsigned left) {
    const unsigned to = LengthBefore(k, left), h = LengthBefore(k, left + 1);
    const unsigned at = (steps - left) % 2;
    Step<kTeam>(s, s.x[at], s.x[1 - at], e + k - to, to, h);
}

// Reciprocal: of {e, k}, k + 1 limbs, in the shared array that is returned. B^2 / e for one limb,
// then steps to 2, 3, ... limbs, to up to kOfWarp by the first warp.
DEVICE uint64_t *Reciprocal(Shared &s, const uint64_t *e, unsigned k) {
    const bool first_warp = threadIdx.x < kWarp;
    if (first_warp) {
        if (threadIdx.x == 0) {
            s.x[1][0] = WordReciprocal(e[k - 1]), s.x[1][1] = 1;
        }
        __syncwarp();
        if (k >= 2) {
            Step<1>(s, s.x[0], s.x[1], e + k - 2, 2, 1);
        }
        if (k == 2) {  // after one step from one limb it is only within 41
            Step<1>(s, s.x[1], s.x[0], e, 2, 2);
        }
    }
    unsigned steps = 0;
    while (k > 2 && LengthBefore(k, steps) > 2) {
        steps++;
    }
    unsigned left = steps;
    for (; left > 0 && LengthBefore(k, left - 1) <= kOfWarp; left--) {
        if (first_warp) {
            StepOf<1>(s, e, k, steps, left - 1);
        }
    }
    __syncthreads();
    for (; left > 0; left--) {
        StepOf<kWarps>(s, e, k, steps, left - 1);
    }
    return k <= 2 ? s.x[1] : s.x[steps % 2];
}

// --- Kernels -------------------------------------------------------------------------------------

// Limb i of {p, n} 2^shift, i < 2^63 or below 0.
DEVICE uint64_t Shifted(const uint64_t *p, uint64_t n, uint64_t i, unsigned shift) {
    const uint64_t own = i < n ? p[i] << shift : 0;
    return shift != 0 && i - 1 < n ? own | p[i - 1] >> (64 - shift) : own;
}

__global__ void __launch_bounds__(kThreads)
    ReciprocalKernel(uint64_t *xp, unsigned k, const uint64_t *dp, uint64_t dn, unsigned shift,
                     unsigned blocks) {
    DYNAMIC_SHARED(Shared, shared);
    Shared &s = *shared;
    ClusterBegin(s, blocks);
    WaitForKernelBefore();
    for (unsigned i = threadIdx.x; i < k; i += kThreads) {
        s.d[i] = Shifted(dp, dn, dn - k + i, shift);
    }
    __syncthreads();
    const uint64_t *const x = Reciprocal(s, s.d, k);
    for (unsigned i = threadIdx.x; i <= k && s.rank == 0; i += kThreads) {
        xp[i] = x[i];
    }
    ClusterEnd(s);
}

// Estimate: factor = floor(W / D) or one more, b + 1 limbs, for W = {window, n + b} < D B^b and the
// reciprocal {x, k + 1} of D's top k limbs, b < k.
DEVICE void Estimate(Shared &s, unsigned n, unsigned b, const uint64_t *x, unsigned k) {
    Multiply(s, k - 2, b + 4, s.window + n - 1, b + 1, x, k + 1);
    const unsigned carry = s.product[2] + kMore < kMore ? 1 : 0;
    AddUp(
        s, s.factor, b + 1, carry, [&](unsigned c) { return s.product[3 + c]; },
        [](unsigned) { return UINT64_C(0); });
}

// Subtract: the remainder {product, n} of W by D = {d, n}, and factor one less where that was too
// large.
DEVICE void Subtract(Shared &s, const uint64_t *d, unsigned n, unsigned b) {
    Multiply(s, 0, n + 1, d, n, s.factor, b + 1);
    AddUp(
        s, s.product, n + 1, 1, [&](unsigned c) { return s.window[c]; },
        [&](unsigned c) { return ~s.product[c]; });
    const bool less = s.product[n] != 0;
    __syncthreads();
    if (less) {
        AddUp(
            s, s.product, n + 1, 0, [&](unsigned c) { return s.product[c]; },
            [&](unsigned c) { return c < n ? d[c] : 0; });
        AddUp(
            s, s.factor, b + 1, 0, [&](unsigned c) { return s.factor[c]; },
            [](unsigned) { return ~UINT64_C(0); });
    }
}

__global__ void __launch_bounds__(kThreads)
    DivisionKernel(const __grid_constant__ block_division x, unsigned blocks) {
    DYNAMIC_SHARED(Shared, shared);
    Shared &s = *shared;
    ClusterBegin(s, blocks);
    WaitForKernelBefore();
    const unsigned n = (unsigned)x.dn, m = x.qn < kBlock ? (unsigned)x.qn : kBlock, k = m + 1;
    const unsigned pad = k > n ? k - n : 0;
    uint64_t *const d = s.d + pad;
    for (unsigned i = threadIdx.x; i < pad + n; i += kThreads) {
        s.d[i] = i < pad ? 0 : Shifted(x.d, n, i - pad, x.shift);
    }
    __syncthreads();
    const uint64_t *const reciprocal = Reciprocal(s, s.d + pad + n - k, k);
    for (uint64_t left = x.qn; left > 0;) {
        const bool first = left == x.qn;
        const unsigned b = left % m != 0 ? (unsigned)(left % m) : m;
        left -= b;
        for (unsigned i = threadIdx.x; i < n + b; i += kThreads) {
            s.window[i] = i < b || first ? Shifted(x.a, x.an, left + i, x.shift) : s.product[i - b];
        }
        __syncthreads();
        Estimate(s, n, b, reciprocal, k);
        Subtract(s, d, n, b);
        for (unsigned i = threadIdx.x; i < b && x.q != nullptr && s.rank == 0; i += kThreads) {
            x.q[left + i] = s.factor[i];
        }
    }
    for (unsigned i = threadIdx.x; i < n && x.r != nullptr && s.rank == 0; i += kThreads) {
        const uint64_t above = i + 1 < n ? s.product[i + 1] : 0;
        x.r[i] = x.shift == 0 ? s.product[i] : s.product[i] >> x.shift | above << (64 - x.shift);
    }
    if (threadIdx.x == 0 && s.rank == 0) {
        if (x.q != nullptr) {
            *x.q_sign = *x.a_sign ^ *x.d_sign;
        }
        if (x.r != nullptr) {
            *x.r_sign = *x.a_sign;
        }
    }
    ClusterEnd(s);
}

// BlocksFor: of the cluster for a divisor of n limbs; 1: no cluster.
cudaError_t BlocksFor(uint64_t n, unsigned *blocks) {
    int major = 0, multiprocessors = 0;
    cudaError_t e = DeviceAttribute(cudaDevAttrComputeCapabilityMajor, &major);
    e = e == cudaSuccess ? DeviceAttribute(cudaDevAttrMultiProcessorCount, &multiprocessors) : e;
    const unsigned most =
        (unsigned)multiprocessors < kCluster ? (unsigned)multiprocessors : kCluster;
    *blocks = major < 9 || n < kClusterLeast ? 1 : most;
    return e;
}

// Run: a launch for a divisor of n limbs.
template <class K, class... A>
result Run(K kernel, uint64_t n, cudaStream_t stream, A... arguments) {
    unsigned blocks = 1;
    cudaError_t e = BlocksFor(n, &blocks);
    e = e == cudaSuccess ? AllowShared(kernel, sizeof(Shared)) : e;
    if (e == cudaSuccess) {
        e = blocks > 1
                ? LaunchClusterEarly(kernel, blocks, kThreads, blocks, sizeof(Shared), stream,
                                     arguments..., blocks)
                : LaunchEarly(kernel, 1, kThreads, sizeof(Shared), stream, arguments..., blocks);
    }
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}

}  // namespace

result block_reciprocal(uint64_t *xp, uint64_t k, const uint64_t *dp, uint64_t dn, unsigned shift,
                        cuda_stream stream) {
    if (k == 0 || k > kReciprocal) {
        return RESULT_REFUSED;
    }
    return Run(ReciprocalKernel, k, stream, xp, (unsigned)k, dp, dn, shift);
}

result block_divide(const block_division *division, cuda_stream stream) {
    if (division->dn == 0 || division->dn > kDivisor || division->qn == 0) {
        return RESULT_REFUSED;
    }
    return Run(DivisionKernel, division->dn, stream, *division);
}
