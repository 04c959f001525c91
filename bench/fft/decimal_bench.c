// decimal_bench.c: the papers' multiplication on a device: numbers of N decimal digits, one digit
// an item. Two transforms of 2 N points, a pointwise product and a transform back alternate in one
// process with the same pipeline of cuFFT's transforms.
//
// N is 2^12 to 2^23 unless said otherwise. As in the papers, rows are one product and a batch of
// 2^23 / N products, as complex numbers without imaginary parts (Complex-ID) and as reals
// (Real-ID), in FP32 and FP64. Neither side splits, scales, rounds or carries digits, and both use
// the same kernel for the pointwise product, so a row compares transforms alone. Where it is quick
// enough, tiled convolution (Tiled) computes the same coefficients (bigint/device/decimal/tiled.h).
//
// Prints a table; with --out appends records (bench/schema.md) to FOLDER/<chip>-decimal.jsonl:
// mdata_s, millions of result digits (2 N a product) a second; error, the papers' metric: the
// 2-norm of the distance to the exact coefficients, before rounding, relative to theirs; wrong, the
// coefficients that rounding gives wrongly. The exact coefficients are the FP64 result, rounded,
// which must satisfy the product's identity modulo 2^61 - 1 at a random point. The first and the
// last product of a batch are checked. A wrong coefficient in FP64 ends the program with status 1.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/program.h"
#include "bench/device/record.h"
#include "bench/fft/cufft.h"
#include "bench/fft/decimal_operands.h"
#include "bench/fft/decimal_tiles.h"
#include "bench/fft/options.h"
#include "bench/fft/pointwise.h"
#include "fft/device/complex/transform.h"
#include "tests/support/device.h"

enum { LG_FROM = 12, LG_TO = 23, SAMPLES = 11 };

// Memory for one pipeline: both inputs, both spectra and the result, as numbers of one type.
typedef struct {
    bool single, real;
    uint64_t points, batch;  // 2 N; products
    void *in[2], *spectrum[2], *out;
} arrays;

static size_t number_bytes(const arrays *a) { return a->single ? sizeof(float) : sizeof(double); }

// Numbers in a problem's input or output, and in its spectrum.
static size_t numbers(const arrays *a) { return a->real ? a->points : 2 * a->points; }
static size_t frequencies(const arrays *a) { return a->real ? a->points / 2 + 1 : a->points; }

// --- The pipelines -------------------------------------------------------------------------------

typedef struct {
    const arrays *a;
    fft_id_plan forward, inverse;
    void *workspace, *tables[2];
} ours;

static bool run_ours(void *self, cuda_stream stream) {
    const ours *o = self;
    const arrays *a = o->a;
    for (int i = 0; i < 2; i++) {
        if (fft_device_transform(&o->forward, a->in[i], a->spectrum[i], o->workspace, o->tables[0],
                                 stream) != RESULT_OK) {
            return false;
        }
    }
    return pointwise_multiply(a->spectrum[0], a->spectrum[1], a->batch * frequencies(a), a->single,
                              stream) &&
           fft_device_transform(&o->inverse, a->spectrum[0], a->out, o->workspace, o->tables[1],
                                stream) == RESULT_OK;
}

static void ours_open(ours *o, const arrays *a) {
    fft_id_problem p = {.element = a->real ? (a->single ? FFT_ID_REAL_F32 : FFT_ID_REAL_F64)
                                           : (a->single ? FFT_ID_COMPLEX_F32 : FFT_ID_COMPLEX_F64),
                        .batch = a->batch};
    fft_id_plan *const plans[] = {&o->forward, &o->inverse};
    size_t most = 0;
    o->a = a;
    if (fft_id_set_length(&p, a->points) != NULL) {
        decimal_stop("no such length", a->points / 2);
    }
    for (int i = 0; i < 2; i++) {
        p.direction = i == 0 ? FFT_ID_FORWARD : FFT_ID_INVERSE;
        if (!fft_device_plan(plans[i], &p)) {
            decimal_stop("no plan", a->points / 2);
        }
        const size_t bytes = fft_device_workspace_bytes(plans[i]);
        most = bytes > most ? bytes : most;
        o->tables[i] = decimal_room(fft_device_table_bytes(plans[i]));
        if (fft_device_tables(plans[i], o->tables[i], NULL) != RESULT_OK) {
            decimal_stop("no tables", a->points / 2);
        }
    }
    o->workspace = decimal_room(most);
}

static void ours_close(ours *o) {
    device_free(o->workspace), device_free(o->tables[0]), device_free(o->tables[1]);
}

typedef struct {
    const arrays *a;
    cufft_job job[3];  // two forward, one back
    void *workspace;
} theirs;

static bool run_theirs(void *self, cuda_stream stream) {
    theirs *t = self;
    const arrays *a = t->a;
    return cufft_enqueue(&t->job[0], stream) && cufft_enqueue(&t->job[1], stream) &&
           pointwise_multiply(a->spectrum[0], a->spectrum[1], a->batch * frequencies(a), a->single,
                              stream) &&
           cufft_enqueue(&t->job[2], stream);
}

