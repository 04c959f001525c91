// quotient_there.c: see quotient_there.h.
#include "bigint/word/quotient_there.h"

#include "bigint/core/arena.h"
#include "bigint/core/host_call.h"
#include "bigint/core/integer.h"
#include "bigint/core/place.h"

// low_word: *x = the lowest limb of |a|, 0 for 0, and a's sign. Waits.
static bigint_status low_word(bigint_ctx *ctx, const char *who, uint64_t *x, uint64_t *bits,
                              int *sign, const bigint *a) {
    bigint_status status = bigint_measure(ctx, who, bits, sign, a);
    *x = 0;
    return status == BIGINT_OK && *bits > 0 ? ctx->away->load(ctx, who, x, a, 1) : status;
}

// divide: *q = a / d rounded toward zero, unless q is NULL; a - q d = *sign *rest.
static bigint_status divide(bigint_ctx *ctx, const char *who, bigint *q, uint64_t *rest, int *sign,
                            const bigint *a, uint64_t d) {
    bigint word = BIGINT_INIT, left = BIGINT_INIT;
    uint64_t bits;
    bigint_status status;
    (void)((status = ctx->away->store(ctx, who, &word, &d, 1, 1)) ||
           (status = ctx->away->divrem(ctx, q, &left, a, &word)) ||
           (status = low_word(ctx, who, rest, &bits, sign, &left)));
    bigint_clear(ctx, &word);
    bigint_clear(ctx, &left);
    return status;
}

static bigint_status check(bigint_ctx *ctx, const char *who, const bigint *q, const bigint *a,
                           uint64_t d) {
    const bigint_status status = bigint_check_places(ctx, who, a, q, NULL);
    return status != BIGINT_OK || d != 0
               ? status
               : bigint_fail(ctx, BIGINT_EINVAL, "%s: the divisor is 0; test it before dividing",
                             who);
}

// by_host: the call of that rounding; *r keeps its value if q cannot be stored.
static bigint_status by_host(bigint_ctx *ctx, const char *who, bigint *q, uint64_t *r,
                             const bigint *a, uint64_t d, int away) {
    uint64_t rest = 0;
    host_call there;
    host_call_begin(&there, ctx, who, (host_operands){.r = {q}, .a = {a}});
    bigint *const to = there.r[0];
    const bigint *const x = there.a[0];
    const bigint_status status =
        host_call_end(&there, away < 0    ? bigint_fdiv_u64(ctx, to, &rest, x, d)
                              : away == 1 ? bigint_cdiv_u64(ctx, to, &rest, x, d)
                                          : bigint_tdiv_u64(ctx, to, &rest, x, d));
    if (status == BIGINT_OK && r != NULL) {
        *r = rest;
    }
    return status;
}

bigint_status word_divide_there(bigint_ctx *ctx, const char *who, bigint *q, uint64_t *r,
                                const bigint *a, uint64_t d, int away) {
    if (ctx->away->divrem == NULL) {
        return by_host(ctx, who, q, r, a, d, away);
    }
    bigint quotient = BIGINT_INIT, unit = BIGINT_INIT;
    bigint *const to = q == NULL ? NULL : &quotient;
    const uint64_t one = 1;
    uint64_t rest = 0;
    int sign = 0;
    bigint_status status = check(ctx, who, q, a, d);
    if (status == BIGINT_OK) {
        status = divide(ctx, who, to, &rest, &sign, a, d);
    }
    const bool up = rest != 0 && away == sign;
    if (status == BIGINT_OK && up && q != NULL) {
        status = ctx->away->store(ctx, who, &unit, &one, 1, sign);
        status = status == BIGINT_OK ? ctx->away->add(ctx, who, &quotient, &quotient, &unit, false)
                                     : status;
    }
    if (status == BIGINT_OK && q != NULL) {
        bigint_swap(q, &quotient);
    }
    if (status == BIGINT_OK && r != NULL) {
        *r = up ? d - rest : rest;
    }
    bigint_clear(ctx, &quotient);
    bigint_clear(ctx, &unit);
    return status;
}

bigint_status word_divexact_there(bigint_ctx *ctx, const char *who, bigint *q, const bigint *a,
                                  uint64_t d) {
    if (ctx->away->divrem == NULL) {
        host_call there;
        host_call_begin(&there, ctx, who, (host_operands){.r = {q}, .a = {a}});
        return host_call_end(&there, bigint_divexact_u64(ctx, there.r[0], there.a[0], d));
    }
    bigint quotient = BIGINT_INIT;
    uint64_t rest = 0;
    int sign;
    bigint_status status = check(ctx, who, q, a, d);
    if (status == BIGINT_OK) {
        status = divide(ctx, who, &quotient, &rest, &sign, a, d);
    }
    if (status == BIGINT_OK && rest != 0) {
        status = bigint_fail(ctx, BIGINT_EINVAL, "%s: %llu does not divide the number", who,
                             (unsigned long long)d);
    }
    if (status == BIGINT_OK) {
        bigint_swap(q, &quotient);
    }
    bigint_clear(ctx, &quotient);
    return status;
}

bigint_status word_congruent_there(bigint_ctx *ctx, const char *who, int *yes, const bigint *a,
                                   uint64_t b, uint64_t d) {
    if (ctx->away->divrem == NULL) {
        host_call there;
        host_call_begin(&there, ctx, who, (host_operands){.a = {a}});
        return host_call_end(&there, bigint_congruent_u64(ctx, yes, there.a[0], b, d));
    }
    uint64_t x = 0, bits = 0;
    int sign = 0;
    bigint_status status = bigint_check_places(ctx, who, a, NULL, NULL);
    if (status == BIGINT_OK) {
        status = d == 0 ? low_word(ctx, who, &x, &bits, &sign, a)
                        : divide(ctx, who, NULL, &x, &sign, a, d);
    }
    if (status == BIGINT_OK) {
        *yes =
            d == 0 ? bits <= 64 && x == b && sign >= 0 : (sign < 0 && x != 0 ? d - x : x) == b % d;
    }
    return status;
}
