// gcd.c: gcds without and with a cofactor: half-gcds while the numbers are long, then Lehmer's
// steps, then words. Proofs: docs/proofs/gcd.md.
#include "bigint/gcd/gcd.h"

#include <assert.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/tune.h"
#include "bigint/divide/divrem.h"
#include "bigint/gcd/half.h"
#include "bigint/gcd/lehmer.h"
#include "bigint/gcd/pair.h"
#include "primitives/words/word.h"

gcd_run gcd_begin(bigint_ctx *ctx, const char *who) {
    return (gcd_run){ctx, who, HALF_GCD_THRESHOLD, GCD_HALF_THRESHOLD};
}

// --- Words ---------------------------------------------------------------------------------------

// odd_gcd: of two odd words: the difference, without its twos, replaces the larger word [Stein67].
static uint64_t odd_gcd(uint64_t a, uint64_t b) {
    while (a != b) {
        const uint64_t d = a - b, below = 0 - (uint64_t)(a < b);
        const unsigned twos = word_ctz(d);
        b += d & below;
        a = ((d ^ below) - below) >> twos;
    }
    return a;
}

uint64_t gcd_words(uint64_t a, uint64_t b) {
    if (a == 0 || b == 0) {
        return a | b;
    }
    const unsigned twos = word_ctz(a | b);
    return odd_gcd(a >> word_ctz(a), b >> word_ctz(b)) << twos;
}

static unsigned pair_ctz(word_pair a) {
    const uint64_t low = (uint64_t)a;
    return low != 0 ? word_ctz(low) : 64 + word_ctz((uint64_t)(a >> 64));
}

// gcd_pairs: the same of double words, neither of them 0.
static word_pair gcd_pairs(word_pair a, word_pair b) {
    const unsigned twos = pair_ctz(a | b);
    a >>= pair_ctz(a);
    b >>= pair_ctz(b);
    while ((uint64_t)(a >> 64) != 0 || (uint64_t)(b >> 64) != 0) {
        if (a == b) {
            return a << twos;
        }
        const word_pair d = a - b, below = 0 - (word_pair)(a < b);
        b += d & below;
        a = (d ^ below) - below;
        a >>= pair_ctz(a);
    }
    return (word_pair)odd_gcd((uint64_t)a, (uint64_t)b) << twos;
}

// --- Reduction -----------------------------------------------------------------------------------

// quotient_step: one division of x, in which no number is 0; row may be NULL.
static bigint_status quotient_step(const gcd_run *run, gcd_pair *x, gcd_pair *row) {
    const arena_mark mark = arena_get_mark(run->ctx);
    gcd_quotient quotient;
    bigint_status status = gcd_divide(run, x, 0, &quotient);
    if (status == BIGINT_OK && row != NULL) {
        status = gcd_row_add(run, row, &quotient);
    }
    arena_release(run->ctx, mark);
    return status;
}

// half_step: a half-gcd of the limbs of x from `low` on, or a division if that finds no quotient.
static bigint_status half_step(const gcd_run *run, gcd_pair *x, uint64_t low, gcd_pair *row) {
    const arena_mark mark = arena_get_mark(run->ctx);
    gcd_matrix m;
    bigint_status status = gcd_matrix_take(run, &m, half_gcd_limbs(x->n - low))
                               ? half_gcd(run, x, low, &m)
                               : BIGINT_ENOMEM;
    const bool stuck = status == BIGINT_OK && gcd_matrix_is_unit(&m);
    if (status == BIGINT_OK && row != NULL && !stuck) {
        status = gcd_row_multiply(run, row, &m);
    }
    arena_release(run->ctx, mark);
    return stuck ? quotient_step(run, x, row) : status;
}

// A half-gcd takes two limbs at least.
enum { WHOLE_LEAST = 4 };

// has_zero: whether one of the numbers is 0. The other one is the gcd then.
static bool has_zero(const gcd_pair *x) {
    return limbs_normalize(x->p[0], x->n) == 0 || limbs_normalize(x->p[1], x->n) == 0;
}

// reduce: steps until x has at most `least` limbs or a zero.
static bigint_status reduce(const gcd_run *run, gcd_pair *x, gcd_pair *row, uint64_t least) {
    bigint_status status = BIGINT_OK;
    while (x->n > least && status == BIGINT_OK && !has_zero(x)) {
        lehmer_matrix w;
        if (x->n >= run->whole && x->n >= WHOLE_LEAST) {
            status = half_step(run, x, x->n / 2, row);
        } else if (lehmer_find(&w, x)) {
            lehmer_reduce(x, &w);
            if (row != NULL) {
                lehmer_extend(row, &w);
            }
        } else {
            status = quotient_step(run, x, row);
        }
    }
    return status;
}

// open: x = (a mod b, b), each with room for bn limbs.
static bigint_status open(const gcd_run *run, gcd_pair *x, const uint64_t *ap, uint64_t an,
                          const uint64_t *bp, uint64_t bn) {
    if (!gcd_pair_take(run, x, bn)) {
        return BIGINT_ENOMEM;
    }
    x->n = bn;
    memcpy(x->p[1], bp, bn * sizeof *bp);
    if (an <= bn) {
        if (an > 0) {
            memcpy(x->p[0], ap, an * sizeof *bp);
        }
        memset(x->p[0] + an, 0, (bn - an) * sizeof *bp);
        return BIGINT_OK;
    }
    return bigint_divrem_limbs(run->ctx, NULL, x->p[0], ap, an, bp, bn);
}

