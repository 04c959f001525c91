// limbs_device_test.c: shifts and comparisons on a device, or under the kernel emulation, against
// GMP.
#include "primitives/limbs/device.h"

#include <gmp.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

enum { MAX = 11000, PATTERN = 0xA5 };

// Two operands and a result with a guard limb, each with its sign word; the workspace of compare.
typedef struct {
    uint64_t *a, *b, *r, *signs;
    limbs_device_order *order;
    void *workspace;
} buffers;

static bool setup(buffers *s) {
    s->a = device_alloc(8 * MAX);
    s->b = device_alloc(8 * MAX);
    s->r = device_alloc(8 * (MAX + 1));
    s->signs = device_alloc(8 * 3);
    s->order = device_alloc(sizeof *s->order);
    s->workspace = device_alloc(LIMBS_COMPARE_WORKSPACE_BYTES);
    return s->a != NULL && s->b != NULL && s->r != NULL && s->signs != NULL && s->order != NULL &&
           s->workspace != NULL && device_fill(s->workspace, 0, LIMBS_COMPARE_WORKSPACE_BYTES);
}

static void teardown(buffers *s) {
    device_free(s->a);
    device_free(s->b);
    device_free(s->r);
    device_free(s->signs);
    device_free(s->order);
    device_free(s->workspace);
}

// import: z = {p, n}.
static void import(mpz_t z, const uint64_t *p, size_t n) { mpz_import(z, n, -1, 8, 0, 0, p); }

// --- Shifts --------------------------------------------------------------------------------------

// shift_case: |a| of an limbs shifted into rn limbs, all of them compared, and the limb behind.
static void shift_case(const buffers *s, const uint64_t *ap, size_t an, size_t rn, uint64_t bits,
                       bool left, limbs_sign sign, uint64_t a_sign) {
    SCOPED_TRACE("%zu limbs to %zu, %llu bits %s", an, rn, (unsigned long long)bits,
                 left ? "left" : "right");
    static uint64_t got[MAX + 1], want[MAX + 1];
    mpz_t z;
    mpz_init(z);
    import(z, ap, an);
    if (left) {
        mpz_mul_2exp(z, z, bits);
    } else {
        mpz_tdiv_q_2exp(z, z, bits);
    }
    mpz_tdiv_r_2exp(z, z, 64 * rn);
    memset(want, 0, sizeof want);
    mpz_export(want, NULL, -1, 8, 0, 0, z);
    memset(&want[rn], PATTERN, 8);
    mpz_clear(z);
    EXPECT_TRUE(device_upload(s->a, ap, 8 * an) && device_upload(s->signs, &a_sign, 8) &&
                device_fill(s->r, PATTERN, 8 * (rn + 1)));
    const limbs_device_number a = {s->a, an, s->signs};
    uint64_t *r_sign = sign == LIMBS_SIGN_FLIP ? s->signs : s->signs + 1;
    EXPECT_EQ(left ? limbs_device_lshift(s->r, rn, r_sign, a, bits, sign, NULL)
                   : limbs_device_rshift(s->r, rn, r_sign, a, bits, sign, NULL),
              RESULT_OK);
    uint64_t got_sign = 7;
    EXPECT_TRUE(device_download(got, s->r, 8 * (rn + 1)) && device_download(&got_sign, r_sign, 8));
    EXPECT_LIMBS_EQ(got, want, rn + 1);
    EXPECT_EQ(got_sign, sign == LIMBS_SIGN_KEEP   ? a_sign
                        : sign == LIMBS_SIGN_FLIP ? 1 - a_sign
                                                  : 0);
}

