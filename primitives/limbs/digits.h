// digits.h: limbs as digits of 52 bits, eight to a vector, and back. For files that are compiled
// for AVX-512 with VBMI on x86-64. Ranges: docs/proofs/schoolbook.md.
//
// Eight digits are 52 bytes, so both conversions are a byte permutation and a shift for a vector.
#ifndef PRIMITIVES_LIMBS_DIGITS_H_
#define PRIMITIVES_LIMBS_DIGITS_H_

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

static inline __mmask64 digits_first_bytes(size_t n) {
    return n >= 64 ? ~(__mmask64)0 : ((__mmask64)1 << n) - 1;
}

static inline __m512i digits_odd_lanes_4(void) { return _mm512_set_epi64(4, 0, 4, 0, 4, 0, 4, 0); }

static inline __m512i digits_mask(void) { return _mm512_set1_epi64(((int64_t)1 << 52) - 1); }

// digits_load_at: the lowest eight digits of floor({ap, n} / 2^(8 byte + bit)), zeros above {ap,
// n}; byte < 8 n, bit < 8. Digit i is found in the eight bytes from floor(52 i / 8), at bit 0 or 4,
// and `bit` more: 4 + 7 + 52 <= 64.
static inline __m512i digits_load_at(const uint64_t *ap, size_t n, size_t byte, unsigned bit) {
    static const uint8_t from[64] __attribute__((aligned(64))) = {
        0,  1,  2,  3,  4,  5,  6,  7,  6,  7,  8,  9,  10, 11, 12, 13, 13, 14, 15, 16, 17, 18,
        19, 20, 19, 20, 21, 22, 23, 24, 25, 26, 26, 27, 28, 29, 30, 31, 32, 33, 32, 33, 34, 35,
        36, 37, 38, 39, 39, 40, 41, 42, 43, 44, 45, 46, 45, 46, 47, 48, 49, 50, 51, 52};
    const __m512i x =
        _mm512_maskz_loadu_epi8(digits_first_bytes(8 * n - byte), (const uint8_t *)ap + byte);
    const __m512i y = _mm512_permutexvar_epi8(_mm512_load_si512(from), x);
    const __m512i down = _mm512_add_epi64(digits_odd_lanes_4(), _mm512_set1_epi64(bit));
    return _mm512_and_si512(_mm512_srlv_epi64(y, down), digits_mask());
}

// digits_load: digits 8 v .. 8 v + 7 of {ap, n}, zeros above; 52 v < 8 n.
static inline __m512i digits_load(const uint64_t *ap, size_t n, size_t v) {
    return digits_load_at(ap, n, 52 * v, 0);
}

// digits_carry: what a vector of sums carries into the one above: what its last lane has above 52
// bits, and a carry of 0 or 1.
typedef struct {
    __m512i below;
    unsigned one;
} digits_carry;

static inline digits_carry digits_no_carry(void) {
    return (digits_carry){_mm512_setzero_si512(), 0};
}

// digits_of: eight sums below 2^62 and the carry into them as digits. One round leaves digits of at
// most 2^52 - 1 + 2^10; the carries of 0 and 1 that remain come from one addition of masks
// (docs/proofs/carry.md, 4).
static inline __m512i digits_of(digits_carry *carry, __m512i sum) {
    const __m512i mask = digits_mask();
    const __m512i out = _mm512_srli_epi64(sum, 52);
    const __m512i digits =
        _mm512_add_epi64(_mm512_and_si512(sum, mask), _mm512_alignr_epi64(out, carry->below, 7));
    const unsigned generate = _mm512_cmpgt_epu64_mask(digits, mask);
    const unsigned propagate = _mm512_cmpeq_epu64_mask(digits, mask);
    const unsigned carries = ((generate << 1 | carry->one) + propagate) ^ propagate;
    *carry = (digits_carry){out, carries >> 8};
    return _mm512_and_si512(
        _mm512_mask_sub_epi64(digits, (__mmask8)carries, digits, _mm512_set1_epi64(-1)), mask);
}

// digits_store: {rp, n}, as far as it reaches, gets the digits 8 v .. 8 v + 7; 52 v < 8 n. Two
// neighbours are 13 bytes and share the one in the middle.
static inline void digits_store(uint64_t *rp, size_t n, size_t v, __m512i digits) {
    static const uint8_t even[64] __attribute__((aligned(64))) = {
        0,  1,  2, 3, 4,  5,  6,  0,  0,  0,  0,  0, 0, 16, 17, 18, 19, 20, 21, 22, 0,  0,
        0,  0,  0, 0, 32, 33, 34, 35, 36, 37, 38, 0, 0, 0,  0,  0,  0,  48, 49, 50, 51, 52,
        53, 54, 0, 0, 0,  0,  0,  0,  0,  0,  0,  0, 0, 0,  0,  0,  0,  0,  0,  0};
    static const uint8_t odd[64] __attribute__((aligned(64))) = {
        0,  0,  0,  0,  0,  0,  8,  9,  10, 11, 12, 13, 14, 0,  0,  0,  0,  0, 0, 24, 25, 26,
        27, 28, 29, 30, 0,  0,  0,  0,  0,  0,  40, 41, 42, 43, 44, 45, 46, 0, 0, 0,  0,  0,
        0,  56, 57, 58, 59, 60, 61, 62, 0,  0,  0,  0,  0,  0,  0,  0,  0,  0, 0, 0};
    const __m512i x = _mm512_sllv_epi64(digits, digits_odd_lanes_4());
    const __m512i bytes = _mm512_or_si512(
        _mm512_maskz_permutexvar_epi8(UINT64_C(0x3f81fc0fe07f), _mm512_load_si512(even), x),
        _mm512_maskz_permutexvar_epi8(UINT64_C(0xfe07f03f81fc0), _mm512_load_si512(odd), x));
    _mm512_mask_storeu_epi8((uint8_t *)rp + 52 * v,
                            digits_first_bytes(8 * n - 52 * v) & digits_first_bytes(52), bytes);
}

#endif  // PRIMITIVES_LIMBS_DIGITS_H_
