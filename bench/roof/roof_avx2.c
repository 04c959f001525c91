// roof_avx2.c: the rate kernels of FMA and loads in AVX2 and FMA; the only file of its flags.
// Called after a look at cpu.h.
#include <immintrin.h>

#include "bench/roof/roof.h"

double roof_fma_avx2(uint64_t rounds) {
    __m256d x[ROOF_CHAINS], a = _mm256_set1_pd(0.999999), b = _mm256_set1_pd(0.5);
    for (unsigned i = 0; i < ROOF_CHAINS; i++) {
        x[i] = _mm256_set1_pd(1 + i);
    }
    for (uint64_t r = 0; r < rounds; r++) {
        for (unsigned i = 0; i < ROOF_CHAINS; i++) {
            x[i] = _mm256_fmadd_pd(x[i], a, b);
        }
    }
    __m256d sum = x[0];
    for (unsigned i = 1; i < ROOF_CHAINS; i++) {
        sum = _mm256_add_pd(sum, x[i]);
    }
    double lanes[4];
    _mm256_storeu_pd(lanes, sum);
    return lanes[0] + lanes[3];
}

double roof_read_avx2(const double *p, size_t n, uint64_t rounds) {
    enum { SUMS = 8, LANES = 4 };
    __m256d sum[SUMS];
    for (unsigned i = 0; i < SUMS; i++) {
        sum[i] = _mm256_setzero_pd();
    }
    for (uint64_t r = 0; r < rounds; r++) {
        for (const double *q = p; q < p + n; q += SUMS * LANES) {
            for (unsigned i = 0; i < SUMS; i++) {
                sum[i] = _mm256_add_pd(sum[i], _mm256_load_pd(q + LANES * i));
            }
        }
    }
    for (unsigned i = 1; i < SUMS; i++) {
        sum[0] = _mm256_add_pd(sum[0], sum[i]);
    }
    double lanes[LANES];
    _mm256_storeu_pd(lanes, sum[0]);
    return lanes[0] + lanes[LANES - 1];
}
