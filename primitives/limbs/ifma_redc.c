// ifma_redc.c: see ifma_redc.h. Montgomery's reduction in digits of 52 bits, eight of the quotient
// at a time. Compiled for AVX-512 with IFMA and VBMI on x86-64, empty elsewhere. May include
// ifma_redc.h, digits.h. Proof: docs/proofs/powm.md, section 14.
//
// The digits of T are sums, a vector of eight after the other. A block of the quotient, q_0 .. q_7,
// makes the digits of the lowest vector zero, one after the other, and then M times the block is
// added to the vectors above. Two blocks are added in one pass, and the next two are found behind
// the pass's first vectors: a processor does both at once.
#include "primitives/limbs/ifma_redc.h"

#if defined(__x86_64__)

#include <assert.h>
#include <immintrin.h>

#include "primitives/limbs/digits.h"

enum { DIGITS = 8, BOTH = 2 * DIGITS, AT_ONCE = 2 };

#define INLINE inline __attribute__((always_inline))

// A window is a vector of M's digits, 8 v - s .. 8 v - s + 7, at [8 v + s] for s < 8. What it adds
// to the sums of vector v times digit s of a block is low halves, and times digit s - 1 high ones.
static inline __m512i window(const __m512i *w, size_t v, size_t s) {
    return w[s < 8 ? 8 * v + s : 8 * (v - 1)];
}

void limbs_ifma_redc_prepare(uint64_t *w, const uint64_t *mp, size_t n) {
    const size_t vectors = limbs_redc_vectors(n);
    uint64_t digits[8 * (LIMBS_REDC_VECTORS_MAX + 3)] __attribute__((aligned(64)));
    assert(n >= 1 && n <= LIMBS_REDC_BLOCKS_MAX);
    for (size_t v = 0; v < vectors + 3; v++) {
        const size_t from = v - 1;  // a vector of zeros below M, two above
        const __m512i x =
            v >= 1 && 52 * from < 8 * n ? digits_load(mp, n, from) : _mm512_setzero_si512();
        _mm512_store_si512(digits + 8 * v, x);
    }
    for (size_t v = 0; v < vectors + 2; v++) {
        for (size_t s = 0; s < 8; s++) {
            _mm512_store_si512(w + 8 * (8 * v + s), _mm512_loadu_si512(digits + 8 * (v + 1) - s));
        }
    }
}

static INLINE void broadcast(__m512i *b, const uint64_t *q) {
#pragma GCC unroll 8
    for (size_t i = 0; i < DIGITS; i++) b[i] = _mm512_set1_epi64((int64_t)q[i]);
}

// add_window: x + vector v of M times a block.
static INLINE __m512i add_window(__m512i x, const __m512i *w, size_t v, const __m512i *b) {
    __m512i lo = x, hi = _mm512_setzero_si512();
#pragma GCC unroll 8
    for (size_t s = 0; s < DIGITS; s++) {
        lo = _mm512_madd52lo_epu64(lo, window(w, v, s), b[s]);
        hi = _mm512_madd52hi_epu64(hi, window(w, v, s + 1), b[s]);
    }
    return _mm512_add_epi64(lo, hi);
}

// search: for the two blocks {q, 16} that make the vectors 0 and 1 of t zero modulo 2^416 each, a
// digit after the other. x: the vector of the block that is sought; found: digits.
typedef struct {
    uint64_t *q, *t;
    __m512i x, block;
    size_t found;
} search;

static INLINE search search_of(uint64_t *q, uint64_t *t) {
    return (search){q, t, _mm512_load_si512(t), _mm512_setzero_si512(), 0};
}

// find: the next digit. k = -1 / M mod 2^52.
static INLINE void find(search *s, const __m512i *w, __m512i k) {
    const size_t r = s->found % DIGITS;
    const __m512i zero = _mm512_setzero_si512();
    const __m512i digit = _mm512_permutexvar_epi64(_mm512_set1_epi64((int64_t)r), s->x);
    const __m512i q = _mm512_madd52lo_epu64(zero, digit, k);
    // with what digit lacks to a multiple of 2^52
    const __m512i carry = _mm512_srli_epi64(_mm512_add_epi64(digit, digits_mask()), 52);
    s->block = _mm512_mask_mov_epi64(s->block, (__mmask8)(1u << r), q);
    s->found++;
    if (r + 1 < DIGITS) {
        const __m512i up = _mm512_maskz_mov_epi64((__mmask8)(2u << r), carry);
        s->x = _mm512_add_epi64(_mm512_madd52lo_epu64(s->x, window(w, 0, r), q),
                                _mm512_madd52hi_epu64(up, window(w, 0, r + 1), q));
        return;
    }
    __m512i b[DIGITS];
    const size_t next = s->found / DIGITS;
    uint64_t *const above = s->t + 8 * next;
    _mm512_store_si512(s->q + 8 * (next - 1), s->block);
    s->x = _mm512_add_epi64(_mm512_load_si512(above), _mm512_maskz_mov_epi64(1, carry));
    if (next == 1) {
        broadcast(b, s->q);
        s->x = add_window(s->x, w, 1, b);
    } else {
        _mm512_store_si512(above, s->x);
    }
}

