// product.c: products with a word, and products that are added to an integer.
#include "bigint/word/product.h"

#include "bigint/core/integer.h"
#include "bigint/core/limbs.h"
#include "bigint/core/place.h"
#include "bigint/multiply/mul.h"
#include "bigint/multiply/product.h"
#include "bigint/word/operands.h"

// --- Other places --------------------------------------------------------------------------------

// product_there: r = b_sign a b, with the word as an integer there.
static bigint_status product_there(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                                   uint64_t b, int b_sign) {
    bigint word = BIGINT_INIT;
    bigint_status status = bigint_check_places(ctx, who, r, a, NULL);
    if (status == BIGINT_OK) {
        status = ctx->away->store(ctx, who, &word, &b, 1, b_sign);
    }
    if (status == BIGINT_OK) {
        status = ctx->away->mul(ctx, who, r, a, &word);
    }
    bigint_clear(ctx, &word);
    return status;
}

// add_there: r = r + sign term; term is cleared.
static bigint_status add_there(bigint_ctx *ctx, const char *who, bigint *r, bigint *term, int sign,
                               bigint_status status) {
    if (status == BIGINT_OK) {
        status = ctx->away->add(ctx, who, r, r, term, sign < 0);
    }
    bigint_clear(ctx, term);
    return status;
}

// accumulate_there: r = r + sign a b.
static bigint_status accumulate_there(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                                      const bigint *b, int sign) {
    bigint term = BIGINT_INIT;
    bigint_status status = bigint_check_places(ctx, who, r, a, b);
    if (status == BIGINT_OK) {
        status = ctx->away->mul(ctx, who, &term, a, b);
    }
    return add_there(ctx, who, r, &term, sign, status);
}

static bigint_status accumulate_word_there(bigint_ctx *ctx, const char *who, bigint *r,
                                           const bigint *a, uint64_t b, int sign) {
    bigint term = BIGINT_INIT;
    bigint_status status = bigint_check_places(ctx, who, r, NULL, NULL);
    if (status == BIGINT_OK) {
        status = product_there(ctx, who, &term, a, b, sign);
    }
    return add_there(ctx, who, r, &term, 1, status);
}

// --- Products ------------------------------------------------------------------------------------

// plain: whether products of few limbs need neither a check nor an engine by name.
static bool plain(const bigint_ctx *ctx) { return ctx->few_limbs != 0; }

// row: {rp, n} = {ap, n} b; returns the top limb. For few limbs a call takes longer than the
// products.
enum { ROW_FEW = 4 };
static inline uint64_t row(const bigint_ctx *ctx, uint64_t *rp, const uint64_t *ap, uint64_t n,
                           uint64_t b) {
    if (n > ROW_FEW) {
        return ctx->limbs->mul_1(rp, ap, n, b);
    }
    uint64_t carry = 0;
    for (uint64_t i = 0; i < n; i++) {
        const word_pair t = (word_pair)ap[i] * b + carry;
        rp[i] = (uint64_t)t;
        carry = (uint64_t)(t >> 64);
    }
    return carry;
}

// product_in_room: r = b_sign a b, b not 0; r has room.
static inline bigint_status product_in_room(bigint_ctx *ctx, bigint *r, const bigint *a, uint64_t b,
                                            int b_sign) {
    const uint64_t n = a->n_;
    const int sign = b_sign * a->sign_;
    const uint64_t top = row(ctx, r->d_, a->d_, n, b);
    r->d_[n] = top;
    r->n_ = n + (top != 0);
    r->sign_ = sign;
    ctx->counters.products += n != 0;
    return BIGINT_OK;
}