// Mutations: >> 64 where the bits are a multiple of 64, limb -1 or limb n read from memory, the
// limb that begins below 0 left out, a last tile that writes past the end, a sign flipped twice.
TEST(LimbsDevice, ShiftsAgreeWithGmp) {
    if (!device_ready()) {
        SKIP("no device");
    }
    buffers s;
    ASSERT_TRUE(setup(&s));
    static const uint64_t bits[] = {0, 1, 63, 64, 65, 127, 128, 1000, 64 * 1023, 64 * 1024 + 5};
    static const size_t lengths[] = {0, 1, 2, 3, 255, 256, 1023, 1024, 1025, 3000};
    gen g = gen_seed(5);
    static uint64_t p[MAX];
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        const size_t an = lengths[i];
        for (size_t k = 0; k < sizeof bits / sizeof bits[0]; k++) {
            if (an > 0) {
                gen_limbs(&g, (gen_shape)(1 + gen_below(&g, GEN_SHAPES - 1)), p, an);
            }
            const size_t limbs = (size_t)bits[k] / 64;
            const limbs_sign sign = (limbs_sign)(k % 3);
            const size_t full = an + limbs + 1;
            shift_case(&s, p, an, full, bits[k], true, sign, i % 2);
            shift_case(&s, p, an, full / 2, bits[k], true, sign, i % 2);
            shift_case(&s, p, an, an > limbs ? an - limbs : 0, bits[k], false, sign, i % 2);
            shift_case(&s, p, an, an + 2, bits[k], false, sign, i % 2);
        }
    }
    shift_case(&s, p, 5, 3, UINT64_MAX, true, LIMBS_SIGN_KEEP, 1);
    shift_case(&s, p, 5, 3, UINT64_MAX, false, LIMBS_SIGN_KEEP, 1);
    const limbs_device_number a = {s.a, LIMBS_DEVICE_MAX + 1, NULL};
    EXPECT_EQ(limbs_device_lshift(s.r, 1, s.signs, a, 0, LIMBS_SIGN_KEEP, NULL), RESULT_REFUSED);
    teardown(&s);
}

// --- Choice --------------------------------------------------------------------------------------

// Into fewer limbs and more, apart and in place. Mutations: the wrong one of the two, a limb beyond
// the end of a, a sign bit of the word alone looked at, a last tile that writes past the end.
TEST(LimbsDevice, ChoosesTheNumberOrZero) {
    if (!device_ready()) {
        SKIP("no device");
    }
    buffers s;
    ASSERT_TRUE(setup(&s));
    static const size_t lengths[] = {0, 1, 255, 256, 1023, 1024, 1025, 3000};
    static const uint64_t words[] = {0, 1, UINT64_C(1) << 63, 2};
    static uint64_t p[MAX], got[MAX + 1], want[MAX + 1];
    gen g = gen_seed(6);
    gen_limbs(&g, GEN_UNIFORM, p, MAX);
    for (size_t i = 0; i < 8 * sizeof lengths / sizeof lengths[0]; i++) {
        const size_t an = lengths[i / 8], rn = lengths[i % 8];
        for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
            const bool in_place = k % 2 == 1 && rn >= an;
            memset(want, PATTERN, sizeof want);
            memset(want, 0, 8 * rn);
            memcpy(want, p, words[k] != 0 ? 8 * (an < rn ? an : rn) : 0);
            uint64_t *const r = in_place ? s.a : s.r;
            EXPECT_TRUE(device_fill(s.a, PATTERN, 8 * MAX) && device_fill(s.r, PATTERN, 8 * MAX) &&
                        device_upload(s.a, p, 8 * an) && device_upload(s.signs, &words[k], 8));
            EXPECT_EQ(
                limbs_device_choose(r, rn, (limbs_device_number){s.a, an, NULL}, s.signs, NULL),
                RESULT_OK);
            EXPECT_TRUE(device_download(got, r, 8 * (rn + 1)));
            EXPECT_LIMBS_EQ(got, want, rn + 1);
        }
    }
    EXPECT_EQ(limbs_device_choose(s.r, LIMBS_DEVICE_MAX + 1, (limbs_device_number){s.a, 1, NULL},
                                  s.signs, NULL),
              RESULT_REFUSED);
    teardown(&s);
}

// --- Comparison ----------------------------------------------------------------------------------

static limbs_device_order compare(const buffers *s, const uint64_t *ap, size_t an,
                                  const uint64_t *bp, size_t bn, limbs_compare_purpose purpose) {
    static const uint64_t signs[] = {1, 0};
    limbs_device_order order = {0};
    EXPECT_TRUE(device_upload(s->a, ap, 8 * an) && device_upload(s->b, bp, 8 * bn) &&
                device_upload(s->signs, signs, sizeof signs) &&
                device_fill(s->order, PATTERN, sizeof order));
    const limbs_device_number a = {s->a, an, s->signs}, b = {s->b, bn, s->signs + 1};
    EXPECT_EQ(limbs_device_compare(s->order, a, b, purpose, s->workspace, NULL), RESULT_OK);
    EXPECT_TRUE(device_download(&order, s->order, sizeof order));
    uint64_t left[LIMBS_COMPARE_WORKSPACE_BYTES / 8];
    EXPECT_TRUE(device_download(left, s->workspace, sizeof left));
    EXPECT_EQ(left[0] | left[1], 0u);
    return order;
}

