// mod.c: products modulo 2^bits - 1 and 2^bits + 1. A transform wraps around at the modulus, so it
// reduces for free.
#include "bigint/multiply/mod.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/integer.h"
#include "bigint/core/limbs.h"
#include "bigint/core/tune.h"
#include "bigint/multiply/float.h"
#include "bigint/multiply/modular.h"
#include "bigint/multiply/mul.h"
#include "bigint/multiply/product.h"
#include "primitives/limbs/limbs.h"
#include "primitives/words/word.h"

// --- Residues ------------------------------------------------------------------------------------

static uint64_t top_mask(mul_ring ring) { return ((uint64_t)1 << ring.bits % 64) - 1; }

// piece: {tp, mul_ring_limbs} = bits [at, at + bits) of {ap, an}, at < 64 an. {tp} has room for one
// limb more.
static void piece(mul_ring ring, uint64_t *tp, const uint64_t *ap, uint64_t an, uint64_t at) {
    const uint64_t n = mul_ring_limbs(ring), from = at / 64;
    const uint64_t have = an - from <= n ? an - from : n + 1;
    limbs_rshift(tp, ap + from, have, (unsigned)(at % 64));
    memset(tp + have, 0, (n + 1 - have) * sizeof *tp);
    tp[n - 1] &= top_mask(ring);
}

// settle: {sp, mul_ring_limbs + 1}, in two's complement and within 2^(bits + 62), becomes a
// residue. s = high 2^bits + low becomes low + high, or low - high, until high is 0. Every round
// makes high shorter by bits bits, and the last two or three rounds remove the rest.
static void settle(mul_ring ring, uint64_t *sp) {
    const uint64_t n = mul_ring_limbs(ring);
    const unsigned shift = ring.bits % 64;
    for (;;) {
        const uint64_t high = sp[n - 1] >> shift | sp[n] << 1 << (63 - shift);
        sp[n - 1] &= top_mask(ring);
        sp[n] = 0;
        if (high == 0 || (ring.plus && high == 1 && limbs_normalize(sp, n) == 0)) {
            sp[n - 1] |= high << shift;
            break;
        }
        if ((high >> 63 != 0) == ring.plus) {
            limbs_add_1(sp, sp, n + 1, ring.plus ? -high : high);
        } else {
            limbs_sub_1(sp, sp, n + 1, ring.plus ? high : -high);
        }
    }
    if (!ring.plus) {  // 2^bits - 1 is 0
        limbs_add_1(sp, sp, n, 1);
        if (sp[n - 1] >> shift != 0) {
            sp[n - 1] = 0;
        } else {
            limbs_sub_1(sp, sp, n, 1);
        }
    }
}

// accumulate: {sp, mul_ring_limbs + 1} += or -= the value of {ap, an}, piece by piece. {tp,
// mul_ring_limbs + 1} is workspace.
static void accumulate(mul_ring ring, uint64_t *sp, uint64_t *tp, const uint64_t *ap, uint64_t an,
                       bool negative) {
    const uint64_t n = mul_ring_limbs(ring);
    for (uint64_t at = 0; at < 64 * an; at += ring.bits, negative ^= ring.plus) {
        const uint64_t *from = ap + at / 64;
        uint64_t have = an - at / 64 < n - 1 ? an - at / 64 : n - 1;
        if (ring.bits % 64 != 0) {
            piece(ring, tp, ap, an, at);
            from = tp;
            have = n;
        }
        (negative ? limbs_sub : limbs_add)(sp, sp, n + 1, from, have);
    }
}

void mul_ring_reduce(mul_ring ring, uint64_t *wp, const uint64_t *ap, uint64_t an) {
    const uint64_t n = mul_ring_limbs(ring);
    memset(wp, 0, (n + 1) * sizeof *wp);
    accumulate(ring, wp, wp + n + 1, ap, an, false);
    settle(ring, wp);
}

// Moduli below this many bits divide a modulus of about this size; numbers are folded to that
// first.
enum { FOLD_BITS = 1024 };

