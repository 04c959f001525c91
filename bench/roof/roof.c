// roof.c: runs the rate kernels and the copies, and keeps the best of each.
#define _POSIX_C_SOURCE 200809L
#include "bench/roof/roof.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/harness.h"
#include "primitives/words/word.h"

enum { RUNS = 7 };

// The portable kernel has one multiplication and one addition in place of a fused operation, two
// lanes at most (what x86-64 and AArch64 always have).
static double fma_portable(uint64_t rounds) {
    double x[2 * ROOF_CHAINS];
    for (unsigned i = 0; i < 2 * ROOF_CHAINS; i++) {
        x[i] = 1 + i;
    }
    for (uint64_t r = 0; r < rounds; r++) {
        for (unsigned i = 0; i < 2 * ROOF_CHAINS; i++) {
            x[i] = x[i] * 0.999999 + 0.5;
        }
    }
    double sum = 0;
    for (unsigned i = 0; i < 2 * ROOF_CHAINS; i++) {
        sum += x[i];
    }
    return sum;
}

// Eight chains hide the latency of a product; the chains mix both halves of it.
static double mul_words(uint64_t rounds) {
    uint64_t x[8] = {3, 5, 7, 9, 11, 13, 15, 17};
    for (uint64_t r = 0; r < rounds; r++) {
        for (unsigned i = 0; i < 8; i++) {
            uint64_t hi, lo = word_mul(&hi, x[i], UINT64_C(0x9e3779b97f4a7c15));
            x[i] = lo ^ hi;
        }
    }
    uint64_t sum = 0;
    for (unsigned i = 0; i < 8; i++) {
        sum += x[i];
    }
    return (double)sum;
}

// Four additions that wait for one another: a cycle each. (What is added is no constant, which some
// processors would not execute at all.)
static double chain(uint64_t rounds) {
    uint64_t x = rounds, y = rounds | 1;
    for (uint64_t r = 0; r < rounds; r++) {
#pragma GCC unroll 4
        for (unsigned i = 0; i < 4; i++) {
            x += y;
            __asm__("" : "+r"(x), "+r"(y));
        }
    }
    return (double)x;
}

// Units a second at best, when a round of the kernel does `units`.
static double best_rate(double (*kernel)(uint64_t rounds), double units) {
    enum { ROUNDS = 1000000 };
    double best = 0;
    volatile double sink;
    for (unsigned run = 0; run < RUNS; run++) {
        double begin = bench_now();
        sink = kernel(ROUNDS);
        double rate = units * ROUNDS / (bench_now() - begin) * 1e9;
        best = rate > best ? rate : best;
    }
    (void)sink;
    return best;
}

// Bytes read plus written a second, copying `bytes` `repeat` times; 0 without memory.
static double copy_rate(size_t bytes, unsigned repeat) {
    char *from = malloc(bytes), *to = malloc(bytes);
    double best = 0;
    for (unsigned run = 0; from && to && run < RUNS; run++) {
        memset(from, (int)run + 1, run == 0 ? bytes : 1);
        double begin = bench_now();
        for (unsigned i = 0; i < repeat; i++) {
            memcpy(to, from, bytes);
            __asm__ volatile("" : : "r"(to) : "memory");  // the copy is wanted
        }
        double rate = 2.0 * (double)bytes * repeat / (bench_now() - begin) * 1e9;
        best = rate > best ? rate : best;  // the first run pays for the pages of `to`
    }
    free(from);
    free(to);
    return best;
}

// Sums of doubles by two lanes, for machines without AVX2.
static double read_portable(const double *p, size_t n, uint64_t rounds) {
    double sum[2] = {0, 0};
    for (uint64_t r = 0; r < rounds; r++) {
        for (size_t i = 0; i < n; i += 2) {
            sum[0] += p[i];
            sum[1] += p[i + 1];
        }
    }
    return sum[0] + sum[1];
}

// Bytes loaded a second; 0 without memory.
static double read_rate(double (*kernel)(const double *p, size_t n, uint64_t rounds),
                        size_t bytes) {
    enum { ENOUGH = 1 << 25 };  // bytes a run: about a millisecond, too short to be interrupted
    bytes = bytes / (8 * ROOF_STEP) * (8 * ROOF_STEP);
    double *p = aligned_alloc(64, bytes);
    double best = 0;
    volatile double sink;
    for (unsigned run = 0; p && run < RUNS; run++) {
        if (run == 0) {
            memset(p, 0, bytes);
        }
        const uint64_t rounds = 1 + ENOUGH / bytes;
        double begin = bench_now();
        sink = kernel(p, bytes / sizeof *p, rounds);
        double rate = (double)bytes * (double)rounds / (bench_now() - begin) * 1e9;
        best = rate > best ? rate : best;
    }
    (void)sink;
    free(p);
    return best;
}

static size_t cache_bytes(int name, size_t otherwise) {
    long bytes = sysconf(name);
    return bytes > 0 ? (size_t)bytes : otherwise;
}

// The kernels of one instruction set.
typedef struct {
    const char *name;
    unsigned lanes;
    double (*fma)(uint64_t rounds);
    double (*read)(const double *p, size_t n, uint64_t rounds);
} vector_kernels;

static vector_kernels kernels_of(cpu_features features) {
    return features.avx512 ? (vector_kernels){"avx512", 8, roof_fma_avx512, roof_read_avx512}
           : features.avx2 ? (vector_kernels){"avx2", 4, roof_fma_avx2, roof_read_avx2}
                           : (vector_kernels){"portable", 2, fma_portable, read_portable};
}

void bench_roof_reads(cpu_features features, bench_read reads[ROOF_READS]) {
    const size_t l1 = cache_bytes(_SC_LEVEL1_DCACHE_SIZE, (size_t)1 << 15);
    const size_t l2 = cache_bytes(_SC_LEVEL2_CACHE_SIZE, (size_t)1 << 20);
    const size_t bytes[ROOF_READS] = {l1 / 2, l2 / 2, 4 * l2, (size_t)1 << 28};
    for (unsigned i = 0; i < ROOF_READS; i++) {
        reads[i].bytes = bytes[i];
        reads[i].rate = read_rate(kernels_of(features).read, bytes[i]);
    }
}

bench_roof bench_roof_measure(cpu_features features) {
    const vector_kernels kernels = kernels_of(features);
    const size_t l2_bytes = cache_bytes(_SC_LEVEL2_CACHE_SIZE, (size_t)1 << 20);
    return (bench_roof){
        .simd = kernels.name,
        .fma = best_rate(kernels.fma, kernels.lanes * ROOF_CHAINS),
        .mul = best_rate(mul_words, 8),
        .ifma = features.ifma ? best_rate(roof_ifma, 8 * ROOF_CHAINS) : 0,
        .copy = copy_rate((size_t)1 << 28, 1),
        .copy_l2 = copy_rate(l2_bytes / 4, 200),  // source and destination: half together
        .l2_bytes = (double)l2_bytes,
        .clock = best_rate(chain, 4),
    };
}
