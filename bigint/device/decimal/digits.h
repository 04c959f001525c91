// digits.h: decimal text -> numbers that are transformed or tiled, the pointwise product, and back
// to coefficients and text: what stands between the text, the transforms and the carries of a
// decimal product on a device. Plain C; the kernels are in digits.cu. Internal to bigint/.
//
// Numbers come in rows, one product after another. Digit i of a number weighs D^i, D = 10^k, and is
// made of the k characters that many places from the text's end; beyond its first character there
// are zeros.
#ifndef BIGINT_DEVICE_DECIMAL_DIGITS_H_
#define BIGINT_DEVICE_DECIMAL_DIGITS_H_

#include <stdbool.h>
#include <stdint.h>

#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { DECIMAL_F64, DECIMAL_F32, DECIMAL_BYTE } decimal_number;

// decimal_form: what a row's points are.
// Requires: 1 <= k <= 6, of bytes 1 <= k <= 2; rows < 2^16; points < 2^36.
typedef struct {
    decimal_number number;
    bool complex;   // real parts of complex numbers whose imaginary parts are 0 (Complex-ID)
    bool balanced;  // digits from -D / 2 to D / 2, the top one up to D (docs/proofs/complex_fft.md,
                    // section 6); not of bytes
    unsigned k;
    uint64_t points, rows;  // points of a row; >= its digits
} decimal_form;

// decimal_text_rows: rows of n characters '0' .. '9', most significant first, n >= 1.
typedef struct {
    const char *text;
    uint64_t n;
} decimal_text_rows;

// decimal_split enqueues to = the digits of `from`, zeros above.
// Cost: one launch; reads every character twice, from cache the second time.
result decimal_split(const decimal_form *form, decimal_text_rows from, void *to,
                     cuda_stream stream);

// decimal_pointwise enqueues x = x y / points, point by point, of frequencies: of complex points
// all of them, of real ones the first points / 2 + 1. y may be x. points: a power of two.
result decimal_pointwise(const decimal_form *form, void *x, const void *y, cuda_stream stream);

// decimal_round enqueues to = the first `count` points of each row, dense, rounded to integers.
result decimal_round(const decimal_form *form, const void *from, int64_t *to, uint64_t count,
                     cuda_stream stream);

// decimal_write enqueues text = rows of n characters of the numbers whose words below 10^k are
// words[0 .. words_n) of each row, least significant first; digits above are left out.
// Requires: k words_n >= n.
result decimal_write(const uint64_t *words, uint64_t words_n, unsigned k, char *text, uint64_t n,
                     uint64_t rows, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_DEVICE_DECIMAL_DIGITS_H_
