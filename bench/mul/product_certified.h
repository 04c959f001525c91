// product_certified.h: products by a floating-point engine in mode certified, whose digits are
// wider than the proofs allow, against mode exact. Plain C; includes bench/device/record.h.
#ifndef BENCH_MUL_PRODUCT_CERTIFIED_H_
#define BENCH_MUL_PRODUCT_CERTIFIED_H_

#include "bench/device/record.h"

// product_certified times {limbs[0], n} times {limbs[1], n} by the engine (NULL: the library's
// choice, which on a device is exact in either mode), against the same engine in mode exact, that
// with its check, and the library's choice in mode exact. Appends a record for each to
// OUT/<chip>-certified.jsonl. A certified product waits, so all are enqueued call by call. Does
// nothing where the engine has no plan.
void product_certified(const device_run *run, const uint64_t *limbs[2], uint64_t n,
                       const char *engine, cuda_stream stream);

#endif  // BENCH_MUL_PRODUCT_CERTIFIED_H_
