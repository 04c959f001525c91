// primes_test.c: products of integers modulo four, five and six primes on a device, or under
// the kernel emulation, against GMP: factors of all kinds, squares, prepared operands, sums, and
// what a cap makes of the plans.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/core/context.h"
#include "fft/device/modular/convolution.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

// ctx_of: a context whose products are computed modulo `primes` primes.
static bigint_ctx *ctx_of(unsigned primes, uint64_t cap) {
    bigint_ctx *ctx =
        fixture_ctx(&(bigint_ctx_options){.max_workspace_bytes = cap, .engine = "modular-fft"});
    ctx->queue.forced.primes = primes;
    return ctx;
}

// numbers: two factors in a context, and GMP's of them.
typedef struct {
    bigint x, y, r;
    mpz_t zx, zy, want;
} numbers;

static numbers open(bigint_ctx *ctx, gen *g, gen_shape shape, size_t an, size_t bn) {
    numbers n = {.x = BIGINT_INIT, .y = BIGINT_INIT, .r = BIGINT_INIT};
    mpz_inits(n.zx, n.zy, n.want, NULL);
    fixture_shape(g, shape, n.zx, an);
    fixture_shape(g, shape == GEN_ONES ? GEN_ONES : GEN_UNIFORM, n.zy, bn);
    fixture_set(ctx, &n.x, n.zx);
    fixture_set(ctx, &n.y, n.zy);
    return n;
}

static void close(bigint_ctx *ctx, numbers *n) {
    bigint_clear(ctx, &n->x), bigint_clear(ctx, &n->y), bigint_clear(ctx, &n->r);
    mpz_clears(n->zx, n->zy, n->want, NULL);
    bigint_ctx_destroy(ctx);
}

// expect_plan: the plan of an by bn limbs has that in its text.
static void expect_plan(bigint_ctx *ctx, size_t an, size_t bn, const char *what) {
    char text[400] = "";
    EXPECT_EQ(bigint_explain(ctx, text, sizeof text, NULL, an, bn), BIGINT_OK);
    SCOPED_TRACE("%s", text);
    EXPECT_TRUE(strstr(text, what) != NULL);
}

typedef struct {
    unsigned primes;
    gen_shape shape;
    size_t an, bn;
    const char *name;
} product_case;

static const product_case products[] = {
    {4, GEN_UNIFORM, 1, 1, "4_limb"},          {4, GEN_ONES, 2200, 1900, "4_ones"},
    {5, GEN_RUNS, 3000, 700, "5_runs"},        {5, GEN_ONES, 41, 40, "5_ones"},
    {6, GEN_UNIFORM, 2500, 9, "6_unbalanced"}, {6, GEN_ONES, 2050, 2049, "6_ones"},
    {6, GEN_RUNS, 300, 300, "6_runs"},
};

static void label(char *buf, size_t cap, const product_case *p) {
    snprintf(buf, cap, "%s_%zux%zu", p->name, p->an, p->bn);
}

// A product and the square of a factor in its own limbs. Mutations: residues of one group of primes
// that the other overwrites, a plane too few in the workspace, a plan that forgets its primes.
TEST_EACH(DevicePrimes, Products, product_case, products, label) {
    bigint_ctx *ctx = ctx_of(p->primes, 0);
    char primes[20];
    snprintf(primes, sizeof primes, " %u primes,", p->primes);
    expect_plan(ctx, p->an, p->bn, primes);
    gen g = gen_seed(p->an + p->primes);
    numbers n = open(ctx, &g, p->shape, p->an, p->bn);
    EXPECT_EQ(bigint_mul(ctx, &n.r, &n.x, &n.y), BIGINT_OK);
    mpz_mul(n.want, n.zx, n.zy);
    EXPECT_BIGINT(ctx, &n.r, n.want);
    EXPECT_EQ(bigint_sqr(ctx, &n.x, &n.x), BIGINT_OK);
    mpz_mul(n.want, n.zx, n.zx);
    EXPECT_BIGINT(ctx, &n.x, n.want);
    close(ctx, &n);
}

