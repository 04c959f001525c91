// powm_natural.c: powers of natural numbers modulo one: sliding windows in Montgomery form for an
// odd modulus, truncated products for a power of 2, and both joined for an even modulus.
#include "bigint/modular/powm_natural.h"

#include <assert.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/integer.h"
#include "bigint/core/limbs.h"
#include "bigint/core/tune.h"
#include "bigint/modular/montgomery.h"
#include "bigint/modular/montgomery_rings.h"
#include "bigint/modular/plan.h"
#include "bigint/modular/powm_few.h"
#include "bigint/multiply/mul.h"
#include "primitives/words/inverse.h"
#include "primitives/words/word.h"

static const char who[] = "bigint_powm";

// --- Windows ---

// ring: elements of n words and their product, which may write over a factor.
typedef struct ring ring;
struct ring {
    bigint_status (*mul)(bigint_ctx *ctx, const ring *s, uint64_t *rp, const uint64_t *ap,
                         const uint64_t *bp);
    uint64_t n;
    const montgomery *form;  // of an odd modulus
    const montgomery_rings *rings;
    uint64_t bits;  // of a power of 2: it is 2^bits
};

// odd_powers: table[i] = a^(2 i + 1), i < count, n limbs each; table[0] is there already.
static bigint_status odd_powers(bigint_ctx *ctx, const ring *s, uint64_t *table, uint64_t *square,
                                uint64_t count) {
    const uint64_t n = s->n;
    bigint_status status = BIGINT_OK;
    if (count > 1) {
        status = s->mul(ctx, s, square, table, table);
    }
    for (uint64_t i = 1; status == BIGINT_OK && i < count; i++) {
        status = s->mul(ctx, s, table + i * n, table + (i - 1) * n, square);
    }
    return status;
}

static bigint_status squares(bigint_ctx *ctx, const ring *s, uint64_t *rp, unsigned count) {
    bigint_status status = BIGINT_OK;
    for (; status == BIGINT_OK && count > 0; count--) {
        status = s->mul(ctx, s, rp, rp, rp);
    }
    return status;
}

// by_windows: {rp, n} = {rp, n}^e in the ring; e > 0, its top limb not zero.
static bigint_status by_windows(bigint_ctx *ctx, const ring *s, uint64_t *rp, natural e) {
    const uint64_t bits = 64 * e.n - word_clz(e.p[e.n - 1]);
    uint64_t left = bits;  // to do
    const uint64_t n = s->n;
    const unsigned w = exponent_window_bits(
        left, exponent_powers_most(ctx->options.max_workspace_bytes, n * sizeof(uint64_t)));
    const uint64_t count = exponent_powers(e, left, w);
    uint64_t *const table = arena_take_limbs(ctx, who, (count + 1) * n);
    if (table == NULL) {
        return BIGINT_ENOMEM;
    }
    memcpy(table, rp, n * sizeof *rp);
    bigint_status status = odd_powers(ctx, s, table, table + count * n, count);
    for (bool first = true; status == BIGINT_OK && left > 0; first = false) {
        const exponent_window next = exponent_window_next(e, left, w);
        const uint64_t *const factor = table + next.index * n;
        if (first) {
            memcpy(rp, factor, n * sizeof *rp);
        } else {
            status = squares(ctx, s, rp, next.zeros + next.length);
            if (status == BIGINT_OK && next.length > 0) {
                status = s->mul(ctx, s, rp, rp, factor);
            }
        }
        left -= next.zeros + next.length;
        if (status == BIGINT_OK && !context_report(ctx, (double)(bits - left), (double)bits)) {
            status = context_canceled(ctx, who);
        }
    }
    return status;
}

// power: by_windows, whose bits are the progress of the call.
static bigint_status power(bigint_ctx *ctx, const ring *s, uint64_t *rp, natural e) {
    const reporting before = ctx->reports;
    ctx->reports = REPORT_PARTS;
    const bigint_status status = by_windows(ctx, s, rp, e);
    ctx->reports = before;
    return status;
}

