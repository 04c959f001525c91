// vec.h: a vector of reals for the complex transforms: `real` is double, or float where
// FFT_COMPLEX_FLOAT is defined; the width is that of the instruction set this file is compiled for,
// at most FFT_COMPLEX_LANES. Vectors of doubles come from primitives/words/vec.h, and what is
// missing there is added here. May include primitives/words/vec.h and the compiler's intrinsics; no
// other file of the complex transforms may test for an instruction set.
#ifndef FFT_COMPLEX_VEC_H_
#define FFT_COMPLEX_VEC_H_

#include <stddef.h>
#include <stdint.h>

#define VEC_UNROLL _Pragma("GCC unroll 16")

// vec_load2: VEC_WIDTH pairs at p as their first and second components; vec_store2: the inverse;
// vec_interleave: what vec_store2 stores. vec_transpose: x[i] lane k <-> x[k] lane i. vec_load,
// vec_store, vec_stream: aligned, the others not. vec_stream stores past the caches; vec_fence
// orders such stores before a signal to another thread. vec_stream2 is vec_store2 with them.
// vec_of_integers: VEC_WIDTH integers at p; floats are exact below 2^24.

#if !defined(FFT_COMPLEX_FLOAT)
#include "primitives/words/vec.h"
#define VEC_TYPE f64
typedef double real;

#if defined(__AVX512F__) && defined(__AVX512DQ__)
VEC_INLINE vec vec_loadu(const real *p) { return _mm512_loadu_pd(p); }
VEC_INLINE void vec_storeu(real *p, vec a) { _mm512_storeu_pd(p, a); }
VEC_INLINE void vec_stream(real *p, vec a) { _mm512_stream_pd(p, a); }
VEC_INLINE vec vec_of_integers(const int32_t *p) {
    return _mm512_cvtepi32_pd(_mm256_loadu_si256((const __m256i *)p));
}
VEC_INLINE void vec_load2(const real *p, vec *first, vec *second) {
    const vec a = vec_loadu(p), b = vec_loadu(p + 8);
    *first = _mm512_permutex2var_pd(a, _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14), b);
    *second = _mm512_permutex2var_pd(a, _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15), b);
}
VEC_INLINE void vec_interleave(vec *first, vec *second) {
    const vec a = *first, b = *second;
    *first = _mm512_permutex2var_pd(a, _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11), b);
    *second = _mm512_permutex2var_pd(a, _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15), b);
}
#elif defined(__AVX2__) && defined(__FMA__)
VEC_INLINE vec vec_loadu(const real *p) { return _mm256_loadu_pd(p); }
VEC_INLINE void vec_storeu(real *p, vec a) { _mm256_storeu_pd(p, a); }
VEC_INLINE void vec_stream(real *p, vec a) { _mm256_stream_pd(p, a); }
VEC_INLINE vec vec_of_integers(const int32_t *p) {
    return _mm256_cvtepi32_pd(_mm_loadu_si128((const __m128i *)p));
}
VEC_INLINE void vec_load2(const real *p, vec *first, vec *second) {
    const vec a = vec_loadu(p), b = vec_loadu(p + 4);
    const vec even = _mm256_permute2f128_pd(a, b, 0x20), odd = _mm256_permute2f128_pd(a, b, 0x31);
    *first = _mm256_unpacklo_pd(even, odd);
    *second = _mm256_unpackhi_pd(even, odd);
}
VEC_INLINE void vec_interleave(vec *first, vec *second) {
    const vec even = _mm256_unpacklo_pd(*first, *second), odd = _mm256_unpackhi_pd(*first, *second);
    *first = _mm256_permute2f128_pd(even, odd, 0x20);
    *second = _mm256_permute2f128_pd(even, odd, 0x31);
}
#endif

#else
#define VEC_INLINE static inline __attribute__((always_inline))
#define VEC_TYPE f32
typedef float real;

