// field.h: arithmetic modulo one prime p on vectors of doubles, lazily reduced. May include
// primitives/words/vec.h.
//
// A residue is an integer-valued double, any representative of its class; |x| is bounded in units
// of p. p is below 2^49.7, so integers up to 9.8 p are exact doubles. docs/proofs/modular_fft.md
// proves every bound here and check_constants.py re-derives the numbers for each prime. Products
// are those of the classic error-free transformation: h + l = a w exactly.
#ifndef FFT_MODULAR_FIELD_H_
#define FFT_MODULAR_FIELD_H_

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

#include "primitives/words/vec.h"

// field: a prime and its rounded reciprocal, in every lane.
typedef struct {
    vec p, inverse;
} field;

VEC_INLINE field field_make(double p) { return (field){vec_set1(p), vec_set1(1.0 / p)}; }

// field_within: |x| <= bound p in all lanes of n vectors. For assertions, so out of line.
__attribute__((noinline, unused)) static bool field_within(const vec *x, size_t n, double bound,
                                                           field f) {
    for (size_t i = 0; i < n; i++) {
        _Alignas(64) double a[VEC_WIDTH], p[VEC_WIDTH];
        vec_store(a, x[i]);
        vec_store(p, f.p);
        for (size_t k = 0; k < VEC_WIDTH; k++) {
            if (!(fabs(a[k]) <= bound * p[k])) {
                return false;
            }
        }
    }
    return true;
}

// field_mul: a w mod p. Requires: |a w| < 2^51 p, which |w| <= p / 2 and |a| <= 4.99 p give.
// Ensures: |result| <= (1/2 + s |a| / p) p for |w| <= p / 2, s being 0.0857, or 0.1358 with
// VEC_ROUNDED_TWICE: the quotient errs by the rounding of h, of 1/p, and then of their product.
// h - q p and l are integers below 2^53, so both operations that form the result are exact.
VEC_INLINE vec field_mul(vec a, vec w, field f) {
    const vec h = vec_mul(a, w);
    assert(field_within(&h, 1, 0x1p51, f));
    const vec q = vec_round_product(h, f.inverse);
    const vec l = vec_fms(a, w, h);
    return vec_add(vec_fnma(q, f.p, h), l);
}

// field_reduce: a mod p. Requires: a exact, so sums within 9.8 p, words that are multiples of 2^32.
// Ensures: |result| <= 0.5001 p, and within p / 2 + 1 for |a| <= 4.99 p.
VEC_INLINE vec field_reduce(vec a, field f) {
    return vec_fnma(vec_round_product(a, f.inverse), f.p, a);
}

// field_canonical: the representative in [0, p). Requires: |a| < p.
VEC_INLINE vec field_canonical(vec a, field f) {
    assert(field_within(&a, 1, 1.0, f));
    return vec_add_if_negative(a, f.p);
}

#endif  // FFT_MODULAR_FIELD_H_
