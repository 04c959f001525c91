// wrap.c: see wrap.h. The right-angled convolution of 2 N digits is one modulo x^(2 N) + 1
// (fft/complex/complex.h), so it reduces modulo B^m + 1 for free. Bounds: docs/proofs/division.md.
#include "bigint/multiply/wrap.h"

#include <assert.h>

#include "bigint/core/arena.h"
#include "bigint/core/tune.h"
#include "bigint/multiply/float.h"
#include "bigint/multiply/mul.h"
#include "primitives/limbs/limbs.h"

// The plane follows this header at a 64-byte boundary.
struct mul_wrap {
    uint64_t bn, max_an;
    mul_float_plan plan;
};

enum { HEADER = (sizeof(mul_wrap) + 63) / 64 * 64 };

static void *plane(const mul_wrap *b) { return (void *)((uintptr_t)b + HEADER); }

// in_range: whether products of an and bn limbs by a kept operand take the real transform.
static bool in_range(const bigint_ctx *ctx, uint64_t an, uint64_t bn) {
    mul_float_plan plan;
    return ctx->check_modulus == 0 && mul_plan_real(ctx, &plan, an, bn);
}

// wrap_plan: whether products modulo B^m + 1, m >= n, pay, and their plan: from the length on from
// which whole products of n by n limbs take the transform, to where those of n limbs do.
static bool wrap_plan(const bigint_ctx *ctx, mul_float_plan *plan, uint64_t an, uint64_t bn,
                      uint64_t n, bool sums) {
    return (in_range(ctx, n, n) || in_range(ctx, n / 2, n / 2)) &&
           mul_float_plan_wrapped(plan, an, bn, n, sums) == NULL;
}

static uint64_t kept_bytes(const mul_float_plan *plan) {
    return HEADER + mul_float_plane_bytes(plan);
}

// prepared_plan: whether mul_wrap_prepare prepares, and the plan with all its memory.
static bool prepared_plan(const bigint_ctx *ctx, mul_plan *all, uint64_t bn, uint64_t max_an,
                          uint64_t n) {
    *all = (mul_plan){.engine = ENGINE_REAL_FFT, .an = n, .bn = bn};
    if (!wrap_plan(ctx, &all->floats, max_an, bn, n, false)) {
        return false;
    }
    all->workspace_bytes = kept_bytes(&all->floats) + mul_float_prepared_bytes(&all->floats);
    all->tables_bytes = mul_float_tables_bytes(&all->floats);
    return mul_plan_fits(ctx, all);
}

bigint_status mul_wrap_prepare(bigint_ctx *ctx, const char *who, mul_wrap **out, const uint64_t *bp,
                               uint64_t bn, uint64_t max_an, uint64_t n) {
    assert(1 <= bn && bn <= n && 1 <= max_an && max_an <= n);
    mul_plan all;
    *out = NULL;
    if (!prepared_plan(ctx, &all, bn, max_an, n)) {
        return BIGINT_OK;
    }
    bigint_status status = mul_ready(ctx, who, &all);
    mul_wrap *const b = status == BIGINT_OK ? arena_take(ctx, who, kept_bytes(&all.floats)) : NULL;
    const arena_mark mark = arena_get_mark(ctx);
    void *const ws = b == NULL ? NULL : arena_take(ctx, who, mul_float_prepared_bytes(&all.floats));
    if (ws == NULL) {
        return status == BIGINT_OK ? BIGINT_ENOMEM : status;
    }
    *b = (mul_wrap){bn, max_an, all.floats};
    mul_float_prepare(ctx, &b->plan, plane(b), bp, bn, ws);
    arena_release(ctx, mark);
    *out = b;
    return BIGINT_OK;
}

uint64_t mul_wrap_need(work_need *n, uint64_t bn, uint64_t max_an, uint64_t least) {
    mul_plan all;
    if (n->status != BIGINT_OK || !prepared_plan(n->ctx, &all, bn, max_an, least)) {
        return 0;
    }
    mul_float_tables_need(n, &all.floats);
    need_take(&n->host, kept_bytes(&all.floats));
    mul_wrap_mul_need(n, bn, max_an, least);  // as much as for one transform
    return mul_float_wrap_limbs(&all.floats);
}

