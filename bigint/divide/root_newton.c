// root_newton.c: approximations of roots: Newton's iteration for the reciprocal root, each step at
// nearly twice the length of the one before, and a last step that turns it into the root. B = 2^64;
// bounds: docs/proofs/root.md.
#include "bigint/divide/root_newton.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/multiply/mul.h"
#include "primitives/words/word.h"

// --- Approximate numbers -------------------------------------------------------------------------

// approx: {p, n} / B^n 2^e, n >= 1 limbs of a mantissa in [1/8, 1).
typedef struct {
    const uint64_t *p;
    uint64_t n;
    int64_t e;
} approx;

// precision: products of up to n limbs each, truncated to n, written alternately to the two halves
// of a buffer of BUFFER n limbs: a product stays until the next but one.
enum { BUFFER = 4 };
typedef struct {
    bigint_ctx *ctx;
    const char *who;
    uint64_t n;
    uint64_t *buffer;
    unsigned turn;
} precision;

static bigint_status precision_take(precision *s, bigint_ctx *ctx, const char *who, uint64_t n) {
    *s = (precision){ctx, who, n, arena_take_limbs(ctx, who, BUFFER * n), 0};
    return s->buffer == NULL ? BIGINT_ENOMEM : BIGINT_OK;
}

static uint64_t *in_turn(const precision *s) { return s->buffer + s->turn * 2 * s->n; }

// truncated: the top limbs of x, no more than n: less than 2 B^-n of it too small for a mantissa of
// 1/2 at least.
static approx truncated(approx x, uint64_t n) {
    return x.n <= n ? x : (approx){x.p + (x.n - n), n, x.e};
}

// multiply: *r = a b, truncated, with a mantissa of 1/2 at least.
enum { SHIFT_MOST = 6 };  // of mantissas of 1/8
static bigint_status multiply(precision *s, approx *r, approx a, approx b) {
    uint64_t *const p = in_turn(s);
    const uint64_t all = a.n + b.n, kept = all > s->n ? s->n + 1 : all;
    bigint_status status = bigint_mul_limbs(s->ctx, p, a.p, a.n, b.p, b.n);
    if (status == BIGINT_OK && p[all - 1] >> (63 - SHIFT_MOST) == 0) {
        status = context_impossible(s->ctx, s->who, "so short a product");
    }
    if (status == BIGINT_OK) {
        const unsigned shift = word_clz(p[all - 1]);
        limbs_lshift(p + (all - kept), p + (all - kept), kept, shift);
        *r = truncated((approx){p, all, a.e + b.e - (int64_t)shift}, s->n);
        s->turn ^= 1;
    }
    return status;
}

// power: *r = x^k, k >= 1: less than 2 (k - 1) B^-n of it too small.
static bigint_status power(precision *s, approx *r, approx x, uint64_t k) {
    bigint_status status = BIGINT_OK;
    *r = x;
    for (unsigned bit = 63 - word_clz(k); bit-- > 0 && status == BIGINT_OK;) {
        status = multiply(s, r, *r, *r);
        if (status == BIGINT_OK && (k >> bit & 1) != 0) {
            status = multiply(s, r, *r, x);
        }
    }
    return status;
}

// --- The reciprocal root -------------------------------------------------------------------------

// All of this is for a in [2^-k, 1), 2 <= k < 2^52, and y = a^(-1/k) in (1, 2]. Approximations of y
// are fractions of 4: {yp, n} 4 / B^n.
static approx quarter(const uint64_t *yp, uint64_t n) { return (approx){yp, n, 2}; }

