// float_test.c: integers and floating-point numbers against GMP.
#include <float.h>
#include <math.h>
#include <string.h>

#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"

static int sign_of(int x) { return (x > 0) - (x < 0); }

// expect_upper: x is z's upper `digits` bits.
static void expect_upper(bigint_ctx *ctx, const bigint *x, const mpz_t z, unsigned digits) {
    mpz_t cut;
    mpz_init(cut);
    const size_t bits = mpz_sizeinbase(z, 2);
    const mp_bitcnt_t drop = bits > digits ? bits - digits : 0;
    mpz_tdiv_q_2exp(cut, z, drop);
    mpz_mul_2exp(cut, cut, drop);
    EXPECT_BIGINT(ctx, x, cut);
    mpz_clear(cut);
}

// expect_real: a double of z's own size, and its neighbours, compared with z.
static void expect_order(bigint_ctx *ctx, const bigint *x, const mpz_t z, double b) {
    const double all[] = {b,
                          -b,
                          nextafter(b, INFINITY),
                          nextafter(b, -INFINITY),
                          b * 1.0001,
                          b + b,
                          0,
                          -0.0,
                          0.5,
                          -0.5,
                          5e-324,
                          -5e-324,
                          INFINITY,
                          -INFINITY,
                          DBL_MAX,
                          -DBL_MAX,
                          b + 0.5,
                          b * DBL_MAX};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        int order = 7, magnitudes = 7;
        SCOPED_TRACE("compared with %a", all[i]);
        EXPECT_EQ(bigint_cmp_double(ctx, &order, x, all[i]), BIGINT_OK);
        EXPECT_EQ(order, sign_of(mpz_cmp_d(z, all[i])));
        EXPECT_EQ(bigint_cmp_abs_double(ctx, &magnitudes, x, all[i]), BIGINT_OK);
        EXPECT_EQ(magnitudes, sign_of(mpz_cmpabs_d(z, all[i])));
    }
}

#if defined(__SIZEOF_FLOAT128__)
static void expect_float128(bigint_ctx *ctx, bigint *r, const bigint *x, const mpz_t z) {
    bigint_float128 value = 1;
    const bigint_status status = bigint_get_float128(ctx, &value, x);
    if (mpz_sizeinbase(z, 2) > 16384) {
        EXPECT_EQ(status, BIGINT_ERANGE);
        EXPECT_TRUE(value == 1);
        return;
    }
    EXPECT_EQ(status, BIGINT_OK);
    if (mpz_sizeinbase(z, 2) <= 1000) {  // the sum of the upper bits, exactly
        bigint_float128 sum = 0, unit = 1;
        const size_t bits = mpz_sizeinbase(z, 2);
        const mp_bitcnt_t drop = bits > 113 ? bits - 113 : 0;
        for (mp_bitcnt_t i = 0; i < bits; i++, unit *= 2) {
            // Of the magnitude: mpz_tstbit looks at the two's complement.
            sum += i >= drop && (mpz_getlimbn(z, (mp_size_t)(i / 64)) >> (i % 64) & 1) ? unit : 0;
        }
        EXPECT_TRUE(value == (mpz_sgn(z) < 0 ? -sum : sum));
    }
    EXPECT_EQ(bigint_set_float128(ctx, r, value), BIGINT_OK);
    expect_upper(ctx, r, z, 113);
}
#endif

static void expect_long_double(bigint_ctx *ctx, bigint *r, const bigint *x, const mpz_t z) {
    long double value = 1;
    const bigint_status status = bigint_get_long_double(ctx, &value, x);
    if (mpz_sizeinbase(z, 2) > LDBL_MAX_EXP) {
        EXPECT_EQ(status, BIGINT_ERANGE);
        EXPECT_TRUE(value == 1);
        return;
    }
    EXPECT_EQ(status, BIGINT_OK);
    EXPECT_TRUE((value > 0) - (value < 0) == mpz_sgn(z));
    EXPECT_EQ(bigint_set_long_double(ctx, r, value), BIGINT_OK);
    expect_upper(ctx, r, z, LDBL_MANT_DIG);
}

static void expect_double(bigint_ctx *ctx, const mpz_t z) {
    bigint x = BIGINT_INIT, r = BIGINT_INIT;
    double value = 1, fraction = 7;
    uint64_t exponent = 7;
    long right = 0;
    fixture_set(ctx, &x, z);
    fixture_set(ctx, &r, z);
    SCOPED_TRACE("%zu bits, sign %d, top limb %llx", mpz_sizeinbase(z, 2), mpz_sgn(z),
                 (unsigned long long)mpz_getlimbn(z, (mp_size_t)mpz_size(z) - 1));
    const bigint_status status = bigint_get_double(ctx, &value, &x);
    if (mpz_sizeinbase(z, 2) > DBL_MAX_EXP) {
        EXPECT_EQ(status, BIGINT_ERANGE);
        EXPECT_TRUE(value == 1);
    } else {
        EXPECT_EQ(status, BIGINT_OK);
        EXPECT_TRUE(value == mpz_get_d(z));
        EXPECT_EQ(bigint_set_double(ctx, &r, value), BIGINT_OK);
        expect_upper(ctx, &r, z, 53);
        expect_order(ctx, &x, z, value);
    }
    EXPECT_EQ(bigint_get_double_2exp(ctx, &fraction, &exponent, &x), BIGINT_OK);
    EXPECT_TRUE(fraction == mpz_get_d_2exp(&right, z));
    EXPECT_EQ(exponent, (uint64_t)right);
    expect_long_double(ctx, &r, &x, z);
#if defined(__SIZEOF_FLOAT128__)
    expect_float128(ctx, &r, &x, z);
#endif
    bigint_clear(ctx, &x);
    bigint_clear(ctx, &r);
}

