// roof.h: the highest rates that this machine reaches, measured. Records are compared with them.
#ifndef BENCH_ROOF_ROOF_H_
#define BENCH_ROOF_ROOF_H_

#include <stddef.h>
#include <stdint.h>

#include "primitives/words/cpu.h"

// bench_roof: rates of one thread.
typedef struct {
    const char *simd;  // of the FMA rate: "avx512", "avx2", "portable"
    double fma;   // FP64 fused multiply-adds a second, all lanes (portable: multiply and add pairs)
    double mul;   // 64 x 64 -> 128-bit integer products a second
    double ifma;  // 52-bit multiply-adds a second, all lanes, low or high half; 0: none
    double copy;  // bytes read plus bytes written a second, memory to memory
    double copy_l2;   // the same within half of the second-level cache
    double l2_bytes;  // its size
    double clock;     // cycles a second: additions that wait for one another
} bench_roof;

// bench_roof_measure takes the best of several short runs of each rate; about a second in all.
bench_roof bench_roof_measure(cpu_features features);

// bench_read: bytes a second that one thread loads, over and over from the same `bytes` bytes.
typedef struct {
    size_t bytes;
    double rate;
} bench_read;
enum { ROOF_READS = 4 };
// bench_roof_reads measures four sizes: half of the first-level data cache, half of the second
// level, four times the second level, and 256 MiB. It takes half a second.
void bench_roof_reads(cpu_features features, bench_read reads[ROOF_READS]);

// --- The kernels, each compiled for its instruction set ------------------------------------------

// Each does `rounds` rounds of ROOF_CHAINS independent fused multiply-adds on vectors and returns a
// value that depends on all of them.
enum { ROOF_CHAINS = 12 };
double roof_fma_avx512(uint64_t rounds);  // 8 lanes; needs cpu_features.avx512
double roof_fma_avx2(uint64_t rounds);    // 4 lanes; needs cpu_features.avx2
// The same with 52-bit integer multiply-adds, alternating between low and high halves.
double roof_ifma(uint64_t rounds);  // 8 lanes; needs cpu_features.ifma

// Each sums n doubles `rounds` times and returns the sum. n is a multiple of ROOF_STEP, and p is
// aligned to 64 bytes.
enum { ROOF_STEP = 64 };
double roof_read_avx512(const double *p, size_t n, uint64_t rounds);
double roof_read_avx2(const double *p, size_t n, uint64_t rounds);

#endif  // BENCH_ROOF_ROOF_H_
