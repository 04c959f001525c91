// convolution.h: the door of exact convolutions on a device, modulo the primes of primes.h: digits
// of two numbers in, residues of the coefficients of their product out (crt.cuh and garner.cuh join
// them to integers). Plain C; the kernels are in the .cu files. There are no carries and no signs
// here. May include primitives/.
//
// The ring. A product has `pieces` 2^(lg_rows + lg_columns) coefficients or fewer. Piece s is the
// product modulo x^n - w_s, n = 2^(lg_rows + lg_columns), where w_s is the root at the turn whose
// binary digits are those of s in reverse: 1, -1, i, -i, ... So a length is any small number of
// equal pieces, each a cyclic transform after a twist; a small linear system over the primes joins
// them again (docs/proofs/modular_device.md).
//
// Where a piece would be longer than rows times columns can be, it is split by a transform of
// 2^lg_outer points over its parts: an outer pass, before and after all others. What follows calls
// each of its results a part: part s 2^lg_outer + k of piece s is the product modulo x^n - w for
// the root w at the turn (turn of w_s + k) / 2^lg_outer. Without an outer pass parts are pieces.
//
// One product is four launches, more with an outer pass or a join apart: columns of both operands
// (digits -> residues -> columns of all pieces), rows of both with their product and its inverse
// rows, inverse columns with the join, and what recombines the coefficients. Index i of a piece is
// row i / C, column i mod C, C = 2^lg_columns; a plane holds [piece][row][column] doubles, a
// prime's plane after the other's.
//
// Primes. Three have room for products of words. With more primes digits are longer than a word and
// coefficients fewer: six take two words each, so that operands of 2^29 to 2^31 bits fill as many
// points as those of 2^27 to 2^29 do modulo three, in columns half as long, where one word would no
// longer be exact; four and five serve lengths in between. The launches of a product then take
// three primes at a time, except the last.
//
// Wrapped coefficients. 1, 2 or 4 pieces are the product modulo x^N - 1, N their points. A product
// may have a few coefficients more: number N + j is then added to number j. Those depend on the
// highest digits of both operands alone, as many of each as there are such coefficients, so a
// second convolution, the high one, finds them, and they are subtracted. So lengths just above a
// power of two cost little more than the power of two.
//
// Short products need no planes: lg_columns = 0 says that a block transforms a piece whole
// (piece.cuh), so that one launch of a cluster of blocks, one for each piece and prime, computes a
// whole product. It also carries, so it is in bigint/device/kernels; only its plan and its tables
// are here.
#ifndef FFT_DEVICE_MODULAR_CONVOLUTION_H_
#define FFT_DEVICE_MODULAR_CONVOLUTION_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fft/modular/primes.h"
#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// Kernels exist for rows of 2^FFT_MODULAR_LG_SHORT columns, 2^4 to 2^9 of them in a piece, of
// 2^FFT_MODULAR_LG_MIDDLE, 2^6 to 2^9, and of 2^FFT_MODULAR_LG_LONG, 2^6 to 2^12, and for tests
// 2^10 and 2^11 short ones; in a part behind an outer pass for 2^4 to 2^9 short rows, and for 2^8
// and 2^9 long ones; for balanced digits, and for those of more than a word, from 2^8 rows on.
// Whole pieces are 1, 2 or 4 of 2^9 to 2^11 points, 4 of 2^10 or more.
enum {
    FFT_MODULAR_PIECES = 7,
    FFT_MODULAR_PRIMES = 6,  // at most
    FFT_MODULAR_ROOTS = 7,
    FFT_MODULAR_LG_SHORT = 8,
    FFT_MODULAR_LG_MIDDLE = 10,
    FFT_MODULAR_LG_LONG = 12,
    FFT_MODULAR_LONG_LG_ROWS = 8,  // of digits that long operands alone have
    FFT_MODULAR_TWO_CHUNKS = 90,   // bits of a digit at most that is two doubles, or three
    FFT_MODULAR_THREE_CHUNKS = 122,
    FFT_MODULAR_LG_OUTER = 7,  // at most
    FFT_MODULAR_WHOLE_PIECES = 4,
    FFT_MODULAR_LG_WHOLE_LEAST = 9,
    FFT_MODULAR_LG_WHOLE_MOST = 11,
};

