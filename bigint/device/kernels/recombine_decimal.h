// recombine_decimal.h: from residues of a product's coefficients to decimal characters, on a device
// in one launch: remaindering, carry in base 10^k, text. fft/ and carry/ meet here. Internal to
// bigint/; plain C.
#ifndef BIGINT_DEVICE_KERNELS_RECOMBINE_DECIMAL_H_
#define BIGINT_DEVICE_KERNELS_RECOMBINE_DECIMAL_H_

#include "bigint/device/kernels/recombine_device.h"

#ifdef __cplusplus
extern "C" {
#endif

// recombine_decimal_base: R = 10^digits < 2^bits, the base of coefficients modulo that many primes.
// Of each number of primes the largest R that matters: coefficients of 10^8 digits and more are
// exact, and three digits have room in one word or two (decimal_parts.cuh).
typedef struct {
    unsigned primes, digits, bits;
} recombine_decimal_base;

enum { RECOMBINE_DECIMAL_BASES = 3 };
static const recombine_decimal_base recombine_decimal_bases[RECOMBINE_DECIMAL_BASES] = {
    {3, 19, 64}, {4, 26, 87}, {6, 38, 128}};

// recombine_device_decimal_bytes: the bytes of workspace for n characters.
size_t recombine_device_decimal_bytes(uint64_t n);

// recombine_device_decimal enqueues text[0 .. n) = sum c_i R^i, n >= 1 characters with leading
// zeros, most significant first, modulo 10^n; text has no alignment. residues: modulo the primes of
// a base and with its bits, of coefficients from 0 to 2^148, 2^197 and 2^296 modulo 3, 4 and 6
// primes; stretches are not read.
// workspace: as carry_device's.
// Cost: reads 8 bytes a prime and coefficient, writes its digits; 25, 44 and 92 operations on
// doubles and 7, 13 and 20 products of words a coefficient. Regardless of how carries ripple there
// is at most one look-back over the tiles before.
// RESULT_REFUSED: too little workspace, no such base, 2^22 tiles of 509 coefficients or more.
result recombine_device_decimal(char *text, uint64_t n, const recombine_residues *residues,
                                void *workspace, size_t bytes, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_DEVICE_KERNELS_RECOMBINE_DECIMAL_H_
