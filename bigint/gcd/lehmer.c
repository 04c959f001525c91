// lehmer.c: see lehmer.h. Bounds: docs/proofs/gcd.md, section 2.
#include "bigint/gcd/lehmer.h"

#include <assert.h>

#include "primitives/words/word.h"
#include "primitives/words/word_div.h"

__extension__ typedef __int128 signed_pair;

// Numbers stay at or above 2^33, so that the entries of a matrix found from one word of each stay
// below 2^31, and both entries of a column fit in one word, 32 bits apart.
#define WORD_LEAST ((uint64_t)1 << 33)
#define UNIT_COLUMN_0 ((uint64_t)1)
#define UNIT_COLUMN_1 ((uint64_t)1 << 32)

// word_quotients: the matrix of Euclid's steps on two words, by columns. The last step takes one
// divisor less where its remainder would be below WORD_LEAST. symbol, unless NULL, takes the steps.
static inline __attribute__((always_inline)) void word_quotients(uint64_t column[2], uint64_t a,
                                                                 uint64_t b, gcd_symbol *symbol) {
    column[0] = UNIT_COLUMN_0;
    column[1] = UNIT_COLUMN_1;
    if (a < WORD_LEAST || b < WORD_LEAST) {
        return;
    }
    unsigned larger = a < b;
    uint64_t large = larger ? b : a, small = larger ? a : b;
    uint64_t of_large = column[larger], of_small = column[1 - larger];
    gcd_symbol s = {0};  // its first number is the large one
    if (symbol != NULL) {
        s = *symbol;
        if (larger) {
            gcd_symbol_swap(&s);
        }
    }
    for (;;) {
        const uint64_t q = large / small, r = large - q * small;
        const bool last = r < WORD_LEAST;
        if (symbol != NULL) {
            gcd_symbol_step(&s, q - last);
        }
        if (last) {
            of_small += (q - 1) * of_large;
            break;
        }
        if (symbol != NULL) {
            gcd_symbol_swap(&s);
        }
        const uint64_t next = of_small + q * of_large;
        of_small = of_large;
        of_large = next;
        large = small;
        small = r;
        larger ^= 1;
    }
    column[larger] = of_large;
    column[1 - larger] = of_small;
    if (symbol != NULL) {
        if (larger) {
            gcd_symbol_swap(&s);
        }
        *symbol = s;
    }
}

static lehmer_matrix unpack(const uint64_t column[2]) {
    return (lehmer_matrix){
        {{column[0] & UINT32_MAX, column[1] & UINT32_MAX}, {column[0] >> 32, column[1] >> 32}}};
}

// window: the 128 bits of {p, n} below its top limb's bit 63 - shift; zeros below the number.
static inline word_pair window(const uint64_t *p, uint64_t n, unsigned shift) {
    const uint64_t p1 = n > 1 ? p[n - 2] : 0, p0 = n > 2 ? p[n - 3] : 0;
    return (word_pair)word_shift_in(p[n - 1], p1, shift) << 64 | word_shift_in(p1, p0, shift);
}

// find: lehmer_find; inline, so that a gcd without a symbol takes no time for one.
static inline __attribute__((always_inline)) bool find(lehmer_matrix *w, const gcd_pair *x,
                                                       gcd_symbol *s) {
    assert(x->n >= 1 && (x->p[0][x->n - 1] | x->p[1][x->n - 1]) != 0);
    const unsigned top = word_clz(x->p[0][x->n - 1] | x->p[1][x->n - 1]);
    const word_pair a = window(x->p[0], x->n, top), b = window(x->p[1], x->n, top);
    uint64_t column[2];
    word_quotients(column, (uint64_t)(a >> 64), (uint64_t)(b >> 64), s);
    if (column[0] == UNIT_COLUMN_0 && column[1] == UNIT_COLUMN_1) {
        return false;
    }
    const lehmer_matrix v = unpack(column);
    const word_pair a1 = v.u[1][1] * a - v.u[0][1] * b, b1 = v.u[0][0] * b - v.u[1][0] * a;
    // Both are 3 2^95 at least, and so have 97 bits: the shift is 31 at most.
    const unsigned shift = word_clz((uint64_t)(a1 >> 64) | (uint64_t)(b1 >> 64));
    assert(shift <= 31);
    word_quotients(column, (uint64_t)(a1 << shift >> 64), (uint64_t)(b1 << shift >> 64), s);
    const lehmer_matrix t = unpack(column);
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned j = 0; j < 2; j++) {
            w->u[i][j] = v.u[i][0] * t.u[0][j] + v.u[i][1] * t.u[1][j];
        }
    }
    return true;
}

bool lehmer_find(lehmer_matrix *w, const gcd_pair *x, gcd_symbol *s) {
    return s == NULL ? find(w, x, NULL) : find(w, x, s);
}

// A product of an entry and a limb is below 2^127 - 2^63; so is the difference of two, and with a
// carry of 64 bits it fits in 128.
void lehmer_reduce(gcd_pair *x, const lehmer_matrix *w) {
    uint64_t *const ap = x->p[0], *const bp = x->p[1];
    const uint64_t u00 = w->u[0][0], u01 = w->u[0][1], u10 = w->u[1][0], u11 = w->u[1][1];
    signed_pair a = 0, b = 0;
    for (uint64_t i = 0; i < x->n; i++) {
        const uint64_t ai = ap[i], bi = bp[i];
        a = (a >> 64) + ((signed_pair)((word_pair)u11 * ai) - (signed_pair)((word_pair)u01 * bi));
        b = (b >> 64) + ((signed_pair)((word_pair)u00 * bi) - (signed_pair)((word_pair)u10 * ai));
        ap[i] = (uint64_t)a;
        bp[i] = (uint64_t)b;
    }
    assert(a >> 64 == 0 && b >> 64 == 0);
    gcd_pair_trim(x);
}

void lehmer_extend(gcd_pair *row, const lehmer_matrix *w) {
    uint64_t *const ap = row->p[0], *const bp = row->p[1];
    const uint64_t u00 = w->u[0][0], u01 = w->u[0][1], u10 = w->u[1][0], u11 = w->u[1][1];
    word_pair a = 0, b = 0;
    for (uint64_t i = 0; i < row->n; i++) {
        const uint64_t ai = ap[i], bi = bp[i];
        a = (a >> 64) + (word_pair)u00 * ai + (word_pair)u10 * bi;
        b = (b >> 64) + (word_pair)u01 * ai + (word_pair)u11 * bi;
        ap[i] = (uint64_t)a;
        bp[i] = (uint64_t)b;
    }
    const uint64_t a_top = (uint64_t)(a >> 64), b_top = (uint64_t)(b >> 64);
    if ((a_top | b_top) != 0) {
        ap[row->n] = a_top;
        bp[row->n] = b_top;
        row->n++;
    }
}
