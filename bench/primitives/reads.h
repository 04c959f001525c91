// reads.h: gathering from a table by plain loads and through the read-only cache, one of the
// optimisations that the thesis names. Plain C. For the benchmark and its test only.
#ifndef BENCH_PRIMITIVES_READS_H_
#define BENCH_PRIMITIVES_READS_H_

#include <stdbool.h>
#include <stdint.h>

#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// Thread t adds up READS_EACH elements of the table, the k-th at the top lg bits of
// (READS_EACH t + k) 0x9E3779B97F4A7C15 modulo 2^64. It does so in READS_STORES parts and stores
// each before it begins the next one. For all the compiler knows a plain load may not pass a store.
enum { READS_EACH = 16, READS_STORES = 4 };

typedef struct {
    const double *table;  // 2^lg
    double *out;          // READS_STORES of each thread: part p of thread t at p threads + t
    unsigned lg;          // 1 .. 32
    uint64_t threads;     // a multiple of 256, below 2^31
    bool read_only;
} reads_job;

// reads_enqueue enqueues a reads_job; false if it is outside of these bounds or the launch failed.
bool reads_enqueue(void *job, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // BENCH_PRIMITIVES_READS_H_
