// float_variant.c: float_ops.h for one instruction set: compiled once for each, with its flags. The
// loops are plain C that the compiler vectorises, except where bytes are fetched.
#include <assert.h>
#include <string.h>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "fft/complex/float_ops.h"

// fetch: v[i] = the bits from bit at + i width of the bytes on, at least 25 of them, least
// significant first. at < 8.
#if defined(__AVX512F__)
static void fetch(uint32_t *v, const unsigned char *bytes, uint32_t at, unsigned width, size_t n) {
    // Eight digits are `width` bytes. Each lies in two neighbouring words of 32 bits, of the 32
    // bytes from the first one's on: (7 + 7 width) / 32 + 1 <= 6 for widths below 25.
    const __m512i bit =
        _mm512_add_epi64(_mm512_mullo_epi64(_mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0),
                                            _mm512_set1_epi64((int64_t)width)),
                         _mm512_set1_epi64((int64_t)at));
    const __m512i word = _mm512_srli_epi64(bit, 5);
    const __m512i words =
        _mm512_or_si512(word, _mm512_slli_epi64(_mm512_add_epi64(word, _mm512_set1_epi64(1)), 32));
    const __m512i shift = _mm512_and_si512(bit, _mm512_set1_epi64(31));
    const __mmask32 whole = (__mmask32)(((uint64_t)1 << ((at + 7 * width) / 8 + 4)) - 1);
    for (size_t i = 0; i < n; i += 8, bytes += width) {
        const size_t left = n - i < 8 ? n - i : 8;  // bytes after the last digit's are not read
        const __mmask32 there =
            left == 8 ? whole
                      : (__mmask32)(((uint64_t)1 << ((at + (left - 1) * width) / 8 + 4)) - 1);
        const __m512i all = _mm512_permutexvar_epi32(
            words, _mm512_castsi256_si512(_mm256_maskz_loadu_epi8(there, bytes)));
        const __m256i some = _mm512_cvtepi64_epi32(_mm512_srlv_epi64(all, shift));
        if (left == 8) {
            _mm256_storeu_si256((__m256i *)(v + i), some);
        } else {
            _mm256_mask_storeu_epi32(v + i, (__mmask8)((1u << left) - 1), some);
        }
    }
}
#else
static void fetch(uint32_t *v, const unsigned char *bytes, uint32_t at, unsigned width, size_t n) {
    size_t i = 0;
#if defined(__AVX2__)
    const __m256i lanes = _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0);
    const __m256i step = _mm256_set1_epi32((int)(8 * width));
    __m256i bit = _mm256_add_epi32(_mm256_mullo_epi32(lanes, _mm256_set1_epi32((int)width)),
                                   _mm256_set1_epi32((int)at));
    const __m256i shift = _mm256_and_si256(bit, _mm256_set1_epi32(7));  // 8 width is whole bytes
    for (; i + 8 <= n; i += 8, bit = _mm256_add_epi32(bit, step)) {
        const __m256i from =
            _mm256_i32gather_epi32((const int *)bytes, _mm256_srli_epi32(bit, 3), 1);
        _mm256_storeu_si256((__m256i *)(v + i), _mm256_srlv_epi32(from, shift));
    }
#endif
    for (; i < n; i++) {
        const unsigned char *const p = bytes + (at + i * width) / 8;
        const uint32_t from =
            p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
        v[i] = from >> (at + i * width) % 8;
    }
}
#endif

static void digits(int32_t *d, const uint64_t *words, uint64_t at, unsigned width, bool balanced,
                   size_t n) {
    assert(1 <= width && width <= FFT_FLOAT_WIDTH_MAX && n <= FFT_FLOAT_BLOCK && at >= 1);
    uint32_t v[FFT_FLOAT_BLOCK];
    at -= balanced;
    // bytes of words in memory are in the order of their weight on every processor served
    fetch(v, (const unsigned char *)words + at / 8, at % 8, width, n);
    if (!balanced) {
        const uint32_t mask = ((uint32_t)1 << width) - 1;
        for (size_t i = 0; i < n; i++) {
            d[i] = (int32_t)(v[i] & mask);
        }
        return;
    }
    const unsigned above = 31 - width;  // bits above the digit and the bit below it
    for (size_t i = 0; i < n; i++) {
        d[i] = (((int32_t)(v[i] << above) >> above) + 1) >> 1;
    }
}

