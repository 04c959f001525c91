// product_bench.c: products on a device against a pipeline of cuFFT's transforms and a copy,
// alternating in one process.
//
// mul and sqr run through bigint_mul with limbs in device memory. Forced shapes (--shape:
// logarithms of rows and columns; columns 0 is one launch by a cluster; digits of up to BITS bits,
// 64 by default, modulo PRIMES primes, 3 by default) are timed as the sum of their steps. --shapes
// is product_shapes.h, --host product_host.h, --certified product_certified.h. --cluster adds rows
// if the device has such clusters.
//
// The rival is a pipeline of cuFFT's transforms (product_rival.h).
//
// Prints a table; with --out appends records (bench/schema.md) to FOLDER/<chip>-product.jsonl, rows
// of --engine, --cluster and --checks to FOLDER/<chip>-product-engines.jsonl. For floating-point
// engines a record states the largest error of a coefficient and the proved bound. It also has
// GMP's times, measured right after ours, on one core of the host and on all cores, each with its
// own product. Every product, as the timed calls left it, is compared with GMP's, above 2^28 bits
// modulo 2^61 - 1 and another prime. A wrong one ends the program with status 1 and without its
// record.
#define _POSIX_C_SOURCE 199309L
#include <gmp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "apps/program.h"
#include "bench/device/record.h"
#include "bench/fft/cufft.h"
#include "bench/mul/product_certified.h"
#include "bench/mul/product_gmp.h"
#include "bench/mul/product_host.h"
#include "bench/mul/product_ours.h"
#include "bench/mul/product_rival.h"
#include "bench/mul/product_roundoff.h"
#include "bench/mul/product_shapes.h"
#include "bench/mul/product_steps.h"
#include "bigint/core/context.h"
#include "fft/device/modular/convolution.h"
#include "primitives/cuda/runtime.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

enum { SIZES_MAX = 64, SHAPES_MAX = 64, CLUSTERS_MAX = 8 };
enum { ENGINES_MAX = 8, HOST_THREADS = 12, SHAPES_LG_MOST = 30, LG_MOST = 40 };

typedef struct {
    device_run run;
    cufft *rival;
    const char *cufft_path;
    unsigned sizes, shapes, clusters, engines;
    unsigned all_shapes;  // the logarithm of their points; 0: none
    unsigned cluster[CLUSTERS_MAX];
    const char *engine[ENGINES_MAX];  // NULL: the library's choice, the default
    uint64_t bits[SIZES_MAX];
    product_shape shape[SHAPES_MAX];
    bool steps, once, host, checks, certified;
} bench;

// --- Rows ----------------------------------------------------------------------------------------

static void record(const bench *b, const product_ours *o, const device_times *times,
                   const product_gmp *gmp, product_roundoff roundoff) {
    char plan[300] = "", more[500], variant[32] = "tuned", off[80] = "";
    if (bigint_explain(o->ctx, plan, sizeof plan, NULL, o->n, o->n) != BIGINT_OK) {
        product_stop(bigint_ctx_error(o->ctx), 64 * o->n);
    }
    if (o->cluster != NULL) {
        snprintf(variant, sizeof variant, "cluster-%u", *o->cluster);
    }
    if (roundoff.bound > 0) {
        snprintf(off, sizeof off, ",\"roundoff\":%.4g,\"roundoff_bound\":%.4g", roundoff.observed,
                 roundoff.bound);
    }
    snprintf(more, sizeof more,
             ",\"plan\":\"%s\",\"bits\":%" PRIu64
             ",\"gmp\":\"%s\",\"gmp_ns\":%.0f,\"gmp_cores\":%u,\"gmp_cores_ns\":%.0f%s",
             plan, 64 * o->n, gmp_version, gmp->core_ns, gmp->cores, gmp->cores_ns, off);
    if (o->checks) {
        snprintf(variant, sizeof variant, "checked");
    }
    const bool chosen = o->cluster == NULL && o->engine == NULL && !o->checks;
    const device_line line = {.topic = chosen ? "product" : "product-engines",
                              .op = o->square ? "sqr" : "mul",
                              .variant = variant,
                              .engine = o->engine,
                              .n = o->n,
                              .rows = 1,
                              .bytes = 32.0 * (double)o->n,
                              .times = times,
                              .rival = cufft_name(b->rival),
                              .kase = o->square ? "sqr" : "mul",
                              .more = more,
                              .note = plan,
                              .chosen = chosen};
    device_record(&b->run, &line);
}

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// bench_once: the second product on a context, waited for; the first one makes tables and room.
static void bench_once(const bench *b, uint64_t *p[2], uint64_t n, cuda_stream stream) {
    product_ours o = {.engine = b->engine[0], .limbs = {p[0], p[1]}, .n = n};
    double took = 0;
    char plan[300];
    for (int i = 0; i < 2; i++) {
        const double from = seconds();
        if (!product_ours_enqueue(&o, stream) || bigint_sync(o.ctx) != BIGINT_OK) {
            product_stop(bigint_ctx_error(o.ctx), 64 * n);
        }
        took = seconds() - from;
    }
    product_ours_check(&o, NULL);
    bigint_counters counters;
    bigint_ctx_counters(o.ctx, &counters);
    if (bigint_explain(o.ctx, plan, sizeof plan, NULL, n, n) != BIGINT_OK) {
        product_stop(bigint_ctx_error(o.ctx), 64 * n);
    }
    printf("product of 2 x %" PRIu64
           " bits once: %.3f s, %.1f GB of limbs, %.1f GB of workspace, of %.1f GB; %s\n",
           64 * n, took, 32e-9 * (double)n, 1e-9 * (double)counters.workspace_peak,
           1e-9 * (double)o.ctx->device.about.memory_bytes, plan);
    if (b->run.out != NULL) {
        FILE *f = device_record_open(&b->run, "product-once", 64 * n);
        fprintf(f,
                "\"seconds\":%.4f,\"limbs_bytes\":%" PRIu64 ",\"workspace_bytes\":%" PRIu64
                ",\"device_bytes\":%" PRIu64 ",\"plan\":\"%s\",",
                took, 32 * n, counters.workspace_peak, o.ctx->device.about.memory_bytes, plan);
        device_record_close(&b->run, f);
    }
    product_ours_close(&o);
}

