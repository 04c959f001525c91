// Large products against GMP: operands up to 2^26 bits by every variant of the transform, on one
// and several threads, balanced and not. Minutes; tagged long.
#include <stdio.h>
#include <string.h>

#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"

typedef struct {
    size_t an, bn;
    gen_shape a, b;
} shape;

enum { K = 1024, M = K * K };

static const shape shapes[] = {
    {M, M, GEN_ONES, GEN_ONES},                  // the largest coefficients of the largest size
    {M, M - 1, GEN_UNIFORM, GEN_RUNS},           //
    {2 * M + 2, 2 * M + 1, GEN_ONES, GEN_ONES},  // digits of 63 bits
    {M, M / 3, GEN_RUNS, GEN_ONES},              //
    {M, M / 5, GEN_ONES, GEN_POWER_MINUS},       // in pieces
    {M, K, GEN_ONES, GEN_ONES},                  // in many
    {M, 1, GEN_ONES, GEN_ONES},                  // no transform
    {M / 2 + 1, M / 2 + 1, GEN_ALTERNATING, GEN_ONES},  // just above a power of two
    {700 * K, 650 * K, GEN_POWER_PLUS, GEN_SPARSE},     //
    {300 * K, 299 * K, GEN_ALTERNATING, GEN_ALTERNATING},
};

static void label(char *buf, size_t cap, const shape *s) {
    snprintf(buf, cap, "%zu_x_%zu_%s", s->an, s->bn, gen_shape_name(s->a));
    for (char *c = buf; *c != 0; c++) {
        *c = *c == '-' ? '_' : *c;
    }
}

static void set(mpz_t z, gen *g, gen_shape kind, size_t n) {
    gen_limbs(g, kind, mpz_limbs_write(z, (mp_size_t)n), n);
    mpz_limbs_finish(z, (mp_size_t)n);
}

// expect: a b, and b b, with these options.
static void expect(const bigint_ctx_options *options, const mpz_t az, const mpz_t bz,
                   const mpz_t ab, const mpz_t bb) {
    bigint_ctx *ctx;
    if (bigint_ctx_create(&ctx, NULL, options) == BIGINT_OK) {
        SCOPED_TRACE("%s, %u threads", bigint_variant_name(ctx), options->threads);
        bigint a = BIGINT_INIT, b = BIGINT_INIT, r = BIGINT_INIT;
        fixture_set(ctx, &a, az);
        fixture_set(ctx, &b, bz);
        EXPECT_EQ(bigint_mul(ctx, &r, &a, &b), BIGINT_OK);
        EXPECT_BIGINT(ctx, &r, ab);
        EXPECT_EQ(bigint_sqr(ctx, &b, &b), BIGINT_OK);
        EXPECT_BIGINT(ctx, &b, bb);
        bigint_clear(ctx, &a);
        bigint_clear(ctx, &b);
        bigint_clear(ctx, &r);
    } else {
        printf("left out: %s\n", bigint_ctx_error(ctx));
    }
    bigint_ctx_destroy(ctx);
}

// Mutations: a table or an index that is wrong only at large sizes, a padding that is read, a
// 32-bit count.
TEST_EACH(MulLong, AgainstGmp, shape, shapes, label) {
    mpz_t a, b, ab, bb;
    mpz_inits(a, b, ab, bb, NULL);
    gen g = gen_seed(1);
    set(a, &g, p->a, p->an);
    set(b, &g, p->b, p->bn);
    mpz_mul(ab, a, b);
    mpz_mul(bb, b, b);
    for (const char *const *variant = bigint_variants(); *variant != NULL; variant++) {
        expect(&(bigint_ctx_options){.variant = *variant}, a, b, ab, bb);
    }
    for (uint32_t threads = 2; threads <= 3; threads++) {
        expect(&(bigint_ctx_options){.threads = threads, .checks = 1}, a, b, ab, bb);
    }
    expect(&(bigint_ctx_options){.max_workspace_bytes = 40 * M}, a, b, ab, bb);
    mpz_clears(a, b, ab, bb, NULL);
}
