// caller_limbs_test.c: the calls of bigint_limbs.h against GMP: between guard pages,
// on operands that cannot be written, in every aliasing that the header allows, and where
// memory is short.
#define _POSIX_C_SOURCE 200809L  // setenv
#include <gmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/guard.h"
#include "tests/support/oracle.h"

// problem: one call. a, b and c are operands, r and s results of rn and sn limbs, and right and
// rest what GMP says they are.
typedef struct {
    bigint_ctx *ctx;
    guard a, b, c, r, s;
    uint64_t bits;
    mpz_t right, rest;
} problem;

// operation: its name, the lengths of operands and results for sizes n >= m >= 1, the answer, and
// the call.
typedef struct {
    const char *name;
    void (*lengths)(size_t n, size_t m, size_t length[5]);
    void (*answer)(problem *p, const mpz_t a, const mpz_t b, const mpz_t c);
    bigint_status (*call)(problem *p);
} operation;

static void mul_lengths(size_t n, size_t m, size_t length[5]) {
    length[0] = n, length[1] = m, length[3] = n + m;
}
static void mul_answer(problem *p, const mpz_t a, const mpz_t b, const mpz_t c) {
    (void)c;
    mpz_mul(p->right, a, b);
}
static bigint_status mul_call(problem *p) {
    return bigint_limbs_mul(p->ctx, p->r.p, p->a.p, p->a.n, p->b.p, p->b.n);
}
static bigint_status mul_swapped_call(problem *p) {
    return bigint_limbs_mul(p->ctx, p->r.p, p->b.p, p->b.n, p->a.p, p->a.n);
}

static void sqr_lengths(size_t n, size_t m, size_t length[5]) {
    (void)m;
    length[0] = n, length[3] = 2 * n;
}
static void sqr_answer(problem *p, const mpz_t a, const mpz_t b, const mpz_t c) {
    (void)b, (void)c;
    mpz_mul(p->right, a, a);
}
static bigint_status sqr_call(problem *p) {
    return bigint_limbs_sqr(p->ctx, p->r.p, p->a.p, p->a.n);
}

static void minus1_lengths(size_t n, size_t m, size_t length[5]) {
    length[0] = n, length[1] = m, length[3] = n;
}
static void plus1_lengths(size_t n, size_t m, size_t length[5]) {
    length[0] = n, length[1] = m, length[3] = n + 1;
}
static void ring_answer(problem *p, const mpz_t a, const mpz_t b, bool plus) {
    p->bits = 64 * (plus ? p->r.n - 1 : p->r.n);
    mpz_set_ui(p->rest, 1);
    mpz_mul_2exp(p->rest, p->rest, p->bits);
    plus ? mpz_add_ui(p->rest, p->rest, 1) : mpz_sub_ui(p->rest, p->rest, 1);
    mpz_mul(p->right, a, b);
    mpz_mod(p->right, p->right, p->rest);
}
static void minus1_answer(problem *p, const mpz_t a, const mpz_t b, const mpz_t c) {
    (void)c;
    ring_answer(p, a, b, false);
}
static void plus1_answer(problem *p, const mpz_t a, const mpz_t b, const mpz_t c) {
    (void)c;
    ring_answer(p, a, b, true);
}
static bigint_status minus1_call(problem *p) {
    return bigint_limbs_mul_mod_2exp_minus1(p->ctx, p->r.p, p->a.p, p->a.n, p->b.p, p->b.n,
                                            p->bits);
}
static bigint_status plus1_call(problem *p) {
    return bigint_limbs_mul_mod_2exp_plus1(p->ctx, p->r.p, p->a.p, p->a.n, p->b.p, p->b.n, p->bits);
}

static void divrem_lengths(size_t n, size_t m, size_t length[5]) {
    length[0] = n, length[1] = m, length[3] = n - m + 1, length[4] = m;
}
static void divrem_answer(problem *p, const mpz_t a, const mpz_t b, const mpz_t c) {
    (void)c;
    mpz_tdiv_qr(p->right, p->rest, a, b);
}
static bigint_status divrem_call(problem *p) {
    return bigint_limbs_divrem(p->ctx, p->r.p, p->s.p, p->a.p, p->a.n, p->b.p, p->b.n);
}

static void sqrt_lengths(size_t n, size_t m, size_t length[5]) {
    (void)m;
    length[0] = n, length[3] = (n + 1) / 2, length[4] = n;
}
static void sqrt_answer(problem *p, const mpz_t a, const mpz_t b, const mpz_t c) {
    (void)b, (void)c;
    mpz_sqrtrem(p->right, p->rest, a);
}
static bigint_status sqrt_call(problem *p) {
    int exact = -1;
    const bigint_status status = bigint_limbs_sqrt(p->ctx, p->r.p, p->s.p, &exact, p->a.p, p->a.n);
    EXPECT_EQ(exact, status == BIGINT_OK ? mpz_sgn(p->rest) == 0 : -1);
    return status;
}

