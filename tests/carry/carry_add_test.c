// carry_add_test.c: sums and differences on a device, or under the kernel emulation, against GMP.
#include "carry/add.h"

#include <gmp.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

enum { MAX = 12000, PATTERN = 0xA5 };

// Operands, and a result with room for a guard. Signs stand behind each other: a's, b's, r's.
typedef struct {
    uint64_t *a, *b, *r, *signs;
    void *workspace;
    uint64_t workspace_bytes;
} buffers;

static bool setup(buffers *s) {
    s->a = device_alloc(8 * MAX);
    s->b = device_alloc(8 * MAX);
    s->r = device_alloc(8 * MAX);
    s->signs = device_alloc(8 * 3);
    s->workspace_bytes = carry_add_workspace_bytes(MAX);
    s->workspace = device_alloc((size_t)s->workspace_bytes);
    return s->a != NULL && s->b != NULL && s->r != NULL && s->signs != NULL &&
           s->workspace != NULL && device_fill(s->workspace, 0, (size_t)s->workspace_bytes);
}

static void teardown(buffers *s) {
    device_free(s->a);
    device_free(s->b);
    device_free(s->r);
    device_free(s->signs);
    device_free(s->workspace);
}

typedef enum { APART, R_IS_A, R_IS_B, ALL_ONE } aliasing;

// check: {rp, rn} and its sign for the operands and signs that are uploaded anew.
static void check(const buffers *s, const uint64_t *ap, size_t an, const uint64_t *bp, size_t bn,
                  size_t rn, unsigned signs, bool subtract, aliasing alias) {
    SCOPED_TRACE("%zu and %zu limbs into %zu, signs %u, subtract %d, aliasing %d", an, bn, rn,
                 signs, subtract, (int)alias);
    static uint64_t got[MAX], want[MAX];
    const uint64_t sign_words[] = {signs & 1, signs >> 1 & 1, 9};
    mpz_t a, b;
    mpz_inits(a, b, NULL);
    mpz_import(a, an, -1, 8, 0, 0, ap);
    mpz_import(b, bn, -1, 8, 0, 0, alias == ALL_ONE ? ap : bp);
    if (sign_words[0] != 0) {
        mpz_neg(a, a);
    }
    if (sign_words[alias == ALL_ONE ? 0 : 1] != 0) {
        mpz_neg(b, b);
    }
    if (subtract) {
        mpz_sub(a, a, b);
    } else {
        mpz_add(a, a, b);
    }
    const int sign = mpz_sgn(a);
    memset(want, 0, sizeof want);
    mpz_abs(a, a);
    mpz_export(want, NULL, -1, 8, 0, 0, a);
    mpz_clears(a, b, NULL);

    EXPECT_TRUE(device_fill(s->a, PATTERN, 8 * MAX) && device_fill(s->b, PATTERN, 8 * MAX) &&
                device_fill(s->r, PATTERN, 8 * MAX) && device_upload(s->a, ap, 8 * an) &&
                device_upload(s->b, bp, 8 * bn) &&
                device_upload(s->signs, sign_words, sizeof sign_words));
    const limbs_device_number x = {s->a, an, s->signs};
    const limbs_device_number y =
        alias == ALL_ONE ? x : (limbs_device_number){s->b, bn, s->signs + 1};
    uint64_t *rp = alias == APART ? s->r : alias == R_IS_B ? s->b : s->a;
    uint64_t *r_sign = s->signs + (alias == APART ? 2 : alias == R_IS_B ? 1 : 0);
    EXPECT_EQ(carry_add(rp, rn, r_sign, x, y, subtract, s->workspace, s->workspace_bytes, NULL),
              RESULT_OK);
    uint64_t got_sign = 7;
    EXPECT_TRUE(device_download(got, rp, 8 * MAX) && device_download(&got_sign, r_sign, 8));
    EXPECT_LIMBS_EQ(got, want, rn);
    for (size_t i = rn; i < MAX && i < rn + 4; i++) {
        const size_t left = alias == R_IS_A || alias == ALL_ONE ? an : alias == R_IS_B ? bn : 0;
        EXPECT_TRUE(i < left || got[i] == UINT64_C(0xA5A5A5A5A5A5A5A5));
    }
    EXPECT_EQ(got_sign, sign == 0 ? sign_words[0] : sign < 0);
}

