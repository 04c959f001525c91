// device.h: device memory for tests and benchmarks written in C, the same on a device and under the
// kernel emulation. Memory is filled with a pattern, so that what was not written shows.
#ifndef TESTS_SUPPORT_DEVICE_H_
#define TESTS_SUPPORT_DEVICE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "primitives/scan/monoid.h"

#ifdef __cplusplus
extern "C" {
#endif

// device_ready says whether kernels run here: there is a device, or they are emulated.
bool device_ready(void);
bool device_emulated(void);
// device_several says whether there are that many devices. The emulation has as many from then on,
// 1 .. 16, alike and each with memory of its own; nothing may be allocated when it is called.
bool device_several(int count);
// device_order sets the order in which the emulation runs threads and blocks: 0 the fixed one,
// otherwise a random one of that seed. Nothing on a device.
void device_order(uint64_t seed);

// device_faults makes the allocation, and the runtime call, of that number from now on fail on the
// calling thread, counted from 1; 0: none. A call that fails leaves the device failed, until
// device_faults is called again. Returns false, and does nothing, on a device.
bool device_faults(uint64_t allocation, uint64_t call);
// device_flips flips bits of a word of device memory behind the kernel of that number from now on,
// as they run, counted from 1. Returns false, and does nothing, on a device.
bool device_flips(uint64_t kernel, uint64_t *word, uint64_t bits);
// device_fault_came says whether the fault that was asked for has happened; a flip likewise.
bool device_fault_came(void);
// device_live returns the calling thread's allocations of device and pinned memory that are not
// released; 0 on a device.
int64_t device_live(void);

// device_alloc returns 256-byte aligned device memory, or NULL.
void *device_alloc(size_t bytes);
void device_free(void *p);
// The copies wait for all work before them; false if that or the copy failed.
bool device_upload(void *to, const void *from, size_t bytes);
bool device_download(void *to, const void *from, size_t bytes);
bool device_fill(void *to, int byte, size_t bytes);

// device_random fills x[0..n) on the device with elements of op that depend on seed and index
// alone. Not for floating point and MONOID_SUM_MOD61: any bits are elements for it.
bool device_random(monoid op, void *x, uint64_t n, uint32_t seed);
// device_scan_errors counts on the device the i < n at which y is not the scan, in rows of `row`
// elements, of what device_random writes for that seed, each element judged from the one before it.
// UINT64_MAX if the device failed.
uint64_t device_scan_errors(monoid op, bool exclusive, const void *y, uint64_t n, uint64_t row,
                            uint32_t seed);

#ifdef __cplusplus
}
#endif

#endif  // TESTS_SUPPORT_DEVICE_H_