// The exponent has one limb, so that long moduli take little time.
static void powm_lengths(size_t n, size_t m, size_t length[5]) {
    length[0] = m, length[1] = 1, length[2] = n, length[3] = n;
}
static void powm_answer(problem *p, const mpz_t a, const mpz_t b, const mpz_t c) {
    mpz_powm(p->right, a, b, c);
}
static bigint_status powm_call(problem *p) {
    return bigint_limbs_powm(p->ctx, p->r.p, p->a.p, p->a.n, p->b.p, p->b.n, p->c.p, p->c.n);
}

static const operation operations[] = {
    {"mul", mul_lengths, mul_answer, mul_call},
    {"mul_swapped", mul_lengths, mul_answer, mul_swapped_call},
    {"sqr", sqr_lengths, sqr_answer, sqr_call},
    {"mul_mod_2exp_minus1", minus1_lengths, minus1_answer, minus1_call},
    {"mul_mod_2exp_plus1", plus1_lengths, plus1_answer, plus1_call},
    {"divrem", divrem_lengths, divrem_answer, divrem_call},
    {"sqrt", sqrt_lengths, sqrt_answer, sqrt_call},
    {"powm", powm_lengths, powm_answer, powm_call},
};
static void operation_label(char *buf, size_t cap, const operation *op) {
    const size_t n = strlen(op->name) < cap ? strlen(op->name) : cap - 1;
    memcpy(buf, op->name, n);
    buf[n] = 0;
}

// pose: operands of these shapes, results untouched, and the answer.
static void pose(problem *p, const operation *op, bigint_ctx *ctx, gen *g, size_t n, size_t m,
                 gen_shape shape, bool at_end) {
    size_t length[5] = {0};
    op->lengths(n, m, length);
    *p = (problem){.ctx = ctx};
    guard *const all[] = {&p->a, &p->b, &p->c, &p->r, &p->s};
    mpz_t z[3];
    mpz_inits(p->right, p->rest, z[0], z[1], z[2], NULL);
    for (int i = 0; i < 5; i++) {
        *all[i] = guard_open(length[i], at_end);
        if (i < 3 && length[i] > 0) {
            const gen_shape other = i == 0 ? GEN_ONES : GEN_UNIFORM;  // zeros divide nothing
            gen_limbs(g, shape == GEN_ZERO ? other : shape, all[i]->p, length[i]);
            oracle_load(z[i], all[i]->p, length[i]);
            guard_lock(all[i]);
        }
    }
    op->answer(p, z[0], z[1], z[2]);
    mpz_clears(z[0], z[1], z[2], NULL);
}

static void release(problem *p) {
    mpz_clears(p->right, p->rest, NULL);
    guard_close(&p->a), guard_close(&p->b), guard_close(&p->c);
    guard_close(&p->r), guard_close(&p->s);
}

static void expect_answer(const problem *p) {
    EXPECT_VALUE(p->r.p, p->r.n, p->right);
    if (p->s.n > 0) {
        EXPECT_VALUE(p->s.p, p->s.n, p->rest);
    }
}

// Mutations: a limb read or written beyond the end, or before the beginning; an operand used as
// workspace; a result that is not padded; a threshold that is off by one.
TEST_EACH(Limbs, BetweenPages, operation, operations, operation_label) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(29);
    for (unsigned round = 0; round < 600; round++) {
        const size_t n = round < 40 ? 1 + round / 2 : gen_size(&g, 1, round % 50 == 0 ? 6000 : 700);
        const size_t m = round % 3 == 0 ? n : 1 + gen_below(&g, n);
        const gen_shape shape = (gen_shape)(round % GEN_SHAPES);
        SCOPED_TRACE("round %u: n %zu m %zu %s", round, n, m, gen_shape_name(shape));
        problem posed;
        pose(&posed, p, ctx, &g, n, m, shape, round % 2 == 0);
        ASSERT_EQ(p->call(&posed), BIGINT_OK);
        expect_answer(&posed);
        release(&posed);
    }
    bigint_ctx_destroy(ctx);
}

