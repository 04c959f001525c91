// Every public call that takes a context works on a device and on a group: none answers ENOBACKEND.
// The values are tested by the tests of each room, which run there too. every_call_list_test.py
// expects each call of the public headers here.
#include <stdio.h>
#include <string.h>

#include "bigint/bigint_file.h"
#include "bigint/bigint_gmp.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"

// numbers: results, and operands that no call changes: a > 0 and b < 0 of some limbs, m odd, e
// short.
typedef struct {
    bigint_ctx *ctx;
    bigint r, q, t, a, b, m, e;
} numbers;

static void power(bigint_ctx *ctx, bigint *x, unsigned bits, int less, int sign) {
    mpz_t z;
    mpz_init(z);
    mpz_setbit(z, bits);
    mpz_sub_ui(z, z, (unsigned long)less);
    sign < 0 ? mpz_neg(z, z) : (void)0;
    fixture_set(ctx, x, z);
    mpz_clear(z);
}

static numbers numbers_open(void) {
    numbers s = {.ctx = fixture_ctx(NULL)};
    power(s.ctx, &s.a, 300, 77, 1);
    power(s.ctx, &s.b, 150, 9, -1);
    power(s.ctx, &s.m, 130, 5, 1);
    power(s.ctx, &s.e, 7, 3, 1);
    return s;
}

static void numbers_close(numbers *s) {
    bigint *const all[] = {&s->r, &s->q, &s->t, &s->a, &s->b, &s->m, &s->e};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        bigint_clear(s->ctx, all[i]);
    }
    bigint_ctx_destroy(s->ctx);
}

#define WORKS(call) EXPECT_EQ((call), BIGINT_OK)

TEST(PublicCalls, Values) {
    numbers s = numbers_open();
    bigint_ctx *const c = s.ctx;
    bigint *const r = &s.r, *const a = &s.a, *const b = &s.b;
    const bigint_words words = {.bytes = 4, .order = BIGINT_BIG_ENDIAN};
    uint64_t limbs[8] = {1, 2, 3}, bits;
    uint8_t bytes[64] = {1, 2};
    int answer;
    mpz_t z;
    mpz_init(z);
    WORKS(bigint_set(c, r, a));
    WORKS(bigint_set_u64(c, r, 5));
    WORKS(bigint_set_i64(c, r, -5));
    WORKS(bigint_set_limbs(c, r, limbs, 3, -1));
    WORKS(bigint_get_limbs(c, limbs, 8, NULL, NULL, a));
    WORKS(bigint_set_bytes(c, r, bytes, 9, BIGINT_LITTLE_ENDIAN, 1));
    WORKS(bigint_get_bytes(c, bytes, sizeof bytes, NULL, BIGINT_BIG_ENDIAN, a));
    WORKS(bigint_set_words(c, r, bytes, 8, &words, 1));
    WORKS(bigint_get_words(c, bytes, 16, NULL, &words, a));
    WORKS(bigint_set_mpz(c, r, z));
    WORKS(bigint_get_mpz(c, z, a));
    WORKS(bigint_reserve_bits(c, r, 10000));
    WORKS(bigint_shrink(c, r));
    WORKS(bigint_bits(c, &bits, a));
    WORKS(bigint_sign(c, &answer, a));
    WORKS(bigint_cmp(c, &answer, a, b));
    WORKS(bigint_cmp_abs(c, &answer, a, b));
    WORKS(bigint_move(c, r, BIGINT_HOST));
    WORKS(bigint_move(c, r, fixture_place()));
    WORKS(bigint_sync(c));
    mpz_clear(z);
    numbers_close(&s);
}

TEST(PublicCalls, Text) {
    numbers s = numbers_open();
    bigint_ctx *const c = s.ctx;
    char text[400];
    uint64_t digits;
    size_t n;
    WORKS(bigint_set_decimal(c, &s.r, "-123", 4, NULL));
    WORKS(bigint_get_decimal(c, text, sizeof text, NULL, &s.a));
    WORKS(bigint_set_hex(c, &s.r, "abc", 3, NULL));
    WORKS(bigint_get_hex(c, text, sizeof text, NULL, &s.a));
    WORKS(bigint_set_text(c, &s.r, "zz", 2, 36, NULL));
    WORKS(bigint_get_text(c, text, sizeof text, NULL, &s.a, 7));
    WORKS(bigint_digits_bound(c, &digits, &s.a, 10));
    WORKS(bigint_mul_decimal(c, text, sizeof text, NULL, "123", 3, "4567", 4, NULL));
    FILE *const file = tmpfile();
    ASSERT_TRUE(file != NULL);
    WORKS(bigint_write_raw(c, file, &n, &s.a));
    WORKS(bigint_write_text(c, file, &n, &s.a, 10));
    rewind(file);
    WORKS(bigint_read_raw(c, &s.r, file, &n));
    WORKS(bigint_read_text(c, &s.r, file, 10, &n));
    fclose(file);
    numbers_close(&s);
}

