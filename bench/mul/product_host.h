// product_host.h: products on a device of operands that are limbs in host memory. Plain C; includes
// bench/device/record.h.
#ifndef BENCH_MUL_PRODUCT_HOST_H_
#define BENCH_MUL_PRODUCT_HOST_H_

#include "bench/device/record.h"

// product_host times {limbs[0], n} times {limbs[1], n} on a context of `threads` threads, by the
// host's clock: setting both operands, multiplying and getting the product, in memory that is not
// pinned; each of these steps alone; and copies of as many bytes each way between the device and
// pinned memory. Prints a line, and appends a record to OUT/<chip>-product-host.jsonl.
void product_host(const device_run *run, const uint64_t *limbs[2], uint64_t n, unsigned threads);

#endif  // BENCH_MUL_PRODUCT_HOST_H_
