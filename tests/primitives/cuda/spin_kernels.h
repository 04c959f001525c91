// spin_kernels.h: a tile that waits for its predecessor's word, with debug builds' bound on polls
// set low. Plain C.
#ifndef TESTS_PRIMITIVES_CUDA_SPIN_KERNELS_H_
#define TESTS_PRIMITIVES_CUDA_SPIN_KERNELS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

size_t spin_bytes(void);

// spin_run lets tile 1 ask for the product of tile 0, which publishes 7 if `published` and nothing
// otherwise; *out becomes what it was told. workspace: spin_bytes of device memory, all zero. False
// if the launch failed; whether the kernel ended well is told by the next wait for the device.
bool spin_run(uint64_t *out, void *workspace, bool published);

#ifdef __cplusplus
}
#endif

#endif  // TESTS_PRIMITIVES_CUDA_SPIN_KERNELS_H_