bigint_status mul_ring_fold(bigint_ctx *ctx, const char *who, mul_ring ring, uint64_t *rp,
                            const mul_ring_term *terms, size_t count) {
    const arena_mark mark = arena_get_mark(ctx);
    const uint64_t n = mul_ring_limbs(ring);
    uint64_t *const sp = arena_take_limbs(ctx, who, 2 * (n + 1));
    bigint_status status = sp == NULL ? BIGINT_ENOMEM : BIGINT_OK;
    if (status == BIGINT_OK) {
        memset(sp, 0, (n + 1) * sizeof *sp);
    }
    for (size_t i = 0; i < count && status == BIGINT_OK; i++) {
        mul_ring_term term = terms[i];
        if (ring.bits < FOLD_BITS / 2 && term.n > 2 * FOLD_BITS / 64) {
            // 2^bits +- 1 divides 2^(bits k) +- 1 for odd k
            const mul_ring wide = {ring.bits * (FOLD_BITS / ring.bits | 1), ring.plus};
            uint64_t *const wp = arena_take_limbs(ctx, who, mul_ring_limbs(wide));
            status = wp == NULL ? BIGINT_ENOMEM : mul_ring_fold(ctx, who, wide, wp, &term, 1);
            term = (mul_ring_term){wp, mul_ring_limbs(wide), false};
        }
        if (status == BIGINT_OK) {
            accumulate(ring, sp, sp + n + 1, term.p, term.n, term.negative);
        }
    }
    if (status == BIGINT_OK) {
        settle(ring, sp);
        memcpy(rp, sp, n * sizeof *rp);
    }
    arena_release(ctx, mark);
    return status;
}

// --- Products ------------------------------------------------------------------------------------

void mul_ring_fold_need(work_need *n, mul_ring ring) {
    const uint64_t in_use = n->host.in_use;
    need_take_limbs(&n->host, 2 * (mul_ring_limbs(ring) + 1));
    if (ring.bits < FOLD_BITS / 2) {  // the wide ring's residue, and its fold
        need_take_limbs(&n->host, 3 * (2 * FOLD_BITS / 64 + 2));
    }
    need_release(&n->host, in_use);
}

// points: of all transforms of a product.
static uint64_t points(const mul_plan *plan) {
    const mul_fft_plan *const f = &plan->fft;
    const uint64_t pieces =
        word_ceil_div(plan->an, f->a_piece) * word_ceil_div(plan->bn, f->b_piece);
    const uint64_t rings = plan->ring_limbs > 0 ? 2 : 1;
    return (f->square || f->prepares ? 2 : 3) * pieces * rings * (f->fft.rows << f->fft.lg_columns);
}

// ring_plan: a plan that wraps around, if one fits the cap. With checks there is none, because they
// need the whole product.
static bool ring_plan(bigint_ctx *ctx, mul_plan *plan, mul_ring ring, bool square) {
    const uint64_t n = ring.bits / 64;
    *plan = (mul_plan){.engine = ENGINE_MODULAR_FFT, .an = n, .bn = n};
    if (ctx->check_modulus != 0 ||
        !mul_fft_ring_plan_make(ctx, &plan->fft, ring.bits, ring.plus, square)) {
        return false;
    }
    plan->uses_team = ctx->team != NULL && n >= MUL_FFT_TEAM_THRESHOLD;
    plan->fft.others = plan->uses_team ? mul_fft_others(ctx, &plan->fft) : 1;
    plan->workspace_bytes = mul_fft_workspace_bytes(ctx, &plan->fft, false);
    plan->tables_bytes = mul_fft_tables_bytes(ctx, &plan->fft);
    plan->fft.a_piece = plan->fft.b_piece = n;
    return mul_plan_fits(ctx, plan);
}

bool mul_ring_pays(bigint_ctx *ctx, const char *who, const mul_ring *rings, unsigned count,
                   uint64_t an, uint64_t bn, bool square, uint64_t prepared) {
    mul_plan whole, part;
    if (mul_plan_make(ctx, who, &whole, an, bn, square) != BIGINT_OK) {
        return false;
    }
    const bool real = whole.engine == ENGINE_REAL_FFT && ctx->engine == ENGINE_AUTO;
    if (whole.engine != ENGINE_MODULAR_FFT &&
        !(real && mul_fft_plan_make(ctx, &whole.fft, whole.an, whole.bn, square, 1))) {
        return false;
    }
    uint64_t parts = 0;
    for (unsigned i = 0; i < count; i++) {
        if (!ring_plan(ctx, &part, rings[i], square)) {
            return false;
        }
        parts += points(&part);
    }
    parts += parts / 8;  // for folding
    const bool transformed =
        prepared > 0 && mul_choose_engine(ctx, whole.bn, whole.bn, false) == ENGINE_MODULAR_FFT;
    if (transformed) {  // two transforms each and one more, instead of three each
        return 3 * prepared * parts < (2 * prepared + 1) * points(&whole);
    }
    if (real) {  // a point of the real transform takes about 2 / 5 of the time of a modular one
        return 5 * parts < 2 * mul_float_points(&whole.floats);
    }
    return parts < points(&whole);
}