TEST(PublicCalls, Words) {
    numbers s = numbers_open();
    bigint_ctx *const c = s.ctx;
    bigint *const r = &s.r, *const a = &s.a;
    uint64_t u;
    int64_t i;
    int answer;
    WORKS(bigint_get_u64(c, &u, &s.e));
    WORKS(bigint_get_i64(c, &i, &s.e));
    WORKS(bigint_fits_u64(c, &answer, a));
    WORKS(bigint_fits_i64(c, &answer, a));
    WORKS(bigint_cmp_u64(c, &answer, a, 3));
    WORKS(bigint_cmp_i64(c, &answer, a, -3));
    WORKS(bigint_cmp_abs_u64(c, &answer, a, 3));
    WORKS(bigint_add_u64(c, r, a, 3));
    WORKS(bigint_add_i64(c, r, a, -3));
    WORKS(bigint_sub_u64(c, r, a, 3));
    WORKS(bigint_sub_i64(c, r, a, -3));
    WORKS(bigint_u64_sub(c, r, 3, a));
    WORKS(bigint_mul_u64(c, r, a, 3));
    WORKS(bigint_mul_i64(c, r, a, -3));
    WORKS(bigint_addmul(c, r, a, &s.b));
    WORKS(bigint_submul(c, r, a, &s.b));
    WORKS(bigint_addmul_u64(c, r, a, 3));
    WORKS(bigint_submul_u64(c, r, a, 3));
    WORKS(bigint_tdiv_u64(c, r, &u, a, 3));
    WORKS(bigint_fdiv_u64(c, r, &u, a, 3));
    WORKS(bigint_cdiv_u64(c, r, &u, a, 3));
    WORKS(bigint_mul_u64(c, r, a, 30));
    WORKS(bigint_divexact_u64(c, r, r, 15));
    WORKS(bigint_divisible_u64(c, &answer, a, 3));
    WORKS(bigint_congruent_u64(c, &answer, a, 1, 3));
    numbers_close(&s);
}

TEST(PublicCalls, Floats) {
    numbers s = numbers_open();
    bigint_ctx *const c = s.ctx;
    double x;
    long double lx;
    uint64_t exponent;
    int answer;
    WORKS(bigint_set_double(c, &s.r, -1e30));
    WORKS(bigint_set_long_double(c, &s.r, 1e30L));
    WORKS(bigint_get_double(c, &x, &s.a));
    WORKS(bigint_get_long_double(c, &lx, &s.a));
    WORKS(bigint_get_double_2exp(c, &x, &exponent, &s.a));
    WORKS(bigint_cmp_double(c, &answer, &s.a, 3.5));
    WORKS(bigint_cmp_abs_double(c, &answer, &s.a, 3.5));
#if defined(__SIZEOF_FLOAT128__)
    bigint_float128 wide;
    WORKS(bigint_get_float128(c, &wide, &s.a));
    WORKS(bigint_set_float128(c, &s.r, wide));
#endif
    numbers_close(&s);
}

TEST(PublicCalls, Bits) {
    numbers s = numbers_open();
    bigint_ctx *const c = s.ctx;
    bigint *const r = &s.r, *const a = &s.a, *const b = &s.b;
    uint64_t count;
    int answer;
    WORKS(bigint_and(c, r, a, b));
    WORKS(bigint_or(c, r, a, b));
    WORKS(bigint_xor(c, r, a, b));
    WORKS(bigint_com(c, r, a));
    WORKS(bigint_tstbit(c, &answer, b, 70));
    WORKS(bigint_setbit(c, r, 70));
    WORKS(bigint_clrbit(c, r, 70));
    WORKS(bigint_combit(c, r, 700));
    WORKS(bigint_popcount(c, &count, a));
    WORKS(bigint_hamming(c, &count, a, a));
    WORKS(bigint_scan0(c, &count, a, 1));
    WORKS(bigint_scan1(c, &count, a, 1));
    numbers_close(&s);
}

