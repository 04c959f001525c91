// bases_test.c: text in every base against GMP: characters, lengths, prefixes, all ways of
// conversion, failures.
#include <gmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/core/tune.h"
#include "bigint/text/radix.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"

static int is_power_of_two(int base) { return (base & (base - 1)) == 0; }

// expect_length: *need, or the bound, is `exact` or one more, and exact for powers of two.
static void expect_length(uint64_t have, uint64_t exact, int base) {
    EXPECT_TRUE(have == exact || (have == exact + 1 && !is_power_of_two(abs(base))));
}

// expect_base: z's text in the base, GMP's own, is read as z and written as that text, in a buffer
// that is exactly long enough; one character less is refused.
static void expect_base(bigint_ctx *ctx, const mpz_t z, int base) {
    char *const text = mpz_get_str(NULL, base, z);
    const size_t length = strlen(text);
    char *const buf = malloc(length + 2);
    bigint x = BIGINT_INIT;
    size_t need = 0;
    uint64_t digits = 0;
    SCOPED_TRACE("base %d, %zu characters: %.40s...", base, length, text);
    EXPECT_EQ(bigint_set_text(ctx, &x, text, length, abs(base), NULL), BIGINT_OK);
    EXPECT_BIGINT(ctx, &x, z);
    memset(buf, '#', length + 2);
    EXPECT_EQ(bigint_get_text(ctx, buf, length + 1, &need, &x, base), BIGINT_OK);
    EXPECT_EQ(need, length + 1);
    EXPECT_TRUE(memcmp(buf, text, length + 1) == 0 && buf[length + 1] == '#');
    memset(buf, '#', length + 2);
    EXPECT_EQ(bigint_get_text(ctx, buf, length, &need, &x, base), BIGINT_ERANGE);
    expect_length(need, length + 1, base);
    EXPECT_TRUE(buf[0] == '#');
    EXPECT_EQ(bigint_digits_bound(ctx, &digits, &x, base), BIGINT_OK);
    expect_length(digits, length - (mpz_sgn(z) < 0), base);
    bigint_clear(ctx, &x);
    free(buf);
    free(text);
}

// expect_signs: z and -z in the base and, if letters may have either case, in upper case.
static void expect_signs(bigint_ctx *ctx, mpz_t z, int base) {
    expect_base(ctx, z, base);
    mpz_neg(z, z);
    expect_base(ctx, z, base <= 36 ? -base : base);
}

// Mutations: a digit of one base taken for one of another, the wrong alphabet, a word with a digit
// more or less than it holds, the last digit of a fraction one too small, digits that straddle two
// limbs of a power of two torn apart, a leading zero, a length one off.
TEST(Bases, AroundPowers) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    mpz_t z;
    mpz_init(z);
    for (int base = 2; base <= 62; base++) {
        expect_base(ctx, z, base);
        mpz_set_ui(z, (unsigned long)base - 1);
        expect_base(ctx, z, base);
        for (unsigned k = 1; k <= 140; k += k < 66 ? 1 : 9) {
            for (int d = -1; d <= 1; d++) {
                mpz_ui_pow_ui(z, (unsigned long)base, k);
                d < 0 ? mpz_sub_ui(z, z, 1) : mpz_add_ui(z, z, (unsigned long)d);
                expect_signs(ctx, z, base);
            }
        }
    }
    mpz_clear(z);
    bigint_ctx_destroy(ctx);
}

// Mutations: 10 left where the base belongs, in the quotients of short numbers, the powers of
// medium ones or the leaves; powers of two that only even bases have.
TEST(Bases, Random) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(331);
    mpz_t z;
    mpz_init(z);
    for (int base = 2; base <= 62; base++) {
        for (int i = 0; i < 6; i++) {
            fixture_limbs(&g, z, gen_size(&g, 1, i < 4 ? 60 : 900));
            expect_signs(ctx, z, base);
        }
    }
    mpz_clear(z);
    bigint_ctx_destroy(ctx);
}

// Long enough for the tree, in bases of every kind: odd, twice an odd number, with a small odd
// part, the largest. Mutation: the leaf's fraction is cut for even bases alone.
TEST(Bases, Long) {
    static const int bases[] = {3, 6, 7, 36, 48, 61, 62, 32};
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(332);
    mpz_t z;
    mpz_init(z);
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
        fixture_limbs(&g, z, TEXT_TREE_THRESHOLD + gen_below(&g, 900));
        expect_signs(ctx, z, bases[i]);
        mpz_ui_pow_ui(z, (unsigned long)bases[i], 70000);
        expect_base(ctx, z, bases[i]);
        mpz_sub_ui(z, z, 1);
        expect_base(ctx, z, bases[i]);
    }
    mpz_clear(z);
    bigint_ctx_destroy(ctx);
}

