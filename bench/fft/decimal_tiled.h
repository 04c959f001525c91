// decimal_tiled.h: products of numbers of decimal digits on a device by tiled convolution, as the
// papers have it: tiles of both factors' digits by each other, partial sums joined in device
// memory. Exact, in integers, and quadratic. Plain C. For the benchmark and its test only.
#ifndef BENCH_FFT_DECIMAL_TILED_H_
#define BENCH_FFT_DECIMAL_TILED_H_

#include <stdbool.h>
#include <stdint.h>

#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// Digits of a tile's row: 2^7 to 2^11.
enum { DECIMAL_TILED_LG_LEAST = 7, DECIMAL_TILED_LG_MOST = 11 };

// decimal_tiled_job: for each of `batch` products c = a b: n digits 0 .. 9 a factor, a byte each,
// product after product, aligned to 8 bytes; 2 n coefficients, the last of which is 0. No two
// overlap. Requires: n a multiple of the tile and <= 2^24, so that coefficients, of at most 81 n,
// fit 32 bits; batch < 2^16.
typedef struct {
    const uint8_t *a, *b;
    int32_t *c;
    uint64_t n, batch;
    unsigned lg_tile;
    unsigned each;  // pairs of tiles that a warp takes; 0: as many as leave 2^13 warps
} decimal_tiled_job;

// decimal_tiled_enqueue: the coefficients of a decimal_tiled_job; false if there is no such tile or
// a launch failed. A warp takes pairs of tiles of one diagonal, whose sums are for the same
// coefficients, by tensor cores (primitives/tiles/tiled.cuh), and adds them to c by atomics. Cost:
// two launches; c is written once, by zeros; n^2 batch products of bytes; 2^(lg_tile + 1) atomics a
// warp.
bool decimal_tiled_enqueue(void *job, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // BENCH_FFT_DECIMAL_TILED_H_
