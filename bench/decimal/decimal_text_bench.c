// decimal_text_bench.c: the papers' multiplication whole, on a device: from decimal text to decimal
// text, carries included. Each pipeline alternates in one process with the same one on cuFFT's
// transforms, which has the same splits, pointwise products and carries.
//
// Factors have 2^10 to 2^23 digits unless said otherwise; rows are one product and a batch of 2^24
// / (2 N) products, as in the papers. Pipelines: complex points without imaginary parts
// (Complex-ID) and reals (Real-ID) in FP32 and FP64, tiled convolution with atomics (Tiling-based)
// and without, each with the papers' carries in two phases and with the library's scan in base 10;
// in FP64, and tiled without atomics, also in the largest base that is proved exact. The rival of
// tiled products is Real-CuFFT in FP64. Beside one short product stands the CPU's schoolbook.
//
// Prints a table; with --out appends records (bench/schema.md) to
// FOLDER/<chip>-decimal-text.jsonl. Every product of every contender is compared with the exact
// one, which the proved pipeline makes and residues modulo 2^61 - 1 confirm. A wrong digit in FP64
// or in a proved base ends the program with status 1; in FP32 the record counts them.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/program.h"
#include "bench/decimal/contender.h"
#include "bench/decimal/schoolbook.h"
#include "bench/decimal/texts.h"
#include "bench/device/record.h"
#include "bench/fft/options.h"
#include "bench/harness.h"
#include "bench/host.h"

enum {
    LG_FROM = 10,
    LG_TO = 23,
    LG_BATCH = 23,  // digits of one side's factors in a batch
    LG_BATCH_QUICK = 16,
    LG_TILED_WORK = 39,       // products of digits in a call: a millisecond or two
    LG_SCHOOLBOOK_MOST = 14,  // digits of a factor
    SAMPLES = 7,
    SCHOOLBOOK_SAMPLES = 5,
};

static const struct {
    const char *op, *variant, *engine;
    decimal_way way;
} pipelines[] = {
    {"complex-f64",
     "two-phase",
     "complex-fft",
     {.method = DECIMAL_COMPLEX, .k = 1, .two_phase = true}},
    {"complex-f64", "scan", "complex-fft", {.method = DECIMAL_COMPLEX, .k = 1}},
    {"complex-f64", "largest-base", "complex-fft", {.method = DECIMAL_COMPLEX}},
    {"complex-f32",
     "two-phase",
     "complex-fft-f32",
     {.method = DECIMAL_COMPLEX, .single = true, .k = 1, .two_phase = true}},
    {"complex-f32", "scan", "complex-fft-f32", {.method = DECIMAL_COMPLEX, .single = true, .k = 1}},
    {"real-f64", "two-phase", "real-fft", {.method = DECIMAL_REAL, .k = 1, .two_phase = true}},
    {"real-f64", "scan", "real-fft", {.method = DECIMAL_REAL, .k = 1}},
    {"real-f64", "largest-base", "real-fft", {.method = DECIMAL_REAL}},
    {"real-f32",
     "two-phase",
     "real-fft-f32",
     {.method = DECIMAL_REAL, .single = true, .k = 1, .two_phase = true}},
    {"real-f32", "scan", "real-fft-f32", {.method = DECIMAL_REAL, .single = true, .k = 1}},
    {"tiled-atomics",
     "two-phase",
     "tiled",
     {.method = DECIMAL_TILED, .k = 1, .two_phase = true, .atomics = true}},
    {"tiled", "two-phase", "tiled", {.method = DECIMAL_TILED, .k = 1, .two_phase = true}},
    {"tiled", "scan", "tiled", {.method = DECIMAL_TILED, .k = 1}},
    {"tiled", "largest-base", "tiled", {.method = DECIMAL_TILED}},
};
enum { PIPELINES = sizeof pipelines / sizeof *pipelines };

// A row's times: ours, the rival's, a copy of the texts, our carry alone; and wrong digits.
typedef struct {
    device_times times[4];
    uint64_t wrong[2];
} measured;

static double mdata(const texts *t, double ns) { return 2e3 * (double)(t->n * t->rows) / ns; }

