// plan.c: see plan.h. Lengths are the longest that a step leaves; quotients are counted as short as
// they nearly always are, and one as long as half of the numbers.
#include "bigint/gcd/plan.h"

#include <stdio.h>

#include "bigint/core/names.h"
#include "bigint/core/tune.h"
#include "bigint/divide/plan.h"
#include "bigint/gcd/gcd.h"
#include "bigint/gcd/half.h"
#include "bigint/multiply/mul.h"
#include "bigint/multiply/wrap.h"

static uint64_t max(uint64_t a, uint64_t b) { return a > b ? a : b; }

// --- Steps ---------------------------------------------------------------------------------------

static void pair_need(work_need *w, uint64_t limbs) {
    need_take_limbs(&w->host, limbs);
    need_take_limbs(&w->host, limbs);
}

static void matrix_need(work_need *w, uint64_t limbs) {
    pair_need(w, limbs);
    pair_need(w, limbs);
}

// rows_need: `count` rows of up to n limbs times a matrix of mn.
static void rows_need(work_need *w, uint64_t n, uint64_t mn, unsigned count) {
    const uint64_t in_use = w->host.in_use, all = n + mn + 1;
    mul_wrap_ring s;
    if (mul_wrap_ring_need(w, &s, n, mn, all, 2 * count + 2)) {
        need_take_limbs(&w->host, mul_wrap_ring_limbs(&s) + 2);
        mul_wrap_ring_planes_need(w, &s, 2 * count + 2);
    } else {
        need_take_limbs(&w->host, all);
        pair_need(w, all);
        mul_need(w, n, mn, false);
    }
    need_release(&w->host, in_use);
}

// low_need: gcd_reduce_low of `low` limbs by a matrix of mn.
static void low_need(work_need *w, uint64_t low, uint64_t mn) {
    const uint64_t in_use = w->host.in_use;
    mul_wrap_ring s;
    if (low == 0) {
        return;
    }
    const bool pays = mul_wrap_ring_need(w, &s, low, mn, low + mn + 1, 4);
    pair_need(w, low + mn);
    if (pays) {
        need_take_limbs(&w->host, mul_wrap_ring_limbs(&s) + 2);
        mul_wrap_ring_planes_need(w, &s, 4);
    } else {
        need_take_limbs(&w->host, low + mn);
        mul_need(w, low, mn, false);
    }
    need_release(&w->host, in_use);
}

// half_need: half_gcd of n limbs above `low`. The second half of a half-gcd needs more than the
// first, whose products are counted alone.
static void half_need(work_need *w, const gcd_run *run, uint64_t n, uint64_t low) {
    const uint64_t in_use = w->host.in_use;
    if (!half_gcd_is_small(run, n)) {
        const half_gcd_lengths l = half_gcd_lengths_of(n);
        low_need(w, l.low, half_gcd_limbs(n - l.low));
        if (l.middle > l.least + 2) {
            const uint64_t rest = 2 * l.least + 1 - l.middle, size = l.middle - rest;
            matrix_need(w, half_gcd_limbs(size));
            half_need(w, run, size, rest);
            rows_need(w, half_gcd_limbs(n - l.low), half_gcd_limbs(size), 2);
        }
        need_release(&w->host, in_use);
    }
    low_need(w, low, half_gcd_limbs(n));
}

// first_halves_need: the products of the first halves, whose tables stay.
static void first_halves_need(work_need *w, const gcd_run *run, uint64_t n) {
    for (; !half_gcd_is_small(run, n); n -= n / 2) {
        low_need(w, n / 2, half_gcd_limbs(n - n / 2));
    }
}

// quotient_need: a step of division by numbers of half the length.
static void quotient_need(work_need *w, uint64_t n) {
    const uint64_t in_use = w->host.in_use;
    need_take_limbs(&w->host, n / 2 + 1);
    divrem_limbs_need(w, n, (n + 1) / 2);
    need_release(&w->host, in_use);
}

