// group.h: a batch of scans over a group of members, cut into `networks` networks of as many
// members each: whole rows are dealt out to the networks, and every row of a network is split over
// its members. By the thesis's names
//
//   MBP    multiple problems, batch: networks = members, no member needs another
//   MPS    one problem over all members: networks = 1
//   MP-PC  in between: rows are split only among members that are near each other
//
// Plain C, over scan.h, portion.h and the group of primitives/cuda.
#ifndef PRIMITIVES_SCAN_GROUP_H_
#define PRIMITIVES_SCAN_GROUP_H_

#include <stddef.h>
#include <stdint.h>

#include "primitives/cuda/group.h"
#include "primitives/scan/scan.h"

#ifdef __cplusplus
extern "C" {
#endif

// scan_share: what one member has of the job: elements [first, first + n) of rows [first_row,
// first_row + rows), its portions one after the other. Shares may be empty.
typedef struct {
    uint64_t first_row, rows, first, n;
} scan_share;

// scan_group_share: rows and elements in equal parts, rounded up, portions to 16 bytes; the last
// shares are shorter. Requires networks > 0 and members a multiple of it.
scan_share scan_group_share(const scan_job *job, unsigned members, unsigned networks,
                            unsigned member);

// scan_group_workspace_bytes returns what a member needs; 0 for a job or networks that are refused.
size_t scan_group_workspace_bytes(const scan_job *job, unsigned members, unsigned networks,
                                  unsigned member);

// scan_group enqueues the scan of every member's share: in[i] to out[i] in the memory of the device
// of the i-th member here; workspace[i] there: 256-byte aligned, scan_group_workspace_bytes, zero
// before its first use, not between calls of one job and group. Rows that are split take three
// passes over the data (portion.h) whatever job->variant says, and one total a row from every
// member of the network before; others are scanned by job->variant. Does not wait, except for
// totals that come from other processes (cuda_group_gather). The workspace may be used again, and
// out read, in the order of the member's stream. The same input, members and networks give the same
// bits, in one process or several. Over processes: collective. All get the same result; nothing is
// written to out before all agree that they could launch the first pass. Errors: RESULT_REFUSED for
// networks that are 0 or do not divide the members, for a job as scan_device or portion.h refuses
// it, or for processes that come with different jobs
result scan_group(const scan_job *job, cuda_group *g, unsigned networks, void *const *out,
                  const void *const *in, void *const *workspace);

#ifdef __cplusplus
}
#endif

#endif  // PRIMITIVES_SCAN_GROUP_H_
