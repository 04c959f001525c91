// bound.h: how far a convolution of digits by complex floating-point transforms can be from the
// integers. It has a proved bound, computed in integer arithmetic; the digits for which rounding to
// the nearest integer is exact; and a model of the error on most digits. Pure functions; includes
// index_digit.h, for plans of transforms on a device.
//
// The derivation is docs/proofs/complex_fft.md; its section numbers stand beside what relies on
// them. u = 2^-significand is the largest relative error of one operation, rounded to nearest.
// Relative errors are counted in u / 64, and those of successive steps are added up.
#ifndef FFT_COMPLEX_BOUND_H_
#define FFT_COMPLEX_BOUND_H_

#include <stdbool.h>
#include <stdint.h>

#include "fft/index_digit/index_digit.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    FFT_BOUND_F64 = 53,  // significand of double
    FFT_BOUND_F32 = 24,  // of float
    FFT_BOUND_ROUNDING = 64,
    // One complex product: with a fused multiply-add 2 u + u^2, two factors 1 + u; without, sqrt(5)
    // u (section 2).
    FFT_BOUND_PRODUCT_FUSED = 128,
    FFT_BOUND_PRODUCT_PLAIN = 144,
    // |w~ - w| of a root whose parts are rounded to nearest, u / sqrt 2; within 0.52 ulp, as
    // fft_root gives them; within one ulp, sqrt 2 u; that is given by cosine and tangent within
    // 0.501 ulp, 2.015 u (section 3); that Root of pass_root.cuh computes in floats (section 4.6).
    FFT_BOUND_ROOT_ROUNDED = 46,
    FFT_BOUND_ROOT_COMPUTED = 48,
    FFT_BOUND_ROOT_ULP = 91,
    FFT_BOUND_ROOT_TANGENT = 129,
    FFT_BOUND_ROOT_FLOAT = 232,
    // Levels of radix 2 and passes of odd radix of complex.h (sections 4.3, 4.4).
    FFT_BOUND_LEVEL_FORWARD = 2 * FFT_BOUND_ROUNDING + FFT_BOUND_ROOT_TANGENT,
    FFT_BOUND_LEVEL_INVERSE = 3 * FFT_BOUND_ROUNDING + FFT_BOUND_ROOT_TANGENT,
    FFT_BOUND_3_FORWARD = 628 + FFT_BOUND_PRODUCT_FUSED + FFT_BOUND_ROOT_ROUNDED,
    FFT_BOUND_3_INVERSE = 363 + FFT_BOUND_PRODUCT_FUSED + FFT_BOUND_ROOT_ROUNDED,
    FFT_BOUND_5_FORWARD = 1012 + FFT_BOUND_PRODUCT_FUSED + FFT_BOUND_ROOT_ROUNDED,
    FFT_BOUND_5_INVERSE = 453 + FFT_BOUND_PRODUCT_FUSED + FFT_BOUND_ROOT_ROUNDED,
    FFT_BOUND_7_FORWARD = 1437 + FFT_BOUND_PRODUCT_FUSED + FFT_BOUND_ROOT_ROUNDED,
    FFT_BOUND_7_INVERSE = 544 + FFT_BOUND_PRODUCT_FUSED + FFT_BOUND_ROOT_ROUNDED,
    FFT_BOUND_FRACTION = 32,  // fft_bound_error counts in 2^-32
};

// How two sequences of digits become one convolution (section 1).
typedef enum {
    FFT_BOUND_RIGHT_ANGLE,  // two twisted transforms of half the length, product, one back
    FFT_BOUND_PACKED,       // one transform of a + i b, its square, one back: a b is half of Im
} fft_bound_method;

// fft_bound_shape: all that the error depends on.
typedef struct {
    fft_bound_method method;
    unsigned significand;  // FFT_BOUND_F64 or FFT_BOUND_F32
    // ||a||^2 <= a_digits largest^2, ||b||^2 likewise; >= 1, at most 2^33
    uint64_t a_digits, b_digits;
    // Sums over the steps of one transform, twists included, and of the pointwise product, scaling
    // included; each < 2^16.
    unsigned forward, inverse, product;
    // The sum of the squares of all roundings on the way, in (u / 64)^2; fft_bound_expected alone
    // reads it.
    uint64_t squares;
} fft_bound_shape;

// fft_bound_host: shape->forward, inverse, product and squares for the transforms of complex.h.
// Requires points = 2^a 3^b 5^c 7^d <= 2^36.
void fft_bound_host(fft_bound_shape *shape, uint64_t points);

// fft_bound_device: the same for the transforms of transform.h by this plan, in doubles or
// floats by shape->significand; of a right angle with its twists, which are products by roots that
// fft_root gives. Requires shape->method and significand, and a plan of complex items whose length
// is 2^n (section 4.6).
void fft_bound_device(fft_bound_shape *shape, const fft_id_plan *plan);

// fft_bound_tree: forward, inverse and product for trees of the nodes of device/complex/piece.cuh,
// a right angle or, if `given`, packed, in doubles. nodes: their digits, each >= 2, one hexadecimal
// digit each, as in pass_shape.cuh; the last node lacks its last level, so that products are those
// of residues of two terms. Above them a node of 2^across points, 0 for none, that takes real
// digits. It and the first level below it may take the points of each half of them by themselves
// (section 4.7); given: they take both halves at once, or both factors, and all roots of the node
// across are given. Requires shape->method and significand to say so, nodes > 0; sets all but
// squares.
void fft_bound_tree(fft_bound_shape *shape, unsigned across, unsigned nodes, bool given);

// fft_bound_error: an upper bound, in 2^-32 and rounded up, of |computed - exact| for every
// coefficient of digits with ||a||^2 <= a_digits largest^2 and ||b||^2 <= b_digits largest^2, as
// when none is larger than `largest` in absolute value; UINT64_MAX if it is above 2 units.
// Requires a shape within the limits above, 1 <= largest <= 2^32.
uint64_t fft_bound_error(const fft_bound_shape *shape, uint64_t largest);

// fft_bound_refusal: NULL if rounding every computed coefficient to the nearest integer gives the
// exact one, with room of 2^-10, else why that is not proved (a sentence of the program's own
// memory). A coefficient then is below 2^(significand - 2) in absolute value, computed or exact.
const char *fft_bound_refusal(const fft_bound_shape *shape, uint64_t largest);

// fft_bound_expected: eight standard deviations of a computed coefficient from the exact one, in
// 2^-32, for digits spread evenly over -radix / 2 .. radix / 2; UINT64_MAX if that is above 2
// units. A model, no bound (section 9): other digits can be further off.
// Requires: as fft_bound_error, 2 <= radix <= 2^32, a shape with its squares; a digit of up to R in
// absolute value counts as 12.
uint64_t fft_bound_expected(const fft_bound_shape *shape, uint64_t radix);

// fft_bound_doubt: NULL if fft_bound_expected is below 1/2, and no coefficient of digits up to
// radix / 2 can be 2^62, else which of these does not hold (a sentence as fft_bound_refusal's).
const char *fft_bound_doubt(const fft_bound_shape *shape, uint64_t radix);

#ifdef __cplusplus
}
#endif

#endif  // FFT_COMPLEX_BOUND_H_
