// gpu.c: see gpu.h.
#define _POSIX_C_SOURCE 200809L  // pthread_sigmask
#include "bindings/gmp/gpu.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "bigint/bigint.h"
#include "bindings/gmp/memory.h"

uint64_t gpu_least = UINT64_MAX;

// All but `busy` and `products` belongs to the thread that has set `busy`.
static struct {
    bool busy, failed;
    bool checks;
    int place;
    uint64_t products;
    bigint_ctx *ctx;
    memory_list memory;  // of the context, on the host
} gpu;

uint64_t gpu_products(void) { return __atomic_load_n(&gpu.products, __ATOMIC_RELAXED); }

void gpu_start(int place, uint64_t least, bool checks) {
    gpu.place = place;
    gpu.checks = checks;
    gpu_least = least;
}

// open_device makes the context, or reports why there is none.
static bool open_device(void) {
    const bigint_ctx_options options = {
        .engine = "auto",
        .variant = "auto",
        .mode = "exact",
        .checks = gpu.checks,
        .allocator = {memory_allocate, memory_release, &gpu.memory},
    };
    bigint_device *device;
    bigint_status status = bigint_device_open(&device, gpu.place, "cuda");
    if (status == BIGINT_OK) {
        status = bigint_ctx_create(&gpu.ctx, device, &options);
    }
    if (status != BIGINT_OK) {
        const char *const why =
            gpu.ctx != NULL ? bigint_ctx_error(gpu.ctx) : bigint_device_error(device);
        fprintf(stderr, "liblongmul_gmp: LONGMUL_GMP_DEVICE=%d is ignored: %s\n", gpu.place, why);
        bigint_ctx_destroy(gpu.ctx);
        gpu.ctx = NULL;
    }
    bigint_device_close(device);
    return status == BIGINT_OK;
}

static bigint_status multiply(uint64_t *rp, const uint64_t *ap, uint64_t an, const uint64_t *bp,
                              uint64_t bn) {
    const bool square = ap == bp && an == bn;
    bigint a = BIGINT_INIT, b = BIGINT_INIT, r = BIGINT_INIT;
    uint64_t rn = 0;
    bigint_status status = bigint_set_limbs(gpu.ctx, &a, ap, an, 1);
    if (status == BIGINT_OK && !square) {
        status = bigint_set_limbs(gpu.ctx, &b, bp, bn, 1);
    }
    if (status == BIGINT_OK) {
        status = bigint_mul(gpu.ctx, &r, &a, square ? &a : &b);
    }
    if (status == BIGINT_OK) {
        status = bigint_get_limbs(gpu.ctx, rp, an + bn, &rn, NULL, &r);
    }
    if (status == BIGINT_OK) {
        memset(rp + rn, 0, (an + bn - rn) * sizeof *rp);
    }
    bigint_clear(gpu.ctx, &a);
    bigint_clear(gpu.ctx, &b);
    bigint_clear(gpu.ctx, &r);
    return status;
}

bigint_status gpu_mul(uint64_t *rp, const uint64_t *ap, uint64_t an, const uint64_t *bp,
                      uint64_t bn) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    bigint_status status = BIGINT_EDEVICE;
    if (!__atomic_exchange_n(&gpu.busy, true, __ATOMIC_ACQUIRE)) {
        gpu.failed = gpu.failed || (gpu.ctx == NULL && !open_device());
        if (!gpu.failed) {
            status = multiply(rp, ap, an, bp, bn);
            gpu.failed = status == BIGINT_EDEVICE;
            if (status == BIGINT_ENOMEM) {
                bigint_ctx_trim(gpu.ctx);
            }
        }
        if (gpu.failed) {  // everything is the host's from now on
            __atomic_store_n(&gpu_least, UINT64_MAX, __ATOMIC_RELAXED);
        }
        __atomic_store_n(&gpu.busy, false, __ATOMIC_RELEASE);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (status == BIGINT_OK) {
        __atomic_fetch_add(&gpu.products, 1, __ATOMIC_RELAXED);
    }
    return status;
}
