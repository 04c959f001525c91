// product.c: the public products of two integers: signs, zero, aliasing, and that a failure leaves
// the result as it was; prepared operands; what a product would do and cost. May include mul.h.
#include <stdio.h>
#include <string.h>

#include "bigint/device/device.h"
#include "bigint/multiply/mul.h"

// --- Product -------------------------------------------------------------------------------------

// factor: one operand of a product; prepared where it has been, else NULL.
typedef struct {
    const uint64_t *p;
    uint64_t n;
    int sign;
    const mul_operand *prepared;
} factor;

static bigint_status run(bigint_ctx *ctx, uint64_t *rp, const uint64_t *ap, uint64_t an, factor b) {
    ctx->reports = true;
    const bigint_status status = b.prepared != NULL ? mul_operand_mul(ctx, rp, ap, an, b.prepared)
                                                    : bigint_mul_limbs(ctx, rp, ap, an, b.p, b.n);
    ctx->reports = false;
    return status;
}

// room_for_copy: whether the workspace of the product of a and b and a copy of n limbs fit under
// the cap together. (If the product alone does not, product_in_new says so.)
static bool room_for_copy(bigint_ctx *ctx, const char *who, uint64_t n, const bigint *a, factor b) {
    mul_plan plan;
    const bool square = a->d_ == b.p && a->n_ == b.n;  // whose plan may need more
    return mul_plan_make(ctx, who, &plan, a->n_, b.n, square) == BIGINT_OK &&
           mul_ready(ctx, who, &plan) == BIGINT_OK &&
           arena_make_room(ctx, &ctx->arena, arena_limbs_bytes(n) + plan.workspace_bytes);
}

// product_in_place: into r's own limbs, which have room. An operand that lives there is copied to
// the arena first, so that x = x y in a loop allocates nothing.
static bigint_status product_in_place(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                                      factor b) {
    const arena_mark mark = arena_get_mark(ctx);
    const uint64_t *ap = a->d_, an = a->n_;
    if (r->d_ == ap || r->d_ == b.p) {
        uint64_t *copy = arena_take(ctx, who, arena_limbs_bytes(r->n_));
        if (copy == NULL) {
            return BIGINT_ENOMEM;
        }
        memcpy(copy, r->d_, r->n_ * sizeof *copy);
        ap = r->d_ == ap ? copy : ap;
        b.p = r->d_ == b.p ? copy : b.p;
    }
    const bigint_status status = run(ctx, r->d_, ap, an, b);
    arena_release(ctx, mark);
    return status;
}

// product_in_new: into new limbs that replace r's at the end.
static bigint_status product_in_new(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                                    factor b) {
    bigint_status status;
    uint64_t cap, *rp = bigint_limbs_allocate(ctx, who, a->n_ + b.n, &cap, &status);
    if (rp == NULL) {
        return status;
    }
    status = run(ctx, rp, a->d_, a->n_, b);
    if (status == BIGINT_OK) {
        bigint_limbs_adopt(ctx, r, rp, cap);
    } else {
        bigint_limbs_release(ctx, rp, cap);
    }
    return status;
}

static bigint_status product(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                             factor b) {
    const uint64_t n = a->n_ + b.n;  // both at most BIGINT_MAX_LIMBS
    const int sign = a->sign_ * b.sign;
    if (sign == 0) {
        bigint_finish(r, 0, 0);
        return BIGINT_OK;
    }
    const bool aliased = r->d_ == a->d_ || r->d_ == b.p;
    if (n > r->cap_ || (aliased && !room_for_copy(ctx, who, r->n_, a, b))) {
        const bigint_status status = product_in_new(ctx, who, r, a, b);
        if (status == BIGINT_OK) {
            bigint_finish(r, n, sign);
        }
        return status;
    }
    const bigint_status status = product_in_place(ctx, who, r, a, b);
    if (status == BIGINT_OK || status == BIGINT_ECHECK) {
        bigint_finish(r, n, sign);  // after ECHECK the limbs are new, if wrong
    }
    return status;
}

