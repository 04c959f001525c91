// root_thirds.c: see root_thirds.h. B = 2^64; bounds: docs/proofs/root.md, 10.
#include "bigint/divide/root_thirds.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "bigint/core/limbs.h"
#include "bigint/divide/small.h"
#include "bigint/multiply/mul.h"
#include "primitives/limbs/limbs.h"
#include "primitives/words/word.h"

// Limbs of the longest root, and of its upper half.
enum { ROOT_MOST = (ROOT_THIRDS_MOST + 2) / 3, HALF_MOST = (ROOT_MOST + 1) / 2 };

// less_cube: {rest, 3} = {mp, 3} - s^3 modulo B^3; returns whether that is negative.
static bool less_cube(uint64_t *rest, const uint64_t *mp, uint64_t s) {
    const word_pair square = (word_pair)s * s, low = (word_pair)(uint64_t)square * s;
    const word_pair high = (square >> 64) * s + (low >> 64);
    const uint64_t cube[3] = {(uint64_t)low, (uint64_t)high, (uint64_t)(high >> 64)};
    return limbs_sub_n(rest, mp, cube, 3) != 0;
}

// gap: {to, 3} = (s + 1)^3 - s^3 = 3 s (s + 1) + 1.
static void gap(uint64_t *to, uint64_t s) {
    const word_pair product = (word_pair)s * s + s, low = (word_pair)(uint64_t)product * 3 + 1;
    const word_pair high = (product >> 64) * 3 + (low >> 64);
    to[0] = (uint64_t)low;
    to[1] = (uint64_t)high;
    to[2] = (uint64_t)(high >> 64);
}

// root_of_three: returns s = floor(m^(1/3)) for m = {mp, 3} >= B^3 / 8, and {mp, 3} = m - s^3. It
// takes a root in doubles, less what that may err by, and a step of Newton's iteration. Whatever
// cbrt returns, the loops end at s.
static uint64_t root_of_three(uint64_t *mp) {
    enum { ERROR = 1 << 13 };
    const double scale = 0x1.965fea53d6e3dp+42;  // 2^(128 / 3)
    const double near = cbrt((double)mp[2]) * scale;
    uint64_t s = (near < 0x1p64 ? (uint64_t)near : UINT64_MAX) - ERROR, rest[3], next[3];
    bool negative = less_cube(rest, mp, s);
    if (!negative) {
        const double left = ((double)rest[2] * 0x1p64 + (double)rest[1]) * 0x1p64;
        const double step = left / (3 * near * near);
        s = step < (double)(UINT64_MAX - s) ? s + (uint64_t)step : UINT64_MAX;
        negative = less_cube(rest, mp, s);
    }
    while (negative) {
        gap(next, --s);
        negative = limbs_add_n(rest, rest, next, 3) == 0;
    }
    for (gap(next, s); limbs_cmp(rest, next, 3) >= 0; gap(next, s)) {
        limbs_sub_n(rest, rest, next, 3);
        s++;
    }
    memcpy(mp, rest, sizeof rest);
    return s;
}

// part: what is known of a root's lower half when its upper half, s, is known: r b + a2 = q 3 s^2 +
// u, with u = third s^2 + {up, 2 h}.
typedef struct {
    uint64_t q[HALF_MOST + 1];  // l + 1 limbs
    uint64_t third;             // 0, 1 or 2
} part;

// divide: the quotient of {up, l + 2 h + 1} by 3 s^2, {square, 2 h} = s^2 >= B^(2 h) / 4, for a
// dividend of at most 3 b (s^2 + s) + b, b = B^l.
static void divide(const bigint_ctx *ctx, part *p, uint64_t *up, const uint64_t *square, uint64_t l,
                   uint64_t h) {
    const uint64_t n = 2 * h;
    uint64_t *const r = up + l, top = r[n];
    // First its multiple of b, up to 3, and one more where s is short. The doubles err rarely.
    const double ratio = ((double)top * 0x1p64 + (double)r[n - 1]) / (double)square[n - 1];
    uint64_t whole = (uint64_t)ratio;
    top -= ctx->limbs->submul_1(r, square, n, whole);
    if (top != 0) {
        whole--;
        top += limbs_add_n(r, r, square, n);
    } else if (limbs_cmp(r, square, n) >= 0) {
        whole++;
        limbs_sub_n(r, r, square, n);
    }
    assert(top == 0 && whole <= 4 && limbs_cmp(r, square, n) < 0);
    if (n == 2) {
        const word_pair left = div_small_2(p->q, up, l + 2, square[1], square[0]);
        assert(l == 1 && p->q[1] == 0);
        up[0] = (uint64_t)left;
        up[1] = (uint64_t)(left >> 64);
    } else {
        div_small_unshifted(ctx->limbs, p->q, up, l, square, n);
    }
    p->q[l] = whole;
    p->third = bigint_divide_word(ctx, p->q, p->q, l + 1, 3);
}

// lower: the quotient q becomes the root's lower half, in l limbs, or rarely, where *sure is false,
// up to 3 more than that. Returns what was taken from q.
static uint64_t lower(part *p, bool *sure, const uint64_t *up, const uint64_t *square,
                      const uint64_t *s, uint64_t l, uint64_t h) {
    const double unsure = 0x1p-40;
    const double left = (double)up[2 * h - 1] / (double)square[2 * h - 1];
    const double x = p->q[l] != 0 ? 1 : (double)p->q[l - 1] * 0x1p-64;
    const double less = h > l ? 0 : x * x / (0x1p-64 * (double)s[h - 1]);
    const double z = ((double)p->third + left) / 3 - less + unsure, whole = floor(z);
    uint64_t taken = whole < 0 ? (uint64_t)-whole : 0;
    *sure = whole > 0 || z - whole > 2 * unsure;
    limbs_sub_1(p->q, p->q, l + 1, taken);
    while (p->q[l] != 0) {  // below b
        assert(!*sure);
        limbs_sub_1(p->q, p->q, l + 1, 1);
        taken++;
    }
    return taken;
}

