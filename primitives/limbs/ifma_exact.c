// ifma_exact.c: see ifma_exact.h. Exact division from the lowest digit of 52 bits up, eight digits
// of the quotient at a time. Compiled for AVX-512 with IFMA and VBMI on x86-64, empty elsewhere.
// May include ifma_exact.h, digits.h, inverse.h. Proof: docs/proofs/division.md, section 7.
//
// T = 2^(416 V) - A in V vectors of eight sums. A block of the quotient, q_0 .. q_7, makes the sums
// of the lowest vector zero, one after the other, and then D times the block is added to the
// vectors above. D divides A if and only if that leaves 2^(416 V).
#include "primitives/limbs/ifma_exact.h"

#if defined(__x86_64__)

#include <assert.h>
#include <immintrin.h>

#include "primitives/limbs/digits.h"
#include "primitives/words/inverse.h"

enum { DIGITS = 8, VECTORS = (64 * LIMBS_DIVEXACT_MAX + 415) / 416 };

#define INLINE static inline __attribute__((always_inline))

// division: D's digits between two vectors of zeros; D's lowest vector moved up by 0 to 7 digits;
// k = -1 / D mod 2^52. t: the sums of the vectors above the block that is sought.
typedef struct {
    uint64_t d[DIGITS * (VECTORS + 2)], t[DIGITS * VECTORS];
    __m512i low[DIGITS], k;
    size_t vectors;  // of D
} __attribute__((aligned(64))) division;

// vector: digits 8 v .. 8 v + 7 of floor({ap, n} / 2^shift).
INLINE __m512i vector(const uint64_t *ap, size_t n, size_t v, unsigned shift) {
    const size_t byte = 52 * v + shift / 8;
    return byte < 8 * n ? digits_load_at(ap, n, byte, shift % 8) : _mm512_setzero_si512();
}

// complement: the same of 2^(416 V) - 1 - A.
INLINE __m512i complement(const uint64_t *ap, size_t n, size_t v, unsigned shift) {
    return _mm512_xor_si512(vector(ap, n, v, shift), digits_mask());
}

// carries: ceil(sum / 2^52), what a sum carries that is a multiple of 2^52 with what comes into it.
INLINE __m512i carries(__m512i sum) {
    return _mm512_srli_epi64(_mm512_add_epi64(sum, digits_mask()), 52);
}

static void set_divisor(division *s, const uint64_t *dp, size_t dn, unsigned shift) {
    const __m512i zero = _mm512_setzero_si512(), d = vector(dp, dn, 0, shift);
    s->low[0] = d;
    s->low[1] = _mm512_alignr_epi64(d, zero, 7);
    s->low[2] = _mm512_alignr_epi64(d, zero, 6);
    s->low[3] = _mm512_alignr_epi64(d, zero, 5);
    s->low[4] = _mm512_alignr_epi64(d, zero, 4);
    s->low[5] = _mm512_alignr_epi64(d, zero, 3);
    s->low[6] = _mm512_alignr_epi64(d, zero, 2);
    s->low[7] = _mm512_alignr_epi64(d, zero, 1);
    s->vectors = (64 * dn + 415) / 416;
    _mm512_store_si512(s->d, zero);
    _mm512_store_si512(s->d + DIGITS, d);
    for (size_t v = 1; v < s->vectors; v++) {
        _mm512_store_si512(s->d + DIGITS * (v + 1), vector(dp, dn, v, shift));
    }
    _mm512_store_si512(s->d + DIGITS * (s->vectors + 1), zero);
    const uint64_t above = dn > 1 ? dp[1] : 0;
    s->k = _mm512_set1_epi64(-(int64_t)word_inverse(dp[0] >> shift | above << 1 << (63 - shift)));
}

// block: digits of the quotient, each in all lanes of q[r], and all in one vector. carry: what the
// last digit's sum carries.
typedef struct {
    __m512i q[DIGITS], packed, carry;
} block;

// find: digit r of a block, which makes lane r of *x zero.
INLINE void find(block *b, __m512i *x, size_t r, const division *s) {
    const __m512i sum = _mm512_permutexvar_epi64(_mm512_set1_epi64((int64_t)r), *x);
    const __m512i q = _mm512_madd52lo_epu64(_mm512_setzero_si512(), sum, s->k);
    b->carry = carries(sum);
    b->packed = _mm512_mask_mov_epi64(b->packed, (__mmask8)(1u << r), q);
    b->q[r] = q;
    if (r + 1 < DIGITS) {  // lanes above r
        const __m512i up = _mm512_maskz_mov_epi64((__mmask8)(2u << r), b->carry);
        *x = _mm512_add_epi64(_mm512_madd52lo_epu64(*x, s->low[r], q),
                              _mm512_madd52hi_epu64(up, s->low[r + 1], q));
    }
}

