// batch_bench.c: batches of products of equal shape on a device, with limbs in device memory,
// through bigint_mul_batch, differences of two products through bigint_mul_sum_batch, and products
// modulo 2^bits - 1 and 2^bits + 1. A copy of as many bytes gives the memory's peak rate.
//
// A batch has --count products, or as many as fit into 512 MiB (64 MiB with --quick). mul
// multiplies two batches of factors, common one batch by a single factor, sqr a batch by itself,
// listed two batches whose lengths are given one by one, sum is a b - a^2, counted as one, and
// minus1 and plus1 are a b modulo 2^(64 n) - 1 and 2^(64 n) + 1. Rows with --checks are variant
// `checked`, with --cap `capped`. A rival (outside.h) alternates with us where it has such
// products.
//
// Prints a table, each line with 10^6 products a second; with --out appends records
// (bench/schema.md) to FOLDER/<chip>-batch.jsonl. The first, the last and some hundred products in
// between, fewer of long ones, ours and the rival's, are compared with GMP's as the timed calls
// left them. A wrong one ends the program with status 1 and without its record.
#include <gmp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/program.h"
#include "bench/device/outside.h"
#include "bench/device/record.h"
#include "bigint/bigint.h"
#include "primitives/cuda/runtime.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

enum { SIZES_MAX = 32, COUNTS_MAX = 32, ENGINES_MAX = 4 };

// Products that are compared with GMP's: CHECKED, of more than CHECKED_LIMBS limbs fewer, but
// CHECKED_LEAST.
enum { CHECKED = 300, CHECKED_LEAST = 6, CHECKED_LIMBS = 1 << 14 };

typedef struct {
    device_run run;
    uint64_t bits[SIZES_MAX], count[COUNTS_MAX];
    const char *engine[ENGINES_MAX];  // NULL: the library's choice, the default
    unsigned sizes, counts, engines;
    bool checks;
    uint64_t cap;  // bytes of workspace, 0: none
    outside_rival rival;
} bench;

typedef enum { OP_MUL, OP_COMMON, OP_SQR, OP_LISTED, OP_SUM, OP_MINUS1, OP_PLUS1, OPS } op;
static const char *const op_names[OPS] = {"mul", "common", "sqr",  "listed",
                                          "sum", "minus1", "plus1"};

// batch: the operands of one case and the context that multiplies them.
typedef struct {
    const char *engine;
    bool checks;
    uint64_t cap;
    bigint_device *device;
    bigint_ctx *ctx;
    uint64_t n, count, *limbs[2];  // on the host
    uint64_t *lengths;             // all n
    uint64_t *there[4];            // a, b, r and the rival's r on the device
    uint64_t *signs;               // there: ones, and the signs of sums
    op what;
    bigint_span r, a, b;
} batch;

static void stop(const batch *s, const char *why) {
    fprintf(stderr, "batch_bench: %" PRIu64 " x %" PRIu64 " limbs: %s%s\n", s->count, s->n, why,
            bigint_ctx_error(s->ctx));
    exit(1);
}

static bigint_status call(const batch *s) {
    switch (s->what) {
        case OP_SUM:
            return bigint_mul_sum_batch(s->ctx, &s->r, s->signs + s->count, &s->a, &s->b, NULL,
                                        &s->a, &s->a, s->signs);
        case OP_MINUS1:
            return bigint_mul_mod_2exp_minus1_batch(s->ctx, &s->r, &s->a, &s->b, 64 * s->n);
        case OP_PLUS1:
            return bigint_mul_mod_2exp_plus1_batch(s->ctx, &s->r, &s->a, &s->b, 64 * s->n);
        default:
            return bigint_mul_batch(s->ctx, &s->r, &s->a, &s->b);
    }
}

static bool batch_enqueue(void *self, cuda_stream stream) {
    batch *s = self;
    if (s->ctx == NULL) {
        const bigint_ctx_options options = {.stream = stream,
                                            .engine = s->engine,
                                            .checks = s->checks,
                                            .max_workspace_bytes = s->cap};
        if (bigint_device_open(&s->device, 0, "cuda") != BIGINT_OK ||
            bigint_ctx_create(&s->ctx, s->device, &options) != BIGINT_OK) {
            return false;
        }
    }
    return call(s) == BIGINT_OK;
}

static batch batch_open(uint64_t n, uint64_t count) {
    batch s = {.n = n, .count = count};
    gen g = gen_seed(n);
    for (int k = 0; k < 2; k++) {
        s.limbs[k] = program_memory(s.count, 8 * n, "factors");
        s.there[k] = device_alloc(8 * n * s.count);
        for (uint64_t i = 0; i < s.count; i++) {
            const gen_shape shape = i % 50 == 7 ? (gen_shape)(i % GEN_SHAPES) : GEN_UNIFORM;
            gen_limbs(&g, shape, s.limbs[k] + i * n, n);
        }
        if (!device_upload(s.there[k], s.limbs[k], 8 * n * s.count)) {
            stop(&s, "no memory");
        }
    }
    s.lengths = program_memory(s.count, 8, "lengths");
    for (uint64_t i = 0; i < s.count; i++) {
        s.lengths[i] = n;
    }
    s.there[2] = device_alloc(8 * (2 * n + 1) * s.count);
    s.there[3] = device_alloc(8 * (2 * n + 1) * s.count);
    s.signs = device_alloc(16 * s.count);
    device_fill(s.signs, 0xFF, 16 * s.count);
    return s;
}

