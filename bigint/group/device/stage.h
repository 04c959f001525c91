// stage.h: exchanges of device memory by way of pinned memory and the members' exchange on the
// host, in pieces: while one piece travels, the next one leaves the device and the one before goes
// back to one. Internal to bigint/group/device.
#ifndef BIGINT_GROUP_DEVICE_STAGE_H_
#define BIGINT_GROUP_DEVICE_STAGE_H_

#include "bigint/core/context.h"
#include "bigint/group/exchange/exchange.h"

// STAGE_OUT, STAGE_IN: how many pieces a member keeps at a time: those that it sends, and those
// that it receives.
enum { STAGE_OUT = 2, STAGE_IN = 2 };

// device_stage: a member's pinned memory: slots of `slot` bytes, one for each other member and
// piece.
typedef struct {
    unsigned char *memory;  // NULL: none
    uint64_t slot;
    uint64_t turn;  // pieces so far; all members count alike
    cuda_event packed[STAGE_OUT];
} device_stage;

// device_stage_transfer: `sets` exchanges at once, as device_exchange_begin; copies go on `stream`.
typedef struct {
    exchange *host;
    cuda_stream stream;
    unsigned sets;
    const exchange_block *send, *receive;
} device_stage_transfer;

// device_stage_open takes about `bytes` of pinned memory at most, 0: 64 MiB; a page for each slot at
// least.
// RESULT_NO_MEMORY, RESULT_DEVICE_ERROR; it is to be closed then, too.
result device_stage_open(device_stage *s, unsigned members, uint64_t bytes);
// device_stage_close: no copy is under way. A stage of zeros is allowed. lost: messages may still
// come (exchange_mpi.h), so the memory stays with the process.
void device_stage_close(device_stage *s, bool lost);

// device_stage_carry: collective. Returns when the last piece has come to this member; its copy to
// the device has been enqueued. Errors: EPEER, EDEVICE
bigint_status device_stage_carry(device_stage *s, bigint_ctx *ctx, const char *who,
                                 const device_stage_transfer *t);

#endif  // BIGINT_GROUP_DEVICE_STAGE_H_
