// tridiagonal_bench.c: tridiagonal systems on a device against cuSPARSE and a copy, alternating in
// one process.
//
// By both forms of partition-pivot, single: 2^8 to 2^24 rows against gtsv2 and gtsv2_nopivot;
// batched: 2^24 rows in all, and 2^26 of 2^10, against gtsv2StridedBatch; interleaved: against
// gtsvInterleavedBatch. papers: all variants at the papers' sizes; naive: the papers' reductions
// with a launch a step; rows: the papers' solvers of short systems and MS-ID-TS in radices 2, 4 and
// 8; errors: every variant and routine on every matrix of the test set.
//
// Prints a table; with --out appends records (bench/schema.md) to FOLDER/<chip>-tridiagonal.jsonl,
// with rows per second, errors and the time that the traffic predicts. The first and the last
// system of the last 2^24 rows are compared with a solve in many digits, or checked by residual
// alone if they are long. A wrong result ends the program with status 1 and without its record.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "apps/program.h"
#include "bench/tridiagonal/tridiagonal_bench.h"
#include "tests/support/device.h"

enum { NO_ROUTINE = -1 };

typedef enum { SINGLE, BATCHED, INTERLEAVED, PAPERS, NAIVE, ROWS, ERRORS, PARTS } bench_part;
static const char *const names[PARTS] = {
    [SINGLE] = "single", [BATCHED] = "batched", [INTERLEAVED] = "interleaved",
    [PAPERS] = "papers", [NAIVE] = "naive",     [ROWS] = "rows",
    [ERRORS] = "errors"};

// What the cost statements predict: the words in the header's table, as a share of a copy of 5
// words, and 2 us for each launch. Kept joints are 11 values for each thread's rows, written and
// read, and twice as large for numbers of twice the digits.
static double predicted_ns(const tridiagonal_plan *p, double copy_ns) {
    static const double words[TRIDIAGONAL_VARIANTS][2] = {
        {5, 9}, {9, 9}, {5, 5}, {5, 5}, {5, 5}, {5, 5}, {5, 13}, {11, 11}, {5, 9}, {11, 11}};
    static const unsigned launches[TRIDIAGONAL_VARIANTS][2] = {
        {1, 2}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 2}, {3, 3}, {1, 2}, {3, 3}};
    if (p->together == TRIDIAGONAL_KEPT) {
        const double joints = p->variant == TRIDIAGONAL_PARTITION_PIVOT ? 44 : 22;
        return (9 + joints / p->rows_each) / 5 * copy_ns + 2e3 * 4;
    }
    const bool several = p->tiles > 1 && p->together == TRIDIAGONAL_APART;
    return words[p->variant][several] / 5 * copy_ns + 2e3 * launches[p->variant][several];
}

// Prints and records a row; rival: NULL if there is none. The copy's time comes last.
static void report(const tridiagonal_bench *b, const tridiagonal_plan *plan, bench_part part,
                   const cusparse_job *rival, const device_times *times, tridiagonal_quality q,
                   tridiagonal_quality theirs) {
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
        tridiagonal_bench_number(numbers[k], values[k]);
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
                              .bytes = 5.0 * (double)tridiagonal_bench_bytes(job),
                              .times = times,
                              .rival = rival != NULL ? cusparse_routine_name(rival->routine) : NULL,
                              .kase = names[part],
                              .more = more,
                              .note = note};
    device_record(&b->run, &line);
}

// Redundant reduction loses what is dominant (tridiagonal.h).
static bool is_redundant(tridiagonal_variant v) {
    return v == TRIDIAGONAL_RR_KOGGE_STONE || v == TRIDIAGONAL_RR_LADNER;
}

// Solves again, and judges, prints and records the timed result.
static void judge(tridiagonal_bench *b, tridiagonal_ours *o, bench_part part,
                  const cusparse_job *rival, const device_times *times,
                  tridiagonal_quality theirs) {
    const tridiagonal_job *job = &o->plan.job;
    if (!tridiagonal_bench_enqueue(o, NULL)) {
        tridiagonal_bench_fail("solving failed", job);
    }
    const tridiagonal_quality q = tridiagonal_bench_judge(b, job, b->array[4]);
    const double residual_most = job->type == TRIDIAGONAL_F32 ? 1e-5 : 1e-14;
    if (is_redundant(o->plan.variant) ? !(q.error < 0.1) : !(q.residual < residual_most)) {
        tridiagonal_bench_fail("a result is wrong", job);
    }
    report(b, &o->plan, part, rival, times, q, theirs);
}

