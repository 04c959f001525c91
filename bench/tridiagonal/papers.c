// papers.c: the papers' reductions with a launch a step against a copy; their solvers of
// short systems, and MS-ID-TS in three radices, against cuSPARSE: parts of tridiagonal_bench. See
// tridiagonal_bench.h, naive.h, rows.h and wang_mou_radix.h.
#include <stdio.h>
#include <stdlib.h>

#include "bench/tridiagonal/naive.h"
#include "bench/tridiagonal/rows.h"
#include "bench/tridiagonal/tridiagonal_bench.h"
#include "bench/tridiagonal/wang_mou_radix.h"

// rival: whether gtsv2StridedBatch alternates with it, where there is cuSPARSE.
static void measure(tridiagonal_bench *b, const tridiagonal_job *job,
                    const naive_tridiagonal *naive, bool rival, const char *kase) {
    char *const *x = b->array;
    naive_tridiagonal_job j = {*job, x[0], x[1],         x[2],
                               x[3], x[4], b->workspace, b->workspace_bytes};
    cusparse_job theirs = tridiagonal_bench_rival(b, job, CUSPARSE_GTSV2_STRIDED);
    rival = rival && b->library != NULL && cusparse_measure(&theirs) &&
            theirs.workspace_bytes <= b->rival_workspace_bytes;
    tridiagonal_bench_fill(b, job, naive->redundant ? MATRIX_LAPLACE : MATRIX_STRONG, 0, rival);
    device_copying copy = {b->array[4], b->array[0], (size_t)tridiagonal_bench_bytes(job)};
    device_side sides[3] = {{naive->enqueue, &j, false}};
    unsigned count = 1;
    if (rival) {
        sides[count++] = (device_side){cusparse_enqueue, &theirs, false};
    }
    sides[count++] = (device_side){device_copy_enqueue, &copy, false};
    device_times times[3];
    if (naive->bytes(job) > b->workspace_bytes || !device_time(NULL, sides, count, 2, 7, times) ||
        !naive->enqueue(&j, NULL)) {
        tridiagonal_bench_fail(naive->name, job);
    }
    // The copy moved 2 words a row, a solver that reads and writes each array once moves 5.
    times[count - 1].median_ns *= 2.5;
    times[count - 1].min_ns *= 2.5;
    const tridiagonal_quality q = tridiagonal_bench_judge(b, job, b->array[4]);
    tridiagonal_bench_forget(b);
    const double residual_most = job->type == TRIDIAGONAL_F32 ? 1e-5 : 1e-14;
    if (naive->redundant ? !(q.error < 0.1) : !(q.residual < residual_most)) {
        tridiagonal_bench_fail("a result is wrong", job);
    }
    const double rows_per_us = 1e3 * (double)(job->n * job->batch) / times[0].median_ns;
    char op[64], more[128], note[64], residual[16];
    tridiagonal_bench_number(residual, q.residual);
    snprintf(op, sizeof op, "strided-%s-x%llu", job->type == TRIDIAGONAL_F32 ? "f32" : "f64",
             (unsigned long long)job->batch);
    snprintf(more, sizeof more, ",\"rows_per_us\":%.1f,\"residual\":%s", rows_per_us, residual);
    snprintf(note, sizeof note, "%.1f MRows/s", rows_per_us);
    const device_line line = {.topic = "tridiagonal",
                              .op = op,
                              .variant = naive->name,
                              .n = job->n,
                              .rows = job->batch,
                              .bytes = 5.0 * (double)tridiagonal_bench_bytes(job),
                              .times = times,
                              .rival = rival ? "gtsv2StridedBatch" : NULL,
                              .kase = kase,
                              .more = more,
                              .note = note};
    device_record(&b->run, &line);
}

// Redundant reduction is lost in longer systems.
enum { LG_REDUNDANT_MOST = 10 };

void tridiagonal_bench_naive(tridiagonal_bench *b, tridiagonal_type t) {
    const unsigned total = b->run.quick ? 18 : 22;
    for (unsigned k = 6; k <= total; k += k < 10 ? 1 : 4) {
        for (unsigned i = 0; i < NAIVE_TRIDIAGONALS; i++) {
            const tridiagonal_job job =
                tridiagonal_bench_strided(t, UINT64_C(1) << k, UINT64_C(1) << (total - k));
            if (!naive_tridiagonals[i].redundant || k <= LG_REDUNDANT_MOST) {
                measure(b, &job, &naive_tridiagonals[i], false, "naive");
            }
        }
    }
}

// One of them, if it takes the job.
static void measure_own(tridiagonal_bench *b, tridiagonal_type t, uint64_t n, uint64_t batch,
                        const naive_tridiagonal *own) {
    const tridiagonal_job job = tridiagonal_bench_strided(t, n, batch);
    if (n <= own->longest[t] && own->bytes(&job) <= b->workspace_bytes) {
        measure(b, &job, own, true, "papers");
    }
}

static void measure_all(tridiagonal_bench *b, tridiagonal_type t, uint64_t n, uint64_t batch) {
    for (unsigned i = 0; i < TRIDIAGONAL_ROWS; i++) {
        measure_own(b, t, n, batch, &tridiagonal_rows[i]);
    }
    for (unsigned i = 0; i < WANG_MOU_RADICES; i++) {
        measure_own(b, t, n, batch, &wang_mou_radices[i]);
    }
}

void tridiagonal_bench_rows(tridiagonal_bench *b, tridiagonal_type t) {
    const unsigned total = b->run.quick ? 20 : 24;
    for (unsigned k = 6; k <= 10; k++) {
        measure_all(b, t, UINT64_C(1) << k, UINT64_C(1) << (total - k));
    }
    for (unsigned k = 7; k <= (b->run.quick ? 13u : 19u); k++) {
        for (unsigned batch = 1; batch <= 64; batch *= 8) {
            measure_all(b, t, UINT64_C(1) << k, batch);
        }
    }
}
