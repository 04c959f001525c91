// batch.h: what batches on the host and on devices share: the numbers of a span and what is
// required of spans. Internal to bigint/.
#ifndef BIGINT_BATCH_BATCH_H_
#define BIGINT_BATCH_BATCH_H_

#include "bigint/core/context.h"

typedef struct {
    bigint_limb *p;
    uint64_t n;
} batch_item;

// batch_item_of: number i of a span. Its pointer is NULL if the span has no limbs.
static inline batch_item batch_item_of(const bigint_span *s, uint64_t i) {
    const uint64_t offset = s->offsets != NULL ? s->offsets[i] : i * s->stride;
    return (batch_item){s->p == NULL ? NULL : s->p + offset,
                        s->lengths != NULL ? s->lengths[i] : s->n};
}

// batch_does_not_hold: EINVAL: result i has rn limbs and needs more.
bigint_status batch_does_not_hold(bigint_ctx *ctx, const char *who, uint64_t i, uint64_t rn,
                                  uint64_t needed);

// batch_check: checks that inputs are valid and have the same count, and that results do not
// overlap each other. NULL ends either list, and one may be empty. names: the inputs' names.
// Errors: EINVAL, ERANGE, the context's.
bigint_status batch_check(bigint_ctx *ctx, const char *who, const bigint_span *const *results,
                          const bigint_span *const *inputs, const char *const *names);
// batch_check_spans: the same without a look at lengths.
bigint_status batch_check_spans(bigint_ctx *ctx, const char *who, const bigint_span *const *results,
                                const bigint_span *const *inputs, const char *const *names);

// batch_longest: the length of the longest number.
uint64_t batch_longest(const bigint_span *s);
// batch_check_moduli: EINVAL if a modulus has no limbs, or if r, unless NULL, cannot hold it.
// *longest: the limbs of the longest. name: "modulus" or "divisor".
bigint_status batch_check_moduli(bigint_ctx *ctx, const char *who, const bigint_span *r,
                                 const bigint_span *modulus, const char *name, uint64_t *longest);

#endif  // BIGINT_BATCH_BATCH_H_
