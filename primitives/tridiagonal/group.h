// group.h: tridiagonal systems over a group of members, cut into `networks` networks of as many
// members each: whole systems are dealt out to the networks, and the rows of every system of a
// network are split over its members. By the thesis's names
//
//   MBP    multiple problems, batch: networks = members, no member needs another
//   MPS    one problem over all members: networks = 1
//   MP-PC  in between: rows are split only among members that are near each other
//
// Plain C, over tridiagonal.h, residual.h, portion.h and the group of primitives/cuda.
#ifndef PRIMITIVES_TRIDIAGONAL_GROUP_H_
#define PRIMITIVES_TRIDIAGONAL_GROUP_H_

#include <stddef.h>
#include <stdint.h>

#include "primitives/cuda/group.h"
#include "primitives/tridiagonal/portion.h"
#include "primitives/tridiagonal/tridiagonal.h"

#ifdef __cplusplus
extern "C" {
#endif

// tridiagonal_systems: `batch` systems of n rows, n, batch <= 2^40. Of systems that are split, the
// variant is a form of partition-pivot; partition-pivot is the safe choice.
typedef struct {
    tridiagonal_type type;
    tridiagonal_variant variant;
    uint64_t n, batch;
} tridiagonal_systems;

// tridiagonal_share: what one member has of the job: rows [first, first + n) of systems
// [first_system, first_system + systems), its portions one after the other without gaps. Shares may
// be empty.
typedef struct {
    uint64_t first_system, systems, first, n;
} tridiagonal_share;

// tridiagonal_group_share: systems and rows in equal parts, rounded up, rows of systems that are
// split to tridiagonal_portion_rows; the last shares are shorter. Requires networks > 0 and members
// a multiple of it.
tridiagonal_share tridiagonal_group_share(const tridiagonal_systems *job, unsigned members,
                                          unsigned networks, unsigned member);

// tridiagonal_group_workspace_bytes returns what a member needs; 0 for a job or networks that are
// refused.
size_t tridiagonal_group_workspace_bytes(const tridiagonal_systems *job, unsigned members,
                                         unsigned networks, unsigned member);

// tridiagonal_group_sent_bytes: what a member receives from others in one call, besides a status of
// 4 bytes and residuals of 16 for each system and member: 10 numbers for each.
uint64_t tridiagonal_group_sent_bytes(const tridiagonal_systems *job, unsigned members,
                                      unsigned networks, unsigned member);

// tridiagonal_member: a member's arrays, in memory of its device. workspace: 256-byte aligned,
// tridiagonal_group_workspace_bytes, zero before its first use, not between calls of one job and
// group. status: NULL, or a word for each of its systems, which becomes 0, or 1 where the system is
// singular, overflowed or not finite, in whatever member's rows. residual: NULL, or two doubles for
// each of its `systems` systems, as in residual.h, of whole systems. All members that have systems
// ask for the same, and all processes, the first member of which counts if none has systems.
typedef struct {
    tridiagonal_arrays rows;  // x may be d where no residual is asked for
    uint32_t *status;
    double *residual;
    void *workspace;
} tridiagonal_member;

// tridiagonal_group enqueues x = the solutions of all systems, member[i] for the i-th member here.
// Systems that are split are done by portions (portion.h): one exchange of spans, one more for the
// status, two more for residuals. Others are solved by the plan of tridiagonal_make_plan. Does not
// wait, except for what comes from other processes (cuda_group_gather). The workspace may be used
// again, and results read, in the order of the member's stream. The same input, members and
// networks give the same bits, in one process or several. Over processes: collective. All get the
// same result; nothing is written to outputs before all agree that they could launch the first
// step. Errors: RESULT_REFUSED for networks that are 0 or do not divide the members, a job that
// tridiagonal.h or portion.h refuses, x = d with residuals, members that do not ask alike, or
// processes that come with different jobs
result tridiagonal_group(const tridiagonal_systems *job, cuda_group *g, unsigned networks,
                         const tridiagonal_member *member);

#ifdef __cplusplus
}
#endif

#endif  // PRIMITIVES_TRIDIAGONAL_GROUP_H_
