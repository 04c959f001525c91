// tiled.h: coefficients of products of digits on a device by tiled convolution [DieguezThesis18]
// 7.4: tiles of both factors' digits by each other, joined in device memory. Exact, in integers,
// and quadratic. Plain C; the kernels are in tiled.cu. Internal to bigint/.
#ifndef BIGINT_DEVICE_DECIMAL_TILED_H_
#define BIGINT_DEVICE_DECIMAL_TILED_H_

#include <stdbool.h>
#include <stdint.h>

#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// Digits of a tile's row: 2^7 to 2^11.
enum { DECIMAL_TILED_LG_LEAST = 7, DECIMAL_TILED_LG_MOST = 11 };

// decimal_tiled_job: `rows` products c = a b, one after another: an and bn digits, a byte each,
// rows aligned to 8 bytes; an + bn coefficients, the last of which is 0. No two overlap.
// Requires: an, bn multiples of the tile; coefficients below 2^31; rows and the tiles of both
// factors together below 2^16.
typedef struct {
    const uint8_t *a, *b;
    int32_t *c;
    uint64_t an, bn, rows;
    unsigned lg_tile;
    // The thesis' way: a warp takes some pairs of tiles of one diagonal, whose sums are for the
    // same coefficients, and adds them to c by atomics. Else a block takes a whole diagonal: first
    // the even ones, which share no coefficient, store their sums, then the odd ones add theirs.
    bool atomics;
    unsigned each;  // atomics: pairs of a warp; 0: as many as leave 2^13 warps
} decimal_tiled_job;

// decimal_tiled enqueues the coefficients of a job, by tensor cores (primitives/tiles/tiled.cuh).
// Errors: RESULT_REFUSED (no such tile, lengths that are no multiples of it, too many), and
// RESULT_DEVICE_ERROR.
// Cost: an bn rows products of bytes. Atomics: a memset, which writes c, one launch, 2^(lg_tile +
// 1) atomics a warp. Else two launches (one if each factor is one tile) that write c once and read
// and write half of it.
result decimal_tiled(const decimal_tiled_job *job, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_DEVICE_DECIMAL_TILED_H_
