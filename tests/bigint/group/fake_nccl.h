// fake_nccl.h: what a test tells the stand-in for NCCL. Includes runtime.h.
#ifndef TESTS_BIGINT_GROUP_FAKE_NCCL_H_
#define TESTS_BIGINT_GROUP_FAKE_NCCL_H_

#include "primitives/cuda/runtime.h"

// The functions of the runtime that ranks and copies go by: those of the program's emulation.
typedef struct {
    result (*enter)(int device, int *previous);
    void (*leave)(int previous);
    result (*place)(cuda_stream stream, int *device);
    result (*wait)(cuda_stream stream);
    result (*copy)(void *to, int to_device, const void *from, int from_device, uint64_t bytes,
                   cuda_stream stream);
} fake_runtime;

// To be found by dlsym. fake_nccl_use: the runtime, and the message, counted from 1 over all ranks
// from now on, that is refused; 0: none.
void fake_nccl_use(const fake_runtime *runtime, unsigned refused);
// fake_nccl_counts: messages that were received so far; communicators that were made and are not
// over; those that were aborted.
void fake_nccl_counts(unsigned *received, unsigned *live, unsigned *aborted);

#endif  // TESTS_BIGINT_GROUP_FAKE_NCCL_H_
