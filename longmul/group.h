// group.h: several devices, or several members on one, as one group: scans of rows and solutions of
// tridiagonal systems that are dealt out to members or split over them. One thread of a process
// enqueues for all its members.
//
// A group may have members in the processes of an MPI job (group_mpi.h). All processes then make
// the same calls in the same order; arrays of a call (in, out, workspace, member) are of the
// members of the calling process, in their order. A call returns the same status to all processes.
//
// A group of members is cut into `networks` networks of as many members each: whole rows, or
// systems, are dealt out to networks, and every one of a network is split over its members.
// networks = members: each on one member (MBP in the literature); networks = 1: each over all of
// them (MPS); in between: each over members that are near each other (MP-PC).
#ifndef LONGMUL_GROUP_H_
#define LONGMUL_GROUP_H_

#include <stddef.h>
#include <stdint.h>

#include "longmul/scan.h"
#include "longmul/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { LONGMUL_MEMBERS_MAX = 64, LONGMUL_GROUP_WORDS = 200 };
typedef struct {
    uint64_t words[LONGMUL_GROUP_WORDS];
} longmul_group;

// longmul_group_open makes a stream for each member, on these devices, repeats allowed, and lets
// devices reach each other's memory where they can. Close the group even if that fails.
// longmul_group_wait waits for all members' work. longmul_group_stream: that of a member of this
// process, by its number in the group. longmul_group_first: the number of this process's first
// member, 0 in one process. longmul_group_error: of a group over processes, which process made the
// last call fail, and why; valid until the next call; "" in one process.
LONGMUL_API longmul_status longmul_group_open(longmul_group *group, const int *devices,
                                              unsigned members);
LONGMUL_API void longmul_group_close(longmul_group *group);
LONGMUL_API longmul_status longmul_group_wait(longmul_group *group);
LONGMUL_API longmul_stream longmul_group_stream(const longmul_group *group, unsigned member);
LONGMUL_API unsigned longmul_group_members(const longmul_group *group);
LONGMUL_API unsigned longmul_group_first(const longmul_group *group);
LONGMUL_API const char *longmul_group_error(const longmul_group *group);

// longmul_share: what a member has: elements first .. first + n of rows first_row .. first_row +
// rows, its parts of rows one after the other. Empty where arguments are refused.
typedef struct {
    uint64_t first_row, rows, first, n;
} longmul_share;
LONGMUL_API longmul_share longmul_scan_group_share(longmul_operator op, uint64_t n, uint64_t rows,
                                                   unsigned members, unsigned networks,
                                                   unsigned member);
LONGMUL_API size_t longmul_scan_group_workspace_bytes(longmul_operator op, uint64_t n,
                                                      uint64_t rows, unsigned members,
                                                      unsigned networks, unsigned member);

// longmul_scan_group enqueues longmul_scan of all rows: member m's share in[m] to out[m], with
// workspace[m], in memory of its device. Rows that are split are read twice and written once, and a
// member fetches one element a row from each member before it in its network. Where a network has
// members of several processes, these elements go by the host, and the call waits for them.
LONGMUL_API longmul_status longmul_scan_group(longmul_group *group, unsigned networks,
                                              longmul_operator op, int exclusive, void *const *out,
                                              const void *const *in, uint64_t n, uint64_t rows,
                                              void *const *workspace);

// longmul_solve_share: what a member has of `batch` tridiagonal systems of n rows each: rows first
// .. first + n of systems first_system .. first_system + systems, its parts of systems one after
// the other. Parts of systems that are split are a multiple of 1024 rows, 512 of doubles, so that
// members of short systems may have none. Empty where arguments are refused.
typedef struct {
    uint64_t first_system, systems, first, n;
} longmul_solve_share;
LONGMUL_API longmul_solve_share longmul_solve_group_share(int is_double, uint64_t n, uint64_t batch,
                                                          unsigned members, unsigned networks,
                                                          unsigned member);
LONGMUL_API size_t longmul_solve_group_workspace_bytes(int is_double, uint64_t n, uint64_t batch,
                                                       unsigned members, unsigned networks,
                                                       unsigned member);

// longmul_solve_member: a member's share of the arrays of longmul_solve, in memory of its device.
// status: NULL, or a word, residual: NULL, or two doubles, for each of its systems, as in
// longmul_solve with batch = share.systems; they speak of whole systems. Members that have systems
// ask for the same; so do all processes, also for members that have none. x may be d where no
// residual is asked for.
typedef struct {
    const void *a, *b, *c, *d;
    void *x;
    uint32_t *status;
    double *residual;
    void *workspace;
} longmul_solve_member;

// longmul_solve_group enqueues longmul_solve of all systems, member[m] for member m. Where systems
// are split, every member reduces its rows to two equations, fetches those of the other members of
// its network, 80 or 160 bytes each for a system, and goes back to the unknowns: pivots are sought
// among all rows, so it is as safe as longmul_solve. One more exchange for a status, two more for
// residuals. What is exchanged between processes goes by the host, as in longmul_scan_group.
LONGMUL_API longmul_status longmul_solve_group(longmul_group *group, unsigned networks,
                                               int is_double, uint64_t n, uint64_t batch,
                                               const longmul_solve_member *member);

#ifdef __cplusplus
}
#endif

#endif  // LONGMUL_GROUP_H_
