// recombine_decimal.h: from residues of a product's coefficients to decimal characters, on a device
// in one launch: remaindering, carry in base 10^18, text. fft/ and carry/ meet here. Internal to
// bigint/; plain C.
#ifndef BIGINT_DEVICE_KERNELS_RECOMBINE_DECIMAL_H_
#define BIGINT_DEVICE_KERNELS_RECOMBINE_DECIMAL_H_

#include "bigint/device/kernels/recombine_device.h"

#ifdef __cplusplus
extern "C" {
#endif

// Decimal digits of a word: three words in a sum of three must not overflow 64 bits.
enum { RECOMBINE_DECIMAL_DIGITS = 18 };
#define RECOMBINE_DECIMAL_RADIX UINT64_C(1000000000000000000)

// recombine_device_decimal_bytes: the bytes of workspace for n characters.
size_t recombine_device_decimal_bytes(uint64_t n);

// recombine_device_decimal enqueues text[0 .. n) = sum c_i 10^(18 i), n >= 1 characters with
// leading zeros, most significant first, modulo 10^n; text has no alignment. residues: modulo three
// primes, of coefficients from 0 to 2^148; bits and stretches are not read.
// workspace: as carry_device's.
// Cost: reads 24 bytes a coefficient and writes 18; 25 operations on doubles and three divisions of
// two words by one a coefficient. Regardless of how carries ripple there is at most one look-back
// over the tiles before.
// RESULT_REFUSED: too little workspace, other primes, 2^22 tiles of 1021 words or more.
result recombine_device_decimal(char *text, uint64_t n, const recombine_residues *residues,
                                void *workspace, size_t bytes, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_DEVICE_KERNELS_RECOMBINE_DECIMAL_H_
