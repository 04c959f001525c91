// product_ours.h: a product on a device by the public call. Plain C; includes the public header and
// product_gmp.h.
#ifndef BENCH_MUL_PRODUCT_OURS_H_
#define BENCH_MUL_PRODUCT_OURS_H_

#include <stdbool.h>

#include "bench/mul/product_gmp.h"
#include "bigint/bigint.h"
#include "primitives/words/result.h"

// product_ours: a product on a context of the stream that it is first enqueued on. All is set by
// the caller but device, ctx and the integers, which are zero.
typedef struct {
    const char *engine;
    bigint_device *device;
    bigint_ctx *ctx;
    const uint64_t *limbs[2];
    uint64_t n;
    bigint a, b, r;
    bool square, checks, certified;
    const unsigned *cluster;  // NULL: the device's own
} product_ours;

// product_ours_enqueue enqueues it; self is a product_ours. In mode certified it also waits.
bool product_ours_enqueue(void *self, cuda_stream stream);
void product_ours_close(product_ours *o);
// product_ours_check: product_check of the last product.
void product_ours_check(const product_ours *o, product_gmp *gmp);
// product_ours_serves: whether the engine has a plan for factors of n limbs; prints why not.
bool product_ours_serves(const char *engine, uint64_t n);

#endif  // BENCH_MUL_PRODUCT_OURS_H_
