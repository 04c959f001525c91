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

#ifdef __cplusplus
}
#endif

#endif  // PRIMITIVES_TRIDIAGONAL_RESIDUAL_H_
