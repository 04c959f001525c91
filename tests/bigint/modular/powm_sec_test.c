// powm_sec_test.c: powers with secret exponents against GMP, on the host and on a device or its
// emulation. That they keep the secret: powm_secret_test.sh.
#include <gmp.h>
#include <stdbool.h>

#include "bigint/core/tune.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/gen.h"

// expect_sec: base^e mod |modulus| for the lowest en limbs of e, into a fresh integer and over an
// operand.
static void expect_sec(bigint_ctx *ctx, const mpz_t base, const mpz_t e, uint64_t en,
                       const mpz_t modulus, bool over_base) {
    bigint b = BIGINT_INIT, m = BIGINT_INIT, r = BIGINT_INIT;
    uint64_t limbs[20] = {0};
    mpz_t want;
    mpz_init(want);
    mpz_fdiv_r_2exp(want, e, 64 * en);
    mpz_export(limbs, NULL, -1, 8, 0, 0, want);
    mpz_powm(want, base, want, modulus);
    fixture_set(ctx, &b, base), fixture_set(ctx, &m, modulus);
    SCOPED_TRACE("%d bits to %d limbs modulo %d bits", (int)mpz_sizeinbase(base, 2), (int)en,
                 (int)mpz_sizeinbase(modulus, 2));
    EXPECT_EQ(bigint_powm_sec(ctx, &r, &b, limbs, en, &m), BIGINT_OK);
    EXPECT_BIGINT(ctx, &r, want);
    bigint *const over = over_base ? &b : &m;
    EXPECT_EQ(bigint_powm_sec(ctx, over, &b, limbs, en, &m), BIGINT_OK);
    EXPECT_BIGINT(ctx, over, want);
    bigint_clear(ctx, &b), bigint_clear(ctx, &m), bigint_clear(ctx, &r);
    mpz_clear(want);
}

// Moduli on both sides of every way of reduction, and 1, p - 1 and 0 as bases. Mutations: a window
// that reads beyond the exponent, an entry of the table off by one, the sign of the base by the
// exponent's parity, the last subtraction left out, Karatsuba's lengths in rows.
static void every_length(const char *variant) {
    const bigint_ctx_options options = {.variant = variant};
    bigint_ctx *ctx = NULL;
    if (variant != NULL && bigint_ctx_create(&ctx, NULL, &options) != BIGINT_OK) {
        bigint_ctx_destroy(ctx);
        return;
    }
    bigint_ctx_destroy(ctx);
    ctx = fixture_ctx(&options);
    static const size_t lengths[] = {1, 2, 3, 4, 31, 32, 36, 52, 128, 129, 130};
    const bool host = fixture_thinning() == 1;
    gen g = gen_seed(902);
    mpz_t b, e, m;
    mpz_inits(b, e, m, NULL);
    for (size_t i = 0; i < (host ? sizeof lengths / sizeof *lengths : 5); i++) {
        for (int k = 0; k < (host ? 12 : 4); k++) {
            fixture_limbs(&g, m, lengths[i]);
            mpz_setbit(m, 0);
            fixture_limbs(&g, b, 1 + gen_below(&g, 2 * lengths[i]));
            const uint64_t en = host ? gen_below(&g, lengths[i] < 50 ? 6 : 2) : gen_below(&g, 2);
            fixture_limbs(&g, e, 6);
            if (k == 1) {
                mpz_sub_ui(b, m, 1);
            } else if (k == 2) {
                mpz_set_ui(b, 0);
            } else if (k == 3) {
                mpz_neg(b, b), mpz_set_ui(e, (unsigned)i);
            }
            expect_sec(ctx, b, e, en, m, k % 2 != 0);
        }
    }
    mpz_clears(b, e, m, NULL);
    bigint_ctx_destroy(ctx);
}

TEST(PowmSec, EveryLength) { every_length(NULL); }
TEST(PowmSec, EveryLengthPortable) { every_length("portable"); }

// Mutations: an even modulus, 0 among them, is not refused, or after the result was touched;
// modulus 1 gives 1.
TEST(PowmSec, RefusedAndTrivial) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint r = BIGINT_INIT, x = BIGINT_INIT, zero = BIGINT_INIT;
    const uint64_t e = 3;
    mpz_t z;
    mpz_init_set_ui(z, 12);
    fixture_set(ctx, &r, z), fixture_set(ctx, &x, z);
    EXPECT_EQ(bigint_powm_sec(ctx, &r, &x, &e, 1, &x), BIGINT_EINVAL);
    EXPECT_TEXT(ctx, "bigint_powm_sec: the modulus is even");
    EXPECT_EQ(bigint_powm_sec(ctx, &r, &x, &e, 1, &zero), BIGINT_EINVAL);
    EXPECT_BIGINT(ctx, &r, z);
    mpz_set_si(z, -1);
    fixture_set(ctx, &x, z);
    mpz_set_ui(z, 0);
    for (uint64_t en = 0; en < 2; en++) {
        EXPECT_EQ(bigint_powm_sec(ctx, &r, &x, &e, en, &x), BIGINT_OK);
        EXPECT_BIGINT(ctx, &r, z);
    }
    bigint_clear(ctx, &r), bigint_clear(ctx, &x);
    mpz_clear(z);
    bigint_ctx_destroy(ctx);
}
