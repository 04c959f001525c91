// scan.h: prefix products of sequences under an associative operator, on a device or on the host.
// Plain C; the device side is in scan*.cu, the host side in scan_host.cc.
//
// With x_0 .. x_(n-1) a row: inclusive y_i = x_0 * .. * x_i, exclusive y_i = x_0 * .. * x_(i-1) and
// y_0 = the identity. The order of operands is kept, so operators need not commute. Rows lie one
// after another without gaps, each scanned by itself.
#ifndef PRIMITIVES_SCAN_H_
#define PRIMITIVES_SCAN_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "primitives/monoid.h"
#include "primitives/result.h"
#include "primitives/team.h"

#ifdef __cplusplus
extern "C" {
#endif

// The schedules. Traffic: elements read and written in device memory for each element scanned.
//
//   variant          valid in       launches  traffic  results for floating point
//   SCAN_LOOK_BACK   n rows <= 2^34  1         2        may differ in the last bits from run to run
//                                                      where a row goes over several tiles
typedef enum {
    SCAN_LOOK_BACK,
    SCAN_VARIANTS,
} scan_variant;

// scan_variant_name returns the name by which records and options know it: "look-back".
const char *scan_variant_name(scan_variant v);

typedef struct {
    monoid op;
    scan_variant variant;
    bool exclusive;
    uint64_t n, rows;  // elements of a row, and rows; either may be 0
} scan_job;

// scan_valid says whether the device can do the job: names known, sizes within the table above.
bool scan_valid(const scan_job *job);

// scan_workspace_bytes returns what scan_device needs for the job; 0 if the job is not valid.
size_t scan_workspace_bytes(const scan_job *job);

// scan_workspace_clear makes a workspace usable, in stream order. Needed once for a workspace of
// that size, and again after something else has written there; not between scans, whatever their
// jobs.
result scan_workspace_clear(void *workspace, size_t bytes, device_stream stream);

// scan_device enqueues the scan of in[0 .. n rows) into out, both in device memory and aligned to
// their element; 16-byte alignment of both, and rows that are multiples of 16 bytes, are faster.
// out may be in; otherwise they do not overlap. workspace: 256-byte aligned device memory of at
// least scan_workspace_bytes, cleared as above, used by one stream at a time. Does not wait,
// allocates nothing. Above some 2^21 elements the launch is cooperative: it needs as many blocks at
// once as the device has room for. RESULT_REFUSED (job not valid, workspace too small) changes
// nothing. Cost: the table above; look-back depth 1 almost always.
result scan_device(const scan_job *job, void *out, const void *in, void *workspace, size_t bytes,
                   device_stream stream);

// scan_host does the same in host memory, by the team's threads (NULL: the calling thread alone);
// the variant is not looked at. Two passes over the data with several threads, one with one.
// Results do not depend on timing; for floating point they depend on the size of the team.
// workspace: team_size(team) elements of 8 bytes; may be NULL for a team of one.
result scan_host(const scan_job *job, void *out, const void *in, uint64_t *workspace, team *team);

#ifdef __cplusplus
}
#endif

#endif  // PRIMITIVES_SCAN_H_
