// text_test.c: decimal texts that a device, or the kernel emulation, converts, against GMP, at
// lengths around those of leaves and trees. tests/bigint/text/text_test.c has the calls themselves.
#include <gmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/core/context.h"
#include "bigint/device/text/conversion.h"
#include "bigint/device/text/tree.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

// room: a context whose device converts every text, and what is compared.
typedef struct {
    bigint_ctx *ctx;
    mpz_t z, power;
    char *text, *expected;  // room for the longest and a sign
    bigint x;
} room;

static void room_open(room *s, size_t digits, const bigint_ctx_options *options) {
    *s = (room){.ctx = fixture_ctx(options), .x = BIGINT_INIT};
    s->ctx->queue.forced.text_digits = 1;
    mpz_inits(s->z, s->power, NULL);
    s->text = malloc(digits + 100);
    s->expected = malloc(digits + 100);
}

static void room_close(room *s) {
    bigint_clear(s->ctx, &s->x);
    mpz_clears(s->z, s->power, NULL);
    free(s->text), free(s->expected);
    bigint_ctx_destroy(s->ctx);
}

// check: z to x and back: with leading zeros, and with the least room.
static void check(room *s, unsigned zeros) {
    mpz_get_str(s->expected, 10, s->z);
    const bool negative = mpz_sgn(s->z) < 0;
    const size_t length = strlen(s->expected);
    memset(s->text, '0', zeros + 1);
    s->text[0] = negative ? '-' : '+';
    strcpy(s->text + 1 + zeros, s->expected + negative);
    EXPECT_EQ(bigint_set_decimal(s->ctx, &s->x, s->text, strlen(s->text), NULL), BIGINT_OK);
    EXPECT_BIGINT(s->ctx, &s->x, s->z);
    size_t need = 0;
    memset(s->text, '#', length + 2);
    EXPECT_EQ(bigint_get_decimal(s->ctx, s->text, length + 1, &need, &s->x), BIGINT_OK);
    EXPECT_EQ(need, length + 1);
    EXPECT_TRUE(strcmp(s->text, s->expected) == 0);
    EXPECT_EQ(s->text[length + 1], '#');
    EXPECT_EQ(bigint_get_decimal(s->ctx, s->text, length, &need, &s->x), BIGINT_ERANGE);
    EXPECT_TRUE(need == length + 1 || need == length + 2);
    EXPECT_TRUE(strcmp(s->text, s->expected) == 0);
}

// check_around: z - 1, -z and z + 1.
static void check_around(room *s) {
    mpz_sub_ui(s->z, s->z, 1);
    check(s, 1);
    mpz_add_ui(s->z, s->z, 1);
    mpz_neg(s->z, s->z);
    check(s, 0);
    mpz_neg(s->z, s->z);
    mpz_add_ui(s->z, s->z, 1);
    check(s, 2);
}

// Digits: of a word, of a leaf's two words and most, of two leaves, four and eight, and one less
// and more.
static const size_t lengths[] = {1,    2,    18,   19,   20,   37,   38,   39,   2431,
                                 2432, 2433, 2508, 4864, 4865, 7297, 9729, 19457};
enum { LONGEST = 20000, ON_DEVICE = 1000003 };
static void label(char *buf, size_t cap, const size_t *p) {
    snprintf(buf, cap, "%llu_digits", (unsigned long long)*p);
}

// Mutations: a word packed from the digits beside it; a leaf's words in the wrong order; a product
// joined a limb too high or low; upper halves not cleared before the sum; the power of another
// level; a fraction cut a bit too low; d not set back to 1/2; a carry that stops after two limbs;
// the bound taken for the digits; a sign lost.
TEST_EACH(DeviceText, EqualsGmp, size_t, lengths, label) {
    if (!device_ready()) {
        SKIP("no device");
    }
    // The emulation takes a second and more for each of the longest, so there they are fewer.
    const bool brief = device_emulated() && *p > 5000;
    room s;
    gen g = gen_seed(*p);
    room_open(&s, *p, NULL);
    mpz_ui_pow_ui(s.z, 10, *p);  // 10^p - 1, 10^p, 10^p + 1
    check_around(&s);
    mpz_ui_pow_ui(s.z, 10, *p - 1);
    brief ? check(&s, 1) : check_around(&s);
    mpz_set_ui(s.z, 1);
    mpz_mul_2exp(s.z, s.z, *p * 3321 / 1000);
    brief ? check(&s, 1) : check_around(&s);
    for (unsigned i = 0; i < (brief ? 1U : device_emulated() ? 2U : 10U); i++) {
        fixture_shape(&g, i == 0 ? GEN_UNIFORM : (gen_shape)(gen_below(&g, GEN_SHAPES)), s.z,
                      *p / 20 + 1);
        check(&s, 40);
    }
    room_close(&s);
}

