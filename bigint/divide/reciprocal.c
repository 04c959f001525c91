// reciprocal.c: Newton's iteration for the reciprocal. Each step doubles the length. B = 2^64.
#include "bigint/divide/reciprocal.h"

#include <assert.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/names.h"
#include "bigint/core/tune.h"
#include "bigint/divide/small.h"
#include "bigint/multiply/mod.h"
#include "bigint/multiply/mul.h"
#include "bigint/multiply/wrap.h"

uint64_t newton_threshold(const bigint_ctx *ctx) {
    if (ctx->variant == VARIANT_PORTABLE) {
        return DIV_NEWTON_PORTABLE_THRESHOLD;
    }
    if (ctx->variant == VARIANT_AVX2) {
        return DIV_NEWTON_AVX2_THRESHOLD;
    }
    return ctx->limbs->table == LIMBS_IFMA ? DIV_NEWTON_IFMA_THRESHOLD
                                           : DIV_NEWTON_AVX512_THRESHOLD;
}

// reciprocal_base: X = floor((B^(2n) - 1) / D), by division: B^(2n) - 1 - D B^n has ~D as its upper
// half.
static bigint_status reciprocal_base(bigint_ctx *ctx, uint64_t *xp, const uint64_t *dp,
                                     uint64_t n) {
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t *a = arena_take_limbs(ctx, "bigint_divrem", 2 * n + div_small_workspace_limbs(n, n));
    if (a == NULL) {
        return BIGINT_ENOMEM;
    }
    memset(a, 0xff, n * sizeof *a);
    for (uint64_t i = 0; i < n; i++) {
        a[n + i] = ~dp[i];
    }
    div_small(ctx->limbs, DIV_SMALL_BEST, xp, a, n, dp, n, a + 2 * n);
    arena_release(ctx, mark);
    return BIGINT_OK;
}

// newton: a step from X_h = B^h + {xp + l, h}, the reciprocal of D's top h limbs, to n = h + l.
typedef struct {
    uint64_t *xp;
    const uint64_t *dp;
    uint64_t n, l, h;
    mul_wrap *wrap;    // X_h's fraction as it was, for products modulo B^m + 1, m >= n + 2; or NULL
    uint64_t lowered;  // by what X_h is below that now
} newton;

// wrapped: {t, n + 1} = c - D {xh, h}, whose absolute value is below B^m / 2, in two's complement.
static bigint_status wrapped(bigint_ctx *ctx, const newton *s, uint64_t *t, const uint64_t *cp) {
    const uint64_t m = mul_wrap_limbs(s->wrap);
    uint64_t *rp = arena_take_limbs(ctx, "bigint_divrem", m + 2);
    bigint_status status =
        rp == NULL ? BIGINT_ENOMEM : mul_wrap_mul(ctx, "bigint_divrem", rp, s->dp, s->n, s->wrap);
    if (status == BIGINT_OK) {
        mul_wrap_fold(rp, m, cp, s->n + s->h);
        if ((rp[m] | rp[m - 1] >> 63) != 0) {  // negative: less B^m + 1
            limbs_sub_1(rp, rp, m, 1);
        }
        memcpy(t, rp, (s->n + 1) * sizeof *t);
    }
    return status;
}

// residual: {t, n + 1} = T = B^(n + h) - D X_h. X_h is lowered until T > 0, LOWERED_MOST times at
// most. Ensures T < 2 D.
enum { LOWERED_MOST = 4 };
static bigint_status residual(bigint_ctx *ctx, newton *s, uint64_t *t) {
    const uint64_t n = s->n, h = s->h, *const dp = s->dp;
    uint64_t *const xh = s->xp + s->l;
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t *c = arena_take_limbs(ctx, "bigint_divrem", n + h);
    bigint_status status = c == NULL ? BIGINT_ENOMEM : BIGINT_OK;
    if (status == BIGINT_OK) {  // T = (B^n - D) B^h - D xh, and |T| < 2 B^n
        memset(c, 0, h * sizeof *c);
        for (uint64_t i = 0; i < n; i++) {
            c[h + i] = ~dp[i];
        }
        limbs_add_1(c + h, c + h, n, 1);
        status = s->wrap != NULL
                     ? wrapped(ctx, s, t, c)
                     : mul_difference(ctx, "bigint_divrem", t, n + 1, c, n + h, dp, n, xh, h);
    }
    arena_release(ctx, mark);
    if (status != BIGINT_OK) {
        return status;
    }
    assert(t[n] <= 1 || t[n] >= (uint64_t)-2);
    while (t[n] >> 63 != 0 || limbs_normalize(t, n + 1) == 0) {
        if (s->lowered == LOWERED_MOST) {
            return context_impossible(ctx, "bigint_divrem", "a residual so long");
        }
        t[n] += limbs_add_n(t, t, dp, n);
        limbs_sub_1(xh, xh, h, 1);
        s->lowered++;
    }
    assert(t[n] <= 1);
    return BIGINT_OK;
}

