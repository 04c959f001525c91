// vec.h: a vector of doubles of the width that this file is compiled for: 8 (AVX-512), 4 (AVX2 with
// FMA) or 1 (portable). May include the compiler's intrinsics only. All transform code is written
// once on top of it and compiled once per variant; no file may test for an instruction set but this
// one and fft/complex/vec.h, which adds what complex transforms need.
#ifndef PRIMITIVES_WORDS_VEC_H_
#define PRIMITIVES_WORDS_VEC_H_

#include <math.h>
#include <stdint.h>

#define VEC_INLINE static inline __attribute__((always_inline))
#define VEC_UNROLL _Pragma("GCC unroll 16")

#if defined(__AVX512F__) && defined(__AVX512DQ__)
#include <immintrin.h>
#if defined(__AVX512IFMA__)
#define VEC_VARIANT ifma
#define VEC_IFMA 1
#define VEC_WORDS 1
#else
#define VEC_VARIANT avx512
#define VEC_IFMA 0
#define VEC_WORDS 0
#endif
#define VEC_ROUNDED_TWICE 0
// The most levels of a pass, and the longest array, as a logarithm, that takes 4 in any case.
// VEC_SIDE: vectors of a segment that a forward pass of radix 8 takes side by side. VEC_LG_ROW,
// VEC_LG_ROWS: fft_shape.
enum { VEC_LG = 3, VEC_LG_RADIX_MAX = 4, VEC_LG_RADIX16 = 0 };  // 32 registers hold radix 16
enum { VEC_SIDE = 1, VEC_LG_ROW = 10, VEC_LG_ROWS = 5 };
typedef __m512d vec;
VEC_INLINE vec vec_load(const double *p) { return _mm512_load_pd(p); }
VEC_INLINE void vec_store(double *p, vec a) { _mm512_store_pd(p, a); }
VEC_INLINE vec vec_set1(double a) { return _mm512_set1_pd(a); }
VEC_INLINE vec vec_add(vec a, vec b) { return _mm512_add_pd(a, b); }
VEC_INLINE vec vec_sub(vec a, vec b) { return _mm512_sub_pd(a, b); }
VEC_INLINE vec vec_mul(vec a, vec b) { return _mm512_mul_pd(a, b); }
VEC_INLINE vec vec_fma(vec a, vec b, vec c) { return _mm512_fmadd_pd(a, b, c); }
VEC_INLINE vec vec_fms(vec a, vec b, vec c) { return _mm512_fmsub_pd(a, b, c); }
VEC_INLINE vec vec_fnma(vec a, vec b, vec c) { return _mm512_fnmadd_pd(a, b, c); }
// a where a >= 0, a + b where a < 0. No zero is negative, whatever its sign.
VEC_INLINE vec vec_add_if_negative(vec a, vec b) {
    return _mm512_mask_add_pd(a, _mm512_cmp_pd_mask(a, _mm512_setzero_pd(), _CMP_LT_OQ), a, b);
}
VEC_INLINE vec vec_reverse(vec a) {
    return _mm512_permutexvar_pd(_mm512_setr_epi64(7, 6, 5, 4, 3, 2, 1, 0), a);
}
// The high and low 32 bits of VEC_LG words, as doubles
VEC_INLINE vec vec_high_half(const uint64_t *p) {
    return _mm512_cvtepu64_pd(_mm512_srli_epi64(_mm512_loadu_si512(p), 32));
}
VEC_INLINE vec vec_low_half(const uint64_t *p) {
    return _mm512_cvtepu64_pd(
        _mm512_and_si512(_mm512_loadu_si512(p), _mm512_set1_epi64(0xffffffff)));
}
// Fields of `bits` <= 64 bits, the first from bit `at` < 64 of p on; reads VEC_WIDTH + 1 words
VEC_INLINE void vec_fields(uint64_t *d, const uint64_t *p, unsigned at, unsigned bits) {
    const __m512i lanes = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7), word = _mm512_set1_epi64(64);
    const __m512i bit =
        _mm512_add_epi64(_mm512_set1_epi64(at), _mm512_mul_epu32(lanes, _mm512_set1_epi64(bits)));
    const __m512i index = _mm512_srli_epi64(bit, 6);
    const __m512i shift = _mm512_and_si512(bit, _mm512_set1_epi64(63));
    const __m512i low = _mm512_permutexvar_epi64(index, _mm512_loadu_si512(p));
    const __m512i high = _mm512_permutexvar_epi64(index, _mm512_loadu_si512(p + 1));
    const __m512i field =  // shifts by 64 leave nothing
        _mm512_or_si512(_mm512_srlv_epi64(low, shift),
                        _mm512_sllv_epi64(high, _mm512_sub_epi64(word, shift)));
    _mm512_storeu_si512(
        d, _mm512_and_si512(field, _mm512_set1_epi64((long long)(~(uint64_t)0 >> (64 - bits)))));
}
// Non-negative integers below 2^53 as words
VEC_INLINE void vec_store_words(uint64_t *p, vec a) {
    _mm512_storeu_si512(p, _mm512_cvtpd_epu64(a));
}
// x[i] lane k <-> x[k] lane i
VEC_INLINE void vec_transpose(vec x[8]) {
    vec t[8], u[8];
    for (int i = 0; i < 8; i += 2) {
        t[i] = _mm512_unpacklo_pd(x[i], x[i + 1]);
        t[i + 1] = _mm512_unpackhi_pd(x[i], x[i + 1]);
    }
    for (int i = 0; i < 8; i += 4) {
        for (int k = 0; k < 2; k++) {
            u[i + k] = _mm512_shuffle_f64x2(t[i + k], t[i + k + 2], 0x88);
            u[i + k + 2] = _mm512_shuffle_f64x2(t[i + k], t[i + k + 2], 0xdd);
        }
    }
    for (int k = 0; k < 4; k++) {
        x[k] = _mm512_shuffle_f64x2(u[k], u[k + 4], 0x88);
        x[k + 4] = _mm512_shuffle_f64x2(u[k], u[k + 4], 0xdd);
    }
}

