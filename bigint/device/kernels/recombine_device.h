// recombine_device.h: from residues of a product's coefficients, or from reals, to limbs, on a
// device, in one launch: remaindering or rounding, and carry. Where fft/ and carry/ meet there.
// Internal to bigint/; plain C.
#ifndef BIGINT_DEVICE_KERNELS_RECOMBINE_DEVICE_H_
#define BIGINT_DEVICE_KERNELS_RECOMBINE_DEVICE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// recombine_residues: what fft_modular_inverse left: `count` residues of each of 3 to 6 primes,
// whose planes are `plane` doubles apart, of coefficients that weigh 2^(bits i). x is aligned to 16
// bytes, plane a multiple of 4 and no less than count; beyond count there are residues of 0.
typedef struct {
    const double *x;
    uint64_t plane, count;
    unsigned primes, bits;
    unsigned stretches;  // of limbs that a warp makes, 1 .. 8; 0: by the length
} recombine_residues;

// recombine_signs: where the sign of the product goes, and the factors' it comes from.
typedef struct {
    uint64_t *r;
    const uint64_t *a, *b;
} recombine_signs;

// recombine_device_bytes: of workspace for rn limbs, 16 for every 992 of them at most, and some
// more.
size_t recombine_device_bytes(uint64_t rn);

// recombine_device enqueues {rp, rn} = sum c_i 2^(bits i), and the sign. Requires: the value is not
// negative and below 2^(64 rn), rn >= 1. workspace: recombine_device_bytes, zero before its first
// use or left so by kernels that look back. Numbers are drawn there while the kernel before in the
// stream ends, so that one must not look back there itself, and waits for those before it. rp
// overlaps nothing that is read.
// Cost: reads 8 bytes a prime and coefficient (1/31 of them twice from cache), writes 8 a limb; of
// three primes 25 operations on doubles and 6 products of half words a coefficient, of more as
// ModularGarner says. Carries as in carry_device.
// RESULT_REFUSED: too little workspace, 2^32 limbs and more, other primes, or bits not in 52 .. 64,
// of four and five primes in 65 .. 128, of six 128.
result recombine_device(uint64_t *rp, uint64_t rn, const recombine_signs *signs,
                        const recombine_residues *residues, void *workspace, size_t bytes,
                        cuda_stream stream);

// recombine_reals: what fft_float_device_convolve left: `count` coefficients that weigh 2^(bits i),
// each within `bound` <= 1/2 of its integer, which is within 2^62 of zero: the real parts of the
// points, then their imaginary parts; or the imaginary ones alone. Of doubles, or of floats if
// single. The bound, if below 1/2, is asserted in debug builds.
// roundoff: NULL, or a double in device memory, which becomes the largest distance of a coefficient
// from the integer that it is rounded to, if that is larger than what it was before, >= 0; not a
// number if a coefficient is none.
typedef struct {
    const void *x;
    uint64_t points, count;
    bool imaginary, single;
    unsigned bits;
    unsigned stretches;  // as of recombine_residues
    double bound;
    double *roundoff;
} recombine_reals;

// recombine_device_reals enqueues {rp, rn} = sum of the rounded c_i 2^(bits i), and the sign.
// Requires, refuses and costs as recombine_device, but 1 <= bits <= 64, and one real is read and
// rounded for a coefficient. Where the round-off is wanted, another kernel keeps it.
result recombine_device_reals(uint64_t *rp, uint64_t rn, const recombine_signs *signs,
                              const recombine_reals *reals, void *workspace, size_t bytes,
                              cuda_stream stream);

// recombine_device_sign enqueues the sign alone.
result recombine_device_sign(const recombine_signs *signs, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_DEVICE_KERNELS_RECOMBINE_DEVICE_H_
