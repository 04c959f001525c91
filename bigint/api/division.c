// division.c: bigint_divrem, bigint_divexact, bigint_sqrt and bigint_root. The context's place
// decides.
#include "bigint/core/context.h"
#include "bigint/core/integer.h"
#include "bigint/device/divide/quotient.h"
#include "bigint/device/divide/root.h"
#include "bigint/divide/divrem.h"
#include "bigint/divide/root.h"

bigint_status bigint_divrem(bigint_ctx *ctx, bigint *q, bigint *r, const bigint *a,
                            const bigint *d) {
    if (!context_on_device(ctx)) {
        return divrem_integers(ctx, q, r, a, d);
    }
    const bigint_status status = divrem_check(ctx, q, r, a, d);
    return status == BIGINT_OK ? device_divrem(ctx, q, r, a, d) : status;
}

bigint_status bigint_divexact(bigint_ctx *ctx, bigint *q, const bigint *a, const bigint *d) {
    const char *who = "bigint_divexact";
    if (!context_on_device(ctx)) {
        return divexact_integers(ctx, who, q, a, d);
    }
    const bigint_status status = divrem_check(ctx, q, NULL, a, d);
    return status == BIGINT_OK ? device_divexact(ctx, who, q, a, d) : status;
}

// device_root: roots that are built there, those of degree 2.
static bigint_status device_root(bigint_ctx *ctx, const char *who, bigint *s, bigint *r,
                                 const bigint *a, uint64_t k) {
    bigint_status status = root_check(ctx, who, s, r, a, k);
    if (status == BIGINT_OK && k != 2) {
        status = bigint_check_on_host(ctx, who, BIGINT_MOVE_TO_HOST);
    }
    return status == BIGINT_OK ? device_sqrt(ctx, who, s, r, a) : status;
}

bigint_status bigint_sqrt(bigint_ctx *ctx, bigint *s, bigint *r, const bigint *a) {
    const char *who = "bigint_sqrt";
    return context_on_device(ctx) ? device_root(ctx, who, s, r, a, 2)
                                  : root_integers(ctx, who, s, r, a, 2);
}

bigint_status bigint_root(bigint_ctx *ctx, bigint *s, bigint *r, const bigint *a, uint64_t k) {
    const char *who = "bigint_root";
    return context_on_device(ctx) ? device_root(ctx, who, s, r, a, k)
                                  : root_integers(ctx, who, s, r, a, k);
}
