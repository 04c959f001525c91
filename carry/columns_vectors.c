// columns_vectors.c: columns.h in vectors of eight coefficients (AVX-512) or four
// (AVX2): compiled once for each, with its flags. May include columns.h and the compiler's
// intrinsics.
//
// A position's own low part and the high part from below are at most 2 (2^w - 1) < 2^63, for 32 <=
// w <= 62, so that it carries 0 or 1 out for a carry in of 0 or 1 (docs/proofs/carry.md, section
// 1). What comes into the positions of a vector is a sum of two numbers of as many bits: generate
// and propagate, and the carry from below. Where a vector's digits are whole bytes, the same moves
// and shifts pack them wherever they stand.
#include <assert.h>
#include <immintrin.h>
#include <stdbool.h>
#include <string.h>

#include "carry/columns.h"

// columns: a vector of words. columns_above: each lane's high part comes from the lane below it,
// the first one's from the vector before. columns_mask: a bit for each lane.
#if defined(__AVX512F__)
typedef __m512i columns;
#define VARIANT carry_columns_avx512
static inline columns columns_load(const uint64_t *p) { return _mm512_loadu_si512(p); }
static inline columns columns_set1(uint64_t a) { return _mm512_set1_epi64((int64_t)a); }
static inline columns columns_and(columns a, columns b) { return _mm512_and_si512(a, b); }
static inline columns columns_or(columns a, columns b) { return _mm512_or_si512(a, b); }
static inline columns columns_add(columns a, columns b) { return _mm512_add_epi64(a, b); }
static inline columns columns_right(columns a, columns by) { return _mm512_srlv_epi64(a, by); }
static inline columns columns_left(columns a, columns by) { return _mm512_sllv_epi64(a, by); }
static inline columns columns_above(columns high, columns before) {
    return _mm512_alignr_epi64(high, before, 7);
}
static inline unsigned columns_greater(columns a, columns b) {
    return _mm512_cmpgt_epi64_mask(a, b);
}
static inline unsigned columns_equal(columns a, columns b) { return _mm512_cmpeq_epi64_mask(a, b); }
static inline columns columns_add_1(columns a, unsigned mask) {
    return _mm512_mask_add_epi64(a, (__mmask8)mask, a, _mm512_set1_epi64(1));
}
static inline columns columns_move(columns a, columns from) {
    return _mm512_permutexvar_epi64(from, a);
}
static inline columns columns_places(const uint64_t *lane) { return columns_load(lane); }
#else
typedef __m256i columns;
#define VARIANT carry_columns_avx2
static inline columns columns_load(const uint64_t *p) {
    return _mm256_loadu_si256((const __m256i *)p);
}
static inline columns columns_set1(uint64_t a) { return _mm256_set1_epi64x((int64_t)a); }
static inline columns columns_and(columns a, columns b) { return _mm256_and_si256(a, b); }
static inline columns columns_or(columns a, columns b) { return _mm256_or_si256(a, b); }
static inline columns columns_add(columns a, columns b) { return _mm256_add_epi64(a, b); }
static inline columns columns_right(columns a, columns by) { return _mm256_srlv_epi64(a, by); }
static inline columns columns_left(columns a, columns by) { return _mm256_sllv_epi64(a, by); }
static inline columns columns_above(columns high, columns before) {
    const columns top = _mm256_permute4x64_epi64(before, 0xff);
    return _mm256_blend_epi32(_mm256_permute4x64_epi64(high, 0x90), top, 0x03);
}
static inline unsigned columns_mask(columns a) {
    return (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(a));
}
static inline unsigned columns_greater(columns a, columns b) {
    return columns_mask(_mm256_cmpgt_epi64(a, b));
}
static inline unsigned columns_equal(columns a, columns b) {
    return columns_mask(_mm256_cmpeq_epi64(a, b));
}
static inline columns columns_add_1(columns a, unsigned mask) {
    const columns bit = _mm256_set_epi64x(8, 4, 2, 1), bits = columns_set1(mask);
    return _mm256_sub_epi64(a, _mm256_cmpeq_epi64(_mm256_and_si256(bits, bit), bit));
}
static inline columns columns_move(columns a, columns from) {
    return _mm256_permutevar8x32_epi32(a, from);
}
static inline columns columns_places(const uint64_t *lane) {  // of halves of words
    const columns even = _mm256_slli_epi64(columns_load(lane), 1);
    return _mm256_or_si256(even, _mm256_slli_epi64(_mm256_add_epi64(even, columns_set1(1)), 32));
}
#endif

