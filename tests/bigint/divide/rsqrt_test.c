// rsqrt_test.c: reciprocal square roots in fixed point, on the host, and by the same source on
// a device or under the kernel emulation, against GMP's square roots.
#include <gmp.h>

#include "bigint/bigint_gmp.h"
#include "bigint/core/context.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"

// right: |r - 2^bits / sqrt(a)| <= 1/2 + 2^-36, by its square with 40 more bits.
static bool right(const mpz_t r, const mpz_t a, uint64_t bits) {
    mpz_t exact, scaled;
    mpz_inits(exact, scaled, NULL);
    mpz_set_ui(exact, 0), mpz_setbit(exact, 2 * (bits + 40));
    mpz_tdiv_q(exact, exact, a);
    mpz_sqrt(exact, exact);  // 2^(bits + 40) / sqrt(a), at most 2 below it
    mpz_mul_2exp(scaled, r, 40);
    mpz_sub(exact, exact, scaled);
    mpz_abs(exact, exact);
    const bool within = mpz_cmp_ui(exact, (UINT64_C(1) << 39) + 16 + 2) <= 0;
    mpz_clears(exact, scaled, NULL);
    return within;
}

// check: the call into a fresh integer and over a.
static void check(bigint_ctx *ctx, const mpz_t z, uint64_t bits) {
    bigint a = BIGINT_INIT, r = BIGINT_INIT;
    mpz_t got;
    SCOPED_TRACE("%d bits of %d bits", (int)bits, (int)mpz_sizeinbase(z, 2));
    mpz_init(got);
    fixture_set(ctx, &a, z);
    EXPECT_EQ(bigint_rsqrt_fixed(ctx, &r, &a, bits), BIGINT_OK);
    EXPECT_EQ(bigint_rsqrt_fixed(ctx, &a, &a, bits), BIGINT_OK);
    EXPECT_EQ(bigint_get_mpz(ctx, got, &r), BIGINT_OK);
    EXPECT_TRUE(right(got, z, bits));
    EXPECT_BIGINT(ctx, &a, got);
    bigint_clear(ctx, &a), bigint_clear(ctx, &r);
    mpz_clear(got);
}

// Powers of two and their neighbours, whose quotients are integers or close to halves, and lengths
// around those at which the result is 0, 1 or a limb more. Mutations: no rounding; the guard bits
// left out; a radicand whose length is odd taken for an even one; half a unit that carries.
TEST(Rsqrt, PowersOfTwo) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    static const unsigned lengths[] = {1, 2, 3, 63, 64, 65, 127, 128, 129, 700};
    static const int more[] = {-66, -2, -1, 0, 1, 2, 22, 23, 24, 63, 64, 65, 300};
    mpz_t z;
    mpz_init(z);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        for (size_t j = 0; j<sizeof more / sizeof *more; j += fixture_thinning()> 1 ? 2 : 1) {
            const int64_t bits = (int64_t)lengths[i] / 2 + more[j];
            for (int near = -1; near <= 1 && bits >= 0; near++) {
                mpz_set_ui(z, 0), mpz_setbit(z, lengths[i]);
                near < 0 ? mpz_sub_ui(z, z, 1) : mpz_add_ui(z, z, (unsigned)near);
                check(ctx, z, (uint64_t)bits);
            }
        }
    }
    mpz_clear(z);
    bigint_ctx_destroy(ctx);
}

// Random numbers longer and shorter than the result; on a device with a start of few limbs, so that
// there are steps. Mutations: too few limbs of a, or limbs below its last one that are not 0; a
// step to more than twice the length.
TEST(Rsqrt, RandomNumbers) {
    gen g = gen_seed(471);
    mpz_t z;
    mpz_init(z);
    for (int i = 0; i < (300 / fixture_thinning()); i++) {
        bigint_ctx *ctx = fixture_ctx(NULL);
        ctx->queue.forced.root_limbs = (uint64_t)(i % 3) * 2;
        ctx->queue.forced.root_series = (uint64_t)(i % 2) * 100;
        fixture_limbs(&g, z, gen_size(&g, 1, 60));
        mpz_fdiv_q_2exp(z, z, gen_below(&g, 64)), mpz_setbit(z, 0);
        check(ctx, z, gen_below(&g, 64 * 60));
        bigint_ctx_destroy(ctx);
    }
    mpz_clear(z);
}

// Results of even and odd limbs for which a device takes rings, by random numbers, the largest and
// a power of two. Mutations: the product by the radicand taken for its root in the last step; the
// shorter root beside it a limb off; the radicand's top limbs read from an odd one on.
TEST(Rsqrt, LongNumbers) {
    gen g = gen_seed(472);
    mpz_t z;
    mpz_init(z);
    for (uint64_t n = 4097; n <= 4098; n++) {
        bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.engine = "modular-fft"});
        ctx->queue.cluster = 0;
        ctx->queue.forced.root_series = 1;
        for (int i = 0; i < 3; i++) {
            const uint64_t length = 64 * 4200 - 1;
            fixture_shape(&g, i == 1 ? GEN_ONES : GEN_UNIFORM, z, 4200);
            mpz_abs(z, z), mpz_tdiv_r_2exp(z, z, i == 2 ? 0 : length);
            mpz_setbit(z, length - 1);
            check(ctx, z, (length + 1) / 2 + 64 * n - 60);
        }
        bigint_ctx_destroy(ctx);
    }
    mpz_clear(z);
}

// Mutations: zero or a sign not looked at; a length that is not checked; an output written before.
TEST(Rsqrt, Refusals) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint a = BIGINT_INIT, r = BIGINT_INIT;
    mpz_t z;
    mpz_init_set_si(z, -7);
    fixture_set(ctx, &a, z), fixture_set(ctx, &r, z);
    EXPECT_EQ(bigint_rsqrt_fixed(ctx, &r, &a, 9), BIGINT_EINVAL);
    EXPECT_TEXT(ctx, "not positive");
    EXPECT_EQ(bigint_set_u64(ctx, &a, 0), BIGINT_OK);
    EXPECT_EQ(bigint_rsqrt_fixed(ctx, &r, &a, 9), BIGINT_EINVAL);
    EXPECT_EQ(bigint_set_u64(ctx, &a, 5), BIGINT_OK);
    EXPECT_EQ(bigint_rsqrt_fixed(ctx, &r, &a, UINT64_MAX), BIGINT_ERANGE);
    EXPECT_BIGINT(ctx, &r, z);
    bigint_clear(ctx, &a), bigint_clear(ctx, &r);
    mpz_clear(z);
    bigint_ctx_destroy(ctx);
}
