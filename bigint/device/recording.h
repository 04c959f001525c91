// recording.h: long calls on a device whose launches one graph enqueues, once a call of the same
// shape came before. Internal to bigint/.
//
// A long division takes some hundred launches of few microseconds each, and the host needs as long
// to enqueue them. So such a call has three parts. It copies its operands to memory that belongs to
// the recording; its body, launches that depend on lengths alone, takes them from there and leaves
// results there; and it copies these out. Only the body is recorded. Graphs hold no values.
#ifndef BIGINT_DEVICE_RECORDING_H_
#define BIGINT_DEVICE_RECORDING_H_

#include "bigint/core/context.h"
#include "bigint/core/device_integer.h"

// device_body enqueues launches that read and write `numbers`. It waits for nothing and decides
// nothing by values. What it allocates it frees, too.
typedef bigint_status (*device_body)(bigint_ctx *ctx, const char *who, uint64_t *numbers,
                                     const void *call);

// device_shape: what a body's launches depend on: which body it is, what it is called with, and
// limbs of numbers.
enum { SHAPE_WORDS = 9 };
typedef enum {
    BODY_DIVIDE = 1,
    BODY_RECIPROCAL,
    BODY_BLOCKS,
    BODY_SQRT,
    BODY_RSQRT,
    BODY_ROOT
} body_kind;
typedef struct {
    body_kind kind;
    uint64_t words[SHAPE_WORDS];
    uint64_t limbs;
} device_shape;

// device_recording: the recording for calls of a shape, with memory for their numbers, aligned to
// 256 bytes. NULL: such a call is enqueued as any other: the first one of its shape, with a cap or
// checks, in a call that is recorded, and where memory is short.
recording *device_recording(bigint_ctx *ctx, const device_shape *shape);
// device_play enqueues the body: by the graph if there is one, else by calling it, and then makes
// the graph, which takes the host some hundred microseconds. Errors: the body's; ECANCELED.
bigint_status device_play(bigint_ctx *ctx, const char *who, recording *r, device_body body,
                          const void *call);
// device_recordings_trim forgets all recordings. The stream must be idle.
void device_recordings_trim(bigint_ctx *ctx);

// device_place: the next `limbs` limbs of numbers, with a line for the sign in front. device_placed
// says how many limbs it takes away.
uint64_t *device_place(uint64_t **numbers, uint64_t limbs);
uint64_t device_placed(uint64_t limbs);
// device_placed_number: an integer of these limbs, n >= 1, which are not its own; its sign is in
// the limb below.
bigint device_placed_number(const bigint_ctx *ctx, uint64_t *p, uint64_t n);
// device_placed_get enqueues target = {p, target->n} / 2^right with the sign in the limb below p;
// nothing if there is no target.
result device_placed_get(const bigint_ctx *ctx, const device_target *target, const uint64_t *p,
                         uint64_t right);

#endif  // BIGINT_DEVICE_RECORDING_H_
