// newton_device_test.c: the linear passes of Newton's iteration, on a device or under the kernel
// emulation, against GMP.
#include "primitives/limbs/newton_device.h"

#include <gmp.h>
#include <string.h>

#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

enum { MAX = 6000, GUARD = 4 };
static const uint64_t mark = UINT64_C(0xA5A5A5A5A5A5A5A5);

// pass: operands a and b and a result on the device, signs, and the word of blocks that have ended.
typedef struct {
    uint64_t *a, *b, *r, *signs, host[MAX];
    uint32_t *finished;
    mpz_t x, y, want, got;
} pass;

static bool setup(pass *s) {
    s->a = device_alloc(8 * MAX), s->b = device_alloc(8 * MAX), s->r = device_alloc(8 * MAX);
    s->signs = device_alloc(8 * 4), s->finished = device_alloc(8);
    mpz_inits(s->x, s->y, s->want, s->got, NULL);
    return s->a != NULL && s->b != NULL && s->r != NULL && s->signs != NULL &&
           s->finished != NULL && device_fill(s->finished, 0, 8);
}

static void teardown(pass *s) {
    device_free(s->a), device_free(s->b), device_free(s->r);
    device_free(s->signs), device_free(s->finished);
    mpz_clears(s->x, s->y, s->want, s->got, NULL);
}

// put: {to, n} = z modulo B^n, in two's complement.
static void put(pass *s, uint64_t *to, const mpz_t z, size_t n) {
    mpz_fdiv_r_2exp(s->got, z, 64 * n);
    memset(s->host, 0, 8 * n);
    mpz_export(s->host, NULL, -1, 8, 0, 0, s->got);
    EXPECT_TRUE(device_upload(to, s->host, 8 * n));
}

// expect: {p, n} is s->want; the marks behind it, and the word of ended blocks, are as before.
static void expect(pass *s, const uint64_t *p, size_t n) {
    uint32_t finished = 7;
    EXPECT_TRUE(device_download(s->host, p, 8 * (n + GUARD)));
    mpz_import(s->got, n, -1, 8, 0, 0, s->host);
    EXPECT_TRUE(mpz_cmp(s->got, s->want) == 0);
    for (size_t i = 0; i < GUARD; i++) {
        EXPECT_EQ(s->host[n + i], mark);
    }
    EXPECT_TRUE(device_download(&finished, s->finished, sizeof finished));
    EXPECT_EQ(finished, 0u);
}

static void draw(gen *g, mpz_t z, gen_shape shape, size_t n) {
    static uint64_t limbs[MAX];
    if (n > 0) {
        gen_limbs(g, shape, limbs, n);
    }
    mpz_import(z, n, -1, 8, 0, 0, limbs);
}

static const size_t lengths[] = {1, 2, 3, 255, 256, 1023, 1024, 1025, 2049, 4100};
enum { LENGTHS = sizeof lengths / sizeof lengths[0] };

// The upper limbs, all, and with zeros below; either sign. Mutations: the complement of limbs that
// are not there; a sign from another limb, or not turned round; limbs taken from the bottom.
TEST(NewtonDevice, Residuals) {
    if (!device_ready()) {
        SKIP("no device");
    }
    pass s;
    ASSERT_TRUE(setup(&s));
    gen g = gen_seed(81);
    for (size_t i = 0; i < LENGTHS; i++) {
        const size_t vn = lengths[i], tns[] = {1, (vn + 1) / 2, vn, vn + 1, vn + 1100};
        for (unsigned k = 0; k < 10; k++) {
            const size_t tn = tns[k % 5];
            const bool flip = gen_below(&g, 2) != 0;
            uint64_t sign = 7;
            draw(&g, s.x, k < 5 ? GEN_UNIFORM : GEN_RUNS, vn);
            mpz_tdiv_q_2exp(s.x, s.x, 1);
            if (k % 2 != 0) {
                mpz_com(s.x, s.x);
            }
            SCOPED_TRACE("%zu limbs of %zu, negative %u, flip %d", tn, vn, k % 2, flip);
            put(&s, s.a, s.x, vn);
            EXPECT_TRUE(device_fill(s.r, 0xA5, 8 * MAX));
            EXPECT_EQ(
                limbs_device_residual(s.r, tn, s.signs, (limbs_upper){s.a, vn, NULL}, flip, NULL),
                RESULT_OK);
            mpz_mul_2exp(s.want, s.x, 64 * tn), mpz_fdiv_q_2exp(s.want, s.want, 64 * vn);
            if (k % 2 != 0) {
                mpz_com(s.want, s.want);
            }
            expect(&s, s.r, tn);
            EXPECT_TRUE(device_download(&sign, s.signs, 8));
            EXPECT_EQ(sign, (k % 2 != 0) != flip ? 1u : 0u);
        }
    }
    EXPECT_EQ(limbs_device_residual(s.r, 1, s.signs, (limbs_upper){s.a, 0, NULL}, false, NULL),
              RESULT_REFUSED);
    teardown(&s);
}

