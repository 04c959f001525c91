// bigint_mul_decimal against GMP's texts: every variant of the host, lengths around words and
// ranges; on either kind of place signs, zeros, squares, the buffer's protocol, bad characters.
// tests/bigint/device/decimal_test.c has the engines of a device.
#include <gmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"

// draw fills s with `digits` digits, the first not 0, and NUL: uniform, or all nines.
static void draw(gen *g, char *s, size_t digits, int nines) {
    for (size_t i = 0; i < digits; i++) {
        s[i] = nines ? '9' : (char)('0' + gen_below(g, 10));
    }
    s[0] = s[0] == '0' ? '1' : s[0];
    s[digits] = '\0';
}

// expect_product compares with GMP's product, text for text.
static void expect_product(bigint_ctx *ctx, const char *a, const char *b) {
    const size_t an = strlen(a), bn = strlen(b);
    char *const text = malloc(an + bn + 2);
    size_t need = 0;
    mpz_t x, y;
    mpz_inits(x, y, NULL);
    mpz_set_str(x, a[0] == '+' ? a + 1 : a, 10);
    mpz_set_str(y, b[0] == '+' ? b + 1 : b, 10);
    mpz_mul(x, x, y);
    char *const expected = mpz_get_str(NULL, 10, x);
    EXPECT_EQ(bigint_mul_decimal(ctx, text, an + bn + 2, &need, a, an, b, bn, NULL), BIGINT_OK);
    EXPECT_EQ(need, strlen(expected) + 1);
    EXPECT_TRUE(strcmp(text, expected) == 0);
    free(expected);
    free(text);
    mpz_clears(x, y, NULL);
}

// Mutations: the radix of the plan and of the carries differ, a range's carry is not joined (two
// threads), a partial top word is cut, the last digit's length is taken as m + n always.
TEST(MulDecimal, EqualsGmp) {
    if (fixture_place() != BIGINT_HOST) {
        SKIP("variants of the host");
    }
    enum { MOST = 60000 };
    static const size_t lengths[] = {1, 2, 18, 19, 20, 37, 38, 39, 500, 9727, 9728, 9729, MOST};
    char *const a = malloc(MOST + 1), *const b = malloc(MOST + 1);
    for (const char *const *variant = bigint_variants(); *variant != NULL; variant++) {
        bigint_ctx *ctx;
        if (bigint_ctx_create(&ctx, NULL,
                              &(bigint_ctx_options){
                                  .variant = *variant, .threads = 2, .checks = 1}) == BIGINT_OK) {
            gen g = gen_seed(11);
            SCOPED_TRACE("%s", *variant);
            for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
                for (int nines = 0; nines < 2; nines++) {
                    draw(&g, a, lengths[i], nines);
                    draw(&g, b, lengths[gen_below(&g, i + 1)], nines);
                    expect_product(ctx, a, b);
                    expect_product(ctx, b, a);
                    expect_product(ctx, a, a);  // the same text: a square
                }
            }
        } else {
            fprintf(stderr, "SKIPPED variant %s: %s\n", *variant, bigint_ctx_error(ctx));
        }
        bigint_ctx_destroy(ctx);
    }
    free(a);
    free(b);
}

// Mutations: the sign of zero, leading zeros count as digits, a sign alone is a number.
TEST(MulDecimal, SignsAndZeros) {
    static const char *const numbers[] = {"0",   "-0", "+0",   "000",      "1",
                                          "-1",  "+1", "-000", "0000007",  "-10",
                                          "+99", "10", "-100", "12345678", "99999999999999999999"};
    const size_t n = sizeof numbers / sizeof *numbers;
    bigint_ctx *ctx = fixture_ctx(NULL);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++) {
            SCOPED_TRACE("%s by %s", numbers[i], numbers[k]);
            expect_product(ctx, numbers[i], numbers[k]);
        }
    }
    bigint_ctx_destroy(ctx);
}

// Mutations: a text one character too long is written, ERANGE touches the buffer, need is not a
// bound, or more than one above the exact number.
TEST(MulDecimal, Buffer) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    char buf[16];
    size_t need = 0;
    memset(buf, 'x', sizeof buf);
    EXPECT_EQ(bigint_mul_decimal(ctx, NULL, 0, &need, "-99", 3, "11", 2, NULL), BIGINT_ERANGE);
    EXPECT_EQ(need, (size_t)6);  // "-1089" and NUL, known exactly or one more
    EXPECT_EQ(bigint_mul_decimal(ctx, buf, 5, &need, "-99", 3, "11", 2, NULL), BIGINT_ERANGE);
    EXPECT_EQ(buf[0], 'x');
    EXPECT_EQ(bigint_mul_decimal(ctx, buf, 6, &need, "-99", 3, "11", 2, NULL), BIGINT_OK);
    EXPECT_TRUE(strcmp(buf, "-1089") == 0 && buf[6] == 'x');
    memset(buf, 'x', sizeof buf);
    EXPECT_EQ(bigint_mul_decimal(ctx, buf, 4, &need, "10", 2, "11", 2, NULL), BIGINT_OK);
    EXPECT_TRUE(strcmp(buf, "110") == 0 && need == 4);  // three digits where four were possible
    EXPECT_EQ(bigint_mul_decimal(ctx, buf, 4, &need, "99", 2, "99", 2, NULL), BIGINT_ERANGE);
    EXPECT_EQ(need, (size_t)5);
    EXPECT_TRUE(strcmp(buf, "110") == 0);
    bigint_ctx_destroy(ctx);
}

// Mutations: positions in b are not offset, a bad character beside a zero factor is overlooked, the
// end of a text is taken for a character.
TEST(MulDecimal, BadText) {
    static const struct {
        const char *a, *b;
        size_t at;
    } rows[] = {{"", "1", 0},     {"-", "1", 1},      {"1", "", 1},    {"1", "+", 2},
                {"12x4", "5", 2}, {"1234", "5 6", 5}, {"0", "12a", 3}, {"1a", "0", 1},
                {"--1", "1", 1},  {"1", "00000-", 6}, {"1.5", "2", 1}, {"7", "0x10", 2}};
    bigint_ctx *ctx = fixture_ctx(NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SCOPED_TRACE("'%s' by '%s'", rows[i].a, rows[i].b);
        char buf[64] = "untouched";
        size_t bad = 99;
        EXPECT_EQ(bigint_mul_decimal(ctx, buf, sizeof buf, NULL, rows[i].a, strlen(rows[i].a),
                                     rows[i].b, strlen(rows[i].b), &bad),
                  BIGINT_EINVAL);
        EXPECT_EQ(bad, rows[i].at);
        EXPECT_TRUE(strcmp(buf, "untouched") == 0);
    }
    bigint_ctx_destroy(ctx);
}