// is_short: whether a and b live on the host, neither is 0, they are multiplied without a plan
// (mul_short_limbs), r has room for the product, and if it is an operand then a short one.
static inline bool is_short(const bigint_ctx *ctx, const bigint *r, const bigint *a,
                            const bigint *b) {
    const uint64_t shorter = a->n_ < b->n_ ? a->n_ : b->n_;
    return shorter - 1 < ctx->short_limbs && a->n_ + b->n_ <= r->cap_ &&
           (r->place_ | a->place_ | b->place_) == 0 &&
           (r->n_ <= SHORT_LIMBS_MOST || (r->d_ != a->d_ && r->d_ != b->d_));
}

// begin_short: sign and length of the product of a and b, either of which r may be; before its
// limbs, so that less is left to do after them. end_short: the length where the top limb is 0.
static inline void begin_short(bigint_ctx *ctx, bigint *r, const bigint *a, const bigint *b) {
    const int sign = a->sign_ * b->sign_;
    r->n_ = a->n_ + b->n_;
    r->sign_ = sign;
    ctx->counters.products++;
}

static inline bigint_status end_short(bigint *r) {
    r->n_ -= r->d_[r->n_ - 1] == 0;
    return BIGINT_OK;
}

// plain_product: the product of such operands, neither of which is r, without a check.
static inline bigint_status plain_product(bigint_ctx *ctx, bigint *r, const bigint *a,
                                          const bigint *b) {
    begin_short(ctx, r, a, b);
    mul_limbs_short(ctx->limbs, r->d_, a->d_, a->n_, b->d_, b->n_);
    return end_short(r);
}

// careful_product: of such operands, one of which may be r, which is copied first, with a check if
// the context has one.
static __attribute__((noinline)) bigint_status careful_product(bigint_ctx *ctx, bigint *r,
                                                               const bigint *a, const bigint *b) {
    uint64_t copy[SHORT_LIMBS_MOST];
    const uint64_t *ap = a->d_, *bp = b->d_, an = a->n_, bn = b->n_;
    const int sign = a->sign_ * b->sign_;
    if (r->d_ == ap || r->d_ == bp) {
        memcpy(copy, r->d_, r->n_ * sizeof *copy);
        ap = r->d_ == ap ? copy : ap;
        bp = r->d_ == bp ? copy : bp;
    }
    const bigint_status status = mul_short(ctx, r->d_, ap, an, bp, bn);
    bigint_finish(r, an + bn, sign);
    return status;
}

// any_product: bigint_mul with a plan.
static __attribute__((noinline)) bigint_status any_product(bigint_ctx *ctx, bigint *r,
                                                           const bigint *a, const bigint *b) {
    const bigint_status status = bigint_check_places(ctx, "bigint_mul", r, a, b);
    if (status == BIGINT_OK && context_on_device(ctx)) {
        return device_mul(ctx, "bigint_mul", r, a, b);
    }
    return status != BIGINT_OK
               ? status
               : product(ctx, "bigint_mul", r, a, (factor){b->d_, b->n_, b->sign_, NULL});
}

bigint_status bigint_mul(bigint_ctx *ctx, bigint *r, const bigint *a, const bigint *b) {
    if (!is_short(ctx, r, a, b)) {
        return any_product(ctx, r, a, b);
    }
    // One limb or two: a call costs most of the time, so there is none; r may be an operand.
    const uint64_t an = a->n_, bn = b->n_;
    const bool few = an <= 2 && an == bn;
    if (ctx->check_modulus != 0 || (!few && (r->d_ == a->d_ || r->d_ == b->d_))) {
        return careful_product(ctx, r, a, b);
    }
    if (!few) {
        return plain_product(ctx, r, a, b);
    }
    begin_short(ctx, r, a, b);
    if (an == 2) {
        limbs_mul_2(r->d_, a->d_, b->d_);
    } else {
        r->d_[0] = word_mul(&r->d_[1], a->d_[0], b->d_[0]);
    }
    return end_short(r);
}

bigint_status bigint_sqr(bigint_ctx *ctx, bigint *r, const bigint *a) {
    const uint64_t n = a->n_;
    if (n > LIMBS_SQUARES_UNROLLED || ctx->check_modulus != 0 || r->d_ == a->d_ ||
        !is_short(ctx, r, a, a)) {
        return bigint_mul(ctx, r, a, a);
    }
    begin_short(ctx, r, a, a);
    if (n < 4) {  // no call through a table
        limbs_sqr_unrolled(r->d_, a->d_, n);
    } else {
        ctx->limbs->sqr(r->d_, a->d_, n);
    }
    return end_short(r);
}