TEST(PublicCalls, Arithmetic) {
    numbers s = numbers_open();
    bigint_ctx *const c = s.ctx;
    bigint *const r = &s.r, *const a = &s.a, *const b = &s.b;
    const bigint *const x[] = {a, b};
    bigint_prep *prep = NULL;
    uint64_t bytes;
    char line[1000];
    WORKS(bigint_neg(c, r, a));
    WORKS(bigint_abs(c, r, b));
    WORKS(bigint_add(c, r, a, b));
    WORKS(bigint_sub(c, r, a, b));
    WORKS(bigint_mul(c, r, a, b));
    WORKS(bigint_sqr(c, r, a));
    WORKS(bigint_mul_2exp(c, r, a, 100));
    WORKS(bigint_tdiv_2exp(c, r, a, 100));
    WORKS(bigint_mul_sum(c, r, x, x, NULL, 2));
    WORKS(bigint_mul_mod_2exp_minus1(c, r, a, b, 200));
    WORKS(bigint_mul_mod_2exp_plus1(c, r, a, b, 200));
    WORKS(bigint_prep_create(c, &prep, a, 10));
    WORKS(bigint_mul_prep(c, r, prep, b));
    bigint_prep_destroy(c, prep);
    WORKS(bigint_explain(c, line, sizeof line, NULL, 100, 90));
    WORKS(bigint_workspace_bytes(c, &bytes, 100, 90));
    for (int kind = 0; kind < BIGINT_CALL_KINDS; kind++) {
        const bigint_call call = {.kind = (bigint_call_kind)kind,
                                  .an = 100,
                                  .bn = 40,
                                  .k = kind == BIGINT_CALL_MUL_PREP ? 50 : 2,
                                  .count = 3};
        WORKS(bigint_call_explain(c, line, sizeof line, NULL, &call));
        WORKS(bigint_call_workspace_bytes(c, &bytes, &call));
    }
    numbers_close(&s);
}

TEST(PublicCalls, Division) {
    numbers s = numbers_open();
    bigint_ctx *const c = s.ctx;
    bigint *const q = &s.q, *const r = &s.r, *const a = &s.a, *const b = &s.b;
    bigint_div_prep *prep;
    int answer;
    WORKS(bigint_divrem(c, q, r, a, b));
    WORKS(bigint_div_prep_create(c, &prep, b, 0));
    WORKS(bigint_divrem_prep(c, q, r, a, prep));
    bigint_div_prep_destroy(c, prep);
    WORKS(bigint_fdiv(c, q, r, a, b));
    WORKS(bigint_cdiv(c, q, r, a, b));
    WORKS(bigint_mod(c, r, a, b));
    WORKS(bigint_mul(c, q, a, b));
    WORKS(bigint_divexact(c, q, q, b));
    WORKS(bigint_divisible(c, &answer, a, b));
    WORKS(bigint_congruent(c, &answer, a, b, &s.m));
    WORKS(bigint_fdiv_2exp(c, q, b, 70));
    WORKS(bigint_cdiv_2exp(c, q, a, 70));
    WORKS(bigint_tdiv_r_2exp(c, r, b, 70));
    WORKS(bigint_fdiv_r_2exp(c, r, b, 70));
    WORKS(bigint_cdiv_r_2exp(c, r, b, 70));
    WORKS(bigint_divisible_2exp(c, &answer, a, 70));
    WORKS(bigint_congruent_2exp(c, &answer, a, b, 70));
    WORKS(bigint_sqrt(c, q, r, a));
    WORKS(bigint_root(c, q, r, b, 3));
    WORKS(bigint_rsqrt_fixed(c, r, a, 300));
    numbers_close(&s);
}

TEST(PublicCalls, Divisors) {
    numbers s = numbers_open();
    bigint_ctx *const c = s.ctx;
    bigint *const q = &s.q, *const r = &s.r, *const t = &s.t, *const a = &s.a, *const b = &s.b;
    uint64_t u;
    int answer;
    WORKS(bigint_gcd(c, r, a, b));
    WORKS(bigint_gcd_u64(c, &u, a, 30));
    WORKS(bigint_gcdext(c, q, r, t, a, b));
    WORKS(bigint_lcm(c, r, a, b));
    WORKS(bigint_lcm_u64(c, r, a, 30));
    WORKS(bigint_invert(c, &answer, r, a, &s.m));
    WORKS(bigint_remove(c, r, &u, a, &s.e));
    numbers_close(&s);
}

