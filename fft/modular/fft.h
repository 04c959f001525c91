// fft.h: the door of fft/modular: exact convolution of digits modulo primes just below 2^50, in
// doubles with fused multiply-add or in words of 52 bits (residue.h). Digits in, coefficients out;
// there are no carries and no signs here. May include primitives/.
//
// One product is, for each prime of the plan: columns of both operands -> rows of both, pointwise
// product, inverse rows -> inverse columns; then one pass of Chinese remaindering over the primes'
// planes. fft_convolve drives that over a team of threads; a fft_ops table holds the steps for one
// SIMD variant. Diagrams: butterflies.h (tree), columns.h (layout of a plane).
#ifndef FFT_MODULAR_FFT_H_
#define FFT_MODULAR_FFT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fft/modular/primes.h"
#include "primitives/words/cpu.h"
#include "primitives/words/team.h"

// fft_digits: an operand as the transform sees it: digit i is bits [i bits, i bits + bits) of the
// words, or word i itself for bits = 64; zero beyond the words. Words may be digits of any radix up
// to 2^64.
typedef struct {
    const uint64_t *words;
    uint64_t words_n;
    uint64_t count;  // digits, >= 1
    unsigned bits;   // 1 .. 64
} fft_digits;

// fft_plan: the shape of one convolution, plain data. The transform is over rows x columns points;
// only the first `rows` rows of 2^lg_rows are ever computed: rows * 2^lg_columns >= a_digits +
// b_digits. A plan of fft_plan_ring has all of them, and what exceeds them wraps around.
typedef struct {
    uint64_t a_digits, b_digits;
    unsigned digit_bits;  // 64 for word digits of any radix
    unsigned lg_rows, lg_columns, lg_strip;
    uint64_t rows;  // 1 .. 2^lg_rows
    uint64_t
        row_stride;  // doubles from row to row: columns and padding against power-of-two distances
    unsigned node;   // of butterflies.h's tree: 0, modulo x^points - 1; 1, modulo x^points + 1
    // The bias of signed coefficients times 2^lg_rows 2^lg_columns, modulo each prime; else 0.
    double bias[FFT_PRIMES_USED];
} fft_plan;

// fft_shape: which rows suit a SIMD variant, and a team, as logarithms.
typedef struct {
    unsigned row;   // points of the longest row that is a leaf and one pass
    unsigned rows;  // up to 2^rows such rows are faster than fewer, longer ones
    unsigned team;  // of the threads that share the rows evenly, if there are enough points
} fft_shape;

// fft_plan_limbs: the plan for operands of an and bn limbs (an, bn >= 1). False if no exact plan
// exists (more than 2^31 points, or digits would get too narrow).
bool fft_plan_limbs(fft_plan *plan, fft_shape shape, uint64_t an, uint64_t bn);
// fft_plan_words: the plan for operands of words below `radix` each (0: 2^64). False if the sums
// could exceed the primes' product or there are too many points.
bool fft_plan_words(fft_plan *plan, fft_shape shape, uint64_t a_words, uint64_t b_words,
                    uint64_t radix);
// fft_plan_sum: the plan for a sum of `terms` products, added or subtracted, whose operands have no
// more than `limbs` limbs together and the shorter one of each no more than `shorter`, 1 <= shorter
// <= limbs / 2. False if there is none. a_digits + b_digits is then the number of coefficients.
bool fft_plan_sum(fft_plan *plan, fft_shape shape, uint64_t limbs, uint64_t shorter,
                  uint64_t terms);
// fft_plan_ring: the plan for a product modulo x^n - 1, or modulo x^n + 1 if negacyclic, of
// operands of up to n digits, where the digits are bits / n bits wide and n is the smallest power
// of two, 64 at least, for which that is a whole number and proved exact. False if there is none.
// a_digits + b_digits is then 2 n, the number of coefficients n.
bool fft_plan_ring(fft_plan *plan, fft_shape shape, uint64_t bits, bool negacyclic);
// The coefficients of a plan of fft_plan_sum, or of a negacyclic one, are signed, |c| <= bias =
// 2^e (2^digit_bits - 1), where e = FFT_SUM_BITS - digit_bits, and are given as c + bias. So n of
// them in radix R = 2^digit_bits sum up to 2^e (R^n - 1) more than the number.
enum { FFT_SUM_BITS = 148 };
// The operand of `words_n` words as this plan cuts it. Requires: the plan was made for that length
// or a longer one.
fft_digits fft_plan_digits(const fft_plan *plan, const uint64_t *words, uint64_t words_n);
// Points of a full transform, 2^(lg_rows + lg_columns), as a logarithm.
static inline unsigned fft_plan_lg(const fft_plan *plan) {
    return plan->lg_rows + plan->lg_columns;
}
// Points of a transform from the root of the tree that has the plan's as a part, as a logarithm.
static inline unsigned fft_plan_table_lg(const fft_plan *plan) {
    return fft_plan_lg(plan) + plan->node;
}
// Bytes of one plane, of one thread's buffer.
uint64_t fft_plan_plane_bytes(const fft_plan *plan);
uint64_t fft_plan_buffer_bytes(const fft_plan *plan);

