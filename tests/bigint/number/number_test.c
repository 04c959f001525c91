// Number theory against GMP.
#include "tests/bigint/core/fixture.h"
#include "tests/bigint/core/operations.h"
#include "tests/ctest/ctest.h"

static bigint_status pow_u64(PAIRED_CALL) { return bigint_pow_u64(ctx, r, a, w % 40); }
static int pow_u64_twin(PAIRED_TWIN) { return mpz_pow_ui(r, a, w % 40), 1; }
static bigint_status u64_pow(PAIRED_CALL) { return bigint_u64_pow_u64(ctx, r, w, w % 50); }
static int u64_pow_twin(PAIRED_TWIN) { return mpz_ui_pow_ui(r, w, w % 50), 1; }
static bigint_status is_square(PAIRED_CALL) {
    int x = 7;
    const bigint_status status = bigint_is_square(ctx, &x, a);
    return paired_answer(ctx, r, status, x);
}
static int is_square_twin(PAIRED_TWIN) { return mpz_set_si(r, mpz_perfect_square_p(a) != 0), 1; }
static bigint_status is_power(PAIRED_CALL) {
    int x = 7;
    const bigint_status status = bigint_is_power(ctx, &x, a);
    return paired_answer(ctx, r, status, x);
}
static int is_power_twin(PAIRED_TWIN) { return mpz_set_si(r, mpz_perfect_power_p(a) != 0), 1; }
static bigint_status kronecker(PAIRED_CALL) {
    int x = 7;
    const bigint_status status = bigint_kronecker(ctx, &x, a, b);
    return paired_answer(ctx, r, status, x);
}
static int kronecker_twin(PAIRED_TWIN) { return mpz_set_si(r, mpz_kronecker(a, b)), 1; }
static bigint_status next_prime(PAIRED_CALL) { return bigint_next_prime(ctx, r, a); }
static int next_prime_twin(PAIRED_TWIN) {
    mpz_sgn(a) <= 0 ? mpz_set_ui(r, 2) : mpz_nextprime(r, a);
    return 1;
}
static bigint_status kronecker_u64(PAIRED_CALL) {
    int x = 7;
    const bigint_status status = bigint_kronecker_u64(ctx, &x, a, w);
    return paired_answer(ctx, r, status, x);
}
static int kronecker_u64_twin(PAIRED_TWIN) { return mpz_set_si(r, mpz_kronecker_ui(a, w)), 1; }
static bigint_status kronecker_i64(PAIRED_CALL) {
    int x = 7;
    const bigint_status status = bigint_kronecker_i64(ctx, &x, a, (int64_t)w);
    return paired_answer(ctx, r, status, x);
}
static int kronecker_i64_twin(PAIRED_TWIN) {
    return mpz_set_si(r, mpz_kronecker_si(a, (int64_t)w)), 1;
}
static bigint_status u64_kronecker(PAIRED_CALL) {
    int x = 7;
    const bigint_status status = bigint_u64_kronecker(ctx, &x, w, a);
    return paired_answer(ctx, r, status, x);
}
static int u64_kronecker_twin(PAIRED_TWIN) { return mpz_set_si(r, mpz_ui_kronecker(w, a)), 1; }
static bigint_status i64_kronecker(PAIRED_CALL) {
    int x = 7;
    const bigint_status status = bigint_i64_kronecker(ctx, &x, (int64_t)w, a);
    return paired_answer(ctx, r, status, x);
}
static int i64_kronecker_twin(PAIRED_TWIN) {
    return mpz_set_si(r, mpz_si_kronecker((int64_t)w, a)), 1;
}
static bigint_status powm_u64(PAIRED_CALL) { return bigint_powm_u64(ctx, r, a, w, b); }
static int powm_u64_twin(PAIRED_TWIN) { return mpz_sgn(b) == 0 ? 0 : (mpz_powm_ui(r, a, w, b), 1); }
static bigint_status lcm_u64(PAIRED_CALL) { return bigint_lcm_u64(ctx, r, a, w); }
static int lcm_u64_twin(PAIRED_TWIN) { return mpz_lcm_ui(r, a, w), 1; }
static bigint_status binomial(PAIRED_CALL) { return bigint_binomial(ctx, r, a, w % 14); }
static int binomial_twin(PAIRED_TWIN) { return mpz_bin_ui(r, a, w % 14), 1; }
static bigint_status remove_factor(PAIRED_CALL) { return bigint_remove(ctx, r, NULL, a, b); }
// Factors one by one, because GMP 6.2.1's mpz_remove divides 2^129 - 1 by 2^128 - 1.
static uint64_t remove_one_by_one(mpz_t r, const mpz_t a, const mpz_t f) {
    mpz_t divisor;
    mpz_init_set(divisor, f);
    mpz_set(r, a);
    uint64_t count = 0;
    for (; mpz_sgn(r) != 0 && mpz_cmpabs_ui(divisor, 1) > 0 && mpz_divisible_p(r, divisor);
         count++) {
        mpz_divexact(r, r, divisor);
    }
    mpz_clear(divisor);
    return count;
}
static int remove_factor_twin(PAIRED_TWIN) {
    return mpz_sgn(b) == 0 ? 0 : (remove_one_by_one(r, a, b), 1);
}

