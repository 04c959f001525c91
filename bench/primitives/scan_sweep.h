// scan_sweep.h: the two parameters of the papers' scans of long arrays, to be swept: K of Scan-SP,
// the tiles of a chunk, and alpha of the matrix-based scan, the elements of a lane's column.
// Inclusive sums of uint32_t. Plain C. For the benchmark and its test only.
#ifndef BENCH_PRIMITIVES_SCAN_SWEEP_H_
#define BENCH_PRIMITIVES_SCAN_SWEEP_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// The values of alpha that there are kernels for; 18 is the source's best, even ones meet in banks.
enum { SCAN_SWEEP_ALPHAS = 14 };
static const unsigned scan_sweep_alphas[SCAN_SWEEP_ALPHAS] = {1,  3,  5,  7,  9,  11, 13,
                                                              15, 17, 18, 21, 25, 33, 41};

typedef struct {
    const uint32_t *in;
    uint32_t *out;  // not in
    uint64_t n;     // at most 2^34
    // One of the two, the other 0: a chunk is k tiles of 16 KiB, or all if there are fewer (variant
    // "three-kernel"); a tile is alpha x 32 elements (variant "tile").
    unsigned k, alpha;
    void *workspace;
    size_t workspace_bytes;
} scan_sweep_job;

// scan_sweep_bytes returns the workspace of a job, 0 if there is no kernel for it.
size_t scan_sweep_bytes(const scan_sweep_job *job);

// scan_sweep_warps returns how many warps of the kernel that scans and writes the present device
// keeps on a multiprocessor, 0 if it is not known: the model's multiplicity is their number over
// the block's.
unsigned scan_sweep_warps(const scan_sweep_job *job);

// scan_sweep_enqueue enqueues a scan_sweep_job; false if there is no kernel for it, its workspace
// is too small or a launch failed.
bool scan_sweep_enqueue(void *job, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // BENCH_PRIMITIVES_SCAN_SWEEP_H_