// add_two: to the vectors 0 and 1 of t, vectors v and v + 1 of M times block b, and v - 1 and v
// times block c.
static INLINE void add_two(uint64_t *t, const __m512i *w, size_t v, const __m512i *b,
                           const __m512i *c) {
    __m512i lo[AT_ONCE], hi[AT_ONCE];
#pragma GCC unroll 2
    for (size_t i = 0; i < AT_ONCE; i++) {
        lo[i] = _mm512_load_si512(t + 8 * i);
        hi[i] = _mm512_setzero_si512();
    }
#pragma GCC unroll 9
    for (size_t s = 0; s <= DIGITS; s++) {
        __m512i x[AT_ONCE + 1];
#pragma GCC unroll 3
        for (size_t i = 0; i <= AT_ONCE; i++) x[i] = window(w, v + i - 1, s);
#pragma GCC unroll 2
        for (size_t i = 0; i < AT_ONCE; i++) {
            if (s < DIGITS) {
                lo[i] = _mm512_madd52lo_epu64(lo[i], x[i + 1], b[s]);
                hi[i] = _mm512_madd52lo_epu64(hi[i], x[i], c[s]);
            }
            if (s > 0) {
                hi[i] = _mm512_madd52hi_epu64(hi[i], x[i + 1], b[s - 1]);
                lo[i] = _mm512_madd52hi_epu64(lo[i], x[i], c[s - 1]);
            }
        }
    }
#pragma GCC unroll 2
    for (size_t i = 0; i < AT_ONCE; i++) {
        _mm512_store_si512(t + 8 * i, _mm512_add_epi64(lo[i], hi[i]));
    }
}

// reduce: the sums t, of which the lowest `vectors` vectors become zero with M times the quotient,
// and lose their meaning.
static void reduce(uint64_t *t, const __m512i *w, size_t vectors, uint64_t inverse) {
    const __m512i k = _mm512_set1_epi64((int64_t)inverse);  // 52 bits are read
    uint64_t q[BOTH] __attribute__((aligned(64)));
    search next = search_of(q, t);
    while (next.found < BOTH) {
        find(&next, w, k);
    }
    for (size_t u = 2; u <= vectors; u += 2) {
        __m512i b[DIGITS], c[DIGITS];
        uint64_t *const above = t + 8 * u;
        broadcast(b, q);
        broadcast(c, q + DIGITS);
        add_two(above, w, 2, b, c);
        next = search_of(q, above);
        next.found = u == vectors ? BOTH : 0;  // there are no more
        for (size_t v = 2; v < vectors; v += 2) {
            if (next.found < BOTH) {
                find(&next, w, k);
                find(&next, w, k);
            }
            add_two(above + 8 * v, w, v + 2, b, c);
        }
        while (next.found < BOTH) {
            find(&next, w, k);
        }
    }
}

void limbs_ifma_redc_blocks(uint64_t *tp, const uint64_t *w, size_t n, uint64_t inverse) {
    const size_t vectors = limbs_redc_vectors(n);
    uint64_t t[8 * (2 * LIMBS_REDC_VECTORS_MAX + 2)] __attribute__((aligned(64)));
    assert(n >= 1 && n <= LIMBS_REDC_BLOCKS_MAX);
    for (size_t v = 0; v < 2 * vectors + 2; v++) {
        _mm512_store_si512(t + 8 * v,
                           52 * v < 16 * n ? digits_load(tp, 2 * n, v) : _mm512_setzero_si512());
    }
    reduce(t, (const __m512i *)(const void *)w, vectors, inverse);
    digits_carry carry = digits_no_carry();
    for (size_t v = 0; 52 * v < 8 * (n + 1); v++) {
        digits_store(tp, n + 1, v, digits_of(&carry, _mm512_load_si512(t + 8 * (vectors + v))));
    }
    assert(carry.one == 0);  // below 2 M
}

#endif
