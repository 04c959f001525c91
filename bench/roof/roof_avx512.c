// roof_avx512.c: the rate kernels of FMA and loads in AVX-512; the only file of its flags. Called
// after a look at cpu.h.
#include <immintrin.h>

#include "bench/roof/roof.h"

double roof_fma_avx512(uint64_t rounds) {
    __m512d x[ROOF_CHAINS], a = _mm512_set1_pd(0.999999), b = _mm512_set1_pd(0.5);
    for (unsigned i = 0; i < ROOF_CHAINS; i++) {
        x[i] = _mm512_set1_pd(1 + i);
    }
    for (uint64_t r = 0; r < rounds; r++) {
        for (unsigned i = 0; i < ROOF_CHAINS; i++) {
            x[i] = _mm512_fmadd_pd(x[i], a, b);
        }
    }
    __m512d sum = x[0];
    for (unsigned i = 1; i < ROOF_CHAINS; i++) {
        sum = _mm512_add_pd(sum, x[i]);
    }
    double lanes[8];
    _mm512_storeu_pd(lanes, sum);
    return lanes[0] + lanes[7];
}

double roof_read_avx512(const double *p, size_t n, uint64_t rounds) {
    enum { SUMS = 8, LANES = 8 };
    __m512d sum[SUMS];
    for (unsigned i = 0; i < SUMS; i++) {
        sum[i] = _mm512_setzero_pd();
    }
    for (uint64_t r = 0; r < rounds; r++) {
        for (const double *q = p; q < p + n; q += SUMS * LANES) {
            for (unsigned i = 0; i < SUMS; i++) {
                sum[i] = _mm512_add_pd(sum[i], _mm512_load_pd(q + LANES * i));
            }
        }
    }
    for (unsigned i = 1; i < SUMS; i++) {
        sum[0] = _mm512_add_pd(sum[0], sum[i]);
    }
    double lanes[LANES];
    _mm512_storeu_pd(lanes, sum[0]);
    return lanes[0] + lanes[LANES - 1];
}
