// reduce.h: the product of all elements of a sequence, or of each row of a batch, under an
// associative operator, on a device or on the host. Plain C; the device side is in reduce.cu, the
// host side in host.cc. The order of operands is kept, so operators need not commute.
#ifndef PRIMITIVES_SCAN_REDUCE_H_
#define PRIMITIVES_SCAN_REDUCE_H_

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

typedef struct {
    monoid op;
    uint64_t n, rows;  // elements of a row, and rows, one after another; either may be 0
    cpu_simd simd;     // for reduce_host alone: at most what the processor offers, cpu_best_simd
} reduce_job;

// reduce_workspace_bytes returns what reduce_device needs, at most a few hundred KiB; 0 if the job
// is not valid: an unknown operator, or n rows above 2^34.
size_t reduce_workspace_bytes(const reduce_job *job);

// reduce_device enqueues out[r] = the product of in[r n .. r n + n), the identity if n = 0, for r <
// rows. Both in device memory, aligned to their element, not overlapping; 16-byte alignment of in,
// and rows that are multiples of 16 bytes, are faster. workspace: 256-byte aligned device memory,
// used by one stream at a time; zero before its first use and after any other use; not between
// reductions, even of different jobs. Does not wait, allocates nothing; RESULT_REFUSED changes
// nothing. One launch; every element is read once. The same input on the same device gives the same
// bits, for floating point too.
result reduce_device(const reduce_job *job, void *out, const void *in, void *workspace,
                     size_t bytes, cuda_stream stream);

// reduce_host does the same in host memory, by the team's threads (NULL: the calling thread alone).
// Results depend neither on timing nor on job->simd; for floating point on the size of the team.
// workspace: team_size(team) elements of 8 bytes; may be NULL for a team of one.
result reduce_host(const reduce_job *job, void *out, const void *in, uint64_t *workspace,
                   team *team);

#ifdef __cplusplus
}
#endif

#endif  // PRIMITIVES_SCAN_REDUCE_H_
