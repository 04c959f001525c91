// scan.h: prefix products of sequences under an associative operator, on a device or on the host.
// Plain C; the device side is in the .cu files, the host side in host.cc.
//
// With x_0 .. x_(n-1) a row: inclusive y_i = x_0 * .. * x_i, exclusive y_i = x_0 * .. * x_(i-1) and
// y_0 = the identity. The order of operands is kept, so operators need not commute. Rows lie one
// after another without gaps, each scanned by itself.
#ifndef PRIMITIVES_SCAN_SCAN_H_
#define PRIMITIVES_SCAN_SCAN_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "primitives/scan/monoid.h"
#include "primitives/words/cpu.h"
#include "primitives/words/result.h"
#include "primitives/words/team.h"

#ifdef __cplusplus
extern "C" {
#endif

// The schedules. Traffic: elements read and written in device memory for each element scanned, and
// what is added to that. Same bits: for floating point, whether the same job on the same device
// gives the same bits every time; other operators always do. Every schedule takes every operator,
// inclusive and exclusive, rows of any length, any alignment, and 0 <= n rows <= 2^34.
//
//   variant              launches      traffic                         workspace for N = n rows
//   SCAN_LOOK_BACK       1             2, and 2 words a tile           16 T
//   SCAN_KOGGE_STONE     1             2, and 2 log T words a tile     16 T log T
//   SCAN_LADNER_FISCHER  1             2, and (log T) / 2 words a tile 16 T
//   SCAN_BRENT_KUNG      1             2, and 7 / 2 words a tile       32 T
//   SCAN_HAN_CARLSON     1             2, and log T + 1 words a tile   8 T (log T + 1)
//   SCAN_THREE_KERNEL    1, 3, or 5    3; 2 where it takes one launch  s T, 2 s T for some rows
//   SCAN_TILE            1 or 3        3; 2 where it takes one launch  8192 s
//
//   variant              same bits  waits for other blocks
//   SCAN_LOOK_BACK       no (*)     for the nearest prefix among tiles before
//   SCAN_KOGGE_STONE     yes        for log T tiles, each value read once
//   SCAN_LADNER_FISCHER  yes        for up to log T tiles, each value read up to T / 2 times
//   SCAN_BRENT_KUNG      yes        for up to log T + 1 tiles, each value read up to log T times
//   SCAN_HAN_CARLSON     yes        for up to log T tiles, each value read once
//   SCAN_THREE_KERNEL    yes        never
//   SCAN_TILE            yes        never
//
// T: tiles, N elements of s bytes in tiles of 16 or 32 KiB (look-back 32, or 12 for single bytes,
// and never fewer words than its waves need; circuits 32; three-kernel 16; tile: one a warp, of 2
// to 4 KiB). log: to base 2, rounded up. A word of status has 16 bytes. three-kernel takes 5
// launches for rows above 2^27 elements of 8 bytes, 2^29 of 4, 2^33 of 1, and one for rows of at
// most a tile. (*) Yes if no row covers several tiles.
typedef enum {
    SCAN_LOOK_BACK,
    SCAN_KOGGE_STONE,
    SCAN_LADNER_FISCHER,
    SCAN_BRENT_KUNG,
    SCAN_HAN_CARLSON,
    SCAN_THREE_KERNEL,
    SCAN_TILE,
    SCAN_VARIANTS,
} scan_variant;

// scan_variant_name returns the name by which records and options know it: "look-back",
// "kogge-stone", "ladner-fischer", "brent-kung", "han-carlson", "three-kernel", "tile".
const char *scan_variant_name(scan_variant v);

typedef struct {
    monoid op;
    scan_variant variant;
    bool exclusive;
    uint64_t n, rows;  // elements of a row, and rows; either may be 0
    cpu_simd simd;     // for scan_host alone: at most what the processor offers, cpu_best_simd
} scan_job;

// scan_valid says whether the device can do the job: names known, sizes within the table above.
bool scan_valid(const scan_job *job);

// scan_workspace_bytes returns what scan_device needs for the job; 0 if the job is not valid.
size_t scan_workspace_bytes(const scan_job *job);

// scan_device enqueues the scan of in[0 .. n rows) into out, both in device memory and aligned to
// their element; 16-byte alignment of both, and rows that are multiples of 16 bytes, are faster.
// out may be in; otherwise they do not overlap. workspace: 256-byte aligned device memory of at
// least scan_workspace_bytes, used by one stream at a time; zero before its first use and after
// something else has written there, SCAN_THREE_KERNEL and SCAN_TILE among it, which themselves take
// it as it is; not between scans by the other variants, even of different jobs. Does not wait,
// allocates nothing. Look-back's launch is cooperative for long sequences, one row or long rows,
// with no more blocks than the device has room for at once. RESULT_REFUSED (job not valid,
// workspace too small) changes nothing. Cost: the table above; look-back depth 1 almost always.
result scan_device(const scan_job *job, void *out, const void *in, void *workspace, size_t bytes,
                   cuda_stream stream);

// scan_host does the same in host memory, by the team's threads (NULL: the calling thread alone).
// It ignores the variant. Two passes over the data with several threads, one with one. Results
// depend neither on timing nor on job->simd; for floating point they depend on the size of the
// team, because a sum is taken in the order that loops.cc states, share by share.
// workspace: team_size(team) elements of 8 bytes; may be NULL for a team of one.
result scan_host(const scan_job *job, void *out, const void *in, uint64_t *workspace, team *team);

#ifdef __cplusplus
}
#endif

#endif  // PRIMITIVES_SCAN_SCAN_H_
