// strided_bench.c: batches of transforms on a device in layouts other than one after the other,
// against cuFFT with the same layouts and a copy, alternating in one process.
//
// KIND is as in fft_bench.c. Lengths are 2^8, 1000, 2^12 and 2^16 unless given, in batches of about
// 2^25 points: interleaved (elements of all transforms side by side), from one after the other to
// interleaved, and with eight elements between transforms.
//
// Prints a table; with --out appends records (bench/schema.md) to FOLDER/<chip>-fft-strided.jsonl,
// with errors as distances from the rival's result, relative in the 2-norm over the whole arrays.
// Elements between transforms are compared too, so that stray writes are found. A wrong result ends
// the program with status 1 and without its record.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/program.h"
#include "bench/device/record.h"
#include "bench/fft/cufft.h"
#include "bench/fft/options.h"
#include "bench/fft/truth.h"
#include "fft/device/complex/transform_strided.h"
#include "tests/support/device.h"

enum { SEED = 3, SAMPLES = 11, CALLS = 4, LAYOUTS = 3, GAP = 8 };
static const char *const layout_names[LAYOUTS] = {"interleaved", "to-interleaved", "apart"};

typedef struct {
    fft_bench_options asked;
    cufft *rival;
    fft_truth exact;
} bench;

typedef struct {
    const fft_strided_plan *plan;
    const void *in, *tables;
    void *out, *workspace;
} ours;

static bool run_ours(void *self, cuda_stream stream) {
    const ours *o = self;
    return fft_strided_transform(o->plan, o->in, o->out, o->workspace, o->tables, stream) ==
           RESULT_OK;
}

static void stop(const char *what, uint64_t n) {
    fprintf(stderr, "strided_bench: %" PRIu64 " points: %s\n", n, what);
    exit(1);
}

static void layouts_of(const fft_id_problem *p, unsigned which, fft_strided_layout *in,
                       fft_strided_layout *out) {
    const fft_strided_layout interleaved = {p->batch, 1};
    *in = fft_strided_dense(p, false), *out = fft_strided_dense(p, true);
    if (which == 2) {
        in->distance += GAP, out->distance += GAP;
    } else {
        *in = which == 0 ? interleaved : *in;
        *out = interleaved;
    }
}

// array_of: a side as single numbers, each its own transform (truth.h).
static fft_truth_array array_of(const fft_kind *k, const fft_strided_plan *plan, bool output) {
    const fft_id_problem *const p = &plan->plan.problem;
    const fft_strided_layout l = output ? plan->out : plan->in;
    const uint64_t last = (fft_strided_elements(p, output) - 1) * l.stride;
    fft_truth_array a = {.form = output ? k->out : k->in,
                         .single = fft_id_item_bytes(p) == 2 * sizeof(float),
                         .batch = last + (p->batch - 1) * l.distance + 1};
    a.form = a.form == FFT_TRUTH_REAL ? FFT_TRUTH_REAL : FFT_TRUTH_COMPLEX;
    a.items = device_alloc(fft_truth_array_bytes(&a));
    if (a.items == NULL) {
        stop("no memory on the device", fft_id_length(p));
    }
    device_fill(a.items, 0, fft_truth_array_bytes(&a));
    return a;
}

// compare: our result's distance from the rival's, made from fresh input.
static double compare(bench *b, const fft_truth_array *in, const fft_truth_array *out,
                      const fft_truth_array *rival_out, cufft_job *job, ours *o) {
    b->exact.items = device_alloc(fft_truth_bytes(0, out->batch));
    if (b->exact.items == NULL || !fft_truth_random(in, SEED) || !run_ours(o, NULL) ||
        !cufft_enqueue(job, NULL) || !fft_truth_make(&b->exact, rival_out, false)) {
        return NAN;
    }
    const double error = fft_truth_error(&b->exact, out);
    device_free(b->exact.items);
    return error;
}

static void record(const bench *b, const fft_kind *k, const fft_strided_plan *plan, uint64_t n,
                   unsigned which, double bytes, const device_times *times, double error) {
    const fft_id_problem *const p = &plan->plan.problem;
    char spec[FFT_ID_SPEC_BYTES], op[48], more[FFT_ID_SPEC_BYTES + 200], note[100];
    fft_id_print(&plan->plan, spec, sizeof spec);
    snprintf(op, sizeof op, "%s-%s", k->name, layout_names[which]);
    snprintf(note, sizeof note, "%u passes, from cuFFT's %.2e", fft_id_passes(&plan->plan), error);
    snprintf(more, sizeof more,
             ",\"plan\":\"%s\",\"passes\":%u,\"gb_s\":%.1f,\"from_rival\":%.4g,"
             "\"in\":[%" PRIu64 ",%" PRIu64 "],\"to\":[%" PRIu64 ",%" PRIu64 "]",
             spec, fft_id_passes(&plan->plan), bytes / times[0].median_ns, error, plan->in.stride,
             plan->in.distance, plan->out.stride, plan->out.distance);
    const device_line line = {.topic = "fft-strided",
                              .op = op,
                              .variant = "tuned",
                              .n = n,
                              .rows = p->batch,
                              .bytes = bytes,
                              .times = times,
                              .rival = cufft_name(b->rival),
                              .kase = fft_id_pairs(p) ? "rfft" : "fft",
                              .more = more,
                              .note = note,
                              .chosen = true};
    device_record(&b->asked.run, &line);
}