// Mutation: a result that is written before the last allocation, a status that is lost. Sizes are
// such that every way that allocates is taken.
TEST_EACH(Limbs, FailuresComeFirst, operation, operations, operation_label) {
    static const size_t sizes[] = {3, 70, 300, 1500, 3000};
    gen g = gen_seed(30);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        bool failed = true;
        for (uint64_t at = 2; failed; at++) {  // allocation 1 is the context
            SCOPED_TRACE("%zu limbs, allocation %llu", sizes[i], (unsigned long long)at);
            allocator_log log = {0};
            const bigint_ctx_options options = {.allocator = fixture_allocator(&log)};
            bigint_ctx *ctx = fixture_ctx(&options);
            problem posed;
            pose(&posed, p, ctx, &g, sizes[i], sizes[i] / 2 + 1, GEN_UNIFORM, true);
            log.fail_at = at;
            const bigint_status status = p->call(&posed);
            failed = log.calls >= at;
            if (status == BIGINT_OK) {  // a smaller way served
                expect_answer(&posed);
            } else {
                ASSERT_EQ(status, BIGINT_ENOMEM);
                EXPECT_TRUE(guard_untouched(&posed.r) && guard_untouched(&posed.s));
            }
            log.fail_at = 0;
            ASSERT_EQ(p->call(&posed), BIGINT_OK);
            expect_answer(&posed);
            release(&posed);
            bigint_ctx_destroy(ctx);
            EXPECT_EQ(log.live_blocks, 0);
        }
    }
}

// Mutation: an operand that is read after the result has begun to overwrite it.
TEST(Limbs, ResultsThatAreOperands) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(31);
    static uint64_t a[6001], b[6001], q[6001], s[6001];
    mpz_t x, y, z, w;
    mpz_inits(x, y, z, w, NULL);
    for (unsigned round = 0; round < 300; round++) {
        const size_t n = gen_size(&g, 1, round % 30 == 0 ? 6000 : 700), m = 1 + gen_below(&g, n);
        SCOPED_TRACE("round %u: n %zu m %zu", round, n, m);
        gen_limbs(&g, (gen_shape)(1 + round % (GEN_SHAPES - 1)), a, n);
        gen_limbs(&g, (gen_shape)(1 + round / 8 % (GEN_SHAPES - 1)), b, m);
        oracle_load(x, a, n), oracle_load(y, b, m);
        memcpy(s, a, sizeof s);
        mpz_tdiv_qr(z, w, x, y);
        ASSERT_EQ(bigint_limbs_divrem(ctx, q, s, s, n, b, m), BIGINT_OK);
        EXPECT_VALUE(q, n - m + 1, z);
        EXPECT_VALUE(s, m, w);
        memcpy(s, a, sizeof s);
        ASSERT_EQ(bigint_limbs_divrem(ctx, NULL, s, s, n, b, m), BIGINT_OK);
        EXPECT_VALUE(s, m, w);
        ASSERT_EQ(bigint_limbs_divrem(ctx, q, NULL, a, n, b, m), BIGINT_OK);
        EXPECT_VALUE(q, n - m + 1, z);
        mpz_sqrtrem(z, w, x);
        memcpy(s, a, sizeof s);
        ASSERT_EQ(bigint_limbs_sqrt(ctx, q, s, NULL, s, n), BIGINT_OK);
        EXPECT_VALUE(q, (n + 1) / 2, z);
        EXPECT_VALUE(s, n, w);
        mpz_set_ui(z, 1);
        mpz_mul_2exp(z, z, 64 * n);
        mpz_sub_ui(z, z, 1);
        mpz_mul(w, x, y);
        mpz_mod(w, w, z);
        memcpy(s, a, sizeof s);
        ASSERT_EQ(bigint_limbs_mul_mod_2exp_minus1(ctx, s, s, n, b, m, 64 * n), BIGINT_OK);
        EXPECT_VALUE(s, n, w);
        oracle_load(x, a, n / 2);  // a square that is noticed as one
        mpz_mul(w, x, x);
        ASSERT_EQ(bigint_limbs_mul(ctx, s, a, n / 2, a, n / 2), BIGINT_OK);
        EXPECT_VALUE(s, n / 2 * 2, w);
    }
    mpz_clears(x, y, z, w, NULL);
    bigint_ctx_destroy(ctx);
}

// Mutation: a square whose root is found without its remainder is said to be none, or its
// neighbours to be squares, or numbers with a square's lowest limb.
TEST(Limbs, SquaresAndTheirNeighbours) {
    static const size_t sizes[] = {1, 2, 3, 31, 32, 33, 200, 2048, 2049, 2050, 5000};
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(32);
    static uint64_t a[6001], s[3001];
    mpz_t x, y;
    mpz_inits(x, y, NULL);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (int shape = 1; shape < GEN_SHAPES; shape++) {
            const size_t half = (sizes[i] + 1) / 2;
            gen_limbs(&g, (gen_shape)shape, s, half);
            oracle_load(x, s, half);
            mpz_mul(x, x, x);
            for (int d = -1; d <= 2; d++) {
                SCOPED_TRACE("%zu limbs, %s, square %+d", half, gen_shape_name((gen_shape)shape),
                             d);
                d < 0 ? mpz_sub_ui(y, x, 1) : mpz_add_ui(y, x, d == 1);
                if (d == 2) {
                    mpz_setbit(y, 64);
                }
                if (mpz_sgn(y) > 0) {
                    int exact = -1;
                    const size_t n = mpz_size(y);
                    oracle_store(a, n, y);
                    ASSERT_EQ(bigint_limbs_sqrt(ctx, s, NULL, &exact, a, n), BIGINT_OK);
                    EXPECT_EQ(exact, mpz_perfect_square_p(y) != 0);
                    mpz_sqrt(y, y);
                    EXPECT_VALUE(s, (n + 1) / 2, y);
                }
            }
        }
    }
    mpz_clears(x, y, NULL);
    bigint_ctx_destroy(ctx);
}

