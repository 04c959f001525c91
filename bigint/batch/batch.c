// batch.c: what is required of the spans of a batch. Everything that can fail comes before the
// first limb of a result is written.
#include "bigint/batch/batch.h"

#include "bigint/batch/overlap.h"
#include "bigint/core/integer.h"
#include "bigint/core/limbs.h"

// --- Spans ---------------------------------------------------------------------------------------

// too_large: whether a span has more than 2^56 numbers, or one that is longer or begins further
// away by its stride. too_far: the same by its offsets.
static bool too_large(const bigint_span *s) {
    uint64_t last = 0;
    return s->n > BIGINT_MAX_LIMBS || s->count > BIGINT_MAX_LIMBS ||
           (s->offsets == NULL && s->count > 0 &&
            (__builtin_mul_overflow(s->count - 1, s->stride, &last) || last > BIGINT_MAX_LIMBS));
}

static bool too_far(const bigint_span *s) {
    uint64_t last = 0;
    for (uint64_t i = 0; s->offsets != NULL && i < s->count; i++) {
        last = s->offsets[i] > last ? s->offsets[i] : last;
    }
    return last > BIGINT_MAX_LIMBS;
}

static bigint_status refuse_size(bigint_ctx *ctx, const char *who, const char *name,
                                 const bigint_span *s) {
    return bigint_fail(
        ctx, BIGINT_ERANGE,
        "%s: %s with %llu numbers of %llu limbs, at stride %llu or offsets, exceeds 2^56 limbs",
        who, name, (unsigned long long)s->count, (unsigned long long)s->n,
        (unsigned long long)s->stride);
}

// check_span: count numbers, whose addresses do not overflow at the stride.
static bigint_status check_span(bigint_ctx *ctx, const char *who, const char *name,
                                const bigint_span *s, uint64_t count) {
    if (s->count != count) {
        return bigint_fail(ctx, BIGINT_EINVAL,
                           "%s: %s has count %llu, the result has %llu; give all the same", who,
                           name, (unsigned long long)s->count, (unsigned long long)count);
    }
    if (s->p == NULL && s->n > 0 && count > 0) {
        return bigint_fail(ctx, BIGINT_EINVAL, "%s: %s has no limbs (p is NULL) but n = %llu", who,
                           name, (unsigned long long)s->n);
    }
    return too_large(s) ? refuse_size(ctx, who, name, s) : BIGINT_OK;
}

// check_items: that no number is longer than its span says, and none too far away.
static bigint_status check_items(bigint_ctx *ctx, const char *who, const char *name,
                                 const bigint_span *s) {
    if (too_far(s)) {
        return refuse_size(ctx, who, name, s);
    }
    for (uint64_t i = 0; s->lengths != NULL && i < s->count; i++) {
        if (s->lengths[i] > s->n) {
            return bigint_fail(ctx, BIGINT_EINVAL,
                               "%s: %s: length %llu of number %llu exceeds n = %llu", who, name,
                               (unsigned long long)s->lengths[i], (unsigned long long)i,
                               (unsigned long long)s->n);
        }
    }
    return BIGINT_OK;
}

// check_result: check_span, and that the numbers of a strided result do not overlap each other.
static bigint_status check_result(bigint_ctx *ctx, const char *who, const bigint_span *r) {
    const bigint_status status = check_span(ctx, who, "the result", r, r->count);
    if (status == BIGINT_OK && r->offsets == NULL && r->count > 1 && r->stride < r->n) {
        return bigint_fail(
            ctx, BIGINT_EINVAL,
            "%s: results of %llu limbs at stride %llu overlap; use a stride of at least n", who,
            (unsigned long long)r->n, (unsigned long long)r->stride);
    }
    return status;
}

// check_overlap: that a result shares no memory with the next one or with the inputs, as far as
// batch_overlap tells.
static bigint_status check_overlap(bigint_ctx *ctx, const char *who, const bigint_span *r,
                                   const bigint_span *next, const bigint_span *const *inputs,
                                   const char *const *names) {
    const char *with = next != NULL && batch_overlap(r, next) ? "the other result" : NULL;
    for (int k = 0; inputs[k] != NULL && with == NULL; k++) {
        with = batch_overlap(r, inputs[k]) ? names[k] : NULL;
    }
    return with == NULL ? BIGINT_OK
                        : bigint_fail(ctx, BIGINT_EINVAL,
                                      "%s: a result overlaps %s; give results memory of their own",
                                      who, with);
}

bigint_status batch_check_shapes(bigint_ctx *ctx, const char *who,
                                 const bigint_span *const *results,
                                 const bigint_span *const *inputs, const char *const *names) {
    bigint_status status = bigint_check_places(ctx, who, NULL, NULL, NULL);
    const uint64_t count = results[0] != NULL ? results[0]->count : inputs[0]->count;
    for (int k = 0; results[k] != NULL && status == BIGINT_OK; k++) {
        status = check_result(ctx, who, results[k]);
        if (status == BIGINT_OK && k > 0) {
            status = check_span(ctx, who, "the other result", results[k], count);
        }
    }
    for (int k = 0; inputs[k] != NULL && status == BIGINT_OK; k++) {
        status = check_span(ctx, who, names[k], inputs[k], count);
    }
    return status;
}

bigint_status batch_check(bigint_ctx *ctx, const char *who, const bigint_span *const *results,
                          const bigint_span *const *inputs, const char *const *names) {
    bigint_status status = batch_check_shapes(ctx, who, results, inputs, names);
    for (int k = 0; results[k] != NULL && status == BIGINT_OK; k++) {
        status = check_items(ctx, who, k > 0 ? "the other result" : "the result", results[k]);
    }
    for (int k = 0; inputs[k] != NULL && status == BIGINT_OK; k++) {
        status = check_items(ctx, who, names[k], inputs[k]);
    }
    for (int k = 0; results[k] != NULL && status == BIGINT_OK; k++) {
        status = check_overlap(ctx, who, results[k], results[k + 1], inputs, names);
    }
    return status;
}

uint64_t batch_longest(const bigint_span *s) {
    uint64_t n = s->lengths == NULL ? s->n : 0;
    for (uint64_t i = 0; s->lengths != NULL && i < s->count; i++) {
        n = s->lengths[i] > n ? s->lengths[i] : n;
    }
    return n;
}

bigint_status batch_check_moduli(bigint_ctx *ctx, const char *who, const bigint_span *r,
                                 const bigint_span *modulus, const char *name, uint64_t *longest) {
    *longest = batch_longest(modulus);
    const uint64_t items = batch_to_compare(modulus, r != NULL ? r : modulus);
    for (uint64_t i = 0; i < items; i++) {
        const uint64_t n = batch_item_of(modulus, i).n;
        if (n == 0) {
            return bigint_fail(ctx, BIGINT_EINVAL, "%s: %s %llu is 0", who, name,
                               (unsigned long long)i);
        }
        if (r != NULL && batch_item_of(r, i).n < n) {
            return batch_does_not_hold(ctx, who, i, batch_item_of(r, i).n, n);
        }
    }
    return BIGINT_OK;
}

bigint_status batch_does_not_hold(bigint_ctx *ctx, const char *who, uint64_t i, uint64_t rn,
                                  uint64_t needed) {
    return bigint_fail(ctx, BIGINT_EINVAL, "%s: result %llu has %llu limbs, %llu are needed", who,
                       (unsigned long long)i, (unsigned long long)rn, (unsigned long long)needed);
}
