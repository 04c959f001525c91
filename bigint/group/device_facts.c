// device_facts.c: see device_facts.h.
#include "bigint/group/device_facts.h"

#include <string.h>

#include "bigint/core/device_stream.h"
#include "primitives/cuda/identity.h"

// card: one member's device.
typedef struct {
    bool device, clusters;
    unsigned char id[CUDA_IDENTITY_BYTES];
    uint64_t memory;
} card;

static bigint_status own_card(bigint_ctx *ctx, const char *who, card *own) {
    *own = (card){.device = context_on_device(ctx)};
    if (!own->device) {
        return BIGINT_OK;
    }
    own->clusters = ctx->queue.clusters;
    own->memory = ctx->device.about.memory_bytes;
    return device_status(ctx, who, cuda_identity(ctx->device.place, own->id));
}

// is_first: whether no member before this one is on its device.
static bool is_first(const card *all, unsigned i) {
    unsigned j = 0;
    while (memcmp(all[j].id, all[i].id, sizeof all[i].id) != 0) {
        j++;
    }
    return i == j;
}

static device_facts facts_of(const card *all, unsigned members) {
    device_facts facts = {.all = true, .clusters = true, .room = UINT64_MAX};
    for (unsigned i = 0; i < members && facts.all; i++) {
        facts.all = all[i].device;
        facts.clusters = facts.clusters && all[i].clusters;
        facts.room = all[i].memory < facts.room ? all[i].memory : facts.room;
        facts.devices += is_first(all, i);
    }
    if (!facts.all) {
        return (device_facts){0};
    }
    facts.room /= (members + facts.devices - 1) / facts.devices;
    return facts;
}

bigint_status device_facts_gather(member *m, const char *who, device_facts *facts) {
    card own, all[EXCHANGE_MEMBERS_MAX];
    const bigint_status status = own_card(m->ctx, who, &own);
    *facts = (device_facts){0};
    if (exchange_all_gather(m->exchange, all, &own, sizeof own) != BIGINT_OK) {
        return BIGINT_EPEER;
    }
    *facts = facts_of(all, m->exchange->members);
    return status;
}
