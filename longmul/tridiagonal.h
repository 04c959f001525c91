// tridiagonal.h: tridiagonal systems of linear equations on a device, by elimination with scaled
// partial pivoting in numbers of twice the digits: results are as near as their type allows up to
// condition numbers of about 2^26 (float) and 2^48 (double). Rules: status.h.
#ifndef LONGMUL_TRIDIAGONAL_H_
#define LONGMUL_TRIDIAGONAL_H_

#include <stddef.h>
#include <stdint.h>

#include "longmul/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// `batch` systems of n rows, a(i) x(i-1) + b(i) x(i) + c(i) x(i+1) = d(i); a(0) and c(n-1) are not
// read. Five arrays laid out alike: row i of system s stands at s system_stride + i row_stride.
// n batch <= 2^34.
typedef struct {
    int is_double;  // 0: float
    uint64_t n, batch, row_stride, system_stride;
} longmul_systems;

// longmul_solve enqueues x = the solutions. x may be d, unless residuals are asked for. status:
// NULL, or `batch` words that become 0, or 1 where a system is singular, overflowed or not finite:
// then its solution must not be used.
// residual: NULL, or 2 batch doubles. residual[batch + s] becomes max |x(i)| of system s, and
// residual[s] the largest over its rows of
//   |d(i) - a(i) x(i-1) - b(i) x(i) - c(i) x(i+1)| /
//   (max(|a(i)|, |b(i)|, |c(i)|) max |x| + |d(i)|),   0 where the divisor is 0,
// infinite if a number is not finite or the divisor overflows: x solves exactly a system each of
// whose rows differs from the given one by at most that, relative to its largest element. Rounding
// x to its type alone leaves about 2^-24 (float) or 2^-53 (double). Costs three operations more on
// the stream.
LONGMUL_API size_t longmul_solve_workspace_bytes(const longmul_systems *systems);
LONGMUL_API longmul_status longmul_solve(const longmul_systems *systems, void *x, const void *a,
                                         const void *b, const void *c, const void *d,
                                         uint32_t *status, double *residual, void *workspace,
                                         size_t bytes, longmul_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // LONGMUL_TRIDIAGONAL_H_
