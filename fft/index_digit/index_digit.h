// index_digit.h: plans of index-digit transforms as plain data: what is transformed, the parameters
// (n, p, s, l, b), the stages, their string operators and mapping vectors. Does no arithmetic and
// allocates nothing. Includes only C's own headers.
//
// The document is docs/index_digit.md; names and notation are from [Dieguez18], [Lobeiras16]. An
// index is a word of digits [t_n ... t_1], t_1 the least significant, each of radix 2, or in
// lengths that are no power of two each of radix 2, 3, 5 or 7, as the stages have them. A transform
// consumes input digits from t_n down and produces output digits f_1, f_2, ... A *slot* is a digit
// followed through the transform: slot j is input digit t_j until a stage consumes it and an output
// digit from then on. A layout is thus a permutation of slots: a word.
#ifndef FFT_INDEX_DIGIT_INDEX_DIGIT_H_
#define FFT_INDEX_DIGIT_INDEX_DIGIT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    FFT_ID_DIGITS_MAX = 33,
    FFT_ID_STAGES_MAX = FFT_ID_DIGITS_MAX,
    FFT_ID_P_MAX = 6,              // 64 items in a thread's registers; also the largest node
    FFT_ID_LG_ITEMS_MAX = 48,      // length times batch
    FFT_ID_SPEC_BYTES = 320,       // room for any spec, with its zero
    FFT_ID_EXPLAIN_BYTES = 32768,  // room for any explanation, with its zero
};

typedef enum {
    FFT_ID_COMPLEX_F64,
    FFT_ID_COMPLEX_F32,
    FFT_ID_REAL_F64,
    FFT_ID_REAL_F32,
    FFT_ID_MODULAR,
    FFT_ID_ELEMENTS
} fft_id_element;

// Forward: sum of x[j] w^(jk) with w = exp(-2 pi i / length); inverse with exp(+2 pi i / length),
// without the factor 1 / length.
typedef enum { FFT_ID_FORWARD, FFT_ID_INVERSE, FFT_ID_DIRECTIONS } fft_id_direction;

// Natural: input and output by index; every pass writes to other memory than it reads. Reversed:
// the frequency with digits [f_n ... f_1] stands at address [f_1 ... f_n], on output of a forward
// and on input of an inverse transform, for any radices; every pass is in place. Of complex items
// or residues, lengths 2^a: elsewhere there is no such order (docs/index_digit.md).
typedef enum { FFT_ID_NATURAL, FFT_ID_REVERSED, FFT_ID_ORDERS } fft_id_order;

// fft_id_problem: what is to be transformed. Real elements are transformed as pairs (even, odd), so
// there is one digit less than the length has. Packing and unpacking the half spectrum is not a
// stage.
typedef struct {
    fft_id_element element;
    fft_id_direction direction;
    fft_id_order order;
    uint8_t exponent[4];  // length = 2^e0 3^e1 5^e2 7^e3, at most 2^33
    uint64_t batch;       // problems, one after the other in memory; >= 1
} fft_id_problem;

// fft_id_tuple: the free ones of (n, p, s, l, b), as numbers of digits. n is the problem's, a block
// has 2^l threads with l = s - p, a problem 2^b blocks with b = n - s. Where the length is no power
// of two they are bounds: nodes of at most 2^p points, a block of at most 2^s items, 2^x lines of a
// pass side by side.
typedef struct {
    uint8_t p;  // a thread holds 2^p items in registers
    uint8_t s;  // a block holds 2^s items in its registers or its shared memory
    uint8_t x;  // runs of 2^x items are contiguous in every access to global memory
} fft_id_tuple;

// Where a stage finds its operands.
typedef enum {
    FFT_ID_GLOBAL,    // loaded from global memory: a pass begins
    FFT_ID_SHARED,    // exchanged with the other threads of the block
    FFT_ID_REGISTER,  // already in the thread's registers
    FFT_ID_WHERES
} fft_id_where;

// The factors between the stages. With h = the stage's top digit, c = n - h digits consumed before
// it, q = its number of digits, j and k its input and output fields:
// before: item j times w_(2^(c+q))^(j K), K = [f_c ... f_1], before the node;
// after:  item k times w_(2^h)^(k T), T = [t_(h-q) ... t_1], after the node.
// A plan takes one of the two throughout; the factor that is 1 everywhere (before the first node,
// after the last) is none.
typedef enum { FFT_ID_NONE, FFT_ID_BEFORE, FFT_ID_AFTER, FFT_ID_TWIDDLES } fft_id_twiddle;

