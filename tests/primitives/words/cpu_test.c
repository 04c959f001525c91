// cpu_test.c: the detected features are consistent and say the same every time.
#include "primitives/words/cpu.h"

#include "tests/ctest/ctest.h"

// Catches: a wrong bit position, as far as the compiler's own detection knows; a feature claimed
// without the one it builds on.
TEST(Cpu, AgreesWithTheCompiler) {
    const cpu_features f = cpu_detect(), again = cpu_detect();
    EXPECT_EQ(f.adx, again.adx);
    EXPECT_TRUE(!f.avx512 || f.avx2);
    EXPECT_TRUE(!f.ifma || f.avx512);
    EXPECT_TRUE(!f.rounds || f.avx2);
#if defined(__x86_64__)
    __builtin_cpu_init();
    EXPECT_EQ(f.avx2, __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"));
    EXPECT_EQ(f.avx512,
              f.avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw"));
    EXPECT_EQ(f.ifma, f.avx512 && __builtin_cpu_supports("avx512ifma") &&
                          __builtin_cpu_supports("avx512vbmi") &&
                          __builtin_cpu_supports("avx512vbmi2"));
    EXPECT_EQ(f.rounds, f.avx2 && __builtin_cpu_is("amd"));
#else
    EXPECT_FALSE(f.adx || f.avx2);
#endif
}
