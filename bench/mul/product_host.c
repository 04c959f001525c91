// product_host.c: product_host.h over the public calls and primitives/cuda/runtime.h.
#define _DEFAULT_SOURCE  // MAP_ANONYMOUS
#include "bench/mul/product_host.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "apps/program.h"
#include "bench/mul/product_gmp.h"
#include "bigint/bigint.h"
#include "primitives/cuda/runtime.h"

enum { WARMUPS = 2, SAMPLES = 11, QUICK_SAMPLES = 5 };

// Nanoseconds of one sample: all of it without a stop, and so into memory that is new to the
// process; operands to the device, product, result to the host; as many bytes by the link alone,
// there and back.
enum { WHOLE, FRESH, UP, PRODUCT, DOWN, LINK, TIMES };

typedef struct {
    bigint_device *device;
    bigint_ctx *ctx;
    bigint a, b, r;
    const uint64_t *limbs[2];
    uint64_t n, *got, *want;  // 2 n limbs; want: the product, after the first one
    void *there, *pinned;     // as many bytes, for the link
    cuda_stream stream;
} host_product;

static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static void expect(const host_product *h, bool done) {
    if (!done) {
        const char *why = bigint_ctx_error(h->ctx);
        product_stop(why[0] != 0 ? why : "the runtime failed", 64 * h->n);
    }
}

static void close_all(host_product *h) {
    bigint *const all[] = {&h->a, &h->b, &h->r};
    for (int i = 0; i < 3; i++) {
        bigint_clear(h->ctx, all[i]);
    }
    bigint_ctx_destroy(h->ctx);
    bigint_device_close(h->device);
    cuda_release_idle(h->there);
    cuda_unpin(h->pinned);
    cuda_stream_destroy(h->stream);
    free(h->got), free(h->want);
}

static void set(host_product *h) {
    expect(h, bigint_set_limbs(h->ctx, &h->a, h->limbs[0], h->n, 1) == BIGINT_OK &&
                  bigint_set_limbs(h->ctx, &h->b, h->limbs[1], h->n, 1) == BIGINT_OK);
}

static void multiply(host_product *h) {
    expect(h, bigint_mul(h->ctx, &h->r, &h->a, &h->b) == BIGINT_OK);
}

static void get(host_product *h, uint64_t *to) {
    uint64_t need = 0;
    expect(h, bigint_get_limbs(h->ctx, to, 2 * h->n, &need, NULL, &h->r) == BIGINT_OK);
    memset(to + need, 0, (2 * h->n - need) * 8);
}

static void open_all(host_product *h, unsigned threads) {
    if (cuda_stream_create(&h->stream) != RESULT_OK ||
        bigint_device_open(&h->device, 0, "cuda") != BIGINT_OK) {
        product_stop(bigint_device_error(h->device), 64 * h->n);
    }
    const bigint_ctx_options options = {.stream = h->stream, .threads = threads};
    expect(h, bigint_ctx_create(&h->ctx, h->device, &options) == BIGINT_OK);
    h->got = program_memory(2 * h->n, 8, "a product");
    h->want = program_memory(2 * h->n, 8, "a product");
    expect(h, cuda_allocate(&h->there, 16 * h->n, h->stream) == RESULT_OK &&
                  cuda_pin(&h->pinned, 16 * h->n) == RESULT_OK);
    set(h), multiply(h), get(h, h->want);
    product_check(h->want, h->limbs[0], h->limbs[1], h->n, NULL);
    memset(h->got, 0, 16 * h->n), memset(h->pinned, 0, 16 * h->n);
}

// there_and_back: 16 n bytes each way, as the operands and the product are.
static void there_and_back(host_product *h) {
    expect(h, cuda_copy(h->there, h->pinned, 16 * h->n, h->stream) == RESULT_OK &&
                  cuda_copy(h->pinned, h->there, 16 * h->n, h->stream) == RESULT_OK);
}

static void settle(const host_product *h) { expect(h, bigint_sync(h->ctx) == BIGINT_OK); }

static void expect_right(const host_product *h, const uint64_t *to) {
    if (memcmp(to, h->want, 16 * h->n) != 0) {
        product_stop("wrong product", 64 * h->n);
    }
}

// whole: all of it, into {to, 2 n}.
static double whole(host_product *h, uint64_t *to) {
    settle(h);
    const double from = now_ns();
    set(h), multiply(h), get(h, to);
    const double took = now_ns() - from;
    expect_right(h, to);
    return took;
}

// whole_fresh: the same into pages that the process gets as they are written.
static double whole_fresh(host_product *h) {
    void *const to =
        mmap(NULL, 16 * h->n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    expect(h, to != MAP_FAILED);
    const double took = whole(h, to);
    munmap(to, 16 * h->n);
    return took;
}

static void sample(host_product *h, double took[TIMES]) {
    double from, to;
    took[WHOLE] = whole(h, h->got);
    took[FRESH] = whole_fresh(h);
    from = now_ns();
    set(h), settle(h);
    took[UP] = (to = now_ns()) - from;
    multiply(h), settle(h);
    took[PRODUCT] = (from = now_ns()) - to;
    get(h, h->got);
    took[DOWN] = (to = now_ns()) - from;
    there_and_back(h), settle(h);
    took[LINK] = now_ns() - to;
    expect_right(h, h->got);
}

static int order(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void record(const device_run *run, const host_product *h, const double ns[TIMES],
                   unsigned threads, unsigned samples) {
    FILE *f = device_record_open(run, "product-host", 64 * h->n);
    fprintf(
        f,
        "\"threads\":%u,\"median_ns\":%.1f,\"fresh_ns\":%.1f,\"up_ns\":%.1f,\"product_ns\":%.1f,"
        "\"down_ns\":%.1f,\"link_ns\":%.1f,\"bytes_each_way\":%" PRIu64 ",\"samples\":%u,",
        threads, ns[WHOLE], ns[FRESH], ns[UP], ns[PRODUCT], ns[DOWN], ns[LINK], 16 * h->n, samples);
    device_record_close(run, f);
}

void product_host(const device_run *run, const uint64_t *limbs[2], uint64_t n, unsigned threads) {
    const unsigned samples = run->quick ? QUICK_SAMPLES : SAMPLES;
    host_product h = {.limbs = {limbs[0], limbs[1]}, .n = n};
    double all[TIMES][SAMPLES], took[TIMES], ns[TIMES];
    open_all(&h, threads);
    for (unsigned i = 0; i < WARMUPS + samples; i++) {
        sample(&h, took);
        for (unsigned k = 0; k < TIMES && i >= WARMUPS; k++) {
            all[k][i - WARMUPS] = took[k];
        }
    }
    for (unsigned k = 0; k < TIMES; k++) {
        qsort(all[k], samples, sizeof all[k][0], order);
        ns[k] = all[k][samples / 2];
    }
    const double bytes = 16.0 * (double)n;
    printf("host limbs, 2 x %" PRIu64
           " bits, %u threads: %.1f us, %.1f into new memory = up %.1f (%.1f GB/s) product %.1f "
           "down %.1f (%.1f GB/s); "
           "link both ways %.1f (%.1f GB/s)\n",
           64 * n, threads, ns[WHOLE] / 1e3, ns[FRESH] / 1e3, ns[UP] / 1e3, bytes / ns[UP],
           ns[PRODUCT] / 1e3, ns[DOWN] / 1e3, bytes / ns[DOWN], ns[LINK] / 1e3,
           2 * bytes / ns[LINK]);
    program_flush();
    if (run->out != NULL) {
        record(run, &h, ns, threads, samples);
    }
    close_all(&h);
}
