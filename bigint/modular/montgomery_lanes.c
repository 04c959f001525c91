// montgomery_lanes.c: see montgomery_lanes.h. Compiled for AVX-512 with IFMA on x86-64, without
// products elsewhere.
#include "bigint/modular/montgomery_lanes.h"

#include <assert.h>
#include <string.h>

#define DIGIT_MASK (((uint64_t)1 << MONTGOMERY_LANES_BITS) - 1)

void montgomery_lanes_put(uint64_t *r, size_t digits, unsigned k, const uint64_t *ap, size_t n) {
    montgomery_digits_put(r + k, MONTGOMERY_LANES, digits, ap, n);
}

#if defined(__AVX512IFMA__)

#include "primitives/limbs/transpose.h"

bool montgomery_lanes_built(void) { return true; }

enum { ROWS = 4 };

// part: s plus a column of four digits x times a row: low halves of x_j row[-j], high halves of
// x_j row[-j - 1], as far as these digits are from `first` to `end` - 1.
static inline __attribute__((always_inline)) __m512i part(__m512i s, const __m512i *x,
                                                          const uint64_t *row, ptrdiff_t first,
                                                          ptrdiff_t end) {
    __m512i high = _mm512_setzero_si512();
#pragma GCC unroll 4
    for (ptrdiff_t j = 0; j < ROWS; j++) {
        if (first <= -j && -j < end) {
            s = _mm512_madd52lo_epu64(s, x[j], _mm512_load_si512(row - 8 * j));
        }
        if (first <= -j - 1 && -j - 1 < end) {
            high = _mm512_madd52hi_epu64(high, x[j], _mm512_load_si512(row - 8 * (j + 1)));
        }
    }
    return _mm512_add_epi64(s, high);
}

// add_rows: sums += {x, ROWS} {row, n}, n >= ROWS: columns ROWS .. n + ROWS - 1, and those below
// with `lowest`.
static inline __attribute__((always_inline)) void add_rows(uint64_t *sums, const __m512i *x,
                                                           const uint64_t *row, size_t n,
                                                           bool lowest) {
#pragma GCC unroll 4
    for (ptrdiff_t c = 0; lowest && c < ROWS; c++) {
        const __m512i s = _mm512_load_si512(sums + 8 * c);
        _mm512_store_si512(sums + 8 * c, part(s, x, row + 8 * c, -c, 1));
    }
    for (size_t c = ROWS; c < n; c += ROWS) {
        __m512i w[2 * ROWS], s[ROWS], h[ROWS];
#pragma GCC unroll 8
        for (size_t k = 0; k < 2 * ROWS; k++) {
            w[k] = _mm512_load_si512(row + 8 * (c + k - ROWS));
        }
#pragma GCC unroll 4
        for (size_t k = 0; k < ROWS; k++) {
            s[k] = _mm512_load_si512(sums + 8 * (c + k));
            h[k] = _mm512_setzero_si512();
        }
#pragma GCC unroll 4
        for (size_t j = 0; j < ROWS; j++) {
#pragma GCC unroll 4
            for (size_t k = 0; k < ROWS; k++) {
                s[k] = _mm512_madd52lo_epu64(s[k], x[j], w[ROWS + k - j]);
                h[k] = _mm512_madd52hi_epu64(h[k], x[j], w[ROWS + k - j - 1]);
            }
        }
#pragma GCC unroll 4
        for (size_t k = 0; k < ROWS; k++) {
            _mm512_store_si512(sums + 8 * (c + k), _mm512_add_epi64(s[k], h[k]));
        }
    }
#pragma GCC unroll 4
    for (ptrdiff_t c = 0; c < ROWS; c++) {
        uint64_t *const at = sums + 8 * (n + (size_t)c);
        const __m512i s = _mm512_load_si512(at);
        _mm512_store_si512(at, part(s, x, row + 8 * (n + (size_t)c), -ROWS, -c));
    }
}

