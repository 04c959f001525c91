// functions_bits.c: bits, powers of two, and questions.
#include "entry.h"
#include "functions.h"

// --- Bits ----------------------------------------------------------------------------------------

// UINT64_MAX becomes -1, as gmpy2's functions return it.
static bigint_status run_popcount(bigint_ctx *ctx, call *c) {
    return bigint_popcount(ctx, (uint64_t *)&c->answer, &c->in[0]->value);
}
static bigint_status run_hamdist(bigint_ctx *ctx, call *c) {
    return bigint_hamming(ctx, (uint64_t *)&c->answer, &c->in[0]->value, &c->in[1]->value);
}
static bigint_status run_bit_length(bigint_ctx *ctx, call *c) {
    return bigint_bits(ctx, (uint64_t *)&c->answer, &c->in[0]->value);
}
static bigint_status run_scan0(bigint_ctx *ctx, call *c) {
    return bigint_scan0(ctx, (uint64_t *)&c->answer, &c->in[0]->value, c->k);
}
static bigint_status run_scan1(bigint_ctx *ctx, call *c) {
    return bigint_scan1(ctx, (uint64_t *)&c->answer, &c->in[0]->value, c->k);
}
static bigint_status run_test(bigint_ctx *ctx, call *c) {
    int bit = 0;
    const bigint_status status = bigint_tstbit(ctx, &bit, &c->in[0]->value, c->k);
    return entry_answered(c, status, bit);
}

typedef bigint_status (*change)(bigint_ctx *ctx, bigint *r, uint64_t index);

static bigint_status changed(bigint_ctx *ctx, const call *c, change f) {
    bigint *const r = &c->out[0]->value;
    const bigint_status status = bigint_set(ctx, r, &c->in[0]->value);
    return status == BIGINT_OK ? f(ctx, r, c->k) : status;
}
static bigint_status run_set(bigint_ctx *ctx, call *c) { return changed(ctx, c, bigint_setbit); }
static bigint_status run_clear(bigint_ctx *ctx, call *c) { return changed(ctx, c, bigint_clrbit); }
static bigint_status run_flip(bigint_ctx *ctx, call *c) { return changed(ctx, c, bigint_combit); }

static bigint_status run_bit_mask(bigint_ctx *ctx, call *c) {
    bigint *const r = &c->out[0]->value;
    bigint_status status = bigint_set_i64(ctx, r, -1);
    status = status != BIGINT_OK ? status : bigint_mul_2exp(ctx, r, r, c->k);
    return status != BIGINT_OK ? status : bigint_com(ctx, r, r);
}

// --- Powers of two -------------------------------------------------------------------------------

// both: quotient and remainder.
static bigint_status both(bigint_ctx *ctx, const call *c, short_counted quotient,
                          short_counted remainder) {
    const bigint *const a = &c->in[0]->value;
    const bigint_status status = quotient(ctx, &c->out[0]->value, a, c->k);
    return status == BIGINT_OK ? remainder(ctx, &c->out[1]->value, a, c->k) : status;
}

static bigint_status run_f_divmod(bigint_ctx *ctx, call *c) {
    return both(ctx, c, bigint_fdiv_2exp, bigint_fdiv_r_2exp);
}
static bigint_status run_c_divmod(bigint_ctx *ctx, call *c) {
    return both(ctx, c, bigint_cdiv_2exp, bigint_cdiv_r_2exp);
}
static bigint_status run_t_divmod(bigint_ctx *ctx, call *c) {
    return both(ctx, c, bigint_tdiv_2exp, bigint_tdiv_r_2exp);
}

// --- Questions -----------------------------------------------------------------------------------

static bigint_status run_is_odd(bigint_ctx *ctx, call *c) {
    int bit = 0;
    const bigint_status status = bigint_tstbit(ctx, &bit, &c->in[0]->value, 0);
    return entry_answered(c, status, bit);
}
static bigint_status run_is_even(bigint_ctx *ctx, call *c) {
    const bigint_status status = run_is_odd(ctx, c);
    return entry_answered(c, status, c->answer == 0);
}
static bigint_status run_num_digits(bigint_ctx *ctx, call *c) {
    return bigint_digits_bound(ctx, (uint64_t *)&c->answer, &c->in[0]->value, (int)c->k);
}

static const char *refuse_base(const call *c) {
    return c->k >= 2 && c->k <= 62 ? NULL : "the base is 2 to 62";
}

// --- The table -----------------------------------------------------------------------------------

