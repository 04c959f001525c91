// roof_avx512.c: the FMA rate kernel in AVX-512; the only file of its flags. Called after a look at
// cpu.h.
#include <immintrin.h>

#include "bench/roof.h"

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
