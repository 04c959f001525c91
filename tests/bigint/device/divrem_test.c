// divrem_test.c: quotients and remainders of integers on a device, or under the kernel emulation,
// against GMP: one launch, and blocks by reciprocals of every length.
#include <gmp.h>
#include <stdio.h>

#include "bigint/bigint_gmp.h"
#include "bigint/core/context.h"
#include "bigint/core/device_integer.h"
#include "bigint/device/divide/difference.h"
#include "bigint/device/divide/divisor.h"
#include "bigint/device/divide/reciprocal.h"
#include "bigint/device/divide/series.h"
#include "bigint/device/divide/steps.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

// numbers: operands and what is expected.
typedef struct {
    bigint_ctx *ctx;
    mpz_t a, d, q, r;
} numbers;

static void numbers_open(numbers *s, const bigint_ctx_options *options) {
    s->ctx = fixture_ctx(options);
    mpz_inits(s->a, s->d, s->q, s->r, NULL);
}

static void numbers_close(numbers *s) {
    mpz_clears(s->a, s->d, s->q, s->r, NULL);
    bigint_ctx_destroy(s->ctx);
}

// check: a / d, each result with the other one and alone; then with announced lengths that are too
// large, those of sums that cancel.
static void check(numbers *s) {
    bigint a = BIGINT_INIT, d = BIGINT_INIT, q = BIGINT_INIT, r = BIGINT_INIT, more = BIGINT_INIT;
    SCOPED_TRACE("%zu by %zu limbs", mpz_size(s->a), mpz_size(s->d));
    mpz_tdiv_qr(s->q, s->r, s->a, s->d);
    fixture_set(s->ctx, &a, s->a), fixture_set(s->ctx, &d, s->d);
    EXPECT_EQ(bigint_divrem(s->ctx, &q, &r, &a, &d), BIGINT_OK);
    EXPECT_BIGINT(s->ctx, &q, s->q);
    EXPECT_BIGINT(s->ctx, &r, s->r);
    EXPECT_EQ(bigint_set_u64(s->ctx, &more, 1), BIGINT_OK);
    EXPECT_EQ(bigint_mul_2exp(s->ctx, &more, &more, 64 * mpz_size(s->a) + 200), BIGINT_OK);
    EXPECT_EQ(bigint_add(s->ctx, &a, &a, &more), BIGINT_OK);
    EXPECT_EQ(bigint_sub(s->ctx, &a, &a, &more), BIGINT_OK);
    EXPECT_EQ(bigint_add(s->ctx, &d, &d, &more), BIGINT_OK);
    EXPECT_EQ(bigint_sub(s->ctx, &d, &d, &more), BIGINT_OK);
    EXPECT_EQ(bigint_divrem(s->ctx, &q, NULL, &a, &d), BIGINT_OK);
    EXPECT_BIGINT(s->ctx, &q, s->q);
    EXPECT_EQ(bigint_divrem(s->ctx, NULL, &a, &a, &d), BIGINT_OK);
    EXPECT_BIGINT(s->ctx, &a, s->r);
    bigint_clear(s->ctx, &a), bigint_clear(s->ctx, &d), bigint_clear(s->ctx, &more);
    bigint_clear(s->ctx, &q), bigint_clear(s->ctx, &r);
}

// lengths: of dividend and divisor in limbs, of a block of the quotient, and of a reciprocal that
// one launch finds (0: the library's).
typedef struct {
    size_t an, dn;
    uint64_t block, first;
} lengths;

// One launch at its limits; blocks from a reciprocal of one launch, of one Newton step, of several;
// divisors shorter and longer than the block; divisors whose upper limbs begin at an even and at an
// odd limb.
static const lengths all[] = {
    {1, 1, 0, 0},     {2, 1, 0, 0},   {600, 287, 0, 0}, {1100, 576, 0, 0}, {640, 577, 0, 4},
    {5, 1, 2, 0},     {5, 2, 4, 4},   {66, 3, 62, 4},   {67, 3, 64, 62},   {67, 1, 66, 4},
    {20, 7, 4, 4},    {21, 8, 6, 4},  {130, 64, 34, 4}, {131, 65, 34, 5},  {120, 30, 46, 40},
    {150, 1, 75, 30}, {70, 66, 2, 0}, {130, 65, 66, 4},
};
static void label(char *buf, size_t cap, const lengths *p) {
    snprintf(buf, cap, "%zu_by_%zu_in_%llu_from_%llu", p->an, p->dn, (unsigned long long)p->block,
             (unsigned long long)p->first);
}