static void every_sign(const buffers *s, const uint64_t *ap, size_t an, const uint64_t *bp,
                       size_t bn) {
    const size_t rn = (an > bn ? an : bn) + 1;
    for (unsigned k = 0; k < 8; k++) {
        check(s, ap, an, bp, bn, rn, k & 3, k >> 2, (aliasing)(k % 3));
    }
    check(s, ap, an, ap, an, an + 1, 0, false, ALL_ONE);
    check(s, ap, an, ap, an, an + 1, 1, true, ALL_ONE);
}

static const size_t sizes[] = {0,   1,   2,    3,    4,    5,    7,    127,
                               128, 129, 1023, 1024, 1025, 2047, 2048, 5000};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

// Mutations: a carry lost between lanes, warps or tiles, operands exchanged where |a| < |b|, a
// number read beyond its end, an access of 16 bytes across the end, a sign taken from the wrong
// operand or read after it was replaced.
TEST(CarryAdd, EveryLengthAndShape) {
    if (!device_ready()) {
        SKIP("no device");
    }
    buffers s;
    ASSERT_TRUE(setup(&s));
    static uint64_t a[MAX], b[MAX];
    gen g = gen_seed(11);
    for (size_t i = 0; i < SIZES; i++) {
        for (size_t k = 0; k < 3; k++) {
            const size_t an = sizes[i], bn = k == 0 ? an : sizes[gen_below(&g, SIZES)];
            device_order(gen_below(&g, 4));
            if (an > 0) {
                gen_limbs(&g, (gen_shape)gen_below(&g, GEN_SHAPES), a, an);
            }
            if (bn > 0) {
                gen_limbs(&g, (gen_shape)gen_below(&g, GEN_SHAPES), b, bn);
            }
            every_sign(&s, a, an, b, bn);
        }
    }
    device_order(0);
    teardown(&s);
}

// 2^(64 n) - 1 + 1 and 2^(64 n) - 1: the carry crosses the whole number; and the same with a limb
// in its way at each border. Mutations: look-back stops at a tile that propagates, or goes on
// beyond one that does not; the first tile waits for a carry; the carry out of the top is dropped.
TEST(CarryAdd, CarriesAcrossTheWholeNumber) {
    if (!device_ready()) {
        SKIP("no device");
    }
    buffers s;
    ASSERT_TRUE(setup(&s));
    static uint64_t ones[MAX], power[MAX];
    const uint64_t one = 1;
    static const size_t stops[] = {1, 4, 127, 128, 1023, 1024, 4096, 9000};
    for (uint64_t seed = 0; seed < 3; seed++) {
        device_order(seed);
        memset(ones, 0xff, sizeof ones);
        memset(power, 0, sizeof power);
        const size_t n = 10 * 1024 + 3;
        power[n] = 1;
        every_sign(&s, ones, n, &one, 1);
        every_sign(&s, power, n + 1, &one, 1);
        for (size_t i = 0; i < sizeof stops / sizeof stops[0]; i++) {
            ones[stops[i]] -= 1;
            power[stops[i]] += 1;
            check(&s, ones, n, &one, 1, n + 1, 0, false, APART);
            check(&s, &one, 1, power, n + 1, n + 2, 0, true, R_IS_B);
        }
    }
    device_order(0);
    teardown(&s);
}

// Equal numbers, and numbers that agree down to the lowest limb, with zeros at the top.
// Mutations: a difference of 0 with a minus in front of a number that is not 0, or all of it; one
// that has b's sign.
TEST(CarryAdd, NearlyEqual) {
    if (!device_ready()) {
        SKIP("no device");
    }
    buffers s;
    ASSERT_TRUE(setup(&s));
    static uint64_t a[MAX], b[MAX];
    gen g = gen_seed(12);
    for (size_t i = 1; i < SIZES; i++) {
        const size_t n = sizes[i];
        gen_limbs(&g, GEN_UNIFORM, a, n);
        a[0] |= 1;
        memset(a + n, 0, 8 * 1500);
        memcpy(b, a, sizeof b);
        check(&s, a, n, b, n + 1500, n + 1501, 0, true, APART);
        b[0]--;
        every_sign(&s, a, n + 1500, b, n);
        every_sign(&s, b, n, a, n);
    }
    teardown(&s);
}

