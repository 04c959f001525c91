// block_division.cu: block_division.h. Numbers are in shared memory, and columns of products are
// shared out among the threads. Includes the rooms' device headers. Proof: docs/proofs/division.md,
// section 6.
#include "bigint/device/kernels/block_division.h"

#include "carry/ripple.cuh"
#include "primitives/cuda/instructions.cuh"
#include "primitives/cuda/launch.cuh"
#include "primitives/cuda/warp.cuh"
#include "primitives/words/word.h"

namespace {

constexpr unsigned kWarps = 20, kThreads = kWarps * kWarp;
constexpr unsigned kReciprocal = BLOCK_RECIPROCAL_MOST, kDivisor = BLOCK_DIVISION_MOST;
constexpr unsigned kBlock = 288;  // limbs of a quotient that are found at a time
constexpr unsigned kColumns = kDivisor + 1;
constexpr unsigned kOfWarp = 40;  // limbs of a reciprocal up to which a warp makes the steps
// What makes an estimate no less than the quotient, in units of its fraction's limb.
constexpr uint64_t kMore = 6;
static_assert(kBlock + 1 <= kReciprocal && kReciprocal / 2 + 6 <= kColumns, "room for products");

using Ripple = CarryRipple<kWarps>;

struct Shared {
    Ripple::Shared ripple;
    unsigned carry;
    uint64_t d[kDivisor], x[2][kReciprocal + 1], window[kDivisor + kBlock];
    uint64_t product[kColumns + 1], factor[kBlock + 1];
    uint64_t words[3][kColumns], over[kColumns];
};
static_assert(sizeof(Shared) <= 48 << 10, "static shared memory");

// --- Teams ---------------------------------------------------------------------------------------
// The first steps of a reciprocal are a warp's, since barriers of the block would take most of
// their time. What follows is called by all threads of the first kTeam warps, 1 or all, and ends
// with their barrier.

template <unsigned kTeam>
DEVICE void Barrier() {
    static_assert(kTeam == 1 || kTeam == kWarps, "a barrier of its own");
    if constexpr (kTeam == 1) {
        __syncwarp();
    } else {
        __syncthreads();
    }
}

// CarryInto: the carry into the calling thread's limb, where `carry` enters the team's lowest, and
// becomes what leaves the highest. last: no carry is wanted after this.
template <unsigned kTeam>
DEVICE unsigned CarryInto(Shared &s, carry_state mine, bool last, unsigned &carry) {
    if constexpr (kTeam == 1) {
        uint32_t generate, propagate;
        CarryRipple<1>::Ballot(mine, &generate, &propagate);
        const uint64_t into = CarriesInto(generate, propagate, carry);
        carry = (unsigned)(into >> kWarp) & 1;
        return (unsigned)(into >> Lane()) & 1;
    } else {
        Ripple ripple;
        const carry_state tile = ripple.Tile(mine, s.ripple);
        const unsigned into = ripple.Into(carry, s.ripple);
        if (!last) {
            if (threadIdx.x == 0) {
                s.carry = carry_apply(tile, carry);
            }
            __syncthreads();
            carry = s.carry;
            __syncthreads();  // before the next tile's
        }
        return into;
    }
}

// --- Sums and products ---------------------------------------------------------------------------

// AddUp: out[c] = a(c) + b(c) and carries, c < count. `carry` enters at c = 0. out may be what a
// and b read at the same c.
template <unsigned kTeam = kWarps, class A, class B>
DEVICE void AddUp(Shared &s, uint64_t *out, unsigned count, unsigned carry, A a, B b) {
    constexpr unsigned kOfTeam = kTeam * kWarp;
    for (unsigned base = 0; base < count; base += kOfTeam) {
        const unsigned c = base + threadIdx.x;
        const uint64_t x = c < count ? a(c) : 0, sum = x + (c < count ? b(c) : 0);
        const carry_state mine = sum < x               ? CARRY_GENERATE
                                 : sum == ~UINT64_C(0) ? CARRY_PROPAGATE
                                                       : CARRY_KILL;
        const unsigned into = CarryInto<kTeam>(s, mine, base + kOfTeam >= count, carry);
        if (c < count) {
            out[c] = sum + into;
        }
    }
    Barrier<kTeam>();
}

// Column: a sum of up to 2^20 products of limbs, in products of half limbs of equal weight.
struct Column {
    uint32_t even[3] = {}, odd[3] = {}, next[3] = {};

    DEVICE void Add(uint64_t a, uint64_t b) {
        const uint32_t a0 = (uint32_t)a, a1 = (uint32_t)(a >> 32);
        const uint32_t b0 = (uint32_t)b, b1 = (uint32_t)(b >> 32);
        MultiplyAdd(even, a0, b0);
        MultiplyAdd(odd, a0, b1);
        MultiplyAdd(odd, a1, b0);
        MultiplyAdd(next, a1, b1);
    }

