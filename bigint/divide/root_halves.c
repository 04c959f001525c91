// root_halves.c: see root_halves.h. B = 2^64; bounds: docs/proofs/root.md, 6.
#include "bigint/divide/root_halves.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/limbs.h"
#include "bigint/divide/blocks.h"
#include "bigint/divide/divrem.h"
#include "bigint/divide/reciprocal.h"
#include "bigint/divide/root_rows.h"
#include "bigint/multiply/mul.h"
#include "primitives/limbs/limbs.h"
#include "primitives/words/word.h"

// half_of_quotient: of over b + q = {qp, l} by s = {sp, h}, with remainder {up, h}, to the quotient
// by 2 s, a quotient of b one less; returns what the remainder is above B^h. over b + q <= 2 b + 1.
static uint64_t half_of_quotient(uint64_t *qp, uint64_t l, uint64_t over, uint64_t *up,
                                 const uint64_t *sp, uint64_t h) {
    const uint64_t odd = qp[0] & 1;
    limbs_rshift(qp, qp, l, 1);
    qp[l - 1] |= over << 63;
    uint64_t carry = odd != 0 ? limbs_add_n(up, up, sp, h) : 0;
    if (over == 2) {
        assert(limbs_normalize(qp, l) == 0);
        memset(qp, 0xFF, l * sizeof *qp);
        carry += limbs_add_n(up, up, sp, h);
        carry += limbs_add_n(up, up, sp, h);
    }
    return carry;
}

// known_sign: the sign of d = u b + a0 - q^2 if the top limbs tell it: 1 for d > 0, -1 for d < 0,
// otherwise 0. u b + a0 = carry B^n + {mp, n}, b = B^l, l = floor(n / 2), q = {qp, l}.
static int known_sign(int64_t carry, const uint64_t *mp, uint64_t n, const uint64_t *qp,
                      uint64_t l) {
    if (carry != 0 || (n > 2 * l && mp[n - 1] != 0)) {
        return 1;  // u b >= B^(2 l) > q^2
    }
    // With t the top limb of q, t^2 B^(2 l - 2) <= q^2 < (t + 1)^2 B^(2 l - 2).
    const uint64_t x = mp[2 * l - 1], t = qp[l - 1];
    const word_pair least = (word_pair)t * t, most = least + 2 * (word_pair)t;
    return x > (uint64_t)(most >> 64) ? 1 : x < (uint64_t)(least >> 64) ? -1 : 0;
}

// lower_half: {sp, l} of {sp, n}, the root of m, whose upper half s' is there, without a remainder:
// *found, or nothing is written if a fraction does not tell. {up, h} < s' is r' less over times s',
// above {mp, n}. The root is s' b + floor(y - d) for y = (r' b + a1 + a0 / b) / (2 s') and a d from
// 0 to 1, which the top limbs give: docs/proofs/root.md, 6.
static bigint_status lower_half(bigint_ctx *ctx, bool *found, uint64_t *sp, const uint64_t *mp,
                                uint64_t n, uint64_t over) {
    static const char who[] = "bigint_sqrt";
    const double unsure = 0x1p-40;
    const uint64_t l = n / 2, h = n - l, *const s = sp + l;
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t *const a = arena_take_limbs(ctx, who, n + 1);
    uint64_t *const q = a == NULL ? NULL : arena_take_limbs(ctx, who, l + 1);
    bigint_status status = q == NULL ? BIGINT_ENOMEM : BIGINT_OK;
    if (status == BIGINT_OK) {  // of the quotient by s' a limb of the fraction, too
        memcpy(a, mp + (l - 1), (n + 1) * sizeof *a);
        status = divide_blocks_below(ctx, q, a, l + 1, s, h);
    }
    *found = false;
    if (status == BIGINT_OK && over < 2) {
        limbs_rshift(q, q, l + 1, 1);
        q[l] |= over << 63;
        const double x = (double)q[l] * 0x1p-64, y = (double)q[0] * 0x1p-64;
        const double d = h > l ? 0 : x * x / (2 * 0x1p-64 * (double)s[h - 1]);
        *found = fabs(y - d) > unsure && y - d < 1 - unsure;
        if (*found) {
            memcpy(sp, q + 1, l * sizeof *sp);
            limbs_sub_1(sp, sp, n, y < d);
        }
    }
    arena_release(ctx, mark);
    return status;
}

// takes_fraction: whether lower_half finds l limbs of a root without its remainder.
static bool takes_fraction(const bigint_ctx *ctx, uint64_t l) { return l >= newton_threshold(ctx); }

void root_halves_need(work_need *w, uint64_t an) {
    const uint64_t in_use = w->host.in_use;
    bool top = true;
    for (uint64_t n = (an + 1) / 2; n > ROOT_ROWS_MOST; n -= n / 2, top = false) {
        const uint64_t l = n / 2, h = n - l;
        if (top && takes_fraction(w->ctx, l)) {
            need_take_limbs(&w->host, n + 1);
            need_take_limbs(&w->host, l + 1);
            divide_blocks_need(w, l + 1, h);
            need_release(&w->host, in_use);
        }
        divide_limbs_need(w, l, h);
        mul_need(w, l, l, true);
    }
}