// residual: {*tp, *tn}, zeros taken off the top, and *negative: t = 1 - a y^k in units of B^-*unit,
// which is n or less. Requires 7/8 < a y^k < 8/7.
static bigint_status residual(precision *s, uint64_t **tp, uint64_t *tn, uint64_t *unit,
                              bool *negative, approx a, approx y, uint64_t k) {
    approx z;
    bigint_status status = power(s, &z, y, k);
    if (status == BIGINT_OK) {
        status = multiply(s, &z, z, truncated(a, s->n));
    }
    if (status != BIGINT_OK) {
        return status;
    }
    assert(z.e == 0 || z.e == 1);
    uint64_t *const p = (uint64_t *)(uintptr_t)z.p;  // in the buffer
    *negative = z.e == 1;
    if (*negative) {
        limbs_lshift(p, p, z.n, 1);  // what leaves at the top is 1
    } else {
        for (uint64_t i = 0; i < z.n; i++) {
            p[i] = ~p[i];
        }
        limbs_add_1(p, p, z.n, 1);
    }
    *tp = p;
    *tn = limbs_normalize(p, z.n);
    *unit = z.n;
    return BIGINT_OK;
}

// correct: {xp, n} += v t / k for t = {tp, tn} B^-drop and v's mantissa taken as an integer,
// rounded to an integer toward zero; -= if negative. {cp, v.n + tn} is workspace.
static bigint_status correct(bigint_ctx *ctx, uint64_t *xp, uint64_t n, approx v,
                             const uint64_t *tp, uint64_t tn, uint64_t drop, bool negative,
                             uint64_t k, uint64_t *cp) {
    const bigint_status status = bigint_mul_limbs(ctx, cp, tp, tn, v.p, v.n);
    const uint64_t all = v.n + tn;
    if (status == BIGINT_OK && all > drop) {
        const unsigned zeros = word_ctz(k);  // a shift is several times faster
        limbs_rshift(cp, cp, all, zeros);
        if (k >> zeros > 1) {
            limbs_divrem_1(cp, cp, all, k >> zeros);
        }
        const uint64_t cn = limbs_normalize(cp + drop, all - drop);
        const uint64_t carry =
            negative ? limbs_sub(xp, xp, n, cp + drop, cn) : limbs_add(xp, xp, n, cp + drop, cn);
        assert(carry == 0);
        (void)carry;
    }
    return status;
}

// newton_step: {yp, n} = y (1 + (1 - a y^k) / k) for y in the top h limbs of {yp, n}.
static bigint_status newton_step(bigint_ctx *ctx, const char *who, uint64_t *yp, uint64_t h,
                                 uint64_t n, approx a, uint64_t k) {
    const arena_mark mark = arena_get_mark(ctx);
    precision s;
    bigint_status status = precision_take(&s, ctx, who, n);
    if (status == BIGINT_OK) {
        uint64_t *tp, tn, unit;
        bool negative;
        status = residual(&s, &tp, &tn, &unit, &negative, a, quarter(yp + (n - h), h), k);
        if (status == BIGINT_OK) {
            // y t has units of 4 B^-(h + unit), and y is to have 4 B^-n
            memset(yp, 0, (n - h) * sizeof *yp);
            status = correct(ctx, yp, n, quarter(yp + (n - h), h), tp, tn, h + unit - n, negative,
                             k, in_turn(&s));
        }
    }
    arena_release(ctx, mark);
    return status;
}

enum { BASE = 2, BASE_STEPS = 5, BASE_STEPS_DOUBLES = 2, DOUBLES_MOST = 64 };

// bisected: *top is y within 2^-4 / (k + 1), in units of 4 / B: bit by bit, with products of a
// limb.
static bigint_status bisected(bigint_ctx *ctx, const char *who, uint64_t *top, approx a,
                              uint64_t k) {
    const arena_mark mark = arena_get_mark(ctx);
    precision s;
    bigint_status status = precision_take(&s, ctx, who, 1);
    uint64_t bit = (uint64_t)1 << 61;
    const uint64_t last = bit >> (66 - word_clz(k));  // 2^-3 / (k + 1) at most, bit being 1 / 2
    *top = (uint64_t)1 << 62;
    for (; bit >= last && status == BIGINT_OK; bit >>= 1) {
        approx z;
        *top |= bit;
        status = power(&s, &z, quarter(top, 1), k);
        if (status == BIGINT_OK) {
            status = multiply(&s, &z, z, truncated(a, 1));
        }
        if (status == BIGINT_OK && z.e > 0) {  // 1 at least: y is smaller
            *top ^= bit;
        }
    }
    *top |= bit;
    arena_release(ctx, mark);
    return status;
}

