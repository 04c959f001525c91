// stage.h: exchanges of device memory in pieces: by way of pinned memory and the members' exchange
// on the host, or of NVSHMEM's symmetric heap. While one piece travels, the next one is copied to
// where it leaves from, and the one before from where it came to. Internal to bigint/group/device.
#ifndef BIGINT_GROUP_DEVICE_STAGE_H_
#define BIGINT_GROUP_DEVICE_STAGE_H_

#include "bigint/core/context.h"
#include "bigint/group/device/nvshmem.h"
#include "bigint/group/exchange/exchange.h"

// STAGE_OUT, STAGE_IN: how many pieces a member keeps at a time: those that it sends, and those
// that it receives (stage.c).
enum { STAGE_OUT = 2, STAGE_IN = 4 };

// device_stage: a member's memory: slots of `slot` bytes, one for each member and piece.
typedef struct {
    unsigned char *memory;  // NULL: none
    const nvshmem *shmem;   // whose heap it is in; NULL: pinned
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

// device_stage_open takes about `bytes` of memory at most, 0: 64 MiB; a page for each slot at
// least. shmem: members are PEs (nvshmem_join), and the call and device_stage_close are collective;
// NULL: pinned memory. RESULT_NO_MEMORY, RESULT_DEVICE_ERROR; it is to be closed then, too.
result device_stage_open(device_stage *s, unsigned members, uint64_t bytes, const nvshmem *shmem);
// device_stage_close: no copy is under way. A stage of zeros is allowed. lost: messages may still
// come (exchange_mpi.h), and others are gone, so the memory stays with the process.
void device_stage_close(device_stage *s, bool lost);

// device_stage_carry: collective. Returns when the last piece has come to this member; its copy to
// the device has been enqueued. Errors: EPEER, EDEVICE
bigint_status device_stage_carry(device_stage *s, bigint_ctx *ctx, const char *who,
                                 const device_stage_transfer *t);

#endif  // BIGINT_GROUP_DEVICE_STAGE_H_