// multiple: x + vector v of D times a block. Times digit r, low halves come from D's digits from
// 8 v - r on, high halves from those from 8 v - r - 1 on.
INLINE __m512i multiple(__m512i x, const division *s, size_t v, const __m512i *q) {
    const uint64_t *const d = s->d + DIGITS * (v + 1);
    const __m512i zero = _mm512_setzero_si512();
    __m512i lo[2] = {x, zero}, hi[2] = {zero, zero};
#pragma GCC unroll 9
    for (size_t r = 0; r <= DIGITS; r++) {
        const __m512i digits = _mm512_loadu_si512(d - r);
        if (r < DIGITS) lo[r % 2] = _mm512_madd52lo_epu64(lo[r % 2], digits, q[r]);
        if (r > 0) hi[r % 2] = _mm512_madd52hi_epu64(hi[r % 2], digits, q[r - 1]);
    }
    return _mm512_add_epi64(_mm512_add_epi64(lo[0], lo[1]), _mm512_add_epi64(hi[0], hi[1]));
}

// unequal: bits that are not zero where a vector of sums is no multiple of 2^52 with what the lanes
// below carry; *below is the vector below's carries, and becomes its own.
INLINE __m512i unequal(__m512i sum, __m512i *below) {
    const __m512i carry = carries(sum);
    const __m512i in = _mm512_alignr_epi64(carry, *below, 7);
    *below = carry;
    return _mm512_xor_si512(_mm512_add_epi64(sum, in), _mm512_slli_epi64(carry, 52));
}

// ends: whether the last block, of `digits` digits, leaves 2^(416 V). x: the block's vector.
static bool ends(const division *s, const block *b, __m512i x, size_t digits) {
    __m512i below = b->carry, bad = _mm512_setzero_si512();
    if (digits < DIGITS) {
        below = bad;  // what comes into lane `digits` has been added
        bad = unequal(_mm512_maskz_mov_epi64((__mmask8)(0xFFu << digits), x), &below);
    }
    for (size_t v = 1; v <= s->vectors; v++) {
        const __m512i t = _mm512_load_si512(s->t + DIGITS * (v - 1));
        bad = _mm512_or_si512(bad, unequal(multiple(t, s, v, b->q), &below));
    }
    return _mm512_test_epi64_mask(bad, bad) == 0;  // the topmost carry is 1 then
}

// The block before is added to the vectors from 2 above it on while the next one is sought, `step`
// vectors for each digit: a processor does both at once.
bool limbs_ifma_divexact(uint64_t *qp, size_t qn, const uint64_t *ap, size_t an, const uint64_t *dp,
                         size_t dn, unsigned shift) {
    division s;
    assert(qn >= 1 && 1 <= dn && dn <= LIMBS_DIVEXACT_MAX && an <= qn + dn && shift < 64);
    set_divisor(&s, dp, dn, shift);
    const size_t all = (64 * qn + 51) / 52, n = s.vectors, step = (n + DIGITS - 2) / DIGITS;
    const __m512i zero = _mm512_setzero_si512();
    __m512i x = _mm512_add_epi64(complement(ap, an, 0, shift), _mm512_maskz_set1_epi64(1, 1));
    for (size_t v = 1; v < n; v++) {
        _mm512_store_si512(s.t + DIGITS * (v - 1), complement(ap, an, v, shift));
    }
    block before = {.packed = zero};
    for (size_t u = 0, v = n;; u++, v = 1) {  // nothing to be added to the first vectors
        const size_t digits = all - DIGITS * u < DIGITS ? all - DIGITS * u : DIGITS;
        block b = {.packed = zero};
#pragma GCC unroll 8
        for (size_t r = 0; r < DIGITS; r++) {
            b.q[r] = zero;
            if (r < digits) find(&b, &x, r, &s);
            for (size_t end = v + step; v < end && v < n; v++) {  // t moves down by a vector
                const __m512i t = _mm512_load_si512(s.t + DIGITS * v);
                _mm512_store_si512(s.t + DIGITS * (v - 1), multiple(t, &s, v + 1, before.q));
            }
        }
        _mm512_store_si512(s.t + DIGITS * (n - 1), complement(ap, an, u + n, shift));
        digits_store(qp, qn, u, b.packed);
        if (DIGITS * (u + 1) >= all) return ends(&s, &b, x, digits);
        x = _mm512_add_epi64(_mm512_load_si512(s.t), _mm512_maskz_mov_epi64(1, b.carry));
        x = multiple(x, &s, 1, b.q);
        before = b;
    }
}

#endif
