// divrem_integers_test.c: division of integers against GMP: signs, aliasing, refusals, failures.
#include <gmp.h>
#include <stdbool.h>
#include <string.h>

#include "tests/bigint/core/fixture.h"
#include "tests/bigint/divide/newton_length.h"
#include "tests/ctest/ctest.h"
#include "tests/support/gen.h"
#include "tests/support/oracle.h"

static bigint integer_new(bigint_ctx *ctx, const uint64_t *p, size_t n, int sign) {
    bigint x = BIGINT_INIT;
    EXPECT_EQ((int)bigint_set_limbs(ctx, &x, p, n, sign), (int)BIGINT_OK);
    return x;
}

// One division with outputs chosen by `alias`: which object the quotient and the remainder are.
// With room: those that are no operands have limbs already.
static void try_alias(bigint_ctx *ctx, int alias, bool room, const bigint *a0, const bigint *d0,
                      const mpz_t q_want, const mpz_t r_want) {
    bigint a = BIGINT_INIT, d = BIGINT_INIT, q = BIGINT_INIT, r = BIGINT_INIT;
    EXPECT_EQ((int)bigint_set(ctx, &a, a0), (int)BIGINT_OK);
    EXPECT_EQ((int)bigint_set(ctx, &d, d0), (int)BIGINT_OK);
    if (room) {
        EXPECT_EQ((int)bigint_set(ctx, &q, a0), (int)BIGINT_OK);
        EXPECT_EQ((int)bigint_set(ctx, &r, d0), (int)BIGINT_OK);
    }
    bigint *const qs[] = {&q, &a, &d, NULL}, *const rs[] = {&r, &a, &d, NULL};
    bigint *const qo = qs[alias / 4], *const ro = rs[alias % 4];
    SCOPED_TRACE("alias %d", alias);
    if (qo != NULL && qo == ro) {
        EXPECT_EQ((int)bigint_divrem(ctx, qo, ro, &a, &d), (int)BIGINT_EINVAL);
    } else {
        EXPECT_EQ((int)bigint_divrem(ctx, qo, ro, &a, &d), (int)BIGINT_OK);
        if (qo != NULL) {
            EXPECT_BIGINT(ctx, qo, q_want);
        }
        if (ro != NULL) {
            EXPECT_BIGINT(ctx, ro, r_want);
        }
    }
    bigint_clear(ctx, &a), bigint_clear(ctx, &d), bigint_clear(ctx, &q), bigint_clear(ctx, &r);
}

// Catches: an output written before an operand that shares its limbs is read; the remainder's sign
// taken from the divisor; a quotient with zero limbs at the top; -0.
TEST(Divrem, SignsAndAliases) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(208);
    mpz_t za, zd, q, r;
    mpz_inits(za, zd, q, r, NULL);
    for (int i = 0; i < 600; i++) {
        bigint a = BIGINT_INIT, d = BIGINT_INIT;
        // Every other time short enough for the stack, or nearly; there often by one limb or two.
        const size_t most = i % 2 == 0 ? 3 * newton_length(ctx) : 70;
        fixture_draw(&g, ctx, &a, za, most);
        do {
            fixture_draw(&g, ctx, &d, zd, i % 4 == 1 ? 3 : most * 2 / 3);
        } while (mpz_sgn(zd) == 0);
        if (i % 7 == 0) {  // |a| and |d| equal, or nearly
            mpz_add_ui(za, zd, gen_below(&g, 2));
            fixture_set(ctx, &a, za);
        }
        mpz_tdiv_qr(q, r, za, zd);
        for (int alias = 0; alias < 16; alias++) {
            try_alias(ctx, alias, i % 3 != 0, &a, &d, q, r);
        }
        bigint_clear(ctx, &a), bigint_clear(ctx, &d);
    }
    mpz_clears(za, zd, q, r, NULL);
    bigint_ctx_destroy(ctx);
}

// Catches: division by 0 let through; a refused call touching its outputs.
TEST(Divrem, ByZeroIsRefused) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    const uint64_t seven = 7;
    bigint a = integer_new(ctx, &seven, 1, -1), q = integer_new(ctx, &seven, 1, 1),
           zero = BIGINT_INIT;
    EXPECT_EQ((int)bigint_divrem(ctx, &q, NULL, &a, &zero), (int)BIGINT_EINVAL);
    EXPECT_TRUE(strlen(bigint_ctx_error(ctx)) > 0);
    EXPECT_EQ(q.d_[0], 7u);
    EXPECT_EQ((int)bigint_divrem(ctx, NULL, &q, &zero, &zero), (int)BIGINT_EINVAL);
    EXPECT_EQ(q.d_[0], 7u);
    // Neither result is wanted: the divisor is looked at all the same.
    EXPECT_EQ((int)bigint_divrem(ctx, NULL, NULL, &a, &zero), (int)BIGINT_EINVAL);
    EXPECT_EQ((int)bigint_divrem(ctx, NULL, NULL, &a, &q), (int)BIGINT_OK);
    bigint_clear(ctx, &a), bigint_clear(ctx, &q);
    bigint_ctx_destroy(ctx);
}