// Fractions of either sign whose top limb reaches the number above, where a carry or a borrow goes
// through all limbs, some, or none; shifted by no bits, one, and as many as may be. Mutations: the
// top limb taken as unsigned, or its complement without its 1; bits of the limb above that do not
// come down; a carry dropped, taken past the tile that ends it, or begun before all blocks have
// written.
TEST(NewtonDevice, Refines) {
    if (!device_ready()) {
        SKIP("no device");
    }
    pass s;
    ASSERT_TRUE(setup(&s));
    gen g = gen_seed(82);
    for (size_t i = 0; i < LENGTHS; i++) {
        const size_t h = lengths[i], l = i == 0 ? 0 : lengths[gen_below(&g, LENGTHS)];
        for (unsigned k = 0; k < 12; k++) {
            const uint64_t minus = k % 2, top = k % 3;
            const unsigned right = k / 2 % 3 == 0 ? 0 : k / 2 % 3 == 1 ? 1 : 63;
            device_order(k);
            draw(&g, s.x, GEN_UNIFORM, h);
            if (k >
                3) {  // all ones or 2^.., so that carries and borrows go far; one limb in between
                const bool down = (minus != 0) != (k % 5 == 4);
                draw(&g, s.x, down ? GEN_ZERO : GEN_ONES, h);
                if (down) {
                    mpz_setbit(s.x, 64 * h - 1);
                }
                if (k > 7 && h > 2) {
                    mpz_combit(s.x, 64 * (h / 2));
                }
            }
            mpz_setbit(s.x, 64 * h), mpz_clrbit(s.x, 64 * h + 1);
            draw(&g, s.y, k % 4 == 0 ? GEN_ONES : GEN_UNIFORM, l);
            mpz_set_ui(s.want, top), mpz_mul_2exp(s.want, s.want, 64 * l);
            mpz_add(s.y, s.y, s.want);
            if (k % 5 == 4) {
                mpz_neg(s.y, s.y);
            }
            SCOPED_TRACE("%zu and %zu limbs, minus %u, top %u, right %u", h + 1, l + 1,
                         (unsigned)minus, (unsigned)top, right);
            put(&s, s.a, s.x, h + 1), put(&s, s.b, s.y, l + 1);
            EXPECT_TRUE(device_upload(s.signs, &minus, 8) && device_fill(s.r, 0xA5, 8 * MAX));
            mpz_mul_2exp(s.want, s.x, 64 * l);
            mpz_fdiv_q_2exp(s.y, s.y, right);
            if (minus != 0) {
                mpz_com(s.y, s.y);
            }
            mpz_add(s.want, s.want, s.y);
            if (l + h + 1 + GUARD <= MAX) {
                EXPECT_EQ(limbs_device_refine(s.r, l + h + 1, s.a, (limbs_upper){s.b, l + 1, NULL},
                                              l, right, s.signs, s.finished, NULL),
                          RESULT_OK);
                expect(&s, s.r, l + h + 1);
            }
        }
    }
    device_order(0);
    EXPECT_EQ(limbs_device_refine(s.r, 3, s.a, (limbs_upper){s.b, 9, NULL}, 3, 0, s.signs,
                                  s.finished, NULL),
              RESULT_REFUSED);
    EXPECT_EQ(limbs_device_refine(s.r, 3, s.a, (limbs_upper){s.b, 3, NULL}, 2, 64, s.signs,
                                  s.finished, NULL),
              RESULT_REFUSED);
    teardown(&s);
}

