// variant.h: for tests compiled once per SIMD variant: whether this machine can run this one. May
// include primitives/words/vec.h and primitives/words/cpu.h.
#ifndef TESTS_FFT_MODULAR_VARIANT_H_
#define TESTS_FFT_MODULAR_VARIANT_H_

#include <stdbool.h>

#include "primitives/words/cpu.h"
#include "primitives/words/vec.h"

static inline bool variant_runs(void) {
    const cpu_features have = cpu_detect();
    return VEC_LG == 0 || (VEC_LG == 2 && have.avx2) ||
           (VEC_LG == 3 && have.avx512 && (have.ifma || !VEC_IFMA));
}

#define REQUIRE_VARIANT()                                                              \
    do {                                                                               \
        if (!variant_runs()) {                                                         \
            SKIP("this processor lacks the variant's instructions: it is not tested"); \
        }                                                                              \
    } while (0)

#endif  // TESTS_FFT_MODULAR_VARIANT_H_
