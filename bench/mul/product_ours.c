// product_ours.c: see product_ours.h.
#include "bench/mul/product_ours.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/program.h"
#include "bigint/core/context.h"

static bool product_ours_open(product_ours *o, cuda_stream stream) {
    const bigint_ctx_options options = {.stream = stream,
                                        .engine = o->engine,
                                        .checks = o->checks,
                                        .mode = o->certified ? "certified" : NULL};
    if (bigint_device_open(&o->device, 0, "cuda") != BIGINT_OK ||
        bigint_ctx_create(&o->ctx, o->device, &options) != BIGINT_OK) {
        return false;
    }
    unsigned *const cluster = &o->ctx->queue.cluster;
    *cluster = o->cluster != NULL && *o->cluster < *cluster ? *o->cluster : *cluster;
    return bigint_set_limbs(o->ctx, &o->a, o->limbs[0], o->n, 1) == BIGINT_OK &&
           bigint_set_limbs(o->ctx, &o->b, o->limbs[1], o->n, 1) == BIGINT_OK;
}

bool product_ours_serves(const char *engine, uint64_t n) {
    bigint_ctx *ctx = NULL;
    bigint_device *device = NULL;
    char plan[300];
    const bool serves =
        bigint_device_open(&device, 0, "cuda") == BIGINT_OK &&
        bigint_ctx_create(&ctx, device, &(bigint_ctx_options){.engine = engine}) == BIGINT_OK &&
        bigint_explain(ctx, plan, sizeof plan, NULL, n, n) == BIGINT_OK;
    if (!serves) {
        printf("left out: %s%s\n", bigint_device_error(device), bigint_ctx_error(ctx));
    }
    bigint_ctx_destroy(ctx);
    bigint_device_close(device);
    return serves;
}

bool product_ours_enqueue(void *self, cuda_stream stream) {
    product_ours *o = self;
    if (o->ctx == NULL && !product_ours_open(o, stream)) {
        fprintf(stderr, "product_bench: %s%s\n", bigint_device_error(o->device),
                bigint_ctx_error(o->ctx));
        return false;
    }
    const bigint_status status = bigint_mul(o->ctx, &o->r, &o->a, o->square ? &o->a : &o->b);
    if (status != BIGINT_OK) {
        fprintf(stderr, "product_bench: %s\n", bigint_ctx_error(o->ctx));
    }
    return status == BIGINT_OK;
}

void product_ours_close(product_ours *o) {
    bigint_clear(o->ctx, &o->a), bigint_clear(o->ctx, &o->b), bigint_clear(o->ctx, &o->r);
    bigint_ctx_destroy(o->ctx);
    bigint_device_close(o->device);
}

void product_ours_check(const product_ours *o, product_gmp *gmp) {
    uint64_t *r = program_memory(2 * o->n, 8, "a product"), need = 0;
    if (bigint_get_limbs(o->ctx, r, 2 * o->n, &need, NULL, &o->r) != BIGINT_OK) {
        product_stop(bigint_ctx_error(o->ctx), 64 * o->n);
    }
    memset(r + need, 0, (2 * o->n - need) * 8);
    product_check(r, o->limbs[0], o->limbs[o->square ? 0 : 1], o->n, gmp);
    free(r);
}