// put_residue: v's residue modulo B^n - 1 and `more` times that, at s->b, and a lift that tells v,
// from factors and an addend at s->a. The residue lacks B^one_at, one_at >= 8, unless that is
// UINT64_MAX.
static limbs_lift put_residue(pass *s, gen *g, const mpz_t v, uint64_t n, unsigned low, int more,
                              uint64_t one_at) {
    mpz_t m, a, b, c;
    mpz_inits(m, a, b, c, NULL);
    draw(g, a, GEN_UNIFORM, LIMBS_RING_LOW), draw(g, b, GEN_RUNS, LIMBS_RING_LOW);
    mpz_mul(c, a, b), mpz_add(c, c, v);
    put(s, s->a, a, 8), put(s, s->a + 8, b, 8), put(s, s->a + 16, c, 8);
    mpz_set_ui(m, 1), mpz_mul_2exp(m, m, 64 * n), mpz_sub_ui(m, m, 1);
    mpz_set_ui(c, 0);
    if (one_at != UINT64_MAX) {
        mpz_setbit(c, 64 * one_at);
    }
    mpz_sub(c, v, c), mpz_fdiv_r(c, c, m);
    more < 0 ? mpz_submul_ui(c, m, (unsigned)-more) : mpz_addmul_ui(c, m, (unsigned)more);
    put(s, s->b, c, n + LIMBS_RING_OVER);
    mpz_clears(m, a, b, c, NULL);
    return (limbs_lift){.n = n,
                        .a = s->a,
                        .b = s->a + 8,
                        .c = s->a + 16,
                        .an = 8,
                        .bn = 8,
                        .cn = 8,
                        .one_at = one_at,
                        .low = low};
}

// near: |got - want| <= 1, where got are n limbs at s->r.
static bool near(pass *s, size_t n) {
    EXPECT_TRUE(device_download(s->host, s->r, 8 * n));
    mpz_import(s->got, n, -1, 8, 0, 0, s->host);
    mpz_sub(s->got, s->got, s->want);
    return mpz_cmpabs_ui(s->got, 1) <= 0;
}

// Upper limbs of a number that a ring shorter than it tells, or just as long; of either sign, from
// any residue, with and without a power, whose carry passes no limb or all, and wraps around.
// Mutations: limbs over the ring left out of the lowest; a limb above it that comes from them with
// the other sign; the addend left out; limbs that begin one too low; the power's carry not taken
// further, or not over the ring, or not into the lowest limbs.
TEST(NewtonDevice, UpperLimbsFromARing) {
    if (!device_ready()) {
        SKIP("no device");
    }
    pass s;
    ASSERT_TRUE(setup(&s));
    gen g = gen_seed(83);
    for (unsigned i = 0; i < 160; i++) {
        const uint64_t n = i % 2 == 0 ? 600 : 1030, low = 1 + i / 2 % LIMBS_RING_LOW;
        const uint64_t vn = n + low - i % 3 % (low + 1), tn = vn / 2 + 1;
        const int more = (int)(i % 5) - 2;
        uint64_t sign = 7;
        const uint64_t ones[] = {UINT64_MAX, vn / 2, n - 1, n, n + 9, n + vn / 3};
        const uint64_t one_at = ones[i / 3 % (sizeof ones / sizeof *ones)];
        draw(&g, s.x, i % 7 < 5 ? GEN_UNIFORM : GEN_RUNS, i % 11 == 0 ? 4 : vn);
        mpz_tdiv_q_2exp(s.x, s.x, 66);
        if (i / 16 % 2 != 0) {
            mpz_neg(s.x, s.x);
        }
        SCOPED_TRACE("%llu limbs, ring of %llu and %llu, case %u", (unsigned long long)vn,
                     (unsigned long long)n, (unsigned long long)low, i);
        const limbs_lift lift = put_residue(&s, &g, s.x, n, (unsigned)low, more, one_at);
        const limbs_upper v = {s.b, vn, &lift};
        EXPECT_EQ(limbs_device_residual(s.r, tn, s.signs, v, false, NULL), RESULT_OK);
        mpz_abs(s.want, s.x), mpz_tdiv_q_2exp(s.want, s.want, 64 * (vn - tn));
        EXPECT_TRUE(near(&s, tn));
        EXPECT_TRUE(device_download(&sign, s.signs, 8));
        EXPECT_EQ(sign, mpz_sgn(s.x) < 0 ? 1u : 0u);

        const size_t l = tn - 2, h = tn;
        draw(&g, s.y, GEN_UNIFORM, h);
        put(&s, s.r + 2000, s.y, h);
        EXPECT_EQ(limbs_device_refine(s.r, l + h, s.r + 2000, v, l, 0, s.signs, s.finished, NULL),
                  RESULT_OK);
        mpz_fdiv_q_2exp(s.want, s.x, 64 * (vn - 1 - l));
        sign != 0 ? mpz_neg(s.want, s.want) : (void)0;
        mpz_mul_2exp(s.y, s.y, 64 * l), mpz_add(s.want, s.want, s.y);
        EXPECT_TRUE(near(&s, l + h));
    }
    limbs_lift lift = put_residue(&s, &g, s.x, 600, 4, 0, UINT64_MAX);
    const limbs_upper v = {s.b, 604, &lift};
    EXPECT_EQ(limbs_device_residual(s.r, 589, s.signs, v, false, NULL), RESULT_REFUSED);
    lift.low = 3;
    EXPECT_EQ(limbs_device_residual(s.r, 300, s.signs, v, false, NULL), RESULT_REFUSED);
    lift.low = 4, lift.one_at = 3;
    EXPECT_EQ(limbs_device_residual(s.r, 300, s.signs, v, false, NULL), RESULT_REFUSED);
    teardown(&s);
}