// Upper halves whose fractions, set back to the middle, cross j / 2^(k + 2): a carry, or a borrow,
// passes a third of all limbs. Mutations: it stops at the end of a block's stretch, or one limb
// after it; it passes zeros where it should pass ones.
TEST(DeviceText, LongCarries) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const size_t leaves[] = {66, 128, 264, 1056, 3200};  // words of an upper half
    room s;
    room_open(&s, ON_DEVICE, NULL);
    for (size_t i = 0; i < (device_emulated() ? 4 : sizeof leaves / sizeof *leaves); i++) {
        const unsigned long k = 19 * leaves[i];
        for (unsigned down = 0; down < 2; down++) {
            mpz_ui_pow_ui(s.power, 5, k);
            // j 5^k = 1 or 3 modulo 4, as 5^k = 1: N1 = floor(j 5^k / 4), j near 3 2^k.
            mpz_set_ui(s.z, 3);
            mpz_mul_2exp(s.z, s.z, k);
            mpz_add_ui(s.z, s.z, down == 0 ? 1 : 3);
            mpz_mul(s.z, s.z, s.power);
            mpz_fdiv_q_2exp(s.z, s.z, 2);
            mpz_ui_pow_ui(s.power, 10, k);
            mpz_mul(s.z, s.z, s.power);
            if (down != 0) {
                mpz_add(s.z, s.z, s.power);
                mpz_sub_ui(s.z, s.z, 1);
            }
            check(&s, 0);
        }
    }
    room_close(&s);
}

// Every character that is not a digit, at the ends of words, leaves and the text. Mutations: the
// last bad character is reported; characters beyond '9', or below '0', pass; r is written.
TEST(DeviceText, BadCharacters) {
    if (!device_ready()) {
        SKIP("no device");
    }
    enum { DIGITS = 5000, FIRST = 4 };
    static const size_t places[] = {0, 1, 18, 19, 20, 2431, 2432, 2433, 4998, 4999};
    static const char bad[] = "/:-+ aA\x80";
    room s;
    room_open(&s, DIGITS, NULL);
    mpz_set_si(s.z, -5);
    fixture_set(s.ctx, &s.x, s.z);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        for (size_t b = 0; b < (i == 0 ? sizeof bad : 2); b++) {  // with the NUL
            size_t at = 0;
            memset(s.text, '7', FIRST + DIGITS);
            memcpy(s.text, "-000", FIRST);
            s.text[FIRST + places[i]] = bad[b];
            s.text[FIRST + DIGITS - 1] = places[i] == 4998 ? 'x' : s.text[FIRST + DIGITS - 1];
            EXPECT_EQ(bigint_set_decimal(s.ctx, &s.x, s.text, FIRST + DIGITS, &at), BIGINT_EINVAL);
            EXPECT_EQ(at, FIRST + places[i]);
            EXPECT_TEXT(s.ctx, "bigint_set_decimal: the character at position");
            EXPECT_BIGINT(s.ctx, &s.x, s.z);
        }
    }
    size_t at = 0;  // without digits; zeros alone
    EXPECT_EQ(bigint_set_decimal(s.ctx, &s.x, "-", 1, &at), BIGINT_EINVAL);
    EXPECT_EQ(at, 1u);
    memset(s.text, '0', DIGITS);
    EXPECT_EQ(bigint_set_decimal(s.ctx, &s.x, s.text, DIGITS, &at), BIGINT_OK);
    mpz_set_ui(s.z, 0);
    EXPECT_BIGINT(s.ctx, &s.x, s.z);
    room_close(&s);
}

