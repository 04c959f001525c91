// cpu.h: what instructions this processor and operating system offer, as a value; no caches, no
// globals.
#ifndef PRIMITIVES_CPU_H_
#define PRIMITIVES_CPU_H_

#include <stdbool.h>

typedef struct {
    bool adx;     // mulx (BMI2) and adcx/adox
    bool avx2;    // AVX2 and FMA, with the operating system saving ymm registers
    bool avx512;  // AVX-512 F, DQ, VL, BW, with the operating system saving zmm registers
    bool ifma;    // avx512 with 52-bit integer multiply-add and byte permutation (VBMI)
} cpu_features;

// cpu_detect asks the processor. All false on other architectures than x86-64.
cpu_features cpu_detect(void);

#endif  // PRIMITIVES_CPU_H_
