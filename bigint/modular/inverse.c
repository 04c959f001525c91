// inverse.c: see inverse.h: steps of division on two's complement numbers, 60 at a time.
//
// With F odd, one of a and M, and G the other one: f, g begin as F, G and end as +-1, 0; d G = f
// and e G = g modulo F all along, |d|, |e| <= 3 F / 2. As in primitives/residues/inversion.cuh,
// where the digits have 48 bits.
#include "bigint/modular/inverse.h"

#include <assert.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/divide/divrem.h"
#include "bigint/divide/plan.h"
#include "bigint/multiply/mul.h"
#include "primitives/words/divsteps.h"
#include "primitives/words/inverse.h"

static const char who[] = "bigint_invmod_batch";

enum { STEPS = 60 };

__extension__ typedef __int128 wide;

// state: numbers in two's complement: d, e of n limbs, the top one more than F and G need, f, g of
// fn, as few as they need.
typedef struct {
    uint64_t n, fn;
    uint64_t *f, *g, *d, *e, *x, *y;  // x, y: room for what comes next
    const uint64_t *modulus;          // F, n limbs
    uint64_t inverse;                 // -1 / F mod 2^64
    int32_t delta;
} state;

static wide limb_of(const uint64_t *p, uint64_t i, uint64_t n) {
    return i + 1 == n ? (wide)(int64_t)p[i] : (wide)p[i];
}

// combine: {rp, n} = (u a + v b + k F) / 2^60, which divides it. |u| + |v| <= 2^60, |k| <= 2^60 +
// 2^59: a sum of limbs is below 2^126, with the carry of the one before.
static void combine(uint64_t *rp, const uint64_t *ap, int64_t u, const uint64_t *bp, int64_t v,
                    const uint64_t *mp, int64_t k, uint64_t n) {
    wide sum = 0;
    uint64_t below = 0;
    for (uint64_t i = 0; i < n; i++) {
        sum += u * limb_of(ap, i, n) + v * limb_of(bp, i, n) + k * (wide)mp[i];
        const uint64_t limb = (uint64_t)sum;
        sum >>= 64;
        if (i > 0) {
            rp[i - 1] = below >> STEPS | limb << (64 - STEPS);
        }
        below = limb;
    }
    rp[n - 1] = below >> STEPS | (uint64_t)sum << (64 - STEPS);
}

static int64_t sign_of(const uint64_t *p, uint64_t n) { return (int64_t)p[n - 1] < 0 ? -1 : 1; }

// multiple: the k of u d + v e + k F: what takes F from positive d and e and adds it to negative
// ones, and a rest in [-2^59, 2^59).
static int64_t multiple(const state *s, int64_t u, int64_t v) {
    const int64_t base = -(u * sign_of(s->d, s->n) + v * sign_of(s->e, s->n));
    const uint64_t sum = (uint64_t)u * s->d[0] + (uint64_t)v * s->e[0];
    const uint64_t rest = sum * s->inverse - (uint64_t)base;
    return base + ((int64_t)(rest << (64 - STEPS)) >> (64 - STEPS));
}

static void exchange(uint64_t **x, uint64_t **y) {
    uint64_t *const t = *x;
    *x = *y, *y = t;
}

// fits: whether {p, n} needs no limb n - 1.
static bool fits(const uint64_t *p, uint64_t n) { return p[n - 1] == 0 - (p[n - 2] >> 63); }

// advance: one round.
static void advance(state *s) {
    const divsteps_matrix m = divsteps_twice(&s->delta, s->f[0], s->g[0], STEPS / 2);
    const uint64_t *const mp = s->modulus;
    const int64_t kd = multiple(s, m.u, m.v), ke = multiple(s, m.q, m.r);
    combine(s->x, s->f, m.u, s->g, m.v, mp, 0, s->fn);
    combine(s->y, s->f, m.q, s->g, m.r, mp, 0, s->fn);
    exchange(&s->f, &s->x), exchange(&s->g, &s->y);
    combine(s->x, s->d, m.u, s->e, m.v, mp, kd, s->n);
    combine(s->y, s->d, m.q, s->e, m.r, mp, ke, s->n);
    exchange(&s->d, &s->x), exchange(&s->e, &s->y);
    while (s->fn > 1 && fits(s->f, s->fn) && fits(s->g, s->fn)) {
        s->fn--;
    }
}

static void negate(uint64_t *p, uint64_t n) {
    for (uint64_t i = 0; i < n; i++) {
        p[i] = ~p[i];
    }
    limbs_add_1(p, p, n, 1);
}

// run: all rounds; {d, n} = 1 / G mod F, or, with `minus`, -1 / G, reduced; false if there is none.
static bool run(state *s, bool minus) {
    while (limbs_normalize(s->g, s->fn) != 0) {
        advance(s);
    }
    const bool negative = sign_of(s->f, s->fn) < 0;
    if (negative) {
        negate(s->f, s->fn);
    }
    if (limbs_normalize(s->f, s->fn) != 1 || s->f[0] != 1) {
        return false;
    }
    if (negative != minus) {
        negate(s->d, s->n);
    }
    while (sign_of(s->d, s->n) < 0) {  // at most twice
        limbs_add_n(s->d, s->d, s->modulus, s->n);
    }
    while (limbs_cmp(s->d, s->modulus, s->n) >= 0) {
        limbs_sub_n(s->d, s->d, s->modulus, s->n);
    }
    return true;
}

