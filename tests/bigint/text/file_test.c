// file_test.c: integers in files beside GMP's: raw and as text.
#include <stdio.h>
#include <string.h>

#include "bigint/bigint_file.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"

enum { BYTES = 100000 };

// contents: all of a file, and its position moved to the beginning.
static size_t contents(FILE *file, char *p) {
    rewind(file);
    const size_t n = fread(p, 1, BYTES, file);
    rewind(file);
    return n;
}

// expect_raw: three numbers in a row: GMP's bytes, and read by either from the other's file.
static void expect_raw(bigint_ctx *ctx, const mpz_t z) {
    static char ours[BYTES], theirs[BYTES];
    FILE *const file = tmpfile(), *const right = tmpfile();
    bigint x = BIGINT_INIT;
    mpz_t back;
    mpz_init(back);
    fixture_set(ctx, &x, z);
    for (int i = 0; i < 3; i++) {
        size_t bytes = 7;
        EXPECT_EQ(bigint_write_raw(ctx, file, &bytes, &x), BIGINT_OK);
        EXPECT_EQ(bytes, mpz_out_raw(right, z));
    }
    const size_t n = contents(file, ours);
    EXPECT_EQ(contents(right, theirs), n);
    EXPECT_TRUE(memcmp(ours, theirs, n) == 0);
    for (int i = 0; i < 3; i++) {
        size_t bytes = 7;
        EXPECT_EQ(bigint_set_i64(ctx, &x, 5), BIGINT_OK);
        EXPECT_EQ(bigint_read_raw(ctx, &x, right, i == 0 ? NULL : &bytes), BIGINT_OK);
        EXPECT_BIGINT(ctx, &x, z);
        EXPECT_EQ(mpz_inp_raw(back, file), i == 0 ? n / 3 : bytes);
        EXPECT_TRUE(mpz_cmp(back, z) == 0);
    }
    EXPECT_EQ(bigint_read_raw(ctx, &x, right, NULL), BIGINT_EINVAL);  // no fourth number
    EXPECT_BIGINT(ctx, &x, z);
    fclose(file);
    fclose(right);
    mpz_clear(back);
    bigint_clear(ctx, &x);
}

// expect_text: numbers as text between spaces.
static void expect_text(bigint_ctx *ctx, const mpz_t z, int base) {
    static char ours[BYTES], theirs[BYTES];
    FILE *const file = tmpfile(), *const right = tmpfile();
    bigint x = BIGINT_INIT;
    size_t written = 7, read = 7;
    fixture_set(ctx, &x, z);
    EXPECT_EQ(bigint_write_text(ctx, file, &written, &x, base), BIGINT_OK);
    EXPECT_EQ(written, mpz_out_str(right, base, z));
    fprintf(file, "\t\n\v \r\f");
    EXPECT_EQ(bigint_write_text(ctx, file, NULL, &x, base), BIGINT_OK);
    fprintf(file, "!");
    const size_t n = contents(file, ours);
    EXPECT_EQ(contents(right, theirs), written);
    EXPECT_TRUE(n == 2 * written + 7 && memcmp(ours, theirs, written) == 0);
    for (int i = 0; i < 2; i++) {
        EXPECT_EQ(bigint_set_i64(ctx, &x, 5), BIGINT_OK);
        EXPECT_EQ(bigint_read_text(ctx, &x, file, base < 0 ? -base : base, &read), BIGINT_OK);
        EXPECT_BIGINT(ctx, &x, z);
        EXPECT_EQ(read, written + (i == 0 ? 0 : 6));
    }
    EXPECT_EQ(bigint_read_text(ctx, &x, file, 10, &read), BIGINT_EINVAL);
    EXPECT_EQ(getc(file), '!');
    EXPECT_EQ(bigint_read_text(ctx, &x, file, 10, &read), BIGINT_EINVAL);
    EXPECT_BIGINT(ctx, &x, z);
    fclose(file);
    fclose(right);
    bigint_clear(ctx, &x);
}

// Mutations: the count of a negative number one off, the bytes in the other order, a character
// behind the number swallowed, text cut where the buffer grows.
TEST(File, RoundTrips) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(371);
    mpz_t z;
    mpz_init(z);
    for (int i = 0; i < 120; i++) {
        expect_raw(ctx, z);
        expect_text(ctx, z, i % 61 + 2);
        expect_text(ctx, z, -(i % 35 + 2));
        fixture_limbs(&g, z, gen_size(&g, 1, 60));
        mpz_fdiv_q_2exp(z, z, gen_below(&g, 64));
        i % 2 == 0 ? mpz_neg(z, z) : (void)0;
    }
    mpz_clear(z);
    bigint_ctx_destroy(ctx);
}