// fft_modular_plan: the shape of one convolution, plain data. Digit i of an operand is bits [i
// digit_bits, (i + 1) digit_bits) of its words; balanced (digit_bits = 64): word i as a signed
// integer plus the top bit of word i - 1, the last one unsigned, so that every digit is within 2^63
// and the last one within 2^64.
typedef struct {
    uint64_t a_digits, b_digits;
    uint64_t a_first,
        b_first;          // digits of the operands below these are left out: 0 but of high ones
    uint64_t wrapped;     // coefficients beyond the points
    unsigned primes;      // FFT_PRIMES_USED .. FFT_MODULAR_PRIMES
    unsigned digit_bits;  // 52 .. 64; of 4, 5 primes 65 .. 90, 122; of 6 128
    bool balanced;
    bool clusters;  // the device has them
    unsigned pieces, lg_outer, lg_rows, lg_columns;
    bool negacyclic;  // the pieces are the next ones: their product is modulo x^N + 1 (ring_plan.h)
    // Where it pays; limbs are the same. asks_ahead: columns ask for the words of later tiles.
    // branches: streams for launches that need not wait for one another, one for the high
    // convolution, the others for primes; of more than three primes two, one for each group; 1: all
    // follow one another.
    bool asks_ahead;
    unsigned branches;
} fft_modular_plan;

// fft_modular_plan_limbs: the plan for operands of an, bn >= 1 limbs, and of its high convolution
// if plan->wrapped > 0. primes: their number, or 0 for the fastest. clusters: the device has
// clusters of blocks, which shapes of 2^10 rows and more need. False if none is exact: more points
// than the largest shape has, or fewer than the primes' smallest.
bool fft_modular_plan_limbs(fft_modular_plan *plan, fft_modular_plan *high, uint64_t an,
                            uint64_t bn, unsigned primes, bool clusters);
// fft_modular_plan_sum: the plan for a sum of `terms` products of up to an by bn limbs, added or
// subtracted; nothing wraps around. False too where no digits of 52 bits and more are exact.
bool fft_modular_plan_sum(fft_modular_plan *plan, uint64_t an, uint64_t bn, uint64_t terms,
                          unsigned primes, bool clusters);
// fft_modular_plan_cost: what a product of the plan's shape takes on one device, by the table of
// costs, in ps / 300; it compares plans. UINT64_MAX: the shape was not measured.
uint64_t fft_modular_plan_cost(const fft_modular_plan *plan);
// The same by hand, for tests and measurements. fft_modular_plan_digits: the widest digits of up to
// `most` bits that are exact modulo that many primes, and no shape, for a device with clusters;
// false if there are none.
// fft_modular_plan_shape: what belongs to a plan that has digits and pieces, lg_outer, lg_rows and
// lg_columns; false if that is too small or has no kernels.
bool fft_modular_plan_digits(fft_modular_plan *plan, uint64_t an, uint64_t bn, unsigned primes,
                             unsigned most);
bool fft_modular_plan_shape(fft_modular_plan *plan, fft_modular_plan *high);
// fft_modular_plan_fastest: the fastest shape for a plan that has digits, and its cost, that of its
// high convolution included; UINT64_MAX if there is none. high NULL: it wraps nothing around.
uint64_t fft_modular_plan_fastest(fft_modular_plan *plan, fft_modular_plan *high);
// fft_modular_lg_coefficient: coefficients up to 2^that are told apart modulo 3 to 6 primes.
unsigned fft_modular_lg_coefficient(unsigned primes);

// fft_modular_plan_whole: the plan for one launch of a cluster of up to `blocks` blocks, three for
// each piece. False: too many points, or no such cluster.
bool fft_modular_plan_whole(fft_modular_plan *plan, uint64_t an, uint64_t bn, unsigned blocks);
static inline bool fft_modular_whole(const fft_modular_plan *plan) { return plan->lg_columns == 0; }

static inline unsigned fft_modular_lg_part(const fft_modular_plan *plan) {
    return plan->lg_rows + plan->lg_columns;
}
static inline unsigned fft_modular_parts(const fft_modular_plan *plan) {
    return plan->pieces << plan->lg_outer;
}
// fft_modular_apart: whether pieces of the shape, or their parts, have thread blocks of their own
// in the inverse columns: split, or too many points for one block. Two pieces are side by side.
bool fft_modular_apart(const fft_modular_plan *plan);
// Points of all pieces; doubles of a prime's plane, a multiple of a line of 16.
static inline uint64_t fft_modular_points(const fft_modular_plan *plan) {
    return (uint64_t)fft_modular_parts(plan) << fft_modular_lg_part(plan);
}
static inline uint64_t fft_modular_plane(const fft_modular_plan *plan) {
    return fft_modular_points(plan) + (plan->wrapped + 15) / 16 * 16;
}

