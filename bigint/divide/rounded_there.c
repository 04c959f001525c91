// rounded_there.c: see rounded.h.
#include "bigint/core/host_call.h"
#include "bigint/core/integer.h"
#include "bigint/core/limbs.h"
#include "bigint/core/place.h"
#include "bigint/divide/rounded.h"

bigint_status rounded_check(bigint_ctx *ctx, const char *who, const bigint *q, const bigint *r,
                            const bigint *a, const bigint *d) {
    if (d->n_ != 0 && q != r && bigint_all_on_host(ctx, a, d, q == NULL ? d : q) &&
        bigint_has_room(r, 0)) {
        return BIGINT_OK;
    }
    bigint_status status = bigint_check_places(ctx, who, a, d, q);
    if (status == BIGINT_OK) {
        status = bigint_check_places(ctx, who, r, NULL, NULL);
    }
    if (status == BIGINT_OK && d->n_ == 0) {
        status =
            bigint_fail(ctx, BIGINT_EINVAL, "%s: the divisor is 0; test it before dividing", who);
    }
    if (status == BIGINT_OK && q != NULL && q == r) {
        status =
            bigint_fail(ctx, BIGINT_EINVAL,
                        "%s: quotient and remainder are the same integer; give two, or NULL", who);
    }
    return status;
}

// add_unit: x = x + sign.
static bigint_status add_unit(bigint_ctx *ctx, const char *who, bigint *x, int sign) {
    const uint64_t one = 1;
    bigint unit = BIGINT_INIT;
    bigint_status status = ctx->away->store(ctx, who, &unit, &one, 1, sign);
    if (status == BIGINT_OK) {
        status = ctx->away->add(ctx, who, x, x, &unit, false);
    }
    bigint_clear(ctx, &unit);
    return status;
}

// correct turns the q and r of a division rounded toward zero into the q and r of another
// rounding. It waits for the signs of r and d.
static bigint_status correct(bigint_ctx *ctx, const char *who, bigint *q, bigint *r,
                             const bigint *d, int step) {
    uint64_t bits;
    int r_sign = 0, d_sign = 0;
    bigint_status status = bigint_measure(ctx, who, &bits, &r_sign, r);
    if (status == BIGINT_OK && r_sign != 0) {
        status = bigint_measure(ctx, who, &bits, &d_sign, d);
    }
    step = step == ROUNDED_BY_SIGN ? -d_sign : step;
    if (status != BIGINT_OK || r_sign * d_sign != step || r_sign == 0) {
        return status;
    }
    status = ctx->away->add(ctx, who, r, r, d, step > 0);  // r - step d
    return status == BIGINT_OK && q != NULL ? add_unit(ctx, who, q, step) : status;
}

bigint_status rounded_there(bigint_ctx *ctx, const char *who, bigint *q, bigint *r, const bigint *a,
                            const bigint *d, int step) {
    if (ctx->away->divrem == NULL) {
        host_call there;
        host_call_begin(&there, ctx, who, (host_operands){.r = {q, r}, .a = {a, d}});
        bigint *const to_q = there.r[0], *const to_r = there.r[1];
        const bigint *const x = there.a[0], *const y = there.a[1];
        return host_call_end(&there, step == ROUNDED_BY_SIGN ? bigint_mod(ctx, to_r, x, y)
                                     : step < 0              ? bigint_fdiv(ctx, to_q, to_r, x, y)
                                                             : bigint_cdiv(ctx, to_q, to_r, x, y));
    }
    bigint quotient = BIGINT_INIT, rest = BIGINT_INIT;
    bigint *const to = q == NULL ? NULL : &quotient;
    bigint_status status = rounded_check(ctx, who, q, r, a, d);
    if (status == BIGINT_OK) {
        status = ctx->away->divrem(ctx, to, &rest, a, d);
    }
    if (status == BIGINT_OK) {
        status = correct(ctx, who, to, &rest, d, step);
    }
    if (status == BIGINT_OK && q != NULL) {
        bigint_swap(q, &quotient);
    }
    if (status == BIGINT_OK && r != NULL) {
        bigint_swap(r, &rest);
    }
    bigint_clear(ctx, &quotient);
    bigint_clear(ctx, &rest);
    return status;
}

bigint_status divisible_there(bigint_ctx *ctx, const char *who, int *yes, const bigint *a,
                              const bigint *d) {
    if (ctx->away->divrem == NULL) {
        host_call there;
        host_call_begin(&there, ctx, who, (host_operands){.a = {a, d}});
        return host_call_end(&there, bigint_divisible(ctx, yes, there.a[0], there.a[1]));
    }
    bigint rest = BIGINT_INIT;
    uint64_t bits = 0;
    int sign;
    bigint_status status = bigint_check_places(ctx, who, a, NULL, NULL);
    if (status == BIGINT_OK) {
        status = bigint_measure(ctx, who, &bits, &sign, d);
    }
    if (status == BIGINT_OK && bits > 0) {
        status = ctx->away->divrem(ctx, NULL, &rest, a, d);
    }
    if (status == BIGINT_OK) {  // 0 divides 0 alone
        status = bigint_measure(ctx, who, &bits, &sign, bits > 0 ? &rest : a);
    }
    if (status == BIGINT_OK) {
        *yes = bits == 0;
    }
    bigint_clear(ctx, &rest);
    return status;
}

bigint_status congruent_there(bigint_ctx *ctx, const char *who, int *yes, const bigint *a,
                              const bigint *b, const bigint *d) {
    bigint difference = BIGINT_INIT;
    bigint_status status = bigint_check_places(ctx, who, a, b, d);
    if (status == BIGINT_OK) {
        status = ctx->away->add(ctx, who, &difference, a, b, true);
    }
    if (status == BIGINT_OK) {
        status = divisible_there(ctx, who, yes, &difference, d);
    }
    bigint_clear(ctx, &difference);
    return status;
}
