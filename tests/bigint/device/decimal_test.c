// decimal_test.c: bigint_mul_decimal on a device: every engine against GMP's texts, what an engine
// refuses, memory, checks. tests/bigint/text/mul_decimal_test.c has signs, buffers and bad texts.
#include <gmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "bigint/device/decimal.h"
#include "bigint/device/decimal_modular.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

enum { LONGEST = 3000, ON_DEVICE = 300000 };

// draw fills s with `digits` digits, the first not 0: uniform, all nines, or 10^(digits - 1).
static void draw(gen *g, char *s, size_t digits, int shape) {
    for (size_t i = 0; i < digits; i++) {
        s[i] = shape == 0 ? (char)('0' + gen_below(g, 10)) : shape == 1 ? '9' : '0';
    }
    s[0] = s[0] == '0' ? '1' : s[0];
}

static char *copied(const char *s, size_t n) {
    char *const text = malloc(n + 1);
    memcpy(text, s, n);
    text[n] = '\0';
    return text;
}

static void expect_product(bigint_ctx *ctx, const char *a, size_t an, const char *b, size_t bn) {
    SCOPED_TRACE("%d by %d digits", (int)an, (int)bn);
    char *const x = copied(a, an), *const y = copied(b, bn), *const text = malloc(an + bn + 1);
    size_t need = 0;
    mpz_t u, v;
    mpz_init_set_str(u, x, 10), mpz_init_set_str(v, y, 10);
    mpz_mul(u, u, v);
    char *const expected = mpz_get_str(NULL, 10, u);
    const size_t cap = strlen(expected) + 1;  // not a character more
    EXPECT_EQ(bigint_mul_decimal(ctx, text, cap, &need, a, an, b, bn, NULL), BIGINT_OK);
    EXPECT_EQ(need, cap);
    EXPECT_TRUE(strcmp(text, expected) == 0);
    free(expected), free(text), free(x), free(y);
    mpz_clears(u, v, NULL);
}

// Mutations: the last word of a text keeps what stood there before, a square reads the other
// operand's old text, the product's first digit is dropped or kept wrongly, the check compares
// other words.
TEST(DeviceDecimal, EveryEngineEqualsGmp) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const struct {
        const char *engine;
        size_t longest;  // that is proved exact, or quick
    } engines[] = {{NULL, ON_DEVICE},         {"real-fft", ON_DEVICE},  {"complex-fft", ON_DEVICE},
                   {"real-fft-f32", 500},     {"complex-fft-f32", 500}, {"tiled", 100000},
                   {"modular-fft", ON_DEVICE}};
    static const size_t lengths[] = {1,   2,   7,   8,       9,    19,    20,       127,
                                     255, 256, 257, LONGEST, 8192, 65537, ON_DEVICE};
    char *const a = malloc(ON_DEVICE), *const b = malloc(ON_DEVICE);
    for (size_t e = 0; e < sizeof engines / sizeof *engines; e++) {
        SCOPED_TRACE("%s", engines[e].engine != NULL ? engines[e].engine : "auto");
        bigint_ctx *ctx = fixture_ctx(
            &(bigint_ctx_options){.engine = engines[e].engine, .checks = (uint32_t)e % 2});
        gen g = gen_seed(17);
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
            const size_t n = lengths[i], m = lengths[gen_below(&g, i + 1)];
            if (n > engines[e].longest || (device_emulated() && n > LONGEST)) {
                continue;
            }
            for (int shape = 0; shape < 3; shape++) {
                draw(&g, a, n, shape), draw(&g, b, n, (int)gen_below(&g, 3));
                expect_product(ctx, a, n, b, n);
                expect_product(ctx, a, n, b, m);
                expect_product(ctx, b, m, a, n);
                expect_product(ctx, a, n, a, n);          // a square
                expect_product(ctx, a, n, a, n - n / 3);  // texts that overlap
            }
        }
        bigint_ctx_destroy(ctx);
    }
    free(a), free(b);
}

