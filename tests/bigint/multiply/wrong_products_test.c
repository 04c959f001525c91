// Calls whose products are wrong, as with bad memory or on an emulator whose operations differ: any
// words may come out of the transform, but none may become a length, a shift or a number of turns.
// So every call returns, with a wrong number or ECHECK, and the context can go on.
#include <stdio.h>
#include <stdlib.h>

#include "bigint/bigint_gmp.h"
#include "bigint/core/context.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"

// Long enough for the trees of decimal text, for reciprocals and for both kinds of square root.
enum { RARITIES = 4, DIGITS = 120000, LIMBS = 6100, MIDDLE_LIMBS = 2000 };

// fault: coefficients become a number of `shape`, a block of them where a draw below `rarely` is 0.
static struct {
    const fft_ops *right;
    gen g;
    gen_shape shape;
    uint64_t rarely, times;
} fault;

static void wrong_coefficients(uint64_t *c, const fft_plan *plan, const double *const *planes,
                               uint64_t first, size_t n) {
    fault.right->coefficients(c, plan, planes, first, n);
    if (gen_below(&fault.g, fault.rarely) == 0) {
        gen_limbs(&fault.g, fault.shape, c, n * FFT_COEFFICIENT_WORDS);
        fault.times++;
    }
}

// numbers: operands of the calls, a > c > b, drawn by right products, and results.
typedef struct {
    bigint_ctx *ctx;
    bigint a, b, c, exponent, q, r;
    char *text, *out;
} numbers;

static bigint_status set_decimal(numbers *x) {
    return bigint_set_decimal(x->ctx, &x->r, x->text, DIGITS, NULL);
}
static bigint_status get_decimal(numbers *x) {
    return bigint_get_decimal(x->ctx, x->out, 2 * DIGITS + 1, NULL, &x->a);
}
static bigint_status mul_decimal(numbers *x) {
    return bigint_mul_decimal(x->ctx, x->out, 2 * DIGITS + 1, NULL, x->text, DIGITS, x->text + 1,
                              DIGITS - 1, NULL);
}
static bigint_status divrem(numbers *x) {
    return bigint_divrem(x->ctx, &x->q, &x->r, &x->a, &x->c);
}
static bigint_status square_root(numbers *x) { return bigint_sqrt(x->ctx, &x->q, &x->r, &x->a); }
static bigint_status root_of_halves(numbers *x) { return bigint_sqrt(x->ctx, &x->q, &x->r, &x->b); }
static bigint_status cube_root(numbers *x) { return bigint_root(x->ctx, &x->q, &x->r, &x->a, 3); }
static bigint_status high_root(numbers *x) { return bigint_root(x->ctx, &x->q, &x->r, &x->a, 99); }
static bigint_status powm(numbers *x) {
    return bigint_powm(x->ctx, &x->r, &x->a, &x->exponent, &x->b);
}
static bigint_status mod_minus(numbers *x) {
    return bigint_mul_mod_2exp_minus1(x->ctx, &x->r, &x->a, &x->c, 64 * 4096);
}
static bigint_status mod_plus(numbers *x) {
    return bigint_mul_mod_2exp_plus1(x->ctx, &x->r, &x->a, &x->c, 64 * 4096);
}
static bigint_status sum(numbers *x) {
    const bigint *const a[] = {&x->a, &x->c, &x->a}, *const b[] = {&x->c, &x->a, &x->a};
    return bigint_mul_sum(x->ctx, &x->r, a, b, (int[]){1, -1, -1}, 3);
}
static bigint_status prepared(numbers *x) {
    bigint_prep *prep = NULL;
    bigint_status status = bigint_prep_create(x->ctx, &prep, &x->a, LIMBS);
    if (status == BIGINT_OK) {
        status = bigint_mul_prep(x->ctx, &x->r, prep, &x->c);
    }
    bigint_prep_destroy(x->ctx, prep);
    return status;
}

