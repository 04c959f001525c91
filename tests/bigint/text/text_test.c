// text_test.c: decimal text against GMP: characters and their positions, lengths, every level of
// the conversion tree, the numbers around powers of ten, failures.
#include <gmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "bigint/core/tune.h"
#include "bigint/text/text.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/gen.h"
#include "tests/support/oracle.h"

// expect_both_ways: the text of z read by the library is z, and z written is that text, with a
// buffer that is exactly long enough; one character less is refused with a bound at most one too
// large.
static void expect_both_ways(bigint_ctx *ctx, const mpz_t z) {
    char *text = mpz_get_str(NULL, 10, z);
    const size_t length = strlen(text);
    char *buf = malloc(length + 2);
    bigint x = BIGINT_INIT;
    size_t need = 0;
    SCOPED_TRACE("%zu characters: %.40s...", length, text);
    EXPECT_EQ((int)bigint_set_decimal(ctx, &x, text, length, NULL), (int)BIGINT_OK);
    EXPECT_BIGINT(ctx, &x, z);
    memset(buf, '#', length + 2);
    EXPECT_EQ((int)bigint_get_decimal(ctx, buf, length + 1, &need, &x), (int)BIGINT_OK);
    EXPECT_EQ(need, length + 1);
    EXPECT_TRUE(memcmp(buf, text, length + 1) == 0 && buf[length + 1] == '#');
    memset(buf, '#', length + 2);
    need = 0;
    EXPECT_EQ((int)bigint_get_decimal(ctx, buf, length, &need, &x), (int)BIGINT_ERANGE);
    EXPECT_TRUE(need == length + 1 || need == length + 2);
    EXPECT_TRUE(buf[0] == '#');
    need = 0;
    EXPECT_EQ((int)bigint_get_decimal(ctx, NULL, 0, &need, &x), (int)BIGINT_ERANGE);
    EXPECT_TRUE(need == length + 1 || need == length + 2);
    bigint_clear(ctx, &x);
    free(buf);
    free(text);
}

// Catches: digits lost or doubled at a word's edge; 10^k and its neighbours, where the bound and
//          the exact length
// part and where a fraction is nearest to the next integer.
TEST(Text, AroundPowersOfTen) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    mpz_t z;
    mpz_init(z);
    for (unsigned k = 0; k <= 3000; k += k < 60 ? 1 : k / 8) {
        for (int d = -1; d <= 1; d++) {
            mpz_ui_pow_ui(z, 10, k);
            d < 0 ? mpz_sub_ui(z, z, 1) : mpz_add_ui(z, z, (unsigned long)d);
            expect_both_ways(ctx, z);
            mpz_neg(z, z);
            expect_both_ways(ctx, z);
        }
    }
    mpz_clear(z);
    bigint_ctx_destroy(ctx);
}

// Catches: a wrong shape of the tree: leaves and levels around every size where one is added, a
//          last node that
// is short or missing.
TEST(Text, AroundLeavesAndLevels) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(302);
    mpz_t z;
    mpz_init(z);
    const size_t edges[] = {TEXT_WRITE_FEW, TEXT_WRITE_LEAF, TEXT_READ_LEAF, TEXT_TREE_LEAF,
                            TEXT_TREE_THRESHOLD};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        for (size_t words = edges[i]; words <= 5 * edges[i] && words < 2 * TEXT_TREE_THRESHOLD;
             words *= 2) {
            for (size_t digits = 19 * words - 20; digits <= 19 * words + 20;
                 digits += 1 + gen_below(&g, words < 1000 ? 5 : 30)) {
                char *s = malloc(digits + 1);
                gen_digits(&g, s, digits);
                s[0] = '9';
                s[digits] = '\0';
                if (gen_below(&g, 3) == 0) {  // a long run of nines or zeros inside
                    const size_t from = 1 + gen_below(&g, digits - 1);
                    memset(s + from, gen_below(&g, 2) != 0 ? '9' : '0',
                           gen_below(&g, digits - from + 1));
                }
                mpz_set_str(z, s, 10);
                expect_both_ways(ctx, z);
                free(s);
            }
        }
    }
    mpz_clear(z);
    bigint_ctx_destroy(ctx);
}

// Catches: an error that only numbers of a special form show: runs of digits 0 and 9 make every
//          node of the tree
// a fraction next to 0 or 1, where a missing recentring changes a digit.
TEST(Text, ShapesOfDigitsAndBits) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(303);
    mpz_t z, t;
    mpz_inits(z, t, NULL);
    for (int i = 0; i < 300; i++) {
        const size_t digits = gen_size(&g, 2, i % 10 == 0 ? 200000 : 10000);
        switch (i % 4) {
            case 0:  // 10^a +- 10^b
                mpz_ui_pow_ui(z, 10, digits);
                mpz_ui_pow_ui(t, 10, gen_below(&g, digits));
                gen_below(&g, 2) != 0 ? mpz_add(z, z, t) : mpz_sub(z, z, t);
                break;
            case 1:  // c 10^b, and less one
                mpz_ui_pow_ui(z, 10, digits);
                mpz_mul_ui(z, z, 1 + (unsigned long)gen_below(&g, 1000000));
                mpz_sub_ui(z, z, (unsigned long)gen_below(&g, 2));
                break;
            default:
                fixture_limbs(&g, z, 1 + digits / 20);
        }
        expect_both_ways(ctx, z);
    }
    mpz_clears(z, t, NULL);
    bigint_ctx_destroy(ctx);
}