// modular_pair: products of an and bn digits with long runs of nines, zeros and carries.
static void modular_pair(bigint_ctx *ctx, size_t an, size_t bn) {
    char *const a = malloc(an), *const b = malloc(bn);
    gen g = gen_seed(an + bn);
    for (int shape = 0; shape < 4; shape++) {
        draw(&g, a, an, shape % 3), draw(&g, b, bn, shape == 3 ? 1 : shape);
        if (shape == 3) {  // (10^n + 1) times nines
            memset(a, '0', an);
            a[0] = a[an - 1] = '1';
        }
        expect_product(ctx, a, an, b, bn);
        expect_product(ctx, b, bn, a, an);
    }
    expect_product(ctx, b, bn, b, bn);
    free(a), free(b);
}

// Around the digits of a word, 19, and of a tile of words, 253 of them; one factor far longer; and
// where products begin to be modular unless an engine is named. Mutations: a factor's top word is
// left out or has other digits; a tile begins at the wrong character; a square's other words are
// read; the threshold takes an engine that is not there.
TEST(DeviceDecimal, ModularWords) {
    if (!device_ready()) {
        SKIP("no device");
    }
    enum { WORD = 19, TILE = 253 * WORD };
    static const size_t pairs[][2] = {{1, 1},
                                      {WORD - 1, 1},
                                      {WORD, WORD},
                                      {WORD + 1, WORD - 1},
                                      {TILE - 1, 1},
                                      {TILE / 2, TILE / 2},
                                      {TILE / 2, TILE / 2 + 1},
                                      {TILE + 5, 2 * WORD},
                                      {2 * TILE, WORD + 1},
                                      {DECIMAL_MODULAR_FROM / 2, DECIMAL_MODULAR_FROM / 2 - 1},
                                      {DECIMAL_MODULAR_FROM / 2, DECIMAL_MODULAR_FROM / 2},
                                      {2000000, 1},
                                      {2000000, 70000},
                                      {1234567, 1234567}};
    static const char *const engines[] = {"modular-fft", NULL};
    for (int e = 0; e < 2; e++) {
        bigint_ctx *ctx = fixture_ctx(
            &(bigint_ctx_options){.engine = engines[e], .checks = (uint32_t)e, .threads = 3});
        for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
            if (!device_emulated() || (e == 0 && pairs[i][0] <= 2 * TILE)) {
                modular_pair(ctx, pairs[i][0], pairs[i][1]);
            }
        }
        bigint_ctx_destroy(ctx);
    }
}

// In every base: around a digit, a block of 256 digits and a tile of 253. Mutations: a digit's bits
// begin at another place than the transform reads; the last digit of a block lacks what the next
// word has of it; the base that is forced is not the one that runs; a remainder is left above R.
TEST(DeviceDecimal, EveryBase) {
    if (!device_ready()) {
        SKIP("no device");
    }
    for (unsigned i = 0; i < RECOMBINE_DECIMAL_BASES; i++) {
        const recombine_decimal_base base = recombine_decimal_bases[i];
        const size_t k = base.digits, block = 256 * k, tile = 253 * k;
        const size_t pairs[][2] = {{k + 1, k - 1},
                                   {block + 1, block - 1},
                                   {1, 1},
                                   {k, k},
                                   {tile / 2, tile / 2},
                                   {tile + 5, 2 * k},
                                   {2 * tile, tile - k},
                                   {1000003, 999999},
                                   {3000000, 1}};
        bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.engine = "modular-fft", .checks = 1});
        ctx->queue.forced.primes = base.primes;
        decimal_modular d;
        ASSERT_TRUE(decimal_modular_plan(ctx, &d, 1000, 1000, false));
        EXPECT_EQ(d.base.digits, base.digits);
        for (size_t j = 0; j < sizeof pairs / sizeof *pairs; j++) {
            if (!device_emulated() || j < 2) {
                modular_pair(ctx, pairs[j][0], pairs[j][1]);
            }
        }
        bigint_ctx_destroy(ctx);
    }
}

// The base is the plan's: words for short products, more primes for those of 10^8 digits. Mutation:
// the last base that is exact, or the first one.
TEST(DeviceDecimal, PlansChooseTheBase) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const struct {
        uint64_t digits;
        unsigned base;
    } rows[] = {{1000, 19}, {10000000, 19}, {100000000, 26}, {150000000, 38}, {1000000000, 38}};
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.engine = "modular-fft"});
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        decimal_modular d;
        ASSERT_TRUE(decimal_modular_plan(ctx, &d, rows[i].digits, rows[i].digits, false));
        EXPECT_EQ(d.base.digits, rows[i].base);
    }
    bigint_ctx_destroy(ctx);
}

