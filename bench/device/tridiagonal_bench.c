// tridiagonal_bench.c: tridiagonal systems on a device against cuSPARSE and a copy, by turns in one
// process.
//
//   tridiagonal_bench --commit HASH [--dirty] [--out FOLDER] [--quick]
//                     [single] [batched] [interleaved] [papers] [twofold] [errors]
//
// single: 2^8 to 2^24 rows against gtsv2 and gtsv2_nopivot; batched: 2^24 rows in all, and 2^26 of
// 2^10, against gtsv2StridedBatch; interleaved: against gtsvInterleavedBatch; papers: all variants
// at the papers' sizes; twofold: partition-pivot-twofold where the others are; errors: every
// variant and routine on every matrix of the test set. All of these if none is named.
//
// Prints a table; with --out appends records (bench/schema.md) to FOLDER/<chip>-tridiagonal.jsonl,
// with rows per second, errors and the time that the traffic predicts. The first and the last
// system of the last 2^24 rows are held against a solve in many digits, or by residual alone where
// they are long; a wrong result ends the program with status 1 and without its record.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/device/cusparse.h"
#include "bench/device/device_record.h"
#include "bench/device/timing.h"
#include "primitives/tridiagonal.h"
#include "tests/primitives/tridiagonal_fixture.h"
#include "tests/support/device.h"

enum { NO_ROUTINE = -1, SOLVED_ROWS = 1 << 14 };
static const uint64_t block_rows = UINT64_C(1) << 24;  // drawn; longer batches repeat them

typedef struct {
    device_run run;
    cusparse *library;
    char *array[5], *rival[4];  // a, b, c, d, x; a, b, c, x
    char *host;
    uint32_t *status;
    char *workspace, *rival_workspace;
    size_t workspace_bytes, rival_workspace_bytes;
    system_rows first, last;  // of the last block
} bench;

typedef struct {
    const bench *b;
    tridiagonal_plan plan;
} ours;

static void fail(const char *what, const tridiagonal_job *job) {
    fprintf(stderr, "tridiagonal_bench: %s, %" PRIu64 " x %" PRIu64 "\n", what, job->batch, job->n);
    exit(1);
}

static size_t width(const tridiagonal_job *job) { return job->type == TRIDIAGONAL_F32 ? 4 : 8; }

static bool enqueue_ours(void *self, device_stream stream) {
    const ours *o = self;
    char *const *x = o->b->array;
    return tridiagonal_device(&o->plan, x[0], x[1], x[2], x[3], x[4], o->b->status, o->b->workspace,
                              o->b->workspace_bytes, stream) == RESULT_OK;
}

static void put(const bench *b, const tridiagonal_job *job, size_t at, double v) {
    if (job->type == TRIDIAGONAL_F32) {
        ((float *)b->host)[at] = (float)v;
    } else {
        ((double *)b->host)[at] = v;
    }
}

static double get(const bench *b, const tridiagonal_job *job, size_t at) {
    return job->type == TRIDIAGONAL_F32 ? (double)((const float *)b->host)[at]
                                        : ((const double *)b->host)[at];
}

// Systems of a block: what is drawn.
static uint64_t systems_of(const tridiagonal_job *job) {
    const uint64_t most = job->n < block_rows ? block_rows / job->n : 1;
    return job->batch < most ? job->batch : most;
}

static double *field(const system_rows *s, unsigned k) {
    double *const fields[] = {s->a, s->b, s->c, s->d};
    return fields[k];
}

// One array of a block: the last system is b->last, all others are b->first.
static void fill_block(bench *b, const tridiagonal_job *job, unsigned k) {
    const uint64_t systems = systems_of(job), bytes = job->n * width(job);
    const double *first = field(&b->first, k), *last = field(&b->last, k);
    if (job->row_stride == 1) {
        for (uint64_t i = 0; i < b->first.n; i++) {
            put(b, job, i, first[i]);
        }
        for (uint64_t s = 1; s < systems; s++) {
            memcpy(b->host + s * bytes, b->host, bytes);
        }
    } else {
        for (uint64_t i = 0; i < b->first.n * systems; i++) {
            put(b, job, i, first[i / systems]);
        }
    }
    for (uint64_t i = 0; i < job->n; i++) {
        put(b, job, (systems - 1) * job->system_stride + i * job->row_stride, last[i]);
    }
}