// bench_products: measures products and squares of two numbers of n limbs against the rival and a
// copy, by an engine (NULL: the library's choice) and clusters of at most *cluster blocks (NULL:
// the device's limit).
static void bench_products(const bench *b, const uint64_t *limbs[2], uint64_t n, const char *engine,
                           const unsigned *cluster, cuda_stream stream) {
    if (!product_ours_serves(engine, n)) {
        return;
    }
    product_rival c;
    product_rival_open(&c, b->rival, 64 * n);
    void *copies[2] = {device_alloc(16 * n), device_alloc(16 * n)};
    for (int square = 0; square < 2; square++) {
        product_ours o = {.engine = engine,
                          .limbs = {limbs[0], limbs[1]},
                          .n = n,
                          .square = square != 0,
                          .checks = b->checks,
                          .cluster = cluster};
        device_copying copy = {copies[0], copies[1], 16 * n};
        const device_side sides[] = {{product_ours_enqueue, &o, false},
                                     {product_rival_enqueue, &c, false},
                                     {device_copy_enqueue, &copy, false}};
        device_times times[3];
        const unsigned calls = n > UINT64_C(1) << 19 ? 2 : 20;
        if (!device_time(stream, sides, 3, calls, b->run.quick ? 5 : 11, times)) {
            product_stop("a contender failed", 64 * n);
        }
        product_gmp gmp;
        product_ours_check(&o, &gmp);
        record(b, &o, times, &gmp, product_roundoff_of(o.ctx, &o.r, &o.a, square ? &o.a : &o.b));
        product_ours_close(&o);
    }
    device_free(copies[0]), device_free(copies[1]);
    product_rival_close(&c);
}

static void bench_size(const bench *b, uint64_t bits) {
    const uint64_t n = (bits + 63) / 64;
    gen g = gen_seed(n);
    uint64_t *p[2] = {program_memory(n, 8, "an operand"), program_memory(n, 8, "an operand")};
    gen_limbs(&g, GEN_UNIFORM, p[0], n);
    gen_limbs(&g, GEN_UNIFORM, p[1], n);
    const uint64_t *limbs[2] = {p[0], p[1]};
    cuda_stream stream = NULL;
    if (cuda_stream_create(&stream) != RESULT_OK) {
        product_stop("no stream", bits);
    }
    if (b->once) {
        bench_once(b, p, n, stream);
    } else if (b->host) {
        product_host(&b->run, limbs, n, 1);
        product_host(&b->run, limbs, n, HOST_THREADS);
    } else if (b->certified) {
        for (unsigned i = 0; i < b->engines; i++) {
            product_certified(&b->run, limbs, n, b->engine[i], stream);
        }
    } else if (b->shapes == 0) {
        for (unsigned i = 0; i < b->engines; i++) {
            bench_products(b, limbs, n, b->engine[i], NULL, stream);
        }
        for (unsigned i = 0; i < b->clusters; i++) {
            bench_products(b, limbs, n, NULL, &b->cluster[i], stream);
        }
    }
    for (unsigned i = 0; i < b->shapes; i++) {
        product_steps(&b->run, limbs, n, &b->shape[i]);
    }
    if (b->steps) {
        product_steps(&b->run, limbs, n, NULL);
    }
    cuda_stream_destroy(stream);
    free(p[0]), free(p[1]);
}

