// montgomery.c: see montgomery.h. Short moduli are reduced by rows, long ones by two products, with
// the modulus's inverse and with the modulus. May include mul_small.h, tune.h and primitives/.
#include "bigint/montgomery.h"

#include <assert.h>
#include <string.h>

#include "bigint/mul_small.h"
#include "bigint/tune.h"

static const char who[] = "bigint_powm";

// --- Inverses ---

// inverse_word: 1 / a mod B for odd a: 3 a ^ 2 is right to 5 bits, each step doubles them.
static uint64_t inverse_word(uint64_t a) {
    uint64_t x = (3 * a) ^ 2;
    for (unsigned bits = 5; bits < 64; bits *= 2) {
        x *= 2 - a * x;
    }
    assert(a * x == 1);
    return x;
}

bigint_status inverse_mod_power(bigint_ctx *ctx, uint64_t *rp, const uint64_t *ap, uint64_t n) {
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t *const e = arena_take_limbs(ctx, who, 2 * n);
    uint64_t *const f = e == NULL ? NULL : arena_take_limbs(ctx, who, 2 * n);
    bigint_status status = f == NULL ? BIGINT_ENOMEM : BIGINT_OK;
    rp[0] = inverse_word(ap[0]);
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

// finish: {rp, n} = carry B^n + {ap, n} mod M, which is below 2 M.
static void finish(const montgomery *m, uint64_t *rp, const uint64_t *ap, uint64_t carry) {
    if (carry != 0 || limbs_cmp(ap, m->mp, m->n) >= 0) {
        limbs_sub_n(rp, ap, m->mp, m->n);
    } else if (rp != ap) {
        memcpy(rp, ap, m->n * sizeof *rp);
    }
    assert(limbs_cmp(rp, m->mp, m->n) < 0);
}

// reduce_rows: {rp, n} = {tp, 2 n} / B^n mod M for {tp, 2 n} < M B^n. Row i makes limb i zero,
// whose place then keeps the row's carry until all are added at once.
static void reduce_rows(const limbs_ops *ops, const montgomery *m, uint64_t *rp, uint64_t *tp) {
    const uint64_t n = m->n;
    for (uint64_t i = 0; i < n; i++) {
        tp[i] = ops->addmul_1(tp + i, m->mp, n, tp[i] * m->inverse);
    }
    const uint64_t carry = limbs_add_n(tp, tp, tp + n, n);
    finish(m, rp, tp, carry);  // below (M B^n + B^n M) / B^n
}

// reduce_products: the same. Q = T / M mod B^n; T - Q M is a multiple of B^n, above -M B^n.
static bigint_status reduce_products(bigint_ctx *ctx, const montgomery *m, uint64_t *rp,
                                     const uint64_t *tp) {
    const uint64_t n = m->n;
    uint64_t *const q = m->quotient, *const u = arena_take_limbs(ctx, who, 2 * n);
    if (u == NULL) {
        return BIGINT_ENOMEM;
    }
    bigint_status status = mul_operand_mul(ctx, q, tp, n, m->inverse_operand);
    if (status == BIGINT_OK) {
        status = mul_operand_mul(ctx, u, q, n, m->modulus_operand);
    }
    if (status == BIGINT_OK) {
        assert(limbs_cmp(u, tp, n) == 0);
        if (limbs_sub_n(rp, tp + n, u + n, n) != 0) {
            limbs_add_n(rp, rp, m->mp, n);
        }
        assert(limbs_cmp(rp, m->mp, n) < 0);
    }
    return status;
}

static bigint_status reduce(bigint_ctx *ctx, const montgomery *m, uint64_t *rp) {
    if (m->modulus_operand == NULL) {
        reduce_rows(ctx->limbs, m, rp, m->product);
        return BIGINT_OK;
    }
    const arena_mark mark = arena_get_mark(ctx);
    const bigint_status status = reduce_products(ctx, m, rp, m->product);
    arena_release(ctx, mark);
    return status;
}

// --- Form ---

bigint_status montgomery_init(bigint_ctx *ctx, montgomery *m, const uint64_t *mp, uint64_t n) {
    assert(n >= 1 && (mp[0] & 1) != 0 && mp[n - 1] != 0);
    *m = (montgomery){.mp = mp, .n = n, .inverse = -inverse_word(mp[0])};
    m->product = arena_take_limbs(ctx, who, 2 * n);
    if (m->product == NULL) {
        return BIGINT_ENOMEM;
    }
    if (n < MONTGOMERY_PRODUCTS_THRESHOLD) {
        m->ws = arena_take_limbs(ctx, who, mul_small_workspace_limbs(n, n));
        return m->ws == NULL ? BIGINT_ENOMEM : BIGINT_OK;
    }
    uint64_t *const inverse = arena_take_limbs(ctx, who, n);
    m->quotient = inverse == NULL ? NULL : arena_take_limbs(ctx, who, 2 * n);
    if (m->quotient == NULL) {
        return BIGINT_ENOMEM;
    }
    bigint_status status = inverse_mod_power(ctx, inverse, mp, n);
    if (status == BIGINT_OK) {
        status = mul_operand_prepare(ctx, &m->inverse_operand, inverse, n, n);
    }
    if (status == BIGINT_OK) {
        status = mul_operand_prepare(ctx, &m->modulus_operand, mp, n, n);
    }
    return status;
}

bigint_status montgomery_from(bigint_ctx *ctx, const montgomery *m, uint64_t *rp,
                              const uint64_t *ap, uint64_t an) {
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t *const t = arena_take_limbs(ctx, who, m->n + an);
    bigint_status status = BIGINT_ENOMEM;
    if (t != NULL) {
        memset(t, 0, m->n * sizeof *t);
        memcpy(t + m->n, ap, an * sizeof *t);
        status = bigint_divrem_limbs(ctx, NULL, rp, t, m->n + an, m->mp, m->n);
    }
    arena_release(ctx, mark);
    return status;
}

bigint_status montgomery_to(bigint_ctx *ctx, const montgomery *m, uint64_t *rp,
                            const uint64_t *ap) {
    memcpy(m->product, ap, m->n * sizeof *ap);
    memset(m->product + m->n, 0, m->n * sizeof *ap);
    return reduce(ctx, m, rp);
}

bigint_status montgomery_mul(bigint_ctx *ctx, const montgomery *m, uint64_t *rp, const uint64_t *ap,
                             const uint64_t *bp) {
    const uint64_t n = m->n;
    if (m->modulus_operand != NULL) {
        const bigint_status status = bigint_mul_limbs(ctx, m->product, ap, n, bp, n);
        return status != BIGINT_OK ? status : reduce(ctx, m, rp);
    }
    if (ap == bp) {
        sqr_small(ctx->limbs, MUL_SMALL_BEST, m->product, ap, n, m->ws);
    } else {
        mul_small(ctx->limbs, MUL_SMALL_BEST, m->product, ap, n, bp, n, m->ws);
    }
    reduce_rows(ctx->limbs, m, rp, m->product);
    return BIGINT_OK;
}