// Measures the `variants` that take the job, a routine if there is one, and a copy, alternating.
static void measure(tridiagonal_bench *b, const tridiagonal_job *job, unsigned variants,
                    int routine, bench_part part) {
    enum { RIVAL = TRIDIAGONAL_VARIANTS, COPY, SIDES };
    tridiagonal_ours ours[TRIDIAGONAL_VARIANTS];
    device_side sides[SIDES];
    unsigned count = 0;
    bool redundant = false;
    for (unsigned v = 0; v < TRIDIAGONAL_VARIANTS; v++) {
        if ((variants >> v & 1) != 0 &&
            tridiagonal_bench_plan(b, &ours[count], job, (tridiagonal_variant)v)) {
            sides[count] = (device_side){tridiagonal_bench_enqueue, &ours[count], false};
            redundant = redundant || is_redundant((tridiagonal_variant)v);
            count++;
        }
    }
    if (count == 0) {
        return;
    }
    cusparse_job rival = tridiagonal_bench_rival(b, job, routine);
    const bool has_rival = b->library != NULL && routine != NO_ROUTINE && job->n >= 3 &&
                           cusparse_measure(&rival) &&
                           rival.workspace_bytes <= b->rival_workspace_bytes;
    tridiagonal_bench_fill(b, job, redundant ? MATRIX_LAPLACE : MATRIX_STRONG, 0, has_rival);
    tridiagonal_quality theirs = {0, 0};
    unsigned all = count;
    if (has_rival) {
        if (!cusparse_enqueue(&rival, NULL)) {
            tridiagonal_bench_fail("cuSPARSE failed", job);
        }
        theirs = tridiagonal_bench_judge(b, job, b->rival[3]);
        sides[all++] = (device_side){cusparse_enqueue, &rival, false};
    }
    device_copying copy = {b->array[4], b->array[0], (size_t)tridiagonal_bench_bytes(job)};
    sides[all++] = (device_side){device_copy_enqueue, &copy, false};
    device_times times[SIDES];
    const unsigned calls = job->n * job->batch >= 1u << 22 ? 2 : 20;
    const unsigned samples = b->run.quick || part == PAPERS ? 7 : DEVICE_SAMPLES;
    if (!device_time(NULL, sides, all, calls, samples, times) ||
        !device_energy(NULL, sides, all - 1, calls, b->run.energy, times)) {
        tridiagonal_bench_fail("timing failed", job);
    }
    // The copy moved 2 words a row, a solver that reads and writes each array once moves 5.
    times[all - 1].median_ns *= 2.5;
    times[all - 1].min_ns *= 2.5;
    for (unsigned i = 0; i < count; i++) {
        const device_times row[] = {times[i], times[count], times[all - 1]};
        judge(b, &ours[i], part, has_rival ? &rival : NULL, row, theirs);
    }
    tridiagonal_bench_forget(b);
}

enum {
    PLAIN = 1u << TRIDIAGONAL_PARTITION_PLAIN,
    PARTITIONS = 1u << TRIDIAGONAL_PARTITION_PIVOT | PLAIN,
    THOMAS = 1u << TRIDIAGONAL_THOMAS,
    REDUNDANT = 1u << TRIDIAGONAL_RR_KOGGE_STONE | 1u << TRIDIAGONAL_RR_LADNER,
    OTHERS = ((1u << TRIDIAGONAL_VARIANTS) - 1) ^ REDUNDANT,
};

static void bench_single(tridiagonal_bench *b, tridiagonal_type t) {
    for (unsigned k = 8; k <= (b->run.quick ? 20 : 24); k += 2) {
        const tridiagonal_job job = tridiagonal_bench_strided(t, UINT64_C(1) << k, 1);
        measure(b, &job, PARTITIONS, CUSPARSE_GTSV2, SINGLE);
        measure(b, &job, PLAIN, CUSPARSE_GTSV2_NOPIVOT, SINGLE);
    }
}