// --- The command line ----------------------------------------------------------------------------

enum { CUFFT = 1, BITS, STEPS, ENGINE, CLUSTER, ONCE, HOST, CHECKS, CERTIFIED, SHAPE, SHAPES };

static const struct argp_option options[] = {
    {"bits", BITS, "N", 0, "Operands of N bits instead, of several N if repeated", 0},
    {"steps", STEPS, NULL, 0, "Each kernel alone, too", 0},
    {"engine", ENGINE, "NAME", 0, "Force an engine; may be repeated", 0},
    {"cluster", CLUSTER, "N", 0,
     "Clusters of up to N blocks too, 0 for several launches at any size; may be repeated", 0},
    {"once", ONCE, NULL, 0, "A second product by the host's clock, for sizes that take seconds", 0},
    {"host", HOST, NULL, 0, "Limbs in host memory, with one and with several threads", 0},
    {"checks", CHECKS, NULL, 0, "With the library's own check", 0},
    {"certified", CERTIFIED, NULL, 0, "The engines in mode certified against mode exact", 0},
    {"shape", SHAPE, "PIECES,OUTER,ROWS,COLUMNS[,PRIMES,BITS]", 0,
     "Force a shape of the transforms; may be repeated", 0},
    {"shapes", SHAPES, "LG", 0, "All shapes of up to 2^LG points, and nothing else", 0},
    {"cufft", CUFFT, "LIBRARY", 0, "The rival's library, if it is not found by itself", 0},
    {0}};

static product_shape shape_of(const char *value, const struct argp_state *state) {
    product_shape s = {.primes = FFT_PRIMES_USED, .most = 64};
    int end = 0;  // behind four numbers or six
    (void)sscanf(value, "%2u,%2u,%2u,%2u%n,%2u,%3u%n", &s.pieces, &s.lg_outer, &s.lg_rows,
                 &s.lg_columns, &end, &s.primes, &s.most, &end);
    if (end == 0 || value[end] != '\0' || s.primes < FFT_PRIMES_USED ||
        s.primes > FFT_MODULAR_PRIMES) {
        argp_error(state, "--shape: '%s' is no shape", value);
    }
    return s;
}

static error_t parse(int key, char *value, struct argp_state *state) {
    bench *const b = state->input;
    switch (key) {
        case CUFFT:
            b->cufft_path = value;
            break;
        case BITS:
            b->bits[device_run_another(&b->sizes, SIZES_MAX, state)] =
                device_run_number(state, "bits", value, 1, UINT64_C(1) << LG_MOST);
            break;
        case STEPS:
            b->steps = true;
            break;
        case ONCE:
            b->once = true;
            break;
        case HOST:
            b->host = true;
            break;
        case CHECKS:
            b->checks = true;
            break;
        case CERTIFIED:
            b->certified = true;
            break;
        case ENGINE:
            b->engine[device_run_another(&b->engines, ENGINES_MAX, state)] = value;
            break;
        case CLUSTER:
            b->cluster[device_run_another(&b->clusters, CLUSTERS_MAX, state)] =
                (unsigned)device_run_number(state, "cluster", value, 0, 1 << 10);
            break;
        case SHAPE:
            b->shape[device_run_another(&b->shapes, SHAPES_MAX, state)] = shape_of(value, state);
            break;
        case SHAPES:
            b->all_shapes = (unsigned)device_run_number(state, "shapes", value, 1, SHAPES_LG_MOST);
            break;
        case ARGP_KEY_END:
            b->engines += b->engines == 0;
            break;
        default:
            return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

int main(int argc, char **argv) {
    static const struct argp own = {
        .options = options,
        .parser = parse,
        .doc =
            "Times products on a device against a pipeline of cuFFT's transforms and a copy, "
            "and checks every result."};
    bench b = {.run.range = {.sizes = "Operands of 2^N bits:",
                             .from = 14,
                             .to = 28,
                             .least = 6,
                             .most = LG_MOST,
                             .quick = 20}};
    device_run_start(&b.run, &own, &b, argc, argv);
    char why[300];
    b.rival = cufft_open(b.cufft_path, why, sizeof why);
    if (b.rival == NULL) {
        fprintf(stderr, "product_bench: no cuFFT: %s\n", why);
        return EXIT_IO;
    }
    if (b.all_shapes > 0) {
        product_shapes(&b.run, b.all_shapes);
        cufft_close(b.rival);
        return 0;
    }
    for (unsigned i = 0; i < b.sizes; i++) {
        bench_size(&b, b.bits[i]);
    }
    for (unsigned lg = b.run.range.from; b.sizes == 0 && lg <= b.run.range.to; lg++) {
        bench_size(&b, UINT64_C(1) << lg);
    }
    cufft_close(b.rival);
    return 0;
}
