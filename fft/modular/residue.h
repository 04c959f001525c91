// residue.h: how residues lie in planes and what butterflies do with them: as doubles, or as 52-bit
// words if the processor multiplies these or has no fused operations. May include
// primitives/words/vec.h, residue_doubles.h or residue_words.h.
//
// Both define the same names, so passes, trees and leaves are written once. A residue is any
// representative of its class within a range that depends on where it is:
//     forward   between forward kernels, and what a product of two transforms takes
//     inverse   between inverse kernels, products of residues, and what remaindering takes
// docs/proofs/modular_fft.md has both ranges for doubles, modular_words.md for words.
#ifndef FFT_MODULAR_RESIDUE_H_
#define FFT_MODULAR_RESIDUE_H_

#include <stdbool.h>

#include "primitives/words/vec.h"

// residue_place: where an inverse butterfly stands in its kernel.
typedef struct {
    unsigned level;  // 0 for the first
    bool last;       // it is of the last level
    bool left;       // the next level adds to its results, or it adds these to others
    bool of_sums;    // it joins two sums of the level before
} residue_place;

#if VEC_WORDS
#include "fft/modular/residue_words.h"
#else
#include "fft/modular/residue_doubles.h"
#endif

#endif  // FFT_MODULAR_RESIDUE_H_