// power_of: x^k, 2^64 at most; errs by less than k 2^-53 of it.
static double power_of(double x, unsigned k) {
    double r = 1;
    for (; k > 0; k >>= 1) {
        r = (k & 1) != 0 ? r * x : r;
        x = k > 1 ? x * x : x;
    }
    return r;
}

// in_doubles: y within 2^-45 / (k + 1), in units of 4 / B, 2 <= k <= DOUBLES_MOST, by operations
// that IEEE 754 rounds correctly: a root and a division for k = 2, else bits and Newton's
// iteration.
static uint64_t in_doubles(approx a, unsigned k) {
    const double value = ldexp((double)truncated(a, 1).p[0], (int)a.e - 64);
    if (k == 2) {
        return (uint64_t)(0x1p62 / sqrt(value));
    }
    double y = 1, bit = 0.5;
    for (const double last = 0.0625 / (k + 1); bit >= last; bit /= 2) {
        y += value * power_of(y + bit, k) < 1 ? bit : 0;
    }
    y += bit;  // half of the last weight: within 2^-4 / (k + 1)
    for (unsigned i = 0; i < 4; i++) {
        y += y * ((1 - value * power_of(y, k)) / k);
    }
    return (uint64_t)(y * 0x1p62);
}

// reciprocal_base: BASE limbs, by steps of full length.
static bigint_status reciprocal_base(bigint_ctx *ctx, const char *who, uint64_t *yp, approx a,
                                     uint64_t k) {
    bigint_status status = BIGINT_OK;
    yp[0] = 0;
    const bool doubles = k <= DOUBLES_MOST;
    if (doubles) {
        yp[1] = in_doubles(a, (unsigned)k);
    } else {
        status = bisected(ctx, who, &yp[1], a, k);
    }
    const unsigned steps = doubles ? BASE_STEPS_DOUBLES : BASE_STEPS;
    for (unsigned i = 0; i < steps && status == BIGINT_OK; i++) {
        status = newton_step(ctx, who, yp, BASE, BASE, a, k);
    }
    return status;
}

static uint64_t before(uint64_t n) { return n / 2 + 1; }  // a step leads to n <= 2 before(n) - 1

// reciprocal_root: {yp, n} within 2^(3 - 64 n) of y, as a part of y; n >= BASE.
static bigint_status reciprocal_root(bigint_ctx *ctx, const char *who, uint64_t *yp, uint64_t n,
                                     approx a, uint64_t k) {
    if (n == BASE) {
        return reciprocal_base(ctx, who, yp, a, k);
    }
    const uint64_t h = before(n);
    const bigint_status status = reciprocal_root(ctx, who, yp + (n - h), h, a, k);
    return status == BIGINT_OK ? newton_step(ctx, who, yp, h, n, a, k) : status;
}

bigint_status root_reciprocal(bigint_ctx *ctx, const char *who, uint64_t *yp, uint64_t n,
                              const uint64_t *ap, uint64_t an, int64_t e, uint64_t k) {
    assert(n >= BASE && ap[an - 1] >> 61 != 0);
    return reciprocal_root(ctx, who, yp, n, (approx){ap, an, e}, k);
}

// --- The root ------------------------------------------------------------------------------------

// lay_out: {to, n + 1} = {x.p, x.n} B^(n - x.n) 2^shift, x.n <= n, shift < 64.
static void lay_out(uint64_t *to, approx x, uint64_t n, unsigned shift) {
    memset(to, 0, (n - x.n) * sizeof *to);
    to[n] = limbs_lshift(to + (n - x.n), x.p, x.n, shift);
}

