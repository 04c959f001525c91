// The short ways of calls of few limbs: where they end, and what other places get.
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"

// --- Places --------------------------------------------------------------------------------------

// short_call: a call of r, a and a count, of which r or a may live elsewhere.
typedef bigint_status (*short_call)(bigint_ctx *ctx, bigint *r, const bigint *a);

static bigint_status add_u64(bigint_ctx *c, bigint *r, const bigint *a) {
    return bigint_add_u64(c, r, a, 7);
}
static bigint_status mul_u64(bigint_ctx *c, bigint *r, const bigint *a) {
    return bigint_mul_u64(c, r, a, 7);
}
static bigint_status tdiv_u64(bigint_ctx *c, bigint *r, const bigint *a) {
    return bigint_tdiv_u64(c, r, NULL, a, 7);
}
static bigint_status mul_2exp(bigint_ctx *c, bigint *r, const bigint *a) {
    return bigint_mul_2exp(c, r, a, 7);
}
static bigint_status tdiv_2exp(bigint_ctx *c, bigint *r, const bigint *a) {
    return bigint_tdiv_2exp(c, r, a, 7);
}
static bigint_status fdiv_2exp(bigint_ctx *c, bigint *r, const bigint *a) {
    return bigint_fdiv_2exp(c, r, a, 7);
}
static bigint_status fdiv_r_2exp(bigint_ctx *c, bigint *r, const bigint *a) {
    return bigint_fdiv_r_2exp(c, r, a, 7);
}

// questions of one integer.
typedef bigint_status (*question)(bigint_ctx *ctx, const bigint *a);

static bigint_status cmp_u64(bigint_ctx *c, const bigint *a) {
    int order;
    return bigint_cmp_u64(c, &order, a, 7);
}
static bigint_status get_u64(bigint_ctx *c, const bigint *a) {
    uint64_t value;
    return bigint_get_u64(c, &value, a);
}
static bigint_status tstbit(bigint_ctx *c, const bigint *a) {
    int bit;
    return bigint_tstbit(c, &bit, a, 1);
}
static bigint_status scan1(bigint_ctx *c, const bigint *a) {
    uint64_t index;
    return bigint_scan1(c, &index, a, 1);
}

// Mutation: a short way reads or writes an integer of another place, or a refusal is OK.
TEST(Short, Places) {
    static const short_call calls[] = {add_u64,   mul_u64,   tdiv_u64,    mul_2exp,
                                       tdiv_2exp, fdiv_2exp, fdiv_r_2exp, bigint_com};
    static const question questions[] = {cmp_u64, get_u64, tstbit, scan1};
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint x = BIGINT_INIT, elsewhere = BIGINT_INIT, r = BIGINT_INIT;
    mpz_t five;
    mpz_init_set_ui(five, 5);
    EXPECT_EQ(bigint_set_u64(ctx, &x, 3), BIGINT_OK);
    EXPECT_EQ(bigint_set_u64(ctx, &elsewhere, 5), BIGINT_OK);
    EXPECT_EQ(bigint_set_u64(ctx, &r, 5), BIGINT_OK);
    elsewhere.place_ = 2;  // as if it lived on device 1
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        SCOPED_TRACE("call %zu", i);
        EXPECT_EQ(calls[i](ctx, &r, &elsewhere), BIGINT_EPLACE);
        EXPECT_TEXT(ctx, "an operand lives on place 1");
        EXPECT_EQ(calls[i](ctx, &elsewhere, &x), BIGINT_EPLACE);
    }
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        SCOPED_TRACE("question %zu", i);
        EXPECT_EQ(questions[i](ctx, &elsewhere), BIGINT_EPLACE);
    }
    EXPECT_EQ(bigint_setbit(ctx, &elsewhere, 3), BIGINT_EPLACE);
    EXPECT_EQ(bigint_clrbit(ctx, &elsewhere, 0), BIGINT_EPLACE);
    EXPECT_EQ(bigint_combit(ctx, &elsewhere, 0), BIGINT_EPLACE);
    EXPECT_BIGINT(ctx, &r, five);
    elsewhere.place_ = x.place_;
    EXPECT_BIGINT(ctx, &elsewhere, five);
    mpz_clear(five);
    bigint_clear(ctx, &x);
    bigint_clear(ctx, &elsewhere);
    bigint_clear(ctx, &r);
    bigint_ctx_destroy(ctx);
}

// --- Room ----------------------------------------------------------------------------------------

// Mutations: a short way asks for one limb less or more than it writes, and writes beyond r; r, an
// operand too, is read after it has moved.
TEST(Short, RoomOfEachSize) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    mpz_t a, want;
    mpz_inits(a, want, NULL);
    for (unsigned limbs = 1; limbs < 20; limbs++) {
        for (unsigned shift = 0; shift < 200; shift += shift == 63 || shift == 127 ? 1 : 21) {
            for (int same = 0; same < 2; same++) {
                bigint x = BIGINT_INIT, y = BIGINT_INIT;
                bigint *const r = same != 0 ? &x : &y;
                SCOPED_TRACE("%u limbs, shift %u, %d", limbs, shift, same);
                mpz_set_ui(a, 1);
                mpz_mul_2exp(a, a, 64 * limbs);
                mpz_sub_ui(a, a, 1);
                fixture_set(ctx, &x, a);
                EXPECT_EQ(bigint_shrink(ctx, &x), BIGINT_OK);
                EXPECT_EQ(bigint_mul_2exp(ctx, r, &x, shift), BIGINT_OK);
                mpz_mul_2exp(want, a, shift);
                EXPECT_BIGINT(ctx, r, want);
                EXPECT_EQ(bigint_tdiv_2exp(ctx, r, r, 2 * shift), BIGINT_OK);
                mpz_tdiv_q_2exp(want, want, 2 * shift);
                EXPECT_BIGINT(ctx, r, want);
                EXPECT_EQ(bigint_add_u64(ctx, r, r, UINT64_MAX), BIGINT_OK);
                mpz_add_ui(want, want, UINT64_MAX);
                EXPECT_BIGINT(ctx, r, want);
                EXPECT_EQ(bigint_mul_u64(ctx, r, r, UINT64_MAX), BIGINT_OK);
                mpz_mul_ui(want, want, UINT64_MAX);
                EXPECT_BIGINT(ctx, r, want);
                bigint_clear(ctx, &x);
                bigint_clear(ctx, &y);
            }
        }
    }
    mpz_clears(a, want, NULL);
    bigint_ctx_destroy(ctx);
}
