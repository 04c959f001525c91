// block_division.cu: block_division.h, by one block or by a cluster (block_columns.cuh). Includes
// the rooms' device headers. Proof: docs/proofs/division.md, section 6.
#include "bigint/device/kernels/block_division.h"

#include "bigint/device/kernels/block_columns.cuh"
#include "primitives/cuda/launch.cuh"

namespace {

constexpr unsigned kCluster = 8;        // blocks that divide long numbers together
constexpr unsigned kClusterLeast = 64;  // limbs of a divisor that is long enough for them
// What makes an estimate no less than the quotient, in units of its fraction's limb.
constexpr uint64_t kMore = 6;

// --- First limbs ---------------------------------------------------------------------------------
// Up to a warp's limbs one warp divides limb after limb, since steps would take most of their time
// to wait for one another.

// WordReciprocal: floor((B^2 - 1) / e) - B, for e >= B / 2: by doubles that are made too small,
// twice, after which the quotient is at most 1 too small.
DEVICE uint64_t WordReciprocal(uint64_t e) {
    const double inverse = (1 - 0x1p-50) / (double)e;
    uint64_t quotient = (uint64_t)((double)~e * (inverse * 0x1p64)), rest[2] = {~UINT64_C(0), ~e};
    const auto take = [&](uint64_t q) {
        uint64_t high, borrow = 0;
        const uint64_t low = word_mul(&high, q, e);
        rest[0] = word_sub(rest[0], low, &borrow);
        rest[1] = word_sub(rest[1], high, &borrow);
    };
    take(quotient);
    const uint64_t more = (uint64_t)(((double)rest[1] * 0x1p64 + (double)rest[0]) * inverse);
    take(more);
    return quotient + more + (rest[1] != 0 || rest[0] >= e ? 1 : 0);
}

// WarpDivisor: the top limbs of a divisor, the highest bit set, and floor((B^3 - 1) / {d0, d1}) -
// B. Source: [MollerGranlund11], algorithms 6 and 4.
struct WarpDivisor {
    uint64_t d1, d0, v;

    DEVICE WarpDivisor(uint64_t high, uint64_t low) : d1(high), d0(low), v(WordReciprocal(high)) {
        uint64_t p = d1 * v + d0, t1;
        if (p < d0) {
            v -= p >= d1 ? 2 : 1;
            p -= p >= d1 ? 2 * d1 : d1;
        }
        const uint64_t t0 = word_mul(&t1, v, d0);
        p += t1;
        if (p < t1) {
            v -= p > d1 || (p == d1 && t0 >= d0) ? 2 : 1;
        }
    }