static void batch_close(batch *s) {
    for (int k = 0; k < 4; k++) {
        device_free(s->there[k]);
    }
    device_free(s->signs);
    free(s->limbs[0]), free(s->limbs[1]), free(s->lengths);
}

static void batch_set(batch *s, op what) {
    s->a = (bigint_span){s->there[0], s->n, s->n, s->count, NULL, NULL};
    s->b = (bigint_span){s->there[1], s->n, what == OP_COMMON ? 0 : s->n, s->count, NULL, NULL};
    s->a.lengths = what == OP_LISTED ? s->lengths : NULL;
    s->b = what == OP_SQR ? s->a : s->b;
    const uint64_t rn = what == OP_MINUS1  ? s->n
                        : what == OP_PLUS1 ? s->n + 1
                        : what == OP_SUM   ? 2 * s->n + 1
                                           : 2 * s->n;
    s->r = (bigint_span){s->there[2], rn, rn, s->count, NULL, NULL};
    s->what = what;
    device_fill(s->there[2], 0x5A, 8 * rn * s->count);
    device_fill(s->there[3], 0x5A, 8 * rn * s->count);
}

// fold: {want, n}, the residue of {want, 2 n} modulo B^n - 1; or {want, n + 1} modulo B^n + 1.
static void fold(uint64_t *want, mp_size_t n, bool plus) {
    if (plus) {
        const mp_limb_t negative = mpn_sub_n(want, want, want + n, n);
        want[n] = mpn_add_1(want, want, n, negative);
        return;
    }
    mp_limb_t over = mpn_add_n(want, want, want + n, n);
    mpn_add_1(want, want, n, over);
    over = mpn_add_1(want, want, n, 1);  // B^n - 1 is 0
    mpn_sub_1(want, want, n, 1 - over);
}

// wanted: {want, s->r.n}, GMP's result of item i, with room for 2 n + 1 limbs; returns whether a
// sum is negative.
static bool wanted(const batch *s, op what, uint64_t i, uint64_t *want) {
    const uint64_t *const a = s->limbs[0] + i * s->n;
    const uint64_t *const b = what == OP_SQR      ? a
                              : what == OP_COMMON ? s->limbs[1]
                                                  : s->limbs[1] + i * s->n;
    const mp_size_t n = (mp_size_t)s->n;
    mpn_mul_n(want, a, b, n);
    if (what == OP_MINUS1 || what == OP_PLUS1) {
        fold(want, n, what == OP_PLUS1);
    }
    if (what != OP_SUM) {
        return false;
    }
    uint64_t *const square = program_memory(2 * s->n, 8, "a square");
    mpn_sqr(square, a, n);
    const bool negative = mpn_cmp(want, square, 2 * n) < 0;
    mpn_sub_n(want, negative ? square : want, negative ? want : square, 2 * n);
    want[2 * n] = 0;
    free(square);
    return negative;
}

static void batch_check(const batch *s, op what, const uint64_t *there) {
    const uint64_t rn = s->r.n;
    uint64_t *got = program_memory(rn, 8, "a product");
    uint64_t *want = program_memory(2 * s->n + 1, 8, "a product");
    const uint64_t fewer = CHECKED * (uint64_t)CHECKED_LIMBS / s->n;
    const uint64_t checked = fewer > CHECKED         ? CHECKED
                             : fewer > CHECKED_LEAST ? fewer
                                                     : CHECKED_LEAST;
    const uint64_t first = checked / 3;
    for (uint64_t k = 0; k < checked; k++) {
        const uint64_t i =
            k < first ? k % s->count : (s->count - 1) * (k - first + 1) / (checked - first);
        uint64_t sign = 0;
        const bool negative = wanted(s, what, i, want);
        if (!device_download(got, there + rn * i, 8 * rn) || memcmp(got, want, 8 * rn) != 0 ||
            (what == OP_SUM &&
             (!device_download(&sign, s->signs + s->count + i, 8) || sign != (negative ? 1 : 0)))) {
            stop(s, there == s->there[2] ? "a product is wrong" : "the rival's product is wrong");
        }
    }
    free(got), free(want);
}