// A quotient alone waits, or not. Mutations: an estimate that is not corrected, or always, or taken
// though its fraction is 0; a remainder that keeps its sign where
// the quotient was one too large; the divisor's length taken from the announced one; blocks joined
// at a wrong limb; a reciprocal of the lower limbs; a step's fraction added where it is negative.
TEST_EACH(DeviceDivrem, AgreesWithGmp, lengths, all, label) {
    if (!device_ready()) {
        SKIP("no device");
    }
    numbers s;
    numbers_open(&s, NULL);
    s.ctx->queue.forced.quotient_limbs = p->block;
    s.ctx->queue.forced.reciprocal_limbs = p->first;
    s.ctx->queue.forced.quotient_waits = p->dn % 2;  // of odd lengths
    gen g = gen_seed(31);
    const unsigned apart = device_emulated() ? 4 : 1;
    for (unsigned shape = 0; shape < GEN_SHAPES; shape += apart) {
        fixture_shape(&g, (gen_shape)shape, s.d, p->dn);
        fixture_shape(&g, (gen_shape)((shape + 1) % GEN_SHAPES), s.a, p->an);
        if (mpz_sgn(s.d) == 0) {
            continue;
        }
        check(&s);
        mpz_tdiv_q(s.a, s.a, s.d);  // a multiple of d, and its neighbours: all corrections
        mpz_mul(s.a, s.a, s.d);
        check(&s);
        mpz_sub_ui(s.a, s.a, 1);
        mpz_neg(s.d, s.d);
        check(&s);
    }
    numbers_close(&s);
}

// The extremes of a normalised divisor, B^n / 2 and B^n - 1, and their neighbours; dividends of all
// ones, and one less and more than a power. Mutation: a limb too few for a reciprocal of 2 B^k.
TEST_EACH(DeviceDivrem, PowersAndTheirNeighbours, lengths, all, label) {
    if (!device_ready()) {
        SKIP("no device");
    }
    numbers s;
    numbers_open(&s, &(bigint_ctx_options){.checks = 1});
    s.ctx->queue.forced.quotient_limbs = p->block;
    s.ctx->queue.forced.reciprocal_limbs = p->first;
    s.ctx->queue.forced.quotient_waits = p->dn % 2;  // of odd lengths
    for (int down = 0; down < 2; down++) {
        for (int e = -1; e <= 1; e++) {
            mpz_set_ui(s.d, 1);
            mpz_mul_2exp(s.d, s.d, 64 * p->dn - (down == 0 ? 1 : 0));
            mpz_add_ui(s.d, s.d, 1), mpz_sub_ui(s.d, s.d, (unsigned)(1 - e));
            mpz_set_ui(s.a, 1);
            mpz_mul_2exp(s.a, s.a, 64 * p->an);
            mpz_sub_ui(s.a, s.a, (unsigned)(1 + e));
            mpz_neg(s.a, s.a);
            check(&s);
        }
    }
    numbers_close(&s);
}

// check_reciprocal: of k limbs, of a divisor of n limbs and some shift; within 2.
static void check_reciprocal(numbers *s, gen *g, size_t k, size_t n, unsigned shape) {
    const unsigned shift = shape * 21;
    SCOPED_TRACE("%zu limbs of %zu, shape %u", k, n, shape);
    bigint d = BIGINT_INIT, x = BIGINT_INIT, y = BIGINT_INIT;
    fixture_shape(g, shape == 0 ? GEN_ONES : GEN_UNIFORM, s->d, n);
    mpz_abs(s->d, s->d), mpz_setbit(s->d, 64 * n - 1);
    if (shape == 3) {
        mpz_set_ui(s->d, 0), mpz_setbit(s->d, 64 * n - 1);
    }
    mpz_tdiv_q_2exp(s->d, s->d, shift);
    fixture_set(s->ctx, &d, s->d);
    EXPECT_EQ(device_reciprocal(s->ctx, "test", &x, device_number(&d), shift, k), BIGINT_OK);
    EXPECT_EQ(device_step_left(s->ctx, "test", &y, 64 * k + 2, device_magnitude(&x, 0), 0),
              BIGINT_OK);
    EXPECT_EQ(bigint_get_mpz(s->ctx, s->q, &y), BIGINT_OK);
    mpz_mul_2exp(s->d, s->d, shift);
    mpz_mul_2exp(s->d, s->d, 64 * k), mpz_tdiv_q_2exp(s->d, s->d, 64 * n);
    mpz_set_ui(s->a, 0), mpz_setbit(s->a, 128 * k);
    mpz_submul(s->a, s->q, s->d);
    mpz_tdiv_q(s->a, s->a, s->d);
    EXPECT_TRUE(mpz_cmpabs_ui(s->a, 2) < 0);
    bigint_clear(s->ctx, &d), bigint_clear(s->ctx, &x), bigint_clear(s->ctx, &y);
}

