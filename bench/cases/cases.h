// cases.h: what can be measured. A case is an operation that the library and GMP do on the same
// operands. A sweep is a case over a range of sizes. The registry is the list of sweeps. Includes
// the public header and GMP.
#ifndef BENCH_CASES_CASES_H_
#define BENCH_CASES_CASES_H_

#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bigint/bigint.h"

// bench_state: the operands of one row on both sides; g* are GMP's. A case uses what it needs.
typedef struct {
    bigint_ctx *ctx;
    bigint_ctx *single;  // as ctx but of one thread; NULL unless the case asks for it
    bigint a, b, m, r, s;
    bigint sum, product;  // of sum.c
    mpz_t ga, gb, gm, gr, gs;
    char *text_a, *text_b, *text_r, *text_gr;  // NUL-terminated; lengths without the NUL
    size_t length_a, length_b, cap_r;
    uint64_t *limbs;  // for comparing and for cases on bare limbs
    size_t limbs_cap;
    uint64_t n;                       // the case's size when it is not a number of bits
    uint64_t count;                   // operations in one call; 0: one
    const void *form;                 // the case's
    char error[256];                  // why the last call failed; "" if none did
    bigint_ctx_options options;       // as given to ctx
    void *own;                        // the case's own data, made by prepare and freed by finish
    const char *engine, *variant;     // what ran instead of ctx; NULL: ctx ran
    char plan[128];                   // its plan
    double error_l2, rival_error_l2;  // relative errors in the L2 norm; 0: not asked for
} bench_state;

// bench_row: one size of a sweep. an, bn are bits, or digits (text), coefficients (carry), points.
typedef struct {
    uint64_t an, bn;
} bench_row;

// bench_unit: what the sizes of a case count. bench_unit_name is its name in records and tables.
typedef enum { UNIT_BITS, UNIT_DIGITS, UNIT_COEFFICIENTS, UNIT_POINTS } bench_unit;
const char *bench_unit_name(bench_unit unit);

// bench_case: one operation. prepare makes the operands. ours and theirs do the operation once.
// check compares their results limb by limb. expect computes GMP's result for check if the rival is
// not GMP (NULL: it is). All return false and set state->error on failure. available tells whether
// the rival is installed (NULL: always). finish frees what prepare made (NULL: nothing to free).
typedef struct {
    const char *name;   // field `case` of the record
    const char *op;     // which operation of the case, "" if it has one
    const void *form;   // what cases of one file differ in, if they share their functions
    bench_unit unit;    // of an and bn
    const char *rival;  // NULL: GMP
    const char *mode;   // of the library's context; NULL: exact
    bool (*available)(void);
    bool (*prepare)(bench_state *s, const bench_row *row);
    bool (*ours)(void *state);
    bool (*theirs)(void *state);
    bool (*expect)(bench_state *s);
    bool (*check)(void *state);
    void (*finish)(bench_state *s);
    // Model of the least work, see schema.md.
    enum { WORK_NONE, WORK_PRODUCT, WORK_SQUARE, WORK_BYTES, WORK_OPERATIONS } work;
    const char *work_note;                       // WORK_NONE: the reason
    double (*bytes)(const bench_row *row);       // WORK_BYTES: bytes read and written
    double (*operations)(const bench_row *row);  // WORK_OPERATIONS: FP64, fused ones counted once
} bench_case;

