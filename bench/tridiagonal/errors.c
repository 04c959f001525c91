// errors.c: the errors of every variant, of the papers' own solvers and of every routine, on every
// matrix of the test set and on -1 2 -1 at the papers' sizes: a part of tridiagonal_bench. See
// tridiagonal_bench.h.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "bench/tridiagonal/naive.h"
#include "bench/tridiagonal/rows.h"
#include "bench/tridiagonal/tridiagonal_bench.h"
#include "bench/tridiagonal/wang_mou_radix.h"

// A single draw says little: of two equally good methods, either can be ahead by a factor of ten.
// Solvers are numbered: the library's variants, the papers' own, cuSPARSE's routines.
enum {
    DRAWS = 16,
    OWN = NAIVE_TRIDIAGONALS + TRIDIAGONAL_ROWS + WANG_MOU_RADICES,
    RIVALS = TRIDIAGONAL_VARIANTS + OWN,
    SOLVERS = RIVALS + CUSPARSE_ROUTINES,
};

static bool is_rival(unsigned solver) { return solver >= RIVALS; }

// NULL for a variant of the library.
static const naive_tridiagonal *own_solver(unsigned solver) {
    if (solver < TRIDIAGONAL_VARIANTS) {
        return NULL;
    }
    unsigned k = solver - TRIDIAGONAL_VARIANTS;
    if (k < NAIVE_TRIDIAGONALS) {
        return &naive_tridiagonals[k];
    }
    k -= NAIVE_TRIDIAGONALS;
    return k < TRIDIAGONAL_ROWS ? &tridiagonal_rows[k] : &wang_mou_radices[k - TRIDIAGONAL_ROWS];
}

static const char *solver_name(unsigned solver) {
    if (is_rival(solver)) {
        return cusparse_routine_name((cusparse_routine)(solver - RIVALS));
    }
    const naive_tridiagonal *const own = own_solver(solver);
    return own != NULL ? own->name : tridiagonal_variant_name((tridiagonal_variant)solver);
}

static bool solve_by_variant(tridiagonal_bench *b, const tridiagonal_job *job,
                             tridiagonal_variant v) {
    tridiagonal_ours o;
    return tridiagonal_bench_plan(b, &o, job, v) && tridiagonal_bench_enqueue(&o, NULL);
}

static bool solve_by_own(tridiagonal_bench *b, const tridiagonal_job *job,
                         const naive_tridiagonal *own) {
    char *const *x = b->array;
    naive_tridiagonal_job j = {*job, x[0], x[1],         x[2],
                               x[3], x[4], b->workspace, b->workspace_bytes};
    return job->n <= own->longest[job->type] && own->bytes(job) <= b->workspace_bytes &&
           own->enqueue(&j, NULL);
}

static bool solve_by_rival(tridiagonal_bench *b, const tridiagonal_job *job, unsigned routine) {
    if (b->library == NULL) {
        return false;
    }
    tridiagonal_bench_upload(b, job, true);
    cusparse_job rival = tridiagonal_bench_rival(b, job, (int)routine);
    return cusparse_measure(&rival) && rival.workspace_bytes <= b->rival_workspace_bytes &&
           cusparse_enqueue(&rival, NULL);
}

// Solves the systems that were drawn by one of them; false if it does not take the job.
static bool solve(tridiagonal_bench *b, const tridiagonal_job *job, unsigned solver,
                  tridiagonal_quality *q) {
    const naive_tridiagonal *const own = is_rival(solver) ? NULL : own_solver(solver);
    const bool done = is_rival(solver) ? solve_by_rival(b, job, solver - RIVALS)
                      : own != NULL    ? solve_by_own(b, job, own)
                                       : solve_by_variant(b, job, (tridiagonal_variant)solver);
    if (done) {
        *q = tridiagonal_bench_judge(b, job, is_rival(solver) ? b->rival[3] : b->array[4]);
    }
    return done;
}

// The errors of a solver over the draws.
typedef struct {
    bool done;
    double mean, worst, residual;  // geometric mean (its logarithm before), largest, largest
    unsigned no_worse;             // draws in which gtsv2's is as large or larger
} errors;

