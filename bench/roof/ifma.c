// ifma.c: the rate kernel of 52-bit integer multiply-adds, in a file of its own flags. roof.c calls
// it only where cpu.h finds the instruction set.
#include <immintrin.h>

#include "bench/roof/roof.h"

double roof_ifma(uint64_t rounds) {
    __m512i x[ROOF_CHAINS], a = _mm512_set1_epi64(0x9e3779b97f4a7), b = _mm512_set1_epi64(3);
    for (unsigned i = 0; i < ROOF_CHAINS; i++) {
        x[i] = _mm512_set1_epi64(1 + i);
    }
    for (uint64_t r = 0; r < rounds; r++) {
        for (unsigned i = 0; i < ROOF_CHAINS; i += 2) {
            x[i] = _mm512_madd52lo_epu64(x[i], a, b);
            x[i + 1] = _mm512_madd52hi_epu64(x[i + 1], a, b);
        }
    }
    __m512i sum = x[0];
    for (unsigned i = 1; i < ROOF_CHAINS; i++) {
        sum = _mm512_add_epi64(sum, x[i]);
    }
    // Halved: the compiler's header adds lanes as signed numbers.
    return (double)_mm512_reduce_add_epi64(_mm512_srli_epi64(sum, 8));
}
