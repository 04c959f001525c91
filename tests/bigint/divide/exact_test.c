// exact_test.c: exact quotients and divisibility by every variant against GMP: multiples, and what
// differs from them in one place.
#include <stdbool.h>

#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"

// operands: a, d and integers of the same values; k = a / d if that is exact.
typedef struct {
    bigint_ctx *ctx;
    mpz_t a, d, k, near, seven;
    bigint x, y, q;
} operands;

static operands open(const char *variant) {
    operands o = {.ctx = NULL, .x = BIGINT_INIT, .y = BIGINT_INIT, .q = BIGINT_INIT};
    const bigint_ctx_options options = {.variant = variant};
    mpz_inits(o.a, o.d, o.k, o.near, o.seven, NULL);
    mpz_set_ui(o.seven, 7);
    if (bigint_ctx_create(&o.ctx, NULL, &options) != BIGINT_OK) {
        bigint_ctx_destroy(o.ctx);  // not on this processor
        o.ctx = NULL;
    }
    return o;
}

static void close(operands *o) {
    bigint_clear(o->ctx, &o->x), bigint_clear(o->ctx, &o->y), bigint_clear(o->ctx, &o->q);
    bigint_ctx_destroy(o->ctx);
    mpz_clears(o->a, o->d, o->k, o->near, o->seven, NULL);
}

// try: `a` by d, into an integer of its own, which keeps 7 if the division is not exact, and over
// either operand.
static void try(operands *o, const mpz_t a) {
    bigint_ctx *const ctx = o->ctx;
    const bool exact = mpz_divisible_p(a, o->d) != 0;
    const bigint_status expected = exact ? BIGINT_OK : BIGINT_EINVAL;
    int yes = 7;
    exact ? mpz_divexact(o->k, a, o->d) : (void)0;
    fixture_set(ctx, &o->x, a), fixture_set(ctx, &o->y, o->d), fixture_set(ctx, &o->q, o->seven);
    EXPECT_EQ(bigint_divisible(ctx, &yes, &o->x, &o->y), BIGINT_OK);
    EXPECT_EQ(yes, (int)exact);
    EXPECT_EQ(bigint_divexact(ctx, &o->q, &o->x, &o->y), expected);
    EXPECT_BIGINT(ctx, &o->q, exact ? o->k : o->seven);
    EXPECT_EQ(bigint_divexact(ctx, &o->x, &o->x, &o->y), expected);
    EXPECT_BIGINT(ctx, &o->x, exact ? o->k : a);
    fixture_set(ctx, &o->x, a);
    EXPECT_EQ(bigint_divexact(ctx, &o->y, &o->x, &o->y), expected);
    EXPECT_BIGINT(ctx, &o->y, exact ? o->k : o->d);
}

// try_near: a, and a +- 2^(64 i + j) for `places` limbs i.
static void try_near(operands *o, gen *g, size_t places) {
    const size_t n = mpz_size(o->a);
    try(o, o->a);
    for (size_t place = 0; place < places; place++) {
        const size_t i = places < n ? gen_below(g, n) : place;
        const size_t bit = 64 * i + (place % 3 == 0 ? gen_below(g, 64) : 0);
        mpz_set_ui(o->near, 0);
        mpz_setbit(o->near, bit);
        place % 2 == 0 ? mpz_add(o->near, o->a, o->near) : mpz_sub(o->near, o->a, o->near);
        try(o, o->near);
    }
}

static void all_shapes(operands *o, gen *g, size_t dn, size_t kn, size_t places) {
    for (int shape = GEN_UNIFORM; shape < GEN_SHAPES; shape++) {
        SCOPED_TRACE("%zu by %zu limbs, shape %d", dn + kn, dn, shape);
        fixture_shape(g, (gen_shape)shape, o->d, dn);
        fixture_limbs(g, o->k, kn);
        shape % 2 == 0 ? mpz_setbit(o->d, 0) : (void)0;
        mpz_mul_2exp(o->d, o->d, gen_below(g, 4) == 0 ? gen_below(g, 150) : 0);
        mpz_mul(o->a, o->d, o->k);
        try_near(o, g, places);
        mpz_set(o->a, o->d);  // a quotient 1, and ones near D
        try(o, o->a);
        mpz_sub_ui(o->a, o->a, 1);
        try(o, o->a);
    }
}