void mul_wrap_mul_need(work_need *n, uint64_t bn, uint64_t max_an, uint64_t least) {
    mul_plan all;
    if (n->status == BIGINT_OK && prepared_plan(n->ctx, &all, bn, max_an, least)) {
        const uint64_t in_use = n->host.in_use;
        need_take(&n->host, mul_float_prepared_bytes(&all.floats));
        need_release(&n->host, in_use);
    }
}

uint64_t mul_wrap_limbs(const mul_wrap *b) { return mul_float_wrap_limbs(&b->plan); }

// add_small: {rp, m + 1} = the residue of {rp, m} + x.
static void add_small(uint64_t *rp, uint64_t m, uint64_t x) {
    rp[m] = 0;
    if (limbs_add_1(rp, rp, m, x) != 0) {  // B^m is -1
        rp[m] = limbs_sub_1(rp, rp, m, 1);
        if (rp[m] != 0) {
            limbs_add_1(rp, rp, m, 1);
        }
    }
}

// sub_small: {rp, m + 1} = the residue of {rp, m} - x.
static void sub_small(uint64_t *rp, uint64_t m, uint64_t x) {
    rp[m] = 0;
    if (limbs_sub_1(rp, rp, m, x) != 0) {  // one more than the borrow took
        rp[m] = limbs_add_1(rp, rp, m, 1);
    }
}

// reduce: {rp, m + 1} = the residue of what a plan that wraps has written. {rp, m} + high B^m is
// congruent to {rp, m} - high; |high| < 2^53, for coefficients are below 2^51 and the last one
// weighs B^m / 2^width.
static void reduce(const mul_float_plan *plan, uint64_t *rp) {
    const uint64_t m = mul_float_wrap_limbs(plan);
    const __int128 high =
        (__int128)(((word_pair)rp[m + 1] << 64 | rp[m]) - mul_float_wrap_offset(plan));
    assert(-((int64_t)1 << 53) < high && high < (int64_t)1 << 53);
    if (high >= 0) {
        sub_small(rp, m, (uint64_t)high);
    } else {
        add_small(rp, m, (uint64_t)-high);
    }
}

bigint_status mul_wrap_mul(bigint_ctx *ctx, const char *who, uint64_t *rp, const uint64_t *ap,
                           uint64_t an, const mul_wrap *b) {
    assert(1 <= an && an <= b->max_an);
    bigint_status status = context_pause(ctx, who);
    if (status == BIGINT_OK) {
        status = mul_float_tables(ctx, who, &b->plan);
    }
    const arena_mark mark = arena_get_mark(ctx);
    void *const ws =
        status == BIGINT_OK ? arena_take(ctx, who, mul_float_prepared_bytes(&b->plan)) : NULL;
    if (ws == NULL) {
        return status == BIGINT_OK ? BIGINT_ENOMEM : status;
    }
    mul_float_run_prepared(ctx, &b->plan, rp, ap, an, plane(b), b->bn, ws);
    arena_release(ctx, mark);
    ctx->counters.products++;
    reduce(&b->plan, rp);
    return BIGINT_OK;
}

void mul_wrap_fold(uint64_t *rp, uint64_t m, const uint64_t *cp, uint64_t cn) {
    assert(cn <= 2 * m);
    const uint64_t low = cn < m ? cn : m;
    // Everything is kept as {rp, m} + high B^m, and B^m is -1.
    int64_t high = -(int64_t)rp[m];
    for (uint64_t i = 0; i < m; i++) {  // -r = ~r + 1 - B^m
        rp[i] = ~rp[i];
    }
    high += (int64_t)limbs_add_1(rp, rp, m, 1) - 1;
    high += (int64_t)limbs_add(rp, rp, m, cp, low);
    if (cn > m) {
        high -= (int64_t)limbs_sub(rp, rp, m, cp + m, cn - m);
    }
    if (high >= 0) {
        sub_small(rp, m, (uint64_t)high);
    } else {
        add_small(rp, m, (uint64_t)-high);
    }
}

