// pair.h: two numbers side by side: what a gcd reduces, and the rows of the matrices that say how.
// Internal to bigint/.
//
// Every step of a gcd is a matrix M of natural numbers with determinant 1: the numbers (a, b)
// before it and (a', b') after it satisfy (a; b) = M (a'; b'). So gcd(a, b) = gcd(a', b'), and
// steps are joined by multiplying their matrices. Bounds: docs/proofs/gcd.md. B = 2^64.
#ifndef BIGINT_GCD_PAIR_H_
#define BIGINT_GCD_PAIR_H_

#include "bigint/core/context.h"
#include "bigint/gcd/symbol.h"

// gcd_run: the call that is under way, and the sizes from which half-gcds are used: `half` for a
// half-gcd made of two others, `whole` for a gcd that begins with one. symbol, unless NULL, follows
// every step of the two numbers.
typedef struct {
    bigint_ctx *ctx;
    const char *who;
    uint64_t half, whole;
    gcd_symbol *symbol;
} gcd_run;

// gcd_pair: p[0] and p[1] of n limbs each. The top limb of one of them is not 0, unless n = 0.
typedef struct {
    uint64_t *p[2];
    uint64_t n;
} gcd_pair;

// gcd_matrix: row[i].p[j] is the entry in row i, column j.
typedef struct {
    gcd_pair row[2];
} gcd_matrix;

// gcd_pair_take: room for two numbers of up to `limbs` limbs on the arena; false without memory.
bool gcd_pair_take(const gcd_run *run, gcd_pair *x, uint64_t limbs);
// gcd_pair_trim: n without limbs that are 0 in both.
void gcd_pair_trim(gcd_pair *x);
// gcd_pair_larger: the index of the larger number; 0 if they are equal.
unsigned gcd_pair_larger(const gcd_pair *x);

// gcd_matrix_take: the unit matrix, with room for entries of up to `limbs` >= 1 limbs.
bool gcd_matrix_take(const gcd_run *run, gcd_matrix *m, uint64_t limbs);
bool gcd_matrix_is_unit(const gcd_matrix *m);

// gcd_row_multiply: row = row M. The row has room for the result without zero limbs at the top.
// Errors: as bigint_mul_limbs; the row is then lost.
bigint_status gcd_row_multiply(const gcd_run *run, gcd_pair *row, const gcd_matrix *m);
// gcd_matrix_multiply: left = left right.
bigint_status gcd_matrix_multiply(const gcd_run *run, gcd_matrix *left, const gcd_matrix *right);
// gcd_reduce_low: x = M^-1 x, where the limbs from `low` on are reduced already: x's n is that of
// before, and the upper limbs are shorter by zeros. The result is not negative (docs/proofs/gcd.md,
// lemma 1).
bigint_status gcd_reduce_low(const gcd_run *run, gcd_pair *x, uint64_t low, const gcd_matrix *m);

// gcd_quotient: one step of division: number `larger` loses q times the other one, and a row's
// column 1 - larger gains q times the other column.
typedef struct {
    uint64_t *q;
    uint64_t n;  // 0: no step is possible
    unsigned larger;
} gcd_quotient;
// gcd_divide: the largest step that leaves both numbers at or above B^least; least = 0: they may
// become 0. The quotient lies on the arena. No number is 0. run->symbol takes the step.
bigint_status gcd_divide(const gcd_run *run, gcd_pair *x, uint64_t least, gcd_quotient *quotient);
bigint_status gcd_row_add(const gcd_run *run, gcd_pair *row, const gcd_quotient *quotient);

#endif  // BIGINT_GCD_PAIR_H_