// Each way to divide, about the lengths at which another begins, a remainder in each limb.
// Mutations: the limbs above the quotient are not compared, or the topmost one is not; a carry out
// of the quotient's last digit is dropped, or added twice; a block is not added to the vector above
// it, or to the top one; a step of vectors for each digit ends one too early; digits behind the
// quotient's last one are taken for it; bits below the shift of the second limb are lost.
TEST(Exact, Remainders) {
    static const size_t lengths[] = {1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 14, 23, 24, 26, 33, 58, 65};
    enum { LENGTHS = sizeof lengths / sizeof *lengths };
    const char *const *variants = bigint_variants();
    gen g = gen_seed(1);
    for (int v = 0; variants[v] != NULL; v++) {
        operands o = open(variants[v]);
        for (int i = 0; o.ctx != NULL && i < LENGTHS; i++) {
            SCOPED_TRACE("%s", variants[v]);
            const size_t dn = lengths[i];
            all_shapes(&o, &g, dn, 1, 8);
            all_shapes(&o, &g, dn, dn, 2 * dn < 16 ? 2 * dn : 16);
            all_shapes(&o, &g, dn, lengths[gen_below(&g, LENGTHS)], 8);
        }
        close(&o);
    }
}

// Divisors about the longest one of each way, quotients short and long. Mutations: a divisor longer
// than the arrays; memory that the plan of a call does not count.
TEST(Exact, LongDivisors) {
    static const size_t lengths[] = {80, 81, 416, 511, 512, 513};
    const char *const *variants = bigint_variants();
    gen g = gen_seed(2);
    for (int v = 0; variants[v] != NULL; v++) {
        operands o = open(variants[v]);
        for (size_t i = 0; o.ctx != NULL && i < sizeof lengths / sizeof *lengths; i++) {
            SCOPED_TRACE("%s", variants[v]);
            all_shapes(&o, &g, lengths[i], 1 + gen_below(&g, 5), 4);
            all_shapes(&o, &g, lengths[i], 1 + gen_below(&g, 1200), 4);
        }
        close(&o);
    }
}

// by_word: `a` by w, into an integer of its own, which keeps 7 if that is not exact, and in place.
static void by_word(operands *o, const mpz_t a, uint64_t w) {
    bigint_ctx *const ctx = o->ctx;
    const bool exact = mpz_divisible_ui_p(a, w) != 0;
    const bigint_status expected = exact ? BIGINT_OK : BIGINT_EINVAL;
    int yes = 7;
    uint64_t rest = 7;
    SCOPED_TRACE("%zu limbs by %llu", mpz_size(a), (unsigned long long)w);
    mpz_tdiv_q_ui(o->k, a, w);
    fixture_set(ctx, &o->x, a), fixture_set(ctx, &o->q, o->seven);
    EXPECT_EQ(bigint_divisible_u64(ctx, &yes, &o->x, w), BIGINT_OK);
    EXPECT_EQ(yes, (int)exact);
    EXPECT_EQ(bigint_fdiv_u64(ctx, NULL, &rest, &o->x, w), BIGINT_OK);
    EXPECT_EQ(rest, mpz_fdiv_ui(a, w));
    EXPECT_EQ(bigint_divexact_u64(ctx, &o->q, &o->x, w), expected);
    EXPECT_BIGINT(ctx, &o->q, exact ? o->k : o->seven);
    EXPECT_EQ(bigint_divexact_u64(ctx, &o->x, &o->x, w), expected);
    EXPECT_BIGINT(ctx, &o->x, exact ? o->k : a);
}

// Mutations: an integer loses its value where the division is not exact; its quotient in place is
// made of limbs that have been replaced; the lower half's twos are shifted in from the wrong limb;
// the upper half begins with a remainder, or its top limb is equal to the word; the powers of a
// remainder by four limbs.
TEST(Exact, Words) {
    const char *const *variants = bigint_variants();
    gen g = gen_seed(3);
    for (int v = 0; variants[v] != NULL; v++) {
        operands o = open(variants[v]);
        for (size_t n = 1; o.ctx != NULL && n < 60; n++) {
            SCOPED_TRACE("%s", variants[v]);
            const uint64_t top = UINT64_C(1) << 63, any = gen_u64(&g) >> gen_below(&g, 63);
            const uint64_t words[] = {1, 2, 3, top, top + 1, UINT64_MAX, any | 1, any << 9 | 512};
            for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
                fixture_limbs(&g, o.a, n);
                n % 2 == 0 ? mpz_neg(o.a, o.a) : (void)0;
                mpz_mul_ui(o.a, o.a, words[i]);
                by_word(&o, o.a, words[i]);
                for (size_t place = 0; place < 6; place++) {
                    mpz_set(o.near, o.a);
                    mpz_combit(o.near, 64 * gen_below(&g, n) + gen_below(&g, 64));
                    by_word(&o, o.near, words[i]);
                }
                mpz_set_ui(o.a, words[i]);  // the top limb is the word
                mpz_mul_2exp(o.a, o.a, 64 * (n - 1));
                by_word(&o, o.a, words[i]);
            }
        }
        close(&o);
    }
}
