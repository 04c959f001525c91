// beyond_bench.c: products of integers in host memory by a context on a device, to operands that do
// not fit there.
//
// Two roofs stand beside each time. Link: the operands to the device or the product back, whichever
// is more, at the rate of pinned memory. Compute: the product of operands in device memory; from
// LG_WHOLE on as many products of that length as it takes. Every product is compared with GMP's,
// above 2^28 bits modulo 2^61 - 1 and another prime; a wrong one ends the program with status 1 and
// without its record.
//
// The first product goes to memory that is new to the process, and is no sample.
//
// Prints a table; with --out appends records (bench/schema.md) to
// FOLDER/<chip>-product-beyond.jsonl.
#define _POSIX_C_SOURCE 199309L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "apps/program.h"
#include "bench/device/record.h"
#include "bench/mul/product_gmp.h"
#include "bigint/bigint.h"
#include "bigint/bigint_limbs.h"
#include "primitives/cuda/runtime.h"
#include "tests/support/gen.h"

enum { LG_WHOLE = 35, LG_LINK = 30 };
enum { SAMPLES = 4, LG_TWICE = 35 };

typedef struct {
    device_run run;
    bigint_device *device;
    bigint_ctx *ctx, *host;
    double up, down;  // bytes a nanosecond by the link
} bench;

static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static void expect(const bench *b, unsigned lg, bool done) {
    if (!done) {
        const char *why = bigint_ctx_error(b->ctx);
        product_stop(why[0] != 0 ? why : "the runtime failed", UINT64_C(1) << lg);
    }
}

// copy: as many bytes by the link.
typedef struct {
    void *to;
    const void *from;
} copy;

static bool enqueue_copy(void *self, cuda_stream stream) {
    const copy *const c = self;
    return cuda_copy(c->to, c->from, UINT64_C(1) << LG_LINK, stream) == RESULT_OK;
}

// measure_link: the rates of pinned memory, each way.
static void measure_link(bench *b) {
    const uint64_t bytes = UINT64_C(1) << LG_LINK;
    void *there = NULL, *pinned = NULL;
    device_times times[2];
    bool ok =
        cuda_allocate(&there, bytes, NULL) == RESULT_OK && cuda_pin(&pinned, bytes) == RESULT_OK;
    copy up = {there, pinned}, down = {pinned, there};
    const device_side sides[] = {{enqueue_copy, &up, false}, {enqueue_copy, &down, false}};
    ok = ok && device_time(NULL, sides, 2, 1, SAMPLES, times);
    expect(b, LG_LINK, ok);
    b->up = (double)bytes / times[0].median_ns;
    b->down = (double)bytes / times[1].median_ns;
    cuda_release_idle(there), cuda_unpin(pinned);
}

static void draw(const bench *b, bigint *x, uint64_t n, uint64_t seed) {
    uint64_t *const limbs = program_memory(n, sizeof *limbs, "an operand");
    gen g = gen_seed(seed);
    for (uint64_t i = 0; i < n; i++) {
        limbs[i] = gen_u64(&g);
    }
    limbs[n - 1] |= UINT64_C(1) << 63;
    expect(b, 0, bigint_set_limbs(b->host, x, limbs, n, 1) == BIGINT_OK);
    free(limbs);
}

// compute_ns: the product of operands in device memory, by the host's clock, the second time.
static double compute_ns(const bench *b, unsigned lg) {
    const unsigned whole = lg < LG_WHOLE ? lg : LG_WHOLE;
    const uint64_t n = (UINT64_C(1) << whole) / 64;
    bigint x = BIGINT_INIT, y = BIGINT_INIT, r = BIGINT_INIT;
    double took = 0;
    draw(b, &x, n, 1), draw(b, &y, n, 2);
    expect(b, whole,
           bigint_move(b->ctx, &x, 0) == BIGINT_OK && bigint_move(b->ctx, &y, 0) == BIGINT_OK);
    for (int i = 0; i < 2; i++) {
        expect(b, whole, bigint_sync(b->ctx) == BIGINT_OK);
        const double from = now_ns();
        expect(b, whole,
               bigint_mul(b->ctx, &r, &x, &y) == BIGINT_OK && bigint_sync(b->ctx) == BIGINT_OK);
        took = now_ns() - from;
    }
    bigint_clear(b->ctx, &x), bigint_clear(b->ctx, &y), bigint_clear(b->ctx, &r);
    bigint_ctx_trim(b->ctx);
    return took * (double)(UINT64_C(1) << 2 * (lg - whole));
}

