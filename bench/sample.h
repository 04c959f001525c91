// sample.h: sizes drawn log-uniformly from a sweep's range, and a count of the sizes at which the
// rival is faster. Includes the harness.
#ifndef BENCH_SAMPLE_H_
#define BENCH_SAMPLE_H_

#include <stdint.h>
#include <stdio.h>

#include "bench/harness.h"

// bench_sample_size: number i of `count` sizes between 2^lo and 2^hi. The range is split into
// `count` parts of equal logarithmic length, with one random size in each. Every call gives the
// same sizes. Requires: i < count, lo <= hi < 64.
uint64_t bench_sample_size(double lo, double hi, unsigned i, unsigned count);

// bench_losses: the sizes at which the rival was faster.
typedef struct {
    unsigned sizes;
    unsigned slower;   // our median is above the rival's
    unsigned clearly;  // by more than half the width of both medians' 95 % intervals together
    double least;      // the smallest ratio, rival over ours, and its size; of sizes > 0
    uint64_t least_at;
} bench_losses;

// bench_losses_add counts a row of this size in bits.
void bench_losses_add(bench_losses *losses, uint64_t bits, const bench_result *result);
// bench_losses_print writes one line: what, the count, the share, the smallest ratio.
void bench_losses_print(FILE *f, const bench_losses *losses, const char *what, const char *rival);

#endif  // BENCH_SAMPLE_H_