static void theirs_open(theirs *t, const arrays *a, const cufft *library) {
    const cufft_type there =
        a->real ? (a->single ? CUFFT_R2C : CUFFT_D2Z) : (a->single ? CUFFT_C2C : CUFFT_Z2Z);
    const cufft_type back = a->real ? (a->single ? CUFFT_C2R : CUFFT_Z2D) : there;
    size_t most = 0;
    t->a = a;
    for (int i = 0; i < 3; i++) {
        t->job[i] = (cufft_job){.library = library,
                                .type = i < 2 ? there : back,
                                .inverse = i == 2,
                                .in = i < 2 ? a->in[i] : a->spectrum[0],
                                .out = i < 2 ? a->spectrum[i] : a->out};
        if (!cufft_plan(&t->job[i], a->points, a->batch)) {
            decimal_stop("the rival has no plan", a->points / 2);
        }
        most = t->job[i].workspace_bytes > most ? t->job[i].workspace_bytes : most;
    }
    t->workspace = decimal_room(most);
    for (int i = 0; i < 3; i++) {
        t->job[i].workspace = t->workspace;
        if (!cufft_give_workspace(&t->job[i])) {
            decimal_stop("the rival takes no workspace", a->points / 2);
        }
    }
}

static void theirs_close(theirs *t) {
    for (int i = 0; i < 3; i++) {
        cufft_forget(&t->job[i]);
    }
    device_free(t->workspace);
}

// --- Digits and results --------------------------------------------------------------------------

static void put(void *to, const arrays *a, size_t i, double x) {
    const size_t at = a->real ? i : 2 * i;
    if (a->single) {
        ((float *)to)[at] = (float)x;
    } else {
        ((double *)to)[at] = x;
    }
}

static double get(const void *from, const arrays *a, size_t i) {
    const size_t at = a->real ? i : 2 * i;
    return (a->single ? (double)((const float *)from)[at] : ((const double *)from)[at]) /
           (double)a->points;
}

// arrays_open: products 1 to batch - 2 have the digits of the first one.
static void arrays_open(arrays *a, const decimal_operands *o) {
    const size_t bytes = numbers(a) * number_bytes(a);
    const size_t spectrum = 2 * frequencies(a) * number_bytes(a) * a->batch;
    char *const host = program_memory(a->batch, bytes, "operands");
    for (int i = 0; i < 2; i++) {
        for (size_t k = 0; k < o->n; k++) {
            put(host, a, k, o->digit[i][k]);
        }
        for (uint64_t b = 1; b < a->batch; b++) {
            memcpy(host + b * bytes, host, bytes);
        }
        for (size_t k = 0; k < o->n && a->batch > 1; k++) {
            put(host + (a->batch - 1) * bytes, a, k, o->digit[2 + i][k]);
        }
        a->in[i] = decimal_room(bytes * a->batch);
        a->spectrum[i] = decimal_room(spectrum);
        if (!device_upload(a->in[i], host, bytes * a->batch)) {
            decimal_stop("no upload", o->n);
        }
    }
    a->out = decimal_room(bytes * a->batch);
    free(host);
}

static void arrays_close(arrays *a) {
    for (int i = 0; i < 2; i++) {
        device_free(a->in[i]), device_free(a->spectrum[i]);
    }
    device_free(a->out);
}

typedef struct {
    double error;
    uint64_t wrong;
} judged;

// judge returns the worse of the first and the last product in a->out.
static judged judge(const arrays *a, decimal_operands *o) {
    const size_t bytes = numbers(a) * number_bytes(a);
    char *const host = program_memory(bytes, 1, "a result");
    double *const found = program_memory(a->points, sizeof *found, "coefficients");
    judged j = {0, 0};
    for (int which = 0; which < (a->batch > 1 ? 2 : 1); which++) {
        const char *const at = (const char *)a->out + (which ? (a->batch - 1) * bytes : 0);
        if (!device_download(host, at, bytes)) {
            decimal_stop("no download", o->n);
        }
        double distance = 0, norm = 0;
        for (size_t i = 0; i < a->points; i++) {
            found[i] = get(host, a, i);
        }
        if (o->exact[which] == NULL) {
            decimal_learn(o, found, which);
        }
        for (size_t i = 0; i < a->points; i++) {
            const double c = o->exact[which][i], d = found[i] - c;
            distance += d * d, norm += c * c;
            j.wrong += !(fabs(d) < 0.5);
        }
        const double error = sqrt(distance / norm);
        j.error = error > j.error || isnan(error) ? error : j.error;
    }
    free(host), free(found);
    return j;
}

// --- Rows ----------------------------------------------------------------------------------------