static void fill(bench *b, const tridiagonal_job *job, matrix_kind kind, bool rivals) {
    const uint64_t elements = systems_of(job) * job->n;
    gen g = gen_seed(job->n + kind);
    // Of one system there is none but the last.
    system_alloc(&b->first, systems_of(job) > 1 ? job->n : 0);
    system_alloc(&b->last, job->n);
    system_fill(&b->first, kind, job->type, &g);
    system_fill(&b->last, kind, job->type, &g);
    bool ok = true;
    for (unsigned k = 0; k < 4; k++) {
        fill_block(b, job, k);
        for (uint64_t done = 0; done < job->batch * job->n; done += elements) {
            const size_t at = done * width(job), bytes = elements * width(job);
            ok = ok && device_upload(b->array[k] + at, b->host, bytes) &&
                 (!rivals || device_upload(b->rival[k] + at, b->host, bytes));
        }
    }
    if (!ok) {
        fail("uploading failed", job);
    }
}

static void forget(bench *b) {
    system_free(&b->first);
    system_free(&b->last);
}

typedef struct {
    double residual, error;
} quality;

// Of the last block of x.
static quality judge(bench *b, const tridiagonal_job *job, const char *x) {
    const uint64_t systems = systems_of(job), elements = systems * job->n;
    quality q = {0, 0};
    if (!device_download(b->host, x + (job->batch * job->n - elements) * width(job),
                         elements * width(job))) {
        fail("downloading failed", job);
    }
    double *got = malloc(job->n * sizeof *got);
    for (unsigned which = systems > 1 ? 0 : 1; which < 2; which++) {
        system_rows *const s = which == 0 ? &b->first : &b->last;
        const uint64_t base = which == 0 ? 0 : (systems - 1) * job->system_stride;
        for (uint64_t i = 0; i < job->n; i++) {
            got[i] = get(b, job, base + i * job->row_stride);
        }
        q.residual = fmax(q.residual, system_residual(s, got));
        if (job->n <= SOLVED_ROWS && system_solve(s)) {
            q.error = fmax(q.error, system_error(s, got));
        }
    }
    free(got);
    return q;
}

static cusparse_job rival_job(const bench *b, const tridiagonal_job *job, int routine) {
    return (cusparse_job){b->library,
                          (cusparse_routine)routine,
                          job->type,
                          job->n,
                          job->batch,
                          b->rival[0],
                          b->rival[1],
                          b->rival[2],
                          b->rival[3],
                          b->rival_workspace,
                          0};
}

static bool plan_ours(const bench *b, ours *o, const tridiagonal_job *job, tridiagonal_variant v) {
    o->b = b;
    return tridiagonal_make_plan(&o->plan, job, v) &&
           tridiagonal_workspace_bytes(&o->plan) <= b->workspace_bytes;
}

// Words that the header's table says, as a share of a copy of 5, and launches of 2 us each.
static double predicted_ns(const tridiagonal_plan *p, double copy_ns) {
    static const double words[TRIDIAGONAL_VARIANTS][2] = {{5, 9}, {9, 9},  {5, 5},   {5, 5}, {5, 5},
                                                          {5, 5}, {5, 13}, {11, 11}, {5, 9}};
    static const unsigned launches[TRIDIAGONAL_VARIANTS][2] = {
        {1, 2}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 2}, {3, 3}, {1, 2}};
    const bool several = p->tiles > 1 && p->together == TRIDIAGONAL_APART;
    return words[p->variant][several] / 5 * copy_ns + 2e3 * launches[p->variant][several];
}

// JSON has no infinity.
static void number(char text[16], double v) {
    snprintf(text, 16, isfinite(v) ? "%.3e" : "null", v);
}

