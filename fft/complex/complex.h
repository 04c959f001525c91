// complex.h: the door of the host's complex and real transforms, FP64 and FP32: plans as plain
// data, tables, execution over a team; and the right-angle convolution that products use. There are
// no digits and no carries here. May include primitives/.
//
// Transform. Forward: X[k] = sum over j of x[j] exp(-2 pi i j (k + t) / n); inverse:
// x[j] = sum over k of X[k] exp(+2 pi i j (k + t) / n), without the factor 1 / n. t is the plan's
// turn: 0 (cyclic) or 3/4 (right angle: the transform modulo x^n - i, as i = exp(-2 pi i t)).
// n = 2^a 3^b 5^c 7^d; other lengths are refused. Complex elements are pairs (real, imaginary).
//
// The tree. A node of angle T stands for the polynomial modulo x^(r m) - exp(-2 pi i T); a pass of
// radix r turns it into r children of angles (T + s) / r, s = 0 .. r - 1, modulo
// x^m - exp(-2 pi i (T + s) / r). The root has n coefficients and angle t, a leaf is one value.
// Passes have radix 8, 4, 2 (each a chain of levels of radix 2), 3, 5 or 7.
//
// Operations and roundings (u = 2^-53 or 2^-24; every operation rounds once, components apart; the
// order of operations does not depend on the variant, so all variants give the same values):
//   level of radix 2, forward   t = b (1 - i tau):  1 fma a component     (b: upper half)
//                               a + c t, a - c t:   1 fma a component     (a: lower half)
//       with w = c (1 - i tau), c = cos, tau = tan of the angle T / 2; nodes whose angle is one
//       quarter turn further have the same c and tau, and -i t for t, which is no operation. c and
//       tau are within 0.501 ulp of cos, tan; the angle of exactly a quarter turn has c = 2^-q,
//       tau = 2^q, q = 60 (F64) or 30 (F32), so that w is -i within 2^-q. Where w = 1: a + b,
//       a - b, the same values.
//   level of radix 2, inverse   a = u + v, e = u - v:   1 operation a component
//                               b = c (e + i tau e):    1 fma, 1 multiplication a component
//   pass of radix 3, 5, 7       a_s w^s, s = 1 .. r - 1: multiplication and fma a component, w^s
//                               with cos, sin within 0.501 ulp; then a DFT of r points:
//                               node.h states its operations. Inverse: the DFT first.
//   pointwise product           p q: multiplication and fma a component, then times the scale
//                               1 / n, exact where n is a power of two.
// A forward item passes through lg n levels, with any division into passes. The natural inverse is
// the forward transform between exchanges of real and imaginary parts: the same roundings.
#ifndef FFT_COMPLEX_COMPLEX_H_
#define FFT_COMPLEX_COMPLEX_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "primitives/words/cpu.h"
#include "primitives/words/team.h"

enum {
    FFT_COMPLEX_PASSES_MAX = 34,
    FFT_COMPLEX_LANES = 8,    // transforms side by side in a vector of the widest variant
    FFT_COMPLEX_LG_MAX = 36,  // length <= 2^36
};

typedef enum { FFT_F64, FFT_F32, FFT_FLOATS } fft_float;
// fft_float_bytes: of one value of the type.
static inline size_t fft_float_bytes(fft_float type) {
    return type == FFT_F64 ? sizeof(double) : sizeof(float);
}

typedef enum { FFT_FORWARD, FFT_INVERSE, FFT_DIRECTIONS } fft_direction;

// Natural: input and output by index. Reversed: frequencies stand where the passes leave them, on
// output of a forward and on input of an inverse transform; fft_complex_frequency tells where.
typedef enum { FFT_NATURAL, FFT_REVERSED, FFT_ORDERS } fft_order;

typedef struct {
    fft_float type;
    fft_order order;
    bool right_angle;   // turn 3/4 instead of 0: of fft_product_plan only
    uint64_t length;    // n, complex points
    uint64_t batch;     // transforms, >= 1
    uint64_t distance;  // complex elements from one to the next, in and out; any for batch 1
} fft_complex_problem;

