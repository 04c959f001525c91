// crt.h: Chinese remaindering of three primes' residues into coefficients of three words (Garner's
// mixed radix). May include residue.h and primitives/.
//
// With r_i the residues of 2^lg x and 0 <= x < p0 p1 p2:
//     v0 = r0 s mod p0,  v1 = (r1 s - v0) / p0 mod p1,  v2 = ((r2 s - v0) / p0 - v1) / p1 mod p2,
//     x = v0 + p0 v1 + p0 p1 v2,  s = 2^-lg
// The factors are folded into one constant per product, so that vectors do six products and no
// divisions.
#ifndef FFT_MODULAR_CRT_H_
#define FFT_MODULAR_CRT_H_

#include <assert.h>

#include "fft/modular/fft.h"
#include "fft/modular/residue.h"
#include "primitives/words/modarith.h"

typedef struct {
    ring f[FFT_PRIMES_USED];
    residue bias[FFT_PRIMES_USED];
    twiddle r0;            // modulo p0: s
    twiddle r1, v01;       // modulo p1: s / p0, -1 / p0
    twiddle r2, v02, v12;  // modulo p2: s / (p0 p1), -1 / (p0 p1), -1 / p1
} crt_constants;

// crt_constants_make: s = 2^-lg mod p is p - (p - 1) / 2^lg, because 2^32 divides p - 1.
static crt_constants crt_constants_make(const fft_plan *plan) {
    const unsigned lg = fft_plan_lg(plan);
    const uint64_t p0 = (uint64_t)fft_primes[0].p, p1 = (uint64_t)fft_primes[1].p,
                   p2 = (uint64_t)fft_primes[2].p;
    const fft_crt_inverses *const i = &fft_crt_inverse;
    crt_constants c = {
        .f = {ring_make(fft_primes[0].p), ring_make(fft_primes[1].p), ring_make(fft_primes[2].p)}};
    for (unsigned k = 0; k < FFT_PRIMES_USED; k++) {
        c.bias[k] = residue_constant(plan->bias[k], c.f[k]);
    }
    c.r0 = twiddle_of(p0 - ((p0 - 1) >> lg), c.f[0]);
    c.r1 = twiddle_of(mod_mul(i->i01, p1 - ((p1 - 1) >> lg), p1), c.f[1]);
    c.v01 = twiddle_of(p1 - i->i01, c.f[1]);
    c.r2 = twiddle_of(mod_mul(i->i012, p2 - ((p2 - 1) >> lg), p2), c.f[2]);
    c.v02 = twiddle_of(p2 - i->i012, c.f[2]);
    c.v12 = twiddle_of(p2 - i->i12, c.f[2]);
    return c;
}

// How many vectors of coefficients are computed at once. A chain from residues to words takes some
// 120 cycles, and its instructions fill the processor's look-ahead window. With short vectors two
// chains therefore run side by side, and the words, which are scalar there, are made after a whole
// block of digits.
enum { CRT_SIDE = VEC_LG == 2 ? 2 : 1, CRT_BLOCK = VEC_LG == 2 ? 64 : VEC_WIDTH };

// crt_digits: the mixed-radix digits d0, d1, d2 of CRT_SIDE vectors of coefficients, in place of
// their residues: biased ones, residue_is_biased. A digit d < p' is a factor modulo p, and what
// three products sum up to can be reduced (docs/proofs/crt.md, modular_words.md).
VEC_INLINE void crt_digits(residue d[3][CRT_SIDE], const crt_constants *c) {
    const ring *const f = c->f;
    residue s[CRT_SIDE];
    assert(residue_is_biased(d[0], CRT_SIDE, f[0]) && residue_is_biased(d[1], CRT_SIDE, f[1]) &&
           residue_is_biased(d[2], CRT_SIDE, f[2]));
    for (size_t i = 0; i < CRT_SIDE; i++) {
        d[0][i] = residue_canonical(residue_mul(d[0][i], c->r0, f[0]), f[0]);
    }
    for (size_t i = 0; i < CRT_SIDE; i++) {
        s[i] = residue_add(residue_mul(d[1][i], c->r1, f[1]), residue_mul(d[0][i], c->v01, f[1]));
    }
    for (size_t i = 0; i < CRT_SIDE; i++) {
        d[1][i] = residue_canonical(residue_reduce(s[i], f[1]), f[1]);
    }
    for (size_t i = 0; i < CRT_SIDE; i++) {
        s[i] = residue_add(
            residue_add(residue_mul(d[2][i], c->r2, f[2]), residue_mul(d[0][i], c->v02, f[2])),
            residue_mul(d[1][i], c->v12, f[2]));
    }
    for (size_t i = 0; i < CRT_SIDE; i++) {
        d[2][i] = residue_canonical(residue_reduce(s[i], f[2]), f[2]);
    }
}