// --- Odd moduli ---

static bigint_status mul_odd(bigint_ctx *ctx, const ring *s, uint64_t *rp, const uint64_t *ap,
                             const uint64_t *bp) {
    return montgomery_mul(ctx, s->form, rp, ap, bp);
}

static bigint_status mul_in_rings(bigint_ctx *ctx, const ring *s, uint64_t *rp, const uint64_t *ap,
                                  const uint64_t *bp) {
    return montgomery_rings_mul(ctx, s->rings, rp, ap, bp);
}

// power_in_rings: power_odd by montgomery_rings; *done: whether they are made for m.
static bigint_status power_in_rings(bigint_ctx *ctx, bool *done, uint64_t *rp, natural a, natural e,
                                    natural m) {
    montgomery_rings rings;
    const arena_mark mark = arena_get_mark(ctx);
    bigint_status status = montgomery_rings_init(ctx, &rings, done, m.p, m.n);
    if (status == BIGINT_OK && *done) {
        const ring s = {.mul = mul_in_rings, .n = m.n, .rings = &rings};
        uint64_t *const x = arena_take_limbs(ctx, who, m.n);
        status = x == NULL ? BIGINT_ENOMEM : montgomery_rings_from(ctx, &rings, x, a.p, a.n);
        if (status == BIGINT_OK) {
            status = power(ctx, &s, x, e);
        }
        if (status == BIGINT_OK) {
            status = montgomery_rings_to(ctx, &rings, rp, x);
        }
    }
    arena_release(ctx, mark);
    return status;
}

// power_odd: {rp, m.n} = a^e mod m, m odd.
static bigint_status power_odd(bigint_ctx *ctx, uint64_t *rp, natural a, natural e, natural m) {
    if (m.n <= POWM_FEW) {
        return powm_few(ctx, rp, a.p, a.n, e.p, e.n, m.p, m.n);
    }
    if (powm_tries_rings(ctx, e.n, m.n)) {
        bool done;
        const bigint_status status = power_in_rings(ctx, &done, rp, a, e, m);
        if (status != BIGINT_OK || done) {
            return status;
        }
    }
    montgomery form;
    bigint_status status = montgomery_init(ctx, &form, m.p, m.n);
    if (status != BIGINT_OK) {
        return status;
    }
    const ring s = {.mul = mul_odd, .n = form.words, .form = &form};
    uint64_t *const x = arena_take_limbs(ctx, who, s.n);
    status = x == NULL ? BIGINT_ENOMEM : montgomery_from(ctx, &form, x, a.p, a.n);
    if (status == BIGINT_OK) {
        status = power(ctx, &s, x, e);
    }
    return status != BIGINT_OK ? status : montgomery_to(ctx, &form, rp, x);
}

// --- Powers of 2 as modulus ---

// cut: {rp, ceil(k / 64)} mod 2^k.
static void cut(uint64_t *rp, uint64_t k) {
    if (k % 64 != 0) {
        rp[k / 64] &= ((uint64_t)1 << k % 64) - 1;
    }
}

// low_bits: {rp, ceil(k / 64)} = a mod 2^k.
static void low_bits(uint64_t *rp, natural a, uint64_t k) {
    const uint64_t n = word_ceil_div(k, 64), common = a.n < n ? a.n : n;
    memcpy(rp, a.p, common * sizeof *rp);
    memset(rp + common, 0, (n - common) * sizeof *rp);
    cut(rp, k);
}

static bigint_status mul_cut(bigint_ctx *ctx, const ring *s, uint64_t *rp, const uint64_t *ap,
                             const uint64_t *bp) {
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t *const t = arena_take_limbs(ctx, who, 2 * s->n);
    bigint_status status = t == NULL ? BIGINT_ENOMEM : bigint_mul_limbs(ctx, t, ap, s->n, bp, s->n);
    if (status == BIGINT_OK) {
        low_bits(rp, (natural){t, s->n}, s->bits);
    }
    arena_release(ctx, mark);
    return status;
}