// reduce_need: steps on numbers of n limbs, and on a row of cofactors.
static void reduce_need(work_need *w, uint64_t n, bool row) {
    const uint64_t in_use = w->host.in_use;
    const gcd_run run = gcd_begin(w->ctx, w->who);
    quotient_need(w, n);
    for (uint64_t x = n; x >= run.whole && w->status == BIGINT_OK;) {
        const uint64_t low = gcd_half_from(x, row), high = x - low;
        matrix_need(w, half_gcd_limbs(high));
        half_need(w, &run, high, low);
        first_halves_need(w, &run, high);
        if (row) {
            rows_need(w, n - x + 1, half_gcd_limbs(high), 1);
        }
        need_release(&w->host, in_use);
        x = low + high / 2 + 2;
    }
}

// --- Calls ---------------------------------------------------------------------------------------

void gcd_limbs_need(work_need *w, uint64_t an, uint64_t bn) {
    const uint64_t in_use = w->host.in_use;
    if (bn <= 1 || (an <= 2 && bn == 2)) {
        return;
    }
    pair_need(w, bn);
    if (an > bn) {
        divrem_limbs_need(w, an, bn);
    }
    reduce_need(w, bn, false);
    need_release(&w->host, in_use);
}

void gcd_cofactor_need(work_need *w, uint64_t an, uint64_t bn) {
    const uint64_t in_use = w->host.in_use;
    if (bn <= 1) {
        return;
    }
    pair_need(w, bn);
    if (an > bn) {
        divrem_limbs_need(w, an, bn);
    }
    pair_need(w, bn + 1);
    reduce_need(w, bn, true);
    need_release(&w->host, in_use);
}

void gcd_need(work_need *w, uint64_t an, uint64_t bn) {
    const uint64_t in_use = w->host.in_use, shorter = an < bn ? an : bn;
    if (shorter > 0) {
        need_take_limbs(&w->host, shorter);
        gcd_limbs_need(w, max(an, bn), shorter);
    }
    need_release(&w->host, in_use);
}

void lcm_need(work_need *w, uint64_t an, uint64_t bn) {
    const uint64_t in_use = w->host.in_use, shorter = an < bn ? an : bn;
    if (shorter > 0) {
        gcd_need(w, an, bn);
        need_take_limbs(&w->host, shorter);
        need_take_limbs(&w->host, shorter);
        need_take_limbs(&w->host, an + bn);
        divrem_limbs_need(w, shorter, (shorter + 1) / 2);
        divrem_limbs_need(w, shorter, 1);
        mul_need(w, max(an, bn), shorter, false);
    }
    need_release(&w->host, in_use);
}

void gcdext_need(work_need *w, uint64_t an, uint64_t bn) {
    const uint64_t in_use = w->host.in_use, longer = max(an, bn), shorter = an + bn - longer;
    if (shorter > 0) {
        need_take_limbs(&w->host, shorter);
        need_take_limbs(&w->host, shorter);
        gcd_cofactor_need(w, longer, shorter);
        need_take_limbs(&w->host, an + bn + 1);
        mul_need(w, shorter, longer, false);
        need_take_limbs(&w->host, longer + 2);
        divrem_limbs_need(w, an + bn + 1, shorter);
    } else {
        need_take_limbs(&w->host, longer);
    }
    need_release(&w->host, in_use);
}

void invert_need(work_need *w, uint64_t an, uint64_t mn) {
    const uint64_t in_use = w->host.in_use;
    need_take_limbs(&w->host, mn);
    need_take_limbs(&w->host, mn);
    gcd_cofactor_need(w, an, mn);
    need_take_limbs(&w->host, mn);
    need_release(&w->host, in_use);
}

int gcd_print(const bigint_ctx *ctx, char *buf, size_t cap, uint64_t an, uint64_t bn) {
    const uint64_t shorter = an < bn ? an : bn;
    return snprintf(buf, cap, "%s gcd %s, %llu and %llu limbs, %s",
                    names_backend(ctx->device.backend), ctx->limbs->name, (unsigned long long)an,
                    (unsigned long long)bn,
                    shorter >= GCD_HALF_THRESHOLD ? "half-gcds, then Lehmer's steps"
                    : shorter > 2                 ? "Lehmer's steps"
                                                  : "words");
}
