// ranks_job.h: what group_ranks_bench times: a scan, or tridiagonal systems, over a group with one
// member on each rank, and the whole of it on the first rank's device.
#ifndef BENCH_GROUP_RANKS_JOB_H_
#define BENCH_GROUP_RANKS_JOB_H_

#include <stdbool.h>
#include <stdint.h>

#include "primitives/cuda/group.h"
#include "primitives/scan/scan.h"
#include "primitives/tridiagonal/group.h"

enum { RANKS_JOB_ARRAYS = 24 };

typedef struct {
    cuda_group *g;
    unsigned networks;
    uint64_t n, rows;  // elements of a row, rows; or rows of a system, systems
    bool is_double;    // systems
    // Of the kind's `open`:
    double bytes;               // that one pass reads and writes
    unsigned exchanges;         // of slots, and
    uint64_t received;          // what comes to a member in them
    void *copy_to, *copy_from;  // on the first rank, of copy_bytes: as long as the result
    uint64_t copy_bytes;
    void *allocated[RANKS_JOB_ARRAYS];
    unsigned arrays;
    union {
        struct {
            scan_job job;
            void *in, *out, *workspace, *all_in, *all_out, *all_workspace;
            size_t all_bytes;
        } scan;
        struct {
            tridiagonal_systems job;
            tridiagonal_member member;
            tridiagonal_plan all_plan;
            void *all[5], *all_workspace;
            uint32_t *all_status;
        } solve;
    };
} ranks_job;

typedef struct {
    const char *topic;  // of records
    void (*open)(ranks_job *j);
    bool (*run)(ranks_job *j);     // enqueues it over the group
    bool (*single)(ranks_job *j);  // the whole, on the first rank
    bool (*right)(ranks_job *j);   // whether this rank's share of the results is
} ranks_kind;

extern const ranks_kind ranks_scan, ranks_solve;  // ranks_scan.c, ranks_solve.c

// ranks_allocate: memory of this rank's device, every byte of which is `byte`; released by
// ranks_job_close. Ends the job where there is none.
void *ranks_allocate(ranks_job *j, uint64_t bytes, int byte);
void ranks_job_close(ranks_job *j);
// ranks_stream: of this rank's member.
cuda_stream ranks_stream(const ranks_job *j);
bool ranks_first(const ranks_job *j);  // rank 0
// ranks_read copies from the device to the host.
bool ranks_read(const ranks_job *j, void *to, const void *from, uint64_t bytes);
// ranks_stop ends the MPI job.
_Noreturn void ranks_stop(const char *what, const ranks_job *j);

#endif  // BENCH_GROUP_RANKS_JOB_H_
