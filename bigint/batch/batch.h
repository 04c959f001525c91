// batch.h: what batches on the host and on devices share: the numbers of a span, what is required
// of spans, and items on several threads. Internal to bigint/.
#ifndef BIGINT_BATCH_BATCH_H_
#define BIGINT_BATCH_BATCH_H_

#include "bigint/core/context.h"

typedef struct {
    bigint_limb *p;
    uint64_t n;
} batch_item;

// batch_item_of: number i of a span, where it has limbs.
static inline batch_item batch_item_of(const bigint_span *s, uint64_t i) {
    const uint64_t offset = s->offsets != NULL ? s->offsets[i] : i * s->stride;
    return (batch_item){s->p == NULL ? NULL : s->p + offset,
                        s->lengths != NULL ? s->lengths[i] : s->n};
}

// batch_does_not_hold: EINVAL: result i has rn limbs and needs more.
bigint_status batch_does_not_hold(bigint_ctx *ctx, const char *who, uint64_t i, uint64_t rn,
                                  uint64_t needed);

// batch_check: inputs that are in order and count alike, and results that do not overlap each
// other; NULL ends either list, one of which may be empty. names: of the inputs. Errors: EINVAL,
// ERANGE, those of the context.
bigint_status batch_check(bigint_ctx *ctx, const char *who, const bigint_span *const *results,
                          const bigint_span *const *inputs, const char *const *names);

// batch_longest: the length of the longest number.
uint64_t batch_longest(const bigint_span *s);
// batch_check_moduli: EINVAL where a modulus has no limbs, or r, if that is not NULL, does not hold
// it. *longest: its limbs at most. name: "modulus" or "divisor".
bigint_status batch_check_moduli(bigint_ctx *ctx, const char *who, const bigint_span *r,
                                 const bigint_span *modulus, const char *name, uint64_t *longest);

#endif  // BIGINT_BATCH_BATCH_H_