// Mutations: rounding to nearest, a bit of the fraction lost where it straddles limbs, the implicit
// bit counted twice, a bias one off, the largest number refused or the first too large accepted,
// lower limbs not compared, the sign forgotten.
TEST(Float, AroundPowersOfTwo) {
    static const unsigned bits[] = {0,    1,    2,    31,   51,   52,    53,    54,    55,
                                    63,   64,   65,   66,   100,  112,   113,   114,   127,
                                    128,  129,  176,  177,  191,  192,   193,   500,   971,
                                    1022, 1023, 1024, 1025, 1088, 16383, 16384, 16385, 70000};
    bigint_ctx *ctx = fixture_ctx(NULL);
    mpz_t z, low;
    mpz_inits(z, low, NULL);
    expect_double(ctx, z);
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++) {
        for (unsigned drop = 0; drop <= bits[i] && drop < 140;
             drop += drop < 3 ? 1 : (unsigned)(fixture_thinning() + 10)) {
            for (int d = -1; d <= 1; d++) {  // 2^bits - 2^drop, + 2^drop, and with one more or less
                mpz_set_ui(z, 0);
                mpz_setbit(z, bits[i]);
                mpz_set_ui(low, 0);
                mpz_setbit(low, drop);
                drop % 2 == 0 ? mpz_sub(z, z, low) : mpz_add(z, z, low);
                d < 0 ? mpz_sub_ui(z, z, 1) : mpz_add_ui(z, z, (unsigned long)d);
                expect_double(ctx, z);
                mpz_neg(z, z);
                expect_double(ctx, z);
            }
        }
    }
    mpz_clears(z, low, NULL);
    bigint_ctx_destroy(ctx);
}

TEST(Float, Random) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(351);
    mpz_t z;
    mpz_init(z);
    for (int i = 0; i < 1000; i += fixture_thinning()) {
        fixture_limbs(&g, z, gen_size(&g, 1, 18));
        mpz_fdiv_q_2exp(z, z, gen_below(&g, 64));
        i % 2 == 0 ? mpz_neg(z, z) : (void)0;
        expect_double(ctx, z);
    }
    mpz_clear(z);
    bigint_ctx_destroy(ctx);
}

// Every pattern of sign and exponent with some fractions. Mutations: a number below 1 not 0, a
// denormal one taken for a large one, a fraction rounded.
TEST(Float, EveryExponent) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(352);
    bigint r = BIGINT_INIT;
    mpz_t z;
    mpz_init(z);
    for (uint64_t exponent = 0; exponent < 0x7ff; exponent += (uint64_t)fixture_thinning()) {
        for (int k = 0; k < 4; k++) {
            const uint64_t fraction = k == 0   ? 0
                                      : k == 1 ? ((uint64_t)1 << 52) - 1
                                               : gen_u64(&g) >> 12;
            const uint64_t pattern = (gen_u64(&g) & (uint64_t)1 << 63) | exponent << 52 | fraction;
            double value;
            memcpy(&value, &pattern, sizeof value);
            SCOPED_TRACE("%a", value);
            mpz_set_d(z, value);
            EXPECT_EQ(bigint_set_double(ctx, &r, value), BIGINT_OK);
            EXPECT_BIGINT(ctx, &r, z);
            EXPECT_EQ(bigint_set_long_double(ctx, &r, value), BIGINT_OK);
            EXPECT_BIGINT(ctx, &r, z);
#if defined(__SIZEOF_FLOAT128__)
            EXPECT_EQ(bigint_set_float128(ctx, &r, value), BIGINT_OK);
            EXPECT_BIGINT(ctx, &r, z);
#endif
        }
    }
    mpz_clear(z);
    bigint_clear(ctx, &r);
    bigint_ctx_destroy(ctx);
}

// Mutations: a quiet NaN taken for a number, an infinity set, the old value lost, memory lost by a
// failing allocation.
TEST(Float, Refused) {
    allocator_log log = {0};
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.allocator = fixture_allocator(&log)});
    bigint r = BIGINT_INIT;
    mpz_t z;
    mpz_init_set_si(z, -77);
    fixture_set(ctx, &r, z);
    int order = 7;
    EXPECT_EQ(bigint_set_double(ctx, &r, NAN), BIGINT_EINVAL);
    EXPECT_TEXT(ctx, "not finite");
    EXPECT_EQ(bigint_set_double(ctx, &r, -INFINITY), BIGINT_EINVAL);
    EXPECT_EQ(bigint_set_long_double(ctx, &r, (long double)NAN), BIGINT_EINVAL);
    EXPECT_EQ(bigint_set_long_double(ctx, &r, (long double)INFINITY), BIGINT_EINVAL);
#if defined(__SIZEOF_FLOAT128__)
    EXPECT_EQ(bigint_set_float128(ctx, &r, (bigint_float128)NAN), BIGINT_EINVAL);
    EXPECT_EQ(bigint_set_float128(ctx, &r, (bigint_float128)INFINITY), BIGINT_EINVAL);
#endif
    EXPECT_EQ(bigint_cmp_double(ctx, &order, &r, NAN), BIGINT_EINVAL);
    EXPECT_EQ(bigint_cmp_abs_double(ctx, &order, &r, -NAN), BIGINT_EINVAL);
    EXPECT_EQ(order, 7);
    log.fail_at = log.calls + 1;
    EXPECT_EQ(bigint_set_double(ctx, &r, DBL_MAX), BIGINT_ENOMEM);
    EXPECT_BIGINT(ctx, &r, z);
    mpz_clear(z);
    bigint_clear(ctx, &r);
    bigint_ctx_destroy(ctx);
    EXPECT_EQ(log.live_blocks, 0u);
}