// outcome: what a failing division should give. q and r: whether they are wanted.
typedef struct {
    const __mpz_struct *a, *d, *q_value, *r_value;
    bool q, r;
} outcome;

// try_failing: one division in which allocation number `at` after the operands' fails. Returns
// whether there was such an allocation.
static bool try_failing(uint64_t at, const outcome *o) {
    allocator_log log = {0};
    bigint_ctx_options options = {.allocator = fixture_allocator(&log)};
    bigint_ctx *ctx = fixture_ctx(&options);
    bigint x = BIGINT_INIT, y = BIGINT_INIT, quotient = BIGINT_INIT, remainder = BIGINT_INIT;
    bigint *const q = o->q ? &quotient : NULL, *const r = o->r ? &remainder : NULL;
    mpz_t seven;
    mpz_init_set_si(seven, -7);
    fixture_set(ctx, &x, o->a), fixture_set(ctx, &y, o->d), fixture_set(ctx, &quotient, seven),
        fixture_set(ctx, &remainder, seven);
    log.fail_at = log.calls + at;
    const bigint_status status = bigint_divrem(ctx, q, r, &x, &y);
    const bool reached = log.calls >= log.fail_at, done = status == BIGINT_OK;
    SCOPED_TRACE("allocation %d, quotient %d, remainder %d", (int)at, o->q, o->r);
    if (!done) {
        EXPECT_EQ((int)status, (int)BIGINT_ENOMEM);
        EXPECT_TEXT(ctx, "bytes");
    }
    EXPECT_BIGINT(ctx, &quotient, done && o->q ? o->q_value : seven);
    EXPECT_BIGINT(ctx, &remainder, done && o->r ? o->r_value : seven);
    log.fail_at = 0;
    EXPECT_EQ((int)bigint_divrem(ctx, q, r, &x, &y), (int)BIGINT_OK);
    const uint64_t calls = log.calls;  // from here on the same sizes need no allocation
    EXPECT_EQ((int)bigint_divrem(ctx, q, r, &x, &y), (int)BIGINT_OK);
    EXPECT_EQ(log.calls, calls);
    bigint_clear(ctx, &x), bigint_clear(ctx, &y);
    bigint_clear(ctx, &quotient), bigint_clear(ctx, &remainder);
    bigint_ctx_destroy(ctx);
    EXPECT_EQ(log.live_blocks, 0u);
    mpz_clear(seven);
    return reached;
}

// expect_failures: every allocation of a division of an by dn limbs fails once.
static void expect_failures(gen *g, size_t an, size_t dn) {
    mpz_t a, d, q, r;
    mpz_inits(a, d, q, r, NULL);
    gen_limbs(g, GEN_UNIFORM, mpz_limbs_write(a, (mp_size_t)an), an);
    gen_limbs(g, GEN_UNIFORM, mpz_limbs_write(d, (mp_size_t)dn), dn);
    mpz_limbs_finish(a, (mp_size_t)an), mpz_limbs_finish(d, (mp_size_t)dn);
    mpz_tdiv_qr(q, r, a, d);
    for (int wanted = 1; wanted < 4; wanted++) {
        const outcome o = {a, d, q, r, (wanted & 1) != 0, (wanted & 2) != 0};
        uint64_t at = 1;
        while (try_failing(at, &o) && at < 1000) {
            at++;
        }
        EXPECT_TRUE(at > 2 && at < 1000);
    }
    mpz_clears(a, d, q, r, NULL);
}

// Catches: an output or a leak left behind by an allocation that fails at any place; a failure that
// is reported as success; workspace that is not kept for the next call.
TEST(Divrem, EveryAllocationMayFail) {
    gen g = gen_seed(209);
    bigint_ctx *ctx = fixture_ctx(NULL);
    const size_t dn = 3 * newton_length(ctx);
    bigint_ctx_destroy(ctx);
    expect_failures(&g, 3 * dn, dn);
    expect_failures(&g, 316, 39);  // by rows
    expect_failures(&g, 400, 200);
}