// Divisors of any length and shift. Mutations: a step from the lower limbs; T's or the fraction's
// limbs dropped at a wrong place where the divisor is shorter; a sign of T lost; the carry out of
// the fraction not taken further.
TEST(DeviceDivrem, Reciprocals) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const size_t sizes[][2] = {{5, 9},  {9, 5},   {9, 8},   {30, 3},  {64, 1},
                                      {65, 7}, {66, 40}, {97, 30}, {97, 97}, {130, 131}};
    numbers s;
    numbers_open(&s, NULL);
    gen g = gen_seed(36);
    s.ctx->queue.forced.reciprocal_limbs = 4;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (unsigned shape = 0; shape < 4; shape++) {
            check_reciprocal(&s, &g, sizes[i][0], sizes[i][1], shape);
        }
    }
    numbers_close(&s);
}

// By a series of several levels, by one whose first reciprocal is found by another, and by one that
// steps follow. Mutations: a power of another length; limbs above a short divisor that are not 0;
// the fraction's limbs kept; room for another series; a series of the lower limbs.
TEST(DeviceDivrem, ReciprocalsBySeries) {
    if (!device_ready()) {
        SKIP("no device");
    }
    // Limbs of the reciprocal, the divisor, what one launch finds, and what a series does.
    static const struct {
        size_t k, n, first, series;
    } cases[] = {{40, 60, 4, 40}, {41, 41, 4, 41},  {40, 42, 9, 40},  {33, 31, 9, 33},
                 {97, 97, 4, 97}, {97, 300, 4, 25}, {80, 81, 30, 42}, {200, 201, 4, 200}};
    numbers s;
    numbers_open(&s, NULL);
    gen g = gen_seed(38);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const size_t k = cases[i].k, n = cases[i].n, first = cases[i].first;
        s.ctx->queue.forced.reciprocal_limbs = first;
        s.ctx->queue.forced.series_limbs = cases[i].series;
        EXPECT_TRUE(device_series_reciprocal(s.ctx, n < k ? n : k, cases[i].series, first).levels >
                    0);
        for (unsigned shape = 0; shape < 4; shape++) {
            check_reciprocal(&s, &g, k, n, shape);
        }
    }
    numbers_close(&s);
}

// Long operands, as the library divides them: two blocks, one, and unbalanced ones.
TEST(DeviceDivrem, Long) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const lengths sizes[] = {{2400, 1200, 0, 0},      {1500, 1450, 0, 0},
                                    {3200, 600, 0, 0},       {1 << 15, 1 << 14, 0, 0},
                                    {40000, 30001, 0, 0},    {1 << 17, 1 << 16, 0, 0},
                                    {1 << 19, 1 << 8, 0, 0}, {(1 << 20) + 77, (1 << 19) + 5, 0, 0},
                                    {1 << 20, 1 << 17, 0, 0}};
    numbers s;
    numbers_open(&s, NULL);
    gen g = gen_seed(32);
    for (size_t i = 0; i < (device_emulated() ? 3 : sizeof sizes / sizeof *sizes); i++) {
        fixture_shape(&g, GEN_UNIFORM, s.a, sizes[i].an);
        fixture_shape(&g, GEN_UNIFORM, s.d, sizes[i].dn);
        check(&s);
    }
    numbers_close(&s);
}

