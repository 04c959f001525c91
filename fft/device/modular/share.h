// share.h: the steps of a convolution that several members compute together, each in its own
// memory, columns first. Plain C; over the steps of convolution.h, in share.cu.
//
// With an outer pass the coefficients of a product are a matrix, a row for each part, n =
// 2^(lg_rows + lg_columns) columns: index i is row i / n, column i mod n. Of 2^lg members
//
//   a strip  is a member's n / 2^lg neighbouring columns of all rows: digits before the outer pass,
//            parts behind it, coefficients in the end. It is [row or part][column of the strip]
//   a share  is a member's parts / 2^lg neighbouring parts, whole: [own part][row][column]
//
// The outer pass mixes rows and leaves columns apart, so it works on strips; what follows leaves
// parts apart, so it works on shares. Between the two the members exchange: element c of part s
// goes from the strip that has column c to the share that has part s, and back after the inverse.
// Both have as many doubles as fft_modular_share_points says.
#ifndef FFT_DEVICE_MODULAR_SHARE_H_
#define FFT_DEVICE_MODULAR_SHARE_H_

#include "fft/device/modular/convolution.h"

#ifdef __cplusplus
extern "C" {
#endif

// fft_modular_share: one member of 2^lg.
typedef struct {
    unsigned lg, member;
} fft_modular_share;

// fft_modular_shares: whether 2^lg members can share a plan: it has an outer pass, of which no tile
// is wider than a strip, parts that they divide, whole words in a strip's row, digits that are not
// balanced, and no coefficients that wrap around.
bool fft_modular_shares(const fft_modular_plan *plan, unsigned lg);

static inline uint64_t fft_modular_share_points(const fft_modular_plan *plan, unsigned lg) {
    return fft_modular_points(plan) >> lg;
}
// Words of a row of a strip's digits, or of its coefficients' weight.
static inline uint64_t fft_modular_strip_words(const fft_modular_plan *plan, unsigned lg) {
    return ((uint64_t)plan->digit_bits << fft_modular_lg_part(plan) >> lg) / 64;
}

// The steps, in their order. x, y: as many planes as the step has primes, fft_modular_share_points
// apart; y is NULL in a square. They enqueue, do not wait and allocate nothing. RESULT_REFUSED: a
// plan that cannot be shared so.
//
// Digits of strips into parts. a: the member's strip of an operand, fft_modular_strip_words words
// of each row, row after row; rows that are left out are zeros.
result fft_modular_strip_split(const fft_modular_step *step, unsigned lg, double *x,
                               fft_modular_operand a, double *y, fft_modular_operand b);
// Columns of shares; rows and product into x, as fft_modular_rows; inverse columns.
result fft_modular_share_columns(const fft_modular_step *step, fft_modular_share share, double *x,
                                 double *y);
result fft_modular_share_rows(const fft_modular_step *step, fft_modular_share share, double *x,
                              const double *y, fft_row_mode mode);
result fft_modular_share_inverse(const fft_modular_step *step, fft_modular_share share, double *x);
// Parts of a strip into residues of its coefficients, within 4.22 p, in place.
result fft_modular_strip_gather(const fft_modular_step *step, unsigned lg, double *x);

#ifdef __cplusplus
}
#endif

#endif  // FFT_DEVICE_MODULAR_SHARE_H_