static void bench_batched(tridiagonal_bench *b, tridiagonal_type t) {
    const unsigned total = b->run.quick ? 20 : 24;
    for (unsigned k = 4; k <= total - 2; k += 2) {
        const tridiagonal_job job =
            tridiagonal_bench_strided(t, UINT64_C(1) << k, UINT64_C(1) << (total - k));
        measure(b, &job, PARTITIONS, CUSPARSE_GTSV2_STRIDED, BATCHED);
    }
    const tridiagonal_job job = tridiagonal_bench_strided(t, 1 << 10, UINT64_C(1) << (total - 8));
    measure(b, &job, PARTITIONS, CUSPARSE_GTSV2_STRIDED, BATCHED);
}

static void bench_interleaved(tridiagonal_bench *b, tridiagonal_type t) {
    const unsigned total = b->run.quick ? 20 : 24;
    for (unsigned k = 4; k <= 12; k += 2) {
        const uint64_t batch = UINT64_C(1) << (total - k);
        const tridiagonal_job job = {t, UINT64_C(1) << k, batch, batch, 1};
        measure(b, &job, PARTITIONS | THOMAS, CUSPARSE_GTSV_INTERLEAVED, INTERLEAVED);
    }
}

// Small systems, 2^24 rows in all; then 1, 8 and 64 at once. Thomas is a thread a system: of a few
// long systems a call would take up to a second.
static void bench_papers(tridiagonal_bench *b, tridiagonal_type t) {
    const unsigned total = b->run.quick ? 20 : 24, thomas_most = 12;
    for (unsigned k = 6; k <= 10; k++) {
        const tridiagonal_job job =
            tridiagonal_bench_strided(t, UINT64_C(1) << k, UINT64_C(1) << (total - k));
        measure(b, &job, OTHERS, CUSPARSE_GTSV2_STRIDED, PAPERS);
        measure(b, &job, REDUNDANT, CUSPARSE_GTSV2_STRIDED, PAPERS);
    }
    for (unsigned k = 7; k <= 19; k++) {
        for (unsigned batch = 1; batch <= 64; batch *= 8) {
            const tridiagonal_job job = tridiagonal_bench_strided(t, UINT64_C(1) << k, batch);
            measure(b, &job, k <= thomas_most ? OTHERS : OTHERS & ~(unsigned)THOMAS,
                    CUSPARSE_GTSV2_STRIDED, PAPERS);
            measure(b, &job, REDUNDANT, CUSPARSE_GTSV2_STRIDED, PAPERS);
        }
    }
}

int main(int argc, char **argv) {
    static void (*const parts[PARTS])(tridiagonal_bench *, tridiagonal_type) = {
        [SINGLE] = bench_single,
        [BATCHED] = bench_batched,
        [INTERLEAVED] = bench_interleaved,
        [PAPERS] = bench_papers,
        [NAIVE] = tridiagonal_bench_naive,
        [ROWS] = tridiagonal_bench_rows,
        [ERRORS] = tridiagonal_bench_errors};
    static const struct argp own = {
        .parser = device_run_parts_parse,
        .args_doc = "[single] [batched] [interleaved] [papers] [naive] [rows] [errors]",
        .doc =
            "Times tridiagonal systems on a device against cuSPARSE and a copy, and checks "
            "every result. Measures the parts that are named, or all."};
    tridiagonal_bench b = {0};
    device_run_parts asked = {names, PARTS, 0};
    device_run_start(&b.run, &own, &asked, argc, argv);
    char why[256];
    if (!tridiagonal_bench_allocate(&b, UINT64_C(1) << (b.run.quick ? 22 : 26))) {
        program_no_memory("on the device, or on the host");
    }
    b.library = cusparse_open(why, sizeof why);
    printf("%s\n", b.library != NULL ? cusparse_name(b.library) : why);
    for (unsigned k = 0; k < PARTS; k++) {
        for (unsigned t = 0; t < TRIDIAGONAL_TYPES && (asked.asked >> k & 1) != 0; t++) {
            parts[k](&b, (tridiagonal_type)t);
        }
    }
    cusparse_close(b.library);
    tridiagonal_bench_release(&b);
    return 0;
}
