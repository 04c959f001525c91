// tridiagonal_errors.c: the errors of every variant and routine on every matrix of the test set: a
// part of tridiagonal_bench. See tridiagonal_bench.h.
#include <inttypes.h>
#include <stdio.h>

#include "bench/device/tridiagonal_bench.h"

static void print_error(tridiagonal_bench *b, FILE *f, matrix_kind kind, const tridiagonal_job *job,
                        const char *solver, tridiagonal_quality q) {
    printf(" %.1e", q.error);
    if (f != NULL) {
        char error[16], residual[16];
        tridiagonal_bench_number(error, q.error);
        tridiagonal_bench_number(residual, q.residual);
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
void tridiagonal_bench_errors(tridiagonal_bench *b, tridiagonal_type t) {
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
    const tridiagonal_job job = tridiagonal_bench_strided(t, 512, 1);
    for (unsigned k = 0; k < MATRIX_KINDS; k++) {
        printf("%-18s", matrix_name((matrix_kind)k));
        for (unsigned v = 0; v < TRIDIAGONAL_VARIANTS; v++) {
            tridiagonal_ours o;
            tridiagonal_bench_fill(b, &job, (matrix_kind)k, false);
            if (tridiagonal_bench_plan(b, &o, &job, (tridiagonal_variant)v) &&
                tridiagonal_bench_enqueue(&o, NULL)) {
                print_error(b, f, (matrix_kind)k, &job,
                            tridiagonal_variant_name((tridiagonal_variant)v),
                            tridiagonal_bench_judge(b, &job, b->array[4]));
            }
            tridiagonal_bench_forget(b);
        }
        for (int r = 0; r < CUSPARSE_ROUTINES && b->library != NULL; r++) {
            cusparse_job rival = tridiagonal_bench_rival(b, &job, r);
            tridiagonal_bench_fill(b, &job, (matrix_kind)k, true);
            if (cusparse_measure(&rival) && cusparse_enqueue(&rival, NULL)) {
                print_error(b, f, (matrix_kind)k, &job, cusparse_routine_name((cusparse_routine)r),
                            tridiagonal_bench_judge(b, &job, b->rival[3]));
            }
            tridiagonal_bench_forget(b);
        }
        printf("\n");
    }
    if (f != NULL) {
        fclose(f);
    }
}