static int fill(void *user, bigint_limb *p, uint64_t n) {
    gen *const g = user;
    for (uint64_t i = 0; i < n; i++) {
        p[i] = gen_u64(g);
    }
    return 0;
}

TEST(PublicCalls, Numbers) {
    numbers s = numbers_open();
    bigint_ctx *const c = s.ctx;
    bigint *const q = &s.q, *const r = &s.r, *const a = &s.a, *const b = &s.b;
    const uint64_t secret[] = {1000003};
    gen g = gen_seed(1);
    const bigint_generator random = {fill, &g};
    int answer;
    WORKS(bigint_powm(c, r, b, &s.e, &s.m));
    WORKS(bigint_powm_u64(c, r, b, 1000, &s.m));
    WORKS(bigint_powm_sec(c, r, b, secret, 1, &s.m));
    WORKS(bigint_pow_u64(c, r, b, 5));
    WORKS(bigint_u64_pow_u64(c, r, 3, 50));
    WORKS(bigint_is_square(c, &answer, a));
    WORKS(bigint_is_power(c, &answer, a));
    WORKS(bigint_probable_prime(c, &answer, a));
    WORKS(bigint_next_prime(c, r, &s.m));
    WORKS(bigint_kronecker(c, &answer, a, b));
    WORKS(bigint_kronecker_u64(c, &answer, a, 5));
    WORKS(bigint_kronecker_i64(c, &answer, a, -5));
    WORKS(bigint_u64_kronecker(c, &answer, 5, a));
    WORKS(bigint_i64_kronecker(c, &answer, -5, a));
    WORKS(bigint_factorial(c, r, 30));
    WORKS(bigint_multifactorial(c, r, 30, 3));
    WORKS(bigint_primorial(c, r, 30));
    WORKS(bigint_binomial_u64(c, r, 100, 30));
    WORKS(bigint_binomial(c, r, a, 5));
    WORKS(bigint_fibonacci(c, r, q, 300));
    WORKS(bigint_lucas(c, r, q, 300));
    WORKS(bigint_random_bits(c, r, &random, 300));
    WORKS(bigint_random_below(c, r, &random, a));
    WORKS(bigint_random_runs(c, r, &random, 300));
    numbers_close(&s);
}

TEST(PublicCalls, Batches) {
    if (fixture_place() < 0) {
        return;  // the limbs of spans are the device's
    }
    numbers s = numbers_open();
    bigint_ctx *const c = s.ctx;
    unsigned char prime;
    EXPECT_EQ(bigint_mul_2exp(c, &s.r, &s.a, 64 * 20), BIGINT_OK);
    const bigint_span a = {bigint_device_limbs(&s.a), 3, 3, 1, NULL, NULL},
                      m = {bigint_device_limbs(&s.m), 3, 3, 1, NULL, NULL},
                      r = {bigint_device_limbs(&s.r), 6, 6, 1, NULL, NULL},
                      sum = {bigint_device_limbs(&s.r), 7, 7, 1, NULL, NULL},
                      q = {bigint_device_limbs(&s.r) + 8, 6, 6, 1, NULL, NULL};
    WORKS(bigint_mul_batch(c, &r, &a, &m));
    WORKS(bigint_mul_sum_batch(c, &sum, NULL, &a, &a, NULL, &a, &a, NULL));
    WORKS(bigint_mul_mod_2exp_minus1_batch(c, &r, &a, &a, 384));
    WORKS(bigint_mul_mod_2exp_plus1_batch(c, &r, &a, &a, 383));
    WORKS(bigint_powm_batch(c, &r, &a, &a, &m));
    WORKS(bigint_mulmod_batch(c, &r, &a, &a, &m));
    WORKS(bigint_sqrmod_batch(c, &r, &a, &m));
    WORKS(bigint_invmod_batch(c, &r, &a, &m));
    WORKS(bigint_divrem_batch(c, &q, &r, &a, &m));
    WORKS(bigint_probable_prime_batch(c, &prime, &a));
    numbers_close(&s);
}