// The tree's own calls with words beyond the number's: all leaves of the upper part are 0.
// Catches: a word of a leaf beyond the last one written or lost.
TEST(Text, MoreWordsThanNeeded) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(304);
    enum { MOST = 2000 };
    static uint64_t a[MOST], words[2 * MOST + 1];
    for (int i = 0; i < 100; i++) {
        const size_t an = gen_size(&g, 1, MOST), count = an + 1 + an / 70 + gen_below(&g, an);
        gen_limbs(&g, (gen_shape)gen_below(&g, GEN_SHAPES), a, an);
        words[count] = 5;
        SCOPED_TRACE("%zu limbs, %zu words", an, count);
        ASSERT_EQ((int)(i % 2 == 0 ? text_tree_words : text_to_words)(ctx, "test", &text_decimal,
                                                                      words, count, a, an),
                  (int)BIGINT_OK);
        EXPECT_EQ(words[count], 5u);
        ASSERT_EQ((int)text_from_words(ctx, "test", &text_decimal, words, count), (int)BIGINT_OK);
        EXPECT_LIMBS_EQ(words, a, an);
        EXPECT_EQ(limbs_normalize(words, count), limbs_normalize(a, an));
    }
    bigint_ctx_destroy(ctx);
}

// --- Signs, zeros, bad text ---

typedef struct {
    const char *text, *want;  // want: NULL if the text is bad
    size_t bad_at;
} text_case;

static const text_case cases[] = {
    {"0", "0", 0},
    {"-0", "0", 0},
    {"+0", "0", 0},
    {"00000", "0", 0},
    {"+5", "5", 0},
    {"-5", "-5", 0},
    {"007", "7", 0},
    {"-000000000000000000000000000012", "-12", 0},
    {"18446744073709551615", "18446744073709551615", 0},
    {"18446744073709551616", "18446744073709551616", 0},
    {"9999999999999999999", "9999999999999999999", 0},
    {"10000000000000000000", "10000000000000000000", 0},
    {"", NULL, 0},
    {"-", NULL, 1},
    {"+", NULL, 1},
    {"--5", NULL, 1},
    {"+-5", NULL, 1},
    {" 5", NULL, 0},
    {"5 ", NULL, 1},
    {"5\n", NULL, 1},
    {"1_000", NULL, 1},
    {"0x10", NULL, 1},
    {"12345678901234567890a", NULL, 20},
    {"1.5", NULL, 1},
    {"\xd9\xa5", NULL, 0},
};

static void name_case(char *buf, size_t cap, const text_case *p) {
    snprintf(buf, cap, "case%d", (int)(p - cases));
}

// Catches: a sign without digits, a second sign, a space accepted; -0; the old value lost on a
//          refusal.
TEST_EACH(TextCases, Read, text_case, cases, name_case) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint x = BIGINT_INIT;
    mpz_t z;
    mpz_init_set_si(z, -77);
    fixture_set(ctx, &x, z);
    size_t bad_at = 12345;
    const bigint_status status = bigint_set_decimal(ctx, &x, p->text, strlen(p->text), &bad_at);
    if (p->want != NULL) {
        EXPECT_EQ((int)status, (int)BIGINT_OK);
        mpz_set_str(z, p->want, 10);
        char buf[64];
        EXPECT_EQ((int)bigint_get_decimal(ctx, buf, sizeof buf, NULL, &x), (int)BIGINT_OK);
        EXPECT_EQ((const char *)buf, p->want);
    } else {
        EXPECT_EQ((int)status, (int)BIGINT_EINVAL);
        EXPECT_EQ(bad_at, p->bad_at);
        EXPECT_TEXT(ctx, "position");
        EXPECT_EQ((int)bigint_set_decimal(ctx, &x, p->text, strlen(p->text), NULL),
                  (int)BIGINT_EINVAL);
    }
    EXPECT_BIGINT(ctx, &x, z);
    mpz_clear(z);
    bigint_clear(ctx, &x);
    bigint_ctx_destroy(ctx);
}

// Catches: a NUL byte ending the text early, characters past `length` read.
TEST(Text, LengthRules) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint x = BIGINT_INIT;
    size_t bad_at = 0;
    EXPECT_EQ((int)bigint_set_decimal(ctx, &x,
                                      "12\0"
                                      "34",
                                      5, &bad_at),
              (int)BIGINT_EINVAL);
    EXPECT_EQ(bad_at, (size_t)2);
    EXPECT_EQ((int)bigint_set_decimal(ctx, &x, "12x", 2, &bad_at), (int)BIGINT_OK);
    EXPECT_EQ((int)bigint_set_decimal(ctx, &x, NULL, 0, &bad_at), (int)BIGINT_EINVAL);
    EXPECT_EQ(bad_at, (size_t)0);
    char buf[4];
    size_t need = 0;
    EXPECT_EQ((int)bigint_get_decimal(ctx, buf, 2, &need, &x), (int)BIGINT_ERANGE);
    EXPECT_TRUE(need == 3 || need == 4);
    EXPECT_EQ((int)bigint_get_decimal(ctx, buf, 3, NULL, &x), (int)BIGINT_OK);
    EXPECT_EQ((const char *)buf, "12");
    bigint_clear(ctx, &x);
    bigint_ctx_destroy(ctx);
}