// product_any: the same for any operands, with the checks. product_long: without them.
static __attribute__((noinline)) bigint_status product_any(bigint_ctx *ctx, const char *who,
                                                           bigint *r, const bigint *a, uint64_t b,
                                                           int b_sign) {
    if (ctx->away != NULL) {
        return product_there(ctx, who, r, a, b, b_sign);
    }
    bigint_status status = bigint_check_host(ctx, who, r, a, a);
    if (status != BIGINT_OK) {
        return status;
    }
    if (!plain(ctx)) {
        return mul_product(ctx, who, r, a, (mul_factor){&b, b != 0, b == 0 ? 0 : b_sign, NULL});
    }
    status = bigint_reserve(ctx, who, r, b == 0 ? 0 : a->n_ + 1);
    if (status == BIGINT_OK && b == 0) {
        bigint_finish(r, 0, 0);
    } else if (status == BIGINT_OK) {
        status = product_in_room(ctx, r, a, b, b_sign);
    }
    return status;
}

static __attribute__((noinline)) bigint_status product_long(bigint_ctx *ctx, bigint *r,
                                                            const bigint *a, uint64_t b,
                                                            int b_sign) {
    return product_in_room(ctx, r, a, b, b_sign);
}

// product: the same, without a call for few limbs.
static inline bigint_status product(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                                    uint64_t b, int b_sign) {
    const uint64_t n = a->n_;
    if (n >= r->cap_ || b == 0 || !plain(ctx) || !bigint_all_on_host(ctx, r, a, a)) {
        return product_any(ctx, who, r, a, b, b_sign);
    }
    return n > ROW_FEW ? product_long(ctx, r, a, b, b_sign) : product_in_room(ctx, r, a, b, b_sign);
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
    const uint64_t n = a->n_ + b.n;  // both at most BIGINT_MAX_LIMBS
    if (plain(ctx) && a->n_ <= LIMBS_FEW && b.n <= LIMBS_FEW) {
        uint64_t few[2 * LIMBS_FEW];
        bigint term = {.d_ = few, .cap_ = n};
        mul_limbs_short(ctx->limbs, few, a->d_, a->n_, b.p, b.n);
        ctx->counters.products++;
        bigint_finish(&term, n, sign * a->sign_ * b.sign);
        return bigint_add(ctx, r, r, &term);
    }
    const arena_mark mark = arena_get_mark(ctx);
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

void addmul_need(work_need *w, uint64_t an, uint64_t bn) {
    const uint64_t in_use = w->host.in_use;
    if (an > 1 && bn > 1) {  // else a word
        need_take_limbs(&w->host, an + bn);
        mul_need(w, an, bn, an == bn);
        mul_need(w, an, bn, false);
        need_release(&w->host, in_use);
    }
}

static bigint_status accumulate_word(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                                     uint64_t b, int sign);

// accumulate_integer: the same with the checks. Numbers of one limb are words, whose signs join.
static bigint_status accumulate_integer(bigint_ctx *ctx, const char *who, bigint *r,
                                        const bigint *a, const bigint *b, int sign) {
    if (bigint_is_away(ctx)) {
        return accumulate_there(ctx, who, r, a, b, sign);
    }
    const bigint_status status = bigint_check_host(ctx, who, r, a, b);
    if (status == BIGINT_OK && (a->n_ == 1 || b->n_ == 1)) {
        const bigint *const word = b->n_ == 1 ? b : a, *const other = b->n_ == 1 ? a : b;
        return accumulate_word(ctx, who, r, other, word->d_[0], sign * word->sign_);
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

// negate: {p, n} = B^n - {p, n}, which is not 0.
static void negate(uint64_t *p, uint64_t n) {
    uint64_t i = 0;
    while (p[i] == 0) {
        i++;
    }
    p[i] = -p[i];
    limbs_com(p + i + 1, p + i + 1, n - i - 1);
}

// few_words: r = r + term_sign x y, r of one limb with room for two.
static void few_words(bigint *r, int term_sign, uint64_t x, uint64_t y) {
    const word_pair term = (word_pair)x * y, old = r->d_[0];
    // x y + old <= (B - 1)^2 + B - 1 < B^2
    const bool same = r->sign_ == term_sign, swap = !same && term > old;
    const word_pair sum = same ? old + term : swap ? term - old : old - term;
    r->d_[0] = (uint64_t)sum;
    r->d_[1] = (uint64_t)(sum >> 64);
    bigint_finish(r, 2, swap ? term_sign : r->sign_);
}

// add_row: {rp, n} + c B^n = {rp, rn} + {ap, an} b, n the larger of an and rn; returns c.
static uint64_t add_row(const bigint_ctx *ctx, uint64_t *rp, uint64_t rn, const uint64_t *ap,
                        uint64_t an, uint64_t b) {
    if (an <= rn) {
        const uint64_t carry = ctx->limbs->addmul_1(rp, ap, an, b);
        return limbs_add_1(rp + an, rp + an, rn - an, carry);
    }
    const uint64_t carry = rn == 0 ? 0 : ctx->limbs->addmul_1(rp, ap, rn, b);
    const uint64_t top = row(ctx, rp + rn, ap + rn, an - rn, b);
    return top + limbs_add_1(rp + rn, rp + rn, an - rn, carry);
}

// subtract_row: {rp, n + 1} = {rp, rn} - {ap, an} b in two's complement, n as above.
static void subtract_row(const bigint_ctx *ctx, uint64_t *rp, uint64_t rn, const uint64_t *ap,
                         uint64_t an, uint64_t b) {
    uint64_t n = rn;
    for (; n < an; n++) {
        rp[n] = 0;
    }
    const uint64_t borrow = ctx->limbs->submul_1(rp, ap, an, b);
    rp[n] = 0 - limbs_sub_1(rp + an, rp + an, n - an, borrow);
}

// accumulate_word: r = r + sign a b in r's limbs, which a may be: limbs are read before they are
// written.
static bigint_status accumulate_word(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                                     uint64_t b, int sign) {
    if (bigint_is_away(ctx)) {
        return accumulate_word_there(ctx, who, r, a, b, sign);
    }
    bigint_status status = bigint_check_host(ctx, who, r, a, r);
    if (status != BIGINT_OK) {
        return status;
    }
    if (!plain(ctx)) {
        return accumulate(ctx, who, r, a, (mul_factor){&b, b != 0, 1, NULL}, sign);
    }
    const uint64_t an = a->n_, rn = r->n_, n = an > rn ? an : rn;
    const int term_sign = sign * a->sign_, r_sign = r->sign_;
    if (term_sign == 0 || b == 0) {
        return BIGINT_OK;
    }
    status = bigint_reserve(ctx, who, r, n + 1);
    if (status != BIGINT_OK) {
        return status;
    }
    ctx->counters.products++;
    uint64_t *const rp = r->d_;
    if (an == 1 && rn == 1) {
        few_words(r, term_sign, a->d_[0], b);
    } else if (r_sign == 0 || r_sign == term_sign) {
        const uint64_t top = add_row(ctx, rp, rn, a->d_, an, b);
        rp[n] = top;
        r->n_ = n + (top != 0);
        r->sign_ = term_sign;
    } else {
        // |r| - |a| b > -B^(n + 1): the top limb says whether it is negative.
        subtract_row(ctx, rp, rn, a->d_, an, b);
        const bool negative = rp[n] != 0;
        if (negative) {
            negate(rp, n + 1);
        }
        bigint_finish(r, n + 1, negative ? term_sign : r_sign);
    }
    return BIGINT_OK;
}

bigint_status bigint_addmul_u64(bigint_ctx *ctx, bigint *r, const bigint *a, uint64_t b) {
    return accumulate_word(ctx, "bigint_addmul_u64", r, a, b, 1);
}

bigint_status bigint_submul_u64(bigint_ctx *ctx, bigint *r, const bigint *a, uint64_t b) {
    return accumulate_word(ctx, "bigint_submul_u64", r, a, b, -1);
}