// Mutations: a requirement that is not looked at, an empty operand that is read.
TEST(Limbs, EdgesAndRefusals) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    uint64_t a[4] = {7, 0, 0, 0}, r[9];
    int exact;
    memset(r, 0xA5, sizeof r);
    EXPECT_EQ(bigint_limbs_mul(ctx, r, NULL, 0, NULL, 0), BIGINT_OK);
    EXPECT_EQ(r[0], UINT64_C(0xA5A5A5A5A5A5A5A5));
    EXPECT_EQ(bigint_limbs_mul(ctx, r, a, 2, NULL, 0), BIGINT_OK);
    EXPECT_TRUE(r[0] == 0 && r[1] == 0);
    EXPECT_EQ(bigint_limbs_divrem(ctx, r, r + 4, a, 2, a, 0), BIGINT_EINVAL);
    EXPECT_EQ(bigint_limbs_divrem(ctx, r, r + 4, a, 4, a, 2), BIGINT_EINVAL);
    EXPECT_EQ(bigint_limbs_divrem(ctx, r, r + 4, a, 0, a, 1), BIGINT_EINVAL);
    EXPECT_TEXT(ctx, "bigint_limbs_divrem");
    EXPECT_EQ(bigint_limbs_divrem(ctx, NULL, NULL, a, 4, a, 1), BIGINT_OK);
    EXPECT_EQ(bigint_limbs_sqrt(ctx, r, NULL, &exact, a, 2), BIGINT_EINVAL);
    EXPECT_EQ(bigint_limbs_sqrt(ctx, r, NULL, &exact, a, 0), BIGINT_EINVAL);
    EXPECT_EQ(bigint_limbs_mul_mod_2exp_minus1(ctx, r, a, 1, a, 1, 0), BIGINT_EINVAL);
    EXPECT_EQ(bigint_limbs_mul_mod_2exp_plus1(ctx, r, a, 3, a, 1, 64), BIGINT_EINVAL);
    EXPECT_EQ(bigint_limbs_powm(ctx, r, a, 1, a, 1, a + 1, 2), BIGINT_EINVAL);
    EXPECT_EQ(bigint_limbs_mul_mod_2exp_minus1(ctx, r, a, 1, a, 1, 3), BIGINT_OK);  // 7 is 0
    EXPECT_EQ(r[0], 0);
    EXPECT_EQ(bigint_limbs_powm(ctx, r, a, 1, a + 1, 3, a, 4), BIGINT_OK);  // x^0
    EXPECT_TRUE(r[0] == 1 && r[3] == 0);
    a[0] = 1;
    EXPECT_EQ(bigint_limbs_powm(ctx, r, a, 1, a + 1, 3, a, 2), BIGINT_OK);  // modulo 1
    EXPECT_EQ(r[0], 0);
    bigint_ctx_destroy(ctx);

    bigint_ctx *failed = NULL;
    EXPECT_EQ(bigint_ctx_create(&failed, NULL, &(bigint_ctx_options){.engine = "none"}),
              BIGINT_ENOBACKEND);
    EXPECT_EQ(bigint_limbs_mul(failed, r, a, 1, a, 1), BIGINT_ENOBACKEND);
    EXPECT_EQ(bigint_limbs_powm(failed, r, a, 1, a, 1, a, 1), BIGINT_ENOBACKEND);
    bigint_ctx_destroy(failed);
}

// Mutation: "auto" is looked up as a name, or lets the environment choose.
TEST(Limbs, AutoIgnoresTheEnvironment) {
    bigint_ctx *ctx = NULL;
    setenv("BIGINT_ENGINE", "none", 1), setenv("BIGINT_VARIANT", "none", 1);
    EXPECT_EQ(bigint_ctx_create(&ctx, NULL, NULL), BIGINT_ENOBACKEND);
    bigint_ctx_destroy(ctx);
    EXPECT_EQ(
        bigint_ctx_create(&ctx, NULL, &(bigint_ctx_options){.engine = "auto", .variant = "auto"}),
        BIGINT_OK);
    bigint_ctx_destroy(ctx);
    unsetenv("BIGINT_ENGINE"), unsetenv("BIGINT_VARIANT");
}