// fft_id_stage: one node operator: DFTs of `radix` points over the input digits from `top` down to
// top - digits + 1.
typedef struct {
    uint8_t radix;    // 2^digits; if the length is no power of 2, a product of that many primes
    uint8_t where;    // fft_id_where
    uint8_t top;      // the most significant input digit consumed, 1 .. n
    uint8_t digits;   // 1 .. p
    uint8_t twiddle;  // fft_id_twiddle
} fft_id_stage;

typedef struct {
    fft_id_problem problem;
    fft_id_tuple tuple;
    uint8_t stages_n;
    fft_id_stage stage[FFT_ID_STAGES_MAX];
} fft_id_plan;

// fft_id_pairs: whether an item (what stages treat as one number) is a pair of reals.
bool fft_id_pairs(const fft_id_problem *problem);
// fft_id_item_bytes: of a complex number, a pair of reals or a residue.
size_t fft_id_item_bytes(const fft_id_problem *problem);
// fft_id_digits: n, the digits that the stages consume.
unsigned fft_id_digits(const fft_id_problem *problem);
// fft_id_length: N, the points that are transformed, of reals pairs; 0 where it is above 2^33.
uint64_t fft_id_length(const fft_id_problem *problem);
// fft_id_set_length sets the exponents. Returns NULL, or why there are none: the length is not
// within 2 to 2^33, or has a prime factor above 7.
const char *fft_id_set_length(fft_id_problem *problem, uint64_t length);
// fft_id_mixed: whether the length has a factor 3, 5 or 7. Such plans have no mapping vectors and
// no candidates. Their elements are complex or an even number of reals, their order is natural, and
// their stages are global or shared.
bool fft_id_mixed(const fft_id_problem *problem);

// fft_id_refusal returns NULL for a valid plan, otherwise the reason it is not valid (a string
// literal). All functions below that take a plan require a valid one unless they say otherwise.
const char *fft_id_refusal(const fft_id_plan *plan);

// fft_id_make: the plan of fewest passes for this tuple, with passes and nodes of nearly equal
// size, nodes as large as p allows and the larger ones first. Of powers of two the smaller passes
// come first, so that one that reads and writes parts of lines has more of them side by side; from
// reals to frequencies, and in reversed order, the larger ones. rule: before or after. Returns
// fft_id_refusal of it. Cost where the length is no power of two: up to 2^(s - x) divisions for
// each way to begin.
const char *fft_id_make(fft_id_plan *plan, const fft_id_problem *problem, fft_id_tuple tuple,
                        fft_id_twiddle rule);

// fft_id_passes: kernels, that is sweeps over global memory.
unsigned fft_id_passes(const fft_id_plan *plan);
// fft_id_pass_end: the stage after the last one of the pass that begins at stage `first`.
unsigned fft_id_pass_end(const fft_id_plan *plan, unsigned first);

// Words and string operators ------------------------------------------------------------------

// fft_id_word: slot[i] is the slot at address digit i, i = n .. 1; slot[0] is not used.
typedef struct {
    uint8_t n;
    uint8_t slot[FFT_ID_DIGITS_MAX + 1];
} fft_id_word;

typedef enum {
    FFT_ID_NODE,               // DFTs over the field i..j; moves nothing
    FFT_ID_UNSHUFFLE,          // cyclic shift right of digits i..j, `times` times
    FFT_ID_GENERAL_UNSHUFFLE,  // the same of i..j followed by k..l; what lies between stays
    FFT_ID_REVERSAL            // digits i..j in reverse order
} fft_id_operation;

typedef struct {
    fft_id_operation operation;
    uint8_t i, j, k, l;  // i >= j >= k >= l >= 1; k, l: of the general unshuffle only
    uint8_t times;       // of unshuffles
} fft_id_operator;

// fft_id_apply: the word after the operator. Requires i <= word->n.
void fft_id_apply(fft_id_operator op, fft_id_word *word);

