// device_memory.h: device memory and pinned memory of a context. Internal to bigint/.
#ifndef BIGINT_CORE_DEVICE_MEMORY_H_
#define BIGINT_CORE_DEVICE_MEMORY_H_

#include "bigint/core/arena.h"
#include "bigint/core/context.h"

// device_allocate: device memory in stream order, or pinned memory; counts counters.allocations.
// NULL: no memory, without a text, or the device failed, with one. device_release gives it back, in
// stream order; pinned memory at once, so its uses must be over.
void *device_allocate(bigint_ctx *ctx, memory_kind kind, uint64_t bytes);
void device_release(bigint_ctx *ctx, memory_kind kind, void *p);

#endif  // BIGINT_CORE_DEVICE_MEMORY_H_
