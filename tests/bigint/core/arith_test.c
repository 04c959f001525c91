// Sums, differences, shifts, comparisons and signs against GMP.
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"

enum { MAX_LIMBS = 300, ROUNDS = 3000 };

typedef bigint_status (*binary)(bigint_ctx *, bigint *, const bigint *, const bigint *);
typedef bigint_status (*unary)(bigint_ctx *, bigint *, const bigint *);

// Every way in which the result can be one of the operands. Mutations: read an operand's length
// after the result's was written, keep its pointer across the growth of the result, forget the
// carry limb.
static void try_binary(bigint_ctx *ctx, binary f, void (*oracle)(mpz_ptr, mpz_srcptr, mpz_srcptr),
                       const bigint *a, const bigint *b, mpz_t az, mpz_t bz) {
    bigint r = BIGINT_INIT, x = BIGINT_INIT, y = BIGINT_INIT;
    mpz_t ab, aa;
    mpz_inits(ab, aa, NULL);
    oracle(ab, az, bz);
    oracle(aa, az, az);
    EXPECT_EQ(f(ctx, &r, a, b), BIGINT_OK);
    EXPECT_BIGINT(ctx, &r, ab);
    EXPECT_EQ(f(ctx, &r, a, b), BIGINT_OK);  // into limbs that hold a value already
    EXPECT_BIGINT(ctx, &r, ab);
    EXPECT_EQ(bigint_set(ctx, &x, a), BIGINT_OK);
    EXPECT_EQ(f(ctx, &x, &x, b), BIGINT_OK);
    EXPECT_BIGINT(ctx, &x, ab);
    EXPECT_EQ(bigint_set(ctx, &y, b), BIGINT_OK);
    EXPECT_EQ(f(ctx, &y, a, &y), BIGINT_OK);
    EXPECT_BIGINT(ctx, &y, ab);
    EXPECT_EQ(f(ctx, &r, a, a), BIGINT_OK);
    EXPECT_BIGINT(ctx, &r, aa);
    EXPECT_EQ(bigint_set(ctx, &x, a), BIGINT_OK);
    EXPECT_EQ(f(ctx, &x, &x, &x), BIGINT_OK);
    EXPECT_BIGINT(ctx, &x, aa);
    EXPECT_BIGINT(ctx, a, az);
    EXPECT_BIGINT(ctx, b, bz);
    bigint_clear(ctx, &r);
    bigint_clear(ctx, &x);
    bigint_clear(ctx, &y);
    mpz_clears(ab, aa, NULL);
}

static void try_unary(bigint_ctx *ctx, unary f, void (*oracle)(mpz_ptr, mpz_srcptr),
                      const bigint *a, mpz_t az) {
    bigint r = BIGINT_INIT;
    mpz_t z;
    mpz_init(z);
    oracle(z, az);
    EXPECT_EQ(f(ctx, &r, a), BIGINT_OK);
    EXPECT_BIGINT(ctx, &r, z);
    EXPECT_EQ(bigint_set(ctx, &r, a), BIGINT_OK);
    EXPECT_EQ(f(ctx, &r, &r), BIGINT_OK);
    EXPECT_BIGINT(ctx, &r, z);
    bigint_clear(ctx, &r);
    mpz_clear(z);
}

static void neg_oracle(mpz_ptr r, mpz_srcptr a) { mpz_neg(r, a); }
static void abs_oracle(mpz_ptr r, mpz_srcptr a) { mpz_abs(r, a); }

static int sign_of(int x) { return x < 0 ? -1 : x > 0; }

// Mutations: compare by length alone, order of negatives reversed, magnitude compared with the
// sign.
static void try_cmp(bigint_ctx *ctx, const bigint *a, const bigint *b, mpz_t az, mpz_t bz) {
    int order = 2;
    EXPECT_EQ(bigint_cmp(ctx, &order, a, b), BIGINT_OK);
    EXPECT_EQ(order, sign_of(mpz_cmp(az, bz)));
    EXPECT_EQ(bigint_cmp_abs(ctx, &order, a, b), BIGINT_OK);
    EXPECT_EQ(order, sign_of(mpz_cmpabs(az, bz)));
    EXPECT_EQ(bigint_cmp(ctx, &order, a, a), BIGINT_OK);
    EXPECT_EQ(order, 0);
}

