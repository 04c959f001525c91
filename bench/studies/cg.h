// cg.h: conjugate gradients on a device in the forms that [Aliaga15] compares, in double precision.
// Plain C; includes result.h.
//
// One iteration has nine operations, with sigma = r r:
//   1 v = A p    2 alpha = sigma / (p v)    3 x += alpha p    4 r -= alpha v    5 zeta = r r
//   6 beta = zeta / sigma    7 sigma = zeta    8 p = r + beta p    9 tau = sqrt(zeta)
// All numbers stay on the device; only the test for the end reads tau.
#ifndef BENCH_STUDIES_CG_H_
#define BENCH_STUDIES_CG_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// CG_CSR_SCALAR  compressed rows, a thread each
// CG_CSR_VECTOR  compressed rows, a warp each
// CG_ELL         rows of equal length, padded, entry by entry; a thread each
typedef enum { CG_CSR_SCALAR, CG_CSR_VECTOR, CG_ELL, CG_FORMATS } cg_format;

// Launches of an iteration of n rows, where L = log n / log 256, rounded up:
// CG_NINE       8 + 2 L  a launch for each operation; inner products as products of elements and
//                        sums in blocks of 256, repeated until one is left
// CG_JOINED     6 + 2 L  the products of elements are formed where sums read them
// CG_TWO_STAGE  10       sums by 256 blocks of 192 threads and one more, for any n; updates of
//                        vectors with two elements a thread
// CG_MERGED     5 or 6   operations joined wherever no number of another block is needed: {1 and
//                        the blocks' part of 2} {the rest of 2} {3, 4 and the blocks' part of 5}
//                        {the rest of 5, 6, 7, 9} {8}. A warp's row has another shape than a
//                        thread's element, so CG_CSR_VECTOR needs 1 and 2 apart
typedef enum { CG_NINE, CG_JOINED, CG_TWO_STAGE, CG_MERGED, CG_FORMS } cg_form;

// "csr-scalar", "csr-vector", "ell"; "nine", "joined", "two-stage", "merged".
const char *cg_format_name(cg_format format);
const char *cg_form_name(cg_form form);

// A symmetric positive definite matrix of n rows, in device memory.
typedef struct {
    cg_format format;
    uint32_t n;
    uint32_t width;           // ELL: entries of each row
    const uint32_t *begins;   // CSR: n + 1 numbers of entries
    const uint32_t *columns;  // ELL: entry k of row i at k n + i; padding has value 0
    const double *values;
} cg_matrix;

typedef struct {
    cg_matrix matrix;
    cg_form form;
    const double *b;
    double *x;
    void *workspace;  // of cg_workspace_bytes, aligned to 256 bytes
} cg_job;

size_t cg_workspace_bytes(const cg_job *job);
// cg_start enqueues x = 0 and what the first iteration needs; cg_step enqueues one iteration.
result cg_start(const cg_job *job, cuda_stream stream);
result cg_step(const cg_job *job, cuda_stream stream);
// cg_residual: where tau stands in device memory, the 2-norm of the residual that the iteration
// carries along.
const double *cg_residual(const cg_job *job);

#ifdef __cplusplus
}
#endif

#endif  // BENCH_STUDIES_CG_H_