// fft_complex_plan: how it is done. Pass 0 has radix `lanes` (at most FFT_COMPLEX_LANES); its
// outputs lie side by side in a vector and stay there: from then on `lanes` transforms of `rows`
// times `columns` points are done at once, lane l at angle (t + l) / lanes. Its first passes, the
// column passes, join points of the same column, the others points of the same row. rows = 1:
// everything fits in a cache and there are row passes only.
typedef struct {
    fft_complex_problem problem;
    uint8_t passes_n, column_passes;  // passes 1 .. column_passes are column passes
    uint8_t radix[FFT_COMPLEX_PASSES_MAX];
    uint32_t lanes;
    uint64_t rows, columns;
    uint64_t table_at[FFT_COMPLEX_PASSES_MAX + 1];  // where a pass has its twiddles, in cells
} fft_complex_plan;

// fft_complex_make: the plan of a problem. Returns NULL, or why there is none (a sentence of the
// program's own memory).
const char *fft_complex_make(fft_complex_plan *plan, const fft_complex_problem *problem);

// fft_complex_ops: one SIMD variant for one type (variant.c). The same plan and input give the same
// bits with every variant.
typedef struct fft_complex_ops fft_complex_ops;
// The variant for these vectors; its name is cpu_simd_name's.
const fft_complex_ops *fft_complex_variant(cpu_simd simd, fft_float type);

// fft_complex_frequency: which frequency k stands at `address` < length in the plan's order, and
// fft_complex_address: its inverse.
uint64_t fft_complex_frequency(const fft_complex_plan *plan, uint64_t address);
uint64_t fft_complex_address(const fft_complex_plan *plan, uint64_t frequency);

// fft_complex_table_bytes: bytes of the plan's tables, about 8 (F64) or 4 (F32) a point; the same
// for all variants and directions. fft_complex_tables fills them, 64-byte aligned.
uint64_t fft_complex_table_bytes(const fft_complex_plan *plan);
void fft_complex_tables(const fft_complex_ops *ops, const fft_complex_plan *plan, void *tables);

// fft_complex_workspace_bytes: for a team of that many threads, 64-byte aligned: a strip of columns
// or a row for each thread, and with order natural a copy of the points in work.
uint64_t fft_complex_workspace_bytes(const fft_complex_plan *plan, unsigned threads);

// fft_complex_run: what an execution needs, of the caller's.
typedef struct {
    const fft_complex_ops *ops;
    const fft_complex_plan *plan;
    const void *tables;
    void *workspace;
    team *team;  // or NULL
} fft_complex_run;

// fft_complex_execute: transforms all of the batch. in and out are arrays of the plan's type
// (64-byte alignment is fastest), equal or disjoint; in is not changed if disjoint. Threads share
// one transform or take one each, as the plan's size suggests; the result does not depend on their
// number. Cost: 3 n lg n fused operations; lg n / 3 sweeps over caches, 2 over memory.
void fft_complex_execute(const fft_complex_run *run, fft_direction direction, const void *in,
                         void *out);

// Real transforms -----------------------------------------------------------------------------

// fft_real_plan: real input of even length n, n / 2 = 2^a 3^b 5^c 7^d, as a complex transform of
// the pairs (x[2j], x[2j+1]) and one more level that separates the half spectra:
// X[k] = E[k] + w^k O[k], with 4 operations more of one rounding a component (real.h).
typedef struct {
    fft_complex_plan half;  // natural; problem.batch and distances are half's
    uint64_t length, batch;
    uint64_t real_distance, complex_distance;  // elements from one item to the next
} fft_real_plan;

// Requires for batch > 1: real_distance >= length, complex_distance >= length / 2 + 1.
const char *fft_real_make(fft_real_plan *plan, fft_float type, uint64_t length, uint64_t batch,
                          uint64_t real_distance, uint64_t complex_distance);
uint64_t fft_real_table_bytes(const fft_real_plan *plan);
void fft_real_tables(const fft_complex_ops *ops, const fft_real_plan *plan, void *tables);
uint64_t fft_real_workspace_bytes(const fft_real_plan *plan, unsigned threads);

