// fixture.h: the papers' matrices, and a solve in many digits with row interchanges to
// hold results against. For tests and benchmarks; includes gen.h and tridiagonal.h.
#ifndef TESTS_PRIMITIVES_TRIDIAGONAL_FIXTURE_H_
#define TESTS_PRIMITIVES_TRIDIAGONAL_FIXTURE_H_

#include <stdbool.h>

#include "primitives/tridiagonal/tridiagonal.h"
#include "tests/support/gen.h"

// The test set of [Chang12] by its numbers, then others. U: uniform in (-1, 1), drawn for each
// element. 8 to 11 have condition numbers of 1e15 and singular values that are known: symmetric
// tridiagonal ones with these as eigenvalues, signs and first components of eigenvectors drawn,
// and rows times signs that are drawn, in place of what gallery randsvd reduces to a band.
typedef enum {
    MATRIX_UNIFORM,         // 1: all elements U
    MATRIX_DIAGONAL_1E8,    // 2: diagonal 1e8, others U
    MATRIX_LESP,            // 3: gallery lesp
    MATRIX_UNIFORM_CUT,     // 4: U, every 256th element below the diagonal times 1e-50
    MATRIX_SPARSE,          // 5: diagonal U, others U or 0 by the toss of a coin
    MATRIX_DIAGONAL_64,     // 6: diagonal 64, others U
    MATRIX_KMS,             // 7: the inverse of gallery kms 0.5
    MATRIX_RANDSVD_SMALL,   // 8: randsvd mode 2: one singular value is small
    MATRIX_RANDSVD_SPREAD,  // 9: mode 3: singular values in geometric progression
    MATRIX_RANDSVD_LARGE,   // 10: mode 1: all singular values but one are small
    MATRIX_RANDSVD_EVEN,    // 11: mode 4: singular values in arithmetic progression
    MATRIX_UPPER,           // 12: U, elements below the diagonal times 1e-50
    MATRIX_DORR,            // 13: gallery dorr 1e-4
    MATRIX_DIAGONAL_1E_8,   // 14: diagonal 1e-8, others U
    MATRIX_CLEMENT,         // 15: gallery clement, zero diagonal; singular for odd n
    MATRIX_DIAGONAL_ZERO,   // 16: diagonal 0, others U; singular for odd n
    MATRIX_LAPLACE,         // -1 2 -1
    MATRIX_STRONG,          // diagonal 4, others U
    MATRIX_WEAK,            // diagonal |a| + |c| + 0.1, others U
    MATRIX_EXCHANGE,        // blocks 0 1 / 1 0: every pivot is off the diagonal
    MATRIX_BORDERS,         // U, but small where rows 6 and 7 of every 8 know the unknown of row 7
    MATRIX_SCALED,          // U, every row times a power of two in 2^-30 .. 2^30
    MATRIX_KINDS,
} matrix_kind;

const char *matrix_name(matrix_kind kind);
// matrix_singular: no such matrix of n rows has an inverse.
bool matrix_singular(matrix_kind kind, size_t n);
// matrix_dominant: needs no row interchanges at any size.
bool matrix_dominant(matrix_kind kind);

// A system in the precision of its type: rounded to it, kept in double.
typedef struct {
    size_t n;
    double *a, *b, *c, *d;
    long double *x;  // the solution by system_solve
} system_rows;

bool system_alloc(system_rows *s, size_t n);
void system_free(system_rows *s);
// system_fill draws the matrix and right-hand sides that are U. Time n^2 for 8 to 11.
void system_fill(system_rows *s, matrix_kind kind, tridiagonal_type type, gen *g);
// system_solve finds x with 320 bits and row interchanges, which leaves more digits than x has for
// condition numbers up to 2^200; false if the matrix is singular. A microsecond a row.
bool system_solve(system_rows *s);
// system_residual returns the largest over all rows of |d - A x| / (row's largest element, x's
// largest, multiplied, + |d|): the change of the rows, relative to each, that makes x the solution.
// Infinite if x is not finite.
double system_residual(const system_rows *s, const double *x);
// system_error returns |x - s.x| / |s.x| in the Euclidean norm; infinite if x is not finite.
double system_error(const system_rows *s, const double *x);

#endif  // TESTS_PRIMITIVES_TRIDIAGONAL_FIXTURE_H_
