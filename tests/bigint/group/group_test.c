// group_test.c: the public calls on groups of 1 to 8 members of the host, against GMP.
#include "bigint/bigint_group.h"

#include <gmp.h>

#include "bigint/bigint_gmp.h"
#include "tests/bigint/core/fixture.h"
#include "tests/bigint/group/groups.h"
#include "tests/ctest/ctest.h"
#include "tests/support/gen.h"

// pair: integers of a group and their twins.
typedef struct {
    bigint_ctx *ctx;
    bigint a, b, r;
    mpz_t az, bz, rz;
} pair;

static void pair_open(pair *p, bigint_ctx *ctx) {
    *p = (pair){.ctx = ctx};
    mpz_inits(p->az, p->bz, p->rz, NULL);
}

static void pair_close(pair *p) {
    bigint_clear(p->ctx, &p->a), bigint_clear(p->ctx, &p->b), bigint_clear(p->ctx, &p->r);
    mpz_clears(p->az, p->bz, p->rz, NULL);
}

// expect: x is z, of any announced length.
static void expect(const char *what, bigint_ctx *ctx, const bigint *x, const mpz_t z) {
    uint64_t bits = 77;
    int sign = 7;
    mpz_t got;
    mpz_init(got);
    EXPECT_EQ(bigint_get_mpz(ctx, got, x), BIGINT_OK);
    EXPECT_EQ(bigint_bits(ctx, &bits, x), BIGINT_OK);
    EXPECT_EQ(bigint_sign(ctx, &sign, x), BIGINT_OK);
    if (mpz_cmp(got, z) != 0 || sign != mpz_sgn(z) ||
        bits != (mpz_sgn(z) == 0 ? 0 : mpz_sizeinbase(z, 2))) {
        ct_fail(__FILE__, __LINE__, 0, "%s: wrong: %llu bits, sign %d; right: %zu bits, sign %d",
                what, (unsigned long long)bits, sign, mpz_sizeinbase(z, 2), mpz_sgn(z));
    }
    mpz_clear(got);
}

// try_pair: products, sums and comparisons of a and b, into another integer and into each operand.
static void try_pair(pair *p) {
    bigint_ctx *const ctx = p->ctx;
    int order = 7;
    fixture_set(ctx, &p->a, p->az), fixture_set(ctx, &p->b, p->bz);
    EXPECT_EQ(bigint_cmp(ctx, &order, &p->a, &p->b), BIGINT_OK);
    EXPECT_EQ(order, (mpz_cmp(p->az, p->bz) > 0) - (mpz_cmp(p->az, p->bz) < 0));
    EXPECT_EQ(bigint_cmp_abs(ctx, &order, &p->a, &p->b), BIGINT_OK);
    EXPECT_EQ(order, (mpz_cmpabs(p->az, p->bz) > 0) - (mpz_cmpabs(p->az, p->bz) < 0));
    mpz_mul(p->rz, p->az, p->bz);
    EXPECT_EQ(bigint_mul(ctx, &p->r, &p->a, &p->b), BIGINT_OK);
    expect("a b", ctx, &p->r, p->rz);
    EXPECT_EQ(bigint_mul(ctx, &p->a, &p->a, &p->b), BIGINT_OK);
    expect("a = a b", ctx, &p->a, p->rz);
    EXPECT_EQ(bigint_cmp(ctx, &order, &p->a, &p->r), BIGINT_OK);
    EXPECT_EQ(order, 0);
    fixture_set(ctx, &p->a, p->az);
    mpz_add(p->rz, p->az, p->bz);
    EXPECT_EQ(bigint_add(ctx, &p->r, &p->a, &p->b), BIGINT_OK);
    expect("a + b", ctx, &p->r, p->rz);
    EXPECT_EQ(bigint_add(ctx, &p->b, &p->a, &p->b), BIGINT_OK);
    expect("b = a + b", ctx, &p->b, p->rz);
    mpz_sub(p->rz, p->az, p->rz);
    EXPECT_EQ(bigint_sub(ctx, &p->a, &p->a, &p->r), BIGINT_OK);
    expect("a = a - r", ctx, &p->a, p->rz);
    mpz_mul(p->rz, p->rz, p->rz);
    EXPECT_EQ(bigint_sqr(ctx, &p->a, &p->a), BIGINT_OK);
    expect("a = a^2", ctx, &p->a, p->rz);
}

