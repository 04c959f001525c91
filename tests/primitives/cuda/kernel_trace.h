// kernel_trace.h: what emulated kernels do, as a trace: every basic block that is entered, every
// address in shared memory and in memory that is named that is read or written. For kernels
// compiled with KERNEL_TRACE_COPTS (see BUILD), whose calls of a thread checker's and of a coverage
// tool's runtime end in kernel_trace.c instead.
#ifndef TESTS_PRIMITIVES_CUDA_KERNEL_TRACE_H_
#define TESTS_PRIMITIVES_CUDA_KERNEL_TRACE_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint64_t blocks, accesses;  // how many
    uint64_t hash;              // of all, in their order
} kernel_trace;

// kernel_trace_begin forgets what was; shared_bytes: what a block has. kernel_trace_memory names
// memory of the kernels, a few dozen at most; kernel_trace_end tells what has been. One thread.
void kernel_trace_begin(uint64_t shared_bytes);
void kernel_trace_memory(const void *p, uint64_t bytes);
kernel_trace kernel_trace_end(void);

// kernel_trace_shared: for kernels: p is their block's shared memory. Returns p.
void *kernel_trace_shared(void *p);

#ifdef __cplusplus
}
#endif

#endif  // TESTS_PRIMITIVES_CUDA_KERNEL_TRACE_H_
