// caller_decimal_test.c: the decimal texts of bigint_limbs.h against GMP.
#include <gmp.h>
#include <string.h>

#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/oracle.h"

// Mutations: a leading zero, a digit too many, room for the bound refused, a final NUL.
TEST(Limbs, Decimal) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(33);
    static char text[120000], right[120000];
    static uint64_t a[6001], b[6001];
    mpz_t x;
    mpz_init(x);
    for (unsigned round = 0; round < 300; round++) {
        const size_t n = round == 0 ? 0 : gen_size(&g, 1, round % 30 == 0 ? 6000 : 300);
        SCOPED_TRACE("round %u: %zu limbs", round, n);
        if (n > 0) {
            gen_limbs(&g, (gen_shape)(round % GEN_SHAPES), a, n);
        }
        oracle_load(x, a, n);
        mpz_get_str(right, 10, x);
        const size_t digits = strlen(right);
        size_t length = 0;
        text[digits] = '#';
        ASSERT_EQ(bigint_limbs_get_decimal(ctx, text, digits, &length, a, n), BIGINT_OK);
        ASSERT_EQ(length, digits);
        EXPECT_TRUE(memcmp(text, right, digits) == 0 && text[digits] == '#');
        if (digits > 1) {
            EXPECT_EQ(bigint_limbs_get_decimal(ctx, text, digits - 1, &length, a, n),
                      BIGINT_ERANGE);
            EXPECT_TRUE(length == digits || length == digits + 1);
        }
        uint64_t limbs = 77;
        const uint64_t need = mpz_size(x);
        b[need] = 5;
        ASSERT_EQ(bigint_limbs_set_decimal(ctx, b, need, &limbs, right, digits, NULL), BIGINT_OK);
        ASSERT_EQ(limbs, need);
        EXPECT_VALUE(b, need, x);
        EXPECT_EQ(b[need], 5);
        if (need > 0) {
            memset(b, 0xA5, need * sizeof *b);
            EXPECT_EQ(bigint_limbs_set_decimal(ctx, b, need - 1, &limbs, right, digits, NULL),
                      BIGINT_ERANGE);
            EXPECT_TRUE(limbs == need && b[0] == UINT64_C(0xA5A5A5A5A5A5A5A5));
        }
    }
    size_t bad = 99;
    uint64_t limbs;
    EXPECT_EQ(bigint_limbs_set_decimal(ctx, b, 9, &limbs, "12-4", 4, &bad), BIGINT_EINVAL);
    EXPECT_EQ(bad, 2);
    EXPECT_EQ(bigint_limbs_set_decimal(ctx, b, 9, &limbs, "", 0, &bad), BIGINT_EINVAL);
    EXPECT_EQ(bad, 0);
    mpz_clear(x);
    bigint_ctx_destroy(ctx);
}