// crt_words: c[3 i ..] = d0 + p0 d1 + p0 p1 d2 as three words, for n <= CRT_BLOCK coefficients.
#if VEC_IFMA
// In base 2^52: p0 is one digit, p0 p1 two. Every column is a sum of at most three 52-bit halves,
// below 2^54; the value is below 2^149, so the last column keeps below 2^45.
VEC_INLINE void crt_words(uint64_t *c, const uint64_t d[3][CRT_BLOCK], size_t n) {
    const word_pair p01 = (word_pair)(uint64_t)fft_primes[0].p * (uint64_t)fft_primes[1].p;
    (void)n;  // whole vectors
    const uint64_t digit = ((uint64_t)1 << 52) - 1;
    const __m512i mask = _mm512_set1_epi64((long long)digit), zero = _mm512_setzero_si512();
    const __m512i p0 = _mm512_set1_epi64((long long)fft_primes[0].p);
    const __m512i low = _mm512_set1_epi64((long long)((uint64_t)p01 & digit));
    const __m512i high = _mm512_set1_epi64((long long)(p01 >> 52));
    const __m512i v0 = _mm512_load_si512(d[0]), v1 = _mm512_load_si512(d[1]),
                  v2 = _mm512_load_si512(d[2]);
    __m512i a0 = _mm512_madd52lo_epu64(_mm512_madd52lo_epu64(v0, p0, v1), low, v2);
    __m512i a1 = _mm512_madd52hi_epu64(_mm512_madd52hi_epu64(zero, p0, v1), low, v2);
    a1 = _mm512_add_epi64(_mm512_madd52lo_epu64(a1, high, v2), _mm512_srli_epi64(a0, 52));
    const __m512i a2 =
        _mm512_add_epi64(_mm512_madd52hi_epu64(zero, high, v2), _mm512_srli_epi64(a1, 52));
    a0 = _mm512_and_si512(a0, mask);
    a1 = _mm512_and_si512(a1, mask);
    const __m512i w0 = _mm512_or_si512(a0, _mm512_slli_epi64(a1, 52));
    const __m512i w1 = _mm512_or_si512(_mm512_srli_epi64(a1, 12), _mm512_slli_epi64(a2, 40));
    const __m512i w2 = _mm512_srli_epi64(a2, 24);
    // lanes 0 .. 7 of the first, 8 .. 15 of the second operand; the third permutation fills in w2
    const __m512i i0 = _mm512_setr_epi64(0, 8, 0, 1, 9, 0, 2, 10),
                  j0 = _mm512_setr_epi64(0, 1, 8, 3, 4, 9, 6, 7);
    const __m512i i1 = _mm512_setr_epi64(0, 3, 11, 0, 4, 12, 0, 5),
                  j1 = _mm512_setr_epi64(10, 1, 2, 11, 4, 5, 12, 7);
    const __m512i i2 = _mm512_setr_epi64(13, 0, 6, 14, 0, 7, 15, 0),
                  j2 = _mm512_setr_epi64(0, 13, 2, 3, 14, 5, 6, 15);
    _mm512_storeu_si512(c,
                        _mm512_permutex2var_epi64(_mm512_permutex2var_epi64(w0, i0, w1), j0, w2));
    _mm512_storeu_si512(c + 8,
                        _mm512_permutex2var_epi64(_mm512_permutex2var_epi64(w0, i1, w1), j1, w2));
    _mm512_storeu_si512(c + 16,
                        _mm512_permutex2var_epi64(_mm512_permutex2var_epi64(w0, i2, w1), j2, w2));
}
#else
// Nested, d0 + p0 (d1 + p1 d2): d1 + p1 d2 < 2^100 has an upper word below 2^36, so that nothing is
// carried out of the third word. Not unrolled: gcc keeps the pairs of several turns in memory.
VEC_INLINE void crt_words(uint64_t *c, const uint64_t d[3][CRT_BLOCK], size_t n) {
    const uint64_t p0 = (uint64_t)fft_primes[0].p, p1 = (uint64_t)fft_primes[1].p;
    _Pragma("GCC unroll 1") for (size_t i = 0; i < n; i++) {
        const word_pair t = (word_pair)d[2][i] * p1 + d[1][i];
        const word_pair low = (word_pair)(uint64_t)t * p0 + d[0][i];
        const word_pair high = (word_pair)(uint64_t)(t >> 64) * p0 + (uint64_t)(low >> 64);
        c[3 * i] = (uint64_t)low;
        c[3 * i + 1] = (uint64_t)high;
        c[3 * i + 2] = (uint64_t)(high >> 64);
    }
}
#endif

// crt_coefficients: fft_ops.coefficients.
static void crt_coefficients(uint64_t *c, const fft_plan *plan, const double *const *planes,
                             uint64_t first, size_t n) {
    const crt_constants k = crt_constants_make(plan);
    const uint64_t columns = (uint64_t)1 << plan->lg_columns;
    const size_t at = (size_t)(first / columns * plan->row_stride + first % columns);
    assert(first % columns + n <= columns && first % VEC_WIDTH == 0);
    for (size_t i = 0; i < n; i += CRT_BLOCK) {
        const size_t block = n - i < CRT_BLOCK ? n - i : CRT_BLOCK;
        _Alignas(64) uint64_t digits[3][CRT_BLOCK];
        size_t l = 0;
        do {
            residue d[3][CRT_SIDE];
            for (size_t j = 0; j < 3 * CRT_SIDE; j++) {
                const size_t prime = j / CRT_SIDE, side = j % CRT_SIDE;
                const double *const x = planes[prime] + at + i + l + side * VEC_WIDTH;
                d[prime][side] = residue_add(residue_load(x), k.bias[prime]);
            }
            crt_digits(d, &k);
            for (size_t j = 0; j < 3 * CRT_SIDE; j++) {
                const size_t prime = j / CRT_SIDE, side = j % CRT_SIDE;
                residue_store_digits(digits[prime] + l + side * VEC_WIDTH, d[prime][side]);
            }
            l += CRT_SIDE * VEC_WIDTH;
        } while (l < block);
        crt_words(c + i * FFT_COEFFICIENT_WORDS, digits, block);
    }
}

#endif  // FFT_MODULAR_CRT_H_
