// stand_in.h: what a test tells the stand-ins for NCCL and NVSHMEM between ranks (fake_nccl.c,
// fake_nvshmem.c). Each is a library of its own; the functions are to be found by dlsym.
#ifndef TESTS_BIGINT_MPI_STAND_IN_H_
#define TESTS_BIGINT_MPI_STAND_IN_H_

#include "primitives/words/result.h"

// stand_in_use: how streams are waited for, by the program's emulation.
void stand_in_use(result (*wait)(cuda_stream stream));
// stand_in_counts: messages to other ranks so far, and what has been made and not freed.
void stand_in_counts(unsigned *messages, unsigned *live);

#endif  // TESTS_BIGINT_MPI_STAND_IN_H_