enum { COLUMNS = sizeof(columns) / 8, GROUP = 64 };  // 64 digits of w bits are w limbs

// packing: of a vector of digits of w bits to words. Word j, from bit 64 j on, has part of digit
// first = floor(64 j / w) and of the two after it, as 3 w >= 64 + w; digits past the last are
// shifted out.
typedef struct {
    columns digit[3], right, left[2];
} packing;

static packing packing_of(unsigned w) {
    uint64_t digit[3][COLUMNS], shift[3][COLUMNS];
    for (int j = 0; j < COLUMNS; j++) {  // a quotient that is an integer is half a bit above it
        digit[0][j] = (uint64_t)(int32_t)((64 * j + 0.5) / w);
        shift[0][j] = 64 * (uint64_t)j - digit[0][j] * w;
    }
    for (unsigned k = 1; k < 3; k++) {
        for (int j = 0; j < COLUMNS; j++) {
            digit[k][j] = digit[0][j] + k;
            shift[k][j] = digit[k][j] < COLUMNS ? k * w - shift[0][j] : 64;
        }
    }
    for (int j = 0; j < COLUMNS; j++) {
        shift[0][j] = digit[0][j] < COLUMNS ? shift[0][j] : 64;
    }
    return (packing){{columns_places(digit[0]), columns_places(digit[1]), columns_places(digit[2])},
                     columns_load(shift[0]),
                     {columns_load(shift[1]), columns_load(shift[2])}};
}

static inline columns packed(columns d, const packing *p) {
    const columns a = columns_right(columns_move(d, p->digit[0]), p->right);
    const columns b = columns_left(columns_move(d, p->digit[1]), p->left[0]);
    const columns c = columns_left(columns_move(d, p->digit[2]), p->left[1]);
    return columns_or(columns_or(a, b), c);
}

// by_vectors: n coefficients, a multiple of GROUP, from and to the start of a limb.
static void by_vectors(uint64_t *rp, carry_stream *s, const uint64_t *c, size_t n, unsigned w) {
    const packing p = packing_of(w);
    const uint64_t largest = ((uint64_t)1 << w) - 1;
    const columns mask = columns_set1(largest), width = columns_set1(w);
    const size_t bytes = COLUMNS * w / 8;
    unsigned char *out = (unsigned char *)rp;
    columns below = columns_set1(s->carry[0]);
    unsigned carry = 0;
    assert(n % GROUP == 0 && 32 <= w && w <= 62 && s->carry[0] <= largest);
    for (size_t i = 0; i < n; i += COLUMNS, out += bytes) {
        const columns v = columns_load(c + i), high = columns_right(v, width);
        const columns q = columns_add(columns_and(v, mask), columns_above(high, below));
        const unsigned propagate = columns_equal(q, mask);
        const unsigned into = (propagate + (2 * columns_greater(q, mask) | carry)) ^ propagate;
        const columns d = packed(columns_and(columns_add_1(q, into), mask), &p);
        if (i + 2 * COLUMNS <= n) {
            memcpy(out, &d, sizeof d);  // the next one, of half as many bytes at least, overwrites
        } else {
            memcpy(out, &d, bytes);
        }
        carry = into >> COLUMNS & 1;
        below = high;
    }
    uint64_t left[COLUMNS];
    memcpy(left, &below, sizeof below);
    s->carry[0] = left[COLUMNS - 1] + carry;  // at most 2^(64 - w) < 2^(65 - w)
}

size_t VARIANT(uint64_t *rp, carry_stream *s, const uint64_t *c, size_t n, unsigned w) {
    const bool fits = 32 <= w && w <= 62 && COLUMNS * w % 8 == 0 && s->filled == 0 &&
                      s->carry[1] == 0 && s->carry[0] >> w == 0;
    const size_t whole = fits ? n / GROUP * GROUP : 0, limbs = whole / GROUP * w;
    if (whole > 0) {
        by_vectors(rp, s, c, whole, w);
    }
    return limbs + carry_pow2(rp + limbs, s, c + whole, n - whole, 1, w);
}
