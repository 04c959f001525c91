// cpu.c: detects the processor's instructions. May include the C library's description of the
// processor, or the compiler's cpuid header, on x86-64.
#include "primitives/words/cpu.h"

#if defined(__x86_64__)

#include <stdint.h>
#if __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#endif

// registers: what cpuid returns for its leaves 1 and 7, whether the operating system saves ymm and
// zmm registers, and whether the processor is one of AMD's.
typedef struct {
    uint32_t ecx1, ebx7, ecx7;
    bool ymm, zmm, amd;
} registers;

#if defined(CPU_FEATURE_ACTIVE)

// The C library has asked when the process started. cpuid takes microseconds in a virtual machine,
// which has to leave it for each leaf. Active instructions are those whose registers are saved.
static registers read_registers(void) {
    const struct cpuid_feature *const one = __x86_get_cpuid_feature_leaf(CPUID_INDEX_1),
                                      *const seven = __x86_get_cpuid_feature_leaf(CPUID_INDEX_7),
                                      *const more =
                                          __x86_get_cpuid_feature_leaf(CPUID_INDEX_80000001);
    return (registers){
        .ecx1 = one->active_array[2],
        .ebx7 = seven->active_array[1],
        .ecx7 = seven->active_array[2],
        .ymm = true,
        .zmm = true,
        .amd = more->cpuid_array[2] >> 6 & 1,  // SSE4A: nobody else has it
    };
}

#else

#include <cpuid.h>

// xgetbv(0): which register files the operating system saves.
static uint64_t saved_state(void) {
    uint32_t lo, hi;
    __asm__("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
    return (uint64_t)hi << 32 | lo;
}

static registers read_registers(void) {
    registers r = {0};
    uint32_t a, b, c, d;
    if (!__get_cpuid(0, &a, &b, &c, &d)) return r;
    r.amd = b == signature_AMD_ebx && c == signature_AMD_ecx && d == signature_AMD_edx;
    if (!__get_cpuid(1, &a, &b, &r.ecx1, &d)) return r;
    if (!__get_cpuid_count(7, 0, &a, &r.ebx7, &r.ecx7, &d)) return r;
    const uint64_t saved = r.ecx1 >> 27 & 1 ? saved_state() : 0;
    r.ymm = (saved & 0x06) == 0x06;  // xmm, upper halves of ymm
    r.zmm = (saved & 0xe6) == 0xe6;  // and masks, upper halves of zmm, zmm16..31
    return r;
}

#endif

cpu_features cpu_detect(void) {
    const registers r = read_registers();
    const bool fma = r.ecx1 >> 12 & 1, avx = r.ecx1 >> 28 & 1;
    const uint32_t b = r.ebx7, avx512_bits = 1u << 16 | 1u << 17 | 1u << 30 | 1u << 31;
    const uint32_t vbits = 1u << 1 | 1u << 6 | 1u << 14;  // VBMI, VBMI2, VPOPCNTDQ
    cpu_features f = {0};
    f.adx = (b >> 8 & 1) && (b >> 19 & 1) && (r.ecx1 >> 23 & 1);  // BMI2, ADX, popcnt
    f.avx2 = r.ymm && avx && fma && (b >> 5 & 1);
    f.avx512 = r.zmm && f.avx2 && (b & avx512_bits) == avx512_bits;  // F, DQ, BW, VL
    f.rounds = f.avx2 && r.amd;
    f.ifma = f.avx512 && (b >> 21 & 1) && (r.ecx7 & vbits) == vbits;  // IFMA and these
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
