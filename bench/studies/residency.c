// residency.c: see residency.h.
#include "bench/studies/residency.h"

enum { WARP = 32 };

residency_device residency_kepler(uint32_t multiprocessors) {
    return (residency_device){multiprocessors, 16, 64, 65536, 256, 4, 48 << 10, 256, 0};
}

residency_device residency_hopper(uint32_t multiprocessors) {
    return (residency_device){multiprocessors, 32, 64, 65536, 256, 4, 228 << 10, 128, 1 << 10};
}

static uint32_t up(uint32_t n, uint32_t unit) { return (n + unit - 1) / unit * unit; }

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

uint32_t residency_most(const residency_device *d) { return d->multiprocessors * d->blocks; }

uint32_t residency_blocks(const residency_device *d, const residency_kernel *k) {
    const uint32_t warps = up(k->threads, WARP) / WARP;
    const uint32_t shared = up(k->shared + d->shared_system, d->shared_unit);
    const uint32_t registers = up(k->registers * WARP, d->register_unit);
    uint32_t each = least(d->blocks, d->warps / warps);
    if (shared > 0) {
        each = least(each, d->shared / shared);
    }
    if (registers > 0) {
        const uint32_t fit = d->registers / registers;
        each = least(each, fit / d->warp_unit * d->warp_unit / warps);
    }
    return d->multiprocessors * each;
}

bool residency_deadlocks(const residency_device *d, const residency_kernel *k, uint64_t grid) {
    return grid > residency_blocks(d, k);
}