// defect: {tp, n + 1} = |a - z| in units of B^-n 2^(a.e - 1), times 2^shift; {zp, n + 1} is
// workspace. Returns whether a < z. Requires z within 1/8 of a.
static bool defect(uint64_t *tp, uint64_t *zp, approx a, approx z, uint64_t n, unsigned shift) {
    assert(a.e - 1 <= z.e && z.e <= a.e + 1);
    lay_out(tp, a, n, 1);
    lay_out(zp, z, n, (unsigned)(z.e - a.e + 1));
    const bool negative = limbs_cmp(tp, zp, n + 1) < 0;
    if (negative) {
        limbs_sub_n(tp, zp, tp, n + 1);
    } else {
        limbs_sub_n(tp, tp, zp, n + 1);
    }
    limbs_lshift(tp, tp, n + 1, shift);
    return negative;
}

// root_step: {xp, n + 1} / B^n 2^*e = x + w (a - x^k) / k, -1 <= *e <= 1, where {yp, h} is y, w =
// y^(k - 1) and x = a w is the root to h limbs, h <= n. The correction is half as long as the root,
// so a reciprocal of half its length does.
static bigint_status root_step(bigint_ctx *ctx, const char *who, uint64_t *xp, int64_t *e,
                               uint64_t n, const uint64_t *yp, uint64_t h, approx a, uint64_t k) {
    precision half, full;
    approx w, x, z;
    uint64_t *tp = arena_take_limbs(ctx, who, n + 1);
    bigint_status status = tp == NULL ? BIGINT_ENOMEM : precision_take(&half, ctx, who, h);
    if (status == BIGINT_OK) {
        status = power(&half, &w, quarter(yp, h), k - 1);
    }
    if (status == BIGINT_OK) {
        status = multiply(&half, &x, w, truncated(a, h));
    }
    if (status == BIGINT_OK) {
        status = precision_take(&full, ctx, who, n);
    }
    if (status == BIGINT_OK) {
        status = power(&full, &z, x, k);
    }
    if (status == BIGINT_OK && (x.e < -1 || x.e > 1 || z.e < a.e - 1 || z.e > a.e + 1)) {
        status = context_impossible(ctx, who, "the size of a root");
    }
    if (status != BIGINT_OK) {
        return status;
    }
    const unsigned shift = (unsigned)(a.e + w.e - x.e);
    uint64_t *const cp = in_turn(&full);
    const bool negative = defect(tp, cp, truncated(a, n), z, n, shift);
    const uint64_t tn = limbs_normalize(tp, n + 1);
    if (tn > n) {
        return context_impossible(ctx, who, "the error of a root");
    }
    lay_out(xp, x, n, 0);
    *e = x.e;
    return correct(ctx, xp, n + 1, w, tp, tn, w.n, negative, 2 * k, cp);
}

// lengths: of the reciprocal root, of the root, and of the top of an limbs that they are of.
typedef struct {
    uint64_t h, n, top;
} lengths;

// The approximation errs by less than 2^bits (2^(3 - 64 n) + k^3 2^(8 - 128 h)) <= 2^-32.
static lengths lengths_of(uint64_t an, uint64_t bits, uint64_t k) {
    const uint64_t half = word_ceil_div(bits + 3 * (64 - word_clz(k)) + 41, 128);
    const uint64_t h = half < BASE ? BASE : half, whole = word_ceil_div(bits + 36, 64);
    return (lengths){h, whole < h ? h : whole, an < bits / 64 + 4 ? an : bits / 64 + 4};
}

