// difference.c: differences c - a b whose upper part is known, by transforms around which that part
// wraps. B = 2^64; the bounds: docs/proofs/division.md.
#include <assert.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "bigint/multiply/mod.h"
#include "bigint/multiply/mul.h"
#include "primitives/limbs/limbs.h"

// modulus: M = B^m - 1, or (B^(2 m / 3) + 1) (B^(m / 3) - 1) as two rings. Either is -1 modulo
// B^(m / 3). m = 0: none.
typedef struct {
    uint64_t m;
    unsigned count;
    mul_ring rings[2];
} modulus;

enum { LG_MIN = 7, LG_MAX = 30, SLACK = 16 };

// least_modulus: the modulus of the fewest points that determines n limbs together with a few known
// lowest limbs, at most a SLACK-th of it.
static modulus least_modulus(uint64_t n) {
    for (unsigned lg = LG_MIN; lg <= LG_MAX; lg++) {
        // the widest digits of 2^lg and of 2^(lg - 1) points with a sign that are proved
        const uint64_t width = lg <= 21 ? 64 : (149 - lg) / 2, whole = (width << lg) / 64;
        const uint64_t third = (width << (lg - 2)) / 64;
        if (3 * third + 3 * third / SLACK >= n) {
            return (modulus){3 * third, 2, {{128 * third, true}, {64 * third, false}}};
        }
        if (whole + whole / SLACK >= n) {
            return (modulus){whole, 1, {{64 * whole, false}}};
        }
    }
    return (modulus){0};
}

// difference_in: {rp, mul_ring_limbs} = the residue of c - a b.
static bigint_status difference_in(bigint_ctx *ctx, const char *who, mul_ring ring, uint64_t *rp,
                                   mul_ring_term c, mul_ring_term a, mul_ring_term b) {
    const arena_mark mark = arena_get_mark(ctx);
    const uint64_t n = mul_ring_limbs(ring);
    uint64_t *const xp = arena_take_limbs(ctx, who, 2 * n);
    bigint_status status = xp == NULL ? BIGINT_ENOMEM : BIGINT_OK;
    const bool square = a.p == b.p && a.n == b.n;
    if (status == BIGINT_OK && a.n >= n) {
        status = mul_ring_fold(ctx, who, ring, xp, &a, 1);
        a = (mul_ring_term){xp, n, false};
    }
    if (square) {
        b = a;
    } else if (status == BIGINT_OK && b.n >= n) {
        status = mul_ring_fold(ctx, who, ring, xp + n, &b, 1);
        b = (mul_ring_term){xp + n, n, false};
    }
    if (status == BIGINT_OK) {
        status = mul_ring_mul(ctx, who, ring, rp, a.p, a.n, b.p, b.n, &c);
    }
    arena_release(ctx, mark);
    return status;
}

// joined: {rp, m + 1} = the residue modulo M of a number, from its residues modulo the two rings: x
// in {rp, 2 m / 3 + 1} and y = {yp, m / 3 + 1}. It is x + (B^(2 m / 3) + 1) t with 2 t = y - x
// modulo B^(m / 3) - 1. Halving modulo that number is a rotation by a bit.
static bigint_status joined(bigint_ctx *ctx, const char *who, const modulus *s, uint64_t *rp,
                            uint64_t *yp) {
    const arena_mark mark = arena_get_mark(ctx);
    const uint64_t third = s->m / 3, n = third + 1;
    uint64_t *const tp = arena_take_limbs(ctx, who, n);
    bigint_status status = tp == NULL ? BIGINT_ENOMEM : BIGINT_OK;
    if (status == BIGINT_OK) {
        const mul_ring_term terms[] = {{yp, n, false}, {rp, 2 * third + 1, true}};
        status = mul_ring_fold(ctx, who, s->rings[1], tp, terms, 2);
    }
    if (status == BIGINT_OK) {
        tp[third] = tp[0] & 1;
        limbs_rshift(tp, tp, n, 1);
        memset(rp + 2 * third + 1, 0, third * sizeof *rp);
        limbs_add(rp, rp, s->m + 1, tp, third);
        limbs_add_n(rp + 2 * third, rp + 2 * third, tp, third);
    }
    arena_release(ctx, mark);
    return status;
}

