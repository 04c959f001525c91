// context.c: contexts: their lifetime, and the options that decide how products are computed.
#include <string.h>

#include "bigint/api/device_calls.h"
#include "bigint/api/members.h"
#include "bigint/api/open.h"
#include "bigint/core/arena.h"
#include "bigint/core/check.h"
#include "bigint/core/context.h"
#include "bigint/core/device_integer.h"
#include "bigint/core/device_stream.h"
#include "bigint/core/kept.h"
#include "bigint/core/names.h"
#include "bigint/device/device.h"
#include "bigint/group/group_integer.h"
#include "bigint/multiply/float.h"
#include "bigint/multiply/modular.h"
#include "bigint/multiply/mul.h"

enum { NAMES_TEXT = 128 };

// --- Context -------------------------------------------------------------------------------------

// choose_engine, choose_variant: from the option, else the environment, else the best.
static bigint_status choose_engine(bigint_ctx *ctx, const char *name) {
    const char *source = "options.engine";
    if (name == NULL) {
        name = open_environment("BIGINT_ENGINE");
        source = "BIGINT_ENGINE";
    }
    if (name == NULL || strcmp(name, "auto") == 0) {
        ctx->engine = ctx->device.backend == BACKEND_REF ? ENGINE_SCHOOLBOOK : ENGINE_AUTO;
        return BIGINT_OK;
    }
    char names[NAMES_TEXT];
    if (!names_read_engine(&ctx->engine, name)) {
        return bigint_fail(ctx, BIGINT_ENOBACKEND,
                           "%s: no engine is called '%.40s'; the engines are %s", source, name,
                           names_join(names, sizeof names, bigint_engines()));
    }
    if (!names_engine_built(ctx->engine, context_on_device(ctx))) {
        return bigint_fail(
            ctx, BIGINT_ENOBACKEND,
            "%s: engine %s is not built for backend %s; leave it unset for the best one", source,
            name, names_backend(ctx->device.backend));
    }
    return BIGINT_OK;
}

static bigint_status choose_variant(bigint_ctx *ctx, const char *name) {
    const char *source = "options.variant";
    if (name == NULL) {
        name = open_environment("BIGINT_VARIANT");
        source = "BIGINT_VARIANT";
    }
    char names[NAMES_TEXT];
    if (name == NULL || strcmp(name, "auto") == 0) {
        ctx->variant = names_best_variant(ctx->device.features);
    } else if (!names_read_variant(&ctx->variant, name)) {
        return bigint_fail(ctx, BIGINT_ENOBACKEND,
                           "%s: no variant is called '%.40s'; the variants are %s", source, name,
                           names_join(names, sizeof names, bigint_variants()));
    }
    cpu_features use;
    if (!names_variant_features(ctx->variant, ctx->device.features, &use)) {
        return bigint_fail(ctx, BIGINT_ENOBACKEND,
                           "%s: variant %s is not built, or backend %s on this machine lacks its "
                           "instructions; leave it unset for the best one",
                           source, names_variant(ctx->variant), names_backend(ctx->device.backend));
    }
    ctx->limbs = limbs_ops_for(use);
    ctx->fft = fft_ops_for(use);
    ctx->float_loops = fft_float_variant(cpu_best_simd(use));
    ctx->columns = carry_columns_for(cpu_best_simd(use));
    for (int type = 0; type < FFT_FLOATS; type++) {
        ctx->floats[type] = fft_complex_variant(cpu_best_simd(use), (fft_float)type);
    }
    return BIGINT_OK;
}

static bigint_status choose_mode(bigint_ctx *ctx, const char *mode) {
    ctx->certified = mode != NULL && strcmp(mode, "certified") == 0;
    if (mode == NULL || ctx->certified || strcmp(mode, "exact") == 0) {
        return BIGINT_OK;
    }
    return bigint_fail(ctx, BIGINT_EINVAL,
                       "options.mode: no mode is called '%.40s'; the modes are exact, certified",
                       mode);
}

static bigint_status start_team(bigint_ctx *ctx, uint32_t threads) {
    if (threads <= 1) {
        return BIGINT_OK;
    }
    const size_t bytes = team_bytes(threads);
    void *memory = context_allocate(ctx, bytes);
    if (memory == NULL) {
        return bigint_fail(ctx, BIGINT_ENOMEM,
                           "bigint_ctx_create: no memory (%zu bytes) for %lu threads", bytes,
                           (unsigned long)threads);
    }
    ctx->team = team_start(memory, threads);
    if (ctx->team == NULL) {
        context_release(ctx, memory, bytes);
        return bigint_fail(ctx, BIGINT_ENOMEM,
                           "bigint_ctx_create: the system did not start %lu threads; ask for fewer",
                           (unsigned long)threads - 1);
    }
    ctx->team_memory = memory;
    return BIGINT_OK;
}

