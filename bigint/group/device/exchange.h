// exchange.h: exchanges of blocks in device memory between members, on one device or several, in
// one process or several: peer copies, which the receiver enqueues on a stream of their own, NCCL's
// messages, or pieces by way of the host or of NVSHMEM's heap (carrier.h). Internal to bigint/.
#ifndef BIGINT_GROUP_DEVICE_EXCHANGE_H_
#define BIGINT_GROUP_DEVICE_EXCHANGE_H_

#include "bigint/core/context.h"
#include "bigint/group/device/carrier.h"
#include "bigint/group/device/stage.h"
#include "bigint/group/exchange/exchange.h"

// device_exchange: a member's endpoint. `host` is where it meets the others; it belongs to the
// caller. Others look at it until the call that all are in has ended on all threads, so it is
// closed after them.
typedef struct {
    exchange *host;
    bool direct;  // the carrier reaches all members
    int place;
    cuda_stream stream, copies;  // of the context; of copies
    // Copies from other members follow one another on this stream. Copies of the member's own
    // blocks wait for multiprocessors, so they have another one. Both come before transforms where
    // a multiprocessor is free: NCCL's messages, and copies on one device, need some.
    cuda_stream far;
    cuda_event landed;
    // Blocks to be sent are written; received ones have come; the others' have come too.
    cuda_event ready, done, ended;
    const exchange_block *sends;  // of the exchange under way
    // Zeros for peer copies. The pieces of an exchange under way travel at its end.
    nccl_member nccl;
    device_stage stage;
    device_stage_transfer later;
} device_exchange;

// device_exchange_open makes the streams of the context's endpoint, on a thread that has entered
// its context (device_enter), as for the calls below. On failure it is to be closed too.
// Errors: EDEVICE
bigint_status device_exchange_open(device_exchange *x, exchange *host, bigint_ctx *ctx,
                                   const char *who);
// device_exchange_join has a carrier carry the blocks from now on. Collective, as the calls below,
// and all endpoints are open. Peer copies: lets the device reach the members' devices; where not
// all of them reach each other, `direct` is false for all members, and another carrier has to join.
// NCCL: each member has a device of its own. NVSHMEM: each has a process of its own. *c outlives
// the endpoint. On failure it is to be closed; members have not agreed on that.
// Errors: EPEER, EDEVICE, ENOMEM; ENOBACKEND: NVSHMEM does not start
bigint_status device_exchange_join(device_exchange *x, bigint_ctx *ctx, const char *who,
                                   const device_carrier *c);
// device_exchange_close: no thread of the group is in a call. An endpoint of zeros is allowed.
void device_exchange_close(device_exchange *x);

// device_exchange_begin enqueues `sets` exchanges at once, each as exchange_all_to_all of blocks in
// device memory: block [set * members + i] goes to, or comes from, member i. It begins after what
// the members' streams have so far, and work that a stream gets later runs beside it, until
// device_exchange_end: what follows comes after the exchange. Blocks, `send` and `receive` are left
// alone in between. One exchange is under way at a time. The calling threads wait for each other,
// not for the devices; but pieces travel in device_exchange_end, which waits until the own blocks
// have been written and all pieces have come. device_exchange_end may be called twice.
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
