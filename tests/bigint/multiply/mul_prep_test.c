// Prepared operands by every engine with every variant against GMP. Planes of prepared operands on
// a device are in tests/bigint/device/prep_test.c.
#include "tests/bigint/multiply/fixture.h"

// One prepared operand with others of many lengths: as long as announced, a little shorter, much
// shorter (where preparing does not pay), in pieces, by one limb. Mutations: the prepared transform
// is overwritten by the first product, a shorter operand leaves the longer one's digits behind.
TEST_EACH(MulPrep, Lengths, mul_combination, mul_combinations, mul_label) {
    mul_fixture t;
    MUL_REQUIRE(mul_start(
        &t, &(bigint_ctx_options){.engine = p->engine, .variant = p->variant, .checks = 1}));
    gen g = gen_seed(10);
    const size_t most = p->max_limbs;
    const size_t own[] = {1, most / 20 + 1, most / 3, most};
    const size_t others[] = {most, most - 1, most / 2, most / 2 - 1, most / 5, most / 40, 1, 0};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        bigint_prep *prep = NULL;
        mul_set(&t, &g, &t.a, t.az, i % 2 == 0 ? GEN_UNIFORM : GEN_ONES, own[i]);
        ASSERT_EQ(bigint_prep_create(t.ctx, &prep, &t.a, most), BIGINT_OK);
        for (size_t k = 0; k < 2 * sizeof others / sizeof *others; k++) {
            const size_t n = others[k / 2];
            SCOPED_TRACE("prepared %zu limbs, times %zu", own[i], n);
            mul_set(&t, &g, &t.b, t.bz, k % 2 == 0 ? GEN_ONES : GEN_RUNS, n);
            mpz_mul(t.rz, t.az, t.bz);
            EXPECT_EQ(bigint_mul_prep(t.ctx, &t.r, prep, &t.b), BIGINT_OK);
            EXPECT_BIGINT(t.ctx, &t.r, t.rz);
        }
        mul_set(&t, &g, &t.b, t.bz, GEN_ONES, most + 1);
        EXPECT_EQ(bigint_mul_prep(t.ctx, &t.r, prep, &t.b), BIGINT_ERANGE);
        bigint_prep_destroy(t.ctx, prep);
    }
    mul_stop(&t);
}

// A prepared operand on several threads, and after larger tables have replaced its own. Mutation:
// the operand points to the context's tables.
TEST(MulPrep, ThreadsAndOtherTables) {
    mul_fixture t;
    ASSERT_TRUE(mul_start(&t, &(bigint_ctx_options){.threads = 2}));
    gen g = gen_seed(11);
    bigint_prep *prep = NULL;
    mul_set(&t, &g, &t.a, t.az, GEN_UNIFORM, 4000);
    ASSERT_EQ(bigint_prep_create(t.ctx, &prep, &t.a, 5000), BIGINT_OK);
    for (int round = 0; round < 4; round++) {
        mul_set(&t, &g, &t.b, t.bz, GEN_UNIFORM, 5000 - (size_t)round * 700);
        mpz_mul(t.rz, t.az, t.bz);
        EXPECT_EQ(bigint_mul_prep(t.ctx, &t.r, prep, &t.b), BIGINT_OK);
        EXPECT_BIGINT(t.ctx, &t.r, t.rz);
        if (round == 1) {
            mul_set(&t, &g, &t.b, t.bz, GEN_UNIFORM, 60000);
            EXPECT_EQ(bigint_sqr(t.ctx, &t.r, &t.b), BIGINT_OK);
        }
        if (round == 2) {
            bigint_ctx_trim(t.ctx);
        }
    }
    bigint_prep_destroy(t.ctx, prep);
    mul_stop(&t);
}