enum { STATE_NUMBERS = 7 };

// open: F = {fp, fn}, odd, and G = {gp, gn}; false without memory.
static bool open(bigint_ctx *ctx, state *s, const uint64_t *fp, uint64_t fn, const uint64_t *gp,
                 uint64_t gn) {
    const uint64_t n = (fn > gn ? fn : gn) + 1;
    uint64_t *const memory = arena_take_limbs(ctx, who, STATE_NUMBERS * n);
    if (memory == NULL) {
        return false;
    }
    memset(memory, 0, STATE_NUMBERS * n * sizeof *memory);
    *s = (state){.n = n,
                 .fn = n,
                 .f = memory,
                 .g = memory + n,
                 .d = memory + 2 * n,
                 .e = memory + 3 * n,
                 .x = memory + 4 * n,
                 .y = memory + 5 * n,
                 .modulus = memory + 6 * n,
                 .inverse = -word_inverse(fp[0]),
                 .delta = 1};
    memcpy(s->f, fp, fn * sizeof *fp);
    memcpy(memory + 6 * n, fp, fn * sizeof *fp);
    memcpy(s->g, gp, gn * sizeof *gp);
    s->e[0] = 1;
    return true;
}

// through_a: {rp, mn} = (1 + M y) / a for {y, an} = -1 / M mod a, a odd.
static bigint_status through_a(bigint_ctx *ctx, uint64_t *rp, const uint64_t *y, const uint64_t *ap,
                               uint64_t an, const uint64_t *mp, uint64_t mn) {
    uint64_t *const t = arena_take_limbs(ctx, who, mn + an + 1);
    uint64_t *const q = t == NULL ? NULL : arena_take_limbs(ctx, who, mn + 2);
    bigint_status status = q == NULL ? BIGINT_ENOMEM : bigint_mul_limbs(ctx, t, mp, mn, y, an);
    if (status == BIGINT_OK) {
        t[mn + an] = limbs_add_1(t, t, mn + an, 1);
        status = bigint_divrem_limbs(ctx, q, NULL, t, mn + an + 1, ap, an);
    }
    if (status == BIGINT_OK) {
        assert(q[mn] == 0 && q[mn + 1] == 0);  // at most M
        memcpy(rp, q, mn * sizeof *rp);
    }
    return status;
}

// invert: inverse_limbs of a below M, an >= 1, with the arena's top as workspace.
static bigint_status invert(bigint_ctx *ctx, uint64_t *rp, const uint64_t *ap, uint64_t an,
                            const uint64_t *mp, uint64_t mn) {
    const bool odd = (mp[0] & 1) != 0;
    state s;
    if (!odd && (ap[0] & 1) == 0) {
        return BIGINT_OK;
    }
    if (!open(ctx, &s, odd ? mp : ap, odd ? mn : an, odd ? ap : mp, odd ? an : mn)) {
        return BIGINT_ENOMEM;
    }
    if (!run(&s, !odd)) {
        return BIGINT_OK;
    }
    if (odd) {
        memcpy(rp, s.d, mn * sizeof *rp);
        return BIGINT_OK;
    }
    return through_a(ctx, rp, s.d, ap, an, mp, mn);
}

bigint_status inverse_limbs(bigint_ctx *ctx, uint64_t *rp, const uint64_t *ap, uint64_t an,
                            const uint64_t *mp, uint64_t mn) {
    assert(mn >= 1 && mp[mn - 1] != 0);
    const arena_mark mark = arena_get_mark(ctx);
    bigint_status status = BIGINT_OK;
    memset(rp, 0, mn * sizeof *rp);
    if (an >= mn) {
        uint64_t *const rest = arena_take_limbs(ctx, who, mn);
        status =
            rest == NULL ? BIGINT_ENOMEM : bigint_divrem_limbs(ctx, NULL, rest, ap, an, mp, mn);
        ap = rest, an = mn;
    }
    an = status == BIGINT_OK ? limbs_normalize(ap, an) : 0;
    if (an > 0) {
        status = invert(ctx, rp, ap, an, mp, mn);
    }
    arena_release(ctx, mark);
    return status;
}

// A number modulo an even one goes through the inverse of the modulus.
void inverse_limbs_need(work_need *w, uint64_t an, uint64_t mn) {
    const uint64_t in_use = w->host.in_use, n = an < mn ? an : mn;
    if (an == 0 || mn == 0) {
        return;
    }
    if (an >= mn) {
        need_take_limbs(&w->host, mn);
        divrem_limbs_need(w, an, mn);
    }
    need_take_limbs(&w->host, STATE_NUMBERS * (mn + 1));
    need_take_limbs(&w->host, mn + n + 1);
    need_take_limbs(&w->host, mn + 2);
    mul_need(w, mn, n, false);
    divrem_limbs_need(w, mn + n + 1, n);
    need_release(&w->host, in_use);
}