static void try_shifts(pair *p, uint64_t bits) {
    bigint_ctx *const ctx = p->ctx;
    SCOPED_TRACE("by %llu", (unsigned long long)bits);
    fixture_set(ctx, &p->a, p->az);
    mpz_mul_2exp(p->rz, p->az, bits);
    EXPECT_EQ(bigint_mul_2exp(ctx, &p->r, &p->a, bits), BIGINT_OK);
    expect("a 2^bits", ctx, &p->r, p->rz);
    EXPECT_EQ(bigint_tdiv_2exp(ctx, &p->r, &p->r, bits), BIGINT_OK);
    expect("and back", ctx, &p->r, p->az);
    mpz_tdiv_q_2exp(p->rz, p->az, bits);
    EXPECT_EQ(bigint_tdiv_2exp(ctx, &p->r, &p->a, bits), BIGINT_OK);
    expect("a / 2^bits", ctx, &p->r, p->rz);
    EXPECT_EQ(bigint_mul_2exp(ctx, &p->a, &p->a, bits), BIGINT_OK);
    EXPECT_EQ(bigint_neg(ctx, &p->a, &p->a), BIGINT_OK);
    mpz_mul_2exp(p->rz, p->az, bits);
    mpz_neg(p->rz, p->rz);
    expect("a = -(a 2^bits)", ctx, &p->a, p->rz);
}

// Lengths around the blocks' ends: empty members, blocks of one limb, carries and borrows into
// every block. Mutations: a carry is not propagated over a full block; a borrow stops at an empty
// one; limbs above a shorter operand's block are not zero; the carry leaves a block above before
// the one below is added.
TEST(Group, Edges) {
    static const size_t lengths[] = {0, 1, 16, 17, 33, 48, 127, 128, 129, 400};
    enum { LENGTHS = sizeof lengths / sizeof lengths[0] };
    for (unsigned members = 1; members <= GROUPS_MEMBERS; members += members < 3 ? 1 : 2) {
        pair p;
        pair_open(&p, group_of(members, NULL));
        for (unsigned i = 0; i < LENGTHS * LENGTHS; i += members < 3 ? 3 : 1) {
            const size_t n = lengths[i / LENGTHS], m = lengths[i % LENGTHS];
            for (int shape = 0; shape < 4; shape++) {
                SCOPED_TRACE("%u members, %zu and %zu limbs, shape %d", members, n, m, shape);
                mpz_set_ui(p.az, 0), mpz_set_ui(p.bz, 0);
                mpz_setbit(p.az, 64 * n), mpz_setbit(p.bz, 64 * m);  // shape 0: powers
                if (shape >= 1) {
                    mpz_sub_ui(p.az, p.az, 1);  // all ones
                }
                if (shape == 2) {
                    mpz_sub_ui(p.bz, p.bz, 1);
                } else if (shape == 3) {
                    mpz_set_si(p.bz, -1);
                }
                try_pair(&p);
            }
        }
        bigint_ctx *const ctx = p.ctx;
        pair_close(&p);
        bigint_ctx_destroy(ctx);
    }
}

TEST(Group, Random) {
    for (unsigned members = 1; members <= GROUPS_MEMBERS; members++) {
        gen g = gen_seed(members);
        pair p;
        pair_open(&p, group_of(members, NULL));
        for (int round = 0; round < 30; round++) {
            SCOPED_TRACE("%u members, round %d", members, round);
            const size_t longest = round % 15 == 0 ? 30000 : 600;  // the former are dealt out
            fixture_draw(&g, p.ctx, &p.a, p.az, longest);
            fixture_draw(&g, p.ctx, &p.b, p.bz, round % 2 == 0 ? longest : 300);
            try_pair(&p);
            try_shifts(&p, gen_below(&g, 64 * 700));
            try_shifts(&p, 64 * gen_below(&g, 200));
        }
        bigint_ctx *const ctx = p.ctx;
        pair_close(&p);
        bigint_ctx_destroy(ctx);
    }
}

