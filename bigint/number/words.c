// words.c: number theory with a word in place of an integer.
#include "bigint/core/host_call.h"
#include "bigint/number/number.h"

// word: a word that can be read as an integer.
typedef struct {
    uint64_t limb;
    int sign;
} word;

static word word_of_u64(uint64_t value) { return (word){value, value != 0}; }

static word word_of_i64(int64_t value) {
    return value < 0 ? (word){0 - (uint64_t)value, -1} : word_of_u64((uint64_t)value);
}

// view: the integer lives as long as *w, and is not changed.
static bigint view(word *w) {
    return (bigint){.d_ = &w->limb, .n_ = w->sign != 0, .cap_ = 1, .sign_ = w->sign};
}

// kronecker: *symbol = (x / w), or (w / x) if the word is above.
static bigint_status kronecker(bigint_ctx *ctx, const char *who, int *symbol, const bigint *x,
                               word w, bool above) {
    if (bigint_is_away(ctx)) {
        host_call there;
        host_call_begin(&there, ctx, who, (host_operands){.a = {x}});
        return host_call_end(&there, kronecker(ctx, who, symbol, there.a[0], w, above));
    }
    const bigint y = view(&w);
    const bigint_status status = number_check(ctx, who, x, NULL, NULL);
    return status != BIGINT_OK ? status
                               : bigint_kronecker(ctx, symbol, above ? &y : x, above ? x : &y);
}

bigint_status bigint_kronecker_u64(bigint_ctx *ctx, int *symbol, const bigint *a, uint64_t b) {
    return kronecker(ctx, "bigint_kronecker_u64", symbol, a, word_of_u64(b), false);
}

bigint_status bigint_kronecker_i64(bigint_ctx *ctx, int *symbol, const bigint *a, int64_t b) {
    return kronecker(ctx, "bigint_kronecker_i64", symbol, a, word_of_i64(b), false);
}

bigint_status bigint_u64_kronecker(bigint_ctx *ctx, int *symbol, uint64_t a, const bigint *b) {
    return kronecker(ctx, "bigint_u64_kronecker", symbol, b, word_of_u64(a), true);
}

bigint_status bigint_i64_kronecker(bigint_ctx *ctx, int *symbol, int64_t a, const bigint *b) {
    return kronecker(ctx, "bigint_i64_kronecker", symbol, b, word_of_i64(a), true);
}

bigint_status bigint_powm_u64(bigint_ctx *ctx, bigint *r, const bigint *base, uint64_t exponent,
                              const bigint *modulus) {
    if (ctx->away != NULL) {  // the exponent becomes an integer there
        bigint there = BIGINT_INIT;
        bigint_status status = bigint_set_u64(ctx, &there, exponent);
        status = status == BIGINT_OK ? bigint_powm(ctx, r, base, &there, modulus) : status;
        bigint_clear(ctx, &there);
        return status;
    }
    word w = word_of_u64(exponent);
    const bigint e = view(&w);
    const bigint_status status = number_check(ctx, "bigint_powm_u64", r, base, modulus);
    return status != BIGINT_OK ? status : bigint_powm(ctx, r, base, &e, modulus);
}

bigint_status bigint_lcm_u64(bigint_ctx *ctx, bigint *r, const bigint *a, uint64_t b) {
    if (bigint_is_away(ctx)) {
        host_call there;
        host_call_begin(&there, ctx, "bigint_lcm_u64", (host_operands){.r = {r}, .a = {a}});
        return host_call_end(&there, bigint_lcm_u64(ctx, there.r[0], there.a[0], b));
    }
    bigint_status status = number_check(ctx, "bigint_lcm_u64", r, a, NULL);
    uint64_t g = 1;
    if (status == BIGINT_OK && b != 0 && a->n_ != 0) {
        status = bigint_gcd_u64(ctx, &g, a, b);
    }
    if (status == BIGINT_OK) {
        status = bigint_mul_u64(ctx, r, a, b / g);
    }
    if (status == BIGINT_OK) {
        r->sign_ = r->n_ != 0;
    }
    return status;
}
