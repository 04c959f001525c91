// ring_device_test.c: residues modulo 2^bits - 1 and 2^bits + 1, and integers lifted from them, on
// a device or under the kernel emulation, against GMP.
#include "primitives/limbs/ring_device.h"

#include <gmp.h>
#include <string.h>

#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

enum { MAX = 3000, PATTERN = 0xA5 };

// ring: limbs on the device, a sign, two factors and what a product is subtracted from.
typedef struct {
    uint64_t *p, *sign, *a, *b, *c, host[MAX];
    mpz_t modulus, v, want;
} ring;

static bool setup(ring *s) {
    s->p = device_alloc(8 * MAX), s->sign = device_alloc(8);
    s->a = device_alloc(8 * MAX), s->b = device_alloc(8 * MAX), s->c = device_alloc(8 * MAX);
    mpz_inits(s->modulus, s->v, s->want, NULL);
    return s->p != NULL && s->sign != NULL && s->a != NULL && s->b != NULL && s->c != NULL;
}

static void teardown(ring *s) {
    device_free(s->p), device_free(s->sign);
    device_free(s->a), device_free(s->b), device_free(s->c);
    mpz_clears(s->modulus, s->v, s->want, NULL);
}

// put: {to, n} = z modulo 2^(64 n): of a negative number its two's complement. One limb more is a
// mark.
static void put(ring *s, uint64_t *to, const mpz_t z, size_t n) {
    mpz_t low;
    mpz_init(low);
    mpz_fdiv_r_2exp(low, z, 64 * n);
    memset(s->host, 0, 8 * n);
    mpz_export(s->host, NULL, -1, 8, 0, 0, low);
    mpz_clear(low);
    memset(&s->host[n], PATTERN, 8);
    EXPECT_TRUE(device_upload(to, s->host, 8 * (n + 1)));
}

// get: z = {p, n}.
static void get(ring *s, mpz_t z, size_t n) {
    EXPECT_TRUE(device_download(s->host, s->p, 8 * n));
    mpz_import(z, n, -1, 8, 0, 0, s->host);
}

// settle: v on the device is the wanted residue after the call; a mark behind it stays.
static void settle(ring *s, uint64_t n, bool plus) {
    const size_t all = n + LIMBS_RING_OVER;
    mpz_t got;
    mpz_init(got);
    mpz_mod(s->want, s->v, s->modulus);
    put(s, s->p, s->v, all);
    EXPECT_EQ(limbs_device_settle(s->p, n, plus, NULL), RESULT_OK);
    get(s, got, plus ? n + 1 : n);
    EXPECT_TRUE(mpz_cmp(got, s->want) == 0);
    EXPECT_TRUE(device_download(s->host, s->p + all, 8));
    memset(s->host + 1, PATTERN, 8);
    EXPECT_LIMBS_EQ(s->host, s->host + 1, 1);
    mpz_clear(got);
}

// around: numbers in two's complement, modulo B^n - 1 or B^n + 1.
static void around(ring *s, size_t n, bool plus) {
    SCOPED_TRACE("%zu limbs %c 1", n, plus ? '+' : '-');
    gen g = gen_seed(61);
    uint64_t high[5];
    mpz_set_ui(s->modulus, 1);
    mpz_mul_2exp(s->modulus, s->modulus, 64 * n);
    plus ? mpz_add_ui(s->modulus, s->modulus, 1) : mpz_sub_ui(s->modulus, s->modulus, 1);
    for (unsigned k = 0; k < 24; k++) {
        gen_limbs(&g, k % 3 == 0 ? GEN_ONES : k % 3 == 1 ? GEN_UNIFORM : GEN_RUNS, high, 1 + k % 5);
        mpz_import(s->v, 1 + k % 5, -1, 8, 0, 0, high);
        mpz_sub_ui(s->v, s->v, 1);  // below B^5 - 1
        mpz_mul(s->v, s->v, s->modulus);
        mpz_add_ui(s->v, s->v, k / 6), mpz_sub_ui(s->v, s->v, 1);
        if (k % 4 == 3) {  // elsewhere
            gen_limbs(&g, (gen_shape)gen_below(&g, GEN_SHAPES), s->host, n);
            mpz_import(s->want, n, -1, 8, 0, 0, s->host);
            mpz_add(s->v, s->v, s->want);
        }
        settle(s, n, plus);
        mpz_neg(s->v, s->v);
        settle(s, n, plus);
    }
}

// Numbers in two's complement: multiples of the modulus and their neighbours, of either sign, whose
// carries go around the whole ring, and random ones. Mutations: a carry out of the top dropped, or
// taken for a borrow; the limbs above taken as unsigned; a borrow that ends at limb 6; the modulus
// left where no carry goes around; limb n of a residue modulo B^n + 1 left as it was, or its other
// limbs not 0.
TEST(RingDevice, SettlesTwosComplement) {
    if (!device_ready()) {
        SKIP("no device");
    }
    ring s;
    ASSERT_TRUE(setup(&s));
    static const size_t lengths[] = {16, 17, 255, 1024, 1029, 2100};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        around(&s, lengths[i], false);
        around(&s, lengths[i], true);
    }
    EXPECT_EQ(limbs_device_settle(s.p, 15, false, NULL), RESULT_REFUSED);
    EXPECT_EQ(limbs_device_settle(s.p, 15, true, NULL), RESULT_REFUSED);
    teardown(&s);
}