// record: a row; `more` begins with a comma.
static void record(const fft_bench_options *asked, const texts *t, const char *op,
                   const char *variant, const char *engine, const measured *m, const char *rival,
                   const char *more) {
    const double ours = mdata(t, m->times[0].median_ns), theirs = mdata(t, m->times[1].median_ns);
    char name[32], fields[FFT_ID_SPEC_BYTES + 400], note[200];
    snprintf(name, sizeof name, "%s%s", op, t->rows > 1 ? "-batch" : "");
    snprintf(fields, sizeof fields,
             ",\"mdata_s\":%.1f,\"rival_mdata_s\":%.1f,\"wrong_digits\":%" PRIu64
             ",\"rival_wrong_digits\":%" PRIu64 "%s",
             ours, theirs, m->wrong[0], m->wrong[1], more);
    snprintf(note, sizeof note, "%.0f MData/s, rival's %.0f; wrong %" PRIu64 ", rival's %" PRIu64,
             ours, theirs, m->wrong[0], m->wrong[1]);
    const device_line line = {.topic = "decimal-text",
                              .op = name,
                              .variant = variant,
                              .engine = engine,
                              .n = t->n,
                              .rows = t->rows,
                              .bytes = 4.0 * (double)(t->n * t->rows),
                              .times = m->times,
                              .rival = rival,
                              .kase = "mul",
                              .more = fields,
                              .note = note};
    device_record(&asked->run, &line);
}

// wrong_digits: of one run of a side. Where rounding is proved exact, or in FP64, there are none.
static uint64_t wrong_digits(const texts *t, const device_side *side, const contender *c) {
    texts_spoil(t);
    if (!side->enqueue(side->self, NULL)) {
        texts_stop("a contender failed", t->n);
    }
    const uint64_t wrong = texts_wrong(t);
    if (wrong > 0 && (c->plan.proved || !c->plan.way.single)) {
        texts_stop("a contender is wrong", t->n);
    }
    return wrong;
}

static void measure(const fft_bench_options *asked, const texts *t, contender *ours,
                    contender *theirs, measured *m) {
    device_copying copy = {t->spare, t->out, 2 * t->n * t->rows};
    const device_side sides[] = {{contender_run, ours, false},
                                 {contender_cufft, theirs, false},
                                 {device_copy_enqueue, &copy, false},
                                 {contender_carry, ours, false}};
    const unsigned calls = t->n * t->rows >= 1 << 21 ? 4 : 20;
    // The carry alone takes the coefficients that the first side has left. Nothing may be enqueued
    // on another stream here: two runs at once would share a workspace.
    if (!device_time(NULL, sides, 4, calls, asked->run.quick ? 3 : SAMPLES, m->times) ||
        !device_energy(NULL, sides, 2, calls, asked->run.energy, m->times)) {
        texts_stop("a contender failed", t->n);
    }
    m->wrong[0] = wrong_digits(t, &sides[0], ours);
    m->wrong[1] = wrong_digits(t, &sides[1], theirs);
}

// --- Rows ----------------------------------------------------------------------------------------

// schoolbook_row: one product on the CPU, beside the rival's time in `beside`.
static void schoolbook_row(const fft_bench_options *asked, const texts *t, const measured *beside,
                           const char *rival) {
    double ns[SCHOOLBOOK_SAMPLES];
    int32_t *const work = program_memory(3 * t->n, sizeof *work, "coefficients");
    for (int i = 0; i < SCHOOLBOOK_SAMPLES; i++) {
        const double from = bench_now();
        schoolbook_multiply(t->found, t->factor[0], t->factor[1], t->n, work);
        ns[i] = bench_now() - from;
        if (memcmp(t->found, t->exact[0], 2 * t->n) != 0) {
            texts_stop("the schoolbook is wrong", t->n);
        }
    }
    free(work);
    bench_times times;
    bench_statistics(ns, SCHOOLBOOK_SAMPLES, &times);
    measured m = *beside;
    m.wrong[0] = 0;
    m.times[0] = (device_times){.median_ns = times.median,
                                .min_ns = times.min,
                                .spread = times.spread,
                                .stream_ns = times.median,
                                .single_ns = times.median,
                                .samples = SCHOOLBOOK_SAMPLES};
    char more[160];
    snprintf(more, sizeof more, ",\"k\":1,\"host\":\"%s\"", bench_host_get().cpu);
    record(asked, t, "schoolbook", "host", "schoolbook", &m, rival, more);
}

