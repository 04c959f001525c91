// portion.h: the steps of a scan whose rows are split over several members, each with a portion of
// every row in its own memory. A member reduces its portions to one element a row, gets the totals
// of all members before it, and scans its portions from there. Plain C; the device side is in
// portion.cu. Whole scans over a group are in group.h; these steps are for those who exchange the
// totals in a way of their own.
//
// Differences from the source (Scan-MPS): members exchange one total a row where there all chunk
// totals go to one member that scans them, and operators need neither inverses nor commute.
#ifndef PRIMITIVES_SCAN_PORTION_H_
#define PRIMITIVES_SCAN_PORTION_H_

#include <stddef.h>
#include <stdint.h>

#include "primitives/scan/scan.h"

#ifdef __cplusplus
extern "C" {
#endif

// The job is that of the member's portions: n elements of each row, one portion after the other.
// Its variant is not looked at: these are the launches of SCAN_THREE_KERNEL. n may be 0.

// scan_portion_bytes: workspace for both steps, which must be the same memory, 16-byte aligned; 0
// for a job that is not valid, as scan_valid, or with 2^31 rows or more.
size_t scan_portion_bytes(const scan_job *job);

// scan_portion_totals enqueues totals[r] = the product of portion r, the identity if n = 0. Reads
// every element once. Two launches, or one for rows of at most 16 KiB.
result scan_portion_totals(const scan_job *job, void *totals, const void *in, void *workspace,
                           size_t bytes, cuda_stream stream);

// scan_portion_run enqueues the scan of every portion r, which begins with the product of
// before[r], before[rows + r], .. of `members` members, lower ones first; it follows
// scan_portion_totals of the same job and operand in the stream. out may be in. Two launches; every
// element is read and written once.
result scan_portion_run(const scan_job *job, void *out, const void *in, const void *before,
                        unsigned members, void *workspace, size_t bytes, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // PRIMITIVES_SCAN_PORTION_H_
