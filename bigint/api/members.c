// members.c: see members.h.
#include "bigint/api/members.h"

#include <unistd.h>

// share: how many threads a member on the host gets. The members there share options.threads.
static uint32_t share(const bigint_ctx *ctx, const group_device *device) {
    uint32_t hosts = 0;
    for (unsigned i = 0; i < device->local; i++) {
        hosts += device->places[i].place == BIGINT_HOST;
    }
    return hosts == 0 || ctx->options.threads <= hosts ? 1 : ctx->options.threads / hosts;
}

// open_contexts: a context for each member of this process; on failure *made says how many there
// are.
static bigint_status open_contexts(bigint_ctx *ctx, const group_device *device,
                                   bigint_ctx **contexts, unsigned *made) {
    bigint_ctx_options options = ctx->options;
    options.threads = share(ctx, device);
    options.progress = NULL;  // a member must not end a call that the others go on with
    bigint_status status = BIGINT_OK;
    for (*made = 0; *made < device->local && status == BIGINT_OK; ++*made) {
        status = bigint_ctx_create(&contexts[*made], &device->places[*made], &options);
        if (status != BIGINT_OK) {
            bigint_fail(ctx, status, "bigint_ctx_create: member %u of the group: %s",
                        device->first + *made, bigint_ctx_error(contexts[*made]));
        }
    }
    return status;
}

bigint_status members_absent(const bigint_device *device, double timeout_s, bigint_status status) {
    const group_device *const g = device == NULL ? NULL : device->group;
    return g == NULL ? status : g->transport->open(NULL, g, status, timeout_s, NULL, NULL);
}

bigint_status members_open(bigint_ctx *ctx, const group_device *device, bigint_status so_far) {
    bigint_ctx *contexts[EXCHANGE_MEMBERS_MAX];
    unsigned made = 0;
    bigint_status status = so_far;
    if (status == BIGINT_OK && ctx->options.stream != NULL) {
        status = bigint_fail(ctx, BIGINT_EINVAL,
                             "options.stream: a group has a stream for each member; leave it NULL");
    }
    ctx->device.process = getpid();  // whose threads the members are
    if (status == BIGINT_OK) {
        status = open_contexts(ctx, device, contexts, &made);
    }
    status = group_open(ctx, device, contexts, status);
    for (unsigned i = 0; i < made && status != BIGINT_OK; i++) {
        bigint_ctx_destroy(contexts[i]);
    }
    return status;
}

void members_close(bigint_ctx *ctx) {
    const group *const g = ctx->group;
    if (g == NULL) {
        return;
    }
    bigint_ctx *contexts[EXCHANGE_MEMBERS_MAX];
    const unsigned local = g->local;
    for (unsigned i = 0; i < local; i++) {
        contexts[i] = g->seats[i].self.ctx;
    }
    group_close(ctx);  // first: no thread works on a context then
    for (unsigned i = 0; i < local; i++) {
        bigint_ctx_destroy(contexts[i]);
    }
}

void members_trim(bigint_ctx *ctx) {
    for (unsigned i = 0; ctx->group != NULL && i < ctx->group->local; i++) {
        bigint_ctx_trim(ctx->group->seats[i].self.ctx);
    }
}

bigint_status members_sync(bigint_ctx *ctx) {
    bigint_status status = BIGINT_OK;
    for (unsigned i = 0; ctx->group != NULL && i < ctx->group->local && status == BIGINT_OK; i++) {
        status = bigint_sync(ctx->group->seats[i].self.ctx);
        if (status != BIGINT_OK) {
            bigint_fail(ctx, status, "bigint_sync: member %u of the group: %s",
                        ctx->group->first + i, bigint_ctx_error(ctx->group->seats[i].self.ctx));
        }
    }
    return status;
}
