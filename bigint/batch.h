// batch.h: what batches on the host and on devices share: the numbers of a span. Internal to
// bigint/; may include context.h.
#ifndef BIGINT_BATCH_H_
#define BIGINT_BATCH_H_

#include "bigint/context.h"

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

#endif  // BIGINT_BATCH_H_
