// device_memory.h: device memory and pinned memory of a context. Internal to bigint/.
#ifndef BIGINT_CORE_DEVICE_MEMORY_H_
#define BIGINT_CORE_DEVICE_MEMORY_H_

#include "bigint/core/arena.h"
#include "bigint/core/context.h"

// device_allocate: device memory in stream order. Where a call's memory is lent (device_queue.h),
// it is part of that, as is what took the place of a block that was released.
// device_allocate_workspace: device memory for workspace, which outlives what is lent, so that
// there is none then, or pinned memory. Both count in counters.allocations. NULL without a text if
// there is no memory, with a text if the device failed. device_release frees device memory in
// stream order, pinned memory at once, so the caller must have finished with it; what is lent, and
// anything in a forked child, it leaves.
void *device_allocate(bigint_ctx *ctx, uint64_t bytes);
void *device_allocate_workspace(bigint_ctx *ctx, memory_kind kind, uint64_t bytes);
void device_release(bigint_ctx *ctx, memory_kind kind, void *p);

#endif  // BIGINT_CORE_DEVICE_MEMORY_H_