// A fraction's limb that just does, and does not, carry; through ones up to a limb that stops it.
// Mutations: the fraction's limb kept; a carry where it is one less; one limb rounded alone.
TEST(NewtonDevice, Rounds) {
    if (!device_ready()) {
        SKIP("no device");
    }
    pass s;
    ASSERT_TRUE(setup(&s));
    gen g = gen_seed(83);
    for (size_t i = 0; i < LENGTHS; i++) {
        for (unsigned k = 0; k < 8; k++) {
            const size_t n = lengths[i];
            const uint64_t more = 6;
            device_order(k);
            draw(&g, s.x, k % 2 == 0 ? GEN_ONES : GEN_UNIFORM, n);
            mpz_clrbit(s.x, 64 * n - 1);
            if (k == 4) {
                mpz_clrbit(s.x, 64 * (n / 2));
            }
            mpz_mul_2exp(s.x, s.x, 64);
            mpz_set_ui(s.y, UINT64_MAX - more + (k % 4 < 2 ? 1 : 0)), mpz_add(s.x, s.x, s.y);
            SCOPED_TRACE("%zu limbs, case %u", n, k);
            put(&s, s.a, s.x, n + 1);
            EXPECT_TRUE(device_fill(s.r, 0xA5, 8 * MAX));
            EXPECT_EQ(limbs_device_round(s.r, n, s.a, more, NULL), RESULT_OK);
            mpz_add_ui(s.want, s.x, more), mpz_fdiv_q_2exp(s.want, s.want, 64);
            expect(&s, s.r, n);
        }
    }
    device_order(0);
    EXPECT_EQ(limbs_device_round(s.r, 0, s.a, 6, NULL), RESULT_REFUSED);
    teardown(&s);
}

// One less where the word is any but 0; borrows to the top; signs of every pair, in place; none
// wanted. Mutations: always or never one less; a borrow lost; a sign of the wrong number.
TEST(NewtonDevice, Corrects) {
    if (!device_ready()) {
        SKIP("no device");
    }
    pass s;
    ASSERT_TRUE(setup(&s));
    gen g = gen_seed(84);
    for (size_t i = 0; i < LENGTHS; i++) {
        for (unsigned k = 0; k < 8; k++) {
            const size_t n = lengths[i];
            const uint64_t words[] = {k & 1, k >> 1 & 1, 7, k < 3 ? 0 : k == 3 ? 1 : ~UINT64_C(0)};
            uint64_t got[4];
            draw(&g, s.x, GEN_UNIFORM, n);
            if (k % 2 != 0) {
                mpz_set_ui(s.x, 0), mpz_setbit(s.x, 64 * n - 1);
            }
            EXPECT_TRUE(device_fill(s.r, 0xA5, 8 * MAX) &&
                        device_upload(s.signs, words, sizeof words));
            put(&s, s.r, s.x, n);
            const limbs_quotient quotient = {.q = k == 7 ? NULL : s.r,
                                             .qn = n,
                                             .q_sign = k == 6 ? s.signs + 1 : s.signs + 2,
                                             .r_sign = k == 5 ? NULL : s.signs,
                                             .less = s.signs + 3,
                                             .a_sign = s.signs,
                                             .d_sign = s.signs + 1};
            EXPECT_EQ(limbs_device_correct(&quotient, NULL), RESULT_OK);
            mpz_sub_ui(s.want, s.x, k != 7 && words[3] != 0 ? 1 : 0);
            expect(&s, s.r, n);
            EXPECT_TRUE(device_download(got, s.signs, sizeof got));
            EXPECT_EQ(got[k == 6 ? 1 : 2], words[0] ^ words[1]);
            EXPECT_EQ(got[0], words[0]);
        }
    }
    teardown(&s);
}
