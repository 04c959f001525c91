// decimal_tiles.h: tiled products of decimal digits, the part of decimal_bench without transforms.
#ifndef BENCH_FFT_DECIMAL_TILES_H_
#define BENCH_FFT_DECIMAL_TILES_H_

#include <stdint.h>

#include "bench/device/record.h"
#include "bench/fft/decimal_operands.h"

// decimal_tiles times tiled products with every tile size, next to a copy, and records the fastest.
// The exact coefficients must be known. It leaves out sizes that take too long.
void decimal_tiles(const device_run *run, const decimal_operands *o, uint64_t batch);

#endif  // BENCH_FFT_DECIMAL_TILES_H_