// Remainders and residuals by rings as long as they are, and shorter by limbs that are found apart;
// with the divisor's transform for two blocks, and with no room for it. Mutations: a difference
// that is one modulus off; a borrow from the lowest limbs lost; parts of a dividend added at a
// wrong limb; a prepared divisor of another plan; a fraction by a ring that counts with its sign
// turned round.
TEST(DeviceDivrem, Rings) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const lengths sizes[] = {{8194, 4100, 4102, 0},  {8192, 4096, 2050, 0},
                                    {12296, 4099, 4100, 0}, {9000, 4096, 4906, 0},
                                    {8000, 3500, 2252, 0},  {16000, 7990, 4008, 0}};
    numbers s;
    gen g = gen_seed(33);
    for (size_t i = 0; i < (device_emulated() ? 2 : sizeof sizes / sizeof *sizes); i++) {
        for (int capped = 0; capped < 2; capped++) {
            numbers_open(&s, &(bigint_ctx_options){
                                 .engine = "modular-fft",
                                 .max_workspace_bytes = capped != 0 ? UINT64_C(1) << 30 : 0});
            s.ctx->queue.cluster = 0;  // whole products take several launches, so rings pay
            s.ctx->queue.forced.quotient_limbs = sizes[i].block;
            s.ctx->queue.forced.series_limbs = 1;
            device_plan plan;
            const uint64_t n = sizes[i].dn;
            s.ctx->queue.forced.quotient_waits = 1;
            if (i == 0) {  // a step of the reciprocal by one ring
                EXPECT_TRUE(device_difference_plan(s.ctx, &plan, 128 * 2051 + 4, 4099, 2052, false,
                                                   capped == 0));
            }
            EXPECT_TRUE(device_difference_plan(s.ctx, &plan, 64 * n, sizes[i].block + 1, n, false,
                                               capped == 0));
            fixture_shape(&g, i == 0 ? GEN_UNIFORM : GEN_ONES, s.d, n);
            fixture_shape(&g, GEN_UNIFORM, s.a, sizes[i].an);
            if (capped != 0) {  // a multiple less one
                mpz_tdiv_q(s.a, s.a, s.d);
                mpz_mul(s.a, s.a, s.d);
                mpz_sub_ui(s.a, s.a, 1);
            }
            check(&s);
            numbers_close(&s);
        }
    }
}

// A divisor that outlives the integer it is of, for dividends shorter than it, of the length that
// was announced, and longer; by one launch, by a reciprocal, and by kept transforms. Mutations: the
// caller's limbs kept; a quotient of another length taken for the announced one; transforms of
// another plan, or not freed.
TEST(DeviceDivrem, KeptDivisors) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const lengths sizes[] = {{300, 40, 0, 0}, {90, 40, 20, 4}, {6150, 4100, 2050, 0}};
    gen g = gen_seed(37);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        numbers s;
        const int64_t live = device_live();
        numbers_open(&s, &(bigint_ctx_options){.engine = i == 2 ? "modular-fft" : NULL});
        s.ctx->queue.cluster = i == 2 ? 0 : s.ctx->queue.cluster;
        s.ctx->queue.forced.quotient_limbs = sizes[i].block,
        s.ctx->queue.forced.reciprocal_limbs = sizes[i].first;
        bigint a = BIGINT_INIT, d = BIGINT_INIT, q = BIGINT_INIT, r = BIGINT_INIT;
        device_divisor by;
        fixture_shape(&g, GEN_UNIFORM, s.d, sizes[i].dn);
        mpz_neg(s.d, s.d);
        fixture_set(s.ctx, &d, s.d);
        EXPECT_EQ(device_divisor_open(s.ctx, "test", &by, &d, mpz_sizeinbase(s.d, 2),
                                      sizes[i].an - sizes[i].dn + 1, true),
                  BIGINT_OK);
        EXPECT_EQ(by.d_planes != NULL && by.x_planes != NULL, i == 2);
        fixture_set(s.ctx, &d, s.q);
        for (int more = -1; more < 2; more++) {
            SCOPED_TRACE("case %zu, length %d", i, more);
            const size_t an = more < 0 ? sizes[i].dn / 2 : sizes[i].an + (size_t)more * 31;
            fixture_shape(&g, GEN_UNIFORM, s.a, an);
            mpz_tdiv_qr(s.q, s.r, s.a, s.d);
            fixture_set(s.ctx, &a, s.a);
            EXPECT_EQ(device_divide(s.ctx, "test", &q, &r, &a, &by), BIGINT_OK);
            EXPECT_BIGINT(s.ctx, &q, s.q);
            EXPECT_BIGINT(s.ctx, &r, s.r);
            EXPECT_EQ(device_divide(s.ctx, "test", &a, NULL, &a, &by), BIGINT_OK);
            EXPECT_BIGINT(s.ctx, &a, s.q);
        }
        device_divisor_close(s.ctx, &by);
        bigint_clear(s.ctx, &a), bigint_clear(s.ctx, &d);
        bigint_clear(s.ctx, &q), bigint_clear(s.ctx, &r);
        numbers_close(&s);
        EXPECT_EQ(device_live(), live);
    }
}