// Mutations: the device does not look at a character, at the first of a word or at the last one of
// a text; the position is the last one, or of the other text; the buffer is written.
TEST(DeviceDecimal, ModularFindsBadCharacters) {
    if (!device_ready()) {
        SKIP("no device");
    }
    enum { DIGITS = 5000 };
    static const size_t places[] = {0, 1, 135, 136, 2500, DIGITS - 20, DIGITS - 19, DIGITS - 1};
    static const char bad[] = {'/', ':', ' ', '\0', (char)0xf1, (char)0xff, '@', 'p'};
    char a[DIGITS], b[DIGITS], buf[2 * DIGITS + 1] = "#";
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.engine = "modular-fft"});
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        for (int in_b = 0; in_b < 2; in_b++) {
            size_t at = 0;
            memset(a, '7', DIGITS), memset(b, '3', DIGITS);
            (in_b ? b : a)[places[i]] = bad[i];
            b[DIGITS - 1] = in_b ? b[DIGITS - 1] : 'x';  // a's comes first
            EXPECT_EQ(bigint_mul_decimal(ctx, buf, sizeof buf, NULL, a, DIGITS, b, DIGITS, &at),
                      BIGINT_EINVAL);
            EXPECT_EQ(at, places[i] + (in_b ? DIGITS : 0));
            EXPECT_EQ(buf[0], '#');
        }
    }
    expect_product(ctx, a, DIGITS, "12", 2);
    bigint_ctx_destroy(ctx);
}

// Mutations: an engine without a proof runs another one, or a wrong one; the refusal writes to the
// buffer.
TEST(DeviceDecimal, Refuses) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const struct {
        const char *engine;
        bigint_status status;
        const char *text;
    } rows[] = {
        {"real-fft-f32", BIGINT_ERANGE,
         "engine real-fft-f32 has no exact plan for 100000 by 100000"},
        {"complex-fft-f32", BIGINT_ERANGE, "decimal digits: rounding errors of float transforms"},
    };
    enum { DIGITS = 100000 };
    char *const text = malloc(DIGITS), *const buf = malloc(2 * DIGITS + 1);
    memset(text, '9', DIGITS);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.engine = rows[i].engine});
        buf[0] = '#';
        EXPECT_EQ(
            bigint_mul_decimal(ctx, buf, 2 * DIGITS + 1, NULL, text, DIGITS, text, DIGITS, NULL),
            rows[i].status);
        EXPECT_TEXT(ctx, rows[i].text);
        EXPECT_EQ(buf[0], '#');
        EXPECT_EQ(bigint_mul_decimal(ctx, buf, 8, NULL, "0", 1, text, DIGITS, NULL), BIGINT_OK);
        EXPECT_EQ(buf, "0");
        bigint_ctx_destroy(ctx);
    }
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.max_workspace_bytes = 1 << 20});
    buf[0] = '#';
    EXPECT_EQ(bigint_mul_decimal(ctx, buf, 2 * DIGITS + 1, NULL, text, DIGITS, text, DIGITS, NULL),
              BIGINT_ENOMEM);
    EXPECT_TEXT(ctx, "bigint_mul_decimal");
    EXPECT_EQ(buf[0], '#');
    expect_product(ctx, text, 100, text, 99);
    bigint_ctx_destroy(ctx);
    free(text), free(buf);
}

// peak: the workspace of a context that has multiplied once by this engine.
static uint64_t peak(const char *engine) {
    char text[500];
    memset(text, '8', sizeof text);
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.engine = engine});
    expect_product(ctx, text, sizeof text, text, sizeof text - 1);
    bigint_counters counters;
    bigint_ctx_counters(ctx, &counters);
    bigint_ctx_destroy(ctx);
    return counters.workspace_peak;
}

