// product.c: products with a word, and products that are added to an integer.
#include "bigint/multiply/product.h"

#include <string.h>

#include "bigint/core/limbs.h"
#include "bigint/multiply/mul.h"
#include "bigint/word/operands.h"

// plain: whether products of few limbs need neither a check nor an engine by name.
static bool plain(const bigint_ctx *ctx) { return ctx->few_limbs != 0; }

// product: r = b_sign a b.
static bigint_status product(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                             uint64_t b, int b_sign) {
    bigint_status status = word_check(ctx, who, r, a);
    if (status != BIGINT_OK) {
        return status;
    }
    if (!plain(ctx)) {
        return mul_product(ctx, who, r, a, (mul_factor){&b, b != 0, b == 0 ? 0 : b_sign, NULL});
    }
    const uint64_t n = a->n_;
    const int sign = b == 0 ? 0 : b_sign * a->sign_;
    status = bigint_reserve(ctx, who, r, n + 1);
    if (status == BIGINT_OK) {
        const uint64_t top = sign == 0 ? 0 : ctx->limbs->mul_1(r->d_, a->d_, n, b);
        r->d_[n] = top;
        r->n_ = sign == 0 ? 0 : n + (top != 0);
        r->sign_ = sign;
        ctx->counters.products += sign != 0;
    }
    return status;
}

bigint_status bigint_mul_u64(bigint_ctx *ctx, bigint *r, const bigint *a, uint64_t b) {
    return product(ctx, "bigint_mul_u64", r, a, b, 1);
}

bigint_status bigint_mul_i64(bigint_ctx *ctx, bigint *r, const bigint *a, int64_t b) {
    return product(ctx, "bigint_mul_i64", r, a, word_magnitude(b), word_sign(b));
}

// --- Added products ------------------------------------------------------------------------------

// accumulate: r = r + sign a b. The product lies in workspace.
static bigint_status accumulate(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                                mul_factor b, int sign) {
    if (a->n_ == 0 || b.n == 0) {
        return BIGINT_OK;
    }
    const arena_mark mark = arena_get_mark(ctx);
    const uint64_t n = a->n_ + b.n;  // both at most BIGINT_MAX_LIMBS
    bigint term = {.d_ = arena_take_limbs(ctx, who, n), .cap_ = n};
    bigint_status status =
        term.d_ == NULL ? BIGINT_ENOMEM : bigint_mul_limbs(ctx, term.d_, a->d_, a->n_, b.p, b.n);
    if (status == BIGINT_OK) {
        bigint_finish(&term, n, sign * a->sign_ * b.sign);
        status = bigint_add(ctx, r, r, &term);
    }
    arena_release(ctx, mark);
    return status;
}

// accumulate_integer: the same with the checks.
static bigint_status accumulate_integer(bigint_ctx *ctx, const char *who, bigint *r,
                                        const bigint *a, const bigint *b, int sign) {
    bigint_status status = word_check(ctx, who, r, a);
    if (status == BIGINT_OK) {
        status = word_check(ctx, who, b, b);
    }
    return status != BIGINT_OK
               ? status
               : accumulate(ctx, who, r, a, (mul_factor){b->d_, b->n_, b->sign_, NULL}, sign);
}

bigint_status bigint_addmul(bigint_ctx *ctx, bigint *r, const bigint *a, const bigint *b) {
    return accumulate_integer(ctx, "bigint_addmul", r, a, b, 1);
}

bigint_status bigint_submul(bigint_ctx *ctx, bigint *r, const bigint *a, const bigint *b) {
    return accumulate_integer(ctx, "bigint_submul", r, a, b, -1);
}

// negate: {p, n} = B^n - {p, n}.
static void negate(uint64_t *p, uint64_t n) {
    uint64_t carry = 1;
    for (uint64_t i = 0; i < n; i++) {
        p[i] = word_add(~p[i], 0, &carry);
    }
}

// accumulate_word: r = r + sign a b in r's limbs.
static bigint_status accumulate_word(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                                     uint64_t b, int sign) {
    bigint_status status = word_check(ctx, who, r, a);
    if (status != BIGINT_OK) {
        return status;
    }
    if (!plain(ctx)) {
        return accumulate(ctx, who, r, a, (mul_factor){&b, b != 0, 1, NULL}, sign);
    }
    const uint64_t an = a->n_, rn = r->n_, n = (an > rn ? an : rn) + 1;
    const int term_sign = sign * a->sign_, r_sign = r->sign_;
    if (term_sign == 0 || b == 0) {
        return BIGINT_OK;
    }
    status = bigint_reserve(ctx, who, r, n);
    if (status != BIGINT_OK) {
        return status;
    }
    // |r| + |a| b < B^(n - 1) + B^(n - 1) (B - 1) = B^n: the sum fits n limbs, and so does the
    // difference in two's complement with one borrow more. a may be r: its an <= n limbs are read
    // as they are written.
    uint64_t *const rp = r->d_;
    memset(rp + rn, 0, (n - rn) * sizeof *rp);
    ctx->counters.products++;
    if (r_sign == 0 || r_sign == term_sign) {
        const uint64_t carry = ctx->limbs->addmul_1(rp, a->d_, an, b);
        limbs_add_1(rp + an, rp + an, n - an, carry);
        bigint_finish(r, n, term_sign);
        return BIGINT_OK;
    }
    const uint64_t borrow = ctx->limbs->submul_1(rp, a->d_, an, b);
    const bool negative = limbs_sub_1(rp + an, rp + an, n - an, borrow) != 0;
    if (negative) {
        negate(rp, n);
    }
    bigint_finish(r, n, negative ? term_sign : r_sign);
    return BIGINT_OK;
}

bigint_status bigint_addmul_u64(bigint_ctx *ctx, bigint *r, const bigint *a, uint64_t b) {
    return accumulate_word(ctx, "bigint_addmul_u64", r, a, b, 1);
}

bigint_status bigint_submul_u64(bigint_ctx *ctx, bigint *r, const bigint *a, uint64_t b) {
    return accumulate_word(ctx, "bigint_submul_u64", r, a, b, -1);
}
