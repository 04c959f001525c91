// montgomery.c: see montgomery.h. This file holds the ways of reduction and the choice among
// them.
#include "bigint/modular/montgomery.h"

#include <assert.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/tune.h"
#include "bigint/divide/divrem.h"
#include "bigint/modular/montgomery_ifma.h"
#include "bigint/multiply/mul.h"
#include "bigint/multiply/operand.h"
#include "bigint/multiply/small.h"
#include "primitives/words/inverse.h"
#include "primitives/words/word.h"

static const char who[] = "bigint_powm";

// The longest moduli whose multiples always fit the digits.
enum {
    MONTGOMERY_DIGITS_LIMBS_MAX =
        (MONTGOMERY_IFMA_BITS * (MONTGOMERY_IFMA_DIGITS_MAX - 1) - MONTGOMERY_IFMA_SLACK) / 64
};

// --- Inverses ---

bigint_status inverse_mod_power(bigint_ctx *ctx, uint64_t *rp, const uint64_t *ap, uint64_t n) {
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t *const e = arena_take_limbs(ctx, who, 2 * n);
    uint64_t *const f = e == NULL ? NULL : arena_take_limbs(ctx, who, 2 * n);
    bigint_status status = f == NULL ? BIGINT_ENOMEM : BIGINT_OK;
    rp[0] = word_inverse(ap[0]);
    uint64_t have = 1;
    while (status == BIGINT_OK && have < n) {
        // X A = 1 + E B^have, so X - X E B^have is right to twice as many limbs.
        const uint64_t more = 2 * have < n ? have : n - have;
        status = bigint_mul_limbs(ctx, e, ap, have + more, rp, have);
        if (status == BIGINT_OK) {
            status = bigint_mul_limbs(ctx, f, e + have, more, rp, more);
        }
        if (status == BIGINT_OK) {
            memset(rp + have, 0, more * sizeof *rp);
            limbs_sub_n(rp + have, rp + have, f, more);
            have += more;
        }
    }
    arena_release(ctx, mark);
    return status;
}

// --- Reduction ---

// finish: {rp, n} = carry B^n + {rp, n} mod M, which is below 2 M; {trial, n} is used if steady,
// and then there is no branch.
static void finish(const montgomery *m, uint64_t *rp, uint64_t carry, uint64_t *trial) {
    const uint64_t n = m->n;
    if (m->steady) {
        const uint64_t borrow = limbs_sub_n(trial, rp, m->mp, n);
        const uint64_t mask = 0 - (carry | (borrow ^ 1));
        for (uint64_t i = 0; i < n; i++) {
            rp[i] ^= (rp[i] ^ trial[i]) & mask;
        }
    } else if (carry != 0 || limbs_cmp(rp, m->mp, n) >= 0) {
        limbs_sub_n(rp, rp, m->mp, n);
    }
    assert(limbs_cmp(rp, m->mp, n) < 0);
}

// reduce_rows: {rp, n} = {tp, 2 n} / B^n mod M for {tp, 2 n} < M B^n.
static void reduce_rows(const limbs_ops *ops, const montgomery *m, uint64_t *rp, uint64_t *tp) {
    const uint64_t carry = ops->redc(rp, tp, m->mp, m->n, m->inverse);
    finish(m, rp, carry, tp);  // below (M B^n + B^n M) / B^n
}

// reduce_blocks: {rp, n} = {tp, 2 n} / R mod M for {tp, 2 n} < M R; {tp} is lost.
static void reduce_blocks(const limbs_ops *ops, const montgomery *m, uint64_t *rp, uint64_t *tp) {
    ops->redc_blocks(tp, m->prepared, m->n, m->inverse);
    memcpy(rp, tp, m->n * sizeof *rp);
    finish(m, rp, tp[m->n], tp);
}

// reduce: {rp, n} = the product / R mod M, by rows or blocks.
static void reduce(const limbs_ops *ops, const montgomery *m, uint64_t *rp) {
    (m->way == MONTGOMERY_BLOCKS ? reduce_blocks : reduce_rows)(ops, m, rp, m->product);
}

// wrapped_multiple: {multiple, 2 n} = Q M from its residue r modulo B^w + 1 and its lowest n limbs,
// which are T's. Q M = x + y B^w, y of k = 2 n - w <= n limbs, and r = x - y, or x - y + B^w + 1
// where x < y. So T - r modulo B^k is y or y - 1, and that plus r is x or x + B^w.
static bigint_status wrapped_multiple(bigint_ctx *ctx, const montgomery *m, const uint64_t *tp) {
    const uint64_t n = m->n, w = mul_wrap_limbs(m->modulus_wrap), k = w < 2 * n ? 2 * n - w : 0;
    uint64_t *const y = m->quotient + n;
    const bigint_status status =
        mul_wrap_mul(ctx, who, m->multiple, m->quotient, n, m->modulus_wrap);
    if (status == BIGINT_OK && k > 0) {
        limbs_sub_n(y, tp, m->multiple, k);
        limbs_add(m->multiple, m->multiple, w + 1, y, k);
        limbs_add_1(y, y, k, m->multiple[w]);
        memcpy(m->multiple + w, y, k * sizeof *y);
    }
    return status;
}

