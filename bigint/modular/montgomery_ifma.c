// montgomery_ifma.c: see montgomery_ifma.h. Compiled for AVX-512 with IFMA on x86-64, empty
// elsewhere.
#include "bigint/modular/montgomery_ifma.h"

#include <assert.h>
#include <string.h>

#define DIGIT_MASK (((uint64_t)1 << MONTGOMERY_IFMA_BITS) - 1)

size_t montgomery_ifma_words(size_t digits) {
    static const uint8_t sizes[] = {1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 17, 20};
    size_t i = 0;
    while (8 * (size_t)sizes[i] < digits) {
        i++;
    }
    return 8 * (size_t)sizes[i];
}

void montgomery_ifma_unpack(uint64_t *r, size_t digits, const uint64_t *ap, size_t n) {
    memset(r, 0, montgomery_ifma_words(digits) * sizeof *r);
    montgomery_digits_put(r, 1, digits, ap, n);
}

void montgomery_ifma_pack(uint64_t *rp, size_t n, const uint64_t *a, size_t digits) {
    montgomery_digits_get(rp, n, a, digits);
}

#if defined(__AVX512IFMA__)

#include <immintrin.h>

bool montgomery_ifma_built(void) { return true; }

enum { VECTORS_MAX = MONTGOMERY_IFMA_DIGITS_MAX / 8 };

// shifted: the digits x moved up by one, the topmost of `below` coming in.
static inline __m512i shifted(__m512i x, __m512i below) { return _mm512_alignr_epi64(x, below, 7); }

// carry_all: r = the digits of the sums s. One round leaves digits of at most 2^52 - 1 + 2^12; the
// carries of 0 and 1 that remain come from one addition of masks (docs/proofs/carry.md, 4).
static void carry_all(uint64_t *r, const __m512i *s, size_t vectors) {
    const __m512i mask = _mm512_set1_epi64((int64_t)DIGIT_MASK);
    __m512i below = _mm512_setzero_si512();  // what the vector below carries out of its digits
    unsigned carry = 0;
    for (size_t v = 0; v < vectors; v++) {
        const __m512i out = _mm512_srli_epi64(s[v], MONTGOMERY_IFMA_BITS);
        const __m512i digits = _mm512_add_epi64(_mm512_and_si512(s[v], mask), shifted(out, below));
        below = out;
        const unsigned generate = _mm512_cmpgt_epu64_mask(digits, mask);
        const unsigned propagate = _mm512_cmpeq_epu64_mask(digits, mask);
        const unsigned carries = ((generate << 1 | carry) + propagate) ^ propagate;
        carry = carries >> 8;
        const __m512i one = _mm512_set1_epi64(1);
        _mm512_store_si512(
            r + 8 * v,
            _mm512_and_si512(_mm512_mask_add_epi64(digits, (__mmask8)carries, digits, one), mask));
    }
    assert(carry == 0);  // the result is below 4 M'
}

void montgomery_ifma_add(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t digits) {
    const size_t vectors = montgomery_ifma_words(digits) / 8;
    __m512i s[VECTORS_MAX];
    for (size_t v = 0; v < vectors; v++) {
        s[v] = _mm512_add_epi64(_mm512_load_si512(a + 8 * v), _mm512_load_si512(b + 8 * v));
    }
    carry_all(r, s, vectors);
}

