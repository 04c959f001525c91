// differences.h: compares what two contenders left on a device. Plain C; includes result.h only.
#ifndef BENCH_PRIMITIVES_DIFFERENCES_H_
#define BENCH_PRIMITIVES_DIFFERENCES_H_

#include <stdint.h>

#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// differences counts the 32-bit words at which a[0..words) and b differ, both in device memory;
// UINT64_MAX if the device failed. Waits for all work before it.
uint64_t differences(const void *a, const void *b, uint64_t words);

#ifdef __cplusplus
}
#endif

#endif  // BENCH_PRIMITIVES_DIFFERENCES_H_