// Prints and records a row; rival: NULL if there is none. The copy's time stands last.
static void report(const bench *b, const tridiagonal_plan *plan, const char *kase,
                   const cusparse_job *rival, const device_times *times, quality q,
                   quality theirs) {
    const tridiagonal_job *job = &plan->job;
    const uint64_t rows = job->n * job->batch;
    char op[64], more[512], note[128];
    const int written =
        snprintf(op, sizeof op, "%s-%s", job->row_stride == 1 ? "strided" : "interleaved",
                 job->type == TRIDIAGONAL_F32 ? "f32" : "f64");
    if (job->batch > 1) {
        snprintf(op + written, sizeof op - (size_t)written, "-x%" PRIu64, job->batch);
    }
    const double predicted = predicted_ns(plan, times[rival != NULL ? 2 : 1].median_ns);
    char numbers[4][16];
    const double values[] = {q.residual, q.error, theirs.residual, theirs.error};
    for (unsigned k = 0; k < 4; k++) {
        number(numbers[k], values[k]);
    }
    snprintf(more, sizeof more,
             ",\"rows_per_us\":%.1f,\"residual\":%s,\"error\":%s,\"rival_residual\":%s,"
             "\"rival_error\":%s,\"predicted_ns\":%.1f",
             1e3 * (double)rows / times[0].median_ns, numbers[0], numbers[1], numbers[2],
             numbers[3], predicted);
    snprintf(note, sizeof note, "%.1f MRows/s, predicted %.0f | error %.1e, %.1e",
             1e3 * (double)rows / times[0].median_ns, 1e3 * (double)rows / predicted, q.error,
             theirs.error);
    const device_line line = {.topic = "tridiagonal",
                              .op = op,
                              .variant = tridiagonal_variant_name(plan->variant),
                              .n = job->n,
                              .rows = job->batch,
                              .bytes = 5.0 * (double)(rows * width(job)),
                              .times = times,
                              .rival = rival != NULL ? cusparse_routine_name(rival->routine) : NULL,
                              .kase = kase,
                              .more = more,
                              .note = note};
    if (!device_record(&b->run, &line)) {
        exit(1);
    }
}

static void measure(bench *b, const tridiagonal_job *job, tridiagonal_variant v, int routine,
                    const char *kase) {
    ours o;
    if (!plan_ours(b, &o, job, v)) {
        return;
    }
    const uint64_t rows = job->n * job->batch;
    const double bytes = 5.0 * (double)(rows * width(job));
    cusparse_job rival = rival_job(b, job, routine);
    const bool has_rival = b->library != NULL && routine != NO_ROUTINE && job->n >= 3 &&
                           cusparse_measure(&rival) &&
                           rival.workspace_bytes <= b->rival_workspace_bytes;
    // Redundant reduction loses what is dominant (tridiagonal.h).
    const bool redundant = v == TRIDIAGONAL_RR_KOGGE_STONE || v == TRIDIAGONAL_RR_LADNER;
    fill(b, job, redundant ? MATRIX_LAPLACE : MATRIX_STRONG, has_rival);
    quality theirs = {0, 0};
    if (has_rival) {
        if (!cusparse_enqueue(&rival, NULL)) {
            fail("cuSPARSE failed", job);
        }
        theirs = judge(b, job, b->rival[3]);
    }
    device_copying copy = {b->array[4], b->array[0], (size_t)(bytes / 2)};
    copy.bytes = copy.bytes < rows * width(job) ? copy.bytes : rows * width(job);
    const device_side sides[] = {{enqueue_ours, &o, false},
                                 {cusparse_enqueue, &rival, false},
                                 {device_copy_enqueue, &copy, false}};
    const device_side alone[] = {sides[0], sides[2]};
    device_times times[3];
    const unsigned calls = rows >= 1u << 22 ? 2 : 20;
    const unsigned samples = b->run.quick || strcmp(kase, "papers") == 0 ? 7 : DEVICE_SAMPLES;
    if (!(has_rival ? device_time(NULL, sides, 3, calls, samples, times)
                    : device_time(NULL, alone, 2, calls, samples, times))) {
        fail("timing failed", job);
    }
    // The copy moved 2 words a row.
    device_times *const roof = &times[has_rival ? 2 : 1];
    const double scale = bytes / (2.0 * (double)copy.bytes);
    roof->median_ns *= scale;
    roof->min_ns *= scale;
    if (!enqueue_ours(&o, NULL)) {
        fail("solving failed", job);
    }
    const quality q = judge(b, job, b->array[4]);
    const double residual_most = job->type == TRIDIAGONAL_F32 ? 1e-5 : 1e-14;
    if (redundant ? !(q.error < 0.1) : !(q.residual < residual_most)) {
        fail("a result is wrong", job);
    }
    report(b, &o.plan, kase, has_rival ? &rival : NULL, times, q, theirs);
    forget(b);
}

static tridiagonal_job strided(tridiagonal_type t, uint64_t n, uint64_t batch) {
    return (tridiagonal_job){t, n, batch, 1, n};
}

static void bench_single(bench *b, tridiagonal_type t) {
    for (unsigned k = 8; k <= (b->run.quick ? 20 : 24); k += 2) {
        const tridiagonal_job job = strided(t, UINT64_C(1) << k, 1);
        measure(b, &job, TRIDIAGONAL_PARTITION_PIVOT, CUSPARSE_GTSV2, "single");
        measure(b, &job, TRIDIAGONAL_PARTITION_PIVOT, CUSPARSE_GTSV2_NOPIVOT, "single");
    }
}