enum { FFT_ID_STAGE_OPERATORS = 2 };
// fft_id_stage_operators: the operators of a stage, to be applied from first to last. Natural:
// unshuffle, node. Reversed: node, reversal (forward) and reversal, node (inverse).
void fft_id_stage_operators(const fft_id_plan *plan, unsigned stage,
                            fft_id_operator ops[FFT_ID_STAGE_OPERATORS]);

// fft_id_word_before: the layout in which the operands of stage 0 .. stages_n lie; that of stage
// stages_n is the result's.
fft_id_word fft_id_word_before(const fft_id_plan *plan, unsigned stage);

// fft_id_output_digit: i where f_i is what the stages make of slot j: 1 .. n.
unsigned fft_id_output_digit(const fft_id_plan *plan, unsigned slot);

// Mapping vectors -----------------------------------------------------------------------------

typedef enum { FFT_ID_IN_REGISTER, FFT_ID_IN_THREAD, FFT_ID_IN_BLOCK } fft_id_resource;

// fft_id_mapping: which resource indexes each slot, 1 .. n: slot j is bit bit[j] of the number of
// the register (0 .. 2^p - 1), of the thread in its block, or of the block in its problem.
typedef struct {
    uint8_t resource[FFT_ID_DIGITS_MAX + 1];
    uint8_t bit[FFT_ID_DIGITS_MAX + 1];
} fft_id_mapping;

// fft_id_stage_mapping: the mapping while a stage is computed. It is the same for a stage and the
// register stages after it; blocks are the same for all stages of a pass. The group's digits
// are the low bits of the register's number, in their order.
fft_id_mapping fft_id_stage_mapping(const fft_id_plan *plan, unsigned stage);

// Text ----------------------------------------------------------------------------------------

// fft_id_print: the plan as one word, at most FFT_ID_SPEC_BYTES with the zero:
//     ELEMENT:DIRECTION:ORDER:2^a[*3^b][*5^c][*7^d]xBATCH:pP,sS,xX:STAGES
// ELEMENT cf64 | cf32 | rf64 | rf32 | mod, DIRECTION fwd | inv, ORDER nat | rev; STAGES separated
// by commas, each g (global), s (shared) or r (register), radix, and < (twiddles before), > (after)
// or nothing. Writes like snprintf and returns what it returns; the plan need not be valid, but its
// enumerations must be in range.
int fft_id_print(const fft_id_plan *plan, char *text, size_t bytes);

// fft_id_parse reads a spec into *plan. Returns NULL, or a reason; *plan is undefined then. Parsing
// what fft_id_print wrote gives the same plan.
const char *fft_id_parse(fft_id_plan *plan, const char *spec);

// fft_id_explain: the plan as a table: for each stage its operators, the layout after each of them
// and the mapping vector (p: register, l: thread, b: block). Writes like snprintf.
int fft_id_explain(const fft_id_plan *plan, char *text, size_t bytes);

// Choice --------------------------------------------------------------------------------------

// fft_id_limits: what one multiprocessor of a device has. Registers are of 32 bits.
typedef struct {
    uint32_t registers_per_thread, registers;
    uint32_t shared_bytes_per_block, shared_bytes;
    uint32_t threads_per_block, threads;
    uint32_t blocks;
    uint32_t sector_bytes;  // least contiguous bytes that do not waste memory traffic
} fft_id_limits;

typedef struct {
    fft_id_tuple tuple;
    uint32_t passes;
    uint32_t blocks, warps;  // resident on a multiprocessor, by this file's estimate
} fft_id_candidate;

// fft_id_candidates: the tuples that the limits allow, best first by the papers' premises: fewest
// passes; a quarter of the warps resident (more seldom helps); most items per thread. Ties are left
// to measurement. Writes the first `capacity` candidates and returns how many there are, 0 if no
// tuple serves the problem. Cost: some hundreds of tuples, no allocation.
size_t fft_id_candidates(const fft_id_problem *problem, const fft_id_limits *limits,
                         fft_id_candidate *candidates, size_t capacity);

// fft_id_paper_tuple: the tuples of MS-ID-FFT.V1 (radix 16) and V2 (radix 8) of [Dieguez18] for n
// digits: s = 12, p = x = 4 or 3; x = 0 in one pass. Requires version 1 or 2, n >= 1.
fft_id_tuple fft_id_paper_tuple(unsigned version, unsigned n);

#ifdef __cplusplus
}
#endif

#endif  // FFT_INDEX_DIGIT_INDEX_DIGIT_H_
