// crt.h: Chinese remaindering of three primes' residues into coefficients of three words (Garner's
// mixed radix). May include field.h and primitives/.
//
// With r_i the residues of 2^lg x and 0 <= x < p0 p1 p2:
//     v0 = r0 s mod p0,  v1 = (r1 s - v0) / p0 mod p1,  v2 = ((r2 s - v0) / p0 - v1) / p1 mod p2,
//     s = 2^-lg x = v0 + p0 v1 + p0 p1 v2
// The factors are folded into one constant per product, so that vectors do six products and no
// divisions.
#ifndef FFT_CRT_H_
#define FFT_CRT_H_

#include <assert.h>

#include "fft/fft.h"
#include "fft/field.h"
#include "primitives/modarith.h"

typedef struct {
    double r0;            // modulo p0: s
    double r1, v01;       // modulo p1: s / p0, -1 / p0
    double r2, v02, v12;  // modulo p2: s / (p0 p1), -1 / (p0 p1), -1 / p1
} crt_constants;

// crt_constants_make: s = 2^-lg mod p is p - (p - 1) / 2^lg, because 2^32 divides p - 1.
static crt_constants crt_constants_make(unsigned lg) {
    const uint64_t p0 = (uint64_t)fft_primes[0].p, p1 = (uint64_t)fft_primes[1].p,
                   p2 = (uint64_t)fft_primes[2].p;
    const fft_crt_inverses *const i = &fft_crt_inverse;
    return (crt_constants){
        .r0 = (double)mod_balance(p0 - ((p0 - 1) >> lg), p0),
        .r1 = (double)mod_balance(mod_mul(i->i01, p1 - ((p1 - 1) >> lg), p1), p1),
        .v01 = (double)mod_balance(p1 - i->i01, p1),
        .r2 = (double)mod_balance(mod_mul(i->i012, p2 - ((p2 - 1) >> lg), p2), p2),
        .v02 = (double)mod_balance(p2 - i->i012, p2),
        .v12 = (double)mod_balance(p2 - i->i12, p2),
    };
}

// crt_digits: the mixed-radix digits of VEC_WIDTH coefficients as words. Residues |x| <= 0.84 p; a
// product then is within 0.58 p, a digit v < p' as a factor modulo p within 0.59 p, sums of two and
// three within 2 p.
VEC_INLINE void crt_digits(uint64_t *v0, uint64_t *v1, uint64_t *v2, vec r0, vec r1, vec r2,
                           const crt_constants *c, const field *f) {
    const vec d0 = field_canonical(field_mul(r0, vec_set1(c->r0), f[0]), f[0]);
    const vec s1 =
        vec_add(field_mul(r1, vec_set1(c->r1), f[1]), field_mul(d0, vec_set1(c->v01), f[1]));
    const vec d1 = field_canonical(field_reduce(s1, f[1]), f[1]);
    const vec s2 = vec_add(
        vec_add(field_mul(r2, vec_set1(c->r2), f[2]), field_mul(d0, vec_set1(c->v02), f[2])),
        field_mul(d1, vec_set1(c->v12), f[2]));
    const vec d2 = field_canonical(field_reduce(s2, f[2]), f[2]);
    vec_store_words(v0, d0);
    vec_store_words(v1, d1);
    vec_store_words(v2, d2);
}

// crt_coefficients: fft_ops.coefficients. Six products per vector, then per coefficient three word
// products: p0 v1 < 2^100 and p0 p1 v2 < 2^150 leave no carry out of the third word.
static void crt_coefficients(uint64_t *c, const fft_plan *plan, const double *const *planes,
                             uint64_t first, size_t n) {
    const crt_constants k = crt_constants_make(plan->lg_rows + plan->lg_columns);
    const field f[3] = {field_make(fft_primes[0].p), field_make(fft_primes[1].p),
                        field_make(fft_primes[2].p)};
    const uint64_t p0 = (uint64_t)fft_primes[0].p;
    const word_pair p01 = (word_pair)p0 * (uint64_t)fft_primes[1].p;
    const uint64_t low = (uint64_t)p01, high = (uint64_t)(p01 >> 64);
    const uint64_t columns = (uint64_t)1 << plan->lg_columns;
    const size_t at = (size_t)(first / columns * plan->row_stride + first % columns);
    assert(first % columns + n <= columns && first % VEC_WIDTH == 0);
    for (size_t i = 0; i < n; i += VEC_WIDTH) {
        uint64_t v0[VEC_WIDTH], v1[VEC_WIDTH], v2[VEC_WIDTH];
        crt_digits(v0, v1, v2, vec_load(planes[0] + at + i), vec_load(planes[1] + at + i),
                   vec_load(planes[2] + at + i), &k, f);
        for (size_t l = 0; l < VEC_WIDTH; l++) {
            const word_pair a = (word_pair)v1[l] * p0 + v0[l], b = (word_pair)v2[l] * low;
            const word_pair s = (word_pair)(uint64_t)a + (uint64_t)b;
            const word_pair t = (a >> 64) + (b >> 64) + (s >> 64) + (word_pair)v2[l] * high;
            uint64_t *const to = c + (i + l) * FFT_COEFFICIENT_WORDS;
            to[0] = (uint64_t)s;
            to[1] = (uint64_t)t;
            to[2] = (uint64_t)(t >> 64);
        }
    }
}

#endif  // FFT_CRT_H_
