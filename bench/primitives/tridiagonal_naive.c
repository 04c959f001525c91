// tridiagonal_naive.c: the papers' reductions with a launch a step, against a copy: a part of
// tridiagonal_bench. See tridiagonal_bench.h and naive_tridiagonal.h.
#include <stdio.h>
#include <stdlib.h>

#include "bench/primitives/naive_tridiagonal.h"
#include "bench/primitives/tridiagonal_bench.h"

static void measure_naive(tridiagonal_bench *b, const tridiagonal_job *job,
                          const naive_tridiagonal *naive) {
    char *const *x = b->array;
    naive_tridiagonal_job j = {*job, x[0], x[1],         x[2],
                               x[3], x[4], b->workspace, b->workspace_bytes};
    tridiagonal_bench_fill(b, job, MATRIX_STRONG, 0, false);
    device_copying copy = {b->array[4], b->array[0], (size_t)tridiagonal_bench_bytes(job)};
    const device_side sides[] = {{naive->enqueue, &j, false}, {device_copy_enqueue, &copy, false}};
    device_times times[2];
    if (naive->bytes(job) > b->workspace_bytes || !device_time(NULL, sides, 2, 2, 7, times) ||
        !naive->enqueue(&j, NULL)) {
        tridiagonal_bench_fail(naive->name, job);
    }
    // The copy moved 2 words a row, a solver that reads and writes each array once moves 5.
    times[1].median_ns *= 2.5;
    times[1].min_ns *= 2.5;
    const tridiagonal_quality q = tridiagonal_bench_judge(b, job, b->array[4]);
    tridiagonal_bench_forget(b);
    if (!(q.residual < (job->type == TRIDIAGONAL_F32 ? 1e-5 : 1e-14))) {
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
                              .kase = "naive",
                              .more = more,
                              .note = note};
    device_record(&b->run, &line);
}

void tridiagonal_bench_naive(tridiagonal_bench *b, tridiagonal_type t) {
    const unsigned total = b->run.quick ? 18 : 22;
    for (unsigned k = 6; k <= total; k += k < 10 ? 1 : 4) {
        for (unsigned i = 0; i < NAIVE_TRIDIAGONALS; i++) {
            const tridiagonal_job job =
                tridiagonal_bench_strided(t, UINT64_C(1) << k, UINT64_C(1) << (total - k));
            measure_naive(b, &job, &naive_tridiagonals[i]);
        }
    }
}
