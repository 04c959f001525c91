// tridiagonal_bench.h: what the parts of tridiagonal_bench share: systems in device memory, their
// solvers, and the quality of solutions. Plain C; includes the headers that describe systems and
// solvers.
#ifndef BENCH_TRIDIAGONAL_TRIDIAGONAL_BENCH_H_
#define BENCH_TRIDIAGONAL_TRIDIAGONAL_BENCH_H_

#include "bench/device/record.h"
#include "bench/device/timing.h"
#include "bench/tridiagonal/cusparse.h"
#include "primitives/tridiagonal/tridiagonal.h"
#include "tests/primitives/tridiagonal/fixture.h"

// tridiagonal_bench: systems of the last block of 2^24 rows that were drawn, which longer batches
// repeat, and memory of the library's and of the rival's.
typedef struct {
    device_run run;
    cusparse *library;          // NULL: there is no rival
    char *array[5], *rival[4];  // a, b, c, d, x; a, b, c, x
    char *host;
    uint32_t *status;
    char *workspace, *rival_workspace;
    size_t array_bytes, workspace_bytes, rival_workspace_bytes;
    system_rows first, last;  // of the last block
    bool solved;              // they have their solutions
} tridiagonal_bench;

// A plan of the library and its memory; tridiagonal_bench_enqueue enqueues it.
typedef struct {
    const tridiagonal_bench *b;
    tridiagonal_plan plan;
} tridiagonal_ours;

typedef struct {
    double residual, error;
} tridiagonal_quality;

// tridiagonal_bench_fail prints what failed and ends the program with status 1.
void tridiagonal_bench_fail(const char *what, const tridiagonal_job *job);
// tridiagonal_bench_allocate takes all memory, for jobs of up to `rows` rows in FP64; false if
// there is too little.
bool tridiagonal_bench_allocate(tridiagonal_bench *b, uint64_t rows);
void tridiagonal_bench_release(tridiagonal_bench *b);

// tridiagonal_bench_strided is one system after the other, without gaps.
tridiagonal_job tridiagonal_bench_strided(tridiagonal_type t, uint64_t n, uint64_t batch);

// tridiagonal_bench_bytes: of each of a job's five arrays.
uint64_t tridiagonal_bench_bytes(const tridiagonal_job *job);

// tridiagonal_bench_fill draws systems of a kind, for the library and, if asked, for the rival;
// draw numbers the draw. tridiagonal_bench_upload copies them again, for rivals that overwrite
// them. tridiagonal_bench_forget releases what tridiagonal_bench_fill took.
void tridiagonal_bench_fill(tridiagonal_bench *b, const tridiagonal_job *job, matrix_kind kind,
                            uint64_t draw, bool rivals);
// tridiagonal_bench_fill_ones draws a matrix whose rows' sums are exact, and right-hand sides that
// make every unknown 1.
void tridiagonal_bench_fill_ones(tridiagonal_bench *b, const tridiagonal_job *job, matrix_kind kind,
                                 bool rivals);
void tridiagonal_bench_upload(tridiagonal_bench *b, const tridiagonal_job *job, bool rivals);
void tridiagonal_bench_forget(tridiagonal_bench *b);

// tridiagonal_bench_plan: false if the variant does not take the job, or if the job or its
// workspace does not fit into the memory, like the longest jobs of part papers with --quick.
bool tridiagonal_bench_plan(const tridiagonal_bench *b, tridiagonal_ours *o,
                            const tridiagonal_job *job, tridiagonal_variant v);
// tridiagonal_bench_enqueue solves; self is a tridiagonal_ours.
bool tridiagonal_bench_enqueue(void *self, cuda_stream stream);
// tridiagonal_bench_rival: the rival's job by one of its routines.
cusparse_job tridiagonal_bench_rival(const tridiagonal_bench *b, const tridiagonal_job *job,
                                     int routine);

// tridiagonal_bench_judge measures the quality of the first and the last system of the last block
// of x. It gives no error if systems are too long to be solved in many digits, and have no known
// solution.
tridiagonal_quality tridiagonal_bench_judge(tridiagonal_bench *b, const tridiagonal_job *job,
                                            const char *x);
// tridiagonal_bench_number writes a number as JSON, which has no infinity.
void tridiagonal_bench_number(char text[16], double v);

// tridiagonal_bench_errors prints and records the errors of every variant, of the papers' own
// solvers and of every routine: the papers' table 5.9, -1 2 -1 with unknowns that are 1 at 2^7 to
// 2^19 rows, and tables 5.10 to 5.12: every matrix at 512 rows, d uniform, over 16 draws.
void tridiagonal_bench_errors(tridiagonal_bench *b, tridiagonal_type t);
// tridiagonal_bench_naive times naive_tridiagonals at the papers' sizes and beyond, 2^22 rows in
// all; tridiagonal_bench_rows times tridiagonal_rows and wang_mou_radices at the papers' sizes:
// 2^6 to 2^10 rows, 2^24 in all, and 2^7 to 2^19 rows, 1, 8 and 64 systems.
void tridiagonal_bench_naive(tridiagonal_bench *b, tridiagonal_type t);
void tridiagonal_bench_rows(tridiagonal_bench *b, tridiagonal_type t);

#endif  // BENCH_TRIDIAGONAL_TRIDIAGONAL_BENCH_H_
