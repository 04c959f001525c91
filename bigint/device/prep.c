// prep.c: prepared operands on a device: the limbs, and the transform shared by products with
// operands of a range of lengths.
#include "bigint/device/prep.h"

#include <assert.h>
#include <stdio.h>

#include "bigint/core/arena.h"
#include "bigint/core/device_integer.h"
#include "bigint/core/device_memory.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/plan.h"
#include "bigint/device/product.h"
#include "bigint/device/tables.h"

// planes_plan: whether an operand of bn limbs has a transform for others of up to max_other, and
// the plan.
static bool planes_plan(const bigint_ctx *ctx, device_plan *plan, uint64_t bn, uint64_t max_other) {
    return bn > 0 && max_other > 0 && device_plan_whole(ctx, plan, max_other, bn, false, true);
}

// make_planes: the transform of prep->a, where a plan for it keeps to the cap.
static bigint_status make_planes(bigint_ctx *ctx, const char *who, device_prep *prep) {
    device_plan plan;
    if (!planes_plan(ctx, &plan, prep->a.n_, prep->max_other)) {
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

// pays: whether two transforms of the prepared length are faster than three of the length that n
// limbs need, or than parts; never faster than one launch, whose plan has no planes.
static bool pays(const bigint_ctx *ctx, const device_plan *prepared, uint64_t n) {
    device_plan plain;
    return !device_plan_whole(ctx, &plain, n, prepared->bn, false, false) ||
           2 * device_planes_bytes(prepared) <= 3 * device_planes_bytes(&plain);
}

bigint_status device_mul_prep(bigint_ctx *ctx, const char *who, bigint *r, const device_prep *a,
                              const bigint *b) {
    assert(b->n_ <= a->max_other);
    device_plan plan;
    device_work run;
    if (a->planes == NULL || b->n_ == 0 || !planes_plan(ctx, &plan, a->a.n_, a->max_other) ||
        !pays(ctx, &plan, b->n_)) {
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

// --- Plans ---------------------------------------------------------------------------------------

void device_prep_need(work_need *w, uint64_t bn, uint64_t max_other) {
    device_plan plan;
    if (planes_plan(w->ctx, &plan, bn, max_other)) {
        device_plan_need(w, &plan);
    }
}

// An operand may have been prepared by a context without room for its transform.
void device_mul_prep_need(work_need *w, uint64_t an, uint64_t bn, uint64_t max_other) {
    device_prep_need(w, bn, max_other);
    if (an > 0 && bn > 0) {
        device_mul_need(w, an, bn, false);
    }
}

int device_prep_print(bigint_ctx *ctx, char *buf, size_t cap, uint64_t an, uint64_t bn,
                      uint64_t max_other) {
    device_plan plan;
    const bool kept = planes_plan(ctx, &plan, bn, max_other);
    return snprintf(
        buf, cap, "operand of %llu limbs %s for others of up to %llu: %s", (unsigned long long)bn,
        kept ? "kept as a modular transform" : "copied", (unsigned long long)max_other,
        kept && an > 0 && pays(ctx, &plan, an) ? "by its transform" : "a product of its own");
}
