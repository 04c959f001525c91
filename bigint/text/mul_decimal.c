// mul_decimal.c: see mul_decimal.h. Texts and buffers for both kinds of place, and the product on
// the host.
//
// The digits of the transform are words below 10^k instead of limbs. Splitting, transforms and
// remaindering are the same, and carries are propagated in base 10^k. No radix conversion is
// needed, and the whole product costs about as much as one of limbs with the same number of digits.
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "bigint/core/integer.h"
#include "bigint/core/limbs.h"
#include "bigint/multiply/mul.h"
#include "bigint/text/decimal_digits.h"
#include "bigint/text/mul_decimal.h"
#include "primitives/words/word.h"

static const char *const who = "bigint_mul_decimal";

static bigint_status bad_text(bigint_ctx *ctx, size_t *bad_at, size_t at, const char *what) {
    if (bad_at != NULL) {
        *bad_at = at;
    }
    return bigint_fail(ctx, BIGINT_EINVAL, "%s: %s at position %llu, counted through both texts",
                       who, what, (unsigned long long)at);
}

// read_sign: t = s[0 .. length), which begins at `start` of both texts; its digits are not looked
// at, zeros apart.
static bigint_status read_sign(bigint_ctx *ctx, decimal_text *t, const char *s, size_t length,
                               size_t start, size_t *bad_at) {
    size_t i = length > 0 && (s[0] == '-' || s[0] == '+');
    if (i == length) {
        return bad_text(ctx, bad_at, start + length, "the text ends without a digit");
    }
    while (i < length && s[i] == '0') {
        i++;
    }
    *t = (decimal_text){s + i, length - i, start + i, s[0] == '-'};
    return BIGINT_OK;
}

bigint_status decimal_text_check(bigint_ctx *ctx, const decimal_text *t, size_t *bad_at) {
    const size_t valid = decimal_digits_valid(t->digits, t->count);
    return valid == t->count ? BIGINT_OK
                             : bad_text(ctx, bad_at, t->at + valid, "a character that is no digit");
}

bigint_status decimal_buffer_open(bigint_ctx *ctx, const decimal_buffer *to, size_t digits,
                                  char **at) {
    const size_t total = to->negative + digits + 1;
    if (to->need != NULL) {
        *to->need = total;
    }
    const bigint_status status = bigint_check_capacity(ctx, who, "characters", to->cap, total);
    if (status == BIGINT_OK) {
        *at = to->buf + to->negative;
        (*at)[digits] = '\0';
        if (to->negative) {
            *to->buf = '-';
        }
    }
    return status;
}

// --- On the host ---------------------------------------------------------------------------------

static bigint_status read_words(bigint_ctx *ctx, uint64_t *words, const decimal_text *t, unsigned k,
                                size_t *bad_at) {
    const size_t read = decimal_digits_read(words, t->digits, t->count, k);
    return read == t->count ? BIGINT_OK
                            : bad_text(ctx, bad_at, t->at + read, "a character that is no digit");
}