// expect_read: what a file with this text gives: a number, or -1 for a refusal; and how many
// characters are left.
static void expect_read(const char *text, int base, int64_t want, size_t left) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    FILE *const file = tmpfile();
    bigint x = BIGINT_INIT;
    mpz_t z;
    mpz_init_set_si(z, want);
    fixture_set(ctx, &x, z);
    fputs(text, file);
    rewind(file);
    SCOPED_TRACE("%s in base %d", text, base);
    EXPECT_EQ(bigint_read_text(ctx, &x, file, base, NULL), want < 0 ? BIGINT_EINVAL : BIGINT_OK);
    EXPECT_BIGINT(ctx, &x, z);
    size_t n = 0;
    while (getc(file) != EOF) {
        n++;
    }
    EXPECT_EQ(n, left);
    fclose(file);
    mpz_clear(z);
    bigint_clear(ctx, &x);
    bigint_ctx_destroy(ctx);
}

// Mutations: a prefix read in every base, a digit of the wrong base taken.
TEST(File, Prefixes) {
    expect_read("  0x1fg", 0, 31, 1);
    expect_read("0b1012", 0, 5, 1);
    expect_read("0178", 0, 15, 1);
    expect_read("0", 0, 0, 0);
    expect_read("1a", 0, 1, 1);
    expect_read("0x1f", 16, 0, 3);
    expect_read("+12 3", 10, 12, 2);
    expect_read("", 10, -1, 0);
    expect_read("-", 10, -1, 0);
    expect_read("0x", 0, -1, 0);
    expect_read(" x", 10, -1, 1);
}

// Mutations: a file that ends within a number, an absurd count, a failed write taken for a success;
// r changed.
TEST(File, Failures) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    FILE *file = tmpfile();
    bigint x = BIGINT_INIT;
    mpz_t z;
    mpz_init_set_si(z, -77);
    fixture_set(ctx, &x, z);
    size_t count = 7;
    fwrite("\0\0\0\5abcd", 1, 8, file);
    rewind(file);
    EXPECT_EQ(bigint_read_raw(ctx, &x, file, &count), BIGINT_EINVAL);
    EXPECT_TEXT(ctx, "ends within a number");
    rewind(file);
    fwrite("\200\0\0\0", 1, 4, file);
    rewind(file);
    EXPECT_EQ(bigint_read_raw(ctx, &x, file, &count), BIGINT_ERANGE);
    fclose(file);
    file = fopen("/dev/null", "r");
    EXPECT_EQ(bigint_write_raw(ctx, file, &count, &x), BIGINT_EINVAL);
    EXPECT_EQ(bigint_write_text(ctx, file, &count, &x, 10), BIGINT_EINVAL);
    EXPECT_EQ(bigint_write_text(ctx, file, &count, &x, 63), BIGINT_EINVAL);
    EXPECT_EQ(bigint_read_text(ctx, &x, file, 63, &count), BIGINT_EINVAL);
    EXPECT_EQ(bigint_read_text(ctx, &x, file, -16, &count), BIGINT_EINVAL);
    fclose(file);
    EXPECT_EQ(count, 7u);
    EXPECT_BIGINT(ctx, &x, z);
    mpz_clear(z);
    bigint_clear(ctx, &x);
    bigint_ctx_destroy(ctx);
}

// Mutation: memory lost, or r changed, by an allocation that fails: the text in the file is longer
// than any buffer at hand.
TEST(File, EveryAllocationMayFail) {
    mpz_t z, seven;
    mpz_init_set_si(seven, -7);
    mpz_init(z);
    mpz_ui_pow_ui(z, 3, 9000);
    bigint_status status = BIGINT_ENOMEM;
    for (uint64_t fail = 1; status == BIGINT_ENOMEM && fail < 100; fail++) {
        allocator_log log = {0};
        bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.allocator = fixture_allocator(&log)});
        FILE *const file = tmpfile(), *const raw = tmpfile();
        bigint x = BIGINT_INIT, y = BIGINT_INIT;
        mpz_out_str(file, 10, z);
        rewind(file);
        mpz_out_raw(raw, z);
        rewind(raw);
        fixture_set(ctx, &x, seven);
        fixture_set(ctx, &y, seven);
        log.fail_at = log.calls + fail;
        status = bigint_read_text(ctx, &x, file, 10, NULL);
        const bigint_status second = bigint_read_raw(ctx, &y, raw, NULL);
        log.fail_at = 0;
        EXPECT_TRUE(status == BIGINT_OK || status == BIGINT_ENOMEM);
        EXPECT_BIGINT(ctx, &x, status == BIGINT_OK ? z : seven);
        EXPECT_BIGINT(ctx, &y, second == BIGINT_OK ? z : seven);
        status = status == BIGINT_OK ? second : status;
        bigint_clear(ctx, &x);
        bigint_clear(ctx, &y);
        bigint_ctx_destroy(ctx);
        EXPECT_EQ(log.live_blocks, 0u);
        fclose(file);
        fclose(raw);
    }
    EXPECT_EQ(status, BIGINT_OK);
    mpz_clear(z);
    mpz_clear(seven);
}