// --- Rings ---

// planes_plan: of this many planes and a product.
static mul_plan planes_plan(const mul_wrap_ring *s, unsigned planes) {
    return (mul_plan){.engine = ENGINE_REAL_FFT,
                      .an = s->an,
                      .bn = s->bn,
                      .floats = s->plan,
                      .workspace_bytes = planes * mul_float_plane_bytes(&s->plan) +
                                         mul_float_wrapped_bytes(&s->plan),
                      .tables_bytes = mul_float_tables_bytes(&s->plan)};
}

// ring_ready: whether this many planes of a plan fit, and then its tables.
static bigint_status ring_ready(bigint_ctx *ctx, const char *who, mul_wrap_ring *s,
                                unsigned planes) {
    const mul_plan all = planes_plan(s, planes);
    s->pays = mul_plan_fits(ctx, &all);
    return s->pays ? mul_ready(ctx, who, &all) : BIGINT_OK;
}

static bool ring_need(work_need *n, mul_wrap_ring *s, unsigned planes) {
    const mul_plan all = planes_plan(s, planes);
    s->pays = n->status == BIGINT_OK && mul_plan_fits(n->ctx, &all);
    if (s->pays) {
        mul_float_tables_need(n, &s->plan);
    }
    return s->pays;
}

bool mul_wrap_ring_need(work_need *n, mul_wrap_ring *s, uint64_t an, uint64_t bn, uint64_t least,
                        unsigned planes) {
    *s = (mul_wrap_ring){.an = an, .bn = bn};
    return wrap_plan(n->ctx, &s->plan, an, bn, least, true) && ring_need(n, s, planes);
}

void mul_wrap_ring_planes_need(work_need *n, const mul_wrap_ring *s, unsigned planes) {
    for (unsigned i = 0; i < planes; i++) {
        need_take(&n->host, mul_float_plane_bytes(&s->plan));
    }
    const uint64_t in_use = n->host.in_use, prepared = mul_float_prepared_bytes(&s->plan),
                   wrapped = mul_float_wrapped_bytes(&s->plan);
    need_take(&n->host, prepared > wrapped ? prepared : wrapped);
    need_release(&n->host, in_use);
}

bigint_status mul_wrap_ring_begin(bigint_ctx *ctx, const char *who, mul_wrap_ring *s, uint64_t an,
                                  uint64_t bn, uint64_t n, unsigned planes) {
    assert(1 <= an && an <= n && 1 <= bn && bn <= n);
    *s = (mul_wrap_ring){.an = an, .bn = bn};
    return wrap_plan(ctx, &s->plan, an, bn, n, true) ? ring_ready(ctx, who, s, planes) : BIGINT_OK;
}

// pair_plan: whether two rings pay, and their plans.
static bool pair_plan(const bigint_ctx *ctx, mul_wrap_ring s[2], uint64_t bn, uint64_t n) {
    mul_float_plan plan[2];
    s[0].pays = s[1].pays = false;
    // Two rings pay from half the length on where other products by a kept operand do.
    if (!(in_range(ctx, 2 * n, 2 * n) || in_range(ctx, n / 2, n / 2)) ||
        mul_float_plan_pair(plan, bn, n) != NULL) {
        return false;
    }
    for (unsigned i = 0; i < 2; i++) {
        s[i] = (mul_wrap_ring){.an = plan[i].a_piece, .bn = plan[i].bn, .plan = plan[i]};
    }
    return true;
}

bool mul_wrap_ring_pair_need(work_need *n, mul_wrap_ring s[2], uint64_t bn, uint64_t least,
                             unsigned planes) {
    return pair_plan(n->ctx, s, bn, least) && ring_need(n, &s[0], planes) &&
           ring_need(n, &s[1], planes);
}

bigint_status mul_wrap_ring_pair(bigint_ctx *ctx, const char *who, mul_wrap_ring s[2], uint64_t bn,
                                 uint64_t n, unsigned planes) {
    bigint_status status = BIGINT_OK;
    const bool planned = pair_plan(ctx, s, bn, n);
    for (unsigned i = 0; i < 2 && planned && status == BIGINT_OK; i++) {
        status = ring_ready(ctx, who, &s[i], planes);
    }
    return status;
}