// a b^k without its factors b, plus their number.
static bigint_status remove_power(PAIRED_CALL) {
    uint64_t count = 77;
    bigint t = BIGINT_INIT;
    bigint_status status;
    (void)((status = bigint_pow_u64(ctx, &t, b, w % 9)) || (status = bigint_mul(ctx, &t, &t, a)) ||
           (status = bigint_remove(ctx, &t, &count, &t, b)) ||
           (status = bigint_add_u64(ctx, r, &t, count)));
    bigint_clear(ctx, &t);
    return status;
}
static int remove_power_twin(PAIRED_TWIN) {
    if (mpz_sgn(b) == 0) {
        return 0;
    }
    mpz_t t;
    mpz_init(t);
    mpz_pow_ui(t, b, w % 9);
    mpz_mul(t, t, a);
    const uint64_t count = remove_one_by_one(t, t, b);
    mpz_add_ui(r, t, count);
    mpz_clear(t);
    return 1;
}

// --- From words alone ---

static bigint_status factorial(PAIRED_CALL) { return bigint_factorial(ctx, r, w); }
static int factorial_twin(PAIRED_TWIN) { return mpz_fac_ui(r, w), 1; }
static bigint_status multifactorial(PAIRED_CALL) {
    return bigint_multifactorial(ctx, r, w, w / 7 + 1);
}
static int multifactorial_twin(PAIRED_TWIN) { return mpz_mfac_uiui(r, w, w / 7 + 1), 1; }
static bigint_status double_factorial(PAIRED_CALL) { return bigint_multifactorial(ctx, r, w, 2); }
static int double_factorial_twin(PAIRED_TWIN) { return mpz_2fac_ui(r, w), 1; }
static bigint_status primorial(PAIRED_CALL) { return bigint_primorial(ctx, r, w); }
static int primorial_twin(PAIRED_TWIN) { return mpz_primorial_ui(r, w), 1; }
static bigint_status binomial_few(PAIRED_CALL) {
    return bigint_binomial_u64(ctx, r, w * w * w, w % 20);
}
static int binomial_few_twin(PAIRED_TWIN) { return mpz_bin_uiui(r, w * w * w, w % 20), 1; }
static bigint_status binomial_many(PAIRED_CALL) { return bigint_binomial_u64(ctx, r, w, w / 3); }
static int binomial_many_twin(PAIRED_TWIN) { return mpz_bin_uiui(r, w, w / 3), 1; }
static bigint_status binomial_half(PAIRED_CALL) {
    return bigint_binomial_u64(ctx, r, w, w - w / 2);
}
static int binomial_half_twin(PAIRED_TWIN) { return mpz_bin_uiui(r, w, w - w / 2), 1; }
static bigint_status fibonacci(PAIRED_CALL) { return bigint_fibonacci(ctx, r, NULL, w); }
static int fibonacci_twin(PAIRED_TWIN) { return mpz_fib_ui(r, w), 1; }
static bigint_status lucas(PAIRED_CALL) { return bigint_lucas(ctx, r, NULL, w); }
static int lucas_twin(PAIRED_TWIN) { return mpz_lucnum_ui(r, w), 1; }