#if defined(__AVX2__) && defined(__FMA__)
// Eight floats in both AVX variants; AVX-512 has 32 registers for them.
#include <immintrin.h>
#if defined(__AVX512F__) && defined(__AVX512DQ__)
#define VEC_VARIANT avx512
#else
#define VEC_VARIANT avx2
#endif
enum { VEC_WIDTH = 8 };
typedef __m256 vec;
VEC_INLINE vec vec_load(const real *p) { return _mm256_load_ps(p); }
VEC_INLINE vec vec_loadu(const real *p) { return _mm256_loadu_ps(p); }
VEC_INLINE void vec_store(real *p, vec a) { _mm256_store_ps(p, a); }
VEC_INLINE void vec_storeu(real *p, vec a) { _mm256_storeu_ps(p, a); }
VEC_INLINE void vec_stream(real *p, vec a) { _mm256_stream_ps(p, a); }
VEC_INLINE vec vec_of_integers(const int32_t *p) {
    return _mm256_cvtepi32_ps(_mm256_loadu_si256((const __m256i *)p));
}
VEC_INLINE vec vec_set1(real a) { return _mm256_set1_ps(a); }
VEC_INLINE vec vec_add(vec a, vec b) { return _mm256_add_ps(a, b); }
VEC_INLINE vec vec_sub(vec a, vec b) { return _mm256_sub_ps(a, b); }
VEC_INLINE vec vec_mul(vec a, vec b) { return _mm256_mul_ps(a, b); }
VEC_INLINE vec vec_fma(vec a, vec b, vec c) { return _mm256_fmadd_ps(a, b, c); }
VEC_INLINE vec vec_fnma(vec a, vec b, vec c) { return _mm256_fnmadd_ps(a, b, c); }
VEC_INLINE vec vec_reverse(vec a) {
    return _mm256_permutevar8x32_ps(a, _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0));
}
VEC_INLINE void vec_load2(const real *p, vec *first, vec *second) {
    const vec a = vec_loadu(p), b = vec_loadu(p + 8);
    const vec low = _mm256_permute2f128_ps(a, b, 0x20), high = _mm256_permute2f128_ps(a, b, 0x31);
    *first = _mm256_shuffle_ps(low, high, 0x88);
    *second = _mm256_shuffle_ps(low, high, 0xdd);
}
VEC_INLINE void vec_interleave(vec *first, vec *second) {
    const vec low = _mm256_unpacklo_ps(*first, *second), high = _mm256_unpackhi_ps(*first, *second);
    *first = _mm256_permute2f128_ps(low, high, 0x20);
    *second = _mm256_permute2f128_ps(low, high, 0x31);
}
VEC_INLINE void vec_transpose(vec x[8]) {
    vec t[8], u[8];
    VEC_UNROLL
    for (int i = 0; i < 8; i += 2) {
        t[i] = _mm256_unpacklo_ps(x[i], x[i + 1]);
        t[i + 1] = _mm256_unpackhi_ps(x[i], x[i + 1]);
    }
    VEC_UNROLL
    for (int i = 0; i < 8; i += 4) {
        u[i] = _mm256_shuffle_ps(t[i], t[i + 2], 0x44);
        u[i + 1] = _mm256_shuffle_ps(t[i], t[i + 2], 0xee);
        u[i + 2] = _mm256_shuffle_ps(t[i + 1], t[i + 3], 0x44);
        u[i + 3] = _mm256_shuffle_ps(t[i + 1], t[i + 3], 0xee);
    }
    VEC_UNROLL
    for (int k = 0; k < 4; k++) {
        x[k] = _mm256_permute2f128_ps(u[k], u[k + 4], 0x20);
        x[k + 4] = _mm256_permute2f128_ps(u[k], u[k + 4], 0x31);
    }
}
#else
#include <math.h>
#define VEC_VARIANT portable
enum { VEC_WIDTH = 1 };
typedef float vec;
VEC_INLINE vec vec_load(const real *p) { return *p; }
VEC_INLINE void vec_store(real *p, vec a) { *p = a; }
VEC_INLINE vec vec_set1(real a) { return a; }
VEC_INLINE vec vec_add(vec a, vec b) { return a + b; }
VEC_INLINE vec vec_sub(vec a, vec b) { return a - b; }
VEC_INLINE vec vec_mul(vec a, vec b) { return a * b; }
VEC_INLINE vec vec_fma(vec a, vec b, vec c) { return fmaf(a, b, c); }
VEC_INLINE vec vec_fnma(vec a, vec b, vec c) { return fmaf(-a, b, c); }
VEC_INLINE vec vec_reverse(vec a) { return a; }
VEC_INLINE void vec_transpose(vec x[1]) { (void)x; }
#endif
#endif

#if !(defined(__AVX2__) && defined(__FMA__))
VEC_INLINE vec vec_loadu(const real *p) { return *p; }
VEC_INLINE void vec_storeu(real *p, vec a) { *p = a; }
VEC_INLINE void vec_stream(real *p, vec a) { *p = a; }
VEC_INLINE vec vec_of_integers(const int32_t *p) { return (real)*p; }
VEC_INLINE void vec_load2(const real *p, vec *first, vec *second) {
    *first = p[0];
    *second = p[1];
}
VEC_INLINE void vec_interleave(vec *first, vec *second) {
    (void)first;
    (void)second;
}
#endif

VEC_INLINE void vec_store2(real *p, vec first, vec second) {
    vec_interleave(&first, &second);
    vec_storeu(p, first);
    vec_storeu(p + VEC_WIDTH, second);
}
VEC_INLINE void vec_stream2(real *p, vec first, vec second) {
    vec_interleave(&first, &second);
    vec_stream(p, first);
    vec_stream(p + VEC_WIDTH, second);
}
VEC_INLINE void vec_fence(void) {
#if defined(__AVX2__)
    _mm_sfence();
#endif
}

#endif  // FFT_COMPLEX_VEC_H_
