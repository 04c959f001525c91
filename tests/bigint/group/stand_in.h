// stand_in.h: what a test tells the stand-ins for NCCL and NVSHMEM (fake_nccl.c, fake_nvshmem.c).
// Each is a library of its own; dlsym finds the functions.
#ifndef TESTS_BIGINT_GROUP_STAND_IN_H_
#define TESTS_BIGINT_GROUP_STAND_IN_H_

#include <stdint.h>

#include "primitives/words/result.h"

// stand_in_runtime: cuda_enter, cuda_leave, cuda_copy and cuda_stream_wait of the program's
// emulation.
typedef struct {
    result (*enter)(int device, int *previous);
    void (*leave)(int previous);
    result (*copy)(void *to, const void *from, uint64_t bytes, cuda_stream stream);
    result (*wait)(cuda_stream stream);
} stand_in_runtime;

// stand_in_use: the runtime; and the message, counted from 1 over this process's ranks from now on,
// that NCCL refuses, 0: none.
void stand_in_use(const stand_in_runtime *runtime, unsigned refused);

// stand_in_counts: of this process so far: messages between different ranks; communicators or
// memory made and not freed; communicators aborted.
typedef struct {
    unsigned messages, live, aborted;
} stand_in_counted;
void stand_in_counts(stand_in_counted *counts);

#endif  // TESTS_BIGINT_GROUP_STAND_IN_H_
