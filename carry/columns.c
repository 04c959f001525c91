// columns.c: columns.h: one coefficient after the other, and the choice of a variant.
// May include columns.h.
#include "carry/columns.h"

size_t carry_columns_serial(uint64_t *rp, carry_stream *s, const uint64_t *c, size_t n,
                            unsigned w) {
    return carry_pow2(rp, s, c, n, 1, w);
}

carry_columns *carry_columns_for(cpu_simd simd) {
    static carry_columns *const all[CPU_SIMDS] = {carry_columns_serial, carry_columns_avx2,
                                                  carry_columns_avx512};
    return all[simd];
}