static void store_f64(double *x, const int32_t *d, size_t n) {
    for (size_t i = 0; i < n; i++) {
        x[2 * i] = d[i];
    }
}

static void store_f32(float *x, const int32_t *d, size_t n) {
    for (size_t i = 0; i < n; i++) {
        x[2 * i] = (float)d[i];
    }
}

static const double magic = 0x1.8p52;  // its sums with numbers below 2^51 are integers

static inline uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

// rounded: to the nearest integer, + bias; more = bias - magic's bits.
static inline uint64_t rounded(double v, uint64_t more) { return bits_of(v + magic) + more; }

static void round_all(uint64_t *restrict u, const double *restrict v, uint64_t bias, size_t n) {
    const uint64_t more = bias - bits_of(magic);
    for (size_t i = 0; i < n; i++) {
        u[i] = rounded(v[i], more);
    }
}

static inline uint64_t column(uint64_t even, uint64_t odd, uint64_t below, unsigned w) {
    const uint64_t mask = ((uint64_t)1 << w) - 1;
    return (even & mask) + below + (((odd & mask) + (even >> w)) << w);
}

// pair_vectors: pair for the first columns, as many as it returns. Compilers make vectors of the
// loop in pair, which take each coefficient twice or more.
#if defined(__AVX512F__)
static __m512i eight_rounded(const double *v, uint64_t more) {
    const __m512d sum = _mm512_add_pd(_mm512_loadu_pd(v), _mm512_set1_pd(magic));
    return _mm512_add_epi64(_mm512_castpd_si512(sum), _mm512_set1_epi64((int64_t)more));
}

static size_t pair_vectors(uint64_t *out, const double *v, uint64_t below, uint64_t more,
                           unsigned w, size_t n) {
    const __m512i mask = _mm512_set1_epi64((int64_t)(((uint64_t)1 << w) - 1));
    const __m512i evens = _mm512_set_epi64(14, 12, 10, 8, 6, 4, 2, 0);
    const __m512i odds = _mm512_set_epi64(15, 13, 11, 9, 7, 5, 3, 1);
    const __m128i width = _mm_cvtsi32_si128((int)w);
    __m512i under = _mm512_set1_epi64((int64_t)below);
    size_t j = 0;
    for (; j + 8 <= n; j += 8) {
        const __m512i first = eight_rounded(v + 2 * j, more);
        const __m512i second = eight_rounded(v + 2 * j + 8, more);
        const __m512i even = _mm512_permutex2var_epi64(first, evens, second);
        const __m512i odd = _mm512_permutex2var_epi64(first, odds, second);
        const __m512i above = _mm512_srl_epi64(odd, width);
        const __m512i low =
            _mm512_add_epi64(_mm512_and_si512(even, mask), _mm512_alignr_epi64(above, under, 7));
        const __m512i high =
            _mm512_add_epi64(_mm512_and_si512(odd, mask), _mm512_srl_epi64(even, width));
        _mm512_storeu_si512(out + j, _mm512_add_epi64(low, _mm512_sll_epi64(high, width)));
        under = above;
    }
    return j;
}
#else
static size_t pair_vectors(uint64_t *out, const double *v, uint64_t below, uint64_t more,
                           unsigned w, size_t n) {
    (void)out, (void)v, (void)below, (void)more, (void)w, (void)n;
    return 0;
}
#endif

static void pair(uint64_t *restrict out, const double *restrict v, uint64_t below, uint64_t bias,
                 unsigned w, size_t n) {
    const uint64_t more = bias - bits_of(magic);
    size_t j = pair_vectors(out, v, below, more, w, n);
    if (j == 0 && n > 0) {
        out[j++] = column(rounded(v[0], more), rounded(v[1], more), below, w);
    }
    for (; j < n; j++) {
        out[j] = column(rounded(v[2 * j], more), rounded(v[2 * j + 1], more),
                        rounded(v[2 * j - 1], more) >> w, w);
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