static double bits(const call *c) { return (double)c->k / 64; }
static double quadratic(const call *c) { return 64 * entry_products(c) * entry_products(c); }

static const entry entries[] = {
    // Methods as well: at their places.
    [FUNCTION_BIT_TEST] = {{"bit_test", ENTRY_APPLY, "bit_test(x, n): whether bit n of x is set."},
                           .run = run_test,
                           .effort = entry_linear,
                           .result = RESULT_BOOL,
                           .numbers = 1,
                           .counts = 1},
    [FUNCTION_BIT_SCAN0] = {{"bit_scan0", ENTRY_APPLY,
                             "bit_scan0(x, n=0): the first bit from n on that is 0, or None."},
                            .run = run_scan0,
                            .effort = entry_linear,
                            .result = RESULT_INDEX,
                            .numbers = 1,
                            .counts = 1,
                            .optional = true},
    [FUNCTION_BIT_SCAN1] = {{"bit_scan1", ENTRY_APPLY,
                             "bit_scan1(x, n=0): the first bit from n on that is 1, or None."},
                            .run = run_scan1,
                            .effort = entry_linear,
                            .result = RESULT_INDEX,
                            .numbers = 1,
                            .counts = 1,
                            .optional = true},
    [FUNCTION_BIT_SET] = {{"bit_set", ENTRY_APPLY, "bit_set(x, n): x with bit n set."},
                          .run = run_set,
                          .effort = entry_linear,
                          .result = RESULT_NUMBER,
                          .numbers = 1,
                          .counts = 1},
    [FUNCTION_BIT_CLEAR] = {{"bit_clear", ENTRY_APPLY, "bit_clear(x, n): x with bit n cleared."},
                            .run = run_clear,
                            .effort = entry_linear,
                            .result = RESULT_NUMBER,
                            .numbers = 1,
                            .counts = 1},
    [FUNCTION_BIT_FLIP] = {{"bit_flip", ENTRY_APPLY, "bit_flip(x, n): x with bit n changed."},
                           .run = run_flip,
                           .effort = entry_linear,
                           .result = RESULT_NUMBER,
                           .numbers = 1,
                           .counts = 1},
    [FUNCTION_NUM_DIGITS] = {{"num_digits", ENTRY_APPLY,
                              "num_digits(x, base=10): the digits of |x|, or one more."},
                             .run = run_num_digits,
                             .effort = entry_linear,
                             .result = RESULT_INT,
                             .numbers = 1,
                             .counts = 1,
                             .optional = true,
                             .otherwise = 10,
                             .refuse = refuse_base},
    [FUNCTION_IS_SQUARE] = {{"is_square", ENTRY_APPLY, "is_square(x): whether x is a square."},
                            .ask_one = bigint_is_square,
                            .effort = entry_products,
                            .result = RESULT_BOOL,
                            .numbers = 1},
    [FUNCTION_IS_POWER] = {{"is_power", ENTRY_APPLY, "is_power(x): whether x = y ** k with k > 1."},
                           .ask_one = bigint_is_power,
                           .effort = quadratic,
                           .result = RESULT_BOOL,
                           .numbers = 1},
    [FUNCTION_IS_EVEN] = {{"is_even", ENTRY_APPLY, "is_even(x): whether x is even."},
                          .run = run_is_even,
                          .effort = entry_linear,
                          .result = RESULT_BOOL,
                          .numbers = 1},
    [FUNCTION_IS_ODD] = {{"is_odd", ENTRY_APPLY, "is_odd(x): whether x is odd."},
                         .run = run_is_odd,
                         .effort = entry_linear,
                         .result = RESULT_BOOL,
                         .numbers = 1},
    [FUNCTION_IS_DIVISIBLE] = {{"is_divisible", ENTRY_APPLY,
                                "is_divisible(x, d): whether d divides x."},
                               .ask_two = bigint_divisible,
                               .effort = entry_products,
                               .result = RESULT_BOOL,
                               .numbers = 2},
    [FUNCTION_IS_CONGRUENT] = {{"is_congruent", ENTRY_APPLY,
                                "is_congruent(x, y, m): whether m divides x - y."},
                               .ask_three = bigint_congruent,
                               .effort = entry_products,
                               .result = RESULT_BOOL,
                               .numbers = 3},
    // Bits.
    {{"popcount", ENTRY_APPLY, "popcount(x): the ones of x >= 0; -1 for x < 0."},
     .run = run_popcount,
     .effort = entry_linear,
     .result = RESULT_INT,
     .numbers = 1},
    {{"hamdist", ENTRY_APPLY,
      "hamdist(x, y): the number of bits in which they differ; -1 if only one is negative."},
     .run = run_hamdist,
     .effort = entry_linear,
     .result = RESULT_INT,
     .numbers = 2},
    {{"bit_length", ENTRY_APPLY, "bit_length(x): x.bit_length()."},
     .run = run_bit_length,
     .effort = entry_linear,
     .result = RESULT_INT,
     .numbers = 1},
    {{"bit_mask", ENTRY_APPLY, "bit_mask(n): 2 ** n - 1."},
     .run = run_bit_mask,
     .effort = bits,
     .result = RESULT_NUMBER,
     .counts = 1},
    // By powers of two.
    {{"f_div_2exp", ENTRY_APPLY, "f_div_2exp(x, n): x / 2 ** n, rounded down."},
     .counted = bigint_fdiv_2exp,
     .effort = entry_linear,
     .result = RESULT_NUMBER,
     .numbers = 1,
     .counts = 1},
    {{"f_mod_2exp", ENTRY_APPLY, "f_mod_2exp(x, n): the remainder of f_div_2exp."},
     .counted = bigint_fdiv_r_2exp,
     .effort = entry_linear,
     .result = RESULT_NUMBER,
     .numbers = 1,
     .counts = 1},
    {{"f_divmod_2exp", ENTRY_APPLY, "f_divmod_2exp(x, n): both."},
     .run = run_f_divmod,
     .effort = entry_linear,
     .result = RESULT_PAIR,
     .numbers = 1,
     .counts = 1},
    {{"c_div_2exp", ENTRY_APPLY, "c_div_2exp(x, n): x / 2 ** n, rounded up."},
     .counted = bigint_cdiv_2exp,
     .effort = entry_linear,
     .result = RESULT_NUMBER,
     .numbers = 1,
     .counts = 1},
    {{"c_mod_2exp", ENTRY_APPLY, "c_mod_2exp(x, n): the remainder of c_div_2exp."},
     .counted = bigint_cdiv_r_2exp,
     .effort = entry_linear,
     .result = RESULT_NUMBER,
     .numbers = 1,
     .counts = 1},
    {{"c_divmod_2exp", ENTRY_APPLY, "c_divmod_2exp(x, n): both."},
     .run = run_c_divmod,
     .effort = entry_linear,
     .result = RESULT_PAIR,
     .numbers = 1,
     .counts = 1},
    {{"t_div_2exp", ENTRY_APPLY, "t_div_2exp(x, n): x / 2 ** n, rounded toward zero."},
     .counted = bigint_tdiv_2exp,
     .effort = entry_linear,
     .result = RESULT_NUMBER,
     .numbers = 1,
     .counts = 1},
    {{"t_mod_2exp", ENTRY_APPLY, "t_mod_2exp(x, n): the remainder of t_div_2exp."},
     .counted = bigint_tdiv_r_2exp,
     .effort = entry_linear,
     .result = RESULT_NUMBER,
     .numbers = 1,
     .counts = 1},
    {{"t_divmod_2exp", ENTRY_APPLY, "t_divmod_2exp(x, n): both."},
     .run = run_t_divmod,
     .effort = entry_linear,
     .result = RESULT_PAIR,
     .numbers = 1,
     .counts = 1},
    // Comparisons.
    {{"sign", ENTRY_APPLY, "sign(x): -1, 0 or 1."},
     .ask_one = bigint_sign,
     .effort = entry_linear,
     .result = RESULT_INT,
     .numbers = 1},
    {{"cmp", ENTRY_APPLY, "cmp(x, y): -1, 0 or 1 for x < y, x = y, x > y."},
     .ask_two = bigint_cmp,
     .effort = entry_linear,
     .result = RESULT_INT,
     .numbers = 2},
    {{"cmp_abs", ENTRY_APPLY, "cmp_abs(x, y): cmp(abs(x), abs(y))."},
     .ask_two = bigint_cmp_abs,
     .effort = entry_linear,
     .result = RESULT_INT,
     .numbers = 2},
};

PyObject *functions_method(enum function f, PyObject *x, PyObject *const *args, Py_ssize_t n) {
    return entry_method(&entries[f], x, args, n);
}

int functions_add_bits(PyObject *module) {
    return entry_add(module, entries, sizeof entries / sizeof entries[0]);
}
