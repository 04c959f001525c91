// float_product.h: products of digit sequences through floating-point transforms: exact by proof,
// or, for callers that check results, certified. It has the plan with its digit width, the cutting
// into digits, the convolution, and the rounding of coefficients to integers. Digits in,
// coefficients out; there are no carries and no signs here. May include complex.h and bound.h.
//
//   words --split--> digits (integers) --complex.h--> values --round--> coefficients
//
// Right angle (real-fft): digit j is real value j. Packed (complex-fft): digit j of a is the real
// part of point j, digit j of b the imaginary one; a square has b = a.
#ifndef FFT_COMPLEX_FLOAT_PRODUCT_H_
#define FFT_COMPLEX_FLOAT_PRODUCT_H_

#include "fft/complex/bound.h"
#include "fft/complex/complex.h"

// fft_float_plan: the shape of one product, plain data.
typedef struct {
    fft_bound_method method;
    fft_complex_plan transform;
    uint64_t a_digits, b_digits;
    uint64_t radix;  // of the digits
    unsigned width;  // radix = 2^width; 0: a digit is a word of the operand, below radix
    bool balanced;   // digits in -radix / 2 .. radix / 2, the top one in 0 .. radix
    bool certified;  // coefficients may be wrong: the product is to be checked; width > 0
    bool wraps;      // the product is one modulo radix^(2 points) + 1; right angle, width > 0
    bool sums;       // of two products of such digits each (fft_float_sum)
    // In 2^-32 and below 2^31: proved bound of |computed - exact|; certified: what is expected
    // (fft_bound_expected).
    uint64_t error;
} fft_float_plan;

// fft_float_plan_limbs: the plan for operands of an and bn limbs (>= 1): digits of the greatest
// width that is proved, balanced where unsigned ones of that width are not; certified: balanced
// ones of the greatest width that fft_bound_doubt lets pass. fft_float_plan_words: for operands of
// words below an even radix <= 2^30, a digit each. NULL, or why no size is proved (a sentence of
// the program's own memory).
const char *fft_float_plan_limbs(fft_float_plan *plan, fft_bound_method method, fft_float type,
                                 uint64_t an, uint64_t bn, bool certified);
const char *fft_float_plan_words(fft_float_plan *plan, fft_bound_method method, fft_float type,
                                 uint64_t a_words, uint64_t b_words, uint64_t radix);

// fft_float_plan_wrapped: the plan of a right-angled product modulo 2^bits + 1 of operands of an
// and bn limbs (>= 1, 64 an and 64 bn <= bits). bits = 2 points width is the least such number of
// the widest digits that is 64 n or more, and a multiple of 64. sums: of the sums of two such
// products as well. NULL, or why there is none.
const char *fft_float_plan_wrapped(fft_float_plan *plan, fft_float type, uint64_t an, uint64_t bn,
                                   uint64_t n, bool sums);

// fft_float_plan_wrapped_pair: two such plans of the same points, modulo 2^bits + 1, bits >= 64 n,
// for operands as long as that, and in digits that are one bit wider: for sums of products of an
// operand of one limb more by one of bn <= n limbs.
const char *fft_float_plan_wrapped_pair(fft_float_plan plan[2], fft_float type, uint64_t bn,
                                        uint64_t n);

// fft_float_transforms: the transforms that a plan is made for: the least length that holds that
// many points, and the sums of its roundings (fft_bound_shape) for a shape whose other members are
// given; NULL, or why there is no transform of this length.
typedef struct {
    uint64_t (*length)(uint64_t points);
    const char *(*roundings)(fft_bound_shape *shape, uint64_t length);
} fft_float_transforms;

// fft_float_plan_by: fft_float_plan_limbs for transforms that are not complex.h's: of
// plan->transform only problem.type and problem.length are meant.
const char *fft_float_plan_by(fft_float_plan *plan, const fft_float_transforms *transforms,
                              fft_bound_method method, fft_float type, uint64_t an, uint64_t bn,
                              bool certified);

// fft_float_ops: loops for one instruction set; all give the same values.
typedef struct fft_float_ops fft_float_ops;
const fft_float_ops *fft_float_variant(cpu_simd simd);

// fft_float_convolution: what one convolution needs, of the caller's memory: 64-byte aligned.
typedef struct {
    const fft_float_plan *plan;
    const fft_complex_ops *ops;  // of the plan's type
    const fft_float_ops *loops;  // fft_float_variant
    const void *tables;          // fft_complex_tables of plan->transform
    void *values;                // fft_float_values_bytes: digits, then coefficients
    void *other;                 // fft_float_other_bytes: the digits of b; not read for a square
    void *workspace;             // fft_float_workspace_bytes for the team
    team *team;                  // or NULL
} fft_float_convolution;

uint64_t fft_float_values_bytes(const fft_float_plan *plan);
uint64_t fft_float_other_bytes(const fft_float_plan *plan);  // 0 if packed
uint64_t fft_float_workspace_bytes(const fft_float_plan *plan, unsigned threads);

// fft_float_operand: an operand's words. Requires: at most as many as the plan was made for.
typedef struct {
    const uint64_t *words;
    uint64_t words_n;
} fft_float_operand;

// fft_float_convolve: values = the coefficients of a b, or of a a for b == NULL, with an error
// below plan->error, or expected to be.
void fft_float_convolve(const fft_float_convolution *c, const fft_float_operand *a,
                        const fft_float_operand *b);

// For many products by the same b, right-angled: fft_float_prepare fills a plane, and
// fft_float_convolve_prepared does as fft_float_convolve with it. `other` is not read.
uint64_t fft_float_plane_bytes(const fft_float_plan *plan);
void fft_float_prepare(const fft_float_convolution *c, const fft_float_operand *b, void *plane);
void fft_float_convolve_prepared(const fft_float_convolution *c, const fft_float_operand *a,
                                 const void *plane);
// fft_float_sum: values = the coefficients of p0 p1 + p2 p3, or of p0 p1 - p2 p3 for `minus`, of
// planes that fft_float_prepare filled by a plan of sums. `other` is not read.
void fft_float_sum(const fft_float_convolution *c, const void *const planes[4], bool minus);

// Columns: the coefficients as unsigned words, in radix S. Word digits: S = radix, a column for
// each coefficient. Digits of 2^width: S = 2^(2 width), a column for two coefficients. With the
// surplus,
//     sum over j < columns of column_j S^j = sum of c_i radix^i + surplus S^columns.
// fft_float_read writes columns first .. first + n - 1; they are below 2^56; certified: they may be
// any words. Safe from several threads. (Coefficients are made unsigned by a bias that telescopes:
// m radix for the first one, m radix - m for the others.) A plan that wraps has WRAPPED_COLUMNS
// columns beyond its coefficients, for what these have above the modulus.
enum { FFT_FLOAT_WRAPPED_COLUMNS = 3 };
uint64_t fft_float_columns(const fft_float_plan *plan);
uint64_t fft_float_surplus(const fft_float_plan *plan);
void fft_float_read(uint64_t *out, const fft_float_convolution *c, uint64_t first, size_t n);

// fft_float_roundoff: the largest distance of computed coefficients first .. first + n - 1 from the
// nearest integer, first + n <= a_digits + b_digits, or 2 points if it wraps. Below plan->error
// 2^-32, or something is broken, if the plan is not certified.
double fft_float_roundoff(const fft_float_convolution *c, uint64_t first, uint64_t n);

#endif  // FFT_COMPLEX_FLOAT_PRODUCT_H_