// A divisor that is 0 on the device alone, with limbs. Mutation: it is believed its announced
// length; an output is written before.
TEST(DeviceDivrem, ByAZeroWithLimbs) {
    if (!device_ready()) {
        SKIP("no device");
    }
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint a = BIGINT_INIT, zero = BIGINT_INIT;
    mpz_t z;
    mpz_init_set_si(z, -7);
    fixture_set(ctx, &a, z);
    EXPECT_EQ(bigint_sub(ctx, &zero, &a, &a), BIGINT_OK);
    EXPECT_EQ(bigint_divrem(ctx, &a, NULL, &a, &zero), BIGINT_EINVAL);
    EXPECT_TEXT(ctx, "the divisor is 0");
    EXPECT_BIGINT(ctx, &a, z);
    bigint_clear(ctx, &a), bigint_clear(ctx, &zero);
    mpz_clear(z);
    bigint_ctx_destroy(ctx);
}

// Multiples of a divisor, in place, and one less. Mutations: a remainder that is not looked at; the
// quotient written before.
TEST(DeviceDivrem, Exact) {
    if (!device_ready()) {
        SKIP("no device");
    }
    numbers s;
    numbers_open(&s, NULL);
    bigint a = BIGINT_INIT, d = BIGINT_INIT;
    gen g = gen_seed(34);
    static const lengths sizes[] = {{1, 1, 0, 0}, {40, 3, 0, 0}, {700, 290, 0, 0}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        fixture_shape(&g, GEN_UNIFORM, s.q, sizes[i].an),
            fixture_shape(&g, GEN_RUNS, s.d, sizes[i].dn);
        mpz_neg(s.d, s.d), mpz_setbit(s.d, 1);
        mpz_mul(s.a, s.q, s.d);
        fixture_set(s.ctx, &a, s.a), fixture_set(s.ctx, &d, s.d);
        EXPECT_EQ(bigint_divexact(s.ctx, &a, &a, &d), BIGINT_OK);
        EXPECT_BIGINT(s.ctx, &a, s.q);
        mpz_sub_ui(s.a, s.a, 1);
        fixture_set(s.ctx, &a, s.a);
        EXPECT_EQ(bigint_divexact(s.ctx, &a, &a, &d), BIGINT_EINVAL);
        EXPECT_TEXT(s.ctx, "remainder");
        EXPECT_BIGINT(s.ctx, &a, s.a);
    }
    bigint_clear(s.ctx, &a), bigint_clear(s.ctx, &d);
    numbers_close(&s);
}

// Integers on the way count against the cap. Mutations: they do not; the cap stays lower after the
// call; an output written before.
TEST(DeviceDivrem, KeepsToTheCap) {
    if (!device_ready()) {
        SKIP("no device");
    }
    const bigint_ctx_options options = {.max_workspace_bytes = 6000000};
    numbers s;
    numbers_open(&s, &options);
    bigint a = BIGINT_INIT, d = BIGINT_INIT;
    gen g = gen_seed(35);
    fixture_shape(&g, GEN_UNIFORM, s.a, 200000), fixture_shape(&g, GEN_UNIFORM, s.d, 100000);
    fixture_set(s.ctx, &a, s.a), fixture_set(s.ctx, &d, s.d);
    EXPECT_EQ(bigint_divrem(s.ctx, &a, NULL, &a, &d), BIGINT_ENOMEM);
    EXPECT_TEXT(s.ctx, "of workspace");
    EXPECT_EQ(bigint_sqrt(s.ctx, &a, NULL, &a), BIGINT_ENOMEM);
    EXPECT_EQ(bigint_mul_mod_2exp_plus1(s.ctx, &a, &a, &a, 64 * 100000), BIGINT_ENOMEM);
    EXPECT_BIGINT(s.ctx, &a, s.a);
    fixture_shape(&g, GEN_UNIFORM, s.a, 1500), fixture_shape(&g, GEN_UNIFORM, s.d, 700);
    mpz_tdiv_q(s.q, s.a, s.d);
    fixture_set(s.ctx, &a, s.a), fixture_set(s.ctx, &d, s.d);
    EXPECT_EQ(bigint_divrem(s.ctx, &a, NULL, &a, &d), BIGINT_OK);
    EXPECT_BIGINT(s.ctx, &a, s.q);
    EXPECT_EQ(s.ctx->options.max_workspace_bytes, options.max_workspace_bytes);
    bigint_clear(s.ctx, &a), bigint_clear(s.ctx, &d);
    numbers_close(&s);
}