static void bench_case(const bench *b, batch *s, op what) {
    const uint64_t operands = what == OP_COMMON || what == OP_SQR ? 1 : 2;
    const uint64_t bytes = 8 * s->n * s->count * (operands + 2);
    batch_set(s, what);
    device_copying copy = {device_alloc(bytes / 2), device_alloc(bytes / 2), bytes / 2};
    outside_batch rival = {&b->rival, op_names[what], 64 * s->n,
                           s->count,  s->there[3],    {s->there[0], s->there[1]}};
    const bool beside = outside_has(&b->rival, op_names[what], 64 * s->n);
    // A long list goes through the staging, which waits for its slots.
    device_side sides[3] = {{batch_enqueue, s, what == OP_LISTED}, {outside_side, &rival, false}};
    sides[1 + beside] = (device_side){device_copy_enqueue, &copy, false};
    device_times times[3];
    cuda_stream stream = NULL;
    if (cuda_stream_create(&stream) != RESULT_OK ||
        !device_time(stream, sides, 2 + beside, 2, b->run.quick ? 5 : 11, times) ||
        !device_energy(stream, sides, 1 + beside, 2, b->run.energy, times)) {
        stop(s, "");
    }
    batch_check(s, what, s->there[2]);
    if (beside) {
        batch_check(s, what, s->there[3]);
    }
    const double rate = 1e3 * (double)s->count / times[0].median_ns;
    char note[80], more[120];
    snprintf(note, sizeof note, "%" PRIu64 " bits: %.1f M/s", 64 * s->n, rate);
    snprintf(more, sizeof more, ",\"bits\":%" PRIu64 ",\"products_per_s\":%.0f", 64 * s->n,
             1e6 * rate);
    const device_line line = {.topic = "batch",
                              .op = op_names[what],
                              .variant = s->checks    ? "checked"
                                         : s->cap > 0 ? "capped"
                                                      : "tuned",
                              .engine = s->engine,
                              .n = s->n,
                              .rows = s->count,
                              .bytes = (double)bytes,
                              .times = times,
                              .rival = beside ? b->rival.name : NULL,
                              .kase = op_names[what],
                              .more = more,
                              .note = note,
                              .chosen = s->engine == NULL && !s->checks && s->cap == 0};
    device_record(&b->run, &line);
    device_free((void *)copy.from), device_free(copy.to);
    bigint_ctx_destroy(s->ctx);
    bigint_device_close(s->device);
    cuda_stream_destroy(stream);
    s->ctx = NULL;
    s->device = NULL;
}

static void bench_count(const bench *b, uint64_t n, uint64_t count) {
    batch s = batch_open(n, count);
    s.checks = b->checks;
    s.cap = b->cap;
    for (unsigned e = 0; e < b->engines; e++) {
        s.engine = b->engine[e];
        for (int what = 0; what < OPS; what++) {
            bench_case(b, &s, (op)what);
        }
    }
    batch_close(&s);
}

static void bench_size(const bench *b, uint64_t bits) {
    const uint64_t n = (bits + 63) / 64;
    for (unsigned i = 0; i < b->counts; i++) {
        bench_count(b, n, b->count[i]);
    }
    if (b->counts == 0) {
        bench_count(b, n, (UINT64_C(1) << (b->run.quick ? 26 : 29)) / (16 * n));
    }
}

// --- The command line ----------------------------------------------------------------------------

enum { BITS = 1, COUNT, ENGINE, CHECKS, CAP, RIVAL };

static const struct argp_option options[] = {
    {"bits", BITS, "N", 0, "Numbers of N bits (default: 64 to 2^26); may be repeated", 0},
    {"count", COUNT, "N", 0, "Products of a batch (default: as many as fit); may be repeated", 0},
    {"engine", ENGINE, "NAME", 0, "Force an engine; may be repeated", 0},
    {"checks", CHECKS, NULL, 0, "With the library's own check", 0},
    {"cap", CAP, "MIB", 0, "With at most so much workspace", 0},
    {"rival", RIVAL, "LIBRARY", 0, "A rival's library (bench/schema.md)", 0},
    {0}};

static error_t parse(int key, char *value, struct argp_state *state) {
    bench *const b = state->input;
    const char *error;
    switch (key) {
        case BITS:
            b->bits[device_run_another(&b->sizes, SIZES_MAX, state)] =
                device_run_number(state, "bits", value, 1, UINT64_C(1) << 32);
            break;
        case COUNT:
            b->count[device_run_another(&b->counts, COUNTS_MAX, state)] =
                device_run_number(state, "count", value, 1, UINT64_C(1) << 32);
            break;
        case ENGINE:
            b->engine[device_run_another(&b->engines, ENGINES_MAX, state)] = value;
            break;
        case CHECKS:
            b->checks = true;
            break;
        case CAP:
            b->cap = device_run_number(state, "cap", value, 1, UINT64_C(1) << 20) << 20;
            break;
        case RIVAL:
            if (!outside_open(&b->rival, value, &error)) {
                argp_error(state, "--rival %s: %s", value, error);
            }
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
            "Times batches of products of equal shape on a device against a copy, and checks "
            "results."};
    bench b = {.sizes = 0};
    device_run_start(&b.run, &own, &b, argc, argv);
    for (unsigned i = 0; i < b.sizes; i++) {
        bench_size(&b, b.bits[i]);
    }
    for (uint64_t bits = 64; b.sizes == 0 && bits <= UINT64_C(1) << 26; bits *= 2) {
        bench_size(&b, bits);
    }
    return 0;
}