// Magnitudes alone, whatever their signs: sums and differences in two's complement, in place and
// apart, into fewer limbs than the operands have; the second one chosen or not. Mutations: a sign
// that counts; a difference that is turned round; a borrow out of the top; a number added that is
// not chosen.
TEST(CarryAdd, Words) {
    if (!device_ready()) {
        SKIP("no device");
    }
    buffers s;
    ASSERT_TRUE(setup(&s));
    static uint64_t a[MAX], b[MAX], got[MAX], want[MAX];
    gen g = gen_seed(13);
    for (unsigned k = 0; k < 12 * SIZES; k++) {
        const size_t an = sizes[k % SIZES], bn = sizes[gen_below(&g, SIZES)];
        const size_t rn = k % 3 == 0 ? (an + 1) / 2 + 1 : (an > bn ? an : bn) + 1;
        const bool subtract = k % 2 != 0, in_place = k % 5 == 0;
        const uint64_t words[] = {1, 0, k % 4 == 1 ? 0 : UINT64_C(1) << 63};
        device_order(k % 4);
        memset(a, 0, sizeof a), memset(b, 0, sizeof b), memset(want, 0, sizeof want);
        if (an > 0) {
            gen_limbs(&g, (gen_shape)gen_below(&g, GEN_SHAPES), a, an);
        }
        if (bn > 0) {
            gen_limbs(&g, (gen_shape)gen_below(&g, GEN_SHAPES), b, bn);
        }
        SCOPED_TRACE("%zu and %zu limbs into %zu, subtract %d, in place %d, chosen %d", an, bn, rn,
                     subtract, in_place, words[2] != 0);
        mpz_t x, y;
        mpz_inits(x, y, NULL);
        mpz_import(x, an, -1, 8, 0, 0, a), mpz_import(y, bn, -1, 8, 0, 0, b);
        mpz_mul_ui(y, y, words[2] != 0 ? 1 : 0);
        subtract ? mpz_sub(x, x, y) : mpz_add(x, x, y);
        mpz_fdiv_r_2exp(x, x, 64 * rn);
        mpz_export(want, NULL, -1, 8, 0, 0, x);
        mpz_clears(x, y, NULL);
        EXPECT_TRUE(device_upload(s.a, a, sizeof a) && device_upload(s.b, b, sizeof b) &&
                    device_fill(s.r, PATTERN, 8 * MAX) &&
                    device_upload(s.signs, words, sizeof words));
        const limbs_device_number na = {s.a, an, s.signs}, nb = {s.b, bn, s.signs + 1};
        uint64_t *const rp = in_place ? s.a : s.r;
        EXPECT_EQ(carry_add_words(rp, rn, na, nb, subtract,
                                  k % 7 == 0 && words[2] != 0 ? NULL : s.signs + 2, s.workspace,
                                  s.workspace_bytes, NULL),
                  RESULT_OK);
        EXPECT_TRUE(device_download(got, rp, 8 * MAX));
        EXPECT_LIMBS_EQ(got, want, rn);
        EXPECT_EQ(got[rn], in_place ? a[rn] : UINT64_C(0xA5A5A5A5A5A5A5A5));
    }
    device_order(0);
    teardown(&s);
}

// Mutation: a requirement that is not looked at.
TEST(CarryAdd, Refuses) {
    if (!device_ready()) {
        SKIP("no device");
    }
    buffers s;
    ASSERT_TRUE(setup(&s));
    const limbs_device_number a = {s.a, 4, NULL}, odd = {s.a + 1, 4, NULL};
    const uint64_t bytes = carry_add_workspace_bytes(5);
    EXPECT_EQ(carry_add(s.r, 5, s.signs, a, a, false, s.workspace, bytes - 1, NULL),
              RESULT_REFUSED);
    EXPECT_EQ(carry_add(s.r, 5, s.signs, a, odd, false, s.workspace, bytes, NULL), RESULT_REFUSED);
    EXPECT_EQ(carry_add(s.r + 1, 5, s.signs, a, a, false, s.workspace, bytes, NULL),
              RESULT_REFUSED);
    EXPECT_EQ(carry_add(s.r, 5, s.signs, a, a, false, s.workspace, bytes, NULL), RESULT_OK);
    EXPECT_EQ(carry_add_words(s.r, 5, a, odd, false, NULL, s.workspace, bytes, NULL),
              RESULT_REFUSED);
    EXPECT_EQ(carry_add_words(s.r, 5, a, a, false, NULL, s.workspace, bytes - 1, NULL),
              RESULT_REFUSED);
    teardown(&s);
}
