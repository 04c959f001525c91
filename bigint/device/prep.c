// prep.c: prepared operands on a device: limbs, and the transform that products with others
// of a range of lengths share. May include device.h.
#include <assert.h>

#include "bigint/device/device.h"

static uint64_t planes_bytes(const resident_plan *plan) {
    return plan->modular.primes * resident_plane(plan) * sizeof(double);
}

// make_planes: the transform of prep->a, where a plan for it keeps to the cap.
static bigint_status make_planes(bigint_ctx *ctx, const char *who, resident_prep *prep) {
    resident_plan plan;
    if (prep->a.n_ == 0 || prep->max_other == 0 ||
        !resident_plan_whole(ctx, &plan, prep->max_other, prep->a.n_, false, true)) {
        return BIGINT_OK;
    }
    prep->planes = queue_allocate(ctx, MEMORY_DEVICE, planes_bytes(&plan));
    if (prep->planes == NULL) {
        return ctx->failed != BIGINT_OK
                   ? ctx->failed
                   : bigint_fail(ctx, BIGINT_ENOMEM,
                                 "%s: no memory on device %d for %llu bytes: an operand of %llu "
                                 "limbs prepared for others of up to %llu; clear others, or move "
                                 "them to the host",
                                 who, ctx->device.place, (unsigned long long)planes_bytes(&plan),
                                 (unsigned long long)prep->a.n_,
                                 (unsigned long long)prep->max_other);
    }
    bigint_status status = queue_enter(ctx, who);
    if (status != BIGINT_OK) {
        return status;
    }
    status = resident_tables_need(ctx, who, &plan);
    if (status == BIGINT_OK) {
        const limbs_device_number a = resident_number(&prep->a);
        status = queue_check(ctx, who, resident_transform(ctx, &plan, prep->planes, a));
    }
    queue_leave(ctx);
    return status;
}

bigint_status resident_prep_make(bigint_ctx *ctx, const char *who, resident_prep *prep,
                                 const bigint *a, uint64_t max_other) {
    *prep = (resident_prep){.a = BIGINT_INIT, .max_other = max_other};
    bigint_status status = resident_copy(ctx, who, &prep->a, a, LIMBS_SIGN_KEEP);
    if (status == BIGINT_OK) {
        status = make_planes(ctx, who, prep);
    }
    if (status == BIGINT_OK) {
        status = queue_enter(ctx, who);
        if (status == BIGINT_OK) {
            status = queue_wait(ctx, who);
            queue_leave(ctx);
        }
    }
    if (status != BIGINT_OK) {
        resident_prep_free(ctx, prep);
    }
    return status;
}

void resident_prep_free(bigint_ctx *ctx, resident_prep *prep) {
    resident_release(ctx, &prep->a);
    if (prep->planes != NULL) {
        queue_release(ctx, MEMORY_DEVICE, prep->planes);
        prep->planes = NULL;
    }
}

// pays: two transforms of the prepared length against three of the length that b needs, or parts;
// never against one launch, whose plan has no planes.
static bool pays(const bigint_ctx *ctx, const resident_plan *prepared, const bigint *b) {
    resident_plan plain;
    return !resident_plan_whole(ctx, &plain, b->n_, prepared->bn, false, false) ||
           2 * planes_bytes(prepared) <= 3 * planes_bytes(&plain);
}

bigint_status resident_mul_prep(bigint_ctx *ctx, const char *who, bigint *r, const resident_prep *a,
                                const bigint *b) {
    assert(b->n_ <= a->max_other);
    resident_plan plan;
    resident_run run;
    if (a->planes == NULL || b->n_ == 0 ||
        !resident_plan_whole(ctx, &plan, a->max_other, a->a.n_, false, true) ||
        !pays(ctx, &plan, b)) {
        return resident_mul(ctx, who, r, &a->a, b);
    }
    bigint_status status = resident_begin(&run, ctx, who, &plan);
    if (status != BIGINT_OK) {
        return status;
    }
    resident_target target;
    status = resident_open(ctx, who, r, resident_bits(&a->a) + resident_bits(b), &target);
    if (status == BIGINT_OK) {
        const result done =
            resident_multiply(&run, target.p, target.n, target.p - 1, resident_number(b),
                              resident_number(&a->a), a->planes);
        status = resident_close(ctx, r, &target, queue_check(ctx, who, done));
    }
    resident_end(&run);
    return status;
}
