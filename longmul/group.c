// group.c: the functions of longmul/group.h, over the groups of primitives/.
#include "longmul/group.h"

#include <string.h>

#include "longmul/answer.h"
#include "longmul/group_join.h"
#include "primitives/cuda/group.h"
#include "primitives/scan/group.h"
#include "primitives/tridiagonal/group.h"

_Static_assert(sizeof(longmul_group) >= sizeof(cuda_group), "room for a group");
_Static_assert((int)LONGMUL_MEMBERS_MAX == (int)CUDA_GROUP_MOST, "members");

// The group within longmul_group.
static cuda_group group_of(const longmul_group *group) {
    cuda_group of;
    memcpy(&of, group->words, sizeof of);
    return of;
}

static longmul_status keep(longmul_group *group, const cuda_group *of, result done) {
    memset(group, 0, sizeof *group);
    memcpy(group->words, of, sizeof *of);
    return status_of(done);
}

// answer: the status of a call on a group.
static longmul_status answer(const cuda_group *of, result done) {
    return done != RESULT_OK && of->link != NULL && of->link->lost ? LONGMUL_PEER_ERROR
                                                                   : status_of(done);
}

longmul_status longmul_group_open(longmul_group *group, const int *devices, unsigned members) {
    cuda_group of;
    const result done = cuda_group_open(&of, devices, members);
    return keep(group, &of, done);
}

longmul_status longmul_group_join(longmul_group *group, const int *devices, cuda_link *link) {
    cuda_group of;
    const result done = cuda_group_join(&of, devices, link);
    keep(group, &of, done);
    return answer(&of, done);
}

void longmul_group_close(longmul_group *group) {
    cuda_group of = group_of(group);
    cuda_group_close(&of);
    memset(group, 0, sizeof *group);
}

longmul_status longmul_group_wait(longmul_group *group) {
    cuda_group of = group_of(group);
    return answer(&of, cuda_group_wait(&of));
}

longmul_stream longmul_group_stream(const longmul_group *group, unsigned member) {
    return group_of(group).member[member].stream;
}

unsigned longmul_group_members(const longmul_group *group) { return group_of(group).members; }

unsigned longmul_group_first(const longmul_group *group) { return group_of(group).first; }

const char *longmul_group_error(const longmul_group *group) {
    const cuda_link *const link = group_of(group).link;
    return link == NULL ? "" : link->why;
}

static scan_job scan_of(longmul_operator op, int exclusive, uint64_t n, uint64_t rows) {
    return (scan_job){.op = (monoid)op, .exclusive = exclusive != 0, .n = n, .rows = rows};
}

longmul_share longmul_scan_group_share(longmul_operator op, uint64_t n, uint64_t rows,
                                       unsigned members, unsigned networks, unsigned member) {
    const scan_job job = scan_of(op, 0, n, rows);
    if (scan_group_workspace_bytes(&job, members, networks, member) == 0) {
        return (longmul_share){0};
    }
    const scan_share s = scan_group_share(&job, members, networks, member);
    return (longmul_share){s.first_row, s.rows, s.first, s.n};
}

size_t longmul_scan_group_workspace_bytes(longmul_operator op, uint64_t n, uint64_t rows,
                                          unsigned members, unsigned networks, unsigned member) {
    const scan_job job = scan_of(op, 0, n, rows);
    return scan_group_workspace_bytes(&job, members, networks, member);
}

longmul_status longmul_scan_group(longmul_group *group, unsigned networks, longmul_operator op,
                                  int exclusive, void *const *out, const void *const *in,
                                  uint64_t n, uint64_t rows, void *const *workspace) {
    const scan_job job = scan_of(op, exclusive, n, rows);
    cuda_group of = group_of(group);
    return answer(&of, scan_group(&job, &of, networks, out, in, workspace));
}

static tridiagonal_systems systems_of(int is_double, uint64_t n, uint64_t batch) {
    return (tridiagonal_systems){is_double ? TRIDIAGONAL_F64 : TRIDIAGONAL_F32,
                                 TRIDIAGONAL_PARTITION_PIVOT, n, batch};
}

longmul_solve_share longmul_solve_group_share(int is_double, uint64_t n, uint64_t batch,
                                              unsigned members, unsigned networks,
                                              unsigned member) {
    const tridiagonal_systems job = systems_of(is_double, n, batch);
    if (tridiagonal_group_workspace_bytes(&job, members, networks, member) == 0) {
        return (longmul_solve_share){0};
    }
    const tridiagonal_share s = tridiagonal_group_share(&job, members, networks, member);
    return (longmul_solve_share){s.first_system, s.systems, s.first, s.n};
}

size_t longmul_solve_group_workspace_bytes(int is_double, uint64_t n, uint64_t batch,
                                           unsigned members, unsigned networks, unsigned member) {
    const tridiagonal_systems job = systems_of(is_double, n, batch);
    return tridiagonal_group_workspace_bytes(&job, members, networks, member);
}

longmul_status longmul_solve_group(longmul_group *group, unsigned networks, int is_double,
                                   uint64_t n, uint64_t batch, const longmul_solve_member *member) {
    const tridiagonal_systems job = systems_of(is_double, n, batch);
    cuda_group of = group_of(group);
    tridiagonal_member members[CUDA_GROUP_MOST];
    for (unsigned m = 0; m < of.here; m++) {
        const longmul_solve_member *const own = &member[m];
        members[m] = (tridiagonal_member){.rows = {own->a, own->b, own->c, own->d, own->x},
                                          .status = own->status,
                                          .residual = own->residual,
                                          .workspace = own->workspace};
    }
    return answer(&of, tridiagonal_group(&job, &of, networks, members));
}