typedef struct {
    const char *name;
    bigint_status (*run)(numbers *x);
} call;

static const call calls[] = {
    {"set_decimal", set_decimal}, {"get_decimal", get_decimal}, {"mul_decimal", mul_decimal},
    {"divrem", divrem},           {"square_root", square_root}, {"root_of_halves", root_of_halves},
    {"cube_root", cube_root},     {"high_root", high_root},     {"powm", powm},
    {"mod_minus", mod_minus},     {"mod_plus", mod_plus},       {"sum", sum},
    {"prepared", prepared},
};

static void call_label(char *buf, size_t cap, const call *c) { snprintf(buf, cap, "%s", c->name); }

static void draw(gen *g, bigint_ctx *ctx, bigint *x, size_t n) {
    bigint_limb limbs[LIMBS];
    gen_limbs(g, (gen_shape)(1 + gen_below(g, GEN_SHAPES - 1)), limbs, n);
    EXPECT_EQ(bigint_set_limbs(ctx, x, limbs, n, 1), BIGINT_OK);
}

static void draw_operands(gen *g, numbers *x) {
    gen_digits(g, x->text, DIGITS);
    draw(g, x->ctx, &x->a, LIMBS);
    draw(g, x->ctx, &x->b, 1 + (size_t)gen_below(g, MIDDLE_LIMBS));
    draw(g, x->ctx, &x->c, MIDDLE_LIMBS + (size_t)gen_below(g, MIDDLE_LIMBS));
}

static void expect_right_square(numbers *x) {
    mpz_t z;
    mpz_init(z);
    EXPECT_EQ(bigint_get_mpz(x->ctx, z, &x->a), BIGINT_OK);
    mpz_mul(z, z, z);
    EXPECT_EQ(bigint_sqr(x->ctx, &x->r, &x->a), BIGINT_OK);
    EXPECT_BIGINT(x->ctx, &x->r, z);
    mpz_clear(z);
}

// Mutations: the length of a wrong power of 5, or of a wrong half of a number, is taken for that of
// the right one; corrections of a wrong estimate go on until it is right; zeros above a wrong
// product are a shift, or an exponent made of them an index; a wrong root is a divisor.
TEST_EACH(WrongProducts, Return, call, calls, call_label) {
#if !defined(NDEBUG)
    SKIP("assertions of what is proved would end the program");
#endif
    numbers x = {.ctx = fixture_ctx(&(bigint_ctx_options){.engine = "modular-fft"}),
                 .text = malloc(DIGITS),
                 .out = malloc(2 * DIGITS + 1)};
    EXPECT_EQ(bigint_set_u64(x.ctx, &x.exponent, 0xabcd), BIGINT_OK);
    fault.right = x.ctx->fft;
    fault.g = gen_seed(5);
    fault.times = 0;
    fft_ops faulty = *fault.right;
    faulty.coefficients = wrong_coefficients;
    gen g = gen_seed(6);
    for (int round = 0; round < RARITIES * (int)GEN_SHAPES; round++) {
        SCOPED_TRACE("round %d", round);
        draw_operands(&g, &x);
        fault.shape = (gen_shape)(round % GEN_SHAPES);
        fault.rarely = 1 + (uint64_t)(round / GEN_SHAPES) * 7;
        x.ctx->fft = &faulty;
        const bigint_status status = p->run(&x);
        x.ctx->fft = fault.right;
        EXPECT_TRUE(status == BIGINT_OK || status == BIGINT_ECHECK);
    }
    EXPECT_TRUE(fault.times > 0);
    expect_right_square(&x);
    bigint_clear(x.ctx, &x.a), bigint_clear(x.ctx, &x.b), bigint_clear(x.ctx, &x.c);
    bigint_clear(x.ctx, &x.exponent), bigint_clear(x.ctx, &x.q), bigint_clear(x.ctx, &x.r);
    free(x.text);
    free(x.out);
    bigint_ctx_destroy(x.ctx);
}