TEST(Arith, RandomPairs) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint a = BIGINT_INIT, b = BIGINT_INIT;
    mpz_t az, bz;
    mpz_inits(az, bz, NULL);
    gen g = gen_seed(1);
    for (int round = 0; round < ROUNDS / fixture_thinning(); round++) {
        SCOPED_TRACE("round %d", round);
        fixture_draw(&g, ctx, &a, az, MAX_LIMBS);
        fixture_draw(&g, ctx, &b, bz, MAX_LIMBS);
        try_binary(ctx, bigint_add, mpz_add, &a, &b, az, bz);
        try_binary(ctx, bigint_sub, mpz_sub, &a, &b, az, bz);
        try_unary(ctx, bigint_neg, neg_oracle, &a, az);
        try_unary(ctx, bigint_abs, abs_oracle, &a, az);
        try_cmp(ctx, &a, &b, az, bz);
    }
    mpz_clears(az, bz, NULL);
    bigint_clear(ctx, &a);
    bigint_clear(ctx, &b);
    bigint_ctx_destroy(ctx);
}

// Numbers that are nearly equal: long cancellation and carries through every limb. Mutations: the
// result's zero limbs are kept, |a| = |b| gives a negative zero, the last borrow is lost.
TEST(Arith, NearlyEqual) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint a = BIGINT_INIT, b = BIGINT_INIT;
    mpz_t az, bz;
    mpz_inits(az, bz, NULL);
    for (unsigned long n = 0; n <= 40; n += (unsigned long)fixture_thinning()) {
        for (int da = -2; da <= 2; da++) {
            for (int db = -2; db <= 2; db++) {
                SCOPED_TRACE("2^(32 * %lu) + %d and + %d", n, da, db);
                mpz_set_ui(az, 1);
                mpz_mul_2exp(az, az, 32 * n);
                mpz_set(bz, az);
                da < 0 ? mpz_sub_ui(az, az, (unsigned)-da) : mpz_add_ui(az, az, (unsigned)da);
                db < 0 ? mpz_sub_ui(bz, bz, (unsigned)-db) : mpz_add_ui(bz, bz, (unsigned)db);
                fixture_set(ctx, &a, az);
                fixture_set(ctx, &b, bz);
                try_binary(ctx, bigint_sub, mpz_sub, &a, &b, az, bz);
                try_binary(ctx, bigint_add, mpz_add, &a, &b, az, bz);
                try_cmp(ctx, &a, &b, az, bz);
                mpz_neg(bz, bz);
                fixture_set(ctx, &b, bz);
                try_binary(ctx, bigint_add, mpz_add, &a, &b, az, bz);
                try_cmp(ctx, &a, &b, az, bz);
            }
        }
    }
    mpz_clears(az, bz, NULL);
    bigint_clear(ctx, &a);
    bigint_clear(ctx, &b);
    bigint_ctx_destroy(ctx);
}

// Numbers of one limb and 0, of all signs. Mutations: the carry makes no second limb, the larger
// word is not looked for, the sign of a - b is a's where |b| is larger, |a| = |b| gives a limb or a
// sign, the room for the carry is not looked for.
TEST(Arith, Words) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    static const uint64_t words[] = {0, 1, 2, INT64_MAX, (uint64_t)1 << 63, UINT64_MAX};
    enum { WORDS = sizeof words / sizeof *words };
    bigint v[2 * WORDS];
    mpz_t z[2 * WORDS];
    for (int i = 0; i < 2 * WORDS; i++) {
        mpz_init(z[i]);
        mpz_import(z[i], 1, 1, 8, 0, 0, &words[i / 2]);
        if (i % 2 == 1) {
            mpz_neg(z[i], z[i]);
        }
        v[i] = (bigint)BIGINT_INIT;
        fixture_set(ctx, &v[i], z[i]);
    }
    for (int i = 0; i < 2 * WORDS; i++) {
        for (int k = 0; k < 2 * WORDS; k++) {
            SCOPED_TRACE("words %d and %d", i, k);
            try_binary(ctx, bigint_add, mpz_add, &v[i], &v[k], z[i], z[k]);
            try_binary(ctx, bigint_sub, mpz_sub, &v[i], &v[k], z[i], z[k]);
        }
    }
    for (int i = 0; i < 2 * WORDS; i++) {
        mpz_clear(z[i]);
        bigint_clear(ctx, &v[i]);
    }
    bigint_ctx_destroy(ctx);
}

