// residency.h: how many blocks of a kernel a GPU holds at once [Almousa17], the limit of a barrier
// among them. Plain C; includes the C library only.
#ifndef BENCH_STUDIES_RESIDENCY_H_
#define BENCH_STUDIES_RESIDENCY_H_

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// A GPU: how many multiprocessors it has, and what each of them has. Units: what a block's shared
// memory and a warp's registers are rounded up to, and the warps that registers are shared out by.
typedef struct {
    uint32_t multiprocessors;
    uint32_t blocks, warps;
    uint32_t registers, register_unit, warp_unit;
    uint32_t shared, shared_unit;
    uint32_t shared_system;  // bytes that the system takes of each block's share
} residency_device;

typedef struct {
    uint32_t threads;    // of a block, > 0
    uint32_t registers;  // of a thread
    uint32_t shared;     // bytes of a block
} residency_kernel;

// residency_kepler: a multiprocessor of compute capability 3.5 with 48 KiB of shared memory, the
// paper's example; residency_hopper: of 9.0.
residency_device residency_kepler(uint32_t multiprocessors);
residency_device residency_hopper(uint32_t multiprocessors);

// residency_most is R_M: a barrier among more blocks never ends, whatever the kernel is.
uint32_t residency_most(const residency_device *device);
// residency_blocks is R_L: how many blocks of this kernel run at once. 0: not even one.
uint32_t residency_blocks(const residency_device *device, const residency_kernel *kernel);
// residency_deadlocks: whether a barrier among `grid` blocks never ends. Blocks that run keep their
// places until all have arrived, and those beyond R_L arrive only when places become free.
bool residency_deadlocks(const residency_device *device, const residency_kernel *kernel,
                         uint64_t grid);

#ifdef __cplusplus
}
#endif

#endif  // BENCH_STUDIES_RESIDENCY_H_
