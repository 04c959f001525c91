// decimal_bench.h: what the parts of decimal_bench share: decimal_bench.c has the pipelines of
// transforms, decimal_tiles.c the tiled products. Plain C; includes device_record.h.
#ifndef BENCH_FFT_DECIMAL_BENCH_H_
#define BENCH_FFT_DECIMAL_BENCH_H_

#include <stdint.h>

#include "bench/device/device_record.h"

// decimal_operands: digits of the two operands of a batch's first product, then of its last one, n
// each; products between have the first one's.
typedef struct {
    uint64_t n;
    uint8_t *digit[4];
    double *exact[2];  // coefficients of both products, 2 n; NULL until they are known
} decimal_operands;

// decimal_stop ends the program with status 1, saying at which size and why.
void decimal_stop(const char *what, uint64_t n);
// decimal_room: device memory; ends the program where there is none.
void *decimal_room(size_t bytes);

// decimal_tiles measures tiled products beside a copy, by every tile there is, and records the
// fastest. The exact coefficients must be known. Sizes that take too long are left out.
void decimal_tiles(const device_run *run, const decimal_operands *o, uint64_t batch);

#endif  // BENCH_FFT_DECIMAL_BENCH_H_
