// product_roundoff.c: see product_roundoff.h.
#include "bench/mul/product_roundoff.h"

#include <stddef.h>

#include "bench/mul/product_gmp.h"
#include "bigint/device/device.h"
#include "bigint/multiply/float.h"
#include "tests/support/device.h"

product_roundoff product_roundoff_of(bigint_ctx *ctx, bigint *r, const bigint *a, const bigint *b) {
    const uint64_t n = bigint_limbs_bound(a), bits = 64 * n;
    device_plan plan;
    if (!device_plan_whole(ctx, &plan, n, bigint_limbs_bound(b), a == b, false) ||
        !mul_float_engine(plan.engine)) {
        return (product_roundoff){0, 0};
    }
    product_roundoff found = {0, device_float_bound(&plan.floats)};
    double *const kept = device_alloc(sizeof *kept);
    if (kept == NULL || !device_fill(kept, 0, sizeof *kept)) {
        product_stop("no memory on the device", bits);
    }
    ctx->queue.roundoff = kept;
    if (bigint_mul(ctx, r, a, b) != BIGINT_OK || bigint_sync(ctx) != BIGINT_OK) {
        product_stop(bigint_ctx_error(ctx), bits);
    }
    ctx->queue.roundoff = NULL;
    if (!device_download(&found.observed, kept, sizeof found.observed)) {
        product_stop("no download", bits);
    }
    device_free(kept);
    if (!(found.observed < found.bound)) {
        product_stop("coefficients are further from integers than is proved", bits);
    }
    return found;
}
