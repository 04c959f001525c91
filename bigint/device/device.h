// device.h: the device side of a context: opened, closed, trimmed. Internal to bigint/.
#ifndef BIGINT_DEVICE_DEVICE_H_
#define BIGINT_DEVICE_DEVICE_H_

#include "bigint/core/context.h"

// device_open gives a new context its stream. device_close waits for the stream and frees all that
// it holds; it does nothing if none is open. In a forked child it frees host memory alone.
bigint_status device_open(bigint_ctx *ctx);
void device_close(bigint_ctx *ctx);
// device_trim waits for the stream and frees words, staging and the memory for checks; arena_trim
// frees the arena. Failed checks are still reported later.
void device_trim(bigint_ctx *ctx);

#endif  // BIGINT_DEVICE_DEVICE_H_