#elif defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>
#ifdef FFT_ROUND  // a variant of its own, for processors that round as fast as they add
#define VEC_VARIANT avx2_round
#define VEC_ROUNDED_TWICE 1
#else
#define VEC_VARIANT avx2
#define VEC_ROUNDED_TWICE 0
#endif
#define VEC_IFMA 0
#define VEC_WORDS 0
// 16 registers: radix 16 spills, and yet pays where its 16 lines find room in 8 ways of 4 KiB
enum { VEC_LG = 2, VEC_LG_RADIX_MAX = 3, VEC_LG_RADIX16 = 12 };
enum { VEC_SIDE = 2, VEC_LG_ROW = 8, VEC_LG_ROWS = 7 };
typedef __m256d vec;
VEC_INLINE vec vec_load(const double *p) { return _mm256_load_pd(p); }
VEC_INLINE void vec_store(double *p, vec a) { _mm256_store_pd(p, a); }
VEC_INLINE vec vec_set1(double a) { return _mm256_set1_pd(a); }
VEC_INLINE vec vec_add(vec a, vec b) { return _mm256_add_pd(a, b); }
VEC_INLINE vec vec_sub(vec a, vec b) { return _mm256_sub_pd(a, b); }
VEC_INLINE vec vec_mul(vec a, vec b) { return _mm256_mul_pd(a, b); }
VEC_INLINE vec vec_fma(vec a, vec b, vec c) { return _mm256_fmadd_pd(a, b, c); }
VEC_INLINE vec vec_fms(vec a, vec b, vec c) { return _mm256_fmsub_pd(a, b, c); }
VEC_INLINE vec vec_fnma(vec a, vec b, vec c) { return _mm256_fnmadd_pd(a, b, c); }
VEC_INLINE vec vec_round(vec a) {
    return _mm256_round_pd(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
VEC_INLINE vec vec_add_if_negative(vec a, vec b) {
    return _mm256_add_pd(a, _mm256_and_pd(_mm256_cmp_pd(a, _mm256_setzero_pd(), _CMP_LT_OQ), b));
}
VEC_INLINE vec vec_reverse(vec a) { return _mm256_permute4x64_pd(a, 0x1b); }
// A word below 2^52 under the exponent of 2^52 is the double 2^52 + word.
VEC_INLINE vec vec_from_small_words(__m256i a) {
    const __m256d two52 = _mm256_set1_pd(0x1p52);
    return _mm256_sub_pd(_mm256_castsi256_pd(_mm256_or_si256(a, _mm256_castpd_si256(two52))),
                         two52);
}
VEC_INLINE vec vec_high_half(const uint64_t *p) {
    return vec_from_small_words(_mm256_srli_epi64(_mm256_loadu_si256((const __m256i *)p), 32));
}
VEC_INLINE vec vec_low_half(const uint64_t *p) {
    return vec_from_small_words(
        _mm256_and_si256(_mm256_loadu_si256((const __m256i *)p), _mm256_set1_epi64x(0xffffffff)));
}
VEC_INLINE __m256i vec_permute_words(__m256i index, const uint64_t *p) {
    const __m256i two = _mm256_slli_epi64(index, 1);  // halves 2 i and 2 i + 1
    const __m256i halves =
        _mm256_or_si256(two, _mm256_slli_epi64(_mm256_or_si256(two, _mm256_set1_epi64x(1)), 32));
    return _mm256_permutevar8x32_epi32(_mm256_loadu_si256((const __m256i *)p), halves);
}
VEC_INLINE void vec_fields(uint64_t *d, const uint64_t *p, unsigned at, unsigned bits) {
    const __m256i lanes = _mm256_setr_epi64x(0, 1, 2, 3), word = _mm256_set1_epi64x(64);
    const __m256i bit =
        _mm256_add_epi64(_mm256_set1_epi64x(at), _mm256_mul_epu32(lanes, _mm256_set1_epi64x(bits)));
    const __m256i index = _mm256_srli_epi64(bit, 6);
    const __m256i shift = _mm256_and_si256(bit, _mm256_set1_epi64x(63));
    const __m256i field = _mm256_or_si256(
        _mm256_srlv_epi64(vec_permute_words(index, p), shift),
        _mm256_sllv_epi64(vec_permute_words(index, p + 1), _mm256_sub_epi64(word, shift)));
    _mm256_storeu_si256(
        (__m256i *)d,
        _mm256_and_si256(field, _mm256_set1_epi64x((long long)(~(uint64_t)0 >> (64 - bits)))));
}
// Requires: below 2^52
VEC_INLINE void vec_store_words(uint64_t *p, vec a) {
    const __m256d two52 = _mm256_set1_pd(0x1p52);
    _mm256_storeu_si256((__m256i *)p, _mm256_xor_si256(_mm256_castpd_si256(_mm256_add_pd(a, two52)),
                                                       _mm256_castpd_si256(two52)));
}
VEC_INLINE void vec_transpose(vec x[4]) {
    vec t0 = _mm256_unpacklo_pd(x[0], x[1]), t1 = _mm256_unpackhi_pd(x[0], x[1]);
    vec t2 = _mm256_unpacklo_pd(x[2], x[3]), t3 = _mm256_unpackhi_pd(x[2], x[3]);
    x[0] = _mm256_permute2f128_pd(t0, t2, 0x20);
    x[1] = _mm256_permute2f128_pd(t1, t3, 0x20);
    x[2] = _mm256_permute2f128_pd(t0, t2, 0x31);
    x[3] = _mm256_permute2f128_pd(t1, t3, 0x31);
}

#else
#define VEC_VARIANT portable
#define VEC_IFMA 0
#define VEC_ROUNDED_TWICE 0
#define VEC_WORDS 1  // integer products are cheap everywhere, fused operations a call in places
enum { VEC_LG = 0, VEC_LG_RADIX_MAX = 2, VEC_LG_RADIX16 = 0 };
enum { VEC_SIDE = 1, VEC_LG_ROW = 8, VEC_LG_ROWS = 7 };
typedef double vec;
VEC_INLINE vec vec_load(const double *p) { return *p; }
VEC_INLINE void vec_store(double *p, vec a) { *p = a; }
VEC_INLINE vec vec_set1(double a) { return a; }
VEC_INLINE vec vec_add(vec a, vec b) { return a + b; }
VEC_INLINE vec vec_sub(vec a, vec b) { return a - b; }
VEC_INLINE vec vec_mul(vec a, vec b) { return a * b; }
VEC_INLINE vec vec_fma(vec a, vec b, vec c) { return fma(a, b, c); }
VEC_INLINE vec vec_fms(vec a, vec b, vec c) { return fma(a, b, -c); }
VEC_INLINE vec vec_fnma(vec a, vec b, vec c) { return fma(-a, b, c); }
VEC_INLINE vec vec_add_if_negative(vec a, vec b) { return a < 0 ? a + b : a; }
VEC_INLINE vec vec_reverse(vec a) { return a; }
VEC_INLINE vec vec_high_half(const uint64_t *p) { return (double)(*p >> 32); }
VEC_INLINE vec vec_low_half(const uint64_t *p) { return (double)(*p & 0xffffffff); }
VEC_INLINE void vec_fields(uint64_t *d, const uint64_t *p, unsigned at, unsigned bits) {
    // two shifts, because high << 64 is undefined for at = 0
    *d = ((p[0] >> at) | (p[1] << 1 << (63 - at))) & ~(uint64_t)0 >> (64 - bits);
}
VEC_INLINE void vec_store_words(uint64_t *p, vec a) { *p = (uint64_t)a; }
VEC_INLINE void vec_transpose(vec x[1]) { (void)x; }
#endif

enum { VEC_WIDTH = 1 << VEC_LG };

// vec_round_product: an integer within 1/2 of a b, for |a b| < 2^51, by a fused sum that leaves no
// room for a fraction. VEC_ROUNDED_TWICE: a b is rounded before, and what that errs by adds to 1/2:
// as many operations, but no copy of a constant that they overwrite.
VEC_INLINE vec vec_round_product(vec a, vec b) {
#if VEC_ROUNDED_TWICE
    return vec_round(vec_mul(a, b));
#else
    const vec magic = vec_set1(0x1.8p52);
    return vec_sub(vec_fma(a, b, magic), magic);
#endif
}

#endif  // PRIMITIVES_WORDS_VEC_H_
