// fft.h: Fourier transforms on a device, complex and real, in batches. Rules: status.h; this
// workspace may hold anything.
//
// Lengths are 2^a 3^b 5^c 7^d from 2 to 2^33, of reals even and at least 4. Complex numbers stand
// real part first, aligned to their size. Forward: the sum of x[j] exp(-2 pi i j k / n); inverse:
// with +, not scaled, so both in a row give n x. Real transforms go from n reals to n / 2 + 1
// frequencies, the inverse back; it ignores the imaginary parts of the first and the last one. The
// transforms of a batch follow each other without gaps on both sides.
#ifndef LONGMUL_FFT_H_
#define LONGMUL_FFT_H_

#include <stddef.h>
#include <stdint.h>

#include "longmul/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    LONGMUL_COMPLEX_F64,
    LONGMUL_COMPLEX_F32,
    LONGMUL_REAL_F64,
    LONGMUL_REAL_F32,
    LONGMUL_ELEMENTS,
} longmul_element;

// A plan: plain data that may be copied, made by longmul_fft_make alone.
typedef struct {
    uint64_t words[32];
} longmul_fft;

// longmul_fft_make makes the plan that was fastest where it was tuned. batch >= 1, n batch <= 2^48.
// why (may be NULL) gets a sentence of the library's own memory, NULL on success. A plan that is
// not made has no workspace and is refused below. LONGMUL_NO_DEVICE: built without CUDA.
LONGMUL_API longmul_status longmul_fft_make(longmul_fft *plan, longmul_element element, int inverse,
                                            uint64_t n, uint64_t batch, const char **why);

// Bytes of device memory: of the tables of roots, and of the workspace, which transforms in one
// pass do not need (0: may be NULL).
LONGMUL_API size_t longmul_fft_table_bytes(const longmul_fft *plan);
LONGMUL_API size_t longmul_fft_workspace_bytes(const longmul_fft *plan);

// longmul_fft_tables fills tables, 256-byte aligned, and makes the present device ready: before the
// plan's first transform on each device. Any number of transforms may share them.
LONGMUL_API longmul_status longmul_fft_tables(const longmul_fft *plan, void *tables, size_t bytes,
                                              longmul_stream stream);

// longmul_fft_run enqueues out = the transforms of in; one launch a pass, each reading and writing
// the batch once. out may be in, of reals only if batch is 1 (else refused); in keeps its values
// otherwise. Measured errors, relative in the 2-norm, are below 4.2e-16 (double) and 2.2e-7 (float)
// to 2^28 points.
LONGMUL_API longmul_status longmul_fft_run(const longmul_fft *plan, void *out, const void *in,
                                           const void *tables, void *workspace, size_t bytes,
                                           longmul_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // LONGMUL_FFT_H_