// --- Parts, for transforms that are dealt out ---
// Columns: units of FFT_UNIT columns with all their rows. fft_plan_unit is the plan by which
// fft_ops.columns_forward and columns_inverse transform one, in a plane that may begin at any
// column and has rows row_stride apart; fft_unit_digits is the operand of one: `rows` rows of its
// digits, which fill digit_bits words each. Rows: fft_plan_row is the plan by which fft_ops.rows
// transforms row r as its row 0. Requires, of both: the plan has FFT_UNIT columns or more.
enum { FFT_UNIT = 64 };
fft_plan fft_plan_unit(const fft_plan *plan, uint64_t row_stride);
fft_plan fft_plan_row(const fft_plan *plan, uint64_t r);
fft_digits fft_unit_digits(const fft_plan *plan, const uint64_t *words, uint64_t rows);
// fft_row_stride: doubles from row to row of a plane with that many columns.
uint64_t fft_row_stride(uint64_t columns);

// fft_tables: twiddles of one prime for transforms of up to 2^lg points, in memory of
// tables_bytes(lg) bytes, 64-byte aligned, that begins with this struct. The layout is tables.h's.
typedef struct {
    unsigned prime, lg;
    double *w;       // w_j in the order of butterflies.h
    double *lanes;   // constants of leaf.h, the same for every leaf
    double *leaves;  // scalars of leaf.h, one array of leaves_n for each level and direction
    uint64_t leaves_n;
} fft_tables;

// fft_row_step: what to do with rows of plane x. y: the other operand's, NULL where the mode does
// not read it; overwritten in FFT_ROW_MULTIPLY.
typedef struct {
    double *x, *y;
    fft_row_mode mode;
    // The products become sum +- themselves, sum being such products of the same rows in transform
    // order. NULL: nothing is added.
    const double *sum;
    bool subtract;  // sum - product
    bool stays;     // in transform order: no inverse rows
} fft_row_step;

// fft_ops: one SIMD variant. All variants give the same coefficients, but each has its own format
// of planes.
typedef struct {
    const char *name;
    fft_shape shape;
    size_t (*tables_bytes)(unsigned lg);
    void (*tables_fill)(void *memory, unsigned prime, unsigned lg);
    // The residue that an item of a plane stands for, as an integer below 2^53.
    double (*item)(double x);
    // Strip s of the columns of one operand: digits -> residues -> column transforms -> plane x.
    void (*columns_forward)(const fft_plan *plan, const fft_tables *tables, double *x,
                            const fft_digits *a, size_t s, double *buffer);
    // Rows first .. first + count - 1: forward, product, inverse as the step says.
    void (*rows)(const fft_plan *plan, const fft_tables *tables, const fft_row_step *step,
                 size_t first, size_t count);
    // Strip s of the inverse columns of plane x: residues of 2^lg * coefficient.
    void (*columns_inverse)(const fft_plan *plan, const fft_tables *tables, double *x, size_t s,
                            double *buffer);
    // Coefficients first .. first + n - 1, all in one row, from the planes of the primes:
    // FFT_COEFFICIENT_WORDS words each into c, with the plan's bias. Writes whole vectors: c has
    // room for n rounded up to 8.
    void (*coefficients)(uint64_t *c, const fft_plan *plan, const double *const *planes,
                         uint64_t first, size_t n);
} fft_ops;

extern const fft_ops fft_ops_portable;
extern const fft_ops fft_ops_avx2;
extern const fft_ops fft_ops_avx2_round;  // for processors that round fast
extern const fft_ops fft_ops_avx512;
extern const fft_ops fft_ops_ifma;
// The fastest variant for these features.
const fft_ops *fft_ops_for(cpu_features features);

// fft_convolution: everything one convolution needs, provided by the caller.
typedef struct {
    const fft_ops *ops;
    fft_plan plan;
    const fft_tables *tables[FFT_PRIMES_USED];  // lg >= fft_plan_table_lg
    double *planes[FFT_PRIMES_USED];            // of the first operand and the result
    // The first `others` primes (2 or more) get a thread of the team each, so that little data
    // crosses from core to core. All threads share each step of the further primes, except that
    // two threads may begin the last one, each with half of its rows.
    unsigned others;
    // As many planes for the second operand, one after the other; unused with square, prepared.
    double *other;
    double *sum;                    // as many again; only for sums of several terms
    const double *const *prepared;  // planes from fft_prepare, or NULL
    double *buffers;                // team_size buffers
    team *team;
    // Called fft_steps(terms) times, on the calling thread; or NULL. False ends the convolution.
    bool (*after_step)(void *arg);
    void *after_step_arg;
} fft_convolution;
static inline size_t fft_steps(size_t terms) { return (2 * terms + 1) * FFT_PRIMES_USED; }

// fft_term: a times b, or a squared, added or subtracted.
typedef struct {
    fft_digits a, b;
    bool square;
    bool subtract;
} fft_term;

// fft_convolve: planes = coefficients of the sum of n >= 1 terms, times 2^lg, modulo each prime.
// Requires: the first term is added; with n > 1 a plan of fft_plan_sum. With prepared planes b is
// not read, and n = 1. Ensures: fft_coefficients may read the planes.
// Cost: two forward transforms a term, one of a square; one inverse. Returns false if after_step
// did: the planes hold nothing then.
bool fft_convolve(const fft_convolution *c, const fft_term *terms, size_t n);
// fft_prepare: planes = forward transform of b in every prime, for use as `prepared`.
void fft_prepare(const fft_convolution *c, const fft_digits *b);
// fft_coefficients: coefficients first .. first + n - 1, n <= FFT_BLOCK, into c
// (FFT_COEFFICIENT_WORDS words each). Safe to call from several threads.
enum { FFT_BLOCK = 512 };
void fft_coefficients(uint64_t *out, const fft_convolution *c, uint64_t first, size_t n);

#endif  // FFT_MODULAR_FFT_H_