static inline void load_rows(__m512i *x, const uint64_t *a) {
#pragma GCC unroll 4
    for (size_t j = 0; j < ROWS; j++) {
        x[j] = _mm512_load_si512(a + 8 * j);
    }
}

static void multiply(uint64_t *sums, const uint64_t *a, const uint64_t *b, size_t digits) {
    for (size_t i = 0; i < digits; i += ROWS) {
        __m512i x[ROWS];
        load_rows(x, a + 8 * i);
        add_rows(sums + 8 * i, x, b, digits, true);
    }
}

// square: products of two different digits first, doubled together.
static void square(uint64_t *sums, const uint64_t *a, size_t digits) {
    for (size_t i = 0; i < digits; i += ROWS) {
        __m512i x[ROWS];
        load_rows(x, a + 8 * i);
#pragma GCC unroll 8
        for (size_t c = 1; c < 2 * ROWS - 1; c++) {  // the columns of two rows
            __m512i s = _mm512_load_si512(sums + 8 * (2 * i + c));
#pragma GCC unroll 4
            for (size_t j = 0; j < ROWS; j++) {
                if (j < c - j && c - j < ROWS) {
                    s = _mm512_madd52lo_epu64(s, x[j], x[c - j]);
                }
                if (j + 1 < c - j && c - 1 - j < ROWS) {
                    s = _mm512_madd52hi_epu64(s, x[j], x[c - 1 - j]);
                }
            }
            _mm512_store_si512(sums + 8 * (2 * i + c), s);
        }
        if (i + ROWS < digits) {
            add_rows(sums + 8 * (2 * i + ROWS), x, a + 8 * (i + ROWS), digits - i - ROWS, true);
        }
    }
    for (size_t i = 0; i < digits; i++) {
        const __m512i x = _mm512_load_si512(a + 8 * i);
        __m512i low = _mm512_load_si512(sums + 16 * i);
        __m512i high = _mm512_load_si512(sums + 16 * i + 8);
        low = _mm512_madd52lo_epu64(_mm512_add_epi64(low, low), x, x);
        high = _mm512_madd52hi_epu64(_mm512_add_epi64(high, high), x, x);
        _mm512_store_si512(sums + 16 * i, low);
        _mm512_store_si512(sums + 16 * i + 8, high);
    }
}

// reduce adds q M such that the lower half of the columns becomes 0; its carry is added to the
// column above, the columns themselves are not written.
static void reduce(const montgomery_lanes *m, uint64_t *sums) {
    const __m512i inverse = _mm512_load_si512(m->inverse), zero = _mm512_setzero_si512();
    const uint64_t *const modulus = m->modulus;
    for (size_t i = 0; i < m->digits; i += ROWS, sums += 8 * ROWS) {
        __m512i q[ROWS], carry = zero;
#pragma GCC unroll 4
        for (size_t c = 0; c < ROWS; c++) {
            __m512i s = _mm512_add_epi64(_mm512_load_si512(sums + 8 * c), carry);
#pragma GCC unroll 4
            for (size_t j = 0; j < c; j++) {
                s = _mm512_madd52lo_epu64(s, q[j], _mm512_load_si512(modulus + 8 * (c - j)));
                s = _mm512_madd52hi_epu64(s, q[j], _mm512_load_si512(modulus + 8 * (c - j - 1)));
            }
            q[c] = _mm512_madd52lo_epu64(zero, s, inverse);
            s = _mm512_madd52lo_epu64(s, q[c], _mm512_load_si512(modulus));
            carry = _mm512_srli_epi64(s, MONTGOMERY_LANES_BITS);
        }
        const __m512i above = _mm512_load_si512(sums + 8 * ROWS);
        _mm512_store_si512(sums + 8 * ROWS, _mm512_add_epi64(above, carry));
        add_rows(sums, q, modulus, m->digits, false);
    }
}

