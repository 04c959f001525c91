// mul_decimal.c: bigint_mul_decimal: from text to text in a decimal radix.
//
// The digits of the transform are words below 10^k instead of limbs. Splitting, transforms and
// remaindering are the same, and carries are propagated in base 10^k. No radix conversion is
// needed, and the whole product costs about as much as one of limbs with the same number of digits.
#include <assert.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "bigint/core/integer.h"
#include "bigint/core/limbs.h"
#include "bigint/multiply/mul.h"
#include "bigint/text/decimal_digits.h"
#include "primitives/words/word.h"

static const char *const who = "bigint_mul_decimal";

// decimal_text: an operand as it was given, and the digits of it that count.
typedef struct {
    const char *digits;  // without sign and leading zeros
    size_t count;        // 0 for the number 0
    size_t at;           // position of digits in the two texts one after the other
    bool negative;
} decimal_text;

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
        status = mul_ready(ctx, who, plan);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    void *const ws = arena_take(ctx, who, plan->workspace_bytes);
    if (ws == NULL) {
        return BIGINT_ENOMEM;
    }
    ctx->reports = true;
    mul_execute(ctx, plan, *rp, ap, an, bp, bn, ws);
    ctx->reports = false;
    uint64_t radix = 1;
    for (unsigned i = 0; i < plan->k; i++) {
        radix *= 10;
    }
    return mul_check_words(ctx, who, radix, *rp, ap, an, bp, bn);
}

// write_text: the text of the product, if the buffer holds it.
static bigint_status write_text(bigint_ctx *ctx, char *buf, size_t cap, size_t *need, bool negative,
                                size_t digits, const uint64_t *words, unsigned k) {
    const size_t total = negative + digits + 1;
    if (need != NULL) {
        *need = total;
    }
    const bigint_status status = bigint_check_capacity(ctx, who, "characters", cap, total);
    if (status == BIGINT_OK) {
        if (negative) {
            *buf++ = '-';
        }
        decimal_digits_write(buf, digits, words, k);
        buf[digits] = '\0';
    }
    return status;
}

// multiply: of two numbers that are not 0. The product of m and n digits has m + n or m + n - 1.
static bigint_status multiply(bigint_ctx *ctx, char *buf, size_t cap, size_t *need,
                              const decimal_text *a, const decimal_text *b, size_t *bad_at) {
    const bool negative = a->negative != b->negative;
    const size_t most = a->count + b->count;
    mul_plan plan;
    if (cap < negative + most) {  // too small for m + n - 1 digits and the NUL
        if (need != NULL) {
            *need = negative + most + 1;
        }
        return bigint_check_capacity(ctx, who, "characters", cap, negative + most + 1);
    }
    if (a->digits == b->digits && a->count == b->count) {
        b = a;  // a square, with any signs
    }
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
        status =
            write_text(ctx, buf, cap, need, negative, top == 0 ? most - 1 : most, words, plan.k);
    }
    arena_release(ctx, mark);
    return status;
}

bigint_status bigint_mul_decimal(bigint_ctx *ctx, char *buf, size_t cap, size_t *need,
                                 const char *a, size_t a_length, const char *b, size_t b_length,
                                 size_t *bad_at) {
    decimal_text x, y;
    bigint_status status = bigint_check_places(ctx, who, NULL, NULL, NULL);
    if (status == BIGINT_OK) {
        status = bigint_check_on_host(ctx, who, "which takes the same texts");
    }
    if (status == BIGINT_OK) {
        status = bigint_check_product_size(ctx, who, word_ceil_div(a_length, DECIMAL_WORD_DIGITS),
                                           word_ceil_div(b_length, DECIMAL_WORD_DIGITS));
    }
    if (status == BIGINT_OK) {
        status = read_sign(ctx, &x, a, a_length, 0, bad_at);
    }
    if (status == BIGINT_OK) {
        status = read_sign(ctx, &y, b, b_length, a_length, bad_at);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    if (x.count > 0 && y.count > 0) {
        return multiply(ctx, buf, cap, need, &x, &y, bad_at);
    }
    // 0 times something: the something still has to be a number
    const decimal_text *const other = x.count > 0 ? &x : &y;
    for (size_t i = 0; i < other->count; i++) {
        if (other->digits[i] < '0' || other->digits[i] > '9') {
            return bad_text(ctx, bad_at, other->at + i, "a character that is no digit");
        }
    }
    const uint64_t zero = 0;
    return write_text(ctx, buf, cap, need, false, 1, &zero, 1);
}
