// div_prep_test.c: prepared divisors against GMP: every length of dividend, several contexts,
// aliasing, failures.
#include <stdbool.h>

#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"

// sides: a division by a prepared divisor, and what it should give.
typedef struct {
    bigint_ctx *ctx, *other;
    bigint a, d, q, r;
    bigint_div_prep *prep;
    mpz_t za, zd, zq, zr;
} sides;

static void sides_open(sides *s) {
    *s =
        (sides){.ctx = fixture_ctx(NULL), .other = fixture_ctx(&(bigint_ctx_options){.checks = 1})};
    mpz_inits(s->za, s->zd, s->zq, s->zr, NULL);
}

static void sides_close(sides *s) {
    mpz_clears(s->za, s->zd, s->zq, s->zr, NULL);
    bigint *const all[] = {&s->a, &s->d, &s->q, &s->r};
    for (int i = 0; i < 4; i++) {
        bigint_clear(s->ctx, all[i]);
    }
    bigint_ctx_destroy(s->other);
    bigint_ctx_destroy(s->ctx);
}

// prepare: for quotients of qn limbs at a time; d is lost afterwards.
static void prepare(sides *s, uint64_t qn) {
    fixture_set(s->ctx, &s->d, s->zd);
    EXPECT_EQ(bigint_div_prep_create(s->ctx, &s->prep, &s->d, qn), BIGINT_OK);
    EXPECT_EQ(bigint_set_u64(s->ctx, &s->d, 1), BIGINT_OK);
}

// check: za / zd by a context, quotient and remainder, each alone, and in place of the dividend.
static void check(sides *s, bigint_ctx *ctx) {
    mpz_tdiv_qr(s->zq, s->zr, s->za, s->zd);
    fixture_set(ctx, &s->a, s->za);
    EXPECT_EQ(bigint_divrem_prep(ctx, &s->q, &s->r, &s->a, s->prep), BIGINT_OK);
    EXPECT_BIGINT(ctx, &s->q, s->zq);
    EXPECT_BIGINT(ctx, &s->r, s->zr);
    EXPECT_EQ(bigint_divrem_prep(ctx, NULL, NULL, &s->a, s->prep), BIGINT_OK);
    EXPECT_EQ(bigint_divrem_prep(ctx, &s->q, NULL, &s->a, s->prep), BIGINT_OK);
    EXPECT_BIGINT(ctx, &s->q, s->zq);
    EXPECT_EQ(bigint_divrem_prep(ctx, &s->a, &s->r, &s->a, s->prep), BIGINT_OK);
    EXPECT_BIGINT(ctx, &s->a, s->zq);
    EXPECT_BIGINT(ctx, &s->r, s->zr);
    fixture_set(ctx, &s->a, s->za);
    EXPECT_EQ(bigint_divrem_prep(ctx, NULL, &s->a, &s->a, s->prep), BIGINT_OK);
    EXPECT_BIGINT(ctx, &s->a, s->zr);
    EXPECT_EQ(bigint_sync(ctx), BIGINT_OK);  // the other context may use q and r next
}

// multiples: d k, and one more and less, k of kn limbs of ones.
static void multiples(sides *s, bigint_ctx *ctx, size_t kn) {
    mpz_set_ui(s->zq, 0);
    mpz_setbit(s->zq, 64 * kn);
    mpz_sub_ui(s->zq, s->zq, 1);
    for (int more = -1; more < 2; more++) {
        SCOPED_TRACE("%zu limbs of ones times the divisor and %d", kn, more);
        mpz_mul(s->za, s->zd, s->zq);
        more < 0 ? mpz_sub_ui(s->za, s->za, 1) : mpz_add_ui(s->za, s->za, (unsigned)more);
        check(s, ctx);
        mpz_set_ui(s->zq, 0);
        mpz_setbit(s->zq, 64 * kn);
        mpz_sub_ui(s->zq, s->zq, 1);
    }
}

static const size_t host_lengths[] = {1, 2, 3, 20, 64, 265, 266, 267, 700, 2000},
                    some_lengths[] = {1, 3, 40, 600};