static int order(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void check(const bigint *r, const bigint *x, const bigint *y, uint64_t n) {
    if (bigint_limbs_bound(r) != 2 * n || bigint_limbs_bound(x) != n ||
        bigint_limbs_bound(y) != n) {
        product_stop("a wrong length", 64 * n);
    }
    product_check(bigint_limbs_read(r), bigint_limbs_read(x), bigint_limbs_read(y), n, NULL);
}

static void row(const bench *b, unsigned lg) {
    const uint64_t n = (UINT64_C(1) << lg) / 64;
    const unsigned samples = lg >= LG_TWICE || b->run.quick ? 2 : SAMPLES;
    const double compute = compute_ns(b, lg);
    bigint x = BIGINT_INIT, y = BIGINT_INIT, r = BIGINT_INIT;
    double all[SAMPLES], fresh = 0;
    draw(b, &x, n, 3), draw(b, &y, n, 4);
    for (unsigned i = 0; i < samples; i++) {
        const double from = now_ns();
        expect(b, lg, bigint_mul(b->ctx, &r, &x, &y) == BIGINT_OK);
        all[i] = now_ns() - from;
        fresh = i == 0 ? all[0] : fresh;
    }
    bigint_ctx_trim(b->ctx);
    check(&r, &x, &y, n);
    qsort(all + 1, samples - 1, sizeof all[0], order);
    const double ns = all[1 + (samples - 1) / 2], bytes = 16 * (double)n;
    const double link = bytes / b->up > bytes / b->down ? bytes / b->up : bytes / b->down;
    const double roof = compute > link ? compute : link;
    printf(
        "2 x 2^%u bits in host memory, %u threads: %.1f ms; link %.1f, compute %.1f; %.0f %% of "
        "the roof\n",
        lg, b->run.range.threads, ns / 1e6, link / 1e6, compute / 1e6, 100 * roof / ns);
    program_flush();
    if (b->run.out != NULL) {
        FILE *const f = device_record_open(&b->run, "product-beyond", 64 * n);
        fprintf(f,
                "\"threads\":%u,\"median_ns\":%.0f,\"fresh_ns\":%.0f,\"link_ns\":%.0f,\"compute_"
                "ns\":%.0f,"
                "\"roof\":\"%s\",\"roof_share\":%.4f,\"bytes_each_way\":%" PRIu64
                ",\"samples\":%u,",
                b->run.range.threads, ns, fresh, link, compute, compute > link ? "compute" : "link",
                roof / ns, 16 * n, samples - 1);
        device_record_close(&b->run, f);
    }
    bigint_clear(b->host, &x), bigint_clear(b->host, &y), bigint_clear(b->host, &r);
}

int main(int argc, char **argv) {
    static const struct argp own = {
        .doc =
            "Times products of integers in host memory by a context on a device, beside the "
            "link's and the device's share, and checks every product."};
    bench b = {.run.range = {.sizes = "Operands of 2^N bits:",
                             .from = 28,
                             .to = 34,
                             .least = 12,
                             .most = 40,
                             .quick = 24,
                             .threads = 12}};
    device_run_start(&b.run, &own, &b, argc, argv);
    const bigint_ctx_options own_options = {.threads = b.run.range.threads};
    if (bigint_device_open(&b.device, 0, "cuda") != BIGINT_OK) {
        product_stop(bigint_device_error(b.device), 0);
    }
    expect(&b, 0, bigint_ctx_create(&b.ctx, b.device, &own_options) == BIGINT_OK);
    expect(&b, 0, bigint_ctx_create(&b.host, NULL, NULL) == BIGINT_OK);
    measure_link(&b);
    for (unsigned lg = b.run.range.from; lg <= b.run.range.to; lg++) {
        row(&b, lg);
    }
    bigint_ctx_destroy(b.ctx), bigint_ctx_destroy(b.host);
    bigint_device_close(b.device);
    return 0;
}
