// around_bench.c: the calls around a product on a device, each against the plain products that do
// the same, alternating in one process.
//
// Limbs in device memory to limbs there. Cases:
//   prepared    bigint_mul_prep of two numbers; rival: bigint_mul
//   sum         bigint_mul_sum of `count` products; rival: these products and their sums
//   unbalanced  a product by a number of 2^-1 to 2^-6 of the length; rival: of two of the length
//   alike       bigint_mul_batch of `count` products; rival: these products, one by one
//   ragged      the same with lengths between 2^(LG - 6) and 2^LG bits, their logarithms drawn
//   capped      bigint_mul where the workspace may be three quarters, a half or a quarter of what
//               the best plan takes (op); rival: without a cap
//
// Batches and capped products are timed call by call: batches are compared with many calls, and
// capped products may release memory. Everything else is timed in graphs. Prints a table; with
// --out appends records (bench/schema.md) to FOLDER/<chip>-product-around.jsonl. All results of
// both sides, as the timed calls left them, are compared with GMP's. A wrong one ends the program
// with status 1 and without its record.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/device/record.h"
#include "bench/mul/around_factors.h"
#include "primitives/cuda/runtime.h"
#include "tests/support/device.h"

enum { LG_LEAST = 12, LG_TO = 28 };  // from 64 limbs on, of which 2^-6 is one
// Ragged batches: how much shorter the shortest numbers are, and the longest, as logarithms.
enum { LG_RAGGED = 6, LG_RAGGED_TO = 24 };

typedef struct {
    device_run run;
    unsigned asked;  // bit i for cases[i]
    cuda_stream stream;
} bench;

// row: one line: ours and the rival.
typedef struct {
    const char *name, *op;
    const around_factors *ours, *rival;
    around_way way;
    uint64_t cap;
    bool enqueued;  // timed call by call
} row;

// --- A row ---------------------------------------------------------------------------------------

static uint64_t peak(const around_contender *c) {
    bigint_counters counters;
    bigint_ctx_counters(c->ctx, &counters);
    return counters.workspace_peak;
}

static void record(const bench *b, const row *r, const around_contender side[2],
                   const device_times *times) {
    const around_factors *const f = r->ours;
    char plan[300] = "", more[700], note[400];
    if (bigint_explain(side[0].ctx, plan, sizeof plan, NULL, f->an_most, f->bn_most) != BIGINT_OK) {
        around_stop(r->name, bigint_ctx_error(side[0].ctx));
    }
    snprintf(more, sizeof more,
             ",\"bits\":%" PRIu64 ",\"an\":%" PRIu64 ",\"bn\":%" PRIu64 ",\"cap_bytes\":%" PRIu64
             ",\"workspace_bytes\":%" PRIu64 ",\"rival_workspace_bytes\":%" PRIu64
             ",\"graph\":%s,\"plan\":\"%s\"",
             64 * f->an_most, 64 * f->an_most, 64 * f->bn_most, r->cap, peak(&side[0]),
             peak(&side[1]), r->enqueued ? "false" : "true", plan);
    snprintf(note, sizeof note, "%s, by %" PRIu64 " bits: %s", r->name, 64 * f->bn_most, plan);
    const device_line line = {.topic = "product-around",
                              .op = r->op,
                              .variant = "tuned",
                              .n = f->an_most,
                              .rows = f->count,
                              .bytes = around_bytes(f),
                              .times = times,
                              .rival = "bigint_mul",
                              .kase = r->name,
                              .more = more,
                              .note = note,
                              .chosen = true};
    device_record(&b->run, &line);
}

// measure times and checks the row.
static void measure(const bench *b, const row *r) {
    around_contender side[2];
    around_open(&side[0], r->ours, r->way, r->cap, b->stream);
    around_open(&side[1], r->rival, r->way == AROUND_SUM ? AROUND_ADDED : AROUND_PLAIN, 0,
                b->stream);
    const size_t bytes = (size_t)around_bytes(r->ours) / 2;
    device_copying copy = {device_alloc(bytes), device_alloc(bytes), bytes};
    const device_side sides[] = {{around_enqueue, &side[0], r->enqueued},
                                 {around_enqueue, &side[1], r->enqueued},
                                 {device_copy_enqueue, &copy, r->enqueued}};
    device_times times[3];
    const unsigned calls = bytes > (size_t)1 << 22 ? 2 : 20;
    if (!device_time(b->stream, sides, 3, calls, b->run.quick ? 5 : 11, times)) {
        around_stop(r->name, "a contender failed");
    }
    around_check(&side[0]), around_check(&side[1]);
    record(b, r, side, times);
    device_free((void *)copy.from), device_free(copy.to);
    around_close(&side[0]), around_close(&side[1]);
}

// --- Cases ---------------------------------------------------------------------------------------

static uint64_t limbs_of(unsigned lg) { return UINT64_C(1) << lg >> 6; }

// against_plain measures a way to multiply `count` pairs of numbers of 2^lg bits.
static void against_plain(const bench *b, const char *name, around_way way, unsigned lg,
                          uint64_t count) {
    const uint64_t n = limbs_of(lg), least = way == AROUND_RAGGED ? n >> LG_RAGGED : 0;
    around_factors *f = around_factors_make(count, n, n, least);
    const bool batch = way == AROUND_RAGGED || way == AROUND_ALIKE;
    measure(b, &(row){name, "mul", f, f, way, 0, batch});
    around_factors_free(f);
}

