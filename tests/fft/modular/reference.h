// reference.h: what fft/ computes, by its definition: digits, evaluation at the documented points,
// schoolbook convolution. Slow and plain; shares nothing with fft/ but the primes. May include
// fft/modular/fft.h and primitives/.
#ifndef TESTS_FFT_MODULAR_REFERENCE_H_
#define TESTS_FFT_MODULAR_REFERENCE_H_

#include <stddef.h>
#include <stdint.h>

#include "fft/modular/fft.h"

// The prime as an integer.
uint64_t reference_prime(unsigned prime);

// reference_residue: the representative in [0, p) of an integer below 2^53 in absolute value;
// UINT64_MAX for any other double.
uint64_t reference_residue(double x, unsigned prime);

// reference_digits: digits d[0 .. count) of {words, words_n}, bit by bit; zero beyond the words.
void reference_digits(uint64_t *d, size_t count, const uint64_t *words, size_t words_n,
                      unsigned bits);

// reference_point: where leaf e of the tree evaluates (fft/modular/butterflies.h): the root at the
// angle sum_k bit_k(e) 2^-(k+1) turns.
uint64_t reference_point(unsigned prime, uint64_t e);

// reference_value: sum d_i x^i modulo the prime, i < count.
uint64_t reference_value(unsigned prime, const uint64_t *d, size_t count, uint64_t x);

// reference_leaf: the leaf that a variant with vectors of 2^lg_width lanes keeps at column c of row
// r (leaf.h): position W v + l of block J holds leaf (W J + l) W + v.
uint64_t reference_leaf(unsigned lg_width, unsigned lg_columns, uint64_t r, uint64_t c);

// reference_convolution: c[3 k ..] = sum_{i + j = k} a_i b_j modulo 2^192, k < an + bn - 1.
void reference_convolution(uint64_t *c, const uint64_t *a, size_t an, const uint64_t *b, size_t bn);

#endif  // TESTS_FFT_MODULAR_REFERENCE_H_
