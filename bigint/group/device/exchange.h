// exchange.h: exchanges of blocks in device memory between members of one process, on one device or
// several: peer copies, which the receiver enqueues. Internal to bigint/.
#ifndef BIGINT_GROUP_DEVICE_EXCHANGE_H_
#define BIGINT_GROUP_DEVICE_EXCHANGE_H_

#include "bigint/core/context.h"
#include "bigint/group/exchange/exchange.h"

// device_exchange: a member's endpoint. `host` is where it meets the others; it belongs to the
// caller. Others look at it until the call that all are in has ended on all threads, so it is
// closed after them.
typedef struct {
    exchange *host;
    int place;
    cuda_stream stream;
    cuda_event ready, done;       // blocks to be sent are written; received ones have come
    const exchange_block *sends;  // of the call under way
} device_exchange;

// device_exchange_open makes the context's endpoint, and lets its device reach the members'
// devices. Collective, on threads that have entered their contexts (device_enter), as
// device_all_to_all. On failure it is to be closed too; the members have not agreed on that.
// Errors: EPEER, EDEVICE
bigint_status device_exchange_open(device_exchange *x, exchange *host, bigint_ctx *ctx,
                                   const char *who);
// device_exchange_close: no thread of the group is in a call. An endpoint of zeros is allowed.
void device_exchange_close(device_exchange *x);

// device_all_to_all: exchange_all_to_all of blocks in device memory, in the order of the members'
// streams. The calling threads wait for each other, not for the devices.
// Errors: EDEVICE, and EPEER for the others. Where a copy has failed, all members return at once.
bigint_status device_all_to_all(device_exchange *x, bigint_ctx *ctx, const char *who,
                                const exchange_block *send, const exchange_block *receive);

#endif  // BIGINT_GROUP_DEVICE_EXCHANGE_H_
