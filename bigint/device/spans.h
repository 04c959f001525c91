// spans.h: the spans of a batch as kernels find them, and the memory of a batch under way. Internal
// to bigint/.
#ifndef BIGINT_DEVICE_SPANS_H_
#define BIGINT_DEVICE_SPANS_H_

#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "primitives/residues/numbers_device.h"

// device_span: one span of a batch, NULL if there is none, and where kernels find its numbers.
typedef struct {
    const bigint_span *span;
    numbers_device *out;
} device_span;
// device_lists: the limbs that the lists of these spans, lengths and offsets, take on the device.
uint64_t device_lists(const device_span *spans, size_t n);
// device_numbers fills all `out` and enqueues copies of the lists to *at, which moves on.
bigint_status device_numbers(bigint_ctx *ctx, const char *who, uint64_t **at,
                             const device_span *spans, size_t n);
// device_no_memory: ENOMEM: the device or the cap has no memory for `what` of this many limbs.
bigint_status device_no_memory(bigint_ctx *ctx, const char *who, const char *what, uint64_t limbs);

// device_planner: makes a plan that takes at most most_bytes of workspace, 0: any, and says how
// many bytes it takes; records why if there is none.
typedef bigint_status (*device_planner)(bigint_ctx *ctx, void *call, uint64_t most_bytes,
                                        uint64_t *bytes);
// device_room: memory of a batch under way, between device_room_open and device_room_close.
typedef struct {
    arena_mark mark;
    void *workspace;  // of the plan's bytes
    uint64_t *more;   // limbs beside it
} device_room;
// device_room_open enters the queue and takes the memory; if there is not enough, it plans again
// for less. Errors: the planner's and the queue's; the queue is left again then.
bigint_status device_room_open(bigint_ctx *ctx, const char *who, device_planner plan, void *call,
                               uint64_t more_limbs, device_room *room);
// device_room_bytes: of `more_limbs`.
uint64_t device_room_bytes(uint64_t more_limbs);
void device_room_close(bigint_ctx *ctx, const device_room *room);

#endif  // BIGINT_DEVICE_SPANS_H_
