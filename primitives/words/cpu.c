// cpu.c: detects the processor's instructions. May include the compiler's cpuid header on x86-64.
#include "primitives/words/cpu.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <stdint.h>

// xgetbv(0): which register files the operating system saves.
static uint64_t saved_state(void) {
    uint32_t lo, hi;
    __asm__("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
    return (uint64_t)hi << 32 | lo;
}

cpu_features cpu_detect(void) {
    cpu_features f = {0};
    uint32_t a, b, c, d;
    if (!__get_cpuid(0, &a, &b, &c, &d)) return f;
    const bool amd = b == signature_AMD_ebx && c == signature_AMD_ecx && d == signature_AMD_edx;
    if (!__get_cpuid(1, &a, &b, &c, &d)) return f;
    const bool fma = c >> 12 & 1, osxsave = c >> 27 & 1, avx = c >> 28 & 1;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return f;

    const uint64_t saved = osxsave ? saved_state() : 0;
    const bool ymm = (saved & 0x06) == 0x06;  // xmm, upper halves of ymm
    const bool zmm = (saved & 0xe6) == 0xe6;  // and masks, upper halves of zmm, zmm16..31
    const uint32_t avx512_bits = 1u << 16 | 1u << 17 | 1u << 30 | 1u << 31;  // F, DQ, BW, VL

    f.adx = (b >> 8 & 1) && (b >> 19 & 1);  // BMI2, ADX
    f.avx2 = ymm && avx && fma && (b >> 5 & 1);
    f.avx512 = zmm && f.avx2 && (b & avx512_bits) == avx512_bits;
    f.rounds = f.avx2 && amd;
    f.ifma = f.avx512 && (b >> 21 & 1) && (c >> 1 & 1) && (c >> 6 & 1);  // IFMA, VBMI, VBMI2
    return f;
}

#else

cpu_features cpu_detect(void) {
    const cpu_features none = {0};
    return none;
}

#endif

cpu_simd cpu_best_simd(cpu_features f) {
    return f.avx512 ? CPU_AVX512 : f.avx2 ? CPU_AVX2 : CPU_PORTABLE;
}

const char *cpu_simd_name(cpu_simd s) {
    static const char *const names[CPU_SIMDS] = {"portable", "avx2", "avx512"};
    return (unsigned)s < CPU_SIMDS ? names[s] : "unknown";
}
