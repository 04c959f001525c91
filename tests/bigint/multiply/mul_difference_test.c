// mul_difference_test.c: differences c - a b of which only the lowest limbs are asked for, against
// GMP, by rings of one and of two parts and by the whole product.
#include <gmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/multiply/mod.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/oracle.h"

// try_difference: a and b of an and bn limbs and e, |e| < 2^62 B^(n - 1), of either sign, give
// c = a b + e..
static void try_difference(bigint_ctx *ctx, gen *g, size_t an, size_t bn, size_t n, bool square) {
    mpz_t a, b, c, e;
    mpz_inits(a, b, c, e, NULL);
    fixture_limbs(g, a, an);
    if (square) {
        mpz_set(b, a);
        bn = an;
    } else {
        fixture_limbs(g, b, bn);
    }
    mpz_mul(c, a, b);
    if (gen_below(g, 6) != 0) {
        fixture_limbs(g, e, gen_below(g, 3) == 0 ? 1 + gen_below(g, n) : n);
    }
    mpz_fdiv_r_2exp(e, e, 64 * (n - 1) + 62);
    if (gen_below(g, 2) == 0 && mpz_cmp(e, c) <= 0) {
        mpz_neg(e, e);
    }
    mpz_add(c, c, e);
    mpz_fdiv_r_2exp(e, e, 64 * n);  // two's complement
    const size_t cn = mpz_size(c);
    uint64_t *ep = calloc(n + 1, sizeof *ep);
    ep[n] = 0x5a5a;
    const uint64_t *ap = mpz_limbs_read(a), *bp = square ? ap : mpz_limbs_read(b);
    SCOPED_TRACE("%zu by %zu limbs, %zu known", an, bn, n);
    EXPECT_EQ(mul_difference(ctx, "test", ep, n, mpz_limbs_read(c), cn, ap, an, bp, bn), BIGINT_OK);
    EXPECT_VALUE(ep, n, e);
    EXPECT_EQ(ep[n], 0x5a5au);
    free(ep);
    mpz_clears(a, b, c, e, NULL);
}

// Lengths around the lengths of the rings, 2^k and 3 2^(k - 1), and the most low limbs allowed
// beyond them. Mutations: residues joined without the half, or with the rings' factor at the wrong
// place; a lowest limb too few; a negative difference; c folded with the wrong sign; an operand
// that is longer than a ring left as it is.
TEST(MulDifference, AroundTheRings) {
    gen g = gen_seed(1);
    const char *const *variants = bigint_variants();
    for (int v = 0; variants[v] != NULL; v++) {
        const bigint_ctx_options options = {.engine = "modular-fft", .variant = variants[v]};
        bigint_ctx *ctx = NULL;
        if (bigint_ctx_create(&ctx, NULL, &options) == BIGINT_OK) {
            const size_t lengths[] = {96, 128, 192, 256, 384, 512, 768, 1024, 1536};
            for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
                const size_t m = lengths[i], slack = m / 16;
                const size_t ns[] = {m - m / 9, m - 1, m, m + 1, m + 2, m + slack, m + slack + 1};
                for (size_t k = 0; k < sizeof ns / sizeof *ns; k++) {
                    const size_t n = ns[k], an = n - gen_below(&g, 3);
                    try_difference(ctx, &g, an, n - gen_below(&g, n / 3), n, false);
                    try_difference(ctx, &g, n / 2 + gen_below(&g, n / 3), an, n, false);
                    try_difference(ctx, &g, an, 0, n, true);
                }
            }
        }
        bigint_ctx_destroy(ctx);
    }
}

// Anything, by the best choice and by the whole product. Mutation: a difference longer than the
// product, or than c.
TEST(MulDifference, AnyLengths) {
    const bigint_ctx_options checked = {.checks = 1};
    bigint_ctx *contexts[] = {fixture_ctx(NULL), fixture_ctx(&checked)};
    gen g = gen_seed(2);
    for (int i = 0; i < 600; i++) {
        const size_t an = gen_size(&g, 1, 4000), bn = gen_size(&g, 1, 4000);
        const size_t n = 1 + gen_below(&g, an + bn + 2);
        try_difference(contexts[i % 2], &g, an, bn, n, i % 5 == 0);
    }
    bigint_ctx_destroy(contexts[0]), bigint_ctx_destroy(contexts[1]);
}
