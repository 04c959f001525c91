// device_stream.h: the stream of a context on a device: which places can be used, which device is
// current, CUDA's errors, and waiting, which reports products that failed their check. A device
// error is sticky: ctx->failed. Internal to bigint/.
#ifndef BIGINT_CORE_DEVICE_STREAM_H_
#define BIGINT_CORE_DEVICE_STREAM_H_

#include "bigint/core/context.h"

// device_place_usable: whether contexts can work on the device d->place. Fills d->about, or writes
// the cause and the next step to why.
bool device_place_usable(bigint_device *d, char *why, size_t cap);
// device_forked: whether this process is a forked child of the one that opened the device. CUDA's
// objects and memory are the parent's then, and no function of the runtime may be called.
bool device_forked(const bigint_ctx *ctx);
// device_check_process: EDEVICE with the cause, for good, if device_forked; the status of a context
// that failed.
bigint_status device_check_process(bigint_ctx *ctx, const char *who);
// device_enter makes the context's device current, and device_leave the caller's again. Call
// everything below except device_allocate and device_release between the two. device_enter fails
// where device_check_process does.
bigint_status device_enter(bigint_ctx *ctx, const char *who);
void device_leave(bigint_ctx *ctx);
// device_status: the status for a result from a lower room.
bigint_status device_status(bigint_ctx *ctx, const char *who, result done);
// device_wait waits for the stream and reports products that failed their check in the meantime.
bigint_status device_wait(bigint_ctx *ctx, const char *who);

// Call these after waiting for the stream. device_check_collect counts the products that failed
// their check. device_check_verdict counts them too and reports them once: ECHECK with the sizes of
// the first. device_check_again counts them and returns whether there are any, but reports nothing:
// for callers that compute them again.
void device_check_collect(bigint_ctx *ctx);
bool device_check_again(bigint_ctx *ctx);
bigint_status device_check_verdict(bigint_ctx *ctx, const char *who);

#endif  // BIGINT_CORE_DEVICE_STREAM_H_