uint64_t mul_wrap_ring_limbs(const mul_wrap_ring *s) { return mul_float_wrap_limbs(&s->plan); }

bigint_status mul_wrap_ring_prepare(bigint_ctx *ctx, const char *who, const mul_wrap_ring *s,
                                    const void **plane, const uint64_t *p, uint64_t n) {
    assert(s->pays && n >= 1 && n <= (s->an > s->bn ? s->an : s->bn));
    void *const made = arena_take(ctx, who, mul_float_plane_bytes(&s->plan));
    const arena_mark mark = arena_get_mark(ctx);
    void *const ws = made == NULL ? NULL : arena_take(ctx, who, mul_float_prepared_bytes(&s->plan));
    if (ws == NULL) {
        return BIGINT_ENOMEM;
    }
    mul_float_prepare(ctx, &s->plan, made, p, n, ws);
    arena_release(ctx, mark);
    *plane = made;
    return BIGINT_OK;
}

// ring_workspace: that many bytes of workspace for a product, or NULL with its status: no memory,
// or the call is to end.
static void *ring_workspace(bigint_ctx *ctx, const char *who, uint64_t bytes,
                            bigint_status *status) {
    *status = context_pause(ctx, who);
    void *const ws = *status == BIGINT_OK ? arena_take(ctx, who, bytes) : NULL;
    *status = *status == BIGINT_OK && ws == NULL ? BIGINT_ENOMEM : *status;
    return ws;
}

// ring_end: what {rp} holds after `products` of them becomes a residue.
static bigint_status ring_end(bigint_ctx *ctx, const mul_wrap_ring *s, uint64_t *rp,
                              unsigned products, arena_mark mark) {
    arena_release(ctx, mark);
    ctx->counters.products += products;
    reduce(&s->plan, rp);
    return BIGINT_OK;
}

bigint_status mul_wrap_ring_sum(bigint_ctx *ctx, const char *who, const mul_wrap_ring *s,
                                uint64_t *rp, const void *const planes[4], bool minus) {
    bigint_status status;
    const arena_mark mark = arena_get_mark(ctx);
    void *const ws = ring_workspace(ctx, who, mul_float_prepared_bytes(&s->plan), &status);
    if (ws == NULL) {
        return status;
    }
    mul_float_run_sum(ctx, &s->plan, rp, planes, minus, ws);
    return ring_end(ctx, s, rp, 2, mark);
}

bigint_status mul_wrap_ring_mul(bigint_ctx *ctx, const char *who, const mul_wrap_ring *s,
                                uint64_t *rp, const uint64_t *ap, uint64_t an, const uint64_t *bp,
                                uint64_t bn) {
    assert(1 <= an && an <= s->an && 1 <= bn && bn <= s->bn);
    const bool square = ap == bp && an == bn;
    bigint_status status;
    const arena_mark mark = arena_get_mark(ctx);
    void *const ws = ring_workspace(ctx, who, mul_float_wrapped_bytes(&s->plan), &status);
    if (ws == NULL) {
        return status;
    }
    mul_float_run_wrapped(ctx, &s->plan, rp, ap, an, square ? NULL : bp, bn, ws);
    return ring_end(ctx, s, rp, 1, mark);
}

bigint_status mul_wrap_ring_mul_plane(bigint_ctx *ctx, const char *who, const mul_wrap_ring *s,
                                      uint64_t *rp, const uint64_t *ap, uint64_t an,
                                      const void *plane) {
    assert(1 <= an && an <= s->an);
    bigint_status status;
    const arena_mark mark = arena_get_mark(ctx);
    void *const ws = ring_workspace(ctx, who, mul_float_prepared_bytes(&s->plan), &status);
    if (ws == NULL) {
        return status;
    }
    mul_float_run_prepared(ctx, &s->plan, rp, ap, an, plane, s->bn, ws);
    return ring_end(ctx, s, rp, 1, mark);
}
