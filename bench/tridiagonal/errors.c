// errors.c: the errors of every variant and routine on every matrix of the test set: a
// part of tridiagonal_bench. See tridiagonal_bench.h.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "bench/tridiagonal/tridiagonal_bench.h"

// A single draw says little: of two equally good methods, either can be ahead by a factor of ten.
enum { DRAWS = 16, SOLVERS = TRIDIAGONAL_VARIANTS + CUSPARSE_ROUTINES };

static bool is_ours(unsigned solver) { return solver < TRIDIAGONAL_VARIANTS; }

static const char *solver_name(unsigned solver) {
    return is_ours(solver) ? tridiagonal_variant_name((tridiagonal_variant)solver)
                           : cusparse_routine_name(solver - TRIDIAGONAL_VARIANTS);
}

// Solves the systems that were drawn by one of them; false if it does not take the job.
static bool solve(tridiagonal_bench *b, const tridiagonal_job *job, unsigned solver,
                  tridiagonal_quality *q) {
    bool done = false;
    if (is_ours(solver)) {
        tridiagonal_ours o;
        done = tridiagonal_bench_plan(b, &o, job, (tridiagonal_variant)solver) &&
               tridiagonal_bench_enqueue(&o, NULL);
    } else if (b->library != NULL) {
        tridiagonal_bench_upload(b, job, true);
        cusparse_job rival = tridiagonal_bench_rival(b, job, (int)(solver - TRIDIAGONAL_VARIANTS));
        done = cusparse_measure(&rival) && cusparse_enqueue(&rival, NULL);
    }
    if (done) {
        *q = tridiagonal_bench_judge(b, job, is_ours(solver) ? b->array[4] : b->rival[3]);
    }
    return done;
}

// The errors of a solver over the draws.
typedef struct {
    bool done;
    double mean, worst, residual;  // geometric mean (its logarithm before), largest, largest
    unsigned no_worse;             // draws in which gtsv2's is as large or larger
} errors;

static void print_errors(const tridiagonal_bench *b, FILE *f, matrix_kind kind,
                         const tridiagonal_job *job, unsigned solver, const errors *e) {
    printf(" %.1e", e->mean);
    if (f != NULL) {
        char mean[16], worst[16], residual[16];
        tridiagonal_bench_number(mean, e->mean);
        tridiagonal_bench_number(worst, e->worst);
        tridiagonal_bench_number(residual, e->residual);
        fprintf(f,
                "{\"schema\":1,\"topic\":\"tridiagonal-errors\",\"matrix\":\"%s\",\"type\":\"%s\","
                "\"n\":%" PRIu64
                ",\"solver\":\"%s\",\"draws\":%d,\"error\":%s,\"worst_error\":%s,"
                "\"residual\":%s,\"no_worse_than_gtsv2\":%u,\"chip\":\"%s\","
                "\"commit\":\"%s\",\"dirty\":%s}\n",
                matrix_name(kind), job->type == TRIDIAGONAL_F32 ? "f32" : "f64", job->n,
                solver_name(solver), DRAWS, mean, worst, residual, e->no_worse, b->run.chip,
                b->run.commit, b->run.dirty ? "true" : "false");
    }
}

// Solves one draw of a matrix with all solvers. gtsv2 comes first, because the others are compared
// with it.
static void solve_draw(tridiagonal_bench *b, const tridiagonal_job *job, errors (*all)[SOLVERS]) {
    double theirs = INFINITY;
    for (unsigned i = 0; i < SOLVERS; i++) {
        const unsigned solver = (i + TRIDIAGONAL_VARIANTS + CUSPARSE_GTSV2) % SOLVERS;
        errors *const e = &(*all)[solver];
        tridiagonal_quality q = {0, 0};
        e->done = solve(b, job, solver, &q);
        if (e->done) {
            theirs = i == 0 ? q.error : theirs;
            e->mean += log(q.error) / DRAWS;
            e->worst = fmax(e->worst, q.error);
            e->residual = fmax(e->residual, q.residual);
            e->no_worse += q.error <= theirs;
        }
    }
}

// The papers' tables 5.10 to 5.12: relative errors at 512 rows, d uniform.
void tridiagonal_bench_errors(tridiagonal_bench *b, tridiagonal_type t) {
    FILE *const f = b->run.out != NULL ? device_records_open(&b->run, "tridiagonal-errors") : NULL;
    printf("errors at n = 512, %s, %d draws:", t == TRIDIAGONAL_F32 ? "f32" : "f64", DRAWS);
    for (unsigned s = 0; s < SOLVERS; s++) {
        printf(" %s", solver_name(s));
    }
    printf("\n");
    const tridiagonal_job job = tridiagonal_bench_strided(t, 512, 1);
    for (unsigned k = 0; k < MATRIX_KINDS; k++) {
        errors all[SOLVERS] = {{false, 0, 0, 0, 0}};
        for (unsigned draw = 0; draw < DRAWS; draw++) {
            tridiagonal_bench_fill(b, &job, (matrix_kind)k, draw, true);
            solve_draw(b, &job, &all);
            tridiagonal_bench_forget(b);
        }
        printf("%-18s", matrix_name((matrix_kind)k));
        for (unsigned s = 0; s < SOLVERS; s++) {
            if (all[s].done) {
                all[s].mean = exp(all[s].mean);
                print_errors(b, f, (matrix_kind)k, &job, s, &all[s]);
            }
        }
        printf(" | default no worse than gtsv2 in %u, plain in %u\n",
               all[TRIDIAGONAL_PARTITION_PIVOT].no_worse,
               all[TRIDIAGONAL_PARTITION_PLAIN].no_worse);
    }
    if (f != NULL) {
        device_records_close(f);
    }
}