static void record(const fft_bench_options *asked, const arrays *a, const ours *o, uint64_t n,
                   const device_times *times_of, const judged j[2], const char *rival) {
    char spec[FFT_ID_SPEC_BYTES], op[32], more[FFT_ID_SPEC_BYTES + 300], note[160];
    const double digits = 2.0 * (double)n * (double)a->batch;
    const double mdata = 1e3 * digits / times_of[0].median_ns;
    const double rival_mdata = 1e3 * digits / times_of[1].median_ns;
    fft_id_print(&o->forward, spec, sizeof spec);
    snprintf(op, sizeof op, "%s-f%d%s", a->real ? "real" : "complex", a->single ? 32 : 64,
             a->batch > 1 ? "-batch" : "");
    snprintf(note, sizeof note, "%.0f MData/s, rival's %.0f; error %.2e, rival's %.2e", mdata,
             rival_mdata, j[0].error, j[1].error);
    snprintf(more, sizeof more,
             ",\"plan\":\"%s\",\"mdata_s\":%.1f,\"rival_mdata_s\":%.1f,\"error\":%.4g,"
             "\"rival_error\":%.4g,\"wrong\":%" PRIu64 ",\"rival_wrong\":%" PRIu64,
             spec, mdata, rival_mdata, j[0].error, j[1].error, j[0].wrong, j[1].wrong);
    const device_line line = {.topic = "decimal",
                              .op = op,
                              .variant = "tuned",
                              .engine = a->real ? "real-fft" : "complex-fft",
                              .n = n,
                              .rows = a->batch,
                              .bytes = 3.0 * (double)(numbers(a) * number_bytes(a) * a->batch),
                              .times = times_of,
                              .rival = rival,
                              .kase = "mul",
                              .more = more,
                              .note = note,
                              .chosen = true};
    device_record(&asked->run, &line);
}

static void bench_row(const fft_bench_options *asked, const cufft *library,
                      decimal_operands *digits, bool real, bool single, uint64_t batch) {
    arrays a = {.single = single, .real = real, .points = 2 * digits->n, .batch = batch};
    ours o;
    theirs t;
    arrays_open(&a, digits);
    ours_open(&o, &a);
    theirs_open(&t, &a, library);
    device_copying copy = {a.spectrum[1], a.in[0], numbers(&a) * number_bytes(&a) * batch};
    const device_side sides[] = {
        {run_ours, &o, false}, {run_theirs, &t, false}, {device_copy_enqueue, &copy, false}};
    device_times times_of[3];
    const unsigned calls = a.points * batch >= 1 << 22 ? 4 : 20;
    if (!device_time(NULL, sides, 3, calls, asked->run.quick ? 3 : SAMPLES, times_of) ||
        !device_energy(NULL, sides, 2, calls, asked->run.energy, times_of)) {
        decimal_stop("a contender failed", digits->n);
    }
    judged j[2];
    for (int side = 0; side < 2; side++) {
        device_fill(a.out, 0xA5, numbers(&a) * number_bytes(&a) * batch);
        if (!sides[side].enqueue(sides[side].self, NULL)) {
            decimal_stop("a contender failed", digits->n);
        }
        j[side] = judge(&a, digits);
        if (!(j[side].error < (single ? 1e-6 : 1e-15)) || (!single && j[side].wrong > 0)) {
            fprintf(stderr, "%s: error %g\n", side == 0 ? "ours" : "the rival", j[side].error);
            decimal_stop("wrong", digits->n);
        }
    }
    record(asked, &a, &o, digits->n, times_of, j, cufft_name(library));
    ours_close(&o), theirs_close(&t), arrays_close(&a);
}

static void bench_size(const fft_bench_options *asked, const cufft *library, unsigned lg) {
    decimal_operands o;
    decimal_operands_open(&o, lg);
    const uint64_t batch = (UINT64_C(1) << (asked->run.quick ? 18 : LG_TO)) >> lg;
    for (int kind = 0; kind < 4; kind++) {  // FP64 first: it gives the exact coefficients
        if (asked->batched && batch > 1) {
            bench_row(asked, library, &o, kind & 1, kind & 2, batch);
        }
        if (asked->single) {
            bench_row(asked, library, &o, kind & 1, kind & 2, 1);
        }
    }
    if (asked->batched && batch > 1) {
        decimal_tiles(&asked->run, &o, batch);
    }
    if (asked->single) {
        decimal_tiles(&asked->run, &o, 1);
    }
    decimal_operands_close(&o);
}

int main(int argc, char **argv) {
    static fft_bench_options asked;
    fft_bench_start(&asked, FFT_BENCH_RANGE,
                    "Times the papers' multiplication of decimal digits, by our transforms and by "
                    "cuFFT's, and checks every result.",
                    argc, argv);
    char why[256];
    cufft *const library = cufft_open(asked.cufft_path, why, sizeof why);
    if (library == NULL) {
        fprintf(stderr, "decimal_bench: %s\n", why);
        return EXIT_IO;
    }
    for (unsigned lg = asked.run.range.from > LG_FROM ? asked.run.range.from : LG_FROM;
         lg <= asked.run.range.to && lg <= (asked.run.quick ? 16 : LG_TO); lg++) {
        bench_size(&asked, library, lg);
    }
    cufft_close(library);
    return 0;
}