// candidate: {sp, *sn} = floor(S) or, with *near, the integer next to S, where S = a^(1/k) 2^bits,
// a in [2^-k, 1), is within 2^-31 of one.
static bigint_status candidate(bigint_ctx *ctx, const char *who, uint64_t *sp, uint64_t *sn,
                               bool *near, approx a, uint64_t k, uint64_t bits) {
    const uint64_t h = lengths_of(a.n, bits, k).h, n = lengths_of(a.n, bits, k).n;
    uint64_t *const yp = arena_take_limbs(ctx, who, h + n + 1), *const xp = yp + h;
    int64_t e = 0;
    bigint_status status = yp == NULL ? BIGINT_ENOMEM : reciprocal_root(ctx, who, yp, h, a, k);
    if (status == BIGINT_OK) {
        status = root_step(ctx, who, xp, &e, n, yp, h, a, k);
    }
    if (status == BIGINT_OK) {
        // Of the n limbs bits + e <= bits + 1 bits are the integer, and at least 35 follow.
        const uint64_t shift = 64 * n - (uint64_t)((int64_t)bits + e), from = shift / 64;
        const uint64_t after = (shift - 32) / 64, low = (shift - 32) % 64;
        const uint32_t fraction = (uint32_t)(xp[after] >> low | xp[after + 1] << 1 << (63 - low));
        limbs_rshift(sp, xp + from, n + 1 - from, (unsigned)(shift % 64));
        *near = fraction == 0 || fraction == UINT32_MAX;
        limbs_add_1(sp, sp, n + 1 - from, fraction == UINT32_MAX);
        *sn = limbs_normalize(sp, n + 1 - from);
        if (*sn == 0 || (*sn == 1 && sp[0] == 1)) {  // but S >= 2, as k < the bits of a
            status = context_impossible(ctx, who, "a root below 2");
        }
    }
    return status;
}

bigint_status root_near(bigint_ctx *ctx, const char *who, uint64_t *sp, uint64_t *sn, bool *near,
                        const uint64_t *ap, uint64_t an, uint64_t k) {
    const unsigned zeros = word_clz(ap[an - 1]);
    const uint64_t length = 64 * an - zeros, bits = word_ceil_div(length, k);
    assert(2 <= k && k < length && k < (uint64_t)1 << 52);  // or a would have 2^46 limbs
    const arena_mark mark = arena_get_mark(ctx);
    const uint64_t top = lengths_of(an, bits, k).top;
    uint64_t *const mp = arena_take_limbs(ctx, who, top);
    bigint_status status = mp == NULL ? BIGINT_ENOMEM : BIGINT_OK;
    if (status == BIGINT_OK) {
        limbs_lshift(mp, ap + (an - top), top, zeros);
        const approx a = {mp, top, (int64_t)length - (int64_t)(k * bits)};
        status = candidate(ctx, who, sp, sn, near, a, k, bits);
    }
    arena_release(ctx, mark);
    return status;
}

// products_need: what `multiply` and `correct` need.
static void products_need(work_need *w, uint64_t n) {
    mul_need(w, n, n, true);
    mul_need(w, n, n, false);
}

void root_reciprocal_need(work_need *n, uint64_t limbs) {
    const uint64_t in_use = n->host.in_use;
    for (; limbs >= BASE; limbs = limbs == BASE ? 0 : before(limbs)) {
        need_take_limbs(&n->host, BUFFER * limbs);
        products_need(n, limbs);
        need_release(&n->host, in_use);
    }
}

void root_near_need(work_need *n, uint64_t an, uint64_t k) {
    const uint64_t in_use = n->host.in_use, bits = word_ceil_div(64 * an, k);
    const lengths l = lengths_of(an, bits, k);
    need_take_limbs(&n->host, l.top);
    need_take_limbs(&n->host, l.h + l.n + 1);
    root_reciprocal_need(n, l.h);
    need_take_limbs(&n->host, l.n + 1);
    need_take_limbs(&n->host, BUFFER * l.h);
    products_need(n, l.h);
    need_take_limbs(&n->host, BUFFER * l.n);
    products_need(n, l.n);
    need_release(&n->host, in_use);
}