static const paired of_integers[] = {
    PAIRED(pow_u64, BIGINT_OK, 0),          PAIRED(u64_pow, BIGINT_OK, 0),
    PAIRED(is_square, BIGINT_OK, 0),        PAIRED(is_power, BIGINT_OK, 0),
    PAIRED(kronecker, BIGINT_OK, 0),        PAIRED(next_prime, BIGINT_OK, 0),
    PAIRED(kronecker_u64, BIGINT_OK, 0),    PAIRED(kronecker_i64, BIGINT_OK, 0),
    PAIRED(u64_kronecker, BIGINT_OK, 0),    PAIRED(i64_kronecker, BIGINT_OK, 0),
    PAIRED(powm_u64, BIGINT_EINVAL, 0),     PAIRED(lcm_u64, BIGINT_OK, 0),
    PAIRED(binomial, BIGINT_OK, 0),         PAIRED(remove_factor, BIGINT_EINVAL, 0),
    PAIRED(remove_power, BIGINT_EINVAL, 1),
};
static const paired of_words[] = {
    PAIRED(factorial, BIGINT_OK, 0),
    PAIRED(multifactorial, BIGINT_OK, 0),
    PAIRED(double_factorial, BIGINT_OK, 0),
    PAIRED(primorial, BIGINT_OK, 0),
    PAIRED(binomial_few, BIGINT_OK, 0),
    PAIRED(binomial_many, BIGINT_OK, 0),
    PAIRED(binomial_half, BIGINT_OK, 0),
    PAIRED(fibonacci, BIGINT_OK, 0),
    PAIRED(lucas, BIGINT_OK, 0),
};
enum {
    INTEGERS = sizeof of_integers / sizeof *of_integers,
    WORDS = sizeof of_words / sizeof *of_words,
};

// Mutations: the power of two is raised without its exponent, an even exponent keeps the sign, a
// square modulo 64 is refused, -1 is no power, an even exponent for a negative power, (a / 2) taken
// as 1, reciprocity without its sign, the symbol of two even numbers is not 0, the prime itself
// instead of the next one, a small prime struck out by its own multiples; the largest of a factor's
// powers tried alone, the sign of a removed -2, an upper index k - n for a negative n, a multiple
// with a's sign, a word above the symbol taken for one below.
TEST(Number, Edges) { paired_edges(of_integers, INTEGERS, UINT64_MAX); }

// Mutation: r is written before the last allocation.
TEST(Number, Random) { paired_random(of_integers, INTEGERS, UINT64_MAX, 20, 8); }

// Mutations: the exponent of a prime in the swing is one off, the powers of two are not counted, a
// list has no room for the last factor, the last factor is left out, a doubling with the wrong
// sign.
TEST(Number, Words) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint_ctx *checked = fixture_ctx(&(bigint_ctx_options){.checks = 1});
    const int some = fixture_thinning();
    mpz_t one;
    mpz_init_set_si(one, -1);
    for (uint64_t w = 0; w < 5000; w = w < 300 ? w + 1 : w * 9 / 8) {
        for (int i = (int)w % some; i < WORDS; i += some) {
            paired_try(w % 5 == 0 ? checked : ctx, &of_words[i], one, one, one, w);
            if (w % 97 == 0) {
                paired_fail(&of_words[i], one, one, one, w);
            }
        }
    }
    mpz_clear(one);
    bigint_ctx_destroy(checked);
    bigint_ctx_destroy(ctx);
}

