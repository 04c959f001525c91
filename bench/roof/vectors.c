// vectors.c: the rate kernels of FMA and loads, compiled once with the flags of AVX2 and once with
// the flags of AVX-512. roof.c calls them only where cpu.h finds the instruction set.
#include "bench/roof/roof.h"
#include "primitives/words/vec.h"

#define NAME__(kernel, variant) roof_##kernel##_##variant
#define NAME_(kernel, variant) NAME__(kernel, variant)
#define NAME(kernel) NAME_(kernel, VEC_VARIANT)

// The first and the last lane, so that no lane can be left out.
static double ends(vec sum) {
    _Alignas(64) double lanes[VEC_WIDTH];
    vec_store(lanes, sum);
    return lanes[0] + lanes[VEC_WIDTH - 1];
}

double NAME(fma)(uint64_t rounds) {
    vec x[ROOF_CHAINS], a = vec_set1(0.999999), b = vec_set1(0.5);
    for (unsigned i = 0; i < ROOF_CHAINS; i++) {
        x[i] = vec_set1(1 + i);
    }
    for (uint64_t r = 0; r < rounds; r++) {
        for (unsigned i = 0; i < ROOF_CHAINS; i++) {
            x[i] = vec_fma(x[i], a, b);
        }
    }
    vec sum = x[0];
    for (unsigned i = 1; i < ROOF_CHAINS; i++) {
        sum = vec_add(sum, x[i]);
    }
    return ends(sum);
}

double NAME(read)(const double *p, size_t n, uint64_t rounds) {
    enum { SUMS = 8 };
    vec sum[SUMS];
    for (unsigned i = 0; i < SUMS; i++) {
        sum[i] = vec_set1(0);
    }
    for (uint64_t r = 0; r < rounds; r++) {
        for (const double *q = p; q < p + n; q += SUMS * VEC_WIDTH) {
            for (unsigned i = 0; i < SUMS; i++) {
                sum[i] = vec_add(sum[i], vec_load(q + VEC_WIDTH * i));
            }
        }
    }
    for (unsigned i = 1; i < SUMS; i++) {
        sum[0] = vec_add(sum[0], sum[i]);
    }
    return ends(sum[0]);
}
