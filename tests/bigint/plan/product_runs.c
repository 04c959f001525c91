// product_runs.c: see call_runs.h: sums with products, and prepared operands.
#include <stdlib.h>

#include "tests/bigint/core/fixture.h"
#include "tests/bigint/plan/call_runs.h"
#include "tests/ctest/ctest.h"

// sum: of products of two numbers, of which every second one counts negatively; variant 1: of
// squares.
static bigint_status sum(numbers *s, const bigint_call *c, int variant) {
    gen g = gen_seed(3);
    const bigint **const a = calloc(2 * c->count + 1, sizeof *a), **const b = a + c->count;
    int *const signs = calloc(c->count + 1, sizeof *signs);
    call_set(&g, s->other, &s->a, c->an);
    call_set(&g, s->other, &s->b, c->bn);
    EXPECT_EQ(bigint_sync(s->other), BIGINT_OK);
    for (uint64_t i = 0; i < c->count; i++) {
        a[i] = &s->a;
        b[i] = variant == 1 ? &s->a : &s->b;
        signs[i] = i % 2 == 1 ? -1 : 1;
    }
    const bigint_status status = bigint_mul_sum(s->ctx, &s->r, a, b, signs, c->count);
    free(signs);
    free(a);
    return status;
}

static bigint_status addmul(numbers *s, const bigint_call *c, int variant) {
    gen g = gen_seed(4);
    call_set(&g, s->other, &s->r, c->k);
    EXPECT_EQ(bigint_sync(s->other), BIGINT_OK);
    return variant == 0 ? bigint_addmul(s->ctx, &s->r, &s->a, &s->b)
                        : bigint_submul(s->ctx, &s->r, &s->a, &s->b);
}

// mul_prep: by an operand that another context has prepared; variant 0: in place of the other one.
static bigint_status mul_prep(numbers *s, const bigint_call *c, int variant) {
    bigint_ctx *const other = s->other;
    bigint_prep *prep;
    bigint_status status = bigint_prep_create(other, &prep, &s->a, c->k);
    if (status == BIGINT_OK) {
        EXPECT_EQ(bigint_sync(other), BIGINT_OK);
        EXPECT_EQ(bigint_reserve_bits(other, &s->b, 64 * (c->an + c->bn)), BIGINT_OK);
        EXPECT_EQ(bigint_sync(other), BIGINT_OK);
        status = bigint_mul_prep(s->ctx, variant == 0 ? &s->b : &s->r, prep, &s->b);
        EXPECT_EQ(bigint_sync(s->ctx), BIGINT_OK);
    }
    bigint_prep_destroy(other, prep);
    return status;
}

static bigint_status prep_create(numbers *s, const bigint_call *c) {
    bigint_prep *prep;
    const bigint_status status = bigint_prep_create(s->ctx, &prep, &s->a, c->k);
    bigint_prep_destroy(s->ctx, prep);
    return status;
}

// congruent: variant 0: numbers whose difference the modulus divides.
static bigint_status congruent(numbers *s, int variant) {
    int yes;
    if (variant == 0) {
        EXPECT_EQ(bigint_mod(s->other, &s->t, &s->a, &s->b), BIGINT_OK);
        EXPECT_EQ(bigint_sync(s->other), BIGINT_OK);
    }
    return bigint_congruent(s->ctx, &yes, &s->a, &s->t, &s->b);
}

bigint_status run_product(numbers *s, const bigint_call *c, int variant) {
    switch (c->kind) {
        case BIGINT_CALL_MUL_SUM:
            return sum(s, c, variant);
        case BIGINT_CALL_ADDMUL:
            return addmul(s, c, variant);
        case BIGINT_CALL_PREP_CREATE:
            return prep_create(s, c);
        case BIGINT_CALL_MUL_PREP:
            return mul_prep(s, c, variant);
        case BIGINT_CALL_CONGRUENT:
            return congruent(s, variant);
        default:
            return run_batch(s, c, variant);
    }
}