// Numbers that are announced as longer than they are, base 10 by the call for all bases, and other
// bases, which the host converts. Mutations: the announced length makes the text longer; base 10
// knows no other call; base 3 goes to the device.
TEST(DeviceText, OtherCalls) {
    if (!device_ready()) {
        SKIP("no device");
    }
    enum { DIGITS = 6000 };
    room s;
    room_open(&s, 4 * DIGITS, NULL);
    bigint more = BIGINT_INIT;
    mpz_ui_pow_ui(s.z, 7, 5000);
    fixture_set(s.ctx, &s.x, s.z);
    EXPECT_EQ(bigint_set_u64(s.ctx, &more, 1), BIGINT_OK);
    EXPECT_EQ(bigint_mul_2exp(s.ctx, &more, &more, 40000), BIGINT_OK);
    EXPECT_EQ(bigint_add(s.ctx, &s.x, &s.x, &more), BIGINT_OK);
    EXPECT_EQ(bigint_sub(s.ctx, &s.x, &s.x, &more), BIGINT_OK);
    static const int bases[] = {10, -10, 3, 62};
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
        SCOPED_TRACE("base %d", bases[i]);
        EXPECT_EQ(bigint_get_text(s.ctx, s.text, 4 * DIGITS, NULL, &s.x, bases[i]), BIGINT_OK);
        mpz_get_str(s.expected, bases[i], s.z);
        EXPECT_TRUE(strcmp(s.text, s.expected) == 0);
        EXPECT_EQ(bigint_set_text(s.ctx, &more, s.text, strlen(s.text), abs(bases[i]), NULL),
                  BIGINT_OK);
        EXPECT_BIGINT(s.ctx, &more, s.z);
    }
    bigint_clear(s.ctx, &more);
    room_close(&s);
}

// Checked products, and a cap that is too small for a conversion. Mutations: products of the tree
// that are not checked; integers on the way that no cap counts.
TEST(DeviceText, ChecksAndCaps) {
    if (!device_ready()) {
        SKIP("no device");
    }
    enum { DIGITS = 12000 };
    room s;
    room_open(&s, DIGITS, &(bigint_ctx_options){.checks = 1});
    mpz_ui_pow_ui(s.z, 3, 25000);
    check(&s, 0);
    bigint_counters counters;
    bigint_ctx_counters(s.ctx, &counters);
    EXPECT_TRUE(counters.checks > 0 && counters.checks == counters.products);
    EXPECT_EQ(counters.mismatches, 0u);
    room_close(&s);
    room_open(&s, DIGITS, &(bigint_ctx_options){.max_workspace_bytes = 45000});
    mpz_set_ui(s.z, 5);
    fixture_set(s.ctx, &s.x, s.z);
    memset(s.text, '8', DIGITS);
    EXPECT_EQ(bigint_set_decimal(s.ctx, &s.x, s.text, DIGITS, NULL), BIGINT_ENOMEM);
    EXPECT_BIGINT(s.ctx, &s.x, s.z);
    mpz_ui_pow_ui(s.z, 3, 25000);
    fixture_set(s.ctx, &s.x, s.z);
    memset(s.text, '#', DIGITS);
    EXPECT_EQ(bigint_get_decimal(s.ctx, s.text, DIGITS, NULL, &s.x), BIGINT_ENOMEM);
    EXPECT_EQ(s.text[0], '#');
    room_close(&s);
}

// The lengths of all powers that a tree may have: the top bits lie below the next power of 2 by
// more than their error, 2^50 units; those of the first levels are right, and lower than the
// power's own by less than 2^16. Mutations: a square's length without its normalization; a top
// rounded up.
TEST(DeviceText, LengthsOfPowers) {
    if (!device_ready()) {
        SKIP("no device");
    }
    bigint_ctx *const ctx = fixture_ctx(NULL);
    mpz_t power, top, given;
    mpz_inits(power, top, given, NULL);
    for (uint64_t leaf = TEXT_LEAF_MOST / 2 + 2; leaf <= TEXT_LEAF_MOST; leaf += 2) {
        device_text_tree tree;
        device_text_tree_make(ctx, &tree, leaf << DEVICE_TEXT_LEVELS_MOST);
        EXPECT_EQ(tree.leaf, leaf);
        EXPECT_EQ(tree.levels, (unsigned)DEVICE_TEXT_LEVELS_MOST);
        mpz_ui_pow_ui(power, 5, 19 * leaf);
        for (unsigned j = 0; j <= tree.levels; j++) {
            const device_text_five *const five = &tree.five[j];
            EXPECT_TRUE(five->top >> 127 == 1 && five->top <= ~((word_pair)1 << 50));
            EXPECT_EQ(five->words, leaf << j);
            if (j > 6) {
                continue;
            }
            EXPECT_EQ(five->bits, mpz_sizeinbase(power, 2));
            mpz_tdiv_q_2exp(top, power, five->bits - 128);
            mpz_set_ui(given, (uint64_t)(five->top >> 64));
            mpz_mul_2exp(given, given, 64);
            mpz_add_ui(given, given, (uint64_t)five->top);
            mpz_sub(top, top, given);
            EXPECT_TRUE(mpz_sgn(top) >= 0 && mpz_cmp_ui(top, 1 << 16) < 0);
            mpz_mul(power, power, power);
        }
    }
    mpz_clears(power, top, given, NULL);
    bigint_ctx_destroy(ctx);
}