// decrease: s = {sp, n} becomes one less, and {ep, 2 n + 1} 3 s (s + 1) + 1 more for the s that is
// left, with that carry.
static bigint_status decrease(bigint_ctx *ctx, uint64_t *carry, uint64_t *sp, uint64_t *ep,
                              uint64_t n) {
    uint64_t t[2 * ROOT_MOST + 1];
    limbs_sub_1(sp, sp, n, 1);
    const bigint_status status = bigint_mul_limbs(ctx, t, sp, n, sp, n);
    limbs_add(t, t, 2 * n, sp, n);  // s (s + 1) < B^(2 n)
    t[2 * n] = ctx->limbs->mul_1(t, t, 2 * n, 3);
    limbs_add_1(t, t, 2 * n + 1, 1);
    *carry = limbs_add_n(ep, ep, t, 2 * n + 1);
    return status;
}

// remainder_of: {mp, 2 n + 1} = m - s^3 for s = {sp, n} = {s', h} b + {q, l}, of which `taken` was
// taken from the quotient; q decreases until that is not negative.
static bigint_status remainder_of(bigint_ctx *ctx, uint64_t *sp, uint64_t *mp, uint64_t n,
                                  const part *p, uint64_t taken, const uint64_t *square) {
    enum { DECREASES_MOST = 4 };
    const uint64_t l = n / 2, h = n - l;
    uint64_t sum[ROOT_MOST + 1], q_square[2 * HALF_MOST], product[2 * ROOT_MOST + 1];
    // u b^2 + a1 b + a0 - (3 s' b + q) q^2
    mp[2 * n] = ctx->limbs->addmul_1(mp + 2 * l, square, 2 * h, p->third + 3 * taken);
    memcpy(sum, sp, l * sizeof *sum);
    sum[n] = ctx->limbs->mul_1(sum + l, sp + l, h, 3);
    bigint_status status = bigint_mul_limbs(ctx, q_square, sp, l, sp, l);
    if (status == BIGINT_OK) {
        status = bigint_mul_limbs(ctx, product, sum, n + 1, q_square, 2 * l);
    }
    uint64_t borrow = limbs_sub(mp, mp, 2 * n + 1, product, n + 1 + 2 * l), carry = 0;
    for (unsigned i = 0; borrow != 0 && status == BIGINT_OK; i++) {
        if (i == DECREASES_MOST) {
            return context_impossible(ctx, "bigint_root", "the size of a root");
        }
        status = decrease(ctx, &carry, sp, mp, n);
        borrow -= carry;
    }
    return status;
}

// normalized: {sp, n} = s = floor(m^(1/3)) for m = {mp, 3 n} >= B^(3 n) / 8, and {mp, 2 n + 1} =
// m - s^3 if it `remains`; else {mp} is lost. With b = B^l, m = m' b^3 + a2 b^2 + a1 b + a0 and the
// root s' and remainder r' of m', s is s' b + q less 3 at most, q = floor((r' b + a2) / (3 s'^2));
// the fraction and the top limbs of q tell how much, unless they are too near an integer.
static bigint_status normalized(bigint_ctx *ctx, uint64_t *sp, uint64_t *mp, uint64_t n,
                                bool remains) {
    if (n == 1) {
        sp[0] = root_of_three(mp);
        return BIGINT_OK;
    }
    const uint64_t l = n / 2, h = n - l, *const s = sp + l;
    uint64_t square[2 * HALF_MOST], *const up = mp + 2 * l;  // r' follows a2
    bigint_status status = normalized(ctx, sp + l, mp + 3 * l, h, true);
    if (status == BIGINT_OK) {
        status = bigint_mul_limbs(ctx, square, s, h, s, h);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    part p;
    bool sure;
    divide(ctx, &p, up, square, l, h);
    const uint64_t taken = lower(&p, &sure, up, square, s, l, h);
    memcpy(sp, p.q, l * sizeof *sp);
    return sure && !remains ? BIGINT_OK : remainder_of(ctx, sp, mp, n, &p, taken, square);
}

bigint_status root_thirds(bigint_ctx *ctx, uint64_t *sp, bool *exact, const uint64_t *ap,
                          uint64_t an) {
    assert(an >= 3 && an <= ROOT_THIRDS_MOST && ap[an - 1] != 0);
    const uint64_t n = (an + 2) / 3, length = 64 * an - word_clz(ap[an - 1]);
    const uint64_t zeros = (3 * 64 * n - length) / 3, low = 3 * zeros / 64;  // zeros < 64
    uint64_t m[3 * ROOT_MOST];
    bigint_zero_limbs(m, low);
    const uint64_t top = limbs_lshift(m + low, ap, an, (unsigned)(3 * zeros % 64));
    if (low + an < 3 * n) {
        m[low + an] = top;
        bigint_zero_limbs(m + low + an + 1, 3 * n - low - an - 1);
    }
    const bigint_status status = normalized(ctx, sp, m, n, exact != NULL);
    if (exact != NULL) {
        *exact = status == BIGINT_OK && limbs_normalize(m, 2 * n + 1) == 0;
    }
    limbs_rshift(sp, sp, n, (unsigned)zeros);  // of the root of a 2^(3 zeros)
    return status;
}
