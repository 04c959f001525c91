// exchange.h: exchanges of blocks in device memory between members of one process, on one device or
// several: peer copies, which the receiver enqueues on a stream of their own, or NCCL's messages.
// Internal to bigint/.
#ifndef BIGINT_GROUP_DEVICE_EXCHANGE_H_
#define BIGINT_GROUP_DEVICE_EXCHANGE_H_

#include "bigint/core/context.h"
#include "bigint/group/device/nccl.h"
#include "bigint/group/exchange/exchange.h"

// device_exchange: a member's endpoint. `host` is where it meets the others; it belongs to the
// caller. Others look at it until the call that all are in has ended on all threads, so it is
// closed after them.
typedef struct {
    exchange *host;
    bool direct;  // every device of the group reaches every other one
    int place;
    cuda_stream stream, copies;  // of the context; of copies
    // Blocks to be sent are written; received ones have come; the others' have come too.
    cuda_event ready, done, ended;
    const exchange_block *sends;  // of the exchange under way
    nccl_member nccl;             // zeros for peer copies
} device_exchange;

// device_exchange_open makes the context's endpoint, and lets its device reach the members'
// devices. Collective, on threads that have entered their contexts (device_enter), as the calls
// below. Where not all devices reach each other, `direct` is false for all members and the endpoint
// is of no use. On failure it is to be closed too; the members have not agreed on that.
// Errors: EPEER, EDEVICE
bigint_status device_exchange_open(device_exchange *x, exchange *host, bigint_ctx *ctx,
                                   const char *who);
// device_exchange_join has NCCL carry the blocks from now on, between members each of which has a
// device of its own. Collective, after device_exchange_open. `direct` is true then.
// Errors: EPEER; EDEVICE, on which members have not agreed
bigint_status device_exchange_join(device_exchange *x, bigint_ctx *ctx, const char *who,
                                   const nccl *n);
// device_exchange_close: no thread of the group is in a call. An endpoint of zeros is allowed.
void device_exchange_close(device_exchange *x);

// device_exchange_begin enqueues `sets` exchanges at once, each as exchange_all_to_all of blocks in
// device memory: block [set * members + i] goes to, or comes from, member i. It begins after what
// the members' streams have so far, and work that a stream gets later runs beside it, until
// device_exchange_end: what follows comes after the exchange. Blocks are left alone in between. One
// exchange is under way at a time; `send` is read until the call returns. The calling threads wait
// for each other, not for the devices.
// Errors: EDEVICE, and EPEER for the others. Where a copy has failed, all members return at once.
bigint_status device_exchange_begin(device_exchange *x, bigint_ctx *ctx, const char *who,
                                    unsigned sets, const exchange_block *send,
                                    const exchange_block *receive);
bigint_status device_exchange_end(device_exchange *x, bigint_ctx *ctx, const char *who);

// device_exchange_agree: exchange_agree with the context's text; if it fails, the context's text
// names the member and its cause. device_exchange_settle returns the status of what came after: if
// that failed, the copies that this member has enqueued are over, and the others know.
bigint_status device_exchange_agree(device_exchange *x, bigint_ctx *ctx, const char *who,
                                    bigint_status status, uint64_t key);
bigint_status device_exchange_settle(device_exchange *x, bigint_ctx *ctx, const char *who,
                                     bigint_status status);

#endif  // BIGINT_GROUP_DEVICE_EXCHANGE_H_