// reduce_products: the same. Q = T / M mod B^n; T - Q M is a multiple of B^n, above -M B^n.
static bigint_status reduce_products(bigint_ctx *ctx, const montgomery *m, uint64_t *rp,
                                     const uint64_t *tp) {
    const uint64_t n = m->n;
    bigint_status status = mul_operand_mul(ctx, m->quotient, tp, n, m->inverse_operand);
    if (status == BIGINT_OK) {
        status = m->modulus_wrap != NULL
                     ? wrapped_multiple(ctx, m, tp)
                     : mul_operand_mul(ctx, m->multiple, m->quotient, n, m->modulus_operand);
    }
    if (status == BIGINT_OK) {
        assert(limbs_cmp(m->multiple, tp, n) == 0);
        if (limbs_sub_n(rp, tp + n, m->multiple + n, n) != 0) {
            limbs_add_n(rp, rp, m->mp, n);
        }
        assert(limbs_cmp(rp, m->mp, n) < 0);
    }
    return status;
}

// --- Made ready ---

uint64_t montgomery_digits_of(uint64_t bits) {
    return word_ceil_div(bits + MONTGOMERY_IFMA_BITS + MONTGOMERY_IFMA_SLACK, MONTGOMERY_IFMA_BITS);
}

montgomery_way montgomery_way_of(const bigint_ctx *ctx, uint64_t n, bool steady) {
    if (steady) {
        return ctx->limbs->table == LIMBS_IFMA && n >= MONTGOMERY_DIGITS_THRESHOLD &&
                       n <= MONTGOMERY_DIGITS_LIMBS_MAX
                   ? MONTGOMERY_DIGITS
                   : MONTGOMERY_ROWS;
    }
    switch (ctx->limbs->table) {
        case LIMBS_IFMA:
            if (n < MONTGOMERY_DIGITS_THRESHOLD) {
                return MONTGOMERY_ROWS;
            }
            if (n <= MONTGOMERY_DIGITS_LIMBS_MAX) {
                return MONTGOMERY_DIGITS;
            }
            return n < MONTGOMERY_PRODUCTS_IFMA_THRESHOLD ? MONTGOMERY_BLOCKS : MONTGOMERY_PRODUCTS;
        case LIMBS_ADX:
            return n < MONTGOMERY_PRODUCTS_ADX_THRESHOLD ? MONTGOMERY_ROWS : MONTGOMERY_PRODUCTS;
        default:
            return n < MONTGOMERY_PRODUCTS_PORTABLE_THRESHOLD ? MONTGOMERY_ROWS
                                                              : MONTGOMERY_PRODUCTS;
    }
}

bool montgomery_products(const bigint_ctx *ctx, uint64_t n) {
    return montgomery_way_of(ctx, n, false) == MONTGOMERY_PRODUCTS;
}

// init_product: the memory of products of n by n limbs by mul_small.
static bigint_status init_product(bigint_ctx *ctx, montgomery *m) {
    m->words = m->n;
    m->product = arena_take_limbs(ctx, who, 2 * m->n);
    m->ws = m->product == NULL ? NULL
                               : arena_take_limbs(ctx, who, mul_small_workspace_limbs(m->n, m->n));
    return m->ws == NULL ? BIGINT_ENOMEM : BIGINT_OK;
}

static bigint_status init_rows(bigint_ctx *ctx, montgomery *m) {
    m->words = m->n;
    m->at_once = m->n <= LIMBS_REDC_FEW;
    // Karatsuba and Toom-3 look at signs.
    m->schoolbook = m->steady || mul_small_best(ctx->limbs, m->n, false) == MUL_SMALL_SCHOOLBOOK;
    return m->at_once ? BIGINT_OK : init_product(ctx, m);
}

static bigint_status init_blocks(bigint_ctx *ctx, montgomery *m) {
    assert(m->n <= LIMBS_REDC_BLOCKS_MAX);
    m->prepared = arena_take_limbs(ctx, who, limbs_redc_words(m->n));
    if (m->prepared == NULL) {
        return BIGINT_ENOMEM;
    }
    ctx->limbs->redc_prepare(m->prepared, m->mp, m->n);
    return init_product(ctx, m);
}