// pipeline_row: one pipeline, and its rival.
static void pipeline_row(const fft_bench_options *asked, const cufft *library, const texts *t,
                         unsigned which, measured *m) {
    const decimal_way *const way = &pipelines[which].way;
    const bool tiled = way->method == DECIMAL_TILED;
    const decimal_way real = {.method = DECIMAL_REAL, .k = 1, .two_phase = way->two_phase};
    contender ours, rival;
    contender_open(&ours, t, way, tiled ? NULL : library);
    if (tiled) {
        contender_open(&rival, t, &real, library);
    }
    measure(asked, t, &ours, tiled ? &rival : &ours, m);
    char spec[FFT_ID_SPEC_BYTES], more[FFT_ID_SPEC_BYTES + 160];
    if (tiled) {
        snprintf(spec, sizeof spec, "tiles of %u digits", 1u << ours.plan.lg_tile);
    } else {
        fft_id_print(&ours.plan.forward, spec, sizeof spec);
    }
    snprintf(more, sizeof more,
             ",\"k\":%u,\"proved\":%s,\"carry_ns\":%.1f,\"carry_share\":%.4f,\"plan\":\"%s\"",
             ours.plan.way.k, ours.plan.proved ? "true" : "false", m->times[3].median_ns,
             m->times[3].median_ns / m->times[0].median_ns, spec);
    record(asked, t, pipelines[which].op, pipelines[which].variant, pipelines[which].engine, m,
           cufft_name(library), more);
    contender_close(&ours);
    if (tiled) {
        contender_close(&rival);
    }
}

// learn: the exact products, by the pipeline that is proved.
static void learn(texts *t) {
    const decimal_way proved = {.method = DECIMAL_REAL};
    contender c;
    contender_open(&c, t, &proved, NULL);
    texts_spoil(t);
    if (!contender_run(&c, NULL)) {
        texts_stop("the exact product failed", t->n);
    }
    texts_learn(t);
    contender_close(&c);
}

static void rows_of(const fft_bench_options *asked, const cufft *library, unsigned lg,
                    uint64_t rows) {
    texts t;
    measured m, real;
    texts_open(&t, lg, rows);
    learn(&t);
    for (unsigned which = 0; which < PIPELINES; which++) {
        const decimal_way *const way = &pipelines[which].way;
        if (way->method == DECIMAL_TILED &&
            (t.n * t.n * rows > UINT64_C(1) << LG_TILED_WORK || t.n > DECIMAL_TILED_DIGITS_MOST)) {
            continue;
        }
        pipeline_row(asked, library, &t, which, &m);
        if (way->method == DECIMAL_REAL && !way->single && way->two_phase) {
            real = m;
        }
    }
    if (rows == 1 && lg <= LG_SCHOOLBOOK_MOST) {
        schoolbook_row(asked, &t, &real, cufft_name(library));
    }
    texts_close(&t);
}

int main(int argc, char **argv) {
    static fft_bench_options asked;
    fft_bench_start(&asked, FFT_BENCH_RANGE,
                    "Times the papers' multiplication from decimal text to decimal text, by our "
                    "transforms, by cuFFT's and by tiles, and checks every product.",
                    argc, argv);
    char why[256];
    cufft *const library = cufft_open(asked.cufft_path, why, sizeof why);
    if (library == NULL) {
        fprintf(stderr, "decimal_text_bench: %s\n", why);
        return EXIT_IO;
    }
    const unsigned lg_batch = asked.run.quick ? LG_BATCH_QUICK : LG_BATCH;
    const unsigned to = asked.run.quick ? LG_BATCH_QUICK : LG_TO;
    for (unsigned lg = asked.run.range.from > LG_FROM ? asked.run.range.from : LG_FROM;
         lg <= asked.run.range.to && lg <= to; lg++) {
        if (asked.batched && lg < lg_batch) {
            rows_of(&asked, library, lg, UINT64_C(1) << (lg_batch - lg));
        }
        if (asked.single) {
            rows_of(&asked, library, lg, 1);
        }
    }
    cufft_close(library);
    return 0;
}