// product_words: {rp, an + bn} in base 10^k from the two texts, one given twice for a square. All
// on the arena; rp too.
static bigint_status product_words(bigint_ctx *ctx, uint64_t **rp, const mul_plan *plan,
                                   const decimal_text *a, const decimal_text *b, size_t *bad_at) {
    const uint64_t an = word_ceil_div(a->count, plan->k), bn = word_ceil_div(b->count, plan->k);
    *rp = arena_take_limbs(ctx, who, an + bn);
    uint64_t *const ap = arena_take_limbs(ctx, who, an + bn);
    if (*rp == NULL || ap == NULL) {
        return BIGINT_ENOMEM;
    }
    uint64_t *const bp = a == b ? ap : ap + an;
    bigint_status status = read_words(ctx, ap, a, plan->k, bad_at);
    if (status == BIGINT_OK && a != b) {
        status = read_words(ctx, bp, b, plan->k, bad_at);
    }
    if (status == BIGINT_OK) {
        status = context_pause(ctx, who);
    }
    if (status == BIGINT_OK) {
        status = mul_ready(ctx, who, plan);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    void *const ws = arena_take(ctx, who, plan->workspace_bytes);
    if (ws == NULL) {
        return BIGINT_ENOMEM;
    }
    const reporting before = ctx->reports;
    ctx->reports = REPORT_STEPS;
    const bool finished = mul_execute(ctx, plan, *rp, ap, an, bp, bn, ws);
    ctx->reports = before;
    if (!finished) {
        return context_canceled(ctx, who);
    }
    uint64_t radix = 1;
    for (unsigned i = 0; i < plan->k; i++) {
        radix *= 10;
    }
    return mul_check_words(ctx, who, radix, *rp, ap, an, bp, bn);
}

// write_text: the text of the product, if the buffer holds it.
static bigint_status write_text(bigint_ctx *ctx, const decimal_buffer *to, size_t digits,
                                const uint64_t *words, unsigned k) {
    char *at;
    const bigint_status status = decimal_buffer_open(ctx, to, digits, &at);
    if (status == BIGINT_OK) {
        decimal_digits_write(at, digits, words, k);
    }
    return status;
}

bigint_status decimal_on_host(bigint_ctx *ctx, const decimal_buffer *to, const decimal_text *a,
                              const decimal_text *b, size_t *bad_at) {
    const size_t most = a->count + b->count;
    mul_plan plan;
    bigint_status status = mul_plan_decimal(ctx, who, &plan, a->count, b->count, a == b);
    if (status != BIGINT_OK) {
        return status;
    }
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t *words;
    status = product_words(ctx, &words, &plan, a, b, bad_at);
    if (status == BIGINT_OK) {
        // digit m + n of the product: the one that it may lack
        uint64_t top = words[(most - 1) / plan.k];
        for (size_t i = (most - 1) % plan.k; i > 0; i--) {
            top /= 10;
        }
        status = write_text(ctx, to, top == 0 ? most - 1 : most, words, plan.k);
    }
    arena_release(ctx, mark);
    return status;
}

void decimal_host_need(work_need *w, uint64_t an, uint64_t bn) {
    const uint64_t in_use = w->host.in_use;
    for (unsigned square = 0; square < (an == bn ? 2 : 1) && an > 0 && bn > 0; square++) {
        mul_plan plan;
        if (w->status == BIGINT_OK) {
            w->status = mul_plan_decimal(w->ctx, w->who, &plan, an, bn, square == 1);
        }
        if (w->status == BIGINT_OK) {
            need_take_limbs(&w->host, plan.an + plan.bn);
            need_take_limbs(&w->host, plan.an + plan.bn);
            mul_plan_need(w, &plan);
            need_release(&w->host, in_use);
        }
    }
}

int decimal_host_print(bigint_ctx *ctx, char *buf, size_t cap, uint64_t an, uint64_t bn) {
    char how[512] = "one of them is 0";
    mul_plan plan = {.k = 0};
    if (an > 0 && bn > 0 && mul_plan_decimal(ctx, who, &plan, an, bn, false) == BIGINT_OK) {
        mul_plan_print(ctx, &plan, how, sizeof how);
    }
    return snprintf(buf, cap, "%llu x %llu digits in base 10^%u, words as limbs: %s",
                    (unsigned long long)an, (unsigned long long)bn, plan.k, how);
}

// --- On either place -----------------------------------------------------------------------------

// zero: the product where a factor is 0; the other one still has to be a number.
static bigint_status zero(bigint_ctx *ctx, const decimal_buffer *to, const decimal_text *other,
                          size_t *bad_at) {
    char *at;
    bigint_status status = decimal_text_check(ctx, other, bad_at);
    if (status == BIGINT_OK) {
        status = decimal_buffer_open(ctx, to, 1, &at);
    }
    if (status == BIGINT_OK) {
        *at = '0';
    }
    return status;
}

// multiply: two numbers that are not 0. The product of m and n digits has m + n or m + n - 1.
static bigint_status multiply(bigint_ctx *ctx, decimal_multiplier *by, const decimal_buffer *to,
                              const decimal_text *a, const decimal_text *b, size_t *bad_at) {
    const size_t most = to->negative + a->count + b->count;
    if (to->cap < most) {  // too small for m + n - 1 digits and the NUL
        if (to->need != NULL) {
            *to->need = most + 1;
        }
        return bigint_check_capacity(ctx, who, "characters", to->cap, most + 1);
    }
    const bool square = a->digits == b->digits && a->count == b->count;  // with any signs
    return by(ctx, to, a, square ? a : b, bad_at);
}

bigint_status decimal_multiply(bigint_ctx *ctx, decimal_multiplier *by, decimal_buffer to,
                               const char *a, size_t a_length, const char *b, size_t b_length,
                               size_t *bad_at) {
    decimal_text x, y;
    bigint_status status =
        bigint_check_product_size(ctx, who, word_ceil_div(a_length, DECIMAL_WORD_DIGITS),
                                  word_ceil_div(b_length, DECIMAL_WORD_DIGITS));
    if (status == BIGINT_OK) {
        status = read_sign(ctx, &x, a, a_length, 0, bad_at);
    }
    if (status == BIGINT_OK) {
        status = read_sign(ctx, &y, b, b_length, a_length, bad_at);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    const bool nonzero = x.count > 0 && y.count > 0;
    to.negative = nonzero && x.negative != y.negative;
    if (!nonzero) {
        return zero(ctx, &to, x.count > 0 ? &x : &y, bad_at);
    }
    return multiply(ctx, by, &to, &x, &y, bad_at);
}
