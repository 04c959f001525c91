// outside.h: a rival for batches on a device, in a shared library loaded at run time, so that both
// alternate in one process. Building does not need it. bench/schema.md says what the library must
// export. Plain C; includes result.h only.
#ifndef BENCH_DEVICE_OUTSIDE_H_
#define BENCH_DEVICE_OUTSIDE_H_

#include <stdbool.h>
#include <stdint.h>

#include "primitives/words/result.h"

enum { OUTSIDE_OPERANDS = 3 };

// outside_enqueue puts one call on the stream: the results of count items at r, of operands of bits
// / 64 limbs each, item after item, in device memory. Returns 0, or 1 and enqueues nothing if it
// has no such operation or length. count 0 only asks.
typedef int (*outside_enqueue)(const char *op, uint64_t bits, uint64_t count, uint64_t *r,
                               const uint64_t *const x[OUTSIDE_OPERANDS], cuda_stream stream);

typedef struct {
    const char *name;  // NULL: no rival
    outside_enqueue enqueue;
} outside_rival;

// outside_open loads the library; false on failure, and error says why. It stays loaded.
bool outside_open(outside_rival *rival, const char *path, const char **error);

// outside_batch: one batch of the rival's; outside_side enqueues it for device_time.
typedef struct {
    const outside_rival *rival;
    const char *op;
    uint64_t bits, count, *r;
    const uint64_t *x[OUTSIDE_OPERANDS];
} outside_batch;
bool outside_side(void *self, cuda_stream stream);

// outside_has: there is a rival, with such an operation at such a length.
bool outside_has(const outside_rival *rival, const char *op, uint64_t bits);

#endif  // BENCH_DEVICE_OUTSIDE_H_
