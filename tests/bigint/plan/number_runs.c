// number_runs.c: see call_runs.h: number theory.
#include "tests/bigint/core/fixture.h"
#include "tests/bigint/plan/call_runs.h"
#include "tests/ctest/ctest.h"

// removable: a = b^k of about an limbs; variant 0: b does not divide it.
static void removable(numbers *s, const bigint_call *c, int variant) {
    if (variant == 1 && c->an >= c->bn) {
        EXPECT_EQ(bigint_pow_u64(s->other, &s->a, &s->b, c->an / c->bn), BIGINT_OK);
        EXPECT_EQ(bigint_sync(s->other), BIGINT_OK);
    }
}

static int fill(void *user, bigint_limb *p, uint64_t n) {
    for (uint64_t i = 0; i < n; i++) {
        p[i] = gen_u64(user);
    }
    return 0;
}

static bigint_status draw(numbers *s, const bigint_call *c, int variant) {
    gen g = gen_seed(c->an);
    const bigint_generator random = {fill, &g};
    return variant == 0 || c->an == 0 ? bigint_random_bits(s->ctx, &s->r, &random, 64 * c->an)
                                      : bigint_random_below(s->ctx, &s->r, &random, &s->a);
}

// square_root: whether a square is one; variants: of a number, of its square.
static bigint_status is_square(numbers *s) {
    int yes;
    EXPECT_EQ(bigint_set(s->other, &s->t, &s->a), BIGINT_OK);
    for (uint64_t n = bigint_limbs_bound(&s->a); n > 0; n = 0) {  // the square of its upper half
        EXPECT_EQ(bigint_tdiv_2exp(s->other, &s->t, &s->a, 32 * n), BIGINT_OK);
        EXPECT_EQ(bigint_sqr(s->other, &s->t, &s->t), BIGINT_OK);
    }
    EXPECT_EQ(bigint_sync(s->other), BIGINT_OK);
    return bigint_is_square(s->ctx, &yes, &s->t);
}

// negated: variant 1: of -a.
static void negated(numbers *s, int variant) {
    if (variant == 1) {
        EXPECT_EQ(bigint_neg(s->other, &s->a, &s->a), BIGINT_OK);
        EXPECT_EQ(bigint_sync(s->other), BIGINT_OK);
    }
}

bigint_status run_number(numbers *s, const bigint_call *c, int variant) {
    bigint *const q = variant == 1 ? NULL : &s->q;
    int answer;
    switch (c->kind) {
        case BIGINT_CALL_FACTORIAL:
            return bigint_factorial(s->ctx, &s->r, c->count);
        case BIGINT_CALL_MULTIFACTORIAL:
            return bigint_multifactorial(s->ctx, &s->r, c->count, c->k);
        case BIGINT_CALL_PRIMORIAL:
            return bigint_primorial(s->ctx, &s->r, c->count);
        case BIGINT_CALL_BINOMIAL_U64:
            return bigint_binomial_u64(s->ctx, &s->r, c->count, c->k);
        case BIGINT_CALL_BINOMIAL:
            negated(s, variant);
            return bigint_binomial(s->ctx, &s->r, &s->a, c->k);
        case BIGINT_CALL_FIBONACCI:
            return bigint_fibonacci(s->ctx, &s->r, q, c->count);
        case BIGINT_CALL_LUCAS:
            return bigint_lucas(s->ctx, &s->r, q, c->count);
        case BIGINT_CALL_POW_U64:
            negated(s, variant);
            return bigint_pow_u64(s->ctx, variant == 0 ? &s->a : &s->r, &s->a, c->k);
        case BIGINT_CALL_IS_SQUARE:
            return is_square(s);
        case BIGINT_CALL_IS_POWER:
            return bigint_is_power(s->ctx, &answer, &s->a);
        case BIGINT_CALL_KRONECKER:
            return bigint_kronecker(s->ctx, &answer, &s->a, &s->b);
        case BIGINT_CALL_REMOVE:
            removable(s, c, variant);
            return bigint_remove(s->ctx, &s->r, NULL, &s->a, &s->b);
        case BIGINT_CALL_RANDOM:
            return draw(s, c, variant);
        default:
            return run_product(s, c, variant);
    }
}