// Both results. Mutations: F(n - 1) is F(n + 1); F(-1) is 0.
TEST(Number, Previous) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint r = BIGINT_INIT, previous = BIGINT_INIT;
    mpz_t z, zp;
    mpz_inits(z, zp, NULL);
    for (uint64_t n = 0; n < 2000; n = n < 200 ? n + 1 : n * 5 / 4) {
        EXPECT_EQ(bigint_fibonacci(ctx, &r, &previous, n), BIGINT_OK);
        mpz_fib2_ui(z, zp, n);
        EXPECT_BIGINT(ctx, &r, z);
        EXPECT_BIGINT(ctx, &previous, zp);
        EXPECT_EQ(bigint_lucas(ctx, &r, &previous, n), BIGINT_OK);
        mpz_lucnum2_ui(z, zp, n);
        EXPECT_BIGINT(ctx, &r, z);
        EXPECT_BIGINT(ctx, &previous, zp);
    }
    EXPECT_EQ(bigint_fibonacci(ctx, &r, &r, 5), BIGINT_EINVAL);
    EXPECT_EQ(bigint_multifactorial(ctx, &r, 5, 0), BIGINT_EINVAL);
    EXPECT_BIGINT(ctx, &r, z);
    mpz_clears(z, zp, NULL);
    bigint_clear(ctx, &r);
    bigint_clear(ctx, &previous);
    bigint_ctx_destroy(ctx);
}

// Short results stay where they have just room. Mutation: one limb's result asks for two.
TEST(Number, ShortRoom) {
    static const struct {
        bigint_status (*of)(bigint_ctx *, bigint *, bigint *, uint64_t);
        uint64_t one;  // the last number of one limb
    } sequences[] = {{bigint_fibonacci, 93}, {bigint_lucas, 92}};
    if (fixture_place() != BIGINT_HOST) {
        return;  // whose results have room of its own
    }
    bigint_ctx *ctx = fixture_ctx(NULL);
    for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++) {
        for (uint64_t n = 0; n <= 184; n++) {
            const uint64_t room = n <= sequences[i].one ? 1 : 2;
            uint64_t limbs[2] = {7, 7};
            bigint r = {.d_ = limbs, .cap_ = room};
            ASSERT_EQ(sequences[i].of(ctx, &r, NULL, n), BIGINT_OK);
            EXPECT_TRUE(r.d_ == limbs && r.cap_ == room && r.n_ == (n == 0 && i == 0 ? 0 : room));
            EXPECT_TRUE(room == 2 || limbs[1] == 7);
        }
    }
    bigint_ctx_destroy(ctx);
}

// Factors removed many times, at every count around powers of two. Mutations: the way down misses a
// power, or stops at the first that does not divide.
TEST(Number, Removed) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint a = BIGINT_INIT, f = BIGINT_INIT, r = BIGINT_INIT;
    mpz_t z, zf, left;
    mpz_inits(z, zf, left, NULL);
    for (int factor = -7; factor <= 7; factor++) {
        for (unsigned k = 0; k <= 140 && factor != 0; k += (unsigned)fixture_thinning()) {
            mpz_set_si(zf, factor);
            k % 3 == 2 ? mpz_mul_2exp(zf, zf, 70) : (void)0;
            mpz_pow_ui(z, zf, k);
            mpz_mul_si(z, z, k % 2 == 0 ? 11 : -1);
            fixture_set(ctx, &a, z);
            fixture_set(ctx, &f, zf);
            const uint64_t want = remove_one_by_one(left, z, zf);
            uint64_t count = 777;
            EXPECT_EQ(bigint_remove(ctx, &r, &count, &a, &f), BIGINT_OK);
            EXPECT_EQ(count, want);
            EXPECT_BIGINT(ctx, &r, left);
        }
    }
    uint64_t count = 7;
    EXPECT_EQ(bigint_set_u64(ctx, &f, 0), BIGINT_OK);
    EXPECT_EQ(bigint_remove(ctx, &r, &count, &a, &f), BIGINT_EINVAL);
    EXPECT_BIGINT(ctx, &r, left);
    EXPECT_EQ(count, 7u);
    mpz_clears(z, zf, left, NULL);
    bigint_clear(ctx, &a);
    bigint_clear(ctx, &f);
    bigint_clear(ctx, &r);
    bigint_ctx_destroy(ctx);
}