// M' = M c, c = -1 / M mod 2^52; 16 M' <= 2^(52 digits). Kept is (M' + 1) / 2^52.
static bigint_status init_digits(bigint_ctx *ctx, montgomery *m) {
    const uint64_t n = m->n, bits = 64 * n - word_clz(m->mp[n - 1]);
    m->digits = montgomery_digits_of(bits);
    m->words = montgomery_ifma_words(m->digits);
    m->modulus_digits = arena_take_limbs(ctx, who, m->words);
    uint64_t *const multiple = m->modulus_digits == NULL ? NULL : arena_take_limbs(ctx, who, n + 1);
    if (multiple == NULL) {
        return BIGINT_ENOMEM;
    }
    const uint64_t c = m->inverse & (((uint64_t)1 << MONTGOMERY_IFMA_BITS) - 1);
    multiple[n] = ctx->limbs->mul_1(multiple, m->mp, n, c);
    limbs_add_1(multiple, multiple, n + 1, 1);
    limbs_rshift(multiple, multiple, n + 1, MONTGOMERY_IFMA_BITS);
    montgomery_ifma_unpack(m->modulus_digits, m->digits, multiple, n + 1);
    return BIGINT_OK;
}

static bigint_status init_products(bigint_ctx *ctx, montgomery *m) {
    const uint64_t n = m->n;
    m->words = n;
    uint64_t *const memory = arena_take_limbs(ctx, who, 5 * n);
    if (memory == NULL) {
        return BIGINT_ENOMEM;
    }
    uint64_t *const inverse = memory + 4 * n;
    m->product = memory;
    m->quotient = memory + 2 * n;
    bigint_status status = inverse_mod_power(ctx, inverse, m->mp, n);
    if (status == BIGINT_OK) {
        status = mul_operand_prepare(ctx, &m->inverse_operand, inverse, n, n);
    }
    if (status == BIGINT_OK) {
        status = mul_wrap_prepare(ctx, who, &m->modulus_wrap, m->mp, n, n, n);
    }
    if (status == BIGINT_OK) {
        const uint64_t wrapped = m->modulus_wrap == NULL ? 0 : mul_wrap_limbs(m->modulus_wrap) + 2;
        m->multiple = arena_take_limbs(ctx, who, wrapped < 2 * n ? 2 * n : wrapped);
        status = m->multiple == NULL ? BIGINT_ENOMEM : BIGINT_OK;
    }
    if (status == BIGINT_OK && m->modulus_wrap == NULL) {
        status = mul_operand_prepare(ctx, &m->modulus_operand, m->mp, n, n);
    }
    return status;
}

static bigint_status init(bigint_ctx *ctx, montgomery *m, const uint64_t *mp, uint64_t n,
                          bool steady) {
    assert(n >= 1 && (mp[0] & 1) != 0 && mp[n - 1] != 0);
    *m = (montgomery){.way = montgomery_way_of(ctx, n, steady),
                      .steady = steady,
                      .mp = mp,
                      .n = n,
                      .inverse = -word_inverse(mp[0])};
    switch (m->way) {
        case MONTGOMERY_ROWS:
            return init_rows(ctx, m);
        case MONTGOMERY_DIGITS:
            return init_digits(ctx, m);
        case MONTGOMERY_BLOCKS:
            return init_blocks(ctx, m);
        default:
            return init_products(ctx, m);
    }
}

bigint_status montgomery_init(bigint_ctx *ctx, montgomery *m, const uint64_t *mp, uint64_t n) {
    return init(ctx, m, mp, n, false);
}

bigint_status montgomery_init_steady(bigint_ctx *ctx, montgomery *m, const uint64_t *mp,
                                     uint64_t n) {
    return init(ctx, m, mp, n, true);
}

// --- Form ---

uint64_t montgomery_bits(const montgomery *m) {
    if (m->way == MONTGOMERY_BLOCKS) {
        return limbs_redc_bits(m->n);
    }
    return m->way == MONTGOMERY_DIGITS ? MONTGOMERY_IFMA_BITS * m->digits : 64 * m->n;
}

void montgomery_put(const montgomery *m, uint64_t *rp, const uint64_t *ap) {
    if (m->way == MONTGOMERY_DIGITS) {
        montgomery_ifma_unpack(rp, m->digits, ap, m->n);
    } else {
        memcpy(rp, ap, m->n * sizeof *ap);
    }
}

