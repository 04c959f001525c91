// lehmer.h: Lehmer's step: many quotients at once, from the two top words of both numbers. Internal
// to bigint/.
#ifndef BIGINT_GCD_LEHMER_H_
#define BIGINT_GCD_LEHMER_H_

#include "bigint/gcd/pair.h"

// lehmer_matrix: as a gcd_matrix, with entries below 2^63.
typedef struct {
    uint64_t u[2][2];
} lehmer_matrix;

// lehmer_find: the matrix of the quotients that the top 128 bits of x determine; false if they
// determine none, which is rare for numbers of about the same length. It keeps both numbers above
// 2^(L - 63), L the bits of the larger one, and so at B^(n - 2) at least. x->n >= 1.
// s, unless NULL, takes the same steps. Cost: some 37 divisions of words. Source: [Lehmer38], in
// the form of [Moller08] (determinant 1). Proof: docs/proofs/gcd.md, lemma 2.
bool lehmer_find(lehmer_matrix *w, const gcd_pair *x, gcd_symbol *s);
// lehmer_reduce: x = W^-1 x. lehmer_extend: row = row W; the row has room for the result.
// Cost: four word products a limb.
void lehmer_reduce(gcd_pair *x, const lehmer_matrix *w);
void lehmer_extend(gcd_pair *row, const lehmer_matrix *w);

#endif  // BIGINT_GCD_LEHMER_H_