// Mutations: a shift by 64 k + 0 reads one limb too many, in-place left shift runs upwards, low
// limbs keep the old value, right shift rounds to minus infinity, everything shifted out leaves a
// sign.
TEST(Arith, Shifts) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint a = BIGINT_INIT, r = BIGINT_INIT;
    mpz_t az, z;
    mpz_inits(az, z, NULL);
    gen g = gen_seed(2);
    for (int round = 0; round < ROUNDS / fixture_thinning(); round++) {
        fixture_draw(&g, ctx, &a, az, 60);
        const uint64_t limit = 64 * (mpz_size(az) + 3);
        const uint64_t bits =
            gen_below(&g, 4) == 0 ? 64 * gen_below(&g, limit / 64) : gen_below(&g, limit);
        SCOPED_TRACE("round %d, %llu bits", round, (unsigned long long)bits);
        mpz_mul_2exp(z, az, bits);
        EXPECT_EQ(bigint_mul_2exp(ctx, &r, &a, bits), BIGINT_OK);
        EXPECT_BIGINT(ctx, &r, z);
        EXPECT_EQ(bigint_set(ctx, &r, &a), BIGINT_OK);
        EXPECT_EQ(bigint_mul_2exp(ctx, &r, &r, bits), BIGINT_OK);
        EXPECT_BIGINT(ctx, &r, z);
        mpz_tdiv_q_2exp(z, az, bits);
        EXPECT_EQ(bigint_tdiv_2exp(ctx, &r, &a, bits), BIGINT_OK);
        EXPECT_BIGINT(ctx, &r, z);
        EXPECT_EQ(bigint_tdiv_2exp(ctx, &a, &a, bits), BIGINT_OK);
        EXPECT_BIGINT(ctx, &a, z);
    }
    mpz_clears(az, z, NULL);
    bigint_clear(ctx, &a);
    bigint_clear(ctx, &r);
    bigint_ctx_destroy(ctx);
}

// Shift counts up to the largest. Mutations: limbs * 64 wraps, 0 is shifted, ERANGE changes the
// result.
TEST(Arith, HugeShifts) {
    allocator_log log = {0};
    const bigint_ctx_options options = {.allocator = fixture_allocator(&log)};
    bigint_ctx *ctx = fixture_ctx(&options);
    bigint a = BIGINT_INIT, r = BIGINT_INIT;
    mpz_t seven, zero;
    mpz_init_set_ui(seven, 7);
    mpz_init(zero);
    EXPECT_EQ(bigint_set_u64(ctx, &r, 7), BIGINT_OK);
    EXPECT_EQ(bigint_mul_2exp(ctx, &r, &a, UINT64_MAX), BIGINT_OK);
    EXPECT_BIGINT(ctx, &r, zero);
    EXPECT_EQ(bigint_set_i64(ctx, &r, 7), BIGINT_OK);
    const uint64_t counts[] = {UINT64_MAX, UINT64_MAX - 63, (uint64_t)1 << 63, (uint64_t)1 << 62};
    for (int i = 0; i < 4; i++) {
        EXPECT_EQ(bigint_mul_2exp(ctx, &r, &r, counts[i]), BIGINT_ERANGE);
        EXPECT_TEXT(ctx, "bigint_mul_2exp");
        EXPECT_BIGINT(ctx, &r, seven);
    }
    EXPECT_EQ(bigint_mul_2exp(ctx, &r, &r, (uint64_t)1 << 61), BIGINT_ENOMEM);
    EXPECT_TEXT(ctx, "no memory");
    EXPECT_BIGINT(ctx, &r, seven);
    EXPECT_EQ(bigint_tdiv_2exp(ctx, &a, &r, UINT64_MAX), BIGINT_OK);
    EXPECT_BIGINT(ctx, &a, zero);
    mpz_clears(seven, zero, NULL);
    bigint_clear(ctx, &a);
    bigint_clear(ctx, &r);
    bigint_ctx_destroy(ctx);
}

// Operands given with zero limbs at the top. Mutation: bigint_set_limbs keeps the announced length.
TEST(Arith, NonMinimalLengths) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint a = BIGINT_INIT, b = BIGINT_INIT;
    mpz_t az, bz;
    mpz_inits(az, bz, NULL);
    for (uint64_t an = 0; an < 6; an++) {
        for (uint64_t bn = 0; bn < 6; bn++) {
            for (uint64_t zeros = 0; zeros < 4; zeros++) {
                uint64_t p[16] = {0}, q[16] = {0};
                for (uint64_t i = 0; i < an; i++) {
                    p[i] = UINT64_MAX;
                }
                for (uint64_t i = 0; i < bn; i++) {
                    q[i] = UINT64_MAX - i;
                }
                mpz_import(az, an, -1, 8, 0, 0, p);
                mpz_import(bz, bn, -1, 8, 0, 0, q);
                EXPECT_EQ(bigint_set_limbs(ctx, &a, p, an + zeros, 1), BIGINT_OK);
                EXPECT_EQ(bigint_set_limbs(ctx, &b, q, bn + 4 - zeros, -1), BIGINT_OK);
                mpz_neg(bz, bz);
                try_binary(ctx, bigint_add, mpz_add, &a, &b, az, bz);
                try_binary(ctx, bigint_sub, mpz_sub, &a, &b, az, bz);
                try_cmp(ctx, &a, &b, az, bz);
            }
        }
    }
    mpz_clears(az, bz, NULL);
    bigint_clear(ctx, &a);
    bigint_clear(ctx, &b);
    bigint_ctx_destroy(ctx);
}