// shift_by: {ep, n} += or -= {jp, jn} B^at, modulo B^n.
static void shift_by(uint64_t *ep, uint64_t n, uint64_t at, const uint64_t *jp, uint64_t jn,
                     bool minus) {
    if (at < n) {
        const uint64_t kept = jn < n - at ? jn : n - at;
        (minus ? limbs_sub : limbs_add)(ep + at, ep + at, n - at, jp, kept);
    }
}

// unwrap: {ep, n} = e = r + j M, from its residue {rp, m + 1} and its lowest limbs {jp, jn}, jn <=
// m / SLACK. These give j, because M is -1 modulo B^jn. {jp} is overwritten.
static void unwrap(const modulus *s, uint64_t *ep, uint64_t n, const uint64_t *rp, uint64_t *jp,
                   uint64_t jn) {
    const uint64_t kept = n < s->m ? n : s->m;
    memcpy(ep, rp, kept * sizeof *ep);
    memset(ep + kept, 0, (n - kept) * sizeof *ep);
    limbs_sub_n(jp, rp, jp, jn);
    const bool negative = jp[jn - 1] >> 63 != 0;
    if (negative) {
        for (uint64_t i = 0; i < jn; i++) {
            jp[i] = ~jp[i];
        }
        limbs_add_1(jp, jp, jn, 1);
    }
    shift_by(ep, n, s->m, jp, jn, negative);
    shift_by(ep, n, 0, jp, jn, !negative);
    if (s->count == 2) {
        shift_by(ep, n, s->m / 3 * 2, jp, jn, !negative);
        shift_by(ep, n, s->m / 3, jp, jn, negative);
    }
}

// lowest: {lp, n} = the lowest limbs of c - a b. {wp, 2 n} is workspace.
static bigint_status lowest(bigint_ctx *ctx, uint64_t *lp, uint64_t n, uint64_t *wp,
                            const uint64_t *cp, uint64_t cn, const uint64_t *ap, uint64_t an,
                            const uint64_t *bp, uint64_t bn) {
    an = an < n ? an : n;
    bn = bn < n ? bn : n;
    cn = cn < n ? cn : n;
    const bigint_status status = bigint_mul_limbs(ctx, wp, ap, an, bp, bn);
    if (status == BIGINT_OK) {
        memset(lp, 0, n * sizeof *lp);
        limbs_add(lp, lp, n, cp, cn);
        limbs_sub(lp, lp, n, wp, an + bn < n ? an + bn : n);
    }
    return status;
}

// by_rings: mul_difference by a modulus.
static bigint_status by_rings(bigint_ctx *ctx, const char *who, const modulus *s, uint64_t *ep,
                              uint64_t n, const uint64_t *cp, uint64_t cn, const uint64_t *ap,
                              uint64_t an, const uint64_t *bp, uint64_t bn) {
    const uint64_t jn = n > s->m ? n - s->m : 1;
    uint64_t *const rp = arena_take_limbs(ctx, who, s->m + 1 + s->m / 3 + 1 + 3 * jn);
    if (rp == NULL) {
        return BIGINT_ENOMEM;
    }
    uint64_t *const yp = rp + s->m + 1, *const jp = yp + s->m / 3 + 1;
    const mul_ring_term c = {cp, cn, false}, a = {ap, an, false}, b = {bp, bn, false};
    bigint_status status = difference_in(ctx, who, s->rings[0], rp, c, a, b);
    if (status == BIGINT_OK && s->count == 2) {
        status = difference_in(ctx, who, s->rings[1], yp, c, a, b);
        if (status == BIGINT_OK) {
            status = joined(ctx, who, s, rp, yp);
        }
    }
    if (status == BIGINT_OK) {
        status = lowest(ctx, jp, jn, jp + jn, cp, cn, ap, an, bp, bn);
    }
    if (status == BIGINT_OK) {
        unwrap(s, ep, n, rp, jp, jn);
    }
    return status;
}

