// solve.h: systems on the host and on the device, solved by a plan of tridiagonal.h and
// judged, for the tests of its algorithms. Includes fixture.h.
#ifndef TESTS_PRIMITIVES_TRIDIAGONAL_SOLVE_H_
#define TESTS_PRIMITIVES_TRIDIAGONAL_SOLVE_H_

#include "primitives/tridiagonal/tridiagonal.h"
#include "tests/primitives/tridiagonal/fixture.h"

// Systems on the host and on the device, and what came back.
typedef struct {
    tridiagonal_plan plan;
    size_t elements;       // of each array
    system_rows *systems;  // of the batch
    char *host[5];         // a, b, c, d, x as they lie in memory
    char *device[5];
    uint32_t *status, *device_status;
    char *workspace;
    size_t workspace_bytes;
} solve;

// solve_job: `extra` elements between systems, or between the rows of interleaved ones.
tridiagonal_job solve_job(tridiagonal_type type, size_t n, size_t batch, bool interleaved,
                          size_t extra);
// solve_plan is tridiagonal_make_plan's, which must take the job.
tridiagonal_plan solve_plan(tridiagonal_variant v, tridiagonal_job job);

// solve_open draws systems of one kind and lays them out; what must not be read is NaN. n and batch
// are not 0, a kind that is singular for n becomes MATRIX_UNIFORM.
void solve_open(solve *s, const tridiagonal_plan *plan, matrix_kind kind, uint64_t seed);
void solve_close(solve *s);
// solve_run solves, x in an array of its own or in d's, and fetches x and the status.
void solve_run(solve *s, bool in_place);

// Elements of the arrays on the host: 0 a, 1 b, 2 c, 3 d, 4 x.
void solve_put(solve *s, unsigned array, size_t at, double v);
double solve_get(const solve *s, unsigned array, size_t at);
size_t solve_element(const solve *s, size_t system, size_t row);

// The worst of all systems, as in fixture.h.
double solve_residual(const solve *s);
double solve_error(const solve *s);
// solve_bound is the residuals' bound of docs/proofs/tridiagonal.md, section 3, without growth.
double solve_bound(const solve *s);

// Every status is `want`; everything that is no element of a system is as it was.
void solve_expect_status(const solve *s, uint32_t want);
void solve_expect_gaps(const solve *s);
// solve_check does it all for new systems.
void solve_check(const tridiagonal_plan *plan, matrix_kind kind, uint64_t seed);
// solve_twice solves twice with one workspace, the second time in place and for other right-hand
// sides, and judges by residuals. Odd seeds take a matrix whose far ends know of each other.
void solve_twice(const tridiagonal_plan *plan, uint64_t seed);
// solve_spoilt puts a value into a row of system 1 of three, or, array 4, zeros into a column: the
// others are solved, and it is told.
void solve_spoilt(const tridiagonal_plan *plan, unsigned array, size_t row, double value);

#endif  // TESTS_PRIMITIVES_TRIDIAGONAL_SOLVE_H_