// product: montgomery_ifma_mul for a number of vectors that the compiler knows.
//
// With M' = 2^52 M1 - 1 a step removes the lowest digit q of t by t = floor(t / 2^52) + M1 q, and
// adds the next digit of b times a. High halves weigh one digit more than low ones: the high halves
// of a b_i are added after t has moved down, and the ones of M1 q_i after it has moved again.
//
// The next q waits for the move, one addition and one multiplication of t, if what is added is
// summed up beside it; many vectors have other work to do meanwhile and save the additions.
static inline __attribute__((always_inline)) void product(uint64_t *r, const uint64_t *a,
                                                          const uint64_t *b, const uint64_t *m1,
                                                          size_t digits, size_t vectors, bool few) {
    const __m512i zero = _mm512_setzero_si512();
    __m512i t[VECTORS_MAX + 1], bi = _mm512_set1_epi64((int64_t)b[0]), q_before = zero;
#pragma GCC unroll 20
    for (size_t v = 0; v < vectors; v++) {
        t[v] = _mm512_madd52lo_epu64(zero, _mm512_load_si512(a + 8 * v), bi);
    }
    t[vectors] = zero;
    for (size_t i = 1; i <= digits; i++) {
        const __m512i b_next = _mm512_set1_epi64(i < digits ? (int64_t)b[i] : 0);
        const __m512i q =
            _mm512_broadcastq_epi64(_mm512_castsi512_si128(t[0]));  // 52 bits are read
        const __m512i carry = _mm512_maskz_srli_epi64(1, t[0], MONTGOMERY_IFMA_BITS);
#pragma GCC unroll 20
        for (size_t v = 0; v < vectors; v++) {
            const __m512i av = _mm512_load_si512(a + 8 * v), mv = _mm512_load_si512(m1 + 8 * v);
            const __m512i moved = _mm512_alignr_epi64(t[v + 1], t[v], 1);
            __m512i more = few || v == 0 ? zero : moved;
            more = _mm512_madd52hi_epu64(more, mv, q_before);
            more = _mm512_madd52hi_epu64(more, av, bi);
            more = _mm512_madd52lo_epu64(more, av, b_next);
            if (v == 0) {
                more = _mm512_add_epi64(more, carry);
            }
            more = few || v == 0 ? _mm512_add_epi64(more, moved) : more;
            t[v] = _mm512_madd52lo_epu64(more, mv, q);
        }
        bi = b_next;
        q_before = q;
    }
    __m512i below = zero;
#pragma GCC unroll 20
    for (size_t v = 0; v < vectors; v++) {
        const __m512i high = _mm512_madd52hi_epu64(zero, _mm512_load_si512(m1 + 8 * v), q_before);
        t[v] = _mm512_add_epi64(t[v], shifted(high, below));
        below = high;
    }
    carry_all(r, t, vectors);
}

void montgomery_ifma_mul(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *m1,
                         size_t digits) {
    const size_t vectors = montgomery_ifma_words(digits) / 8;
    assert(digits >= 1 && digits <= MONTGOMERY_IFMA_DIGITS_MAX);
    switch (vectors) {
        case 1:
            product(r, a, b, m1, digits, 1, true);
            break;
        case 2:
            product(r, a, b, m1, digits, 2, true);
            break;
        case 3:
            product(r, a, b, m1, digits, 3, true);
            break;
        case 4:
            product(r, a, b, m1, digits, 4, true);
            break;
        case 5:
            product(r, a, b, m1, digits, 5, true);
            break;
        case 6:
            product(r, a, b, m1, digits, 6, true);
            break;
        case 8:
            product(r, a, b, m1, digits, 8, false);
            break;
        case 10:
            product(r, a, b, m1, digits, 10, false);
            break;
        case 12:
            product(r, a, b, m1, digits, 12, false);
            break;
        case 14:
            product(r, a, b, m1, digits, 14, false);
            break;
        case 17:
            product(r, a, b, m1, digits, 17, false);
            break;
        case 20:
            product(r, a, b, m1, digits, 20, false);
            break;
    }
}

#else

bool montgomery_ifma_built(void) { return false; }

void montgomery_ifma_mul(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *m1,
                         size_t digits) {
    (void)r, (void)a, (void)b, (void)m1, (void)digits;
    assert(!"montgomery_ifma_built() is false");
}

void montgomery_ifma_add(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t digits) {
    (void)r, (void)a, (void)b, (void)digits;
    assert(!"montgomery_ifma_built() is false");
}

#endif