// upper_product: {u, 2 h} = {tm, h} {xh, h}. {u} has the room of wrap.
static bigint_status upper_product(bigint_ctx *ctx, const newton *s, uint64_t *u,
                                   const uint64_t *tm) {
    const uint64_t h = s->h;
    if (s->wrap == NULL) {
        return bigint_mul_limbs(ctx, u, tm, h, s->xp + s->l, h);
    }
    assert(2 * h <= mul_wrap_limbs(s->wrap));  // so the residue is the product
    const bigint_status status = mul_wrap_mul(ctx, "bigint_divrem", u, tm, h, s->wrap);
    if (status == BIGINT_OK && s->lowered > 0) {
        const uint64_t borrow = ctx->limbs->submul_1(u, tm, h, s->lowered);
        limbs_sub_1(u + h, u + h, h, borrow);
    }
    return status;
}

// extend: X = B^l X_h + floor(floor(T / B^l) X_h / B^(2h - l)), in place: {xp + l, h} is X_h's
// fraction.
static bigint_status extend(bigint_ctx *ctx, const newton *s, const uint64_t *t) {
    const uint64_t l = s->l, h = s->h, *tm = t + l;  // h + 1 limbs, the top one 0 or 1
    const uint64_t room = s->wrap != NULL ? mul_wrap_limbs(s->wrap) + 2 : 2 * h + 1;
    uint64_t *u = arena_take_limbs(ctx, "bigint_divrem", room), *xp = s->xp, *xh = xp + l;
    if (u == NULL) {
        return BIGINT_ENOMEM;
    }
    const bigint_status status = upper_product(ctx, s, u, tm);
    if (status != BIGINT_OK) {
        return status;
    }
    u[2 * h] = tm[h] + limbs_add_n(u + h, u + h, tm, h);
    if (tm[h] != 0) {
        u[2 * h] += limbs_add_n(u + h, u + h, xh, h);
    }
    const uint64_t *v = u + (2 * h - l);  // l + 1 limbs
    if (l > 0) {
        memcpy(xp, v, l * sizeof *xp);
    }
    const uint64_t carry = limbs_add_1(xh, xh, h, v[l]);
    assert(carry == 0);  // X < 2 B^n
    (void)carry;
    return BIGINT_OK;
}

// by_division: whether reciprocal_base finds n limbs. upper_half: of n limbs, found before.
static bool by_division(const bigint_ctx *ctx, uint64_t n) {
    return n < newton_threshold(ctx) / RECIPROCAL_NEWTON_PART;
}

static uint64_t upper_half(uint64_t n) { return n - (n - 1) / 2; }

// reciprocal: reciprocal_limbs as a step on the way to `all` limbs, for the progress.
static bigint_status reciprocal(bigint_ctx *ctx, uint64_t *xp, const uint64_t *dp, uint64_t n,
                                uint64_t all) {
    assert(n >= 2 && dp[n - 1] >> 63 == 1);
    if (by_division(ctx, n)) {
        return reciprocal_base(ctx, xp, dp, n);
    }
    const uint64_t h = upper_half(n), l = n - h;
    bigint_status status = reciprocal(ctx, xp + l, dp + l, h, all);
    if (status != BIGINT_OK) {
        return status;
    }
    const arena_mark mark = arena_get_mark(ctx);
    newton s = {.xp = xp, .dp = dp, .n = n, .l = l, .h = h};
    uint64_t *t = arena_take_limbs(ctx, "bigint_divrem", n + 1);
    status = t == NULL ? BIGINT_ENOMEM
                       : mul_wrap_prepare(ctx, "bigint_divrem", &s.wrap, xp + l, h, n, n + 2);
    if (status == BIGINT_OK) {
        status = residual(ctx, &s, t);
    }
    if (status == BIGINT_OK) {
        status = extend(ctx, &s, t);
    }
    arena_release(ctx, mark);
    return status != BIGINT_OK
               ? status
               : context_division_progress(ctx, RECIPROCAL_WORK * (double)n / (double)all);
}

bigint_status reciprocal_limbs(bigint_ctx *ctx, uint64_t *xp, const uint64_t *dp, uint64_t n) {
    return reciprocal(ctx, xp, dp, n, n);
}

// step_need: what a step to n limbs needs.
static void step_need(work_need *w, uint64_t n) {
    const uint64_t in_use = w->host.in_use, h = upper_half(n);
    need_take_limbs(&w->host, n + 1);
    const uint64_t m = mul_wrap_need(w, h, n, n + 2), kept = w->host.in_use;
    need_take_limbs(&w->host, n + h);
    if (m > 0) {
        need_take_limbs(&w->host, m + 2);
        mul_wrap_mul_need(w, h, n, n + 2);
    } else {
        mul_difference_need(w, n + 1, n, h, false);
    }
    need_release(&w->host, kept);
    need_take_limbs(&w->host, m > 0 ? m + 2 : 2 * h + 1);
    if (m > 0) {
        mul_wrap_mul_need(w, h, n, n + 2);
    } else {
        mul_need(w, h, h, false);
    }
    need_release(&w->host, in_use);
}

void reciprocal_need(work_need *n, uint64_t limbs) {
    const uint64_t in_use = n->host.in_use;
    for (; !by_division(n->ctx, limbs); limbs = upper_half(limbs)) {
        step_need(n, limbs);
    }
    need_take_limbs(&n->host, 2 * limbs + div_small_workspace_limbs(limbs, limbs));
    need_release(&n->host, in_use);
}
