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

// columns: {rp, 2 n} = {ap, n} {bp, n}, unrolled; returns the top limb.
INLINE uint64_t columns(uint64_t *rp, const uint64_t *ap, const uint64_t *bp, const size_t n) {
    column c = {0, 0};
#pragma GCC unroll 16
    for (size_t k = 0; k + 1 < 2 * n; k++) {
        add_products(&c, ap, bp, k, k < n ? 0 : k - n + 1, k < n ? k + 1 : n);
        rp[k] = next(&c);
    }
    return rp[2 * n - 1] = (uint64_t)c.sum;
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

uint64_t limbs_mul_1(uint64_t *rp, const uint64_t *ap, const uint64_t *bp) {
    return columns(rp, ap, bp, 1);
}
static uint64_t mul_2(uint64_t *rp, const uint64_t *ap, const uint64_t *bp) {
    limbs_mul_2(rp, ap, bp);
    return rp[3];
}
static uint64_t mul_3(uint64_t *rp, const uint64_t *ap, const uint64_t *bp) {
    return columns(rp, ap, bp, 3);
}
static uint64_t mul_4(uint64_t *rp, const uint64_t *ap, const uint64_t *bp) {
    return columns(rp, ap, bp, 4);
}
static uint64_t mul_5(uint64_t *rp, const uint64_t *ap, const uint64_t *bp) {
    return columns(rp, ap, bp, 5);
}
static uint64_t mul_6(uint64_t *rp, const uint64_t *ap, const uint64_t *bp) {
    return columns(rp, ap, bp, 6);
}
static uint64_t mul_7(uint64_t *rp, const uint64_t *ap, const uint64_t *bp) {
    return columns(rp, ap, bp, 7);
}
static uint64_t mul_8(uint64_t *rp, const uint64_t *ap, const uint64_t *bp) {
    return columns(rp, ap, bp, 8);
}

const limbs_mul_few limbs_portable_mul_few[LIMBS_FEW + 1] = {
    NULL, limbs_mul_1, mul_2, mul_3, mul_4, mul_5, mul_6, mul_7, mul_8};

// square_columns: {rp, 2 n} = {ap, n}^2: column k is twice the sum of all a_i a_(k-i) with
// i < k - i, with a_(k/2)^2 for an even k, and what the columns below carry, which is added after
// doubling: the same sum as a product's. Returns the top limb.
INLINE uint64_t square_columns(uint64_t *rp, const uint64_t *ap, const size_t n) {
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
    return rp[2 * n - 1] = (uint64_t)carried;
}

uint64_t limbs_sqr_1(uint64_t *rp, const uint64_t *ap) { return square_columns(rp, ap, 1); }
static uint64_t sqr_2(uint64_t *rp, const uint64_t *ap) { return square_columns(rp, ap, 2); }
static uint64_t sqr_3(uint64_t *rp, const uint64_t *ap) { return square_columns(rp, ap, 3); }
static uint64_t sqr_4(uint64_t *rp, const uint64_t *ap) { return square_columns(rp, ap, 4); }
static uint64_t sqr_5(uint64_t *rp, const uint64_t *ap) { return square_columns(rp, ap, 5); }
static uint64_t sqr_6(uint64_t *rp, const uint64_t *ap) { return square_columns(rp, ap, 6); }
static uint64_t sqr_7(uint64_t *rp, const uint64_t *ap) { return square_columns(rp, ap, 7); }
static uint64_t sqr_8(uint64_t *rp, const uint64_t *ap) { return square_columns(rp, ap, 8); }
static uint64_t sqr_9(uint64_t *rp, const uint64_t *ap) { return square_columns(rp, ap, 9); }
static uint64_t sqr_10(uint64_t *rp, const uint64_t *ap) { return square_columns(rp, ap, 10); }
static uint64_t sqr_11(uint64_t *rp, const uint64_t *ap) { return square_columns(rp, ap, 11); }
static uint64_t sqr_12(uint64_t *rp, const uint64_t *ap) { return square_columns(rp, ap, 12); }

const limbs_sqr_few limbs_portable_sqr_few[LIMBS_SQUARES_UNROLLED + 1] = {
    NULL,  limbs_sqr_1, sqr_2, sqr_3,  sqr_4,  sqr_5, sqr_6,
    sqr_7, sqr_8,       sqr_9, sqr_10, sqr_11, sqr_12};

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