// Mutations: an engine's name runs another one's pipeline, which gives the same product: complex
// points take more memory than reals, and tiles have a longest factor.
TEST(DeviceDecimal, EnginesDiffer) {
    if (!device_ready()) {
        SKIP("no device");
    }
    EXPECT_EQ(peak(NULL), peak("real-fft"));
    EXPECT_TRUE(peak("complex-fft") > peak("real-fft"));
    EXPECT_TRUE(peak("complex-fft-f32") > peak("real-fft-f32"));
    enum { TOO_LONG = (1 << 21) + 1 };
    char *const text = malloc(TOO_LONG), *const buf = malloc(TOO_LONG + 2);
    memset(text, '1', TOO_LONG);
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.engine = "tiled"});
    EXPECT_EQ(bigint_mul_decimal(ctx, buf, TOO_LONG + 2, NULL, text, TOO_LONG, "7", 1, NULL),
              BIGINT_ERANGE);
    EXPECT_TEXT(ctx, "engine tiled has no exact plan for 2097153 by 1 decimal digits");
    bigint_ctx_destroy(ctx);
    free(text), free(buf);
}

// Mutations: memory taken anew by every call, products or checks not counted, words of look-back
// that a product of limbs leaves dirty for the carries, or the reverse.
static void beside_others(const char *engine) {
    SCOPED_TRACE("%s", engine);
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.engine = engine, .checks = 1});
    bigint x = BIGINT_INIT, y = BIGINT_INIT;
    mpz_t z, square;
    mpz_inits(z, square, NULL);
    mpz_ui_pow_ui(z, 7, 2000);
    mpz_mul(square, z, z);
    fixture_set(ctx, &x, z);
    char text[1000];
    memset(text, '9', sizeof text);
    bigint_counters before = {0}, after;
    for (int i = 0; i < 5; i++) {
        bigint_ctx_counters(ctx, &before);
        expect_product(ctx, text, sizeof text, text + 1, sizeof text - 1);
        bigint_ctx_counters(ctx, &after);
        EXPECT_TRUE(after.products == before.products + 1 && after.checks == before.checks + 1);
        EXPECT_TRUE(i < 2 || after.allocations == before.allocations);
        EXPECT_EQ(bigint_mul(ctx, &y, &x, &x), BIGINT_OK);
        EXPECT_BIGINT(ctx, &y, square);
    }
    bigint_clear(ctx, &x), bigint_clear(ctx, &y);
    mpz_clears(z, square, NULL);
    bigint_ctx_destroy(ctx);
}

TEST(DeviceDecimal, BesideOtherProducts) {
    if (!device_ready()) {
        SKIP("no device");
    }
    beside_others("real-fft");
    beside_others("modular-fft");
}

// A device that takes a digit for none. Mutation: the host's answer, that all characters are
// digits, is the call's, which has written nothing.
TEST(DeviceDecimal, WrongRefusal) {
    if (!device_ready() || !device_flips(0, NULL, 0)) {
        SKIP("not under the emulation");
    }
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.engine = "modular-fft"});
    char text[1000], product[2001];
    size_t bad = 0;
    memset(text, '9', sizeof text);
    for (int i = 0; i < 3; i++) {  // until the arena has one block
        expect_product(ctx, text, sizeof text, text, sizeof text - 1);
    }
    decimal_modular d;
    ASSERT_TRUE(decimal_modular_plan(ctx, &d, sizeof text, sizeof text - 1, false));
    arena *const memory = &ctx->queue.memory;
    const arena_mark mark = arena_mark_in(memory);
    arena_take_in(ctx, memory, "test", d.plan.workspace_bytes);
    uint64_t *const answer = arena_take_in(ctx, memory, "test", sizeof *answer);
    arena_release_in(ctx, memory, mark);
    device_flips(1, answer, UINT64_MAX);  // behind the first text's packing
    EXPECT_EQ(bigint_mul_decimal(ctx, product, sizeof product, NULL, text, sizeof text, text,
                                 sizeof text - 1, &bad),
              BIGINT_ECHECK);
    EXPECT_TRUE(device_fault_came());
    device_flips(0, NULL, 0);
    EXPECT_TEXT(ctx, "a character that is no digit on the device alone is impossible");
    expect_product(ctx, text, sizeof text, text, sizeof text - 1);
    bigint_ctx_destroy(ctx);
}
