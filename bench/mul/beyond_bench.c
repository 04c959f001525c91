// beyond_bench.c: products of integers in host memory by a context on a device, to operands that do
// not fit there.
//
// Two roofs stand beside each time. Link: the operands to the device or the product back, whichever
// is more, at the rate of pinned memory. Compute: the product of operands in device memory; from
// LG_WHOLE on as many products of that length as it takes. The bound is the longer of compute and
// the way of the operands to the device and of half of the product back, because the upper half
// depends on all of both operands. Every product is compared with GMP's, above 2^28 bits modulo
// 2^61 - 1 and another prime; a wrong one ends the program with status 1 and without its record.
//
// With --pinned integers come from an allocator whose memory is pinned, so that the link copies
// them without threads and staging.
//
// The first product goes to memory that is new to the process, and is no sample. All threads draw
// the operands, a chunk at a time, so they make the pages too.
//
// Prints a table; with --out appends records (bench/schema.md) to
// FOLDER/<chip>-product-beyond.jsonl, with --pinned to FOLDER/<chip>-product-pinned.jsonl.
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
#include "primitives/words/team.h"
#include "tests/support/gen.h"

enum { LG_WHOLE = 35, LG_LINK = 30 };
enum { SAMPLES = 4, LG_TWICE = 37 };
enum { CHUNK = 1 << 18 };  // limbs that a thread draws at a time

