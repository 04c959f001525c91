// float_convolution.h: float_product.h on a device: limbs in, the real coefficients of their
// product out. Transforms are of float_product.h's two kinds and of lengths 2^n. C; includes
// bound.h and transform.h. There are no carries and no signs here.
//
//   limbs --split, twist--> points --transform--> --product--> --transform--> --twist--> reals
//
// Right angle: point j is (digit j + i digit j + points) exp(2 pi i j / (4 points)), twisted back
// after the last transform. Packed: digit j of a + i digit j of b, without twists.
#ifndef FFT_DEVICE_COMPLEX_FLOAT_CONVOLUTION_H_
#define FFT_DEVICE_COMPLEX_FLOAT_CONVOLUTION_H_

#include "fft/complex/bound.h"
#include "fft/device/complex/transform.h"

#ifdef __cplusplus
extern "C" {
#endif

// fft_float_device_plan: plain data, its members as those of fft_float_plan.
typedef struct {
    fft_bound_method method;
    uint64_t a_digits, b_digits;
    unsigned width;
    bool balanced, certified;
    uint64_t error;
    fft_id_plan transform;  // the forward one; the inverse one is the same in that direction
} fft_float_device_plan;

// fft_float_device_plan_limbs: the plan for operands of an and bn limbs (>= 1) in doubles or floats
// (FFT_BOUND_F64, FFT_BOUND_F32), as fft_float_plan_limbs. NULL, or why no size is proved.
const char *fft_float_device_plan_limbs(fft_float_device_plan *plan, fft_bound_method method,
                                        unsigned significand, uint64_t an, uint64_t bn,
                                        bool certified);

// Bytes of the points, of the other operand's (0 of a square or if packed), of the transforms'
// workspace and of their tables (0 for short ones): multiples of 256, so that they may follow one
// another.
uint64_t fft_float_device_values_bytes(const fft_float_device_plan *plan);
uint64_t fft_float_device_other_bytes(const fft_float_device_plan *plan, bool square);
uint64_t fft_float_device_workspace_bytes(const fft_float_device_plan *plan);
uint64_t fft_float_device_table_bytes(const fft_float_device_plan *plan);

// fft_float_device_tables fills the tables on the stream: before the first convolution on each
// device. They are the same for all plans whose transforms have the same type and length.
result fft_float_device_tables(const fft_float_device_plan *plan, void *tables, cuda_stream stream);

// fft_float_device_operand: limbs in device memory.
typedef struct {
    const uint64_t *words;
    uint64_t words_n;
} fft_float_device_operand;

// fft_float_device_convolution: what one convolution needs, of device memory: the tables aligned to
// 256 bytes, the others to 16; none overlaps another. Nothing need be initialised but the tables.
typedef struct {
    const fft_float_device_plan *plan;
    const void *tables;
    void *values;     // doubles or floats by the plan's type
    void *other;      // not read for a square, or if packed
    void *workspace;  // of the transforms
    cuda_stream stream;
} fft_float_device_convolution;

// fft_float_device_convolve enqueues values = the coefficients of a b, or of a a for b == NULL,
// each with an error as plan->error says: coefficient i < a_digits + b_digits - 1 is the real
// at fft_float_device_place(plan, i). Requires: as many limbs as the plan was made for or fewer, at
// least 1; they do not overlap the convolution's memory.
// Cost, with P passes in a transform: 3 + 3 P launches of a right angle, 3 + 2 P for a square,
// 2 + 2 P packed. The split reads the limbs and writes the points, each other launch reads and
// writes the points; a right angle takes a root a point in the split and in the twist back.
// Errors: RESULT_REFUSED (too many limbs or points), RESULT_DEVICE_ERROR.
// Source: docs/proofs/complex_fft.md, sections 1 and 4.6.
result fft_float_device_convolve(const fft_float_device_convolution *c,
                                 const fft_float_device_operand *a,
                                 const fft_float_device_operand *b);

// fft_float_device_place: where coefficient i is, counted in reals: coefficients of a right angle
// are real parts, then imaginary ones; packed they are imaginary ones.
static inline uint64_t fft_float_device_place(const fft_float_device_plan *plan, uint64_t i) {
    const uint64_t points = fft_id_length(&plan->transform.problem);
    return plan->method == FFT_BOUND_PACKED || i >= points ? 2 * (i % points) + 1 : 2 * i;
}

#ifdef __cplusplus
}
#endif

#endif  // FFT_DEVICE_COMPLEX_FLOAT_CONVOLUTION_H_
