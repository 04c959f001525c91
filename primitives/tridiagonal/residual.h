// residual.h: how well a solution of tridiagonal.h solves its system, computed on the device. Plain
// C; includes tridiagonal.h.
#ifndef PRIMITIVES_TRIDIAGONAL_RESIDUAL_H_
#define PRIMITIVES_TRIDIAGONAL_RESIDUAL_H_

#include "primitives/tridiagonal/tridiagonal.h"

#ifdef __cplusplus
extern "C" {
#endif

// tridiagonal_residual enqueues, for every system s of the job, residual[batch + s] = max |x(i)|,
// its largest unknown, and residual[s] = the largest over all rows i of
//   |d(i) - a(i) x(i-1) - b(i) x(i) - c(i) x(i+1)| /
//   (max(|a(i)|, |b(i)|, |c(i)|) max |x| + |d(i)|),   0 where the divisor is 0:
// x is the solution of a system each of whose rows differs from the given one by at most that,
// relative to its largest element. Infinite if a number is not finite or the divisor overflows.
// The numerator is computed with twice the digits of the type. Arrays as in tridiagonal_device, x
// not being d; residual: 2 batch doubles in device memory. Does not wait, allocates nothing. Three
// operations on the stream, 8 words read a row, of which 3 are x again. RESULT_REFUSED: not a job
// of tridiagonal.h.
result tridiagonal_residual(const tridiagonal_job *job, const void *a, const void *b, const void *c,
                            const void *d, const void *x, double *residual, cuda_stream stream);

// The same in two steps, for members that have a portion of each system (portion.h): they exchange
// the largest unknown between the two, and the residuals after them.
//
// tridiagonal_unknowns enqueues largest[s] = max |x(i)| over the portion, infinite if one of them
// is not finite; 0 if n = 0.
result tridiagonal_unknowns(const tridiagonal_job *job, const void *x, double *largest,
                            cuda_stream stream);

// tridiagonal_edges: where rows of another portion stand before or behind, the unknowns there, 2 s
// and 2 s + 1 of system s. Then a(0), or c(n-1), is read.
typedef struct {
    bool before, behind;
    const void *neighbours;  // not read where neither is set
} tridiagonal_edges;

// tridiagonal_residuals enqueues residual[s] = the largest over the portion's rows, by the largest
// unknowns of whole systems.
result tridiagonal_residuals(const tridiagonal_job *job, const void *a, const void *b,
                             const void *c, const void *d, const void *x,
                             const tridiagonal_edges *edges, const double *largest,
                             double *residual, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // PRIMITIVES_TRIDIAGONAL_RESIDUAL_H_