// Products of operands that were announced longer than they are: blocks of another length, which
// are exchanged first. Mutation: the length in use is taken for the announced one.
TEST(Group, LooseLengths) {
    for (unsigned members = 1; members <= GROUPS_MEMBERS; members += 3) {
        SCOPED_TRACE("%u members", members);
        pair p;
        pair_open(&p, group_of(members, NULL));
        mpz_setbit(p.az, 64 * 2000);
        mpz_add_ui(p.az, p.az, 12345);
        mpz_setbit(p.bz, 64 * 2000);
        fixture_set(p.ctx, &p.a, p.az), fixture_set(p.ctx, &p.b, p.bz);
        EXPECT_EQ(bigint_sub(p.ctx, &p.r, &p.a, &p.b), BIGINT_OK);
        mpz_set_ui(p.rz, 12345);
        expect("12345", p.ctx, &p.r, p.rz);
        EXPECT_TRUE(bigint_limbs_bound(&p.r) >= 2000);
        EXPECT_EQ(bigint_mul(p.ctx, &p.b, &p.r, &p.a), BIGINT_OK);
        mpz_mul(p.rz, p.rz, p.az);
        expect("12345 a", p.ctx, &p.b, p.rz);
        EXPECT_TRUE(bigint_limbs_bound(&p.b) <= 2002);
        EXPECT_EQ(bigint_sub(p.ctx, &p.r, &p.r, &p.r), BIGINT_OK);
        EXPECT_EQ(bigint_add(p.ctx, &p.r, &p.r, &p.b), BIGINT_OK);
        expect("0 + b", p.ctx, &p.r, p.rz);
        bigint_ctx *const ctx = p.ctx;
        pair_close(&p);
        bigint_ctx_destroy(ctx);
    }
}

// Catches a prepared operand that changes with the one it was made of, and one that another context
// cannot use.
TEST(Group, Prepared) {
    bigint_ctx *const first = group_of(3, NULL), *const second = group_of(3, NULL);
    bigint x = BIGINT_INIT, y = BIGINT_INIT;
    bigint_prep *prep = NULL;
    EXPECT_EQ(bigint_set_u64(first, &x, 1000), BIGINT_OK);
    EXPECT_EQ(bigint_neg(first, &x, &x), BIGINT_OK);
    EXPECT_EQ(bigint_prep_create(first, &prep, &x, 10), BIGINT_OK);
    EXPECT_EQ(bigint_set_u64(first, &x, 7), BIGINT_OK);
    EXPECT_EQ(bigint_mul_prep(first, &y, prep, &x), BIGINT_OK);
    EXPECT_EQ(bigint_mul_prep(first, &y, prep, &y), BIGINT_OK);
    EXPECT_TRUE(group_has_word(first, &y, 7000000));
    EXPECT_EQ(bigint_mul_2exp(first, &x, &x, 64 * 10), BIGINT_OK);
    EXPECT_EQ(bigint_mul_prep(first, &y, prep, &x), BIGINT_ERANGE);
    EXPECT_TRUE(group_has_word(first, &y, 7000000));
    bigint_ctx_destroy(first);
    EXPECT_EQ(bigint_set_u64(second, &x, 5), BIGINT_OK);
    EXPECT_EQ(bigint_mul_prep(second, &y, prep, &x), BIGINT_OK);
    EXPECT_EQ(bigint_neg(second, &y, &y), BIGINT_OK);
    EXPECT_TRUE(group_has_word(second, &y, 5000));
    bigint_prep_destroy(second, prep);
    bigint_clear(second, &x), bigint_clear(second, &y);
    bigint_ctx_destroy(second);
}
