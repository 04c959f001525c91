// carrier.c: see carrier.h.
#include "bigint/group/device/carrier.h"

#include <stdio.h>
#include <string.h>

static const char *const names[CARRIERS] = {"peer", "staged", "nccl", "nvshmem"};

bool carrier_load(device_carrier *c, const char *name, char *why, size_t room) {
    unsigned kind = 0;
    while (kind < CARRIERS && strcmp(names[kind], name) != 0) {
        kind++;
    }
    *c = (device_carrier){.kind = (carrier_kind)kind};
    if (kind == CARRIERS) {
        snprintf(why, room, "no exchange is called '%.40s'; they are peer, staged, nccl, nvshmem",
                 name);
        return false;
    }
    return kind == CARRIER_NCCL      ? nccl_load(&c->nccl, NULL, why, room)
           : kind == CARRIER_NVSHMEM ? nvshmem_load(&c->nvshmem, NULL, why, room)
                                     : true;
}