static void compare_case(const buffers *s, const uint64_t *ap, size_t an, const uint64_t *bp,
                         size_t bn) {
    SCOPED_TRACE("%zu and %zu limbs", an, bn);
    const limbs_device_order order = compare(s, ap, an, bp, bn, LIMBS_COMPARE);
    mpz_t a, b;
    mpz_inits(a, b, NULL);
    import(a, ap, an);
    import(b, bp, bn);
    const int c = mpz_cmp(a, b);
    EXPECT_EQ(order.order, c < 0 ? -1 : c > 0 ? 1 : 0);
    EXPECT_EQ(order.zero, mpz_sgn(a) == 0 && mpz_sgn(b) == 0);
    mpz_xor(a, a, b);
    EXPECT_EQ(order.difference_bits, mpz_sgn(a) == 0 ? 0 : mpz_sizeinbase(a, 2));
    EXPECT_EQ(order.a_sign, 1u);
    EXPECT_EQ(order.b_sign, 0u);
    mpz_clears(a, b, NULL);
}

// Numbers that differ in one limb, at every border of tiles, and in another limb far below that
// says the opposite. Mutations: the lowest difference wins, a tile is skipped whose difference
// counts, a tile's limbs are counted from the wrong end, zeros at the top differ from no limbs.
TEST(LimbsDevice, CompareFindsTheHighestDifference) {
    if (!device_ready()) {
        SKIP("no device");
    }
    buffers s;
    ASSERT_TRUE(setup(&s));
    gen g = gen_seed(6);
    static uint64_t a[MAX], b[MAX];
    static const size_t at[] = {0, 1, 31, 32, 255, 256, 1023, 1024, 1025, 2047, 2048, 4095, 5000};
    for (uint64_t seed = 0; seed < 3; seed++) {
        device_order(seed);
        for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
            const size_t n = at[i] + 1 + (size_t)gen_below(&g, 3000);
            gen_limbs(&g, GEN_RUNS, a, n);
            memcpy(b, a, 8 * n);
            compare_case(&s, a, n, b, n);
            b[at[i]] ^= (uint64_t)1 << gen_below(&g, 64);
            compare_case(&s, a, n, b, n);
            if (at[i] > 0) {  // the opposite, below
                a[at[i] / 2] = a[at[i]] < b[at[i]] ? 1 : 0;
                b[at[i] / 2] = a[at[i]] < b[at[i]] ? 0 : 1;
                compare_case(&s, a, n, b, n);
            }
            memset(b + n, 0, 8 * 2000);
            compare_case(&s, a, n, b, n + 2000);
            compare_case(&s, b, n + 2000, a, n);
            compare_case(&s, a, n, b, at[i]);
            compare_case(&s, a, n, b, 0);
        }
    }
    device_order(0);
    memset(a, 0, sizeof a);
    compare_case(&s, a, 0, b, 0);
    compare_case(&s, a, 4000, b, 0);
    compare_case(&s, a, 3, a, 4000);
    teardown(&s);
}

// Signs 1 and 0 differ. Mutation: the two purposes are exchanged.
TEST(LimbsDevice, ComparesOnlyWhereItIsNeeded) {
    if (!device_ready()) {
        SKIP("no device");
    }
    buffers s;
    ASSERT_TRUE(setup(&s));
    const uint64_t a[] = {1, 2}, b[] = {1, 3};
    EXPECT_EQ(compare(&s, a, 2, b, 2, LIMBS_COMPARE_FOR_SUM).order, -1);
    const limbs_device_order unread = compare(&s, a, 2, b, 2, LIMBS_COMPARE_FOR_DIFFERENCE);
    EXPECT_EQ(unread.order, 1);
    EXPECT_EQ(unread.difference_bits, 0u);
    EXPECT_EQ(unread.a_sign, 1u);
    EXPECT_EQ(unread.b_sign, 0u);
    teardown(&s);
}
