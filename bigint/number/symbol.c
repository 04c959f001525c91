// symbol.c: the Kronecker symbol, from Jacobi's.
#include "bigint/core/host_call.h"
#include "bigint/gcd/gcd.h"
#include "bigint/gcd/plan.h"
#include "bigint/number/number.h"
#include "bigint/number/plan.h"

// odd_part: {*p, *n} = |b| / 2^twos, odd, b's own limbs for twos = 0. False without memory.
static bool odd_part(bigint_ctx *ctx, const char *who, const uint64_t **p, uint64_t *n,
                     const bigint *b, uint64_t twos) {
    const uint64_t limbs = twos / 64;
    *p = b->d_;
    *n = b->n_ - limbs;
    if (twos == 0) {
        return true;
    }
    uint64_t *const t = arena_take_limbs(ctx, who, *n);
    if (t != NULL) {
        limbs_rshift(t, b->d_ + limbs, *n, (unsigned)(twos % 64));
        *n = limbs_normalize(t, *n);
    }
    *p = t;
    return t != NULL;
}

// kronecker: for b not 0: (a / b) = (a / 2)^twos (sign of a / |b|') (|a| / |b|'), b' odd, and
// (a / -1) = -1 for a < 0.
static bigint_status kronecker(bigint_ctx *ctx, const char *who, int *symbol, const bigint *a,
                               const bigint *b) {
    const uint64_t low = a->n_ == 0 ? 0 : a->d_[0], twos = number_lowest_one(b);
    if (low % 2 == 0 && twos > 0) {
        *symbol = 0;
        return BIGINT_OK;
    }
    const arena_mark mark = arena_get_mark(ctx);
    const gcd_run run = gcd_begin(ctx, who);
    const uint64_t *p;
    uint64_t n;
    int jacobi = 0;
    bigint_status status = odd_part(ctx, who, &p, &n, b, twos)
                               ? gcd_jacobi(&run, &jacobi, a->d_, a->n_, p, n)
                               : BIGINT_ENOMEM;
    if (status == BIGINT_OK) {
        const bool of_two = twos % 2 != 0 && (low % 8 == 3 || low % 8 == 5);
        const bool of_sign = a->sign_ < 0 && (p[0] % 4 == 3) != (b->sign_ < 0);
        *symbol = of_two != of_sign ? -jacobi : jacobi;
    }
    arena_release(ctx, mark);
    return status;
}

void kronecker_need(work_need *w, uint64_t an, uint64_t bn) {
    const uint64_t in_use = w->host.in_use;
    need_take_limbs(&w->host, bn);
    gcd_limbs_need(w, an, bn);  // as gcd_jacobi
    need_release(&w->host, in_use);
}

bigint_status bigint_kronecker(bigint_ctx *ctx, int *symbol, const bigint *a, const bigint *b) {
    if (bigint_is_away(ctx)) {
        host_call there;
        host_call_begin(&there, ctx, "bigint_kronecker", (host_operands){.a = {a, b}});
        return host_call_end(&there, bigint_kronecker(ctx, symbol, there.a[0], there.a[1]));
    }
    const char *who = "bigint_kronecker";
    const bigint_status status = number_check(ctx, who, a, b, NULL);
    if (status != BIGINT_OK) {
        return status;
    }
    if (b->n_ == 0) {
        *symbol = a->n_ == 1 && a->d_[0] == 1;
        return BIGINT_OK;
    }
    return kronecker(ctx, who, symbol, a, b);
}