// The table: base^digits < 2^64 <= base^(digits + 1), and logarithms by repeated squaring:
// (log - 1) log2(base) < 2^64 < log log2(base). Mutation: an entry that is one off.
TEST(Bases, Table) {
    enum { BITS = 100, FRACTION = 300 };
    mpz_t x, log2, one, left;
    mpz_inits(x, log2, one, left, NULL);
    mpz_setbit(one, 64 + BITS);
    for (int base = 3; base <= 62; base++) {
        if (is_power_of_two(base)) {
            continue;
        }
        unsigned whole = 0;
        while (base >> (whole + 1) != 0) {
            whole++;
        }
        mpz_set_ui(x, (unsigned long)base);
        mpz_mul_2exp(x, x, FRACTION - whole);
        mpz_set_ui(log2, whole);
        for (int i = 0; i < BITS; i++) {  // 1 <= x < 2
            mpz_mul(x, x, x);
            mpz_fdiv_q_2exp(x, x, FRACTION);
            const int bit = mpz_sizeinbase(x, 2) == FRACTION + 2;
            mpz_mul_2exp(log2, log2, 1);
            mpz_add_ui(log2, log2, (unsigned long)bit);
            mpz_fdiv_q_2exp(x, x, (mp_bitcnt_t)bit);
        }
        const text_radix radix = text_radix_of(base);
        mpz_mul_ui(left, log2, radix.log);
        EXPECT_TRUE(mpz_cmp(left, one) > 0);
        mpz_add_ui(log2, log2, 1);
        mpz_mul_ui(left, log2, radix.log - 1);
        EXPECT_TRUE(mpz_cmp(left, one) < 0);
        mpz_ui_pow_ui(x, (unsigned long)base, radix.digits);
        EXPECT_TRUE(mpz_cmp_ui(x, radix.word) == 0 && radix.word == radix.odd << radix.twos);
        mpz_mul_ui(x, x, (unsigned long)base);
        EXPECT_FALSE(mpz_fits_ulong_p(x));
    }
    const text_radix ten = text_radix_of(10);
    EXPECT_TRUE(memcmp(&ten, &text_decimal, sizeof ten) == 0);
    mpz_clears(x, log2, one, left, NULL);
}

// --- Characters, prefixes, bad input ---

typedef struct {
    const char *text;
    int base;
    long want;
    int bad_at;  // -1 for good text
} text_case;

static const text_case cases[] = {
    {"zZ", 36, 35 * 37, -1},
    {"zZ", 62, 61 * 62 + 35, -1},
    {"Az", 37, 0, 1},  // z is 61
    {"Aa", 37, 10 * 37 + 36, -1},
    {"102", 2, 0, 2},
    {"-zz", 35, 0, 1},
    {"1", 2, 1, -1},
    {"-0", 7, 0, -1},
    {"+000000000000000000000000000000000000000000000000012", 3, 5, -1},
    {"-7", 8, -7, -1},
    {"8", 8, 0, 0},
    {"0x10", 16, 0, 1},
    {"0x10", 0, 16, -1},
    {"-0Xff", 0, -255, -1},
    {"0b101", 0, 5, -1},
    {"+0B11", 0, 3, -1},
    {"0b12", 0, 0, 3},
    {"0x", 0, 0, 2},
    {"017", 0, 15, -1},
    {"018", 0, 0, 2},
    {"0", 0, 0, -1},
    {"-0", 0, 0, -1},
    {"19", 0, 19, -1},
    {"1x", 0, 0, 1},
    {"", 0, 0, 0},
    {"-", 0, 0, 1},
    {"", 16, 0, 0},
    {"+", 3, 0, 1},
    {"--1", 3, 0, 1},
    {" 1", 3, 0, 0},
    {"1 ", 4, 0, 1},
    {"1\n", 3, 0, 1},
    {"1\xd9\xa5", 62, 0, 1},
    {"12_", 62, 0, 2},
    {"12@", 62, 0, 2},
    {"12[", 62, 0, 2},
    {"12`", 62, 0, 2},
    {"12{", 62, 0, 2},
    {"12/", 62, 0, 2},
    {"12:", 62, 0, 2},
    {"1234:6", 10, 0, 4},
};

static void name_case(char *buf, size_t cap, const text_case *p) {
    snprintf(buf, cap, "case%d", (int)(p - cases));
}

// Mutations: a character beside the letters or digits accepted, a prefix without digits, a prefix
// that is not asked for, a bad character's position counted without the sign or in pairs; the old
// value lost.
TEST_EACH(BasesCases, Read, text_case, cases, name_case) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint x = BIGINT_INIT;
    mpz_t z;
    mpz_init_set_si(z, -77);
    fixture_set(ctx, &x, z);
    size_t bad_at = 12345;
    const bigint_status status =
        bigint_set_text(ctx, &x, p->text, strlen(p->text), p->base, &bad_at);
    if (p->bad_at < 0) {
        EXPECT_EQ(status, BIGINT_OK);
        mpz_set_si(z, p->want);
    } else {
        EXPECT_EQ(status, BIGINT_EINVAL);
        EXPECT_EQ(bad_at, (size_t)p->bad_at);
        EXPECT_TEXT(ctx, "bigint_set_text");
        EXPECT_TEXT(ctx, "position");
    }
    EXPECT_BIGINT(ctx, &x, z);
    mpz_clear(z);
    bigint_clear(ctx, &x);
    bigint_ctx_destroy(ctx);
}

