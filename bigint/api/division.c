// division.c: bigint_divrem. The context's place decides.
#include "bigint/core/context.h"
#include "bigint/device/divide/quotient.h"
#include "bigint/divide/divrem.h"

bigint_status bigint_divrem(bigint_ctx *ctx, bigint *q, bigint *r, const bigint *a,
                            const bigint *d) {
    if (!context_on_device(ctx)) {
        return divrem_integers(ctx, q, r, a, d);
    }
    const bigint_status status = divrem_check(ctx, q, r, a, d);
    return status == BIGINT_OK ? device_divrem(ctx, q, r, a, d) : status;
}
