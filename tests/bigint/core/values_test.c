// Values in and out: words, limbs, bytes, hexadecimal text, and buffers that are too small.
#include <stdio.h>
#include <string.h>

#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"

// Mutations: INT64_MIN negated in a signed type, sign kept for 0.
TEST(Values, Words) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint x = BIGINT_INIT;
    mpz_t z;
    mpz_init(z);
    const int64_t values[] = {0, 1, -1, INT64_MAX, INT64_MIN, INT64_MIN + 1, 1000};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        mpz_set_si(z, values[i]);
        EXPECT_EQ(bigint_set_i64(ctx, &x, values[i]), BIGINT_OK);
        EXPECT_BIGINT(ctx, &x, z);
        mpz_set_ui(z, (uint64_t)values[i]);
        EXPECT_EQ(bigint_set_u64(ctx, &x, (uint64_t)values[i]), BIGINT_OK);
        EXPECT_BIGINT(ctx, &x, z);
    }
    mpz_clear(z);
    bigint_clear(ctx, &x);
    bigint_ctx_destroy(ctx);
}

// Limbs, bytes and hexadecimal of random numbers against GMP's own conversions. Mutations: bytes of
// the top limb dropped, orders exchanged, a leading zero digit written, odd lengths off by one.
TEST(Values, RoundTrips) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint x = BIGINT_INIT, y = BIGINT_INIT;
    mpz_t z;
    mpz_init(z);
    gen g = gen_seed(3);
    static uint8_t bytes[2000], right_bytes[2000];
    static char hex[4000], right_hex[4000];
    for (int round = 0; round < 2000 / fixture_thinning(); round++) {
        SCOPED_TRACE("round %d", round);
        fixture_draw(&g, ctx, &x, z, 200);
        const uint64_t drop = gen_below(&g, 64);  // lengths that are no multiple of a limb
        mpz_tdiv_q_2exp(z, z, drop);
        EXPECT_EQ(bigint_tdiv_2exp(ctx, &x, &x, drop), BIGINT_OK);

        uint64_t limbs[200], need = 99;
        int sign = 9;
        EXPECT_EQ(bigint_get_limbs(ctx, limbs, 200, &need, &sign, &x), BIGINT_OK);
        EXPECT_EQ(need, mpz_size(z));
        EXPECT_EQ(sign, mpz_sgn(z));
        EXPECT_LIMBS_EQ(limbs, mpz_limbs_read(z), need);
        const bigint_limb *in_place = bigint_limbs_read(&x);
        EXPECT_EQ(in_place != NULL, need > 0 && fixture_place() == BIGINT_HOST);
        EXPECT_LIMBS_EQ(in_place != NULL ? in_place : limbs, limbs, need);

        for (int order = -1; order <= 1; order += 2) {
            size_t size = 0, written = 0;
            mpz_export(right_bytes, &size, order, 1, 0, 0, z);
            EXPECT_EQ(
                bigint_get_bytes(ctx, bytes, sizeof bytes, &written, (bigint_byte_order)order, &x),
                BIGINT_OK);
            ASSERT_EQ(written, size);
            EXPECT_TRUE(memcmp(bytes, right_bytes, size) == 0);
            EXPECT_EQ(bigint_set_bytes(ctx, &y, bytes, size, (bigint_byte_order)order, sign),
                      BIGINT_OK);
            EXPECT_BIGINT(ctx, &y, z);
            // Zero bytes at the top.
            const size_t zeros = gen_below(&g, 20);
            memmove(order < 0 ? bytes : bytes + zeros, bytes, size);
            memset(order < 0 ? bytes + size : bytes, 0, zeros);
            EXPECT_EQ(
                bigint_set_bytes(ctx, &y, bytes, size + zeros, (bigint_byte_order)order, sign),
                BIGINT_OK);
            EXPECT_BIGINT(ctx, &y, z);
        }

        size_t characters = 0;
        mpz_get_str(right_hex, 16, z);
        EXPECT_EQ(bigint_get_hex(ctx, hex, sizeof hex, &characters, &x), BIGINT_OK);
        EXPECT_EQ(hex, right_hex);
        EXPECT_EQ(characters, strlen(right_hex) + 1);
        EXPECT_EQ(bigint_set_hex(ctx, &y, hex, characters - 1, NULL), BIGINT_OK);
        EXPECT_BIGINT(ctx, &y, z);
    }
    mpz_clear(z);
    bigint_clear(ctx, &x);
    bigint_clear(ctx, &y);
    bigint_ctx_destroy(ctx);
}

typedef struct {
    const char *text;
    long value;     // when it is right
    size_t bad_at;  // SIZE_MAX: it is right
} hex_case;
static const hex_case hex_cases[] = {
    {"0", 0, SIZE_MAX},
    {"-0", 0, SIZE_MAX},
    {"+0x0", 0, SIZE_MAX},
    {"fF", 255, SIZE_MAX},
    {"0XaB", 171, SIZE_MAX},
    {"-0x10", -16, SIZE_MAX},
    {"+7", 7, SIZE_MAX},
    {"000000000000000000000000000001", 1, SIZE_MAX},
    {"", 0, 0},
    {"-", 0, 1},
    {"0x", 0, 2},
    {"-0x", 0, 3},
    {" 1", 0, 0},
    {"1 ", 0, 1},
    {"12g4", 0, 2},
    {"--1", 0, 1},
    {"0x0x1", 0, 3},
    {"1/", 0, 1},
    {"1:", 0, 1},
    {"1@", 0, 1},
    {"1G", 0, 1},
    {"1`", 0, 1},
    {"\xc3\xa9", 0, 0},
    {"x1", 0, 0},
};

