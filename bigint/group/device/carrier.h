// carrier.h: what carries blocks between members that are devices, and its name. Internal to
// bigint/.
#ifndef BIGINT_GROUP_DEVICE_CARRIER_H_
#define BIGINT_GROUP_DEVICE_CARRIER_H_

#include "bigint/group/device/nccl.h"
#include "bigint/group/device/nvshmem.h"

typedef enum {
    CARRIER_PEER,     // copies that the receiver enqueues: devices of one process
    CARRIER_STAGED,   // messages of the members' exchange on the host, by way of pinned memory
    CARRIER_NCCL,     // NCCL's messages: each member has a device of its own
    CARRIER_NVSHMEM,  // puts into NVSHMEM's symmetric heap: each member has a process of its own
    CARRIERS
} carrier_kind;

typedef struct {
    carrier_kind kind;
    uint64_t stage_bytes;  // of memory that staged blocks go by; 0: chosen. Set only by tests
    nccl nccl;             // zeros unless it is the kind; so is what follows
    nvshmem nvshmem;
} device_carrier;

// carrier_load makes *c the carrier of that name, and loads its library. False if there is none or
// it cannot be loaded; `why` says so.
bool carrier_load(device_carrier *c, const char *name, char *why, size_t room);

#endif  // BIGINT_GROUP_DEVICE_CARRIER_H_