static void bench_batched(bench *b, tridiagonal_type t) {
    const unsigned total = b->run.quick ? 20 : 24;
    for (unsigned k = 4; k <= total - 2; k += 2) {
        const tridiagonal_job job = strided(t, UINT64_C(1) << k, UINT64_C(1) << (total - k));
        measure(b, &job, TRIDIAGONAL_PARTITION_PIVOT, CUSPARSE_GTSV2_STRIDED, "batched");
    }
    const tridiagonal_job job = strided(t, 1 << 10, UINT64_C(1) << (total - 8));
    measure(b, &job, TRIDIAGONAL_PARTITION_PIVOT, CUSPARSE_GTSV2_STRIDED, "batched");
}

static void bench_interleaved(bench *b, tridiagonal_type t) {
    const unsigned total = b->run.quick ? 20 : 24;
    for (unsigned k = 4; k <= 12; k += 2) {
        const uint64_t batch = UINT64_C(1) << (total - k);
        const tridiagonal_job job = {t, UINT64_C(1) << k, batch, batch, 1};
        measure(b, &job, TRIDIAGONAL_PARTITION_PIVOT, CUSPARSE_GTSV_INTERLEAVED, "interleaved");
        measure(b, &job, TRIDIAGONAL_THOMAS, CUSPARSE_GTSV_INTERLEAVED, "interleaved");
    }
}

// Small systems of floats, 2^24 rows in all; MS-ID-TS and TPR 1, 8 and 64 at once.
static void bench_papers(bench *b, tridiagonal_type t) {
    const unsigned total = b->run.quick ? 20 : 24;
    for (unsigned k = 6; k <= 10 && t == TRIDIAGONAL_F32; k++) {
        for (unsigned v = 0; v < TRIDIAGONAL_VARIANTS; v++) {
            const tridiagonal_job job = strided(t, UINT64_C(1) << k, UINT64_C(1) << (total - k));
            measure(b, &job, (tridiagonal_variant)v, CUSPARSE_GTSV2_STRIDED, "papers");
        }
    }
    for (unsigned k = 12; k <= 19; k++) {
        for (unsigned batch = 1; batch <= 64; batch *= 8) {
            const tridiagonal_job job = strided(t, UINT64_C(1) << k, batch);
            measure(b, &job, TRIDIAGONAL_PARTITION_PIVOT, CUSPARSE_GTSV2_STRIDED, "papers");
            measure(b, &job, TRIDIAGONAL_WANG_MOU, CUSPARSE_GTSV2_STRIDED, "papers");
            measure(b, &job, TRIDIAGONAL_TREE, CUSPARSE_GTSV2_STRIDED, "papers");
        }
    }
}

static void bench_twofold(bench *b, tridiagonal_type t) {
    const unsigned total = b->run.quick ? 20 : 24;
    const tridiagonal_variant v = TRIDIAGONAL_PARTITION_TWOFOLD;
    for (unsigned k = 6; k <= 14; k += 4) {
        const tridiagonal_job job = strided(t, UINT64_C(1) << k, UINT64_C(1) << (total - k));
        measure(b, &job, v, CUSPARSE_GTSV2_STRIDED, "twofold");
    }
    for (unsigned k = 10; k <= total; k += k < 18 ? 4 : 6) {
        const tridiagonal_job job = strided(t, UINT64_C(1) << k, 1);
        measure(b, &job, v, CUSPARSE_GTSV2, "twofold");
    }
    const uint64_t batch = UINT64_C(1) << (total - 6);
    const tridiagonal_job job = {t, 1 << 6, batch, batch, 1};
    measure(b, &job, v, CUSPARSE_GTSV_INTERLEAVED, "twofold");
}

static void print_error(bench *b, FILE *f, matrix_kind kind, const tridiagonal_job *job,
                        const char *solver, quality q) {
    printf(" %.1e", q.error);
    if (f != NULL) {
        char error[16], residual[16];
        number(error, q.error);
        number(residual, q.residual);
        fprintf(f,
                "{\"schema\":1,\"topic\":\"tridiagonal-errors\",\"matrix\":\"%s\",\"type\":\"%s\","
                "\"n\":%" PRIu64
                ",\"solver\":\"%s\",\"error\":%s,\"residual\":%s,\"chip\":\"%s\","
                "\"commit\":\"%s\",\"dirty\":%s}\n",
                matrix_name(kind), job->type == TRIDIAGONAL_F32 ? "f32" : "f64", job->n, solver,
                error, residual, b->run.chip, b->run.commit, b->run.dirty ? "true" : "false");
    }
}