static void bench_layout(bench *b, const fft_kind *k, uint64_t n, unsigned which) {
    const uint64_t total = UINT64_C(1) << (b->asked.run.quick ? 18 : 25);
    fft_id_problem p = {.element = k->element, .direction = k->direction, .batch = total / n};
    fft_strided_layout from, to;
    fft_strided_plan plan;
    const char *why = fft_id_set_length(&p, n);
    if (k->order != FFT_ID_NATURAL) {
        why = "the rival, which results are held against, has natural order only";
    }
    layouts_of(&p, which, &from, &to);
    why = why != NULL ? why : fft_strided_make(&plan, &p, from, to);
    if (why != NULL) {
        stop(why, n);
    }
    const fft_truth_array in = array_of(k, &plan, false), out = array_of(k, &plan, true);
    const fft_truth_array rival_out = array_of(k, &plan, true);
    const size_t in_bytes = fft_truth_array_bytes(&in), out_bytes = fft_truth_array_bytes(&out);
    void *const tables = device_alloc(fft_strided_table_bytes(&plan) + 1);
    void *const workspace = device_alloc(fft_strided_workspace_bytes(&plan) + 1);
    ours o = {&plan, in.items, tables, out.items, workspace};
    cufft_job job = {.library = b->rival,
                     .type = k->type,
                     .inverse = k->direction == FFT_ID_INVERSE,
                     .from = {from.stride, from.distance},
                     .to = {to.stride, to.distance},
                     .in = in.items,
                     .out = rival_out.items};
    if (!cufft_plan(&job, n, p.batch)) {
        stop("the rival has no plan", n);
    }
    job.workspace = device_alloc(job.workspace_bytes + 1);
    const size_t copied = in_bytes < out_bytes ? in_bytes : out_bytes;
    device_copying copy = {rival_out.items, in.items, copied};
    const device_side sides[] = {
        {run_ours, &o, false}, {cufft_enqueue, &job, false}, {device_copy_enqueue, &copy, false}};
    device_times times[3];
    if (!cufft_give_workspace(&job) || fft_strided_tables(&plan, tables, NULL) != RESULT_OK ||
        !fft_truth_random(&in, SEED) || !device_time(NULL, sides, 3, CALLS, SAMPLES, times)) {
        stop("a contender failed", n);
    }
    device_fill(rival_out.items, 0, out_bytes);  // the copy went there
    const double error = compare(b, &in, &out, &rival_out, &job, &o);
    const double unit = in.single ? 0x1p-24 : 0x1p-53;
    if (!(error >= 0 && error <= 8 * unit * (log2((double)n) + 1))) {
        fprintf(stderr, "from the rival's result by %g\n", error);
        stop("wrong", n);
    }
    record(b, k, &plan, n, which, (double)(in_bytes + out_bytes), times, error);
    cufft_forget(&job);
    void *const all[] = {in.items, out.items, rival_out.items, tables, workspace, job.workspace};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        device_free(all[i]);
    }
}

int main(int argc, char **argv) {
    static bench b;
    fft_bench_start(&b.asked, FFT_BENCH_LENGTHS | FFT_BENCH_NAMES,
                    "Times batches of transforms in other layouts on a device against cuFFT and a "
                    "copy, and checks every result. KIND: z2z c2c d2z z2d r2c c2r (these by "
                    "default) z2z-inv c2c-inv.",
                    argc, argv);
    char why[256] = "no memory on the device";
    b.rival = cufft_open(b.asked.cufft_path, why, sizeof why);
    b.exact.roots = device_alloc(FFT_TRUTH_ROOTS_BYTES);
    b.exact.sums = device_alloc(FFT_TRUTH_SUMS_BYTES);
    if (b.rival == NULL || b.exact.roots == NULL || b.exact.sums == NULL ||
        !fft_truth_roots(&b.exact)) {
        fprintf(stderr, "strided_bench: %s\n", why);
        return EXIT_IO;
    }
    static const uint64_t lengths[] = {256, 1000, 4096, 65536};
    const uint64_t *const length = b.asked.lengths > 0 ? b.asked.length : lengths;
    for (unsigned k = 0; k < FFT_KINDS; k++) {
        for (unsigned i = 0; i < (b.asked.lengths > 0 ? b.asked.lengths : 4); i++) {
            for (unsigned which = 0; b.asked.wanted[k] && which < LAYOUTS; which++) {
                bench_layout(&b, &fft_kinds[k], length[i], which);
            }
        }
    }
    cufft_close(b.rival);
    return 0;
}
