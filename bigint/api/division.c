// division.c: bigint_divrem, bigint_divexact, bigint_sqrt and bigint_root. The context's place
// decides. A group gathers the operands of bigint_divrem on the host.
#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "bigint/core/integer.h"
#include "bigint/device/divide/quotient.h"
#include "bigint/device/divide/root.h"
#include "bigint/device/roots/root.h"
#include "bigint/divide/divrem.h"
#include "bigint/divide/root.h"
#include "bigint/divide/rsqrt.h"
#include "primitives/words/word.h"

static const char divrem_who[] = "bigint_divrem";

// gathered: an integer in host memory.
typedef struct {
    const uint64_t *p;
    uint64_t n;
    int sign;
} gathered;

static bigint_status gather(bigint_ctx *ctx, gathered *x, const bigint *a) {
    uint64_t bits;
    bigint_status status = bigint_measure(ctx, divrem_who, &bits, &x->sign, a);
    x->n = status == BIGINT_OK ? word_ceil_div(bits, 64) : 0;
    x->p = x->n > 0 ? bigint_view(ctx, divrem_who, a, x->n, &status) : NULL;
    return status;
}

// store_both: q and r, unless NULL, become these: new integers first, so that both change or none.
static bigint_status store_both(bigint_ctx *ctx, bigint *q, const gathered *qv, bigint *r,
                                const gathered *rv) {
    bigint fresh[2] = {BIGINT_INIT, BIGINT_INIT};
    bigint_status status = bigint_store(ctx, divrem_who, &fresh[0], qv->p, qv->n, qv->sign);
    status = status == BIGINT_OK ? bigint_store(ctx, divrem_who, &fresh[1], rv->p, rv->n, rv->sign)
                                 : status;
    if (status == BIGINT_OK && q != NULL) {
        bigint_swap(q, &fresh[0]);
    }
    if (status == BIGINT_OK && r != NULL) {
        bigint_swap(r, &fresh[1]);
    }
    bigint_clear(ctx, &fresh[0]);
    bigint_clear(ctx, &fresh[1]);
    return status;
}

static bigint_status on_group(bigint_ctx *ctx, bigint *q, bigint *r, const bigint *a,
                              const bigint *d) {
    gathered x, y;
    const arena_mark mark = arena_get_mark(ctx);
    bigint_status status = gather(ctx, &x, a);
    status = status == BIGINT_OK ? gather(ctx, &y, d) : status;
    if (status == BIGINT_OK && y.n == 0) {
        status = divrem_by_zero(ctx);
    }
    if (status == BIGINT_OK && x.n >= y.n) {
        const uint64_t qn = x.n - y.n + 1;
        uint64_t *const qp = arena_take_limbs(ctx, divrem_who, qn);
        uint64_t *const rp = qp == NULL ? NULL : arena_take_limbs(ctx, divrem_who, y.n);
        status = rp == NULL ? BIGINT_ENOMEM : bigint_divrem_limbs(ctx, qp, rp, x.p, x.n, y.p, y.n);
        const gathered qv = {qp, qn, x.sign * y.sign}, rv = {rp, y.n, x.sign};
        status = status == BIGINT_OK ? store_both(ctx, q, &qv, r, &rv) : status;
    } else if (status == BIGINT_OK) {
        const gathered zero = {NULL, 0, 0};
        status = store_both(ctx, q, &zero, r, &x);
    }
    arena_release(ctx, mark);
    return status;
}

bigint_status bigint_divrem(bigint_ctx *ctx, bigint *q, bigint *r, const bigint *a,
                            const bigint *d) {
    if (ctx->away == NULL) {
        return divrem_integers(ctx, q, r, a, d);
    }
    const bigint_status status = divrem_check(ctx, q, r, a, d);
    return status != BIGINT_OK      ? status
           : context_on_device(ctx) ? device_divrem(ctx, q, r, a, d)
                                    : on_group(ctx, q, r, a, d);
}

bigint_status bigint_divexact(bigint_ctx *ctx, bigint *q, const bigint *a, const bigint *d) {
    const char *who = "bigint_divexact";
    if (ctx->away == NULL) {
        return divexact_integers(ctx, who, q, a, d);
    }
    bigint_status status = divrem_check(ctx, q, NULL, a, d);
    if (status == BIGINT_OK && context_on_group(ctx)) {
        status = bigint_check_on_host(ctx, who, BIGINT_MOVE_TO_HOST);
    }
    return status == BIGINT_OK ? device_divexact(ctx, who, q, a, d) : status;
}

// root_away: on devices.
static bigint_status root_away(bigint_ctx *ctx, const char *who, bigint *s, bigint *r,
                               const bigint *a, uint64_t k) {
    bigint_status status = root_check(ctx, who, s, r, a, k);
    if (status == BIGINT_OK && context_on_group(ctx)) {
        status = bigint_check_on_host(ctx, who, BIGINT_MOVE_TO_HOST);
    }
    return status == BIGINT_OK ? device_root(ctx, who, s, r, a, k) : status;
}

bigint_status bigint_sqrt(bigint_ctx *ctx, bigint *s, bigint *r, const bigint *a) {
    const char *who = "bigint_sqrt";
    return ctx->away != NULL ? root_away(ctx, who, s, r, a, 2)
                             : root_integers(ctx, who, s, r, a, 2);
}

bigint_status bigint_root(bigint_ctx *ctx, bigint *s, bigint *r, const bigint *a, uint64_t k) {
    const char *who = "bigint_root";
    return ctx->away != NULL ? root_away(ctx, who, s, r, a, k)
                             : root_integers(ctx, who, s, r, a, k);
}

bigint_status bigint_rsqrt_fixed(bigint_ctx *ctx, bigint *r, const bigint *a, uint64_t bits) {
    const char *who = "bigint_rsqrt_fixed";
    if (ctx->away == NULL) {
        return rsqrt_integers(ctx, who, r, a, bits);
    }
    bigint_status status = rsqrt_check(ctx, who, r, a);
    if (status == BIGINT_OK && context_on_group(ctx)) {
        status = bigint_check_on_host(ctx, who, BIGINT_MOVE_TO_HOST);
    }
    return status == BIGINT_OK ? device_rsqrt(ctx, who, r, a, bits) : status;
}
