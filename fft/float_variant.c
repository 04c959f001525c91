// float_variant.c: float_ops.h for one instruction set: compiled once for each, with its flags. The
// loops are plain C that the compiler makes vectors of, but for the fetching of bytes.
#include <assert.h>
#include <string.h>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "fft/float_ops.h"

// fetch: v[i] = four bytes from byte (at + i width) / 8 on, least significant first.
static void fetch(uint32_t *v, const unsigned char *bytes, uint32_t at, unsigned width, size_t n) {
    size_t i = 0;
#if defined(__AVX512F__)
    const __m512i lanes = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    const __m512i step = _mm512_set1_epi32((int)(16 * width));
    __m512i bit = _mm512_add_epi32(_mm512_mullo_epi32(lanes, _mm512_set1_epi32((int)width)),
                                   _mm512_set1_epi32((int)at));
    for (; i + 16 <= n; i += 16, bit = _mm512_add_epi32(bit, step)) {
        _mm512_storeu_si512(v + i, _mm512_i32gather_epi32(_mm512_srli_epi32(bit, 3), bytes, 1));
    }
#elif defined(__AVX2__)
    const __m256i lanes = _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0);
    const __m256i step = _mm256_set1_epi32((int)(8 * width));
    __m256i bit = _mm256_add_epi32(_mm256_mullo_epi32(lanes, _mm256_set1_epi32((int)width)),
                                   _mm256_set1_epi32((int)at));
    for (; i + 8 <= n; i += 8, bit = _mm256_add_epi32(bit, step)) {
        _mm256_storeu_si256(
            (__m256i *)(v + i),
            _mm256_i32gather_epi32((const int *)bytes, _mm256_srli_epi32(bit, 3), 1));
    }
#endif
    for (; i < n; i++) {
        const unsigned char *const p = bytes + (at + i * width) / 8;
        v[i] = p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
    }
}

static void digits(int32_t *d, const uint64_t *words, uint64_t at, unsigned width, bool balanced,
                   size_t n) {
    assert(1 <= width && width <= FFT_FLOAT_WIDTH_MAX && n <= FFT_FLOAT_BLOCK && at >= 1);
    uint32_t v[FFT_FLOAT_BLOCK];
    at -= balanced;
    const uint32_t first = at % 8;
    // bytes of words in memory are in the order of their weight on every processor served
    fetch(v, (const unsigned char *)words + at / 8, first, width, n);
    if (!balanced) {
        const uint32_t mask = ((uint32_t)1 << width) - 1;
        for (uint32_t i = 0; i < (uint32_t)n; i++) {
            d[i] = (int32_t)(v[i] >> (first + i * width) % 8 & mask);
        }
        return;
    }
    const unsigned above = 31 - width;  // bits above the digit and the bit below it
    for (uint32_t i = 0; i < (uint32_t)n; i++) {
        d[i] = (((int32_t)(v[i] >> (first + i * width) % 8 << above) >> above) + 1) >> 1;
    }
}

static void store_f64(double *x, const int32_t *d, unsigned stride, size_t n) {
    if (stride == 1) {
        for (size_t i = 0; i < n; i++) {
            x[i] = d[i];
        }
        return;
    }
    for (size_t i = 0; i < n; i++) {
        x[i * stride] = d[i];
    }
}

static void store_f32(float *x, const int32_t *d, unsigned stride, size_t n) {
    for (size_t i = 0; i < n; i++) {
        x[i * stride] = (float)d[i];
    }
}

static void round_all(uint64_t *u, const double *v, uint64_t bias, size_t n) {
    const double magic = 0x1.8p52;  // sums with it are integers
    uint64_t magic_bits;
    memcpy(&magic_bits, &magic, sizeof magic);
    const uint64_t more = bias - magic_bits;
    for (size_t i = 0; i < n; i++) {
        const double sum = v[i] + magic;
        uint64_t bits;
        memcpy(&bits, &sum, sizeof bits);
        u[i] = bits + more;
    }
}

static void pair(uint64_t *restrict out, const uint64_t *restrict u, unsigned w, size_t n) {
    const uint64_t mask = ((uint64_t)1 << w) - 1;
    for (size_t j = 0; j < n; j++) {
        const uint64_t below = u[2 * j], even = u[2 * j + 1], odd = u[2 * j + 2];
        out[j] = (even & mask) + (below >> w) + (((odd & mask) + (even >> w)) << w);
    }
}

#if defined(__AVX512F__)
#define VARIANT fft_float_ops_avx512
#elif defined(__AVX2__)
#define VARIANT fft_float_ops_avx2
#else
#define VARIANT fft_float_ops_portable
#endif

const fft_float_ops VARIANT = {
    .digits = digits,
    .store_f64 = store_f64,
    .store_f32 = store_f32,
    .round = round_all,
    .pair = pair,
};