// Mutation: a base next to the allowed ones accepted, upper case beyond base 36.
TEST(Bases, Refused) {
    static const int bases[] = {-62, -37, -1, 1, 63, 1000, -2147483647 - 1};
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint x = BIGINT_INIT;
    char buf[8] = "#";
    size_t need = 7;
    uint64_t digits = 7;
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
        EXPECT_EQ(bigint_set_text(ctx, &x, "1", 1, bases[i], NULL), BIGINT_EINVAL);
        EXPECT_EQ(bigint_get_text(ctx, buf, sizeof buf, &need, &x, bases[i]), BIGINT_EINVAL);
        EXPECT_EQ(bigint_digits_bound(ctx, &digits, &x, bases[i]), BIGINT_EINVAL);
        EXPECT_TEXT(ctx, "bases are 2 to 62");
    }
    EXPECT_EQ(bigint_set_text(ctx, &x, "1", 1, -16, NULL), BIGINT_EINVAL);
    EXPECT_EQ(bigint_get_text(ctx, buf, sizeof buf, &need, &x, 0), BIGINT_EINVAL);
    EXPECT_TRUE(buf[0] == '#' && need == 7 && digits == 7);
    EXPECT_EQ(bigint_set_text(ctx, &x, "1", SIZE_MAX, 3, NULL), BIGINT_ERANGE);
    EXPECT_EQ(bigint_limbs_bound(&x), 0u);
    bigint_clear(ctx, &x);
    bigint_ctx_destroy(ctx);
}

// expect_one_name: the text of an error names one call, and not the one of decimal text.
static void expect_one_name(const bigint_ctx *ctx) {
    const char *const error = bigint_ctx_error(ctx);
    EXPECT_TRUE(strncmp(error, "bigint_", 7) == 0 && strstr(error + 7, "bigint_") == NULL);
    EXPECT_TRUE(strstr(error, "_decimal") == NULL);
}

// try_failing: reading and writing with allocation number `at` failing. Returns whether there was
// such a one.
static int try_failing(uint64_t at, const mpz_t z, int base) {
    allocator_log log = {0};
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.allocator = fixture_allocator(&log)});
    bigint x = BIGINT_INIT, y = BIGINT_INIT;
    mpz_t seven;
    mpz_init_set_si(seven, -7);
    fixture_set(ctx, &x, seven);
    fixture_set(ctx, &y, z);
    char *const text = mpz_get_str(NULL, base, z);
    const size_t length = strlen(text);
    char *const buf = calloc(length + 2, 1);
    SCOPED_TRACE("base %d, allocation %d", base, (int)at);
    log.fail_at = log.calls + at;
    const bigint_status read = bigint_set_text(ctx, &x, text, length, base, NULL);
    if (read == BIGINT_ENOMEM) {
        expect_one_name(ctx);
    }
    const bigint_status written = bigint_get_text(ctx, buf, length + 1, NULL, &y, base);
    const int reached = log.calls >= log.fail_at;
    if (written == BIGINT_ENOMEM) {
        expect_one_name(ctx);
    }
    EXPECT_TRUE(read == BIGINT_OK || read == BIGINT_ENOMEM);
    EXPECT_TRUE(written == BIGINT_OK || written == BIGINT_ENOMEM);
    EXPECT_BIGINT(ctx, &x, read == BIGINT_OK ? z : seven);
    EXPECT_EQ((const char *)buf, written == BIGINT_OK ? text : "");
    log.fail_at = 0;
    bigint_clear(ctx, &x);
    bigint_clear(ctx, &y);
    bigint_ctx_destroy(ctx);
    EXPECT_EQ(log.live_blocks, 0u);
    mpz_clear(seven);
    free(buf);
    free(text);
    return reached;
}

// Mutations: a value or buffer touched, or memory lost, by an allocation that fails at any place; a
// text that names two calls, or another one than was made.
TEST(Bases, EveryAllocationMayFail) {
    gen g = gen_seed(333);
    mpz_t z;
    mpz_init(z);
    fixture_limbs(&g, z, 6 * TEXT_READ_LEAF);
    for (int base = 32; base <= 33; base++) {
        uint64_t at = 1;
        while (try_failing(at, z, base) && at < 1000) {
            at++;
        }
        EXPECT_TRUE(at > 1 && at < 1000);
    }
    mpz_clear(z);
}
