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

// batch_is_common: whether all items are one number, of which there is at least one.
static inline bool batch_is_common(const bigint_span *s) {
    return s->count > 0 && s->offsets == NULL && s->lengths == NULL && s->stride == 0;
}

// batch_to_compare: how many items to look at when lengths of two spans are compared: one where
// neither has lengths of its own.
static inline uint64_t batch_to_compare(const bigint_span *a, const bigint_span *b) {
    return a->lengths == NULL && b->lengths == NULL && a->count > 0 ? 1 : a->count;
}

// batch_normal: the number without zeros on top.
static inline batch_item batch_normal(const bigint_span *s, uint64_t i) {
    batch_item x = batch_item_of(s, i);
    while (x.n > 0 && x.p[x.n - 1] == 0) {  // a call of limbs_normalize takes longer
        x.n--;
    }
    return x;
}

// batch_range: items begin .. end - 1. batch_chunk: one of several chunks of `count` items, which
// differ by one in length.
typedef struct {
    uint64_t begin, end;
} batch_range;
static inline batch_range batch_chunk(uint64_t count, uint64_t chunks, uint64_t index) {
    const uint64_t each = count / chunks, more = count % chunks;
    const uint64_t begin = index * each + (index < more ? index : more);
    return (batch_range){begin, begin + each + (index < more)};
}
// Chunks for each thread: evens out items of different length.
enum { BATCH_CHUNKS = 16 };

// batch_does_not_hold: EINVAL: result i has rn limbs and needs more.
bigint_status batch_does_not_hold(bigint_ctx *ctx, const char *who, uint64_t i, uint64_t rn,
                                  uint64_t needed);

// batch_check: checks that inputs are valid and have the same count, and that results overlap
// neither inputs nor each other, as far as batch_overlap tells. NULL ends either list, and one may
// be empty. names: the inputs' names.
// Errors: EINVAL, ERANGE, the context's.
bigint_status batch_check(bigint_ctx *ctx, const char *who, const bigint_span *const *results,
                          const bigint_span *const *inputs, const char *const *names);
// batch_check_shapes: the same without a look at lengths, offsets and overlaps. Cost: constant.
bigint_status batch_check_shapes(bigint_ctx *ctx, const char *who,
                                 const bigint_span *const *results,
                                 const bigint_span *const *inputs, const char *const *names);

// batch_longest: the length of the longest number.
uint64_t batch_longest(const bigint_span *s);
// batch_check_moduli: EINVAL if a modulus has no limbs, or if r, unless NULL, cannot hold it.
// *longest: the limbs of the longest. name: "modulus" or "divisor".
bigint_status batch_check_moduli(bigint_ctx *ctx, const char *who, const bigint_span *r,
                                 const bigint_span *modulus, const char *name, uint64_t *longest);

#endif  // BIGINT_BATCH_BATCH_H_
