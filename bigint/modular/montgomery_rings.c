// montgomery_rings.c: see montgomery_rings.h. Proof: docs/proofs/powm.md, section 12.
#include "bigint/modular/montgomery_rings.h"

#include <assert.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/divide/divrem.h"
#include "bigint/divide/plan.h"
#include "bigint/gcd/gcd.h"
#include "bigint/gcd/plan.h"
#include "primitives/limbs/limbs.h"

static const char who[] = "bigint_powm";

// Planes that are held at once: the inverse's, M's, and of one product the factors' and the
// quotient's.
enum { PLANES = 5 };

// invert: {inverse, r} = -1 / M mod R; *found: whether there is one. For M > 1 it is not B^r.
static bigint_status invert(bigint_ctx *ctx, const montgomery_rings *m, bool *found) {
    const uint64_t r = m->r;
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t *const modulus = arena_take_limbs(ctx, who, r + 1);
    uint64_t *const g = modulus == NULL ? NULL : arena_take_limbs(ctx, who, r + 1);
    uint64_t *const x = g == NULL ? NULL : arena_take_limbs(ctx, who, r + 1);
    bigint_status status = x == NULL ? BIGINT_ENOMEM : BIGINT_OK;
    if (status == BIGINT_OK) {
        memset(modulus, 0, (r + 1) * sizeof *modulus);
        modulus[0] = modulus[r] = 1;
        const gcd_run run = gcd_begin(ctx, who);
        uint64_t gn = 0, xn = 0;
        bool negative = false;
        status = gcd_cofactor(&run, g, &gn, x, &xn, &negative, m->mp, m->n, modulus, r + 1);
        *found = status == BIGINT_OK && gn == 1 && g[0] == 1;
        if (*found) {
            memset(x + xn, 0, (r + 1 - xn) * sizeof *x);
            if (!negative) {
                limbs_sub_n(x, modulus, x, r + 1);
            }
            assert(x[r] == 0);
            memcpy(m->inverse, x, r * sizeof *x);
        }
    }
    arena_release(ctx, mark);
    return status;
}

// take: the memory of m, ROWS of s + 2 limbs.
enum { ROWS = 5 };
static bigint_status take(bigint_ctx *ctx, montgomery_rings *m) {
    uint64_t **const all[ROWS] = {&m->inverse, &m->residue, &m->factor, &m->sum, &m->quotient};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        *all[i] = arena_take_limbs(ctx, who, m->s + 2);
        if (*all[i] == NULL) {
            return BIGINT_ENOMEM;
        }
    }
    return BIGINT_OK;
}

bigint_status montgomery_rings_init(bigint_ctx *ctx, montgomery_rings *m, bool *made,
                                    const uint64_t *mp, uint64_t n) {
    assert(n >= 1 && (mp[0] & 1) != 0 && mp[n - 1] != 0);
    *m = (montgomery_rings){.mp = mp, .n = n};
    *made = false;
    bigint_status status = mul_wrap_ring_pair(ctx, who, m->ring, n, n + 1, PLANES);
    if (status != BIGINT_OK || !m->ring[0].pays || !m->ring[1].pays) {
        return status;
    }
    m->r = mul_wrap_ring_limbs(&m->ring[0]);
    m->s = mul_wrap_ring_limbs(&m->ring[1]);
    assert(n < m->r && m->r < m->s);
    bool found = false;
    status = take(ctx, m);
    if (status == BIGINT_OK) {
        status = invert(ctx, m, &found);
    }
    if (status == BIGINT_OK && found) {
        status = mul_wrap_ring_prepare(ctx, who, &m->ring[0], &m->inverse_plane, m->inverse, m->r);
    }
    if (status == BIGINT_OK && found) {
        status = mul_wrap_ring_prepare(ctx, who, &m->ring[1], &m->modulus_plane, mp, n);
    }
    *made = status == BIGINT_OK && found;
    return status;
}

bigint_status montgomery_rings_from(bigint_ctx *ctx, const montgomery_rings *m, uint64_t *rp,
                                    const uint64_t *ap, uint64_t an) {
    const arena_mark mark = arena_get_mark(ctx);
    const uint64_t r = m->r, tn = r + an + 1;
    uint64_t *const t = arena_take_limbs(ctx, who, tn);
    bigint_status status = BIGINT_ENOMEM;
    if (t != NULL) {  // a B^r + a
        memset(t, 0, tn * sizeof *t);
        memcpy(t + r, ap, an * sizeof *t);
        limbs_add(t, t, tn, ap, an);
        status = bigint_divrem_limbs(ctx, NULL, rp, t, tn, m->mp, m->n);
    }
    arena_release(ctx, mark);
    return status;
}

// quotient_of: {quotient, r + 1} = a b (-1 / M) mod R.
static bigint_status quotient_of(bigint_ctx *ctx, const montgomery_rings *m, const uint64_t *ap,
                                 const uint64_t *bp) {
    const uint64_t r = m->r;
    uint64_t *const t = m->residue, *const q = m->quotient;
    const bigint_status status = mul_wrap_ring_mul(ctx, who, &m->ring[0], t, ap, m->n, bp, m->n);
    if (status != BIGINT_OK) {
        return status;
    }
    if (t[r] == 0) {
        return mul_wrap_ring_mul_plane(ctx, who, &m->ring[0], q, t, r, m->inverse_plane);
    }
    memset(q, 0, r * sizeof *q);  // B^r is -1: R - inverse
    q[r] = 1 - limbs_sub_n(q, q, m->inverse, r);
    limbs_add_1(q, q, r + 1, 1);
    return BIGINT_OK;
}

