// look_back_stub.c: look_back_kernels.h in a build without a CUDA toolkit: nothing runs.
#include "tests/primitives/cuda/look_back_kernels.h"

uint64_t look_back_element(uint32_t tile, uint32_t seed) { return tile + seed; }
size_t look_back_bytes(uint32_t tiles) { return tiles; }
bool look_back_run(uint64_t *before, void *workspace, uint32_t tiles, uint32_t delay,
                   uint32_t seed) {
    return (void)before, (void)workspace, (void)tiles, (void)delay, (void)seed, false;
}