void montgomery_lanes_mul(const montgomery_lanes *m, uint64_t *r, const uint64_t *a,
                          const uint64_t *b, const uint64_t *c, unsigned twice) {
    const size_t digits = m->digits;
    const __m512i mask = _mm512_set1_epi64((int64_t)DIGIT_MASK);
    uint64_t *const upper = m->sums + 8 * digits;
    assert(digits % ROWS == 0 && digits > 0 && digits <= MONTGOMERY_LANES_DIGITS_MAX);
    memset(m->sums, 0, montgomery_lanes_sums_words(digits) * sizeof *m->sums);
    if (a == b) {
        square(m->sums, a, digits);
    } else {
        multiply(m->sums, a, b, digits);
    }
    reduce(m, m->sums);
    __m512i carry = _mm512_setzero_si512();
    for (size_t i = 0; i < digits; i++) {
        __m512i s = _mm512_load_si512(upper + 8 * i);
        s = _mm512_add_epi64(_mm512_mask_slli_epi64(s, (__mmask8)twice, s, 1), carry);
        s = c == NULL ? s : _mm512_add_epi64(s, _mm512_load_si512(c + 8 * i));
        _mm512_store_si512(r + 8 * i, _mm512_and_si512(s, mask));
        carry = _mm512_srli_epi64(s, MONTGOMERY_LANES_BITS);
    }
    assert(_mm512_test_epi64_mask(carry, carry) == 0);  // the result is below 4 M
}

// --- Limbs and digits ----------------------------------------------------------------------------

// limbs_most: the limbs of the longest number, rounded up to whole rows of transpose.h.
static size_t limbs_most(const size_t *n) {
    size_t most = 0;
    for (unsigned k = 0; k < MONTGOMERY_LANES; k++) {
        most = n[k] > most ? n[k] : most;
    }
    return (most + TRANSPOSE_LIMBS - 1) / TRANSPOSE_LIMBS * TRANSPOSE_LIMBS;
}

static inline void which_of(__mmask8 *which, const size_t *n, size_t at) {
#pragma GCC unroll 8
    for (unsigned k = 0; k < MONTGOMERY_LANES; k++) {
        which[k] = transpose_which(n[k], at);
    }
}

void montgomery_lanes_put_all(uint64_t *r, size_t digits, const uint64_t *const *ap,
                              const size_t *n, uint64_t *ws) {
    const __m512i mask = _mm512_set1_epi64((int64_t)DIGIT_MASK), zero = _mm512_setzero_si512();
    const size_t most = limbs_most(n);
    assert(8 * (most + 1) <= montgomery_lanes_sums_words(digits));
    for (size_t at = 0; at < most; at += TRANSPOSE_LIMBS) {
        __mmask8 which[MONTGOMERY_LANES];
        __m512i limb[TRANSPOSE_LIMBS];
        which_of(which, n, at);
        transpose_in(limb, ap, at, which);
        for (size_t i = 0; i < TRANSPOSE_LIMBS; i++) {
            _mm512_store_si512(ws + 8 * (at + i), limb[i]);
        }
    }
    _mm512_store_si512(ws + 8 * most, zero);
    for (size_t i = 0; i < digits; i++) {
        const size_t bit = i * MONTGOMERY_LANES_BITS, limb = bit / 64;
        const __m512i shift = _mm512_set1_epi64((int64_t)(bit % 64));
        const __m512i x = limb >= most
                              ? zero
                              : _mm512_shrdv_epi64(_mm512_load_si512(ws + 8 * limb),
                                                   _mm512_load_si512(ws + 8 * (limb + 1)), shift);
        _mm512_store_si512(r + 8 * i, _mm512_and_si512(x, mask));
    }
}

// limb_of: limb i of all lanes: it begins in digit i 64 / 52 and ends in the next or the one after.
// Shifts by 64 and more give 0.
static inline __m512i limb_of(const uint64_t *a, size_t digits, size_t i) {
    const size_t first = 64 * i / MONTGOMERY_LANES_BITS, bit = 64 * i % MONTGOMERY_LANES_BITS;
    __m512i x = _mm512_setzero_si512();
    for (size_t j = 0; j < 3 && first + j < digits; j++) {
        const __m512i digit = _mm512_load_si512(a + 8 * (first + j));
        const int64_t shift = (int64_t)(j * MONTGOMERY_LANES_BITS) - (int64_t)bit;
        x = _mm512_or_si512(x, j == 0 ? _mm512_srlv_epi64(digit, _mm512_set1_epi64(-shift))
                                      : _mm512_sllv_epi64(digit, _mm512_set1_epi64(shift)));
    }
    return x;
}