typedef struct {
    const fft_complex_ops *ops;
    const fft_real_plan *plan;
    const void *tables;
    void *workspace;
    team *team;  // or NULL
} fft_real_run;

// fft_real_forward: out[k] = sum of in[j] exp(-2 pi i j k / n), k = 0 .. n / 2, n real to n / 2 + 1
// complex elements; the imaginary parts of the first and the last are 0. fft_real_inverse: the
// n real sums over the whole spectrum that these n / 2 + 1 stand for, without 1 / n; imaginary
// parts of the first and the last are not read. in == out is allowed if real_distance is twice
// complex_distance; otherwise they are disjoint, and in is not changed.
void fft_real_forward(const fft_real_run *run, const void *in, void *out);
void fft_real_inverse(const fft_real_run *run, const void *in, void *out);

// Right-angle convolution ---------------------------------------------------------------------

// Products of sequences of integers without a mirror index: x of 2 n integers becomes the n points
// x[j] + i x[j + n], transformed modulo x^n - i; the pointwise product of two such transforms is
// that of the convolution modulo x^(2n) + 1, the plain one if it has at most 2 n values.
// The order is reversed and never undone.

// fft_product_plan: the convolution for 2 * points values. points = 2^a 3^b 5^c 7^d >= 1.
const char *fft_product_plan(fft_complex_plan *plan, fft_float type, uint64_t points);

// fft_product_share: gives a plan more and shorter rows, for a team of threads to share. Tables and
// results are the same bits; prepared planes and workspace are its own.
void fft_product_share(fft_complex_plan *plan);

// fft_integers: a sequence of integers, zero from `count` on: up to `points`, or up to 2 points
// where count is larger, all of which are read. FP32: below 2^24 in absolute value. They lie at
// `values`, 64-byte aligned; or, where fft_product_reads, read(from, to, first, n) makes integers
// first .. first + n - 1, n <= FFT_PRODUCT_READ, when they are needed.
enum { FFT_PRODUCT_READ = 256 };
typedef struct {
    const int32_t *values;
    uint64_t count;                                                         // 1 .. 2 * points
    void (*read)(const void *from, int32_t *to, uint64_t first, size_t n);  // or NULL
    const void *from;
} fft_integers;

// fft_product_reads: whether a plan takes integers that are made piece by piece: one row.
static inline bool fft_product_reads(const fft_complex_plan *plan) { return plan->rows == 1; }

// Bytes of one transformed operand, 64-byte aligned memory.
uint64_t fft_product_plane_bytes(const fft_complex_plan *plan);
uint64_t fft_product_workspace_bytes(const fft_complex_plan *plan, unsigned threads);

// fft_product_places: where the 2 * points values of a convolution lie: in runs of `run` values,
// each beginning `apart` values after the one before. All runs are written side by side, so there
// is a gap between them if they would otherwise meet in one set of a cache.
typedef struct {
    uint64_t run, apart, all;  // all: values of the room
} fft_product_places;
fft_product_places fft_product_places_of(const fft_complex_plan *plan);

// fft_product_prepare: plane = transform of x. fft_product_prepared: z = x times the prepared
// plane. fft_product_convolve: z = x y, or x^2 for y == NULL. z: values of the plan's type,
// in fft_product_places, 64-byte aligned: the convolution itself, with the transforms' errors. It
// may take the place of x's values, or of y's where both are the same; a prepared plane is only
// read. Cost: 3 transforms (2 for a square or a prepared operand), rows of both operands while in
// cache.
void fft_product_prepare(const fft_complex_run *run, const fft_integers *x, void *plane);
void fft_product_prepared(const fft_complex_run *run, const fft_integers *x, const void *plane,
                          void *z);
void fft_product_convolve(const fft_complex_run *run, const fft_integers *x, const fft_integers *y,
                          void *z);

// fft_product_sum: z = p0 p1 + p2 p3, or p0 p1 - p2 p3 for `minus`, of prepared planes, which are
// only read. z as above. Cost: 1 transform.
void fft_product_sum(const fft_complex_run *run, const void *const planes[4], bool minus, void *z);

#endif  // FFT_COMPLEX_COMPLEX_H_
