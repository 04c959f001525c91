// device.h: the device side of a context: opened, closed, trimmed. Internal to bigint/.
#ifndef BIGINT_DEVICE_DEVICE_H_
#define BIGINT_DEVICE_DEVICE_H_

#include "bigint/core/context.h"

// device_open gives a new context its stream. device_close waits for it and frees all that it
// holds; it does nothing where none is open.
bigint_status device_open(bigint_ctx *ctx);
void device_close(bigint_ctx *ctx);
// device_trim waits for the stream and gives words, staging and the memory of checks back; the
// arena is arena_trim's. What checks found stays to be told.
void device_trim(bigint_ctx *ctx);

#endif  // BIGINT_DEVICE_DEVICE_H_
