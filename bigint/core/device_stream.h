// device_stream.h: the stream of a context on a device: which places serve, whose device is
// current, what becomes of CUDA's errors, and waiting, which tells of products found wrong. A
// device error is sticky: ctx->failed. Internal to bigint/.
#ifndef BIGINT_CORE_DEVICE_STREAM_H_
#define BIGINT_CORE_DEVICE_STREAM_H_

#include "bigint/core/context.h"

// device_place_usable: whether contexts can work on the device d->place; fills d->about, or writes
// cause and next step.
bool device_place_usable(bigint_device *d, char *why, size_t cap);
// device_enter makes the context's device current, device_leave the caller's again. Everything
// below but device_allocate and device_release stands between them.
bigint_status device_enter(bigint_ctx *ctx, const char *who);
void device_leave(bigint_ctx *ctx);
// device_status: the status of what a room below answered.
bigint_status device_status(bigint_ctx *ctx, const char *who, result done);
// device_wait waits for the stream, and tells of products that were found wrong meanwhile.
bigint_status device_wait(bigint_ctx *ctx, const char *who);

// For a stream that has been waited for: device_check_collect counts the products that were
// found wrong; device_check_verdict does so too and tells of them, once: ECHECK with the sizes of
// the first. device_check_again: whether there are any, which are counted, and not told of: for
// who computes them once more.
void device_check_collect(bigint_ctx *ctx);
bool device_check_again(bigint_ctx *ctx);
bigint_status device_check_verdict(bigint_ctx *ctx, const char *who);

#endif  // BIGINT_CORE_DEVICE_STREAM_H_
