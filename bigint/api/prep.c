// prep.c: prepared operands: created, multiplied by, destroyed.
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "bigint/core/integer.h"
#include "bigint/core/names.h"
#include "bigint/device/plan.h"
#include "bigint/device/prep.h"
#include "bigint/multiply/mul.h"
#include "bigint/multiply/operand.h"
#include "bigint/multiply/product.h"

// One allocation of `bytes`: this header, the operand's storage, the limbs. On a device only the
// header, of which place and `there` are used; on a group also, with a copy of the operand.
struct bigint_prep {
    uint64_t bytes, n, max_other_limbs;
    int sign;
    int place;
    device_prep there;
    bigint copy;
    variant_kind variant;  // whose order of points the transform has
    uint64_t *limbs;
    mul_operand *operand;
};

static uint64_t round_up_64(uint64_t bytes) { return (bytes + 63) / 64 * 64; }

// prep_memory: `bytes` of host memory for an operand of n limbs; NULL with the error recorded.
static bigint_prep *prep_memory(bigint_ctx *ctx, uint64_t bytes, uint64_t n, uint64_t max_other) {
    bigint_prep *prep = context_allocate(ctx, bytes);
    if (prep == NULL) {
        bigint_fail(ctx, BIGINT_ENOMEM,
                    "bigint_prep_create: no memory for %llu bytes: an operand of %llu limbs "
                    "prepared for others of up to %llu",
                    (unsigned long long)bytes, (unsigned long long)n,
                    (unsigned long long)max_other);
    }
    return prep;
}

static bigint_status prep_on_device(bigint_ctx *ctx, bigint_prep **out, const bigint *a,
                                    uint64_t max_other) {
    const char *who = "bigint_prep_create";
    device_plan plan;
    bigint_status status = device_plan_make(ctx, who, &plan, a->n_, max_other, false, false);
    if (status != BIGINT_OK) {
        return status;
    }
    bigint_prep *prep = prep_memory(ctx, sizeof *prep, a->n_, max_other);
    if (prep == NULL) {
        return BIGINT_ENOMEM;
    }
    *prep = (bigint_prep){
        .bytes = sizeof *prep, .max_other_limbs = max_other, .place = ctx->device.place};
    status = device_prep_make(ctx, who, &prep->there, a, max_other);
    if (status != BIGINT_OK) {
        context_release(ctx, prep, prep->bytes);
        return status;
    }
    *out = prep;
    return BIGINT_OK;
}

// prep_on_group: no transform is kept. The copy is complete, so that other contexts may use it.
static bigint_status prep_on_group(bigint_ctx *ctx, bigint_prep **out, const bigint *a,
                                   uint64_t max_other) {
    bigint_prep *prep = prep_memory(ctx, sizeof *prep, a->n_, max_other);
    if (prep == NULL) {
        return BIGINT_ENOMEM;
    }
    *prep = (bigint_prep){.bytes = sizeof *prep,
                          .max_other_limbs = max_other,
                          .place = ctx->device.place,
                          .copy = BIGINT_INIT};
    bigint_status status = bigint_set(ctx, &prep->copy, a);
    status = status == BIGINT_OK ? bigint_sync(ctx) : status;
    if (status != BIGINT_OK) {
        bigint_clear(ctx, &prep->copy);
        context_release(ctx, prep, prep->bytes);
        return status;
    }
    *out = prep;
    return BIGINT_OK;
}

static bigint_status prep_on_host(bigint_ctx *ctx, bigint_prep **out, const bigint *a,
                                  uint64_t max_other) {
    mul_plan plan;
    bigint_status status = mul_plan_make(ctx, "bigint_prep_create", &plan, a->n_, max_other, false);
    if (status != BIGINT_OK) {
        return status;
    }
    const uint64_t header = round_up_64(sizeof(bigint_prep));
    const uint64_t operand = round_up_64(mul_operand_bytes(ctx, a->n_, max_other));
    const uint64_t bytes = header + operand + a->n_ * sizeof(uint64_t);
    bigint_prep *prep = prep_memory(ctx, bytes, a->n_, max_other);
    if (prep == NULL) {
        return BIGINT_ENOMEM;
    }
    unsigned char *const memory = (unsigned char *)prep;
    *prep = (bigint_prep){.bytes = bytes,
                          .n = a->n_,
                          .max_other_limbs = max_other,
                          .sign = a->sign_,
                          .place = ctx->device.place,
                          .variant = ctx->variant,
                          .limbs = (uint64_t *)(memory + header + operand),
                          .operand = (mul_operand *)(memory + header)};
    if (a->n_ > 0) {
        memcpy(prep->limbs, a->d_, a->n_ * sizeof(uint64_t));
        status = mul_operand_init(ctx, prep->operand, prep->limbs, prep->n, max_other);
    }
    if (status != BIGINT_OK) {
        context_release(ctx, memory, bytes);
        return status;
    }
    *out = prep;
    return BIGINT_OK;
}

bigint_status bigint_prep_create(bigint_ctx *ctx, bigint_prep **out, const bigint *a,
                                 uint64_t max_other_limbs) {
    *out = NULL;
    const bigint_status status = bigint_check_places(ctx, "bigint_prep_create", a, NULL, NULL);
    return status != BIGINT_OK      ? status
           : context_on_group(ctx)  ? prep_on_group(ctx, out, a, max_other_limbs)
           : context_on_device(ctx) ? prep_on_device(ctx, out, a, max_other_limbs)
                                    : prep_on_host(ctx, out, a, max_other_limbs);
}

bigint_status bigint_mul_prep(bigint_ctx *ctx, bigint *r, const bigint_prep *a, const bigint *b) {
    const bigint_status status = bigint_check_places(ctx, "bigint_mul_prep", r, b, NULL);
    if (status != BIGINT_OK) {
        return status;
    }
    if (a->place != ctx->device.place) {
        return bigint_fail(ctx, BIGINT_EPLACE,
                           "bigint_mul_prep: prepared on place %d, the context works on place %d",
                           a->place, ctx->device.place);
    }
    if (b->n_ > a->max_other_limbs) {
        return bigint_fail(
            ctx, BIGINT_ERANGE,
            "bigint_mul_prep: the other operand has %llu limbs, the operand was prepared for "
            "up to %llu",
            (unsigned long long)b->n_, (unsigned long long)a->max_other_limbs);
    }
    if (context_on_group(ctx)) {
        return bigint_mul(ctx, r, &a->copy, b);
    }
    if (context_on_device(ctx)) {
        return device_mul_prep(ctx, "bigint_mul_prep", r, &a->there, b);
    }
    const mul_operand *prepared = a->variant == ctx->variant ? a->operand : NULL;
    return mul_product(ctx, "bigint_mul_prep", r, b,
                       (mul_factor){a->limbs, a->n, a->sign, prepared});
}

void bigint_prep_destroy(bigint_ctx *ctx, bigint_prep *prep) {
    if (prep == NULL) {
        return;
    }
    if (prep->place >= 0 || prep->place == BIGINT_GROUP) {
        if (prep->place != ctx->device.place) {
            bigint_fail(ctx, BIGINT_EPLACE,
                        "bigint_prep_destroy: prepared on place %d, the context works on place %d; "
                        "use a context of that place",
                        prep->place, ctx->device.place);
            return;  // this context cannot free memory of another place
        }
        if (prep->place == BIGINT_GROUP) {
            bigint_clear(ctx, &prep->copy);
            if (prep->copy.d_ != NULL) {
                return;  // another group's, as the context's error says
            }
        } else {
            device_prep_free(ctx, &prep->there);
        }
    }
    context_release(ctx, prep, prep->bytes);
}