// Mutations: the caller's limbs kept; the reciprocal of another length than the block's; a short
// top block divided as a whole one; a shift forgotten for the remainder; the sign of d lost;
// transforms of another context's tables; a quotient one limb short.
TEST(DivPrep, EveryLength) {
    const bool few = fixture_thinning() > 1;
    const size_t *const lengths = few ? some_lengths : host_lengths;
    const size_t count = few ? sizeof some_lengths / sizeof *some_lengths
                             : sizeof host_lengths / sizeof *host_lengths;
    gen g = gen_seed(51);
    sides s;
    sides_open(&s);
    for (size_t i = 0; i < count; i++) {
        const size_t dn = lengths[i];
        const uint64_t quotients[] = {0, 1, dn / 2 + 1, 3 * dn + 5};
        for (size_t k = i % 2; k < 4; k += few ? 2 : 1) {
            SCOPED_TRACE("%zu limbs, prepared for quotients of %llu", dn,
                         (unsigned long long)quotients[k]);
            fixture_shape(&g, k == 1 ? GEN_ONES : GEN_UNIFORM, s.zd, dn);
            k % 2 == 1 ? mpz_neg(s.zd, s.zd) : (void)0;
            mpz_tdiv_q_2exp(s.zd, s.zd, dn > 1 && k == 2 ? 17 : 0);
            prepare(&s, quotients[k]);
            const size_t longer[] = {dn, dn + 1, dn + dn / 9 + 2, 2 * dn, 5 * dn + 3};
            for (size_t j = 0; j < 5; j += few ? 2 : 1) {
                fixture_limbs(&g, s.za, longer[j]);
                j % 2 == 0 ? mpz_neg(s.za, s.za) : (void)0;
                check(&s, j % 2 == 0 ? s.ctx : s.other);
            }
            fixture_limbs(&g, s.za, dn / 2 + 1);
            check(&s, s.ctx);
            mpz_set_ui(s.za, 0);
            check(&s, s.ctx);
            multiples(&s, s.ctx, few ? dn / 2 + 1 : dn + 1);
            bigint_div_prep_destroy(s.other, s.prep);
        }
    }
    sides_close(&s);
}

// A divisor of a power of two, whose top limbs rounded up are the next power of B. Mutation: the
// reciprocal of the rounded divisor computed with a carry lost.
TEST(DivPrep, PowersOfTwo) {
    sides s;
    sides_open(&s);
    for (unsigned less = 0; less < 2; less++) {
        for (unsigned bit = 62; bit < 65; bit++) {
            mpz_set_ui(s.zd, 0);
            mpz_setbit(s.zd, 64u * (fixture_thinning() > 1 ? 30 : 500) + bit);
            mpz_sub_ui(s.zd, s.zd, less);
            prepare(&s, fixture_thinning() > 1 ? 10 : 300);
            multiples(&s, s.other, 40);
            bigint_div_prep_destroy(s.ctx, s.prep);
        }
    }
    sides_close(&s);
}

// Mutations: 0 prepared; an output written before the last allocation; memory lost; one integer for
// both results.
TEST(DivPrep, Refused) {
    allocator_log log = {0};
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.allocator = fixture_allocator(&log)});
    bigint zero = BIGINT_INIT, a = BIGINT_INIT, d = BIGINT_INIT, q = BIGINT_INIT, r = BIGINT_INIT;
    bigint_div_prep *prep = NULL;
    mpz_t za, zd, old;
    mpz_inits(za, zd, old, NULL);
    gen g = gen_seed(52);
    const size_t dn = fixture_thinning() > 1 ? 40 : 300;
    fixture_limbs(&g, zd, dn);
    fixture_limbs(&g, za, 2 * dn);
    mpz_set_si(old, -77);
    EXPECT_EQ(bigint_div_prep_create(ctx, &prep, &zero, 0), BIGINT_EINVAL);
    EXPECT_TRUE(prep == NULL);
    EXPECT_TEXT(ctx, "the divisor is 0");
    fixture_set(ctx, &a, za), fixture_set(ctx, &d, zd), fixture_set(ctx, &q, old);
    bigint_status status = BIGINT_ENOMEM;
    for (uint64_t fail = 1; status == BIGINT_ENOMEM; fail++) {
        ASSERT_TRUE(fail < 100);
        bigint_ctx_trim(ctx);
        log.fail_at = log.calls + fail;
        status = bigint_div_prep_create(ctx, &prep, &d, 0);
        log.fail_at = 0;
        EXPECT_EQ(prep != NULL, status == BIGINT_OK);
    }
    EXPECT_EQ(status, BIGINT_OK);
    EXPECT_EQ(bigint_divrem_prep(ctx, &q, &q, &a, prep), BIGINT_EINVAL);
    EXPECT_BIGINT(ctx, &q, old);
    status = BIGINT_ENOMEM;
    for (uint64_t fail = 1; status == BIGINT_ENOMEM; fail++) {
        ASSERT_TRUE(fail < 100);
        bigint_ctx_trim(ctx);
        log.fail_at = log.calls + fail;
        status = bigint_divrem_prep(ctx, &q, &r, &a, prep);
        log.fail_at = 0;
        status == BIGINT_OK ? mpz_tdiv_q(old, za, zd) : (void)0;
        EXPECT_BIGINT(ctx, &q, old);
    }
    EXPECT_EQ(status, BIGINT_OK);
    bigint_div_prep_destroy(ctx, prep);
    bigint_div_prep_destroy(ctx, NULL);
    bigint_clear(ctx, &a), bigint_clear(ctx, &d), bigint_clear(ctx, &q), bigint_clear(ctx, &r);
    bigint_ctx_destroy(ctx);
    EXPECT_EQ(log.live_blocks, 0u);
    mpz_clears(za, zd, old, NULL);
}
