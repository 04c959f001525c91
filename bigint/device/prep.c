// prep.c: prepared operands on a device: the limbs, and the transform shared by products with
// operands of a range of lengths.
#include "bigint/device/prep.h"

#include <assert.h>

#include "bigint/core/arena.h"
#include "bigint/core/device_integer.h"
#include "bigint/core/device_memory.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/plan.h"
#include "bigint/device/product.h"
#include "bigint/device/tables.h"

// make_planes: the transform of prep->a, where a plan for it keeps to the cap.
static bigint_status make_planes(bigint_ctx *ctx, const char *who, device_prep *prep) {
    device_plan plan;
    if (prep->a.n_ == 0 || prep->max_other == 0 ||
        !device_plan_whole(ctx, &plan, prep->max_other, prep->a.n_, false, true)) {
        return BIGINT_OK;
    }
    const uint64_t bytes = device_planes_bytes(&plan);
    prep->planes = device_allocate(ctx, bytes);
    if (prep->planes == NULL) {
        return ctx->failed != BIGINT_OK
                   ? ctx->failed
                   : bigint_fail(ctx, BIGINT_ENOMEM,
                                 "%s: no memory on device %d for %llu bytes: an operand of %llu "
                                 "limbs prepared for others of up to %llu; clear others, or move "
                                 "them to the host",
                                 who, ctx->device.place, (unsigned long long)bytes,
                                 (unsigned long long)prep->a.n_,
                                 (unsigned long long)prep->max_other);
    }
    return device_fill_planes(ctx, who, &plan, prep->planes, device_number(&prep->a));
}

bigint_status device_prep_make(bigint_ctx *ctx, const char *who, device_prep *prep, const bigint *a,
                               uint64_t max_other) {
    *prep = (device_prep){.a = BIGINT_INIT, .max_other = max_other};
    bigint_status status = device_copy(ctx, who, &prep->a, a, LIMBS_SIGN_KEEP);
    if (status == BIGINT_OK) {
        status = make_planes(ctx, who, prep);
    }
    if (status == BIGINT_OK) {
        status = device_enter(ctx, who);
        if (status == BIGINT_OK) {
            status = device_wait(ctx, who);
            device_leave(ctx);
        }
    }
    if (status != BIGINT_OK) {
        device_prep_free(ctx, prep);
    }
    return status;
}

void device_prep_free(bigint_ctx *ctx, device_prep *prep) {
    device_clear(ctx, &prep->a);
    if (prep->planes != NULL) {
        device_release(ctx, MEMORY_DEVICE, prep->planes);
        prep->planes = NULL;
    }
}

// pays: whether two transforms of the prepared length are faster than three of the length that b
// needs, or than parts; never faster than one launch, whose plan has no planes.
static bool pays(const bigint_ctx *ctx, const device_plan *prepared, const bigint *b) {
    device_plan plain;
    return !device_plan_whole(ctx, &plain, b->n_, prepared->bn, false, false) ||
           2 * device_planes_bytes(prepared) <= 3 * device_planes_bytes(&plain);
}

bigint_status device_mul_prep(bigint_ctx *ctx, const char *who, bigint *r, const device_prep *a,
                              const bigint *b) {
    assert(b->n_ <= a->max_other);
    device_plan plan;
    device_work run;
    if (a->planes == NULL || b->n_ == 0 ||
        !device_plan_whole(ctx, &plan, a->max_other, a->a.n_, false, true) ||
        !pays(ctx, &plan, b)) {
        return device_mul(ctx, who, r, &a->a, b);
    }
    bigint_status status = device_begin(&run, ctx, who, &plan);
    if (status != BIGINT_OK) {
        return status;
    }
    device_target target;
    status = device_target_open(ctx, who, r, device_bits(&a->a) + device_bits(b), &target);
    if (status == BIGINT_OK) {
        const result done = device_multiply(&run, target.p, target.n, target.p - 1,
                                            device_number(b), device_number(&a->a), a->planes);
        status = device_target_close(ctx, r, &target, device_status(ctx, who, done));
    }
    device_end(&run);
    return status;
}
