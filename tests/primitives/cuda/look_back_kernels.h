// look_back_kernels.h: the look-back protocol by itself, without a scan: each block publishes one
// product that depends on its tile, waits, looks back, and writes what it was told. Plain C.
#ifndef TESTS_PRIMITIVES_CUDA_LOOK_BACK_KERNELS_H_
#define TESTS_PRIMITIVES_CUDA_LOOK_BACK_KERNELS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The product that tile publishes in a run of that seed: a map x -> slope x + offset modulo 2^32,
// slope in the low half.
uint64_t look_back_element(uint32_t tile, uint32_t seed);

size_t look_back_bytes(uint32_t tiles);

// look_back_run launches `tiles` blocks of one warp; before[t] becomes the product of tiles 0..t-1,
// slope in the low half. Blocks wait up to `delay` nanoseconds, at random, before each step of the
// protocol. False if the launch failed.
bool look_back_run(uint64_t *before, void *workspace, uint32_t tiles, uint32_t delay,
                   uint32_t seed);

#ifdef __cplusplus
}
#endif

#endif  // TESTS_PRIMITIVES_CUDA_LOOK_BACK_KERNELS_H_
