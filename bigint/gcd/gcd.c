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
#include "primitives/words/word_div.h"

gcd_run gcd_begin(bigint_ctx *ctx, const char *who) {
    return (gcd_run){ctx, who, HALF_GCD_THRESHOLD, GCD_HALF_THRESHOLD, NULL};
}

// --- Words ---------------------------------------------------------------------------------------

// odd_gcd: of two odd words: the difference, without its twos, replaces the larger word [Stein67].
// x, y are the words without their lowest bits, so that the difference has a sign.
static uint64_t odd_gcd(uint64_t a, uint64_t b) {
    uint64_t x = a >> 1, y = b >> 1;
    while (x != y) {
        const uint64_t d = x - y, below = 0 - (d >> 63);
        const unsigned twos = word_ctz(d);
        y += d & below;
        x = ((d ^ below) - below) >> twos >> 1;
    }
    return 2 * y + 1;
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

// odd_pair_gcd: odd_gcd of double words.
static word_pair odd_pair_gcd(word_pair a, word_pair b) {
    while ((uint64_t)((a | b) >> 64) != 0 && a != 0) {
        uint64_t below;
        odd_pair_step(&a, &b, &below);
    }
    return a == 0 ? b : odd_gcd((uint64_t)a, (uint64_t)b);
}

word_pair gcd_word_pairs(word_pair a, word_pair b) {
    if (a == 0 || b == 0) {
        return a | b;
    }
    const unsigned twos = pair_ctz(a | b);
    return odd_pair_gcd(a >> pair_ctz(a), b >> pair_ctz(b)) << twos;
}

// remainder_of: {ap, an} mod b.
static uint64_t remainder_of(const uint64_t *ap, uint64_t an, uint64_t b) {
    if (an <= 1) {
        return an == 0 ? 0 : ap[0] % b;
    }
    const word_divisor d = word_divisor_of(b);
    return limbs_mod_by(ap, an, &d);
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

// A half-gcd takes two limbs at least. Each step of Lehmer's passes over the row: where that is
// ROW_LONG limbs or more, and ROW_TIMES as long as x, half-gcds of ROW_WHOLE limbs take less time,
// and a step is long enough to ask before it whether the call is to end.
enum { WHOLE_LEAST = 4, ROW_LONG = 8000, ROW_TIMES = 16, ROW_WHOLE = 16 };

static bool is_long(const gcd_pair *row, const gcd_pair *x) {
    return row != NULL && row->n >= ROW_LONG && row->n / ROW_TIMES >= x->n;
}

// has_zero: whether one of the numbers is 0. The other one is the gcd then.
static bool has_zero(const gcd_pair *x) {
    return limbs_normalize(x->p[0], x->n) == 0 || limbs_normalize(x->p[1], x->n) == 0;
}

// reduce: steps until x has at most `least` limbs or a zero.
static bigint_status reduce(const gcd_run *run, gcd_pair *x, gcd_pair *row, uint64_t least) {
    bigint_status status = BIGINT_OK;
    while (x->n > least && status == BIGINT_OK && !has_zero(x)) {
        lehmer_matrix w;
        const bool row_long = is_long(row, x);
        const uint64_t whole = row_long && ROW_WHOLE < run->whole ? ROW_WHOLE : run->whole;
        if (row_long && (status = context_pause(run->ctx, run->who)) != BIGINT_OK) {
            return status;
        }
        if (x->n >= whole && x->n >= WHOLE_LEAST) {
            status = half_step(run, x, gcd_half_from(x->n, row != NULL), row);
        } else if (lehmer_find(&w, x, run->symbol)) {
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

// put_pair: {gp, *gn} = g > 0.
static void put_pair(uint64_t *gp, uint64_t *gn, word_pair g) {
    gp[0] = (uint64_t)g;
    *gn = 1;
    if (g >> 64 != 0) {
        gp[1] = (uint64_t)(g >> 64);
        *gn = 2;
    }
}

bigint_status gcd_limbs(const gcd_run *run, uint64_t *gp, uint64_t *gn, const uint64_t *ap,
                        uint64_t an, const uint64_t *bp, uint64_t bn) {
    assert(bn >= 1 && bp[bn - 1] != 0);
    if (bn == 1) {
        gp[0] = gcd_words(an == 1 ? ap[0] : remainder_of(ap, an, bp[0]), bp[0]);
        *gn = 1;
        return BIGINT_OK;
    }
    if (an <= 2 && bn == 2) {
        put_pair(gp, gn, gcd_word_pairs(low_pair(ap, an), low_pair(bp, bn)));
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
        put_pair(gp, gn, gcd_word_pairs(low_pair(x.p[0], x.n), low_pair(x.p[1], x.n)));
    }
    arena_release(run->ctx, mark);
    return status;
}

// --- Jacobi's symbol -----------------------------------------------------------------------------

// ending: the symbol of x, which has at most two limbs or a zero. A zero is not below.
static int ending(const gcd_pair *x, const gcd_symbol *s) {
    const unsigned below = s->first_below != 0 ? 0 : 1;
    if (has_zero(x)) {
        return limbs_normalize(x->p[below], x->n) != 1 ? 0
                                                       : symbol_words(0, x->p[below][0], s->minus);
    }
    return symbol_pairs(low_pair(x->p[1 - below], x->n), low_pair(x->p[below], x->n), s->minus);
}

bigint_status gcd_jacobi(const gcd_run *run, int *symbol, const uint64_t *ap, uint64_t an,
                         const uint64_t *bp, uint64_t bn) {
    assert(bn >= 1 && bp[bn - 1] != 0 && bp[0] % 2 == 1);
    if (bn == 1) {
        *symbol = symbol_words(an == 1 ? ap[0] : remainder_of(ap, an, bp[0]), bp[0], 0);
        return BIGINT_OK;
    }
    if (an <= 2 && bn == 2) {
        *symbol = symbol_pairs(low_pair(ap, an), low_pair(bp, bn), 0);
        return BIGINT_OK;
    }
    const arena_mark mark = arena_get_mark(run->ctx);
    gcd_pair x;
    gcd_symbol s;
    gcd_run following = *run;
    following.symbol = &s;
    bigint_status status = open(run, &x, ap, an, bp, bn);
    if (status == BIGINT_OK) {
        s = (gcd_symbol){x.p[0][0] & 3, bp[0] & 3, 0, 0};
        gcd_pair_trim(&x);
        status = reduce(&following, &x, NULL, 2);
    }
    if (status == BIGINT_OK) {
        *symbol = ending(&x, &s);
    }
    arena_release(run->ctx, mark);
    return status;
}

// --- With a cofactor -----------------------------------------------------------------------------
// The row (u, v) is the lower one of the matrix M of all steps: with (a; b) = M (x0; x1) and
// determinant 1, x0 = v a and x1 = -u a modulo b, and b = u x0 + v x1. It begins as (0, 1).

// columns: the column of a matrix that belongs to the larger of two numbers, and the smaller one's.
// larger: the index, 0 or 1, of the larger number.
typedef struct {
    uint64_t large[2], small[2];
    unsigned larger;
} columns;

static columns unit_columns(unsigned larger) {
    return (columns){{larger == 0, larger == 1}, {larger == 1, larger == 0}, larger};
}

static void extend_by_columns(gcd_pair *row, const columns *c) {
    lehmer_matrix w;
    for (unsigned k = 0; k < 2; k++) {
        w.u[k][c->larger] = c->large[k];
        w.u[k][1 - c->larger] = c->small[k];
    }
    lehmer_extend(row, &w);
}

// finish_words: Euclid's steps on x, two single words, down to (g, 0) or (0, g).
static void finish_words(gcd_pair *x, gcd_pair *row) {
    const unsigned first = x->p[0][0] < x->p[1][0];
    uint64_t large = x->p[first][0], small = x->p[1 - first][0];
    columns c = unit_columns(first);
    while (small != 0) {
        const uint64_t q = large / small, r = large % small;
        word_pair next0 = c.small[0] + (word_pair)q * c.large[0];
        word_pair next1 = c.small[1] + (word_pair)q * c.large[1];
        if (__builtin_expect((next0 | next1) >> 63 != 0, 0)) {
            extend_by_columns(row, &c);  // which takes entries below 2^63, or this step alone
            c = unit_columns(c.larger);
            next0 = c.larger == 0 ? q : 1;
            next1 = c.larger == 0 ? 1 : q;
        }
        c = (columns){{(uint64_t)next0, (uint64_t)next1}, {c.large[0], c.large[1]}, 1 - c.larger};
        large = small;
        small = r;
    }
    extend_by_columns(row, &c);
    x->p[c.larger][0] = large;
    x->p[1 - c.larger][0] = 0;
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

// one_word: gcd_cofactor for bn = 1. The row stays below B, since its entries are at most b / g.
static void one_word(uint64_t *gp, uint64_t *gn, uint64_t *sp, uint64_t *sn, bool *negative,
                     uint64_t a, uint64_t b) {
    uint64_t u = 0, v = 1;
    bool swapped = a < b;
    uint64_t large = swapped ? b : a, small = swapped ? a : b;
    uint64_t of_large = swapped ? v : u, of_small = swapped ? u : v;
    while (small != 0) {
        const uint64_t q = large / small, r = large % small, next = of_small + q * of_large;
        of_small = of_large;
        of_large = next;
        large = small;
        small = r;
        swapped = !swapped;
    }
    u = swapped ? of_small : of_large;
    v = swapped ? of_large : of_small;
    uint64_t x0 = swapped ? 0 : large, x1 = swapped ? large : 0;
    const gcd_pair both = {{&x0, &x1}, 1};
    gcd_pair row = {{&u, &v}, 1};
    least_cofactor(sp, sn, negative, &both, &row);
    gp[0] = large;
    *gn = 1;
}

bigint_status gcd_cofactor(const gcd_run *run, uint64_t *gp, uint64_t *gn, uint64_t *sp,
                           uint64_t *sn, bool *negative, const uint64_t *ap, uint64_t an,
                           const uint64_t *bp, uint64_t bn) {
    assert(bn >= 1 && bp[bn - 1] != 0);
    if (bn == 1) {
        one_word(gp, gn, sp, sn, negative, remainder_of(ap, an, bp[0]), bp[0]);
        return BIGINT_OK;
    }
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