// --- Without a cofactor --------------------------------------------------------------------------

static word_pair low_pair(const uint64_t *p, uint64_t n) {
    return (word_pair)(n > 1 ? p[1] : 0) << 64 | (n > 0 ? p[0] : 0);
}

bigint_status gcd_limbs(const gcd_run *run, uint64_t *gp, uint64_t *gn, const uint64_t *ap,
                        uint64_t an, const uint64_t *bp, uint64_t bn) {
    assert(bn >= 1 && bp[bn - 1] != 0);
    if (an == 1 && bn == 1) {
        gp[0] = gcd_words(ap[0], bp[0]);
        *gn = 1;
        return BIGINT_OK;
    }
    const arena_mark mark = arena_get_mark(run->ctx);
    gcd_pair x;
    bigint_status status = open(run, &x, ap, an, bp, bn);
    if (status == BIGINT_OK) {
        status = reduce(run, &x, NULL, 2);
    }
    if (status == BIGINT_OK && has_zero(&x)) {
        const unsigned i = gcd_pair_larger(&x);
        *gn = limbs_normalize(x.p[i], x.n);
        memcpy(gp, x.p[i], *gn * sizeof *gp);
    } else if (status == BIGINT_OK) {
        const word_pair g = gcd_pairs(low_pair(x.p[0], x.n), low_pair(x.p[1], x.n));
        gp[0] = (uint64_t)g;
        *gn = 1;
        if (g >> 64 != 0) {
            gp[1] = (uint64_t)(g >> 64);
            *gn = 2;
        }
    }
    arena_release(run->ctx, mark);
    return status;
}

// --- With a cofactor -----------------------------------------------------------------------------
// The row (u, v) is the lower one of the matrix M of all steps: with (a; b) = M (x0; x1) and
// determinant 1, x0 = v a and x1 = -u a modulo b, and b = u x0 + v x1. It begins as (0, 1).

// finish_words: Euclid's steps on x, two single words, down to (g, 0) or (0, g).
static void finish_words(gcd_pair *x, gcd_pair *row) {
    uint64_t a[2] = {x->p[0][0], x->p[1][0]};
    lehmer_matrix w = {{{1, 0}, {0, 1}}};
    for (unsigned i = a[0] < a[1]; a[1 - i] != 0; i ^= 1) {
        const uint64_t q = a[i] / a[1 - i];
        word_pair next[2];
        for (unsigned k = 0; k < 2; k++) {
            next[k] = w.u[k][1 - i] + (word_pair)q * w.u[k][i];
        }
        if ((next[0] | next[1]) >> 63 != 0) {  // lehmer_extend takes entries below 2^63
            lehmer_extend(row, &w);
            w = (lehmer_matrix){{{1, 0}, {0, 1}}};
            next[0] = i == 0 ? q : 1;
            next[1] = i == 0 ? 1 : q;
        }
        a[i] -= q * a[1 - i];
        w.u[0][1 - i] = (uint64_t)next[0];
        w.u[1][1 - i] = (uint64_t)next[1];
    }
    lehmer_extend(row, &w);
    x->p[0][0] = a[0];
    x->p[1][0] = a[1];
}

// least_cofactor: {sp, *sn} = v, or u with the other sign, whichever is smaller in absolute value
// modulo the other: x is (g, 0) or (0, g), and the other entry is b / g.
static void least_cofactor(uint64_t *sp, uint64_t *sn, bool *negative, const gcd_pair *x,
                           gcd_pair *row) {
    // x0 = g: s = v modulo u = b / g. x1 = g: s = -u modulo v = b / g.
    const bool second = limbs_normalize(x->p[0], x->n) == 0;
    uint64_t *const s = row->p[second ? 0 : 1], *const period = row->p[second ? 1 : 0];
    const uint64_t n = row->n;
    limbs_sub_n(period, period, s, n);
    // Of two of the same size the positive one is chosen.
    const int order = limbs_cmp(s, period, n);
    const bool other = order > 0 || (order == 0 && second);
    *negative = other != second;
    const uint64_t *const least = other ? period : s;
    *sn = limbs_normalize(least, n);
    memcpy(sp, least, *sn * sizeof *sp);
    *negative = *negative && *sn > 0;
}

bigint_status gcd_cofactor(const gcd_run *run, uint64_t *gp, uint64_t *gn, uint64_t *sp,
                           uint64_t *sn, bool *negative, const uint64_t *ap, uint64_t an,
                           const uint64_t *bp, uint64_t bn) {
    assert(bn >= 1 && bp[bn - 1] != 0);
    const arena_mark mark = arena_get_mark(run->ctx);
    gcd_pair x, row;
    bigint_status status = open(run, &x, ap, an, bp, bn);
    if (status == BIGINT_OK) {
        status = gcd_pair_take(run, &row, bn + 1) ? BIGINT_OK : BIGINT_ENOMEM;
    }
    if (status == BIGINT_OK) {
        row.n = 1;
        row.p[0][0] = 0;
        row.p[1][0] = 1;
        status = reduce(run, &x, &row, 1);
    }
    if (status == BIGINT_OK) {
        if (!has_zero(&x)) {
            finish_words(&x, &row);
        }
        const unsigned i = gcd_pair_larger(&x);
        *gn = limbs_normalize(x.p[i], x.n);
        memcpy(gp, x.p[i], *gn * sizeof *gp);
        least_cofactor(sp, sn, negative, &x, &row);
    }
    arena_release(run->ctx, mark);
    return status;
}