// lift: r = c - a b from what is congruent to it modulo B^n - 1.
static void lift(ring *s, size_t n, const mpz_t a, const mpz_t b, const mpz_t c, uint64_t one_at,
                 unsigned low, long more) {
    mpz_t got, power;
    mpz_inits(got, power, NULL);
    mpz_mul(s->want, a, b);
    mpz_sub(s->want, c, s->want);
    mpz_mul_si(s->v, s->modulus, more);
    mpz_add(s->v, s->v, s->want);
    mpz_fdiv_r(s->v, s->v, s->modulus);  // what a transform leaves, and some moduli
    mpz_addmul_ui(s->v, s->modulus, (unsigned long)(more + 4));
    mpz_submul_ui(s->v, s->modulus, 3);
    if (one_at != UINT64_MAX) {  // to the integer alone
        mpz_set_ui(power, 1);
        mpz_mul_2exp(power, power, 64 * one_at);
        mpz_add(s->want, s->want, power);
    }
    put(s, s->a, a, mpz_size(a)), put(s, s->b, b, mpz_size(b)), put(s, s->c, c, mpz_size(c));
    put(s, s->p, s->v, n + LIMBS_RING_OVER);
    const limbs_lift job = {n,           s->a,        s->b,   s->c, mpz_size(a),
                            mpz_size(b), mpz_size(c), one_at, low};
    EXPECT_EQ(limbs_device_lift(s->p, s->sign, &job, NULL), RESULT_OK);
    get(s, got, n + low);
    uint64_t sign = 7;
    EXPECT_TRUE(device_download(&sign, s->sign, 8));
    EXPECT_EQ(sign, mpz_sgn(s->want) < 0 ? 1u : 0u);
    EXPECT_TRUE(mpz_cmpabs(got, s->want) == 0);
    mpz_clears(got, power, NULL);
}

// Differences of n limbs more or less, at 0, at powers and at multiples of the modulus, of either
// sign. Mutations: k taken as unsigned; a product's column with its carry dropped; low limbs that a
// borrow leaves; the negative of a number with low limbs of 0; the power added to the lowest limbs.
TEST(RingDevice, LiftsDifferences) {
    if (!device_ready()) {
        SKIP("no device");
    }
    ring s;
    ASSERT_TRUE(setup(&s));
    mpz_t a, b, c, r;
    mpz_inits(a, b, c, r, NULL);
    static const size_t lengths[] = {16, 300, 1025};
    gen g = gen_seed(62);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        for (unsigned k = 0; k < 40; k++) {
            const size_t n = lengths[i];
            const unsigned low = 1 + k % LIMBS_RING_LOW;
            SCOPED_TRACE("%zu limbs and %u, case %u", n, low, k);
            mpz_set_ui(s.modulus, 1);
            mpz_mul_2exp(s.modulus, s.modulus, 64 * n);
            mpz_sub_ui(s.modulus, s.modulus, 1);
            gen_limbs(&g, (gen_shape)(1 + k % (GEN_SHAPES - 1)), s.host, n);
            mpz_import(a, n, -1, 8, 0, 0, s.host);
            gen_limbs(&g, (gen_shape)(1 + k % 3), s.host, n / 2);
            mpz_import(b, n / 2, -1, 8, 0, 0, s.host);
            gen_limbs(&g, (gen_shape)gen_below(&g, GEN_SHAPES), s.host, n + low - 1);
            mpz_import(r, n + low - 1, -1, 8, 0, 0, s.host);
            if (k % 5 == 4) {
                mpz_mul_ui(r, s.modulus, k % 3);
            }
            if (k % 2 == 1) {
                mpz_neg(r, r);
            }
            mpz_mul(c, a, b);  // c - a b = r, where that is not below 0
            mpz_add(c, c, r);
            mpz_abs(c, c);
            lift(&s, n, a, b, c, UINT64_MAX, low, (long)(k % 5) - 2);
            mpz_set_ui(c, 0);  // b^one_at - a b, of small factors
            mpz_set_ui(a, k), mpz_set_ui(b, k % 7 + 1);
            lift(&s, n, a, b, c, n + low - 1 - (low == 1 ? 0 : 1), low, 0);
        }
    }
    const limbs_lift none = {16, s.a, s.b, s.c, 1, 1, 1, UINT64_MAX, LIMBS_RING_LOW + 1};
    EXPECT_EQ(limbs_device_lift(s.p, s.sign, &none, NULL), RESULT_REFUSED);
    mpz_clears(a, b, c, r, NULL);
    teardown(&s);
}