// by_product: mul_difference by the whole product.
static bigint_status by_product(bigint_ctx *ctx, const char *who, uint64_t *ep, uint64_t n,
                                const uint64_t *cp, uint64_t cn, const uint64_t *ap, uint64_t an,
                                const uint64_t *bp, uint64_t bn) {
    uint64_t *const vp = arena_take_limbs(ctx, who, an + bn);
    const bigint_status status =
        vp == NULL ? BIGINT_ENOMEM : bigint_mul_limbs(ctx, vp, ap, an, bp, bn);
    if (status == BIGINT_OK) {
        cn = cn < n ? cn : n;
        memcpy(ep, cp, cn * sizeof *ep);
        memset(ep + cn, 0, (n - cn) * sizeof *ep);
        limbs_sub(ep, ep, n, vp, an + bn < n ? an + bn : n);
    }
    return status;
}

bigint_status mul_difference(bigint_ctx *ctx, const char *who, uint64_t *ep, uint64_t n,
                             const uint64_t *cp, uint64_t cn, const uint64_t *ap, uint64_t an,
                             const uint64_t *bp, uint64_t bn) {
    assert(n >= 1 && an >= 1 && bn >= 1);
    const arena_mark mark = arena_get_mark(ctx);
    const modulus s = least_modulus(n);
    const bool pays =
        s.m > 0 && mul_ring_pays(ctx, who, s.rings, s.count, an, bn, ap == bp && an == bn, 0);
    bigint_status status =
        pays ? by_rings(ctx, who, &s, ep, n, cp, cn, ap, an, bp, bn) : BIGINT_ENOMEM;
    if (status == BIGINT_ENOMEM) {  // also if the cap refused rings: this product can be cut
        arena_release(ctx, mark);
        status = by_product(ctx, who, ep, n, cp, cn, ap, an, bp, bn);
    }
    arena_release(ctx, mark);
    return status;
}

// difference_in_need: what difference_in needs.
static void difference_in_need(work_need *w, mul_ring ring, uint64_t an, uint64_t bn, bool square) {
    const uint64_t in_use = w->host.in_use, n = mul_ring_limbs(ring);
    need_take_limbs(&w->host, 2 * n);
    mul_ring_fold_need(w, ring);
    mul_ring_mul_need(w, ring, an < n ? an : n, bn < n ? bn : n, square);
    need_release(&w->host, in_use);
}

void mul_difference_need(work_need *w, uint64_t n, uint64_t an, uint64_t bn, bool square) {
    const uint64_t in_use = w->host.in_use;
    const modulus s = least_modulus(n);
    if (w->status != BIGINT_OK) {
        return;
    }
    if (s.m > 0 && mul_ring_pays(w->ctx, w->who, s.rings, s.count, an, bn, square, 0)) {
        const uint64_t jn = n > s.m ? n - s.m : 1;
        need_take_limbs(&w->host, s.m + 1 + s.m / 3 + 1 + 3 * jn);
        for (unsigned i = 0; i < s.count; i++) {
            difference_in_need(w, s.rings[i], an, bn, square);
        }
        need_take_limbs(&w->host, s.m / 3 + 1);  // of joined
        mul_ring_fold_need(w, s.rings[s.count - 1]);
        mul_need(w, jn, jn, false);
    } else {
        need_take_limbs(&w->host, an + bn);
        mul_need(w, an, bn, square);
    }
    need_release(&w->host, in_use);
}

bool mul_difference_pays(bigint_ctx *ctx, const char *who, uint64_t n, uint64_t an, uint64_t bn,
                         uint64_t times) {
    const modulus s = least_modulus(n);
    return s.m > 0 && mul_ring_pays(ctx, who, s.rings, s.count, an, bn, false, times);
}
