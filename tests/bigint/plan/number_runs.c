// number_runs.c: see call_runs.h: number theory.
#include <stdlib.h>

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

// primes: the number becomes a prime of as many limbs, so that it passes all tests.
static void primes(numbers *s, const bigint_call *c) {
    gen g = gen_seed(c->an);
    call_set(&g, s->other, &s->a, c->an);
    if (c->an > 0) {
        EXPECT_EQ(bigint_tdiv_2exp(s->other, &s->a, &s->a, 1), BIGINT_OK);
        EXPECT_EQ(bigint_setbit(s->other, &s->a, 64 * c->an - 2), BIGINT_OK);
    }
    EXPECT_EQ(bigint_next_prime(s->other, &s->a, &s->a), BIGINT_OK);
    EXPECT_EQ(bigint_sync(s->other), BIGINT_OK);
}

static bigint_status prime_batch(numbers *s, const bigint_call *c) {
    unsigned char *const prime = malloc(c->count + 1);
    primes(s, c);
    const bigint_limb *const p =
        fixture_place() >= 0 ? bigint_device_limbs(&s->a) : bigint_limbs_read(&s->a);
    uint64_t *const host = fixture_place() == BIGINT_GROUP ? calloc(c->an + 1, sizeof *host) : NULL;
    if (host != NULL) {
        EXPECT_EQ(bigint_get_limbs(s->other, host, c->an + 1, NULL, NULL, &s->a), BIGINT_OK);
    }
    const bigint_span n = {
        (bigint_limb *)(host != NULL ? host : p), c->an, 0, c->count, NULL, NULL};
    const bigint_status status = bigint_probable_prime_batch(s->ctx, prime, &n);
    for (uint64_t i = 0; i < c->count && status == BIGINT_OK; i++) {
        EXPECT_EQ(prime[i], 1);
    }
    free(host);
    free(prime);
    return status;
}

// powm_sec: modulo an odd number.
static bigint_status powm_sec(numbers *s, const bigint_call *c) {
    const uint64_t en = (c->k + 63) / 64;
    uint64_t *const e = malloc((en + 1) * sizeof *e);
    gen g = gen_seed(c->k);
    for (uint64_t i = 0; i < en; i++) {
        e[i] = gen_u64(&g);
    }
    EXPECT_EQ(bigint_setbit(s->other, &s->b, 0), BIGINT_OK);
    EXPECT_EQ(bigint_setbit(s->other, &s->b, 64 * c->bn - 1), BIGINT_OK);
    EXPECT_EQ(bigint_sync(s->other), BIGINT_OK);
    const bigint_status status = bigint_powm_sec(s->ctx, &s->r, &s->a, e, en, &s->b);
    free(e);
    return status;
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

// is_square: of the square of a's upper half, about as long as a.
static bigint_status is_square(numbers *s) {
    int yes;
    EXPECT_EQ(bigint_tdiv_2exp(s->other, &s->t, &s->a, 32 * bigint_limbs_bound(&s->a)), BIGINT_OK);
    EXPECT_EQ(bigint_sqr(s->other, &s->t, &s->t), BIGINT_OK);
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
        case BIGINT_CALL_PROBABLE_PRIME:
            primes(s, c);
            return bigint_probable_prime(s->ctx, &answer, &s->a);
        case BIGINT_CALL_PROBABLE_PRIME_BATCH:
            return prime_batch(s, c);
        case BIGINT_CALL_NEXT_PRIME:
            return bigint_next_prime(s->ctx, &s->r, &s->a);
        case BIGINT_CALL_POWM_SEC:
            return powm_sec(s, c);
        case BIGINT_CALL_RANDOM:
            return draw(s, c, variant);
        default:
            return run_product(s, c, variant);
    }
}
