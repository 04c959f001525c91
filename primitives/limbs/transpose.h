// transpose.h: four limbs of each of eight numbers, to a vector for each limb and back, in AVX-512
// on x86-64, for files that are compiled for it. Lane k of a vector is number k.
#ifndef PRIMITIVES_LIMBS_TRANSPOSE_H_
#define PRIMITIVES_LIMBS_TRANSPOSE_H_

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

enum { TRANSPOSE_LIMBS = 4, TRANSPOSE_NUMBERS = 8 };

// transpose_which: which of four limbs from limb `at` on a number of n limbs has.
static inline __mmask8 transpose_which(size_t n, size_t at) {
    const size_t left = n < at ? 0 : n - at;
    return left >= TRANSPOSE_LIMBS ? 0xf : (__mmask8)((1u << left) - 1);
}

// transpose_in: limb[i] = limbs at + i of the numbers at ap[k]; 0 where which[k] does not have
// them, which are not read.
static inline __attribute__((always_inline)) void transpose_in(__m512i *limb,
                                                               const uint64_t *const *ap, size_t at,
                                                               const __mmask8 *which) {
    __m512i row[4];  // numbers 0 and 2, 1 and 3, 4 and 6, 5 and 7
#pragma GCC unroll 4
    for (size_t i = 0; i < 4; i++) {
        const size_t k = i + i / 2 * 2;
        row[i] = _mm512_inserti64x4(
            _mm512_castsi256_si512(_mm256_maskz_loadu_epi64(which[k], ap[k] + at)),
            _mm256_maskz_loadu_epi64(which[k + 2], ap[k + 2] + at), 1);
    }
    const __m512i even[2] = {_mm512_unpacklo_epi64(row[0], row[1]),
                             _mm512_unpacklo_epi64(row[2], row[3])};
    const __m512i odd[2] = {_mm512_unpackhi_epi64(row[0], row[1]),
                            _mm512_unpackhi_epi64(row[2], row[3])};
    limb[0] = _mm512_shuffle_i64x2(even[0], even[1], 0x88);
    limb[1] = _mm512_shuffle_i64x2(odd[0], odd[1], 0x88);
    limb[2] = _mm512_shuffle_i64x2(even[0], even[1], 0xdd);
    limb[3] = _mm512_shuffle_i64x2(odd[0], odd[1], 0xdd);
}

// transpose_out: the reverse; writes the limbs that which[k] has. A whole row is stored without a
// mask, because masked stores across a page take long.
static inline __attribute__((always_inline)) void transpose_out(uint64_t *const *rp, size_t at,
                                                                const __mmask8 *which,
                                                                const __m512i *limb) {
    const __m512i lower[2] = {_mm512_unpacklo_epi64(limb[0], limb[1]),
                              _mm512_unpackhi_epi64(limb[0], limb[1])};
    const __m512i upper[2] = {_mm512_unpacklo_epi64(limb[2], limb[3]),
                              _mm512_unpackhi_epi64(limb[2], limb[3])};
    const __m512i order[2] = {_mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0),
                              _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4)};
#pragma GCC unroll 8
    for (size_t k = 0; k < TRANSPOSE_NUMBERS; k++) {
        const __m512i row = _mm512_permutex2var_epi64(lower[k % 2], order[k / 4], upper[k % 2]);
        const __m256i own =
            k / 2 % 2 == 0 ? _mm512_castsi512_si256(row) : _mm512_extracti64x4_epi64(row, 1);
        if (which[k] == 0xf) {
            _mm256_storeu_si256((__m256i *)(rp[k] + at), own);
        } else {
            _mm256_mask_storeu_epi64(rp[k] + at, which[k], own);
        }
    }
}

#endif  // PRIMITIVES_LIMBS_TRANSPOSE_H_
