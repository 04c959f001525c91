// jobs.h: a scan and a batch of tridiagonal systems, whole on the host, run on any group: each
// process brings the shares of its members and gets theirs back.
#ifndef TESTS_LONGMUL_MPI_JOBS_H_
#define TESTS_LONGMUL_MPI_JOBS_H_

#include <stdbool.h>

#include "longmul/group.h"

// A runtime call that fails, by its number within a call of longmul, from 1; 0: none. came: whether
// there was such a call.
typedef struct {
    uint64_t call;
    bool came;
} jobs_fault;

typedef struct {
    longmul_operator op;
    int exclusive;
    uint64_t n, rows, seed;
    jobs_fault *fault;  // NULL: none
} scan_case;

// scan_run scans on a group; its status. out: rows of n elements, of which the shares of the
// members here are written, or none if it fails.
longmul_status scan_run(longmul_group *g, unsigned networks, const scan_case *c, void *out);
// scan_check runs it on the ranks' group and on a group of this process alone, and compares bits of
// the members here; the latter's results also with a serial loop's.
void scan_check(longmul_group *ranks, unsigned networks, const scan_case *c);

typedef struct {
    int is_double, status, residual;  // the last two: asked for
    uint64_t n, batch, seed;
    jobs_fault *fault;
} solve_case;

// What a member tells of its systems, as many as the batch at most.
enum { BATCH_MOST = 9 };
typedef struct {
    uint32_t status[BATCH_MOST];
    double residual[2 * BATCH_MOST];
} solve_told;

// As of scans; residuals also keep to the bound of docs/proofs/tridiagonal.md. x: batch systems of
// n numbers; told: of the members here.
longmul_status solve_run(longmul_group *g, unsigned networks, const solve_case *c, void *x,
                         solve_told *told);
void solve_check(longmul_group *ranks, unsigned networks, const solve_case *c);

#endif  // TESTS_LONGMUL_MPI_JOBS_H_
