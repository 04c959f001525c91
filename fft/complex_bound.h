// complex_bound.h: how far a convolution of digits by complex floating-point transforms can be from
// the integers, proved, in integer arithmetic; and the widest digits at which rounding to the
// nearest integer is exact. Pure functions; includes only C's own headers.
//
// The derivation is docs/proofs/complex_fft.md; its section numbers stand beside what relies on
// them. u = 2^-significand is the largest relative error of one operation, rounded to nearest.
#ifndef FFT_COMPLEX_BOUND_H_
#define FFT_COMPLEX_BOUND_H_

#include <stdbool.h>
#include <stdint.h>

enum {
    FFT_BOUND_F64 = 53,   // significand of double
    FFT_BOUND_F32 = 24,   // of float
    FFT_BOUND_UNIT = 64,  // errors of products and twiddles are counted in u / 64
    // One complex product: with a fused multiply-add 2 u + u^2, taken as two factors 1 + u; without,
    // sqrt(5) u < 2.25 u (section 2).
    FFT_BOUND_PRODUCT_FUSED = 128,
    FFT_BOUND_PRODUCT_PLAIN = 144,
    // |w~ - w| where both parts are rounded to nearest: u / sqrt 2; where both err by at most one
    // ulp: sqrt 2 u (section 3).
    FFT_BOUND_TWIDDLE_ROUNDED = 46,
    FFT_BOUND_TWIDDLE_ULP = 91,
    FFT_BOUND_FRACTION = 32,  // fft_bound_error counts in 2^-32
    FFT_BOUND_WIDTH_MAX = 26,
};

// How two sequences of digits become one convolution (section 1).
typedef enum {
    FFT_BOUND_RIGHT_ANGLE,  // two twisted transforms of half the length, product, one back
    FFT_BOUND_PACKED,       // one transform of a + i b, its square, one back: a b is half of Im
} fft_bound_method;

// fft_bound_shape: all that the error depends on. A transform is a sequence of layers: additions
// (one radix-2 level each) and products by roots of unity (twiddles, constants inside a node); an
// element passes each layer once.
typedef struct {
    fft_bound_method method;
    unsigned significand;  // FFT_BOUND_F64 or FFT_BOUND_F32
    // ||a||^2 <= a_digits largest^2, ||b||^2 likewise; >= 1, at most 2^33
    uint64_t a_digits, b_digits;
    unsigned additions;      // layers of one transform, <= 40: lg of its points
    unsigned products;       // <= additions; the right angle's own layer not counted
    unsigned product_error;  // of one product of two complex numbers, in u / 64, <= 256
    unsigned twiddle_error;  // |w~ - w|, in u / 64, <= 256
} fft_bound_shape;

// fft_bound_error: an upper bound, in 2^-32 and rounded up, of |computed - exact| for every
// coefficient of digits with ||a||^2 <= a_digits largest^2 and ||b||^2 <= b_digits largest^2, as
// when none is larger than `largest` in absolute value; UINT64_MAX if it is above 2 units.
// Requires a shape within the limits above, 1 <= largest <= 2^32.
uint64_t fft_bound_error(const fft_bound_shape *shape, uint64_t largest);

// fft_bound_refusal: NULL if rounding every computed coefficient to the nearest integer gives the
// exact one, with room of 2^-10, else why that is not proved (a sentence of the program's own
// memory). A coefficient then is below 2^(significand - 2) in absolute value, computed or exact.
const char *fft_bound_refusal(const fft_bound_shape *shape, uint64_t largest);

// fft_bound_largest: the largest digit of a given width: 2^w - 1, or 2^(w-1) for balanced ones,
// which are -2^(w-1) .. 2^(w-1) but for the top one, of at most 2^w, which a shape counts as four.
// Requires 1 <= width <= FFT_BOUND_WIDTH_MAX.
uint64_t fft_bound_largest(unsigned width, bool balanced);

// fft_bound_width: the largest width, up to FFT_BOUND_WIDTH_MAX, that is not refused; 0 if none.
unsigned fft_bound_width(const fft_bound_shape *shape, bool balanced);

#endif  // FFT_COMPLEX_BOUND_H_