// normalized: {sp, n} = s = floor(m^(1/2)) and *top B^n + {mp, n} = m - s^2 for m = {mp, 2 n} >=
// B^(2 n) / 4, whose upper half is lost. {tp, n} is workspace. With b = B^l, m = m' b^2 + a1 b + a0
// and the root s' and remainder r' of m', s is s' b + floor((r' b + a1) / (2 s')) or 1 less.
// Unless `remains`, {mp} and *top are left undefined, and q is rarely squared.
static bigint_status normalized(bigint_ctx *ctx, uint64_t *sp, uint64_t *top, uint64_t *mp,
                                uint64_t n, uint64_t *tp, bool remains) {
    if (n <= ROOT_ROWS_MOST) {
        root_rows(ctx->limbs, sp, top, mp, n, remains);
        return BIGINT_OK;
    }
    const uint64_t l = n / 2, h = n - l;
    uint64_t *const s = sp + l, *const r = mp + 2 * l, *const u = mp + l;
    bigint_status status = normalized(ctx, s, top, r, h, tp, true);
    if (status != BIGINT_OK) {
        return status;
    }
    uint64_t over = 0;  // r' <= 2 s'
    for (; *top != 0 || limbs_cmp(r, s, h) >= 0; over++) {
        assert(over < 2);
        *top -= limbs_sub_n(r, r, s, h);
    }
    if (!remains && takes_fraction(ctx, l)) {
        bool found;
        status = lower_half(ctx, &found, sp, mp, n, over);
        if (status != BIGINT_OK || found) {
            return status;
        }
    }
    status = bigint_divide_limbs(ctx, sp, u, l, s, h);
    int64_t carry = 0;
    if (status == BIGINT_OK) {
        carry = (int64_t)half_of_quotient(sp, l, over, u, s, h);
        const int sign = remains ? 0 : known_sign(carry, mp, n, sp, l);
        if (sign != 0) {
            limbs_sub_1(sp, sp, n, sign < 0);
            return BIGINT_OK;
        }
        status = bigint_mul_limbs(ctx, tp, sp, l, sp, l);
    }
    if (status == BIGINT_OK) {  // u b + a0 - q^2, negative where s is 1 too large
        carry -= (int64_t)limbs_sub(mp, mp, n, tp, 2 * l);
        if (carry < 0) {
            carry += (int64_t)limbs_add_n(mp, mp, sp, n);
            limbs_sub_1(sp, sp, n, 1);
            carry += (int64_t)limbs_add_n(mp, mp, sp, n);
        }
        if ((carry != 0 && carry != 1) || sp[n - 1] >> 63 == 0) {  // m - s^2 <= 2 s, s >= B^n / 2
            return context_impossible(ctx, "bigint_sqrt", "the size of a root or a remainder");
        }
        *top = (uint64_t)carry;
    }
    return status;
}

// unshift: {rp, n + 1} = a - s^2 times 2^(2 c) from {rp, n + 1} = m - S^2, where m = a 2^(2 c) and
// s 2^c = S - low: S^2 - (S - low)^2 = 2 low S - low^2 more. S = {sp, n}; low < 2^63.
static void unshift(const limbs_ops *ops, uint64_t *rp, const uint64_t *sp, uint64_t n,
                    uint64_t low) {
    uint64_t square[2];
    square[0] = word_mul(&square[1], low, low);
    rp[n] += ops->addmul_1(rp, sp, n, 2 * low);
    limbs_sub(rp, rp, n + 1, square, 2);
}

bigint_status root_halves(bigint_ctx *ctx, uint64_t *sp, uint64_t *rp, const uint64_t *ap,
                          uint64_t an, uint64_t *m) {
    assert(an >= 1 && ap[an - 1] != 0);
    const uint64_t n = (an + 1) / 2, low = 2 * n - an;
    const unsigned zeros = word_clz(ap[an - 1]) / 2 * 2, shift = (unsigned)low * 32 + zeros / 2;
    uint64_t *const rest = m;
    m[0] = 0;
    limbs_lshift(m + low, ap, an, zeros);
    uint64_t top;
    bigint_status status = normalized(ctx, sp, &top, m, n, m + 2 * n, rp != NULL);
    if (status != BIGINT_OK) {
        return status;
    }
    if (rp != NULL && shift == 0) {
        bigint_copy_limbs(rp, rest, n);
        rp[n] = top;
    } else if (rp != NULL) {
        rest[n] = top;
        unshift(ctx->limbs, rest, sp, n, sp[0] & (((uint64_t)1 << shift) - 1));
        limbs_rshift(rp, rest + low, n + 1 - low, zeros);
    }
    if (shift != 0) {
        limbs_rshift(sp, sp, n, shift);  // of the root of a 2^(2 shift)
    }
    return BIGINT_OK;
}
