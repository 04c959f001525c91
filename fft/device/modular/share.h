// share.h: the steps of a convolution that several members compute together, each in its own
// memory, columns first. Plain C; over the steps of convolution.h, in share.cu.
//
// With an outer pass the coefficients of a product are a matrix, a row for each part, n =
// 2^(lg_rows + lg_columns) columns: index i is row i / n, column i mod n.
//
//   a strip  is n / 2^lg_strips neighbouring columns of all rows: digits before the outer pass,
//            parts behind it, coefficients in the end. It is [row or part][column of the strip]
//   a share  is a member's neighbouring parts, whole: [own part][row][column]
//
// The outer pass mixes rows and leaves columns apart, so it works on strips, of which a member may
// have several; what follows leaves parts apart, so it works on shares. Between the two the members
// exchange: element c of part s goes from the strip that has column c to the share that has part s,
// and back after the inverse.
//
// Inner pass. Parts of products of more than 2^31 points are longer than columns and rows can be.
// Then shares are split again: an inner pass of 2^lg_inner points makes parts of parts, which
// lg_rows counts too. All of that is modulo the six second primes (second_primes.h), whose roots
// have a high enough order, with digits of 128 bits.
#ifndef FFT_DEVICE_MODULAR_SHARE_H_
#define FFT_DEVICE_MODULAR_SHARE_H_

#include "fft/device/modular/convolution.h"

#ifdef __cplusplus
extern "C" {
#endif

// fft_modular_share_step: a step modulo one prime. tables: of the plan, twice, or, with an inner
// pass, those of fft_modular_share_tables_make.
typedef struct {
    const fft_modular_plan *plan;
    unsigned lg_inner;  // 0: no inner pass
    unsigned lg_strips;
    unsigned first_part, parts;  // the share
    const fft_modular_tables *tables, *of_share;
    unsigned prime;
    cuda_stream stream;
} fft_modular_share_step;

// fft_modular_shares: whether a plan's columns can be cut into 2^lg_strips strips: it has an outer
// pass, of which no tile is wider than a strip, whole words in a strip's row, digits that are not
// balanced, and no coefficients that wrap around.
bool fft_modular_shares(const fft_modular_plan *plan, unsigned lg_strips);

// Columns, and words of a row, of a strip.
static inline uint64_t fft_modular_strip_columns(const fft_modular_plan *plan, unsigned lg_strips) {
    return (uint64_t)1 << fft_modular_lg_part(plan) >> lg_strips;
}
static inline uint64_t fft_modular_strip_words(const fft_modular_plan *plan, unsigned lg_strips) {
    return plan->digit_bits * fft_modular_strip_columns(plan, lg_strips) / 64;
}

// Tables of a step with an inner pass: bytes of device memory, 16-byte aligned; the filling of
// tables[0], for strips, and tables[1], for the step's share, is enqueued.
size_t fft_modular_share_table_bytes(const fft_modular_share_step *step);
result fft_modular_share_tables_make(fft_modular_tables *tables, const fft_modular_share_step *step,
                                     void *memory);

// The steps, in their order; y is NULL in a square. They enqueue, do not wait and allocate nothing.
// RESULT_REFUSED: a plan that cannot be shared so.
//
// Digits of one strip into parts. a: the strip of an operand, fft_modular_strip_words words of each
// row, row after row; rows that are left out are zeros.
result fft_modular_strip_split(const fft_modular_share_step *step, double *x, fft_modular_operand a,
                               double *y, fft_modular_operand b);
// Columns of shares, with the inner pass before; rows and product into x, as fft_modular_rows;
// inverse columns, with the inner pass behind.
result fft_modular_share_columns(const fft_modular_share_step *step, double *x, double *y);
result fft_modular_share_rows(const fft_modular_share_step *step, double *x, const double *y,
                              fft_row_mode mode);
result fft_modular_share_inverse(const fft_modular_share_step *step, double *x);
// Parts of one strip into residues of its coefficients, within 4.22 p, in place.
result fft_modular_strip_gather(const fft_modular_share_step *step, double *x);

#ifdef __cplusplus
}
#endif

#endif  // FFT_DEVICE_MODULAR_SHARE_H_