// fft_modular_field: a prime and its rounded reciprocal. fft_modular_prime: all that kernels know
// of a prime.
typedef struct {
    double p, inverse;
} fft_modular_field;
typedef struct {
    fft_modular_field field;
    double root[FFT_MODULAR_ROOTS];      // of order 16: powers 1 .. 7
    double quotient[FFT_MODULAR_ROOTS];  // root / p
    double omega[FFT_MODULAR_PIECES];    // w_s, balanced
    double omega_quotient[FFT_MODULAR_PIECES];
    double join[FFT_MODULAR_PIECES][FFT_MODULAR_PIECES];  // coefficient block b from piece s
} fft_modular_prime;

// fft_modular_tables: constants and twiddles of one plan's shape.
typedef struct {
    fft_modular_plan plan;
    fft_modular_prime prime[FFT_MODULAR_PRIMES];  // the plan's
    const double *memory;  // on the device; tables.cuh says what stands where
} fft_modular_tables;

static inline bool fft_modular_same_shape(const fft_modular_plan *a, const fft_modular_plan *b) {
    return a->primes == b->primes && a->pieces == b->pieces && a->lg_outer == b->lg_outer &&
           a->lg_rows == b->lg_rows && a->lg_columns == b->lg_columns &&
           a->negacyclic == b->negacyclic;
}

size_t fft_modular_table_bytes(const fft_modular_plan *plan);
// fft_modular_tables_make fills tables, and enqueues the filling of fft_modular_table_bytes of
// device memory, 16-byte aligned.
result fft_modular_tables_make(fft_modular_tables *tables, const fft_modular_plan *plan,
                               void *memory, cuda_stream stream);

// fft_modular_operand: words in device memory; words_n may exceed what its digits need, where those
// are shorter than 64 bits by zeros only.
typedef struct {
    const uint64_t *words;
    uint64_t words_n;
} fft_modular_operand;

// The steps, of plans that are not whole. x, y: planes of `primes` primes from prime `first` on,
// fft_modular_plane doubles each; x is that of the first operand and becomes the product's.
// Launches know a group of FFT_PRIMES_USED primes: the first three of a plan, or those left, and a
// step's primes belong to one. tables: of the plan's shape. They enqueue, do not wait and allocate
// nothing.
typedef struct {
    const fft_modular_plan *plan;
    const fft_modular_tables *tables;
    unsigned first, primes;
    cuda_stream stream;
} fft_modular_step;

// fft_modular_group: the primes of a plan's group that begins with prime `first`.
static inline unsigned fft_modular_group(const fft_modular_plan *plan, unsigned first) {
    const unsigned left = plan->primes - first;
    return left < (unsigned)FFT_PRIMES_USED ? left : (unsigned)FFT_PRIMES_USED;
}

// Columns of a into x, and of b into y unless y is NULL.
result fft_modular_columns(const fft_modular_step *step, double *x, fft_modular_operand a,
                           double *y, fft_modular_operand b);
// Rows of x and y, product, inverse rows into x. FFT_ROW_SQUARE: of x by itself, y is not read.
// FFT_ROW_PREPARED: y is what FFT_ROW_TRANSFORM left in x. y keeps its contents but in
// FFT_ROW_MULTIPLY, where it is not touched either.
result fft_modular_rows(const fft_modular_step *step, double *x, const double *y,
                        fft_row_mode mode);
// fft_modular_sum: a product joins a sum of products in transform order, planes as x's. The word at
// a_sign differs from that at b_sign, both in device memory, where the product counts negatively.
typedef struct {
    double *planes;
    const uint64_t *a_sign, *b_sign;
    bool subtract;  // the product
    bool adds;      // to what is there already; else the planes are not read
    bool stays;     // the planes' contents become the sum; else it goes back by rows, into x
} fft_modular_sum;
// fft_modular_rows_sum: the same with the product replaced by the sum. Not with FFT_ROW_TRANSFORM.
result fft_modular_rows_sum(const fft_modular_step *step, double *x, const double *y,
                            fft_row_mode mode, const fft_modular_sum *sum);
// Inverse columns and the join, in place: element i of a plane is then congruent to coefficient i
// and what has wrapped around to it, within 4.22 p.
result fft_modular_inverse(const fft_modular_step *step, double *x);
// What wrapped around goes to its place, where plan->wrapped > 0: high_x is what the inverse of the
// high convolution has left, of the same operands and primes. Zeros up to the end of a plane.
result fft_modular_unwrap(const fft_modular_step *step, double *x, const fft_modular_plan *high,
                          const double *high_x);

#ifdef __cplusplus
}
#endif

#endif  // FFT_DEVICE_MODULAR_CONVOLUTION_H_
