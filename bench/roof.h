// roof.h: what this machine can do at best, measured: the rates that records are held against.
#ifndef BENCH_ROOF_H_
#define BENCH_ROOF_H_

#include <stdint.h>

#include "primitives/cpu.h"

// bench_roof: rates of one thread.
typedef struct {
    const char *simd;  // of the FMA rate: "avx512", "avx2", "portable"
    double fma;   // FP64 fused multiply-adds a second, all lanes (portable: multiply and add pairs)
    double mul;   // 64 x 64 -> 128-bit integer products a second
    double ifma;  // 52-bit multiply-adds a second, all lanes, low or high half; 0: none
    double copy;  // bytes read plus bytes written a second, memory to memory
    double copy_l2;   // the same within half of the second-level cache
    double l2_bytes;  // its size
} bench_roof;

// bench_roof_measure takes the best of several short runs of each; about a second in all.
bench_roof bench_roof_measure(cpu_features features);

// Each kernel does `rounds` rounds of ROOF_CHAINS independent fused multiply-adds on the vectors of
// its instruction set and returns a value that depends on all of them.
enum { ROOF_CHAINS = 12 };
double roof_fma_avx512(uint64_t rounds);  // 8 lanes; needs cpu_features.avx512
double roof_fma_avx2(uint64_t rounds);    // 4 lanes; needs cpu_features.avx2
// The same with 52-bit integer multiply-adds, low halves and high halves by turns.
double roof_ifma(uint64_t rounds);  // 8 lanes; needs cpu_features.ifma

#endif  // BENCH_ROOF_H_