bigint_status montgomery_from(bigint_ctx *ctx, const montgomery *m, uint64_t *rp,
                              const uint64_t *ap, uint64_t an) {
    const arena_mark mark = arena_get_mark(ctx);
    const bool in_digits = m->way == MONTGOMERY_DIGITS;
    const uint64_t bits = montgomery_bits(m);
    const uint64_t zeros = bits / 64, tn = zeros + an + 1;  // at least n, for 2^bits > M
    uint64_t *const t = arena_take_limbs(ctx, who, tn);
    bigint_status status = BIGINT_ENOMEM;
    if (t != NULL) {
        memset(t, 0, zeros * sizeof *t);
        t[tn - 1] = limbs_lshift(t + zeros, ap, an, (unsigned)(bits % 64));
        status = bigint_divrem_limbs(ctx, NULL, in_digits ? t : rp, t, tn, m->mp, m->n);
    }
    if (status == BIGINT_OK && in_digits) {
        montgomery_put(m, rp, t);
    }
    arena_release(ctx, mark);
    return status;
}

// digits_to: a times B is the number times B, below 2 M' < 2^53 M, for a < 4 M', and one row of
// limbs divides it by B: (2^53 M + B M) / B < 2 M.
static bigint_status digits_to(bigint_ctx *ctx, const montgomery *m, uint64_t *rp, uint64_t *ap) {
    const arena_mark mark = arena_get_mark(ctx);
    const uint64_t n = m->n, words = m->words > 2 * n + 1 ? m->words : 2 * n + 1;
    uint64_t *const t = arena_take_limbs(ctx, who, words);
    if (t != NULL) {
        memset(t, 0, m->words * sizeof *t);
        t[64 / MONTGOMERY_IFMA_BITS] = (uint64_t)1 << 64 % MONTGOMERY_IFMA_BITS;
        montgomery_ifma_mul(ap, ap, t, m->modulus_digits, m->digits);
        montgomery_ifma_pack(t, n + 1, ap, m->digits);
        const uint64_t more = ctx->limbs->addmul_1(t, m->mp, n, t[0] * m->inverse);
        t[n] += more;
        memcpy(rp, t + 1, n * sizeof *rp);
        finish(m, rp, t[n] < more, t);
    }
    arena_release(ctx, mark);
    return t == NULL ? BIGINT_ENOMEM : BIGINT_OK;
}

bigint_status montgomery_to(bigint_ctx *ctx, const montgomery *m, uint64_t *rp, uint64_t *ap) {
    if (m->way == MONTGOMERY_DIGITS) {
        return digits_to(ctx, m, rp, ap);
    }
    if (m->at_once) {
        const uint64_t one[LIMBS_REDC_FEW] = {1};
        ctx->limbs->mul_redc(rp, one, ap, m->mp, m->n, m->inverse);  // 1 may be M
        return BIGINT_OK;
    }
    memcpy(m->product, ap, m->n * sizeof *ap);
    memset(m->product + m->n, 0, m->n * sizeof *ap);
    if (m->way == MONTGOMERY_PRODUCTS) {
        return reduce_products(ctx, m, rp, m->product);
    }
    reduce(ctx->limbs, m, rp);
    return BIGINT_OK;
}

bigint_status montgomery_mul(bigint_ctx *ctx, const montgomery *m, uint64_t *rp, const uint64_t *ap,
                             const uint64_t *bp) {
    const uint64_t n = m->n;
    if (m->at_once) {
        ctx->limbs->mul_redc(rp, ap, bp, m->mp, n, m->inverse);
        return BIGINT_OK;
    }
    if (m->way == MONTGOMERY_DIGITS) {
        montgomery_ifma_mul(rp, ap, bp, m->modulus_digits, m->digits);
        return BIGINT_OK;
    }
    if (m->way == MONTGOMERY_PRODUCTS) {
        const bigint_status status = bigint_mul_limbs(ctx, m->product, ap, n, bp, n);
        return status != BIGINT_OK ? status : reduce_products(ctx, m, rp, m->product);
    }
    if (!m->schoolbook) {
        mul_small(ctx->limbs, MUL_SMALL_BEST, m->product, ap, n, bp, n, m->ws);
    } else if (ap == bp) {
        ctx->limbs->sqr(m->product, ap, n);
    } else {
        ctx->limbs->mul(m->product, ap, n, bp, n);
    }
    reduce(ctx->limbs, m, rp);
    return BIGINT_OK;
}

void montgomery_add(const montgomery *m, uint64_t *rp, const uint64_t *ap, const uint64_t *bp) {
    if (m->way == MONTGOMERY_DIGITS) {
        montgomery_ifma_add(rp, ap, bp, m->digits);
    } else if (limbs_add_n(rp, ap, bp, m->n) != 0 || limbs_cmp(rp, m->mp, m->n) >= 0) {
        limbs_sub_n(rp, rp, m->mp, m->n);
    }
}
