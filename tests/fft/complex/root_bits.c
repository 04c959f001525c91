// root_bits.c: root_bits.h on the host; compiled for each instruction set as ROOT_BITS.
#include "tests/fft/complex/root_bits.h"

void ROOT_BITS(fft_root_f64 *w, size_t n, uint64_t first, uint64_t step, unsigned lg) {
    const uint64_t mask = ((uint64_t)1 << lg) - 1;
    for (size_t i = 0; i < n; i++) {
        w[i] = fft_root((first + i * step) & mask, lg);
    }
}
