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

static bigint_status run_is_square(bigint_ctx *ctx, call *c) {
    int yes = 0;
    const bigint_status status = bigint_is_square(ctx, &yes, &c->in[0]->value);
    return entry_answered(c, status, yes);
}
static bigint_status run_is_power(bigint_ctx *ctx, call *c) {
    int yes = 0;
    const bigint_status status = bigint_is_power(ctx, &yes, &c->in[0]->value);
    return entry_answered(c, status, yes);
}
static bigint_status run_is_odd(bigint_ctx *ctx, call *c) {
    int bit = 0;
    const bigint_status status = bigint_tstbit(ctx, &bit, &c->in[0]->value, 0);
    return entry_answered(c, status, bit);
}
static bigint_status run_is_even(bigint_ctx *ctx, call *c) {
    const bigint_status status = run_is_odd(ctx, c);
    return entry_answered(c, status, c->answer == 0);
}
static bigint_status run_is_divisible(bigint_ctx *ctx, call *c) {
    int yes = 0;
    const bigint_status status = bigint_divisible(ctx, &yes, &c->in[0]->value, &c->in[1]->value);
    return entry_answered(c, status, yes);
}
static bigint_status run_is_congruent(bigint_ctx *ctx, call *c) {
    int yes = 0;
    const bigint_status status =
        bigint_congruent(ctx, &yes, &c->in[0]->value, &c->in[1]->value, &c->in[2]->value);
    return entry_answered(c, status, yes);
}
static bigint_status run_sign(bigint_ctx *ctx, call *c) {
    int sign = 0;
    const bigint_status status = bigint_sign(ctx, &sign, &c->in[0]->value);
    return entry_answered(c, status, sign);
}
static bigint_status run_cmp(bigint_ctx *ctx, call *c) {
    int order = 0;
    const bigint_status status = bigint_cmp(ctx, &order, &c->in[0]->value, &c->in[1]->value);
    return entry_answered(c, status, order);
}
static bigint_status run_cmp_abs(bigint_ctx *ctx, call *c) {
    int order = 0;
    const bigint_status status = bigint_cmp_abs(ctx, &order, &c->in[0]->value, &c->in[1]->value);
    return entry_answered(c, status, order);
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
                           run_test,
                           entry_linear,
                           RESULT_BOOL,
                           1,
                           1},
    [FUNCTION_BIT_SCAN0] = {{"bit_scan0", ENTRY_APPLY,
                             "bit_scan0(x, n=0): the first bit from n on that is 0, or None."},
                            run_scan0,
                            entry_linear,
                            RESULT_INDEX,
                            1,
                            1,
                            true},
    [FUNCTION_BIT_SCAN1] = {{"bit_scan1", ENTRY_APPLY,
                             "bit_scan1(x, n=0): the first bit from n on that is 1, or None."},
                            run_scan1,
                            entry_linear,
                            RESULT_INDEX,
                            1,
                            1,
                            true},
    [FUNCTION_BIT_SET] = {{"bit_set", ENTRY_APPLY, "bit_set(x, n): x with bit n set."},
                          run_set,
                          entry_linear,
                          RESULT_NUMBER,
                          1,
                          1},
    [FUNCTION_BIT_CLEAR] = {{"bit_clear", ENTRY_APPLY, "bit_clear(x, n): x with bit n cleared."},
                            run_clear,
                            entry_linear,
                            RESULT_NUMBER,
                            1,
                            1},
    [FUNCTION_BIT_FLIP] = {{"bit_flip", ENTRY_APPLY, "bit_flip(x, n): x with bit n changed."},
                           run_flip,
                           entry_linear,
                           RESULT_NUMBER,
                           1,
                           1},
    [FUNCTION_NUM_DIGITS] = {{"num_digits", ENTRY_APPLY,
                              "num_digits(x, base=10): the digits of |x|, or one more."},
                             run_num_digits,
                             entry_linear,
                             RESULT_INT,
                             1,
                             1,
                             true,
                             10,
                             refuse_base},
    [FUNCTION_IS_SQUARE] = {{"is_square", ENTRY_APPLY, "is_square(x): whether x is a square."},
                            run_is_square,
                            entry_products,
                            RESULT_BOOL,
                            1},
    [FUNCTION_IS_POWER] = {{"is_power", ENTRY_APPLY, "is_power(x): whether x = y ** k with k > 1."},
                           run_is_power,
                           quadratic,
                           RESULT_BOOL,
                           1},
    [FUNCTION_IS_EVEN] = {{"is_even", ENTRY_APPLY, "is_even(x): whether x is even."},
                          run_is_even,
                          entry_linear,
                          RESULT_BOOL,
                          1},
    [FUNCTION_IS_ODD] = {{"is_odd", ENTRY_APPLY, "is_odd(x): whether x is odd."},
                         run_is_odd,
                         entry_linear,
                         RESULT_BOOL,
                         1},
    [FUNCTION_IS_DIVISIBLE] = {{"is_divisible", ENTRY_APPLY,
                                "is_divisible(x, d): whether d divides x."},
                               run_is_divisible,
                               entry_products,
                               RESULT_BOOL,
                               2},
    [FUNCTION_IS_CONGRUENT] = {{"is_congruent", ENTRY_APPLY,
                                "is_congruent(x, y, m): whether m divides x - y."},
                               run_is_congruent,
                               entry_products,
                               RESULT_BOOL,
                               3},
    // Bits.
    {{"popcount", ENTRY_APPLY, "popcount(x): the ones of x >= 0; -1 for x < 0."},
     run_popcount,
     entry_linear,
     RESULT_INT,
     1},
    {{"hamdist", ENTRY_APPLY,
      "hamdist(x, y): the number of bits in which they differ; -1 if only one is negative."},
     run_hamdist,
     entry_linear,
     RESULT_INT,
     2},
    {{"bit_length", ENTRY_APPLY, "bit_length(x): x.bit_length()."},
     run_bit_length,
     entry_linear,
     RESULT_INT,
     1},
    {{"bit_mask", ENTRY_APPLY, "bit_mask(n): 2 ** n - 1."},
     run_bit_mask,
     bits,
     RESULT_NUMBER,
     0,
     1},
    // By powers of two.
    {{"f_div_2exp", ENTRY_APPLY, "f_div_2exp(x, n): x / 2 ** n, rounded down."},
     call_counted,
     entry_linear,
     RESULT_NUMBER,
     1,
     1,
     .counted = bigint_fdiv_2exp},
    {{"f_mod_2exp", ENTRY_APPLY, "f_mod_2exp(x, n): the remainder of f_div_2exp."},
     call_counted,
     entry_linear,
     RESULT_NUMBER,
     1,
     1,
     .counted = bigint_fdiv_r_2exp},
    {{"f_divmod_2exp", ENTRY_APPLY, "f_divmod_2exp(x, n): both."},
     run_f_divmod,
     entry_linear,
     RESULT_PAIR,
     1,
     1},
    {{"c_div_2exp", ENTRY_APPLY, "c_div_2exp(x, n): x / 2 ** n, rounded up."},
     call_counted,
     entry_linear,
     RESULT_NUMBER,
     1,
     1,
     .counted = bigint_cdiv_2exp},
    {{"c_mod_2exp", ENTRY_APPLY, "c_mod_2exp(x, n): the remainder of c_div_2exp."},
     call_counted,
     entry_linear,
     RESULT_NUMBER,
     1,
     1,
     .counted = bigint_cdiv_r_2exp},
    {{"c_divmod_2exp", ENTRY_APPLY, "c_divmod_2exp(x, n): both."},
     run_c_divmod,
     entry_linear,
     RESULT_PAIR,
     1,
     1},
    {{"t_div_2exp", ENTRY_APPLY, "t_div_2exp(x, n): x / 2 ** n, rounded toward zero."},
     call_counted,
     entry_linear,
     RESULT_NUMBER,
     1,
     1,
     .counted = bigint_tdiv_2exp},
    {{"t_mod_2exp", ENTRY_APPLY, "t_mod_2exp(x, n): the remainder of t_div_2exp."},
     call_counted,
     entry_linear,
     RESULT_NUMBER,
     1,
     1,
     .counted = bigint_tdiv_r_2exp},
    {{"t_divmod_2exp", ENTRY_APPLY, "t_divmod_2exp(x, n): both."},
     run_t_divmod,
     entry_linear,
     RESULT_PAIR,
     1,
     1},
    // Comparisons.
    {{"sign", ENTRY_APPLY, "sign(x): -1, 0 or 1."}, run_sign, entry_linear, RESULT_INT, 1},
    {{"cmp", ENTRY_APPLY, "cmp(x, y): -1, 0 or 1 for x < y, x = y, x > y."},
     run_cmp,
     entry_linear,
     RESULT_INT,
     2},
    {{"cmp_abs", ENTRY_APPLY, "cmp_abs(x, y): cmp(abs(x), abs(y))."},
     run_cmp_abs,
     entry_linear,
     RESULT_INT,
     2},
};

PyObject *functions_method(enum function f, PyObject *x, PyObject *const *args, Py_ssize_t n) {
    return entry_method(&entries[f], x, args, n);
}

int functions_add_bits(PyObject *module) {
    return entry_add(module, entries, sizeof entries / sizeof entries[0]);
}