// choose_place: the device; NULL: the host.
static bigint_status choose_place(bigint_ctx *ctx, const bigint_device *device) {
    if (device == NULL) {
        return open_place(&ctx->device, BIGINT_HOST, NULL);
    }
    ctx->device = *device;
    ctx->device.group = NULL;  // it may be closed before the context is
    ctx->away = context_on_device(ctx)  ? &device_calls
                : context_on_group(ctx) ? &group_calls
                                        : NULL;
    return device->failed;
}

// choose: what options and device say, and threads.
static bigint_status choose(bigint_ctx *ctx, const bigint_device *device) {
    const bigint_ctx_options *o = &ctx->options;
    bigint_status status = choose_place(ctx, device);
    if (status != BIGINT_OK) {
        return bigint_fail(ctx, status, "bigint_ctx_create: %s", ctx->device.error);
    }
    status = choose_mode(ctx, o->mode);
    if (status == BIGINT_OK) {
        status = choose_engine(ctx, o->engine);
    }
    if (status == BIGINT_OK) {
        status = choose_variant(ctx, o->variant);
    }
    if (status == BIGINT_OK && o->checks > 1) {
        status = bigint_fail(ctx, BIGINT_EINVAL, "options.checks: %lu is neither 0 nor 1",
                             (unsigned long)o->checks);
    }
    if (status == BIGINT_OK) {
        ctx->check_modulus = o->checks == 0 && !ctx->certified ? 0 : check_modulus_draw();
        status = start_team(ctx, o->threads);
    }
    return status;
}

static bigint_status ctx_init(bigint_ctx *ctx, const bigint_device *device) {
    const bigint_status status = choose(ctx, device);
    if (device != NULL && device->group != NULL) {
        return members_open(ctx, device->group, status);
    }
    if (status == BIGINT_OK && ctx->away != NULL) {
        return device_open(ctx);
    }
    ctx->on_host = status == BIGINT_OK;
    ctx->short_limbs = status == BIGINT_OK ? mul_short_limbs(ctx) : 0;
    ctx->few_limbs = ctx->check_modulus != 0        ? 0
                     : ctx->short_limbs < LIMBS_FEW ? ctx->short_limbs
                                                    : LIMBS_FEW;
    return status;
}

// context_block: a context's memory; the context is its start.
typedef struct {
    bigint_ctx ctx;
    atomic_bool stopped;
} context_block;

bigint_status bigint_ctx_create(bigint_ctx **out, const bigint_device *device,
                                const bigint_ctx_options *options) {
    *out = NULL;
    bigint_ctx_options o = options == NULL ? (bigint_ctx_options){0} : *options;
    if ((o.allocator.allocate == NULL) != (o.allocator.release == NULL)) {
        return members_absent(device, o.timeout_s, BIGINT_EINVAL);
    }
    if (o.allocator.allocate == NULL) {
        o.allocator = (bigint_allocator){own_allocate, own_release, NULL};
    }
    context_block *const block = o.allocator.allocate(o.allocator.user, sizeof *block);
    if (block == NULL) {
        return members_absent(device, o.timeout_s, BIGINT_ENOMEM);
    }
    bigint_ctx *const ctx = &block->ctx;
    atomic_init(&block->stopped, false);
    *ctx = (bigint_ctx){.options = o, .stopped = &block->stopped, .counters = {.allocations = 1}};
    ctx->failed = ctx_init(ctx, device);
    ctx->options.engine = ctx->options.variant = ctx->options.mode = NULL;
    *out = ctx;
    return ctx->failed;
}

void bigint_ctx_destroy(bigint_ctx *ctx) {
    if (ctx == NULL) {
        return;
    }
    members_close(ctx);
    device_close(ctx);
    bigint_ctx_trim(ctx);
    if (ctx->team != NULL) {
        team_stop(ctx->team);
        context_release(ctx, ctx->team_memory, team_bytes(ctx->options.threads));
    }
    const bigint_allocator allocator = ctx->options.allocator;
    allocator.release(allocator.user, ctx, sizeof(context_block));
}

void bigint_ctx_trim(bigint_ctx *ctx) {
    bigint_ctx_destroy(ctx->queue.carrier), bigint_ctx_destroy(ctx->queue.fetcher);
    ctx->queue.carrier = ctx->queue.fetcher = NULL;
    if (ctx->queue.open && device_enter(ctx, "bigint_ctx_trim") == BIGINT_OK) {
        device_trim(ctx);
        device_leave(ctx);
    }
    members_trim(ctx);
    kept_free(ctx);
    arena_trim(ctx);
    mul_fft_trim(ctx);
    mul_float_trim(ctx);
}

bigint_status bigint_sync(bigint_ctx *ctx) {
    if (ctx->failed != BIGINT_OK || !context_on_device(ctx)) {
        return ctx->failed != BIGINT_OK ? ctx->failed : members_sync(ctx);
    }
    bigint_status status = device_enter(ctx, "bigint_sync");
    if (status == BIGINT_OK) {
        status = device_wait(ctx, "bigint_sync");
        device_leave(ctx);
    }
    return status;
}