// A prepared operand, twice. Mutation: the spectra of the first group of primes for all of them.
TEST(DevicePrimes, PreparedOperands) {
    bigint_ctx *ctx = ctx_of(5, 0);
    gen g = gen_seed(15);
    numbers n = open(ctx, &g, GEN_UNIFORM, 900, 800);
    bigint_prep *prepared = NULL;
    EXPECT_EQ(bigint_prep_create(ctx, &prepared, &n.y, 1000), BIGINT_OK);
    mpz_mul(n.want, n.zx, n.zy);
    for (int i = 0; i < 2; i++) {
        EXPECT_EQ(bigint_mul_prep(ctx, &n.r, prepared, &n.x), BIGINT_OK);
        EXPECT_BIGINT(ctx, &n.r, n.want);
    }
    bigint_prep_destroy(ctx, prepared);
    close(ctx, &n);
}

// x y - x x + y y, of factors that make it negative too. Mutations: planes of the sum that two
// groups of primes share, room for three primes.
TEST(DevicePrimes, Sums) {
    for (unsigned primes = 4; primes <= 6; primes += 2) {
        bigint_ctx *ctx = ctx_of(primes, 0);
        gen g = gen_seed(16);
        numbers n = open(ctx, &g, GEN_UNIFORM, 600, 500 + 100 * (primes == 6));
        const bigint *const a[] = {&n.x, &n.x, &n.y}, *const b[] = {&n.y, &n.x, &n.y};
        EXPECT_EQ(bigint_mul_sum(ctx, &n.r, a, b, (const int[]){1, -1, 1}, 3), BIGINT_OK);
        mpz_mul(n.want, n.zx, n.zy);
        mpz_submul(n.want, n.zx, n.zx);
        mpz_addmul(n.want, n.zy, n.zy);
        EXPECT_BIGINT(ctx, &n.r, n.want);
        close(ctx, &n);
    }
}

// Primes in turn, and parts, under caps. Mutations: a plane of the other operand for each prime, or
// fewer than are used; the constants of prime first mod 3.
TEST(DevicePrimes, CapsAreKept) {
    const size_t n = 2800;
    uint64_t need = 0;
    bigint_ctx *ctx = ctx_of(6, 0);
    EXPECT_EQ(bigint_workspace_bytes(ctx, &need, n, n), BIGINT_OK);
    bigint_ctx_destroy(ctx);
    const uint64_t cap = need / 5 * 3;  // staging takes at most a quarter of it, too
    ctx = ctx_of(6, cap);
    expect_plan(ctx, n, n, "6 primes in turn");
    gen g = gen_seed(17);
    numbers two = open(ctx, &g, GEN_RUNS, n, n);
    EXPECT_EQ(bigint_mul(ctx, &two.r, &two.x, &two.y), BIGINT_OK);
    mpz_mul(two.want, two.zx, two.zy);
    EXPECT_BIGINT(ctx, &two.r, two.want);
    bigint_counters counters;
    bigint_ctx_counters(ctx, &counters);
    EXPECT_TRUE(counters.workspace_peak <= cap);
    close(ctx, &two);
}

// What the plans choose: three primes at small sizes and at powers of two up to 2^28 bits, where
// words fill the points; more where that makes transforms shorter. Mutation: a cost without the
// number of primes.
TEST(DevicePrimes, Choice) {
    static const struct {
        uint64_t limbs;
        const char *primes;
    } choices[] = {{1, " 3 primes"},
                   {1 << 14, " 3 primes"},
                   {1 << 18, " 3 primes"},
                   {1 << 22, " 3 primes"},
                   {5 << 20, " 4 primes"},
                   {7 << 20, " 5 primes"},
                   {1 << 23, " 6 primes, 128-bit"},
                   {1 << 24, " 6 primes, 128-bit"},
                   {1 << 25, " 6 primes, 128-bit"}};
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        fft_modular_plan plan, high;
        char text[40];
        EXPECT_TRUE(
            fft_modular_plan_limbs(&plan, &high, choices[i].limbs, choices[i].limbs, 0, true));
        snprintf(text, sizeof text, " %u primes, %u-bit", plan.primes, plan.digit_bits);
        EXPECT_TRUE(strncmp(text, choices[i].primes, strlen(choices[i].primes)) == 0);
    }
}