// Mutations: room for e bits where the odd part is 1, a sign lost or kept.
TEST(Number, PowersOfOneAndTwo) {
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.max_workspace_bytes = 1 << 16});
    bigint r = BIGINT_INIT, a = BIGINT_INIT;
    mpz_t z;
    mpz_init(z);
    for (int64_t one = -1; one <= 1; one += 2) {
        for (uint64_t e = UINT64_MAX - 1; e != 0; e++) {  // one even, one odd
            EXPECT_EQ(bigint_set_i64(ctx, &a, one), BIGINT_OK);
            EXPECT_EQ(bigint_pow_u64(ctx, &r, &a, e), BIGINT_OK);
            mpz_set_si(z, e % 2 == 0 ? 1 : (long)one);
            EXPECT_BIGINT(ctx, &r, z);
        }
        EXPECT_EQ(bigint_mul_2exp(ctx, &a, &a, 130), BIGINT_OK);
        EXPECT_EQ(bigint_pow_u64(ctx, &r, &a, 9999), BIGINT_OK);  // takes no workspace
        mpz_set_si(z, (long)one);
        mpz_mul_2exp(z, z, 130 * 9999);
        EXPECT_BIGINT(ctx, &r, z);
    }
    EXPECT_EQ(bigint_u64_pow_u64(ctx, &r, 1, UINT64_MAX), BIGINT_OK);
    mpz_set_ui(z, 1);
    EXPECT_BIGINT(ctx, &r, z);
    EXPECT_EQ(bigint_u64_pow_u64(ctx, &r, 2, UINT64_MAX), BIGINT_ERANGE);
    EXPECT_BIGINT(ctx, &r, z);
    mpz_clear(z);
    bigint_clear(ctx, &r);
    bigint_clear(ctx, &a);
    bigint_ctx_destroy(ctx);
}

// Results that no memory holds. Mutation: a size wraps to a small one.
TEST(Number, TooLarge) {
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.max_workspace_bytes = 1 << 20});
    bigint r = BIGINT_INIT, three = BIGINT_INIT;
    EXPECT_EQ(bigint_set_u64(ctx, &three, 3), BIGINT_OK);
    EXPECT_EQ(bigint_pow_u64(ctx, &r, &three, UINT64_MAX), BIGINT_ERANGE);
    EXPECT_EQ(bigint_factorial(ctx, &r, UINT64_MAX), BIGINT_ENOMEM);
    EXPECT_EQ(bigint_multifactorial(ctx, &r, UINT64_MAX, 1), BIGINT_ENOMEM);
    EXPECT_EQ(bigint_primorial(ctx, &r, UINT64_MAX), BIGINT_ENOMEM);
    EXPECT_EQ(bigint_binomial_u64(ctx, &r, UINT64_MAX, UINT64_MAX / 2), BIGINT_ENOMEM);
    EXPECT_EQ(bigint_fibonacci(ctx, &r, NULL, UINT64_MAX), BIGINT_ENOMEM);
    EXPECT_EQ(bigint_mul_2exp(ctx, &three, &three, 100), BIGINT_OK);
    EXPECT_EQ(bigint_binomial(ctx, &r, &three, UINT64_MAX), BIGINT_ENOMEM);
    EXPECT_EQ(bigint_binomial(ctx, &r, &three, (uint64_t)1 << 45), BIGINT_ENOMEM);
    EXPECT_EQ(bigint_limbs_bound(&r), 0u);
    bigint_clear(ctx, &r);
    bigint_clear(ctx, &three);
    bigint_ctx_destroy(ctx);
}