typedef struct {
    device_run run;
    bool pinned;
    bigint_device *device;
    bigint_ctx *ctx, *host;
    team *threads;
    double up, down;  // bytes a nanosecond by the link
    double whole_ns;  // a product of 2^LG_WHOLE bits on the device, 0: not measured yet
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

// told prints what ended, and when, for rows that take long.
static void told(const char *what, double from) {
    printf("  %s: %.1f s\n", what, (now_ns() - from) / 1e9);
    program_flush();
}

// --- Operands ------------------------------------------------------------------------------------

typedef struct {
    uint64_t *p, n, seed;
} drawing;

static void draw_chunk(void *arg, size_t index, unsigned worker) {
    const drawing *const d = arg;
    const uint64_t from = index * (uint64_t)CHUNK,
                   until = d->n - from < CHUNK ? d->n : from + CHUNK;
    gen g = gen_seed(d->seed << 32 | index);
    (void)worker;
    for (uint64_t i = from; i < until; i++) {
        d->p[i] = gen_u64(&g);
    }
}

static void draw(const bench *b, bigint *x, uint64_t n, uint64_t seed) {
    drawing d = {NULL, n, seed};
    if (bigint_limbs_write(b->host, &d.p, x, n) != BIGINT_OK) {
        program_no_memory("an operand of %" PRIu64 " limbs", n);
    }
    team_run(b->threads, draw_chunk, &d, (n - 1) / CHUNK + 1);
    d.p[n - 1] |= UINT64_C(1) << 63;
    expect(b, 0, bigint_limbs_finish(b->host, x, n, 1) == BIGINT_OK);
}

// --- Rows ----------------------------------------------------------------------------------------

// whole_ns: the product of the lowest n limbs of both in device memory, by the host's clock, the
// second time.
static double whole_ns(const bench *b, unsigned lg, const bigint *x, const bigint *y) {
    const uint64_t n = (UINT64_C(1) << lg) / 64;
    bigint there[2] = {BIGINT_INIT, BIGINT_INIT}, r = BIGINT_INIT;
    double took = 0;
    expect(b, lg,
           bigint_set_limbs(b->ctx, &there[0], bigint_limbs_read(x), n, 1) == BIGINT_OK &&
               bigint_set_limbs(b->ctx, &there[1], bigint_limbs_read(y), n, 1) == BIGINT_OK);
    for (int i = 0; i < 2; i++) {
        expect(b, lg, bigint_sync(b->ctx) == BIGINT_OK);
        const double from = now_ns();
        expect(b, lg,
               bigint_mul(b->ctx, &r, &there[0], &there[1]) == BIGINT_OK &&
                   bigint_sync(b->ctx) == BIGINT_OK);
        took = now_ns() - from;
    }
    bigint_clear(b->ctx, &there[0]), bigint_clear(b->ctx, &there[1]), bigint_clear(b->ctx, &r);
    bigint_ctx_trim(b->ctx);
    return took;
}

static double compute_ns(bench *b, unsigned lg, const bigint *x, const bigint *y) {
    if (lg < LG_WHOLE) {
        return whole_ns(b, lg, x, y);
    }
    b->whole_ns = b->whole_ns > 0 ? b->whole_ns : whole_ns(b, LG_WHOLE, x, y);
    return b->whole_ns * (double)(UINT64_C(1) << 2 * (lg - LG_WHOLE));
}

static double longer(double a, double b) { return a > b ? a : b; }

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

// rates: nanoseconds of a row.
typedef struct {
    double median, fresh, link, compute, bound;
    unsigned samples;
} rates;

static void report(const bench *b, unsigned lg, const rates *t) {
    const double roof = longer(t->compute, t->link);
    printf(
        "2 x 2^%u bits in %s memory, %u threads: %.1f ms, %.1f to new memory; link %.1f, compute "
        "%.1f, bound %.1f; %.0f %% of the roof\n",
        lg, b->pinned ? "pinned" : "host", b->run.range.threads, t->median / 1e6, t->fresh / 1e6,
        t->link / 1e6, t->compute / 1e6, t->bound / 1e6, 100 * roof / t->median);
    program_flush();
    if (b->run.out != NULL) {
        FILE *const f = device_record_open(&b->run, b->pinned ? "product-pinned" : "product-beyond",
                                           UINT64_C(1) << lg);
        fprintf(f,
                "\"threads\":%u,\"median_ns\":%.0f,\"fresh_ns\":%.0f,\"link_ns\":%.0f,"
                "\"compute_ns\":%.0f,\"bound_ns\":%.0f,\"roof\":\"%s\",\"roof_share\":%.4f,"
                "\"bytes_each_way\":%" PRIu64 ",\"samples\":%u,",
                b->run.range.threads, t->median, t->fresh, t->link, t->compute, t->bound,
                t->compute > t->link ? "compute" : "link", roof / t->median,
                (UINT64_C(1) << lg) / 4, t->samples);
        device_record_close(&b->run, f);
    }
}

static void row(bench *b, unsigned lg) {
    const uint64_t n = (UINT64_C(1) << lg) / 64;
    const unsigned all = lg >= LG_TWICE || b->run.quick ? 3 : SAMPLES;
    bigint x = BIGINT_INIT, y = BIGINT_INIT, r = BIGINT_INIT;
    double times[SAMPLES];
    double from = now_ns();
    draw(b, &x, n, 3), draw(b, &y, n, 4);
    told("operands drawn", from);
    rates t = {.compute = compute_ns(b, lg, &x, &y), .samples = all - 1};
    for (unsigned i = 0; i < all; i++) {
        from = now_ns();
        expect(b, lg, bigint_mul(b->ctx, &r, &x, &y) == BIGINT_OK);
        times[i] = now_ns() - from;
        told("product", from);
    }
    from = now_ns();
    bigint_ctx_trim(b->ctx);
    check(&r, &x, &y, n);
    told("checked", from);
    t.fresh = times[0];
    qsort(times + 1, t.samples, sizeof times[0], order);
    t.median = times[1 + t.samples / 2];
    const double bytes = 16 * (double)n;
    t.link = longer(bytes / b->up, bytes / b->down);
    t.bound = longer(t.compute, bytes / b->up + bytes / 2 / b->down);
    report(b, lg, &t);
    bigint_clear(b->host, &x), bigint_clear(b->host, &y), bigint_clear(b->host, &r);
}

// --- The program ---------------------------------------------------------------------------------

// pinned_allocate, pinned_release: bigint_allocator of pinned memory; of what is short, of other
// memory, because pinning takes long.
enum { PINNED_FROM = 1 << 20, ALIGNMENT = 64 };

static void *pinned_allocate(void *user, size_t bytes) {
    void *p = NULL;
    (void)user;
    if (bytes < PINNED_FROM) {
        return aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    }
    return cuda_pin(&p, bytes) == RESULT_OK ? p : NULL;
}

static void pinned_release(void *user, void *p, size_t bytes) {
    (void)user;
    if (bytes < PINNED_FROM) {
        free(p);
    } else {
        cuda_unpin(p);
    }
}

static const struct argp_option options[] = {
    {"pinned", 'p', NULL, 0, "integers in pinned memory", 0}, {0}};

static error_t parse(int key, char *value, struct argp_state *state) {
    bench *const b = state->input;
    (void)value;
    if (key == 'p') {
        b->pinned = true;
    }
    return key == 'p' ? 0 : ARGP_ERR_UNKNOWN;
}

// start_team: NULL, a team of one, where there is no memory.
static team *start_team(unsigned threads, void **memory) {
    *memory = aligned_alloc(64, (team_bytes(threads) + 63) / 64 * 64);
    return *memory == NULL ? NULL : team_start(*memory, threads);
}

int main(int argc, char **argv) {
    static const struct argp own = {
        .options = options,
        .parser = parse,
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
    bigint_ctx_options of_device = {.threads = b.run.range.threads}, of_host = {0};
    if (b.pinned) {
        of_device.allocator = of_host.allocator =
            (bigint_allocator){pinned_allocate, pinned_release, NULL};
    }
    if (bigint_device_open(&b.device, 0, "cuda") != BIGINT_OK) {
        product_stop(bigint_device_error(b.device), 0);
    }
    expect(&b, 0, bigint_ctx_create(&b.ctx, b.device, &of_device) == BIGINT_OK);
    expect(&b, 0, bigint_ctx_create(&b.host, NULL, &of_host) == BIGINT_OK);
    void *memory;
    b.threads = start_team(b.run.range.threads, &memory);
    measure_link(&b);
    for (unsigned lg = b.run.range.from; lg <= b.run.range.to; lg++) {
        row(&b, lg);
    }
    team_stop(b.threads);
    free(memory);
    bigint_ctx_destroy(b.ctx), bigint_ctx_destroy(b.host);
    bigint_device_close(b.device);
    return 0;
}