void montgomery_lanes_get_all(uint64_t *const *rp, const size_t *n, const uint64_t *a,
                              size_t digits) {
    const size_t most = limbs_most(n);
    for (size_t at = 0; at < most; at += TRANSPOSE_LIMBS) {
        __mmask8 which[MONTGOMERY_LANES];
        __m512i limb[TRANSPOSE_LIMBS];
        for (size_t i = 0; i < TRANSPOSE_LIMBS; i++) {
            limb[i] = limb_of(a, digits, at + i);
        }
        which_of(which, n, at);
        transpose_out(rp, at, which, limb);
    }
}

void montgomery_lanes_reduce(const montgomery_lanes *m, uint64_t *a) {
    const __m512i mask = _mm512_set1_epi64((int64_t)DIGIT_MASK);
    __m512i borrow = _mm512_setzero_si512();  // 0 or -1
    for (size_t i = 0; i < m->digits; i++) {
        const __m512i x = _mm512_load_si512(a + 8 * i), y = _mm512_load_si512(m->modulus + 8 * i);
        const __m512i difference = _mm512_add_epi64(_mm512_sub_epi64(x, y), borrow);
        _mm512_store_si512(m->sums + 8 * i, _mm512_and_si512(difference, mask));
        borrow = _mm512_srai_epi64(difference, MONTGOMERY_LANES_BITS);
    }
    const __mmask8 above = _mm512_testn_epi64_mask(borrow, borrow);  // a >= M
    for (size_t i = 0; i < m->digits; i++) {
        const __m512i less = _mm512_load_si512(m->sums + 8 * i);
        _mm512_mask_storeu_epi64(a + 8 * i, above, less);
    }
}

void montgomery_lanes_swap(uint64_t *a, uint64_t *b, size_t digits, unsigned which) {
    for (size_t i = 0; i < digits; i++) {
        const __m512i x = _mm512_load_si512(a + 8 * i), y = _mm512_load_si512(b + 8 * i);
        _mm512_store_si512(a + 8 * i, _mm512_mask_mov_epi64(x, (__mmask8)which, y));
        _mm512_store_si512(b + 8 * i, _mm512_mask_mov_epi64(y, (__mmask8)which, x));
    }
}

#else

bool montgomery_lanes_built(void) { return false; }

void montgomery_lanes_mul(const montgomery_lanes *m, uint64_t *r, const uint64_t *a,
                          const uint64_t *b, const uint64_t *c, unsigned twice) {
    (void)m, (void)r, (void)a, (void)b, (void)c, (void)twice;
    assert(!"montgomery_lanes_built() is false");
}

void montgomery_lanes_put_all(uint64_t *r, size_t digits, const uint64_t *const *ap,
                              const size_t *n, uint64_t *ws) {
    (void)r, (void)digits, (void)ap, (void)n, (void)ws;
    assert(!"montgomery_lanes_built() is false");
}

void montgomery_lanes_get_all(uint64_t *const *rp, const size_t *n, const uint64_t *a,
                              size_t digits) {
    (void)rp, (void)n, (void)a, (void)digits;
    assert(!"montgomery_lanes_built() is false");
}

void montgomery_lanes_reduce(const montgomery_lanes *m, uint64_t *a) {
    (void)m, (void)a;
    assert(!"montgomery_lanes_built() is false");
}

void montgomery_lanes_swap(uint64_t *a, uint64_t *b, size_t digits, unsigned which) {
    (void)a, (void)b, (void)digits, (void)which;
    assert(!"montgomery_lanes_built() is false");
}

#endif