// run_ring: {*vp, *vn} on the arena is congruent to {ap, an} {bp, bn}, by a plan of ring_plan.
static bigint_status run_ring(bigint_ctx *ctx, const char *who, const mul_plan *plan, uint64_t **vp,
                              uint64_t *vn, const uint64_t *ap, uint64_t an, const uint64_t *bp,
                              uint64_t bn) {
    bigint_status status = context_pause(ctx, who);
    if (status == BIGINT_OK) {
        status = mul_ready(ctx, who, plan);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    *vn = mul_fft_ring_limbs(&plan->fft);
    *vp = arena_take_limbs(ctx, who, *vn);
    const arena_mark mark = arena_get_mark(ctx);
    void *const ws = *vp == NULL ? NULL : arena_take(ctx, who, plan->workspace_bytes);
    if (ws == NULL) {
        return BIGINT_ENOMEM;
    }
    const bool finished = mul_fft_ring_run(ctx, &plan->fft, *vp, ap, an, bp, bn, 0, 1, ws,
                                           plan->uses_team ? ctx->team : NULL);
    arena_release(ctx, mark);
    ctx->counters.products += finished;
    return finished ? BIGINT_OK : context_canceled(ctx, who);
}

// whole_product: {*vp, an + bn} on the arena = {ap, an} {bp, bn}.
static bigint_status whole_product(bigint_ctx *ctx, const char *who, uint64_t **vp,
                                   const uint64_t *ap, uint64_t an, const uint64_t *bp,
                                   uint64_t bn) {
    *vp = arena_take_limbs(ctx, who, an + bn);
    return *vp == NULL ? BIGINT_ENOMEM : bigint_mul_limbs(ctx, *vp, ap, an, bp, bn);
}

// takes_ring: whether mul_ring_mul takes a transform that wraps around, and its plan.
static bool takes_ring(bigint_ctx *ctx, const char *who, mul_plan *plan, mul_ring ring, uint64_t an,
                       uint64_t bn, bool square) {
    const uint64_t n = ring.bits / 64;
    return an <= n && bn <= n && mul_ring_pays(ctx, who, &ring, 1, an, bn, square, 0) &&
           ring_plan(ctx, plan, ring, square);
}

bigint_status mul_ring_mul(bigint_ctx *ctx, const char *who, mul_ring ring, uint64_t *rp,
                           const uint64_t *ap, uint64_t an, const uint64_t *bp, uint64_t bn,
                           const mul_ring_term *from) {
    const arena_mark mark = arena_get_mark(ctx);
    mul_plan plan;
    an = limbs_normalize(ap, an);
    bn = limbs_normalize(bp, bn);
    uint64_t *vp, vn = an + bn;
    bigint_status status = BIGINT_ENOMEM;
    if (takes_ring(ctx, who, &plan, ring, an, bn, ap == bp && an == bn)) {
        status = run_ring(ctx, who, &plan, &vp, &vn, ap, an, bp, bn);
    }
    if (status == BIGINT_ENOMEM) {  // also if the cap refused the ring: this can be cut
        arena_release(ctx, mark);
        vn = an + bn;
        status = whole_product(ctx, who, &vp, ap, an, bp, bn);
    }
    if (status == BIGINT_OK) {
        const mul_ring_term terms[] = {{vp, vn, from != NULL},
                                       from != NULL ? *from : (mul_ring_term){0}};
        status = mul_ring_fold(ctx, who, ring, rp, terms, from != NULL ? 2 : 1);
    }
    arena_release(ctx, mark);
    return status;
}

void mul_ring_mul_need(work_need *n, mul_ring ring, uint64_t an, uint64_t bn, bool square) {
    const uint64_t in_use = n->host.in_use, most = ring.bits / 64;
    mul_plan plan;
    if (n->status != BIGINT_OK) {
        return;
    }
    if (takes_ring(n->ctx, n->who, &plan, ring, an < most ? an : most, bn < most ? bn : most,
                   square)) {
        need_take_limbs(&n->host, mul_fft_ring_limbs(&plan.fft));
        mul_plan_need(n, &plan);
    } else {
        need_take_limbs(&n->host, an + bn);
        mul_need(n, an, bn, square);
    }
    mul_ring_fold_need(n, ring);
    need_release(&n->host, in_use);
}

// --- Integers ------------------------------------------------------------------------------------

// is_whole: whether every product of an by bn limbs that is not negative is its own residue, below
// 2^bits - 1.
static bool is_whole(uint64_t an, uint64_t bn, mul_ring ring) { return an + bn <= ring.bits / 64; }

bigint_status mul_mod_integers(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                               const bigint *b, mul_ring ring) {
    if (a->sign_ * b->sign_ >= 0 && is_whole(a->n_, b->n_, ring)) {
        return mul_product(ctx, who, r, a, (mul_factor){b->d_, b->n_, b->sign_, NULL});
    }
    const uint64_t n = mul_ring_limbs(ring);
    bigint_status status = bigint_check_size(ctx, who, n);
    if (status != BIGINT_OK) {
        return status;
    }
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t *const ap = arena_take_limbs(ctx, who, a == b ? n : 2 * n);
    uint64_t *const bp = a == b ? ap : ap + n;
    status = ap == NULL ? BIGINT_ENOMEM : BIGINT_OK;
    if (status == BIGINT_OK) {
        const mul_ring_term term = {a->d_, a->n_, a->sign_ < 0};
        status = mul_ring_fold(ctx, who, ring, ap, &term, 1);
    }
    if (status == BIGINT_OK && a != b) {
        const mul_ring_term term = {b->d_, b->n_, b->sign_ < 0};
        status = mul_ring_fold(ctx, who, ring, bp, &term, 1);
    }
    if (status == BIGINT_OK) {
        status = mul_ring_mul(ctx, who, ring, ap, ap, n, bp, n, NULL);
    }
    if (status == BIGINT_OK) {
        status = bigint_store(ctx, who, r, ap, n, 1);
    }
    arena_release(ctx, mark);
    return status;
}

void mul_mod_need(work_need *w, uint64_t an, uint64_t bn, mul_ring ring) {
    const uint64_t in_use = w->host.in_use, n = mul_ring_limbs(ring);
    if (is_whole(an, bn, ring)) {  // and the copy of an operand
        need_take_limbs(&w->host, an + bn);
        mul_need(w, an, bn, false);
        need_release(&w->host, in_use);
    }
    need_take_limbs(&w->host, 2 * n);
    mul_ring_fold_need(w, ring);
    mul_ring_mul_need(w, ring, an < n ? an : n, bn < n ? bn : n, false);
    need_release(&w->host, in_use);
}

int mul_mod_print(bigint_ctx *ctx, char *buf, size_t cap, uint64_t an, uint64_t bn, mul_ring ring) {
    const uint64_t most = ring.bits / 64, x = an < most ? an : most, y = bn < most ? bn : most;
    char how[512] = "";
    mul_plan plan;
    const char *const who = "bigint_mul_mod_2exp";
    const bool rings = !is_whole(an, bn, ring) && takes_ring(ctx, who, &plan, ring, x, y, false);
    if (rings || mul_plan_make(ctx, who, &plan, x, y, false) == BIGINT_OK) {
        mul_plan_print(ctx, &plan, how, sizeof how);
    }
    return snprintf(buf, cap, "product modulo 2^%llu %s 1, %s: %s", (unsigned long long)ring.bits,
                    ring.plus ? "+" : "-",
                    rings ? "by a transform that wraps around there" : "of a whole product", how);
}

// --- Limbs ---------------------------------------------------------------------------------------

// limbs_mul_mod: {rp, ceil(bits / 64)}, or one limb more if plus, = the residue of the product.
static bigint_status limbs_mul_mod(bigint_ctx *ctx, const char *who, uint64_t *rp,
                                   const uint64_t *ap, uint64_t an, const uint64_t *bp, uint64_t bn,
                                   mul_ring ring) {
    bigint_status status = bigint_check_limbs(ctx, who);
    if (status != BIGINT_OK) {
        return status;
    }
    const uint64_t n = mul_ring_limbs(ring), written = ring.plus ? n : word_ceil_div(ring.bits, 64);
    if (ring.bits == 0 || an > n || bn > n) {
        return bigint_fail(ctx, BIGINT_EINVAL,
                           "%s: operands of %llu and %llu limbs for a modulus of %llu bits; give 1 "
                           "bit at least, and no longer operands",
                           who, (unsigned long long)an, (unsigned long long)bn,
                           (unsigned long long)ring.bits);
    }
    status = bigint_check_size(ctx, who, n);
    if (status != BIGINT_OK) {
        return status;
    }
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t *const residue = written == n ? rp : arena_take_limbs(ctx, who, n);
    status = residue == NULL ? BIGINT_ENOMEM
                             : mul_ring_mul(ctx, who, ring, residue, ap, an, bp, bn, NULL);
    if (status == BIGINT_OK && residue != rp) {
        memcpy(rp, residue, written * sizeof *rp);
    }
    arena_release(ctx, mark);
    return status;
}

bigint_status bigint_limbs_mul_mod_2exp_minus1(bigint_ctx *ctx, uint64_t *rp, const uint64_t *ap,
                                               uint64_t an, const uint64_t *bp, uint64_t bn,
                                               uint64_t bits) {
    return limbs_mul_mod(ctx, "bigint_limbs_mul_mod_2exp_minus1", rp, ap, an, bp, bn,
                         (mul_ring){bits, false});
}

bigint_status bigint_limbs_mul_mod_2exp_plus1(bigint_ctx *ctx, uint64_t *rp, const uint64_t *ap,
                                              uint64_t an, const uint64_t *bp, uint64_t bn,
                                              uint64_t bits) {
    return limbs_mul_mod(ctx, "bigint_limbs_mul_mod_2exp_plus1", rp, ap, an, bp, bn,
                         (mul_ring){bits, true});
}