// Mutations: position off by one, the characters next to 0..9 and a..f accepted, r changed by a bad
// text, a leading zero taken for a prefix.
TEST(Values, HexText) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint x = BIGINT_INIT;
    mpz_t z, old;
    mpz_init(z);
    mpz_init_set_si(old, -77);
    for (size_t i = 0; i < sizeof hex_cases / sizeof hex_cases[0]; i++) {
        const hex_case *c = &hex_cases[i];
        SCOPED_TRACE("text \"%s\"", c->text);
        size_t bad_at = 1234;
        fixture_set(ctx, &x, old);
        const bigint_status status = bigint_set_hex(ctx, &x, c->text, strlen(c->text), &bad_at);
        if (c->bad_at == SIZE_MAX) {
            mpz_set_si(z, c->value);
            EXPECT_EQ(status, BIGINT_OK);
            EXPECT_EQ(bad_at, (size_t)1234);
            EXPECT_BIGINT(ctx, &x, z);
        } else {
            EXPECT_EQ(status, BIGINT_EINVAL);
            EXPECT_EQ(bad_at, c->bad_at);
            EXPECT_TEXT(ctx, "bigint_set_hex");
            EXPECT_BIGINT(ctx, &x, old);
            EXPECT_EQ(bigint_set_hex(ctx, &x, c->text, strlen(c->text), NULL), BIGINT_EINVAL);
        }
    }
    EXPECT_EQ(bigint_set_hex(ctx, &x, "1\0002", 3, NULL), BIGINT_EINVAL);  // a NUL is no digit
    mpz_clears(z, old, NULL);
    bigint_clear(ctx, &x);
    bigint_ctx_destroy(ctx);
}

// A buffer that is too small: nothing is written but *need. Mutations: writes up to cap, forgets
// *need, cap equal to the need is refused.
TEST(Values, CapacityProtocol) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint x = BIGINT_INIT, zero = BIGINT_INIT;
    EXPECT_EQ(bigint_set_hex(ctx, &x, "-123456789abcdef0112233445566778899", 35, NULL), BIGINT_OK);
    uint64_t limbs[3] = {7, 7, 7}, need = 0;
    int sign = 5;
    EXPECT_EQ(bigint_get_limbs(ctx, limbs, 2, &need, &sign, &x), BIGINT_ERANGE);
    EXPECT_TEXT(ctx, "bigint_get_limbs: the buffer holds 2 limbs, 3 are needed");
    EXPECT_EQ(need, 3u);
    EXPECT_EQ(sign, 5);
    EXPECT_TRUE(limbs[0] == 7 && limbs[1] == 7);
    EXPECT_EQ(bigint_get_limbs(ctx, NULL, 0, NULL, NULL, &x), BIGINT_ERANGE);
    EXPECT_EQ(bigint_get_limbs(ctx, limbs, 3, NULL, NULL, &x), BIGINT_OK);
    EXPECT_EQ(bigint_get_limbs(ctx, NULL, 0, &need, &sign, &zero), BIGINT_OK);
    EXPECT_TRUE(need == 0 && sign == 0);

    uint8_t bytes[17] = {9};
    size_t size = 0;
    EXPECT_EQ(bigint_get_bytes(ctx, bytes, 16, &size, BIGINT_BIG_ENDIAN, &x), BIGINT_ERANGE);
    EXPECT_TRUE(size == 17 && bytes[0] == 9);
    EXPECT_EQ(bigint_get_bytes(ctx, bytes, 17, NULL, BIGINT_BIG_ENDIAN, &x), BIGINT_OK);
    EXPECT_EQ(bigint_get_bytes(ctx, NULL, 0, &size, BIGINT_LITTLE_ENDIAN, &zero), BIGINT_OK);
    EXPECT_EQ(size, (size_t)0);
    EXPECT_EQ(bigint_get_bytes(ctx, bytes, 17, NULL, (bigint_byte_order)0, &x), BIGINT_EINVAL);

    char text[36] = "untouched";
    EXPECT_EQ(bigint_get_hex(ctx, text, 35, &size, &x), BIGINT_ERANGE);
    EXPECT_EQ(size, (size_t)36);
    EXPECT_EQ(text, "untouched");
    EXPECT_EQ(bigint_get_hex(ctx, NULL, 0, NULL, &x), BIGINT_ERANGE);
    EXPECT_EQ(bigint_get_hex(ctx, text, 36, &size, &x), BIGINT_OK);
    EXPECT_EQ(text, "-123456789abcdef0112233445566778899");

    if (strcmp(bigint_backend_name(ctx), "cuda") != 0) {
        size = 0;
        EXPECT_EQ(bigint_explain(ctx, text, 5, &size, 10, 10), BIGINT_ERANGE);
        char line[200];
        EXPECT_EQ(bigint_explain(ctx, line, size, NULL, 10, 10), BIGINT_OK);
        EXPECT_EQ(strlen(line) + 1, size);
    }
    bigint_clear(ctx, &x);
    bigint_ctx_destroy(ctx);
}
