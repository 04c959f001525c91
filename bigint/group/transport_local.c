// transport_local.c: the endpoints of a context are those of a hub of its own.
#include "bigint/group/transport_local.h"

#include <assert.h>

#include "bigint/core/arena.h"
#include "bigint/group/exchange/local.h"

static bigint_status open_hub(bigint_ctx *ctx, const group_device *device, bigint_status so_far,
                              double timeout_s, exchange **endpoints, void **state) {
    assert(device->first == 0 && device->local == device->members);
    if (so_far != BIGINT_OK) {
        return so_far;
    }
    const size_t bytes = exchange_hub_bytes(device->members);
    void *const memory = context_allocate(ctx, bytes);
    exchange_hub *const hub =
        memory == NULL ? NULL : exchange_hub_open(memory, device->members, timeout_s);
    if (hub == NULL) {
        context_release(ctx, memory, bytes);
        return bigint_fail(ctx, BIGINT_ENOMEM,
                           "bigint_ctx_create: no memory or locks for the exchanges of %u members",
                           device->members);
    }
    for (unsigned i = 0; i < device->members; i++) {
        endpoints[i] = exchange_hub_endpoint(hub, i);
    }
    *state = hub;
    return BIGINT_OK;
}

static void close_hub(bigint_ctx *ctx, const group *g) {
    exchange_hub_close(g->state);
    context_release(ctx, g->state, exchange_hub_bytes(g->members));
}

static void device_closed(group_device *device) { (void)device; }

const group_transport transport_local = {open_hub, close_hub, device_closed};