// --- Failures ---

// try_failing: reading and writing with allocation number `at` failing. Returns whether there was
// such a one.
static bool try_failing(uint64_t at, const char *text, const mpz_t z) {
    allocator_log log = {0};
    bigint_ctx_options options = {.allocator = fixture_allocator(&log)};
    bigint_ctx *ctx = fixture_ctx(&options);
    bigint x = BIGINT_INIT, y = BIGINT_INIT;
    mpz_t seven;
    mpz_init_set_si(seven, -7);
    fixture_set(ctx, &x, seven), fixture_set(ctx, &y, z);
    const size_t length = strlen(text);
    char *buf = calloc(length + 2, 1);
    SCOPED_TRACE("allocation %d", (int)at);
    log.fail_at = log.calls + at;
    const bigint_status read = bigint_set_decimal(ctx, &x, text, length, NULL);
    const bigint_status written = bigint_get_decimal(ctx, buf, length + 1, NULL, &y);
    const bool reached = log.calls >= log.fail_at;
    EXPECT_TRUE(read == BIGINT_OK || read == BIGINT_ENOMEM);
    EXPECT_TRUE(written == BIGINT_OK || written == BIGINT_ENOMEM);
    EXPECT_BIGINT(ctx, &x, read == BIGINT_OK ? z : seven);
    EXPECT_EQ((const char *)buf, written == BIGINT_OK ? text : "");
    log.fail_at = 0;
    uint64_t calls = 0;
    for (int i = 0; i < 4; i++) {  // the same sizes again: in the end nothing is allocated
        calls = log.calls;
        EXPECT_EQ((int)bigint_set_decimal(ctx, &x, text, length, NULL), (int)BIGINT_OK);
        EXPECT_EQ((int)bigint_get_decimal(ctx, buf, length + 1, NULL, &x), (int)BIGINT_OK);
    }
    EXPECT_EQ(log.calls, calls);
    EXPECT_EQ((const char *)buf, text);
    free(buf);
    bigint_clear(ctx, &x), bigint_clear(ctx, &y);
    bigint_ctx_destroy(ctx);
    EXPECT_EQ(log.live_blocks, 0u);
    mpz_clear(seven);
    return reached;
}

// Catches: a value or buffer touched, or memory lost, by an allocation that fails at any place.
TEST(Text, EveryAllocationMayFail) {
    gen g = gen_seed(305);
    mpz_t z;
    mpz_init(z);
    const size_t n = 20 * TEXT_READ_LEAF;
    gen_limbs(&g, GEN_UNIFORM, mpz_limbs_write(z, (mp_size_t)n), n);
    mpz_limbs_finish(z, (mp_size_t)n);
    char *text = mpz_get_str(NULL, 10, z);
    uint64_t at = 1;
    while (try_failing(at, text, z) && at < 1000) {
        at++;
    }
    EXPECT_TRUE(at > 2 && at < 1000);
    free(text);
    mpz_clear(z);
}

// tree_failing: the tree's call with allocation number `at` failing. Returns whether there was one.
static bool tree_failing(uint64_t at, const uint64_t *ap, size_t an, uint64_t *words,
                         size_t count) {
    allocator_log log = {0};
    bigint_ctx_options options = {.allocator = fixture_allocator(&log)};
    bigint_ctx *ctx = fixture_ctx(&options);
    log.fail_at = log.calls + at;
    const bigint_status status = text_tree_words(ctx, "test", &text_decimal, words, count, ap, an);
    const bool reached = log.calls >= log.fail_at;
    SCOPED_TRACE("allocation %d", (int)at);
    EXPECT_TRUE(status == BIGINT_OK || (reached && status == BIGINT_ENOMEM));
    EXPECT_EQ(ctx->arena.in_use, 0u);
    bigint_ctx_destroy(ctx);
    EXPECT_EQ(log.live_blocks, 0u);
    return reached;
}

// Catches: a mark of the arena that a failing level keeps.
TEST(Text, EveryAllocationOfTheTreeMayFail) {
    gen g = gen_seed(306);
    enum { LIMBS = 8 * TEXT_TREE_LEAF };
    static uint64_t a[LIMBS], words[LIMBS + LIMBS / 70 + 1];
    gen_limbs(&g, GEN_UNIFORM, a, LIMBS);
    uint64_t at = 1;
    while (tree_failing(at, a, LIMBS, words, LIMBS + LIMBS / 70 + 1) && at < 1000) {
        at++;
    }
    EXPECT_TRUE(at > 2 && at < 1000);
}