// --- Prepared operand ----------------------------------------------------------------------------

// One allocation of `bytes`: this header, the operand's storage, the limbs; on a device the header
// alone, which holds but place and `resident`.
struct bigint_prep {
    uint64_t bytes, n, max_other_limbs;
    int sign;
    int place;
    device_prep resident;
    const char *variant;  // whose order of points the transform has
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
    status = device_prep_make(ctx, who, &prep->resident, a, max_other);
    if (status != BIGINT_OK) {
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
    if (context_on_device(ctx)) {
        return device_mul_prep(ctx, "bigint_mul_prep", r, &a->resident, b);
    }
    const mul_operand *prepared = a->variant == ctx->variant ? a->operand : NULL;
    return product(ctx, "bigint_mul_prep", r, b, (factor){a->limbs, a->n, a->sign, prepared});
}

void bigint_prep_destroy(bigint_ctx *ctx, bigint_prep *prep) {
    if (prep == NULL) {
        return;
    }
    if (prep->place >= 0) {
        if (prep->place != ctx->device.place) {
            bigint_fail(ctx, BIGINT_EPLACE,
                        "bigint_prep_destroy: prepared on place %d, the context works on place %d; "
                        "use a context of that place",
                        prep->place, ctx->device.place);
            return;  // memory of another place is not this context's to free
        }
        device_prep_free(ctx, &prep->resident);
    }
    context_release(ctx, prep, prep->bytes);
}

// --- Looking inside ------------------------------------------------------------------------------

// write_line: the line that print_host or print_device makes, into the caller's buffer.
static bigint_status write_line(bigint_ctx *ctx, char *buf, size_t cap, size_t *need,
                                int (*print)(const bigint_ctx *ctx, const void *plan, char *buf,
                                             size_t cap),
                                const void *plan) {
    const size_t characters = (size_t)print(ctx, plan, NULL, 0) + 1;
    if (need != NULL) {
        *need = characters;
    }
    const bigint_status status =
        bigint_check_capacity(ctx, "bigint_explain", "characters", cap, characters);
    if (status == BIGINT_OK) {
        print(ctx, plan, buf, cap);
    }
    return status;
}

static int print_host(const bigint_ctx *ctx, const void *plan, char *buf, size_t cap) {
    return mul_plan_print(ctx, plan, buf, cap);
}

static int print_device(const bigint_ctx *ctx, const void *plan, char *buf, size_t cap) {
    return device_plan_print(ctx, plan, buf, cap);
}

bigint_status bigint_explain(bigint_ctx *ctx, char *buf, size_t cap, size_t *need, uint64_t an,
                             uint64_t bn) {
    const char *who = "bigint_explain";
    bigint_status status = bigint_check_places(ctx, who, NULL, NULL, NULL);
    if (status == BIGINT_OK && context_on_device(ctx)) {
        device_plan plan;
        status = device_plan_make(ctx, who, &plan, an, bn, false, false);
        return status == BIGINT_OK ? write_line(ctx, buf, cap, need, print_device, &plan) : status;
    }
    mul_plan plan;
    if (status == BIGINT_OK) {
        status = mul_plan_make(ctx, who, &plan, an, bn, false);
    }
    return status == BIGINT_OK ? write_line(ctx, buf, cap, need, print_host, &plan) : status;
}

bigint_status bigint_workspace_bytes(bigint_ctx *ctx, uint64_t *bytes, uint64_t an, uint64_t bn) {
    const char *who = "bigint_workspace_bytes";
    bigint_status status = bigint_check_places(ctx, who, NULL, NULL, NULL);
    if (status == BIGINT_OK && context_on_device(ctx)) {
        device_plan plan;
        status = device_plan_make(ctx, who, &plan, an, bn, false, false);
        *bytes = status == BIGINT_OK ? device_held_bytes(ctx, &plan) : *bytes;
        return status;
    }
    mul_plan plan;
    if (status == BIGINT_OK) {
        status = mul_plan_make(ctx, who, &plan, an, bn, false);
    }
    if (status == BIGINT_OK) {
        // With the copy of an operand that the result replaces in place.
        *bytes =
            arena_held_bytes(arena_limbs_bytes(plan.an) + plan.workspace_bytes) + plan.tables_bytes;
    }
    return status;
}