// sum_of: {sum, s + 1} = a b + quotient M mod Q.
static bigint_status sum_of(bigint_ctx *ctx, const montgomery_rings *m, const uint64_t *ap,
                            const uint64_t *bp) {
    const mul_wrap_ring *const ring = &m->ring[1];
    const arena_mark mark = arena_get_mark(ctx);
    const void *planes[] = {NULL, NULL, NULL, m->modulus_plane};
    bigint_status status = mul_wrap_ring_prepare(ctx, who, ring, &planes[0], ap, m->n);
    planes[1] = planes[0];
    if (status == BIGINT_OK && ap != bp) {
        status = mul_wrap_ring_prepare(ctx, who, ring, &planes[1], bp, m->n);
    }
    if (status == BIGINT_OK) {
        status = mul_wrap_ring_prepare(ctx, who, ring, &planes[2], m->quotient, m->r + 1);
    }
    if (status == BIGINT_OK) {
        status = mul_wrap_ring_sum(ctx, who, ring, m->sum, planes, false);
    }
    arena_release(ctx, mark);
    return status;
}

// divide: {wp, n + 1} = w for w R = X mod Q, X = {xp, s + 1}, 0 <= w < B^(n + 1) <= B^r. With g = s
// - r and w = h B^g + l, X = (w - h) + l B^r: l is on top of X, and every g limbs of w, less the
// same limbs of w - h, are the next ones of h. {wp} has room for r + g limbs.
static void divide(const montgomery_rings *m, uint64_t *wp, const uint64_t *xp) {
    const uint64_t r = m->r, g = m->s - r;
    uint64_t borrow = 0;
    memcpy(wp, xp + r, g * sizeof *wp);
    for (uint64_t at = 0; at < m->n + 1; at += g) {
        const uint64_t less = borrow, n = r - at < g ? r - at : g;
        borrow = limbs_sub_n(wp + at + g, wp + at, xp + at, n);
        borrow += limbs_sub_1(wp + at + g, wp + at + g, n, less);
    }
}

bigint_status montgomery_rings_mul(bigint_ctx *ctx, const montgomery_rings *m, uint64_t *rp,
                                   const uint64_t *ap, const uint64_t *bp) {
    const uint64_t n = m->n, *const mp = m->mp;
    bigint_status status = quotient_of(ctx, m, ap, bp);
    if (status == BIGINT_OK) {
        status = sum_of(ctx, m, ap, bp);
    }
    if (status == BIGINT_OK) {
        uint64_t *const w = m->residue;
        divide(m, w, m->sum);
        assert(w[n] <= 1);  // below 2 M
        if (w[n] != 0 || limbs_cmp(w, mp, n) >= 0) {
            limbs_sub_n(rp, w, mp, n);
        } else {
            memcpy(rp, w, n * sizeof *rp);
        }
        assert(limbs_cmp(rp, mp, n) < 0);
    }
    return status;
}

bigint_status montgomery_rings_to(bigint_ctx *ctx, const montgomery_rings *m, uint64_t *rp,
                                  const uint64_t *ap) {
    memset(m->factor, 0, m->n * sizeof *m->factor);
    m->factor[0] = 1;
    return montgomery_rings_mul(ctx, m, rp, ap, m->factor);
}

// rings_of: the two rings for n limbs; false if they do not pay.
static bool rings_of(work_need *w, mul_wrap_ring ring[2], uint64_t n) {
    return w->status == BIGINT_OK && mul_wrap_ring_pair_need(w, ring, n, n + 1, PLANES);
}

bool montgomery_rings_need(work_need *w, uint64_t an, uint64_t n) {
    mul_wrap_ring ring[2];
    if (!rings_of(w, ring, n)) {
        return false;
    }
    const uint64_t r = mul_wrap_ring_limbs(&ring[0]), s = mul_wrap_ring_limbs(&ring[1]);
    for (unsigned i = 0; i < ROWS; i++) {
        need_take_limbs(&w->host, s + 2);
    }
    const uint64_t in_use = w->host.in_use;
    for (unsigned i = 0; i < 3; i++) {  // of invert
        need_take_limbs(&w->host, r + 1);
    }
    gcd_cofactor_need(w, n, r + 1);
    need_release(&w->host, in_use);
    mul_wrap_ring_planes_need(w, &ring[0], 1);
    mul_wrap_ring_planes_need(w, &ring[1], 1);
    const uint64_t kept = w->host.in_use;
    need_take_limbs(&w->host, r + an + 1);
    divrem_limbs_need(w, r + an + 1, n);
    need_release(&w->host, kept);
    return true;
}

void montgomery_rings_mul_need(work_need *w, uint64_t n) {
    const uint64_t in_use = w->host.in_use;
    mul_wrap_ring ring[2];
    if (rings_of(w, ring, n)) {
        mul_wrap_ring_planes_need(w, &ring[0], 0);
        mul_wrap_ring_planes_need(w, &ring[1], 3);  // of the factors and the quotient
    }
    need_release(&w->host, in_use);
}
