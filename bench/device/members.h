// members.h: one call on a group of members between two points of one stream, for timing.h. Plain
// C; includes group.h of primitives/cuda.
#ifndef BENCH_DEVICE_MEMBERS_H_
#define BENCH_DEVICE_MEMBERS_H_

#include "primitives/cuda/group.h"

// members_between has `enqueue` begin on every member's stream when `stream` comes to this point,
// and `stream` go on when all members have ended. begun: an event of the caller, used for nothing
// else.
result members_between(cuda_group *g, cuda_event begun, cuda_stream stream,
                       result (*enqueue)(void *self), void *self);

#endif  // BENCH_DEVICE_MEMBERS_H_