static void prepared(const bench *b, unsigned lg) {
    against_plain(b, "prepared", AROUND_PREPARED, lg, 1);
}

// GMP is slow at sums of long products.
static void sum(const bench *b, unsigned lg) {
    for (uint64_t terms = 2; terms <= 8 && terms << lg <= UINT64_C(1) << LG_TO; terms *= 2) {
        against_plain(b, "sum", AROUND_SUM, lg, terms);
    }
}

static void alike(const bench *b, unsigned lg) {
    const uint64_t count = lg <= 20 ? AROUND_PAIRS_MAX : AROUND_PAIRS_MAX << 20 >> lg;
    if (count > 1) {
        against_plain(b, "alike", AROUND_ALIKE, lg, count);
    }
}

static void ragged(const bench *b, unsigned lg) {
    if (lg <= LG_RAGGED_TO) {
        against_plain(b, "ragged", AROUND_RAGGED, lg, AROUND_PAIRS_MAX);
    }
}

static void unbalanced(const bench *b, unsigned lg) {
    static const unsigned shifts[] = {1, 2, 4, 6};
    const uint64_t n = limbs_of(lg);
    around_factors *square = around_factors_make(1, n, n, 0);
    for (unsigned i = 0; i < sizeof shifts / sizeof *shifts; i++) {
        around_factors *f = around_factors_make(1, n, n >> shifts[i], 0);
        measure(b, &(row){"unbalanced", "mul", f, square, AROUND_PLAIN, 0, false});
        around_factors_free(f);
    }
    around_factors_free(square);
}

// workspace: a product's workspace on a context with this cap; 0 if no plan fits.
static uint64_t workspace(uint64_t n, uint64_t cap) {
    const bigint_ctx_options options = {.max_workspace_bytes = cap};
    bigint_device *device = NULL;
    bigint_ctx *ctx = NULL;
    uint64_t bytes = 0;
    if (bigint_device_open(&device, 0, "cuda") != BIGINT_OK ||
        bigint_ctx_create(&ctx, device, &options) != BIGINT_OK) {
        around_stop(bigint_device_error(device), bigint_ctx_error(ctx));
    }
    if (bigint_workspace_bytes(ctx, &bytes, n, n) != BIGINT_OK) {
        printf("left out: %s\n", bigint_ctx_error(ctx));
    }
    bigint_ctx_destroy(ctx);
    bigint_device_close(device);
    return bytes;
}

static void capped(const bench *b, unsigned lg) {
    static const char *const names[] = {"0", "1/4", "1/2", "3/4"};
    const uint64_t n = limbs_of(lg), most = workspace(n, 0);
    around_factors *f = around_factors_make(1, n, n, 0);
    for (unsigned quarters = 3; quarters > 0; quarters--) {
        const uint64_t cap = most / 4 * quarters;
        if (workspace(n, cap) > 0) {
            measure(b, &(row){"capped", names[quarters], f, f, AROUND_PLAIN, cap, true});
        }
    }
    around_factors_free(f);
}

static const struct {
    const char *name;
    void (*run)(const bench *b, unsigned lg);
    unsigned step;  // of lg
} cases[] = {{"prepared", prepared, 1}, {"sum", sum, 2},       {"unbalanced", unbalanced, 2},
             {"alike", alike, 2},       {"ragged", ragged, 2}, {"capped", capped, 4}};
enum { CASES = sizeof cases / sizeof *cases };

// --- The command line ----------------------------------------------------------------------------

enum { CASE = 1 };

static const struct argp_option options[] = {
    {"case", CASE, "NAME", 0,
     "prepared, sum, unbalanced, alike, ragged or capped (default: all); may be repeated", 0},
    {0}};

static unsigned case_named(const char *name, const struct argp_state *state) {
    unsigned i = 0;
    while (i < CASES && strcmp(cases[i].name, name) != 0) {
        i++;
    }
    if (i == CASES) {
        argp_error(state, "--case: no case is called '%s'", name);
    }
    return i;
}

static error_t parse(int key, char *value, struct argp_state *state) {
    bench *const b = state->input;
    switch (key) {
        case CASE:
            b->asked |= 1u << case_named(value, state);
            break;
        case ARGP_KEY_END:
            b->asked = b->asked == 0 ? (1u << CASES) - 1 : b->asked;
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
            "Times the calls around a product on a device, each against the plain products "
            "that do the same, and checks every result."};
    bench b = {.run.range = {.sizes = "Numbers of 2^N bits:",
                             .from = 14,
                             .to = LG_TO,
                             .least = LG_LEAST,
                             .most = LG_TO,
                             .quick = 20}};
    device_run_start(&b.run, &own, &b, argc, argv);
    if (cuda_stream_create(&b.stream) != RESULT_OK) {
        around_stop("no stream", "");
    }
    const device_range *const r = &b.run.range;
    for (unsigned i = 0; i < CASES; i++) {
        for (unsigned lg = r->from; lg <= r->to && (b.asked >> i & 1) != 0; lg += cases[i].step) {
            cases[i].run(&b, lg);
        }
    }
    cuda_stream_destroy(b.stream);
    return 0;
}
