// sort.h: sorts one array, batches of equal rows, or ragged segments in ascending order, on a
// device or on the host; keys alone or with a value beside each. Plain C; the device side is in the
// .cu files, the host side in host.cc, plans in plan.cc.
//
// Order. Integers by value. Floating point by bit pattern, which is the total order of IEEE 754:
//   -NaN < -infinity < .. < -0 < +0 < .. < +infinity < +NaN,
// NaNs among themselves by their payloads. So keys that compare equal have the same bits, and every
// variant gives the same sorted keys. Stable: values of equal keys keep their order.
#ifndef PRIMITIVES_SORT_SORT_H_
#define PRIMITIVES_SORT_SORT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "primitives/words/result.h"
#include "primitives/words/team.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { SORT_U32, SORT_U64, SORT_I32, SORT_I64, SORT_F32, SORT_F64, SORT_KEYS } sort_key;

// What sorts on a device. N: elements in all, at most 2^34; rows < 2^31.
//
//   variant              valid in                                       stable  launches
//   SORT_BITONIC         equal rows                                     no      1 + Q (Q + 3) / 2
//   SORT_COMB            equal rows, n <= sort_comb_limit               no      1
//   SORT_MULTIWAY_MERGE  equal rows and ragged segments, n < 2^32       no      1 + P or 1 + 2 P
//   SORT_RADIX           one row, n < 2^30                              yes     2 + B
//
// What each costs in the AGPU model [Koike15]: I/O in transfers of b items, time in steps of p
// cores, multiplicity in blocks of a multiprocessor whose shared memory holds M items.
//
//   variant              I/O                      time                               multiplicity
//   SORT_BITONIC         2 (N/b) (1 + Q(Q+3)/2)   O((N/p) log^2 n)                   M / T
//   SORT_COMB            2 N/b                    (N/p) log n (log n + 1) / 2        M / n
//   SORT_MULTIWAY_MERGE  2 (N/b) (1 + P)          O((N/p) (log^2 T + log(n/T)))      M / T
//   SORT_RADIX           (N/b) (1 + 2 B)          O((N/p) B)                         M / T
//
// T: the plan's tile. Q = log2(n / T) and P = Q / w, both rounded up, for merges of 2^w runs, w = 1
// to 3; merges of two runs need one launch each. B: bytes of a key.
typedef enum {
    SORT_BITONIC,
    SORT_COMB,
    SORT_MULTIWAY_MERGE,
    SORT_RADIX,
    SORT_VARIANTS,
} sort_variant;

// sort_variant_name returns the name by which records and options know it: "bitonic", "comb",
// "multiway-merge", "radix".
const char *sort_variant_name(sort_variant v);

typedef struct {
    sort_key key;
    unsigned value_bytes;  // beside each key: 0, 4 or 8
    // Equal rows, one after another: n elements of each; either may be 0. Ragged: n elements in all
    // in `rows` segments, any of which may be empty.
    uint64_t n, rows;
    bool ragged;
} sort_job;

// A plan: how the device does a job. Plain data, so that it can be printed.
typedef struct {
    sort_variant variant;
    unsigned tile;        // elements that a block sorts or ranks at once
    unsigned threads;     // multiway merge: of a block that merges; otherwise 0
    unsigned log_ways;    // multiway merge: log2 of the runs merged at once; otherwise 0
    unsigned log_probes;  // multiway merge: log2 of the lanes that look for where a run is cut. A
                          // caller may change it: 0 .. 5 - log_ways
    unsigned passes;      // multiway merge: merges; radix: digits; bitonic: levels above tiles
    unsigned launches;
    uint64_t traffic;        // bytes read and written in device memory
    size_t workspace_bytes;  // may be 0
} sort_plan;

// sort_choose returns the variant that was fastest for such jobs on an H200, or SORT_VARIANTS if
// the job is not valid for any.
sort_variant sort_choose(const sort_job *job);

// sort_plan_make fills in the plan of a variant for the job. Returns false and leaves plan alone if
// the job is outside of "valid in".
bool sort_plan_make(const sort_job *job, sort_variant v, sort_plan *plan);

// sort_plan_merge does the same for SORT_MULTIWAY_MERGE by blocks of `threads` (256 or 512; of
// ragged segments 512) and merges of at most 2^log_ways runs (1 .. 3): what sort_plan_make chooses
// by a table.
bool sort_plan_merge(const sort_job *job, unsigned threads, unsigned log_ways, sort_plan *plan);

// sort_plan_text writes the plan in one line, cut to cap bytes with the 0 at its end.
void sort_plan_text(const sort_plan *plan, char *text, size_t cap);

// sort_comb_limit returns the longest row that SORT_COMB takes for such elements: a block's shared
// memory holds it.
uint64_t sort_comb_limit(sort_key key, unsigned value_bytes);

// Where things lie, aligned to their elements. Outputs may be the inputs; otherwise nothing
// overlaps.
typedef struct {
    const void *keys_in;
    void *keys_out;
    const void *values_in;  // NULL without values
    void *values_out;
    const uint64_t *offsets;  // ragged: segment r is offsets[r] .. offsets[r + 1] - 1, offsets[0] =
                              // 0, ascending, offsets[rows] = n; otherwise NULL
} sort_arrays;

// sort_device enqueues the sort of every row or segment of `arrays`, which are in device memory.
// plan: from sort_plan_make or sort_plan_merge for the same job; any other is refused.
// workspace: 256-byte aligned device memory of plan->workspace_bytes, used by one stream at a time;
// its contents do not matter. Does not wait, allocates nothing. RESULT_REFUSED changes nothing.
// RESULT_NO_DEVICE in a build without CUDA.
result sort_device(const sort_job *job, const sort_plan *plan, const sort_arrays *arrays,
                   void *workspace, size_t bytes, cuda_stream stream);

// sort_host_bytes returns what sort_host needs: keys and values twice, side by side.
size_t sort_host_bytes(const sort_job *job);

// sort_host does the same in host memory, by the team's threads (NULL: the calling thread alone):
// always stable. Rows and segments are shared out; a single row is sorted in shares that are
// merged. workspace: 64-byte aligned, sort_host_bytes of it. Time O(N log n / threads).
// RESULT_REFUSED: a key or a size of values that does not exist, workspace too small.
result sort_host(const sort_job *job, const sort_arrays *arrays, void *workspace, size_t bytes,
                 team *team);

#ifdef __cplusplus
}
#endif

#endif  // PRIMITIVES_SORT_SORT_H_
