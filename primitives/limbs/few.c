// few.c: products and squares by columns in portable C, of few limbs unrolled for each
// length. May include limbs.h.
#include <assert.h>

#include "primitives/limbs/limbs.h"
#include "primitives/limbs/redc.h"
#include "primitives/words/word.h"

#define INLINE static inline __attribute__((always_inline))

// column: what is added up in one, and what it carries into the next: less than n B^2 + n B for n
// products, three limbs.
typedef struct {
    word_pair sum;
    uint64_t over;  // carries out of sum
} column;

INLINE void add_pair(column *c, word_pair t) {
    c->sum += t;
    c->over += c->sum < t;
}

// add_products: c += sum of a_i b_(k-i), from <= i < end.
INLINE void add_products(column *c, const uint64_t *ap, const uint64_t *bp, size_t k, size_t from,
                         size_t end) {
#pragma GCC unroll 8
    for (size_t i = from; i < end; i++) add_pair(c, (word_pair)ap[i] * bp[k - i]);
}

// next: the lowest limb; the others are the next column's.
INLINE uint64_t next(column *c) {
    const uint64_t limb = (uint64_t)c->sum;
    *c = (column){c->sum >> 64 | (word_pair)c->over << 64, 0};
    return limb;
}

// columns: {rp, 2 n} = {ap, n} {bp, n}, unrolled.
INLINE void columns(uint64_t *rp, const uint64_t *ap, const uint64_t *bp, const size_t n) {
    column c = {0, 0};
#pragma GCC unroll 16
    for (size_t k = 0; k + 1 < 2 * n; k++) {
        add_products(&c, ap, bp, k, k < n ? 0 : k - n + 1, k < n ? k + 1 : n);
        rp[k] = next(&c);
    }
    rp[2 * n - 1] = (uint64_t)c.sum;
}

void limbs_mul_columns(uint64_t *rp, const uint64_t *ap, size_t an, const uint64_t *bp, size_t bn) {
    assert(an >= bn && bn >= 1);
    column c = {0, 0};
    for (size_t k = 0; k + 1 < an + bn; k++) {
        add_products(&c, ap, bp, k, k < bn ? 0 : k - bn + 1, k < an ? k + 1 : an);
        rp[k] = next(&c);
    }
    rp[an + bn - 1] = (uint64_t)c.sum;
}

void limbs_mul_unrolled(uint64_t *rp, const uint64_t *ap, const uint64_t *bp, size_t n) {
    assert(1 <= n && n <= LIMBS_UNROLLED);
    switch (n) {
        case 1:
            columns(rp, ap, bp, 1);
            break;
        case 2:
            limbs_mul_2(rp, ap, bp);
            break;
        case 3:
            columns(rp, ap, bp, 3);
            break;
        case 4:
            columns(rp, ap, bp, 4);
            break;
        case 5:
            columns(rp, ap, bp, 5);
            break;
        case 6:
            columns(rp, ap, bp, 6);
            break;
        case 7:
            columns(rp, ap, bp, 7);
            break;
        default:
            columns(rp, ap, bp, LIMBS_UNROLLED);
            break;
    }
}

// square_columns: {rp, 2 n} = {ap, n}^2: column k is twice the sum of all a_i a_(k-i) with
// i < k - i, with a_(k/2)^2 for an even k, and what the columns below carry, which is added after
// doubling: the same sum as a product's.
INLINE void square_columns(uint64_t *rp, const uint64_t *ap, const size_t n) {
    word_pair carried = 0;
#pragma GCC unroll 24
    for (size_t k = 0; k + 1 < 2 * n; k++) {
        column c = {0, 0};
        add_products(&c, ap, ap, k, k < n ? 0 : k - n + 1, (k + 1) / 2);
        c = (column){c.sum << 1, c.over << 1 | (uint64_t)(c.sum >> 127)};
        if (k % 2 == 0) add_pair(&c, (word_pair)ap[k / 2] * ap[k / 2]);
        add_pair(&c, carried);
        rp[k] = next(&c);
        carried = c.sum;
    }
    assert(carried >> 64 == 0);  // a^2 < B^(2 n)
    rp[2 * n - 1] = (uint64_t)carried;
}

void limbs_sqr_unrolled(uint64_t *rp, const uint64_t *ap, size_t n) {
    assert(1 <= n && n <= LIMBS_SQUARES_UNROLLED);
    switch (n) {
        case 1:
            square_columns(rp, ap, 1);
            break;
        case 2:
            square_columns(rp, ap, 2);
            break;
        case 3:
            square_columns(rp, ap, 3);
            break;
        case 4:
            square_columns(rp, ap, 4);
            break;
        case 5:
            square_columns(rp, ap, 5);
            break;
        case 6:
            square_columns(rp, ap, 6);
            break;
        case 7:
            square_columns(rp, ap, 7);
            break;
        case 8:
            square_columns(rp, ap, 8);
            break;
        case 9:
            square_columns(rp, ap, 9);
            break;
        case 10:
            square_columns(rp, ap, 10);
            break;
        case 11:
            square_columns(rp, ap, 11);
            break;
        default:
            square_columns(rp, ap, LIMBS_SQUARES_UNROLLED);
            break;
    }
}

void limbs_mul_redc_unrolled(uint64_t *rp, const uint64_t *ap, const uint64_t *bp,
                             const uint64_t *mp, size_t n, uint64_t inverse) {
    assert(1 <= n && n <= LIMBS_REDC_FEW);
    switch (n) {
        case 1:
            limbs_mul_redc_inline(rp, ap, bp, mp, inverse, 1);
            break;
        case 2:
            limbs_mul_redc_inline(rp, ap, bp, mp, inverse, 2);
            break;
        case 3:
            limbs_mul_redc_inline(rp, ap, bp, mp, inverse, 3);
            break;
        case 4:
            limbs_mul_redc_inline(rp, ap, bp, mp, inverse, 4);
            break;
        case 5:
            limbs_mul_redc_inline(rp, ap, bp, mp, inverse, 5);
            break;
        default:
            limbs_mul_redc_inline(rp, ap, bp, mp, inverse, LIMBS_REDC_FEW);
            break;
    }
}
