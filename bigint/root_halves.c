// root_halves.c: see root_halves.h. May include context.h and primitives/. B = 2^64; bounds:
// docs/proofs/root.md, 6.
#include "bigint/root_halves.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "primitives/limbs.h"
#include "primitives/word.h"

// root_pair: *s = floor(m^(1/2)) and {rp, 2} = m - s^2 for m >= B^2 / 4: a root in doubles, which
// is within 2^12, a step of Newton's iteration, which leaves 2 at most, and these one by one.
static void root_pair(uint64_t *s, uint64_t *rp, word_pair m) {
    const double near = sqrt((double)(uint64_t)(m >> 64)) * 0x1p32;
    uint64_t root = near < 0x1p64 ? (uint64_t)near : UINT64_MAX;
    const __int128 off = (__int128)(m - (word_pair)root * root);  // below 2^78 in absolute value
    const int64_t step = (int64_t)((double)off / (2 * (double)root));
    root = step > 0 && root > UINT64_MAX - (uint64_t)step ? UINT64_MAX : root + (uint64_t)step;
    __int128 rest = (__int128)(m - (word_pair)root * root);
    for (; rest < 0; root--) {
        rest += 2 * (__int128)root - 1;
    }
    for (; rest > 2 * (__int128)root; root++) {
        rest -= 2 * (__int128)root + 1;
    }
    *s = root;
    rp[0] = (uint64_t)rest;
    rp[1] = (uint64_t)((word_pair)rest >> 64);
}

// halve: {qp, n} and {up, h + 1}, u < s: the quotient by s and its remainder become those by 2 s,
// and a quotient of B^(n - 2), which is the largest, one less.
static void halve(uint64_t *qp, uint64_t n, uint64_t *up, const uint64_t *sp, uint64_t h) {
    const bool odd = (qp[0] & 1) != 0;
    limbs_rshift(qp, qp, n, 1);
    assert(qp[n - 1] == 0 && qp[n - 2] <= 1);
    up[h] = odd ? limbs_add_n(up, up, sp, h) : 0;
    if (qp[n - 2] != 0) {
        limbs_sub_1(qp, qp, n - 1, 1);
        up[h] += limbs_add_n(up, up, sp, h);
        up[h] += limbs_add_n(up, up, sp, h);
    }
}

// normalized: {sp, n} = s = floor(m^(1/2)) and {rp, n + 1} = m - s^2 for m = {mp, 2 n} >= B^(2 n)
// / 4. {tp, 5 / 2 n + 8} is workspace. With b = B^l, m = m' b^2 + a1 b + a0 and the root s' and
// remainder r' of m', s is s' b + floor((r' b + a1) / (2 s')) or 1 less.
static bigint_status normalized(bigint_ctx *ctx, uint64_t *sp, uint64_t *rp, const uint64_t *mp,
                                uint64_t n, uint64_t *tp) {
    if (n == 1) {
        root_pair(sp, rp, (word_pair)mp[1] << 64 | mp[0]);
        return BIGINT_OK;
    }
    const uint64_t l = n / 2, h = n - l;
    uint64_t *const x = tp, *const q = x + n + 1, *const square = q + l + 2;
    bigint_status status = normalized(ctx, sp + l, x + l, mp + 2 * l, h, x + n + 1);
    if (status == BIGINT_OK) {
        memcpy(x, mp + l, l * sizeof *x);
        status = bigint_divrem_limbs(ctx, q, rp + l, x, n + 1, sp + l, h);
    }
    if (status == BIGINT_OK) {
        halve(q, l + 2, rp + l, sp + l, h);
        memcpy(sp, q, l * sizeof *sp);
        memcpy(rp, mp, l * sizeof *rp);
        status = bigint_mul_limbs(ctx, square, q, l, q, l);
    }
    // r = u b + a0 - q^2, where s is not 1 too large
    if (status == BIGINT_OK && limbs_sub(rp, rp, n + 1, square, 2 * l) != 0) {
        uint64_t carry = limbs_add_n(rp, rp, sp, n);
        limbs_sub_1(sp, sp, n, 1);
        carry += limbs_add_n(rp, rp, sp, n);
        rp[n] += carry;  // to 0 or 1: m - s^2 <= 2 s
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

bigint_status root_halves(bigint_ctx *ctx, const char *who, uint64_t *sp, uint64_t *rp,
                          const uint64_t *ap, uint64_t an) {
    assert(an >= 1 && ap[an - 1] != 0);
    const uint64_t n = (an + 1) / 2, low = 2 * n - an;
    const unsigned zeros = word_clz(ap[an - 1]) / 2 * 2, shift = (unsigned)low * 32 + zeros / 2;
    uint64_t *const m = arena_take_limbs(ctx, who, 2 * n + (n + 1) + (n * 5 / 2 + 8));
    if (m == NULL) {
        return BIGINT_ENOMEM;
    }
    uint64_t *const rest = m + 2 * n, *const workspace = rest + n + 1;
    m[0] = 0;
    limbs_lshift(m + low, ap, an, zeros);
    bigint_status status = normalized(ctx, sp, rest, m, n, workspace);
    if (status != BIGINT_OK) {
        return status;
    }
    if (rp != NULL) {
        unshift(ctx->limbs, rest, sp, n, sp[0] & (((uint64_t)1 << shift) - 1));
        limbs_rshift(rp, rest + low, n + 1 - low, zeros);
        memset(rp + (n + 1 - low), 0, (an - (n + 1 - low)) * sizeof *rp);
    }
    limbs_rshift(sp, sp, n, shift);  // of the root of a 2^(2 shift)
    return BIGINT_OK;
}
