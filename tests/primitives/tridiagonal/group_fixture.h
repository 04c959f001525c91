// group_fixture.h: tridiagonal systems over a group of members: their memory on every member, one
// call, and what its results are held against.
#ifndef TESTS_PRIMITIVES_TRIDIAGONAL_GROUP_FIXTURE_H_
#define TESTS_PRIMITIVES_TRIDIAGONAL_GROUP_FIXTURE_H_

#include "primitives/cuda/group.h"
#include "primitives/tridiagonal/group.h"
#include "tests/primitives/tridiagonal/fixture.h"

enum { GROUP_MOST = 8 };  // members

// A group with the memory of one job on each member, and its systems on the host.
typedef struct {
    cuda_group g;
    tridiagonal_systems job;
    unsigned networks;
    tridiagonal_member member[GROUP_MOST];
    system_rows *systems;
    double *x;  // n of each system
    // Of each system on each member that has it, of all members one after another. Residuals come
    // in twos.
    uint32_t *status;
    double *residual;
} group_fixture;

// group_setup opens a group of members on devices 0 .. devices - 1 in turn and draws the systems.
// ASSERTs; group_teardown releases all.
void group_setup(group_fixture *f, const tridiagonal_systems *job, matrix_kind kind,
                 unsigned members, unsigned networks, unsigned devices, uint64_t seed);
void group_teardown(group_fixture *f);
// group_run uploads the systems, solves them once and downloads unknowns, statuses and residuals.
void group_run(group_fixture *f);
void group_upload(group_fixture *f);
void group_download(group_fixture *f);
// group_bound is the bound of docs/proofs/tridiagonal.md, section 3, on a system's residual.
double group_bound(const group_fixture *f);
// group_expect_reports holds what every member tells of its systems, the status, the true residual
// and the largest unknown, against the systems.
void group_expect_reports(const group_fixture *f);
// group_check: all of the above for one job; where pivots allow it, also against the host's
// elimination.
void group_check(const tridiagonal_systems *job, matrix_kind kind, unsigned members,
                 unsigned networks, unsigned devices, uint64_t seed);

#endif  // TESTS_PRIMITIVES_TRIDIAGONAL_GROUP_FIXTURE_H_