static void print_errors(const tridiagonal_bench *b, FILE *f, const char *matrix, unsigned draws,
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
                ",\"solver\":\"%s\",\"draws\":%u,\"error\":%s,\"worst_error\":%s,"
                "\"residual\":%s,\"no_worse_than_gtsv2\":%u,\"chip\":\"%s\","
                "\"commit\":\"%s\",\"dirty\":%s}\n",
                matrix, job->type == TRIDIAGONAL_F32 ? "f32" : "f64", job->n, solver_name(solver),
                draws, mean, worst, residual, e->no_worse, b->run.chip, b->run.commit,
                b->run.dirty ? "true" : "false");
    }
}

// Solves one of `draws` systems with all solvers. gtsv2 comes first, because the others are
// compared with it.
static void solve_draw(tridiagonal_bench *b, const tridiagonal_job *job, unsigned draws,
                       errors (*all)[SOLVERS]) {
    double theirs = INFINITY;
    for (unsigned i = 0; i < SOLVERS; i++) {
        const unsigned solver = (i + RIVALS + CUSPARSE_GTSV2) % SOLVERS;
        errors *const e = &(*all)[solver];
        tridiagonal_quality q = {0, 0};
        e->done = solve(b, job, solver, &q);
        if (e->done) {
            theirs = i == 0 ? q.error : theirs;
            e->mean += log(q.error) / draws;
            e->worst = fmax(e->worst, q.error);
            e->residual = fmax(e->residual, q.residual);
            e->no_worse += q.error <= theirs;
        }
    }
}

// Prints the line of a matrix that all solvers have solved.
static void print_all(const tridiagonal_bench *b, FILE *f, const char *matrix, unsigned draws,
                      const tridiagonal_job *job, errors (*all)[SOLVERS]) {
    printf("%-18s", matrix);
    for (unsigned s = 0; s < SOLVERS; s++) {
        errors *const e = &(*all)[s];
        if (e->done) {
            e->mean = exp(e->mean);
            print_errors(b, f, matrix, draws, job, s, e);
        } else {
            printf(" -");
        }
    }
    printf(" | default no worse than gtsv2 in %u, plain in %u\n",
           (*all)[TRIDIAGONAL_PARTITION_PIVOT].no_worse,
           (*all)[TRIDIAGONAL_PARTITION_PLAIN].no_worse);
}

// Tables 5.10 to 5.12.
static void bench_matrices(tridiagonal_bench *b, tridiagonal_type t, FILE *f) {
    const tridiagonal_job job = tridiagonal_bench_strided(t, 512, 1);
    for (unsigned k = 0; k < MATRIX_KINDS; k++) {
        errors all[SOLVERS] = {{false, 0, 0, 0, 0}};
        for (unsigned draw = 0; draw < DRAWS; draw++) {
            tridiagonal_bench_fill(b, &job, (matrix_kind)k, draw, true);
            solve_draw(b, &job, DRAWS, &all);
            tridiagonal_bench_forget(b);
        }
        print_all(b, f, matrix_name((matrix_kind)k), DRAWS, &job, &all);
    }
}

// Table 5.9. Nothing is drawn.
static void bench_sizes(tridiagonal_bench *b, tridiagonal_type t, FILE *f) {
    for (unsigned k = 7; k <= (b->run.quick ? 12u : 19u); k++) {
        const tridiagonal_job job = tridiagonal_bench_strided(t, UINT64_C(1) << k, 1);
        errors all[SOLVERS] = {{false, 0, 0, 0, 0}};
        tridiagonal_bench_fill_ones(b, &job, MATRIX_LAPLACE, true);
        solve_draw(b, &job, 1, &all);
        tridiagonal_bench_forget(b);
        print_all(b, f, "laplace-ones", 1, &job, &all);
    }
}

void tridiagonal_bench_errors(tridiagonal_bench *b, tridiagonal_type t) {
    FILE *const f = b->run.out != NULL ? device_records_open(&b->run, "tridiagonal-errors") : NULL;
    printf("errors, %s, -1 2 -1 with unknowns 1 at 2^7 rows and more, then n = 512, %d draws:",
           t == TRIDIAGONAL_F32 ? "f32" : "f64", DRAWS);
    for (unsigned s = 0; s < SOLVERS; s++) {
        printf(" %s", solver_name(s));
    }
    printf("\n");
    bench_sizes(b, t, f);
    bench_matrices(b, t, f);
    if (f != NULL) {
        device_records_close(f);
    }
}
