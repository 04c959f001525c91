// device_sum.c: sums of products on a device, one product after the other. May include device.h.
#include "bigint/device.h"

// The sum grows in an integer of its own, so that r keeps its value until all of it is enqueued.
bigint_status resident_mul_sum(bigint_ctx *ctx, const char *who, bigint *r, const bigint *const *a,
                               const bigint *const *b, const int *signs, uint64_t count) {
    bigint sum = BIGINT_INIT, product = BIGINT_INIT;
    bigint_status status = BIGINT_OK;
    for (uint64_t i = 0; i < count && status == BIGINT_OK; i++) {
        const bool subtract = signs != NULL && signs[i] < 0;
        status = resident_mul(ctx, who, &product, a[i], b[i]);
        if (status == BIGINT_OK) {
            status = resident_add(ctx, who, &sum, &sum, &product, subtract);
        }
    }
    if (status == BIGINT_OK) {
        bigint_swap(r, &sum);
    }
    bigint_clear(ctx, &sum);
    bigint_clear(ctx, &product);
    return status;
}