    DEVICE void Words(uint64_t (&w)[3]) const {
        uint64_t carry = 0;
        w[0] = word_add(even[0] | (uint64_t)even[1] << 32, (uint64_t)odd[0] << 32, &carry);
        w[1] = word_add(even[2], odd[1] | (uint64_t)odd[2] << 32, &carry);
        w[2] = next[2] + carry;
        carry = 0;
        w[1] = word_add(w[1], next[0] | (uint64_t)next[1] << 32, &carry);
        w[2] += carry;
    }
};

DEVICE void AddWords3(uint64_t (&w)[3], const uint64_t (&v)[3]) {
    uint64_t carry = 0;
    w[0] = word_add(w[0], v[0], &carry);
    w[1] = word_add(w[1], v[1], &carry);
    w[2] += v[2] + carry;
}

// Columns: words[.][c] = the sum of a[i] b[j - i] for j = from + c, c < count. Several lanes share
// a column where there are few.
template <unsigned kTeam>
DEVICE void Columns(Shared &s, unsigned from, unsigned count, const uint64_t *a, unsigned an,
                    const uint64_t *b, unsigned bn) {
    constexpr unsigned kOfTeam = kTeam * kWarp;
    unsigned lg = 0;
    while (1u << lg < kWarp && count << (lg + 1) <= kOfTeam) {
        lg++;
    }
    const unsigned lanes = 1u << lg;
    for (unsigned base = 0; base < count; base += kOfTeam >> lg) {
        const unsigned c = base + (threadIdx.x >> lg), j = from + c;
        const unsigned end = j < an ? j + 1 : an;
        unsigned i = (j < bn ? 0 : j - bn + 1) + threadIdx.x % lanes;
        Column column;
        // Counted down, so that the loop can be unrolled.
        const unsigned pairs = c < count && i < end ? ((end - 1 - i) >> lg) + 1 : 0;
#pragma unroll 4
        for (unsigned left = pairs; left > 0; left--, i += lanes) {
            column.Add(a[i], b[j - i]);
        }
        uint64_t w[3];
        column.Words(w);
        for (unsigned by = 1; by < lanes; by *= 2) {
            const uint64_t v[3] = {ShuffleXor(w[0], by), ShuffleXor(w[1], by),
                                   ShuffleXor(w[2], by)};
            AddWords3(w, v);
        }
        if (c < count && threadIdx.x % lanes == 0) {
            s.words[0][c] = w[0], s.words[1][c] = w[1], s.words[2][c] = w[2];
        }
    }
    Barrier<kTeam>();
}

// Multiply: product = limbs [from, from + count) of the sum of the columns from `from` on.
template <unsigned kTeam = kWarps>
DEVICE void Multiply(Shared &s, unsigned from, unsigned count, const uint64_t *a, unsigned an,
                     const uint64_t *b, unsigned bn) {
    Columns<kTeam>(s, from, count, a, an, b, bn);
    for (unsigned c = threadIdx.x; c < count; c += kTeam * kWarp) {
        uint64_t carry = 0, more = 0;
        const uint64_t two = word_add(s.words[0][c], c < 1 ? 0 : s.words[1][c - 1], &carry);
        s.product[c] = word_add(two, c < 2 ? 0 : s.words[2][c - 2], &more);
        s.over[c] = carry + more;
    }
    Barrier<kTeam>();
    AddUp<kTeam>(
        s, s.product, count, 0, [&](unsigned c) { return s.product[c]; },
        [&](unsigned c) { return c < 1 ? 0 : s.over[c - 1]; });
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
    ReciprocalKernel(uint64_t *xp, unsigned k, const uint64_t *dp, uint64_t dn, unsigned shift) {
    SHARED(Shared, s);
    WaitForKernelBefore();
    for (unsigned i = threadIdx.x; i < k; i += kThreads) {
        s.d[i] = Shifted(dp, dn, dn - k + i, shift);
    }
    __syncthreads();
    const uint64_t *const x = Reciprocal(s, s.d, k);
    for (unsigned i = threadIdx.x; i <= k; i += kThreads) {
        xp[i] = x[i];
    }
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
    DivisionKernel(const __grid_constant__ block_division x) {
    SHARED(Shared, s);
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
        for (unsigned i = threadIdx.x; i < b && x.q != nullptr; i += kThreads) {
            x.q[left + i] = s.factor[i];
        }
    }
    for (unsigned i = threadIdx.x; i < n && x.r != nullptr; i += kThreads) {
        const uint64_t above = i + 1 < n ? s.product[i + 1] : 0;
        x.r[i] = x.shift == 0 ? s.product[i] : s.product[i] >> x.shift | above << (64 - x.shift);
    }
    if (threadIdx.x == 0) {
        if (x.q != nullptr) {
            *x.q_sign = *x.a_sign ^ *x.d_sign;
        }
        if (x.r != nullptr) {
            *x.r_sign = *x.a_sign;
        }
    }
}

}  // namespace

result block_reciprocal(uint64_t *xp, uint64_t k, const uint64_t *dp, uint64_t dn, unsigned shift,
                        cuda_stream stream) {
    if (k == 0 || k > kReciprocal) {
        return RESULT_REFUSED;
    }
    const cudaError_t error =
        LaunchEarly(ReciprocalKernel, 1, kThreads, 0, stream, xp, (unsigned)k, dp, dn, shift);
    return error == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}

result block_divide(const block_division *division, cuda_stream stream) {
    if (division->dn == 0 || division->dn > kDivisor || division->qn == 0) {
        return RESULT_REFUSED;
    }
    const cudaError_t error = LaunchEarly(DivisionKernel, 1, kThreads, 0, stream, *division);
    return error == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}
