// half.c: see half.h.
#include "bigint/gcd/half.h"

#include <assert.h>

#include "bigint/core/arena.h"
#include "bigint/gcd/lehmer.h"

// advance: steps of Lehmer, and of division where those are not possible, while x has more than
// `stop` > least limbs; both numbers stay at or above B^least.
static bigint_status advance(const gcd_run *run, gcd_pair *x, gcd_matrix *m, uint64_t least,
                             uint64_t stop) {
    assert(stop > least);
    while (x->n > stop) {
        lehmer_matrix w;
        if (lehmer_find(&w, x, run->symbol)) {
            lehmer_reduce(x, &w);
            lehmer_extend(&m->row[0], &w);
            lehmer_extend(&m->row[1], &w);
            continue;
        }
        const arena_mark mark = arena_get_mark(run->ctx);
        gcd_quotient quotient;
        bigint_status status = gcd_divide(run, x, least, &quotient);
        const bool stuck = status == BIGINT_OK && quotient.n == 0;
        for (unsigned i = 0; i < 2 && status == BIGINT_OK && !stuck; i++) {
            status = gcd_row_add(run, &m->row[i], &quotient);
        }
        arena_release(run->ctx, mark);
        if (status != BIGINT_OK || stuck) {
            return status;
        }
    }
    return BIGINT_OK;
}

// Halves of fewer limbs would have fewer than two.
enum { HALVES_LEAST = 4 };

// slack: how many limbs more than wanted may remain after a half-gcd of n limbs. If a long quotient
// leaves more, steps on all limbs follow. Otherwise later parts take them.
static uint64_t slack(uint64_t n) { return n / 16 + 2; }

bool half_gcd_is_small(const gcd_run *run, uint64_t n) { return n < run->half || n < HALVES_LEAST; }

half_gcd_lengths half_gcd_lengths_of(uint64_t n) {
    const uint64_t low = n / 2;
    return (half_gcd_lengths){low, low + (n - low) / 2 + 1 + slack(n), n / 2 + 1};
}

// halves: half_gcd of x itself, by its upper half, and then by the upper part of the rest.
static bigint_status halves(const gcd_run *run, gcd_pair *x, gcd_matrix *m, uint64_t least) {
    const uint64_t n = x->n, low = half_gcd_lengths_of(n).low,
                   middle = half_gcd_lengths_of(n).middle;
    bigint_status status = half_gcd(run, x, low, m);
    if (status == BIGINT_OK) {
        status = advance(run, x, m, least, middle);
    }
    // More than `middle` limbs are left only if no step on all limbs is possible.
    if (status == BIGINT_OK && x->n <= middle && x->n > least + 2) {
        const arena_mark mark = arena_get_mark(run->ctx);
        const uint64_t rest = 2 * least + 1 - x->n;  // 2 (x->n - least) - 1 limbs remain above
        gcd_matrix next;
        status = gcd_matrix_take(run, &next, half_gcd_limbs(x->n - rest))
                     ? half_gcd(run, x, rest, &next)
                     : BIGINT_ENOMEM;
        if (status == BIGINT_OK) {
            status = gcd_matrix_multiply(run, m, &next);
        }
        arena_release(run->ctx, mark);
    }
    return status == BIGINT_OK ? advance(run, x, m, least, least + slack(n)) : status;
}

bigint_status half_gcd(const gcd_run *run, gcd_pair *x, uint64_t low, gcd_matrix *m) {
    gcd_pair top = {{x->p[0] + low, x->p[1] + low}, x->n - low};
    const uint64_t least = half_gcd_lengths_of(top.n).least;
    assert(top.n >= 2);
    const bigint_status status = half_gcd_is_small(run, top.n)
                                     ? advance(run, &top, m, least, least + 1)
                                     : halves(run, &top, m, least);
    return status == BIGINT_OK ? gcd_reduce_low(run, x, low, m) : status;
}
