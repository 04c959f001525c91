// cpu.h: the instructions that this processor and operating system offer, as a value. No caches, no
// globals.
#ifndef PRIMITIVES_WORDS_CPU_H_
#define PRIMITIVES_WORDS_CPU_H_

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    bool adx;     // mulx (BMI2), adcx/adox and popcnt
    bool avx2;    // AVX2 and FMA, with the operating system saving ymm registers
    bool avx512;  // AVX-512 F, DQ, VL, BW, with the operating system saving zmm registers
    bool ifma;    // avx512 with 52-bit integer multiply-add, byte permutation (VBMI), shifts of
                  // pairs of words (VBMI2) and counts of ones (VPOPCNTDQ)
    bool rounds;  // avx2, where rounding to integers costs no more than an addition: AMD's; Intel's
                  // processors make two operations of it, on the ports of products
} cpu_features;

// The widest vectors that a loop may use.
typedef enum { CPU_PORTABLE, CPU_AVX2, CPU_AVX512, CPU_SIMDS } cpu_simd;

// cpu_detect asks the processor. All false on other architectures than x86-64.
cpu_features cpu_detect(void);

// cpu_best_simd returns the widest vectors that f offers, cpu_simd_name a name as in records:
// "avx2".
cpu_simd cpu_best_simd(cpu_features f);
const char *cpu_simd_name(cpu_simd s);

#ifdef __cplusplus
}
#endif

#endif  // PRIMITIVES_WORDS_CPU_H_