    // The quotient of {u0, u1, u2} by {d0, d1}, at most B - 1; {u1, u2} is at most {d0, d1}.
    DEVICE uint64_t Quotient(uint64_t u2, uint64_t u1, uint64_t u0) const {
        if (u2 == d1 && u1 == d0) {
            return ~UINT64_C(0);
        }
        uint64_t q1, t1, carry = 0, borrow = 0;
        const uint64_t q0 = word_add(word_mul(&q1, v, u2), u1, &carry);
        q1 += u2 + carry;
        const uint64_t t0 = word_mul(&t1, d0, q1);
        uint64_t r0 = word_sub(u0, t0, &borrow), r1 = u1 - q1 * d1 - t1 - borrow;
        borrow = 0;
        r0 = word_sub(r0, d0, &borrow);
        r1 -= d1 + borrow;
        q1++;
        if (r1 >= q0) {
            carry = 0;
            r0 = word_add(r0, d0, &carry);
            r1 += d1 + carry;
            q1--;
        }
        return q1 + (r1 > d1 || (r1 == d1 && r0 >= d0) ? 1 : 0);
    }
};

// FirstLimbs: {to, k + 1} = floor((B^(2 k) - 1) / {e, k}), k <= kWarp, of which limb k is 1: one
// warp divides ~E B^k + B^k - 1. Lanes hold limbs, the last one the highest.
DEVICE void FirstLimbs(uint64_t *to, const uint64_t *e, unsigned k) {
    const unsigned lane = Lane(), below = kWarp - k;
    const uint64_t own = lane < below ? 0 : e[lane - below];
    const WarpDivisor divisor(Broadcast(own, kWarp - 1), Broadcast(own, kWarp - 2));
    uint64_t rest = lane < below ? 0 : ~own, digit = 0;
#pragma unroll 1
    for (unsigned left = k; left-- > 0;) {
        const uint64_t u2 = Broadcast(rest, kWarp - 1), up = ShuffleUp(rest, 1);
        rest = lane > below ? up : lane == below ? ~UINT64_C(0) : 0;
        uint64_t q = divisor.Quotient(u2, Broadcast(rest, kWarp - 1), Broadcast(rest, kWarp - 2));
        uint64_t high;
        const uint64_t low = word_mul(&high, own, q), of_high = ShuffleUp(high, 1);
        const uint64_t high_below = lane == 0 ? 0 : of_high;
        const uint64_t once = rest - low, twice = once - high_below;
        const unsigned less = (rest < low ? 1 : 0) + (once < high_below ? 1 : 0);
        const unsigned of_less = ShuffleUp(less, 1), less_below = lane == 0 ? 0 : of_less;
        rest = twice - less_below;
        const uint64_t borrows =
            CarriesInto(__ballot_sync(kAllLanes, twice < less_below),
                        __ballot_sync(kAllLanes, twice >= less_below && rest == 0), 0);
        rest -= borrows >> lane & 1;
        if (Broadcast(u2 - high - less, kWarp - 1) != (borrows >> kWarp & 1)) {  // q is 1 too large
            q--;
            const uint64_t sum = rest + own;
            const uint64_t carries = CarriesInto(__ballot_sync(kAllLanes, sum < rest),
                                                 __ballot_sync(kAllLanes, sum == ~UINT64_C(0)), 0);
            rest = sum + (carries >> lane & 1);
        }
        digit = lane == left ? q : digit;
    }
    if (lane < k) {
        to[lane] = digit;
    }
    if (lane == 0) {
        to[k] = 1;
    }
}

// --- Reciprocals ---------------------------------------------------------------------------------

DEVICE unsigned HalfOf(unsigned k) { return k - (k - 1) / 2; }

// The length from which `steps` steps lead to k.
DEVICE unsigned LengthBefore(unsigned k, unsigned steps) {
    while (steps-- > 0) {
        k = HalfOf(k);
    }
    return k;
}

// Step: {to, k + 1} from the reciprocal {x, h + 1} of the top h limbs of {e, k}, k - h < h: X B^l +
// X T / B^(2h), T = B^(k + h) - E X, l = k - h >= 2. Columns that lie more than two limbs below
// what is kept are left out.
DEVICE void Step(Shared &s, uint64_t *to, const uint64_t *x, const uint64_t *e, unsigned k,
                 unsigned h) {
    const unsigned l = k - h, from = l - 2;
    Multiply(s, from, k + 2 - from, e, k, x, h + 1);
    // -T modulo B^(k + 2). |T| / B^l < 2^6 B^h.
    const uint64_t *const v = s.product + 2;
    const uint64_t flip = v[h + 1] >> 63 != 0 ? ~UINT64_C(0) : 0;
    for (unsigned i = threadIdx.x; i <= h; i += kThreads) {
        s.factor[i] = v[i] ^ flip;
    }
    __syncthreads();
    // |X T| / B^(2h) < 2^8 B^l
    Multiply(s, 2 * h - l - 2, l + 3, s.factor, h + 1, x, h + 1);
    const uint64_t *const f = s.product + 2;
    for (unsigned i = threadIdx.x; i < l; i += kThreads) {
        to[i] = f[i] ^ ~flip;
    }
    AddUp(
        s, to + l, h + 1, 0, [&](unsigned c) { return x[c]; },
        [&](unsigned c) { return (c == 0 ? f[l] : 0) ^ ~flip; });
}

// Reciprocal: of {e, k}, k + 1 limbs, in the shared array that is returned.
DEVICE uint64_t *Reciprocal(Shared &s, const uint64_t *e, unsigned k) {
    unsigned steps = 0, h = k;
    for (; h > kWarp; h = HalfOf(h)) {
        steps++;
    }
    if (threadIdx.x < kWarp) {
        FirstLimbs(s.x[0], e + k - h, h);
    }
    __syncthreads();
    for (unsigned i = 1; i <= steps; i++) {
        const unsigned to = LengthBefore(k, steps - i);
        Step(s, s.x[i % 2], s.x[1 - i % 2], e + k - to, to, h);
        h = to;
    }
    return s.x[steps % 2];
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
    LetKernelAfterBegin();
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
