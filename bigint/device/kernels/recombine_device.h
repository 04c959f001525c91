// recombine_device.h: from residues of a product's coefficients, or from reals, to limbs, on a
// device in one launch: remaindering or rounding, and carry. fft/ and carry/ meet here. Internal to
// bigint/; plain C.
#ifndef BIGINT_DEVICE_KERNELS_RECOMBINE_DEVICE_H_
#define BIGINT_DEVICE_KERNELS_RECOMBINE_DEVICE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// recombine_residues: the output of fft_modular_inverse: `count` residues modulo each of 3 to 6
// primes, whose planes are `plane` doubles apart, of coefficients that weigh 2^(bits i). x is
// aligned to 16 bytes; plane is a multiple of 4 and at least count; residues beyond count are 0.
typedef struct {
    const double *x;
    uint64_t plane, count;
    unsigned primes, bits;
    unsigned stretches;  // of limbs that a warp makes, 1 .. 8; 0: by the length
    bool second;         // modulo the six second primes (fft/device/modular/second_primes.h)
} recombine_residues;

// recombine_signs: where the sign of the product goes, and the factors' signs.
typedef struct {
    uint64_t *r;
    const uint64_t *a, *b;
} recombine_signs;

// recombine_device_bytes: the bytes of workspace for rn limbs: at most 16 for every 992 limbs, and
// some more.
size_t recombine_device_bytes(uint64_t rn);

// recombine_device enqueues {rp, rn} = sum c_i 2^(bits i), and the sign.
// Requires: the value is not negative and below 2^(64 rn), rn >= 1; rp overlaps nothing that is
// read. workspace: recombine_device_bytes, zero before its first use or left ready by kernels that
// look back. The kernel draws numbers there while the previous kernel in the stream ends, so that
// kernel must not look back in the same workspace, and must wait for the kernels before it.
// Cost: reads 8 bytes a prime and coefficient (1/31 of them twice from cache), writes 8 a limb; for
// three primes 25 operations on doubles and 6 products of half words a coefficient, for more as
// ModularGarner says. Carries as in carry_device.
// RESULT_REFUSED: too little workspace, 2^32 limbs or more, other primes, or bits not in 52 .. 64,
// for four and five primes in 65 .. 128, for six 128; second primes other than six.
result recombine_device(uint64_t *rp, uint64_t rn, const recombine_signs *signs,
                        const recombine_residues *residues, void *workspace, size_t bytes,
                        cuda_stream stream);

// recombine_device_plus enqueues {rp, rn} = sum c_i 2^(bits i) + the sum of {more->p, more->n} and
// B^(more->one_at), B = 2^64, in a ring modulo B^n - 1, n = bits / 64 residues->count: limb j
// counts at j modulo n. one_at UINT64_MAX: no power. The sum may be negative: in two's complement.
// Requires and costs otherwise the same, and reads more once; more->n below 2^16 n.
// RESULT_REFUSED: as recombine_device; other than 64 bits of three primes or 128 of six.
typedef struct {
    const uint64_t *p;
    uint64_t n, one_at;
} recombine_more;
result recombine_device_plus(uint64_t *rp, uint64_t rn, const recombine_more *more,
                             const recombine_residues *residues, void *workspace, size_t bytes,
                             cuda_stream stream);

// recombine_reals: the output of fft_float_device_convolve: `count` coefficients that weigh 2^(bits
// i), each within `bound` <= 1/2 of its integer, which is within 2^62 of zero. They are the real
// parts of the points, then their imaginary parts; or only the imaginary parts. Doubles, or floats
// if single. Debug builds assert the bound if it is below 1/2.
// roundoff: NULL, or a double >= 0 in device memory. It becomes the largest distance of a
// coefficient from the integer that it is rounded to, if that is larger than its old value; it
// becomes not a number if a coefficient is none.
typedef struct {
    const void *x;
    uint64_t points, count;
    bool imaginary, single;
    unsigned bits;
    unsigned stretches;  // as of recombine_residues
    double bound;
    double *roundoff;
} recombine_reals;

// recombine_device_reals enqueues {rp, rn} = sum of the rounded c_i 2^(bits i), and the sign. It
// requires, refuses and costs the same as recombine_device, except that 1 <= bits <= 64, and that
// it reads and rounds one real for a coefficient. If the round-off is wanted, another kernel
// records it.
result recombine_device_reals(uint64_t *rp, uint64_t rn, const recombine_signs *signs,
                              const recombine_reals *reals, void *workspace, size_t bytes,
                              cuda_stream stream);

// recombine_device_sign enqueues only the sign.
result recombine_device_sign(const recombine_signs *signs, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_DEVICE_KERNELS_RECOMBINE_DEVICE_H_
