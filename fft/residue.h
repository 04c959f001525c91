// residue.h: how residues lie in planes and what butterflies do with them: doubles, or 52-bit words
// where the processor multiplies these, or fuses no operations. May include residue_doubles.h or
// residue_words.h.
//
// Both have the same names, and passes, trees and leaves are written once above them. A residue is
// any representative of its class within a range that depends on where it is:
//     forward   between forward kernels, and what a product of two transforms takes
//     inverse   between inverse kernels, products of residues, and what remaindering takes
// docs/proofs/modular_fft.md has both ranges for doubles, modular_words.md for words.
#ifndef FFT_RESIDUE_H_
#define FFT_RESIDUE_H_

#include "fft/vec.h"

#if VEC_WORDS
#include "fft/residue_words.h"
#else
#include "fft/residue_doubles.h"
#endif

#endif  // FFT_RESIDUE_H_
