// batch.h: what batches on the host and on devices share: the numbers of a span, what is required
// of spans, and items on several threads. Internal to bigint/; may include context.h and
// primitives/residues/numbers_device.h.
#ifndef BIGINT_BATCH_BATCH_H_
#define BIGINT_BATCH_BATCH_H_

#include "bigint/core/context.h"
#include "primitives/residues/numbers_device.h"

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

// --- Items on the host (items.c) -----------------------------------------------------------

// batch_task: item i, on the context or on one of its thread's own.
typedef bigint_status (*batch_task)(bigint_ctx *ctx, void *arg, uint64_t i);
// batch_items runs task(ctx, arg, i) for all i < count, each once or, where it fails for want of
// memory on a thread, again. With several threads each gets a context of its own with a workspace
// that does not grow: of `bytes`, what an item is thought to take, if that is not 0. Of what that
// is too little for, or of all, item `longest` or another is run alone, and the others with as much
// as it took; what does not do with that, as long numbers do not, is left for the end, when the
// context's threads help each other. Where the cap forbids that, items run on the context.
// Requires: something of the arena in use. Errors: the status of the first item that fails, and its
// text; ENOMEM.
bigint_status batch_items(bigint_ctx *ctx, const char *who, batch_task task, void *arg,
                          uint64_t count, uint64_t longest, uint64_t bytes);

// --- Spans on a device (spans.c) ----------------------------------------------------------

// device_span: one of a batch's, NULL where there is none, and where kernels find its numbers.
typedef struct {
    const bigint_span *span;
    numbers_device *out;
} device_span;
// device_lists: limbs that the lists of so many spans take there: lengths and offsets.
uint64_t device_lists(const device_span *spans, size_t n);
// device_numbers fills all `out` and enqueues copies of the lists to *at, which moves on.
bigint_status device_numbers(bigint_ctx *ctx, const char *who, uint64_t **at,
                             const device_span *spans, size_t n);
// device_no_memory: ENOMEM: the device or the cap has none for `what` of so many limbs.
bigint_status device_no_memory(bigint_ctx *ctx, const char *who, const char *what, uint64_t limbs);

// device_planner: a plan that takes at most so many bytes of workspace, 0: any, and how many it
// takes; records why there is none.
typedef bigint_status (*device_planner)(bigint_ctx *ctx, void *call, uint64_t most_bytes,
                                        uint64_t *bytes);
// device_room: memory of a batch under way, between device_room_open and device_room_close.
typedef struct {
    arena_mark mark;
    void *workspace;  // of the plan's bytes
    uint64_t *more;   // limbs beside it
} device_room;
// device_room_open enters the queue and takes the memory; plans for less of it where there is
// not enough. Errors: the planner's; the queue's, which is left again then.
bigint_status device_room_open(bigint_ctx *ctx, const char *who, device_planner plan, void *call,
                               uint64_t more_limbs, device_room *room);
void device_room_close(bigint_ctx *ctx, const device_room *room);

// --- Quotients, products modulo numbers, inverses on a device (division.c) ----------------

// device_division_batch: bigint_mulmod_batch, bigint_divrem_batch or bigint_invmod_batch for
// spans that have been looked at; q, r, b are NULL where there is none.
typedef enum { DEVICE_MULMOD, DEVICE_DIVREM, DEVICE_INVMOD } device_division_kind;
bigint_status device_division_batch(bigint_ctx *ctx, const char *who, device_division_kind kind,
                                    const bigint_span *q, const bigint_span *r,
                                    const bigint_span *a, const bigint_span *b,
                                    const bigint_span *modulus);

#endif  // BIGINT_BATCH_BATCH_H_