// The cases, each in the file of its name.
extern const bench_case bench_case_mul, bench_case_sqr, bench_case_threads;       // mul.c
extern const bench_case bench_case_sum_2, bench_case_sum_4;                       // sum.c
extern const bench_case bench_case_divrem, bench_case_div_prep, bench_case_powm;  // div.c
extern const bench_case bench_case_gcd, bench_case_gcdext;                        // div.c
extern const bench_case bench_case_sqrt, bench_case_cbrt, bench_case_mul_mod;     // root.c
extern const bench_case bench_case_read, bench_case_write, bench_case_mul_text;   // text.c
extern const bench_case bench_case_carry;                                         // carry.c
extern const bench_case bench_case_fft, bench_case_rfft;                          // fft.c
// certified.c: against products in mode exact, and against those with their check.
extern const bench_case bench_case_certified_mul, bench_case_certified_mul_checked;
extern const bench_case bench_case_certified_sqr, bench_case_certified_sqr_checked;
enum {
    BATCH_MUL,
    BATCH_MUL_MPN,
    BATCH_RAGGED,
    BATCH_MIXED,
    BATCH_SQR,
    BATCH_MULMOD,
    BATCH_MULMOD_COMMON,
    BATCH_SQRMOD_COMMON,
    BATCH_DIVREM,
    BATCH_POWM,
    BATCH_PRIME
};
extern const bench_case bench_cases_batch[];  // batch.c
enum {
    MPZ_ADD_U64,
    MPZ_MUL_U64,
    MPZ_ADDMUL_U64,
    MPZ_ADDMUL,
    MPZ_CMP_U64,
    MPZ_TDIV_U64,
    MPZ_MOD_U64,
    MPZ_DIVEXACT_U64,
    MPZ_DIVISIBLE_U64,
    MPZ_AND,
    MPZ_OR,
    MPZ_XOR,
    MPZ_AND_NEGATIVE,
    MPZ_COM,
    MPZ_POPCOUNT,
    MPZ_HAMMING,
    MPZ_SCAN1,
    MPZ_TSTBIT,
    MPZ_SETBIT,
    MPZ_MUL_2EXP,
    MPZ_FDIV_2EXP,
    MPZ_FDIV_R_2EXP,
    MPZ_FDIV_2EXP_NEGATIVE,
    MPZ_FDIV_R_2EXP_NEGATIVE,
    MPZ_DIVREM,
    MPZ_FDIV_NEGATIVE,
    MPZ_MOD,
    MPZ_DIVEXACT,
    MPZ_DIVISIBLE,
    MPZ_SQRT,
    MPZ_SQRTREM,
    MPZ_ROOT_3,
    MPZ_IS_SQUARE,
    MPZ_GCD,
    MPZ_GCD_U64,
    MPZ_LCM,
    MPZ_INVERT,
    MPZ_KRONECKER,
    MPZ_IS_PRIME,
    MPZ_NEXT_PRIME,
    MPZ_FIBONACCI,
    MPZ_LUCAS,
    MPZ_BINOMIAL,
    MPZ_POW_U64,
};
extern const bench_case bench_cases_mpz[];  // mpz.c

// bench_sweep: sizes an = base^k num / den, or k num / den if base is 1, for k = first, first +
// step, ... last. bn follows from shape: an / shape, or one limb if shape is 0.
typedef struct {
    const char *topic;  // the record file, and the name to ask for on the command line
    const bench_case *operation;
    unsigned base, first, last, last_long, step;
    unsigned num, den;
    unsigned shape;
    const char *engine, *variant;  // forced, or NULL for the library's choice
    bool two_threads;              // ours runs on two threads unless --threads says otherwise
} bench_sweep;

// The registry, in the order in which rows are measured; *count is its length.
const bench_sweep *bench_sweeps(size_t *count);

// --- For the cases -------------------------------------------------------------------------------

// bench_set_random gives *x and *gx the same `bits` random bits, the top one set.
bool bench_set_random(bench_state *s, bigint *x, mpz_t gx, uint64_t bits, uint64_t seed);
// bench_same: true if x equals gx in sign and in every limb. Otherwise false, with the first
// difference in state->error.
bool bench_same(bench_state *s, const bigint *x, const mpz_t gx);
// bench_prepare_one and bench_check_result serve cases of one operand and one result: the first
// sets a to row->an random bits, the second compares r with gr.
bool bench_prepare_one(bench_state *s, const bench_row *row);
bool bench_check_result(void *state);
// bench_ok: true if status is BIGINT_OK. Otherwise bench_failed copies the library's text to
// state->error and it is false. Inline, because it is timed, as a caller's own check would be.
bool bench_failed(bench_state *s, bigint_status status);
static inline bool bench_ok(bench_state *s, bigint_status status) {
    return status == BIGINT_OK || bench_failed(s, status);
}
// bench_limbs: makes room for n limbs in state->limbs; false without memory.
bool bench_limbs(bench_state *s, size_t n);

// --- For the main program ------------------------------------------------------------------------

// bench_state_open makes contexts with these options and zero numbers; false leaves only
// state->error.
bool bench_state_open(bench_state *s, const bigint_ctx_options *options, bool with_single);
void bench_state_close(bench_state *s);

#endif  // BENCH_CASES_CASES_H_