// power_pair: {rp, n} = {rp, n}^{ep, n} mod B^n for n = 1, 2.
static void power_pair(uint64_t *rp, const uint64_t *ep, uint64_t n) {
    word_pair r = 1, a = rp[0], e = ep[0];
    if (n == 2) {
        a |= (word_pair)rp[1] << 64;
        e |= (word_pair)ep[1] << 64;
    }
    for (; e != 0; e >>= 1) {
        r *= (e & 1) != 0 ? a : 1;
        a *= a;
    }
    rp[0] = (uint64_t)r;
    rp[n - 1] = n == 2 ? (uint64_t)(r >> 64) : rp[0];
}

// power_cut: {rp, ceil(k / 64)} = a^e mod 2^k, k >= 1, e > 0. There are 2^(k - 1) odd numbers below
// 2^k, so k - 1 bits of the exponent are enough for an odd a. They are also enough for an even a,
// whose powers are 0 from exponent k on.
static bigint_status power_cut(bigint_ctx *ctx, uint64_t *rp, natural a, natural e, uint64_t k) {
    const ring s = {.mul = mul_cut, .n = word_ceil_div(k, 64), .bits = k};
    uint64_t *const low = arena_take_limbs(ctx, who, s.n);
    if (low == NULL) {
        return BIGINT_ENOMEM;
    }
    low_bits(rp, a, k);
    if ((rp[0] & 1) == 0 && (e.n > 1 || e.p[0] >= k)) {
        memset(rp, 0, s.n * sizeof *rp);  // 2^k divides a^e
        return BIGINT_OK;
    }
    low[s.n - 1] = 0;
    low_bits(low, e, k - 1);
    e = (natural){low, limbs_normalize(low, s.n)};
    if (s.n <= 2) {
        power_pair(rp, low, s.n);
        cut(rp, k);
        return BIGINT_OK;
    }
    if (e.n == 0) {
        memset(rp, 0, s.n * sizeof *rp);
        rp[0] = 1;
        return BIGINT_OK;
    }
    return power(ctx, &s, rp, e);
}

// --- Even moduli ---

// join: {rp, odd.n + kn} = x + odd ((y - x) / odd mod 2^k), kn = ceil(k / 64): the number below
// odd 2^k that is {xp, odd.n} modulo odd and {yp, kn} modulo 2^k. {yp, kn} is destroyed.
static bigint_status join(bigint_ctx *ctx, uint64_t *rp, const uint64_t *xp, uint64_t *yp,
                          natural odd, uint64_t k) {
    const uint64_t kn = word_ceil_div(k, 64), both = odd.n < kn ? odd.n : kn;
    if (kn == 1) {
        uint64_t factor = (yp[0] - xp[0]) * word_inverse(odd.p[0]);
        cut(&factor, k);
        rp[odd.n] = ctx->limbs->mul_1(rp, odd.p, odd.n, factor);
        rp[odd.n] += limbs_add_n(rp, rp, xp, odd.n);
        return BIGINT_OK;
    }
    uint64_t *const low = arena_take_limbs(ctx, who, kn);
    uint64_t *const inverse = low == NULL ? NULL : arena_take_limbs(ctx, who, kn);
    uint64_t *const t = inverse == NULL ? NULL : arena_take_limbs(ctx, who, 2 * kn);
    if (t == NULL) {
        return BIGINT_ENOMEM;
    }
    memcpy(low, odd.p, both * sizeof *low);
    memset(low + both, 0, (kn - both) * sizeof *low);
    bigint_status status = inverse_mod_power(ctx, inverse, low, kn);
    if (status != BIGINT_OK) {
        return status;
    }
    limbs_sub(yp, yp, kn, xp, both);
    status = bigint_mul_limbs(ctx, t, yp, kn, inverse, kn);
    if (status != BIGINT_OK) {
        return status;
    }
    cut(t, k);
    status = bigint_mul_limbs(ctx, rp, odd.p, odd.n, t, kn);
    if (status == BIGINT_OK) {
        const uint64_t carry = limbs_add(rp, rp, odd.n + kn, xp, odd.n);
        assert(carry == 0);  // below odd 2^k
        (void)carry;
    }
    return status;
}