// The papers' tables 5.10 to 5.12: relative errors at 512 rows, d uniform.
static void bench_errors(bench *b, tridiagonal_type t) {
    FILE *f = NULL;
    if (b->run.out != NULL) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s-tridiagonal-errors.jsonl", b->run.out, b->run.chip);
        f = fopen(path, "a");
    }
    printf("errors at n = 512, %s:", t == TRIDIAGONAL_F32 ? "f32" : "f64");
    for (unsigned v = 0; v < TRIDIAGONAL_VARIANTS; v++) {
        printf(" %s", tridiagonal_variant_name((tridiagonal_variant)v));
    }
    printf(" gtsv2 gtsv2_nopivot gtsv2StridedBatch gtsvInterleavedBatch\n");
    const tridiagonal_job job = strided(t, 512, 1);
    for (unsigned k = 0; k < MATRIX_KINDS; k++) {
        printf("%-18s", matrix_name((matrix_kind)k));
        for (unsigned v = 0; v < TRIDIAGONAL_VARIANTS; v++) {
            ours o;
            fill(b, &job, (matrix_kind)k, false);
            if (plan_ours(b, &o, &job, (tridiagonal_variant)v) && enqueue_ours(&o, NULL)) {
                print_error(b, f, (matrix_kind)k, &job,
                            tridiagonal_variant_name((tridiagonal_variant)v),
                            judge(b, &job, b->array[4]));
            }
            forget(b);
        }
        for (int r = 0; r < CUSPARSE_ROUTINES && b->library != NULL; r++) {
            cusparse_job rival = rival_job(b, &job, r);
            fill(b, &job, (matrix_kind)k, true);
            if (cusparse_measure(&rival) && cusparse_enqueue(&rival, NULL)) {
                print_error(b, f, (matrix_kind)k, &job, cusparse_routine_name((cusparse_routine)r),
                            judge(b, &job, b->rival[3]));
            }
            forget(b);
        }
        printf("\n");
    }
    if (f != NULL) {
        fclose(f);
    }
}

static bool allocate(bench *b) {
    const size_t bytes = (size_t)8 << (b->run.quick ? 22 : 26);
    b->workspace_bytes = bytes;
    b->rival_workspace_bytes = 6 * bytes;
    bool ok = true;
    for (unsigned k = 0; k < 5; k++) {
        b->array[k] = device_alloc(bytes);
        ok = ok && b->array[k] != NULL;
    }
    for (unsigned k = 0; k < 4; k++) {
        b->rival[k] = device_alloc(bytes);
        ok = ok && b->rival[k] != NULL;
    }
    b->host = malloc(8 * block_rows);
    b->status = device_alloc(4 * block_rows);
    b->workspace = device_alloc(bytes);
    b->rival_workspace = device_alloc(b->rival_workspace_bytes);
    return ok && b->host != NULL && b->status != NULL && b->workspace != NULL &&
           b->rival_workspace != NULL && device_fill(b->workspace, 0, bytes);
}

int main(int argc, char **argv) {
    static void (*const parts[])(bench *, tridiagonal_type) = {
        bench_single, bench_batched, bench_interleaved, bench_papers, bench_twofold, bench_errors};
    static const char *const names[] = {"single", "batched", "interleaved",
                                        "papers", "twofold", "errors"};
    enum { PARTS = sizeof parts / sizeof parts[0] };
    bench b = {0};
    unsigned asked = 0;
    for (int i = 1; i < argc; i++) {
        unsigned k = 0;
        while (k < PARTS && strcmp(argv[i], names[k]) != 0) {
            k++;
        }
        if (k < PARTS) {
            asked |= 1u << k;
        } else if (!device_run_parse(&b.run, argc, argv, &i)) {
            fprintf(stderr, "tridiagonal_bench: what is %s?\n", argv[i]);
            return 2;
        }
    }
    char why[256];
    if (!device_ready() || !allocate(&b)) {
        fprintf(stderr, "tridiagonal_bench: no device, or too little memory there\n");
        return 1;
    }
    b.library = cusparse_open(why, sizeof why);
    printf("%s\n", b.library != NULL ? cusparse_name(b.library) : why);
    device_run_begin(&b.run);
    for (unsigned k = 0; k < PARTS; k++) {
        for (unsigned t = 0; t < TRIDIAGONAL_TYPES && (asked == 0 || (asked >> k & 1) != 0); t++) {
            parts[k](&b, (tridiagonal_type)t);
        }
    }
    cusparse_close(b.library);
    return 0;
}
