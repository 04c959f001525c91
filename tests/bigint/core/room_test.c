// room_test.c: the room of integers on the host: reserved, freed, written by the caller.
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"

// Mutations: the value lost when limbs move, room for a limb too few, an allocation where there is
// room, room kept by a shrink, or lost by one that fails.
TEST(Room, ReservedAndFreed) {
    allocator_log log = {0};
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.allocator = fixture_allocator(&log)});
    gen g = gen_seed(381);
    bigint x = BIGINT_INIT, y = BIGINT_INIT;
    mpz_t z, sum;
    mpz_inits(z, sum, NULL);
    for (uint64_t limbs = 1; limbs < 200; limbs += limbs < 20 ? 1 : 13) {
        fixture_limbs(&g, z, limbs);
        limbs % 2 == 0 ? mpz_neg(z, z) : (void)0;
        fixture_set(ctx, &x, z);
        EXPECT_EQ(bigint_reserve_bits(ctx, &x, 64 * 500 + 1), BIGINT_OK);
        EXPECT_BIGINT(ctx, &x, z);
        uint64_t calls = log.calls;
        EXPECT_EQ(bigint_mul_2exp(ctx, &y, &x, 64 * (501 - limbs)), BIGINT_OK);
        calls = log.calls;
        EXPECT_EQ(bigint_set(ctx, &x, &y), BIGINT_OK);
        EXPECT_EQ(bigint_reserve_bits(ctx, &x, 5), BIGINT_OK);
        EXPECT_EQ(log.calls, calls);
        fixture_set(ctx, &x, z);
        const uint64_t before = log.live_bytes;
        log.fail_at = log.calls + 1;
        EXPECT_EQ(bigint_shrink(ctx, &x), BIGINT_ENOMEM);
        EXPECT_BIGINT(ctx, &x, z);
        log.fail_at = 0;
        EXPECT_EQ(bigint_shrink(ctx, &x), BIGINT_OK);
        EXPECT_BIGINT(ctx, &x, z);
        EXPECT_TRUE(log.live_bytes <= before - 8 * (501 - limbs - 8));
        calls = log.calls;
        EXPECT_EQ(bigint_shrink(ctx, &x), BIGINT_OK);
        EXPECT_EQ(log.calls, calls);
    }
    EXPECT_EQ(bigint_reserve_bits(ctx, &x, UINT64_MAX), BIGINT_ERANGE);
    log.fail_at = log.calls + 1;
    EXPECT_EQ(bigint_reserve_bits(ctx, &x, 1000000), BIGINT_ENOMEM);
    EXPECT_BIGINT(ctx, &x, z);
    log.fail_at = 0;
    EXPECT_EQ(bigint_sub(ctx, &x, &x, &x), BIGINT_OK);
    const uint64_t live = log.live_blocks;
    EXPECT_EQ(bigint_shrink(ctx, &x), BIGINT_OK);
    EXPECT_EQ(log.live_blocks, live - 1);
    mpz_clears(z, sum, NULL);
    bigint_clear(ctx, &y);
    bigint_ctx_destroy(ctx);
    EXPECT_EQ(log.live_blocks, 0u);
}

// Mutations: the old magnitude not kept, zero limbs kept at the top, the sign of 0, limbs beyond
// the room accepted.
TEST(Room, WrittenByTheCaller) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(382);
    bigint x = BIGINT_INIT;
    mpz_t z, right;
    mpz_inits(z, right, NULL);
    for (uint64_t n = 1; n < 40; n++) {
        bigint_limb *p = NULL;
        fixture_limbs(&g, z, 1 + gen_below(&g, n));
        fixture_set(ctx, &x, z);
        EXPECT_EQ(bigint_limbs_write(ctx, &p, &x, n), BIGINT_OK);
        EXPECT_LIMBS_EQ(p, mpz_limbs_read(z), mpz_size(z));
        for (uint64_t i = mpz_size(z); i < n; i++) {
            p[i] = 0;
        }
        p[0] = 5;
        mpz_fdiv_q_2exp(right, z, 64);
        mpz_mul_2exp(right, right, 64);
        mpz_add_ui(right, right, 5);
        n % 2 == 0 ? mpz_neg(right, right) : (void)0;
        EXPECT_EQ(bigint_limbs_finish(ctx, &x, n, n % 2 == 0 ? -1 : 1), BIGINT_OK);
        EXPECT_BIGINT(ctx, &x, right);
    }
    EXPECT_EQ(bigint_limbs_finish(ctx, &x, 10000, 1), BIGINT_EINVAL);
    EXPECT_BIGINT(ctx, &x, right);
    EXPECT_EQ(bigint_limbs_finish(ctx, &x, 0, -1), BIGINT_OK);
    mpz_set_ui(right, 0);
    EXPECT_BIGINT(ctx, &x, right);
    mpz_clears(z, right, NULL);
    bigint_clear(ctx, &x);
    bigint_ctx_destroy(ctx);
}

// Mutations: zero limbs counted, a sign for 0.
TEST(Room, Views) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(383);
    bigint r = BIGINT_INIT;
    mpz_t z, right;
    mpz_inits(z, right, NULL);
    for (uint64_t n = 0; n < 40; n++) {
        bigint_limb limbs[48] = {0};
        const uint64_t used = n == 0 ? 0 : 1 + gen_below(&g, n);
        mpz_set_ui(z, 0);
        used > 0 ? fixture_limbs(&g, z, used) : (void)0;
        for (uint64_t i = 0; i < used; i++) {
            limbs[i] = mpz_getlimbn(z, (mp_size_t)i);
        }
        const bigint x = bigint_limbs_view(limbs, n, n % 2 == 0 ? -1 : 1);
        n % 2 == 0 ? mpz_neg(z, z) : (void)0;
        EXPECT_BIGINT(ctx, &x, z);
        mpz_mul(right, z, z);
        mpz_add(right, right, z);
        EXPECT_EQ(bigint_mul(ctx, &r, &x, &x), BIGINT_OK);
        EXPECT_EQ(bigint_add(ctx, &r, &r, &x), BIGINT_OK);
        EXPECT_BIGINT(ctx, &r, right);
        EXPECT_BIGINT(ctx, &x, z);
    }
    mpz_clears(z, right, NULL);
    bigint_clear(ctx, &r);
    bigint_ctx_destroy(ctx);
}