// power_even: {rp, m.n + 1} = a^e mod m for m = odd 2^k, k >= 1.
static bigint_status power_even(bigint_ctx *ctx, uint64_t *rp, natural a, natural e, natural m,
                                uint64_t k) {
    const uint64_t kn = word_ceil_div(k, 64), skip = k / 64;
    uint64_t *const odd = arena_take_limbs(ctx, who, m.n - skip);
    uint64_t *const x = odd == NULL ? NULL : arena_take_limbs(ctx, who, m.n - skip);
    uint64_t *const y = x == NULL ? NULL : arena_take_limbs(ctx, who, kn);
    if (y == NULL) {
        return BIGINT_ENOMEM;
    }
    limbs_rshift(odd, m.p + skip, m.n - skip, (unsigned)(k % 64));
    const natural o = {odd, limbs_normalize(odd, m.n - skip)};
    bigint_status status = power_cut(ctx, y, a, e, k);
    if (status == BIGINT_OK) {
        status = power_odd(ctx, x, a, e, o);
    }
    if (status == BIGINT_OK) {
        memset(rp, 0, (m.n + 1) * sizeof *rp);
        status = join(ctx, rp, x, y, o, k);
    }
    return status;
}

// trailing_zeros: the k with m = odd 2^k.
static uint64_t trailing_zeros(natural m) {
    uint64_t i = 0;
    while (m.p[i] == 0) {
        i++;
    }
    return 64 * i + word_ctz(m.p[i]);
}

bigint_status powm_natural(bigint_ctx *ctx, uint64_t *rp, natural a, natural e, natural m) {
    const uint64_t k = trailing_zeros(m);
    if (k == 0) {
        return power_odd(ctx, rp, a, e, m);
    }
    uint64_t *const t = arena_take_limbs(ctx, who, m.n + 1);
    const bigint_status status = t == NULL ? BIGINT_ENOMEM : power_even(ctx, t, a, e, m, k);
    if (status == BIGINT_OK) {
        memcpy(rp, t, m.n * sizeof *rp);
    }
    return status;
}

// --- Public ---

bigint_status bigint_limbs_powm(bigint_ctx *ctx, uint64_t *rp, const uint64_t *base,
                                uint64_t base_limbs, const uint64_t *exponent,
                                uint64_t exponent_limbs, const uint64_t *mp, uint64_t mn) {
    const uint64_t lengths[] = {base_limbs, exponent_limbs, mn};
    bigint_status status = bigint_check_limbs(ctx, "bigint_limbs_powm");
    for (int i = 0; i < 3 && status == BIGINT_OK; i++) {
        status = bigint_check_size(ctx, "bigint_limbs_powm", lengths[i]);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    const natural a = {base, limbs_normalize(base, base_limbs)},
                  e = {exponent, limbs_normalize(exponent, exponent_limbs)},
                  m = {mp, limbs_normalize(mp, mn)};
    if (m.n == 0) {
        return bigint_fail(ctx, BIGINT_EINVAL, "bigint_limbs_powm: the modulus is 0");
    }
    const bool one = m.n == 1 && mp[0] == 1;
    if (one || a.n == 0 || e.n == 0) {
        memset(rp, 0, mn * sizeof *rp);
        rp[0] = !one && e.n == 0;
        return BIGINT_OK;
    }
    const arena_mark mark = arena_get_mark(ctx);
    status = powm_natural(ctx, rp, a, e, m);
    arena_release(ctx, mark);
    if (status == BIGINT_OK) {
        memset(rp + m.n, 0, (mn - m.n) * sizeof *rp);
    }
    return status;
}
