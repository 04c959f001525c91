// blocks.h: how a device starts blocks, and what becomes of a barrier among too many of them. Plain
// C; includes residency.h and result.h.
#ifndef BENCH_STUDIES_BLOCKS_H_
#define BENCH_STUDIES_BLOCKS_H_

#include "bench/studies/residency.h"
#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// What the probe's blocks are. shared: dynamic, at most 32 KiB.
typedef struct {
    unsigned threads, shared;
} blocks_shape;

// blocks_resident describes the present device and the probe's kernel in residency.h's terms, and
// says how many such blocks the driver expects at once.
result blocks_resident(blocks_shape shape, residency_device *device, residency_kernel *kernel,
                       uint32_t *driver);

// blocks_meet enqueues a barrier of `grid` blocks that gives up after `polls` polls, by a launch
// that promises nothing. *gave_up, in device memory, becomes the number of blocks that gave up: 0
// if and only if all blocks ran at once. workspace: 2 words a block, which it leaves in any state.
result blocks_meet(blocks_shape shape, uint32_t grid, uint32_t polls, uint32_t *gave_up,
                   void *workspace, cuda_stream stream);

// blocks_order enqueues `grid` blocks that write down when they start: started[b] is the rank of
// block b among all starts, place[b] its multiprocessor (0 under the emulation). counter: a word
// that is zero. The blocks draw on each other's time for `rounds` reads of memory.
result blocks_order(blocks_shape shape, uint32_t grid, uint32_t rounds, uint32_t *started,
                    uint32_t *place, uint32_t *counter, cuda_stream stream);

// blocks_disorder looks at such a log: how many blocks started before one of a lower number, and
// the largest number of places by which one did.
typedef struct {
    uint32_t overtakers, farthest;
} blocks_inversions;
blocks_inversions blocks_disorder(const uint32_t *started, uint32_t grid);

#ifdef __cplusplus
}
#endif

#endif  // BENCH_STUDIES_BLOCKS_H_
