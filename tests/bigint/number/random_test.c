// random_test.c: random integers from generators that count, repeat and fail.
#include <string.h>

#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"

// source: a generator that gives `fixed` in every limb, if that is not 0, and fails from call
// number fail_at on (counted from 1; 0: never).
typedef struct {
    gen g;
    uint64_t fixed, calls, limbs, fail_at;
} source;

static int fill(void *user, bigint_limb *p, uint64_t n) {
    source *const s = user;
    s->calls++;
    s->limbs += n;
    for (uint64_t i = 0; i < n; i++) {
        p[i] = s->fixed != 0 ? s->fixed : gen_u64(&s->g);
    }
    return s->fail_at != 0 && s->calls >= s->fail_at;
}

// Mutations: a bit more or less, the top limb not cut, more limbs drawn than needed.
TEST(Random, Bits) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    source s = {.fixed = UINT64_MAX};
    const bigint_generator g = {fill, &s};
    bigint r = BIGINT_INIT;
    mpz_t z;
    mpz_init(z);
    for (uint64_t bits = 0; bits < 300; bits++) {
        s.calls = s.limbs = 0;
        mpz_set_ui(z, 0);
        mpz_setbit(z, bits);
        mpz_sub_ui(z, z, 1);
        EXPECT_EQ(bigint_random_bits(ctx, &r, &g, bits), BIGINT_OK);
        EXPECT_BIGINT(ctx, &r, z);
        EXPECT_EQ(s.limbs, (bits + 63) / 64);
        EXPECT_EQ(s.calls, (uint64_t)(bits > 0));
    }
    EXPECT_EQ(bigint_random_bits(ctx, &r, &g, UINT64_MAX), BIGINT_ERANGE);
    EXPECT_BIGINT(ctx, &r, z);
    mpz_clear(z);
    bigint_clear(ctx, &r);
    bigint_ctx_destroy(ctx);
}

// The limbs of the generator are those of the number. Mutation: the order of limbs.
TEST(Random, TheGeneratorsBits) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    source s = {.g = gen_seed(361)};
    gen same = gen_seed(361);
    const bigint_generator g = {fill, &s};
    bigint r = BIGINT_INIT;
    uint64_t have[3];
    EXPECT_EQ(bigint_random_bits(ctx, &r, &g, 192), BIGINT_OK);
    EXPECT_EQ(bigint_get_limbs(ctx, have, 3, NULL, NULL, &r), BIGINT_OK);
    for (int i = 0; i < 3; i++) {
        EXPECT_EQ(have[i], gen_u64(&same));
    }
    bigint_clear(ctx, &r);
    bigint_ctx_destroy(ctx);
}

// Every number below small bounds, equally often; large ones below, r the bound itself. Mutations:
// the bound itself drawn, a remainder in place of another draw (that prefers small numbers), the
// old value of r lost before the bound is read.
TEST(Random, Below) {
    enum { MOST = 9 };
    const int draws = 20000 / fixture_thinning();
    bigint_ctx *ctx = fixture_ctx(NULL);
    source s = {.g = gen_seed(362)};
    const bigint_generator g = {fill, &s};
    bigint r = BIGINT_INIT, bound = BIGINT_INIT;
    for (uint64_t most = 1; most <= MOST; most++) {
        int counts[MOST] = {0};
        EXPECT_EQ(bigint_set_u64(ctx, &bound, most), BIGINT_OK);
        for (int i = 0; i < draws; i++) {
            uint64_t value = MOST;
            EXPECT_EQ(bigint_random_below(ctx, &r, &g, &bound), BIGINT_OK);
            EXPECT_EQ(bigint_get_u64(ctx, &value, &r), BIGINT_OK);
            ASSERT_TRUE(value < most);
            counts[value]++;
        }
        for (uint64_t k = 0; k < most; k++) {  // six deviations, sqrt(draws / most) at most
            const int mean = draws / (int)most;
            EXPECT_TRUE(36 * (long)mean > (long)(counts[k] - mean) * (counts[k] - mean));
        }
    }
    mpz_t z;
    mpz_init(z);
    for (int i = 0; i < 500; i += fixture_thinning() / 2 * 2 + 1) {
        int order = 7, sign = 7;
        fixture_limbs(&s.g, z, 1 + gen_below(&s.g, 5));
        fixture_set(ctx, &bound, z);
        fixture_set(ctx, &r, z);
        bigint *const to = i % 2 == 0 ? &r : &bound;
        EXPECT_EQ(bigint_random_below(ctx, to, &g, to), BIGINT_OK);
        EXPECT_EQ(bigint_cmp(ctx, &order, to, i % 2 == 0 ? &bound : &r), BIGINT_OK);
        EXPECT_EQ(bigint_sign(ctx, &sign, to), BIGINT_OK);
        EXPECT_TRUE(order < 0 && sign >= 0);
    }
    mpz_clear(z);
    bigint_clear(ctx, &r);
    bigint_clear(ctx, &bound);
    bigint_ctx_destroy(ctx);
}

// Mutations: the length one off, one run alone, single bits alone.
TEST(Random, Runs) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    source s = {.g = gen_seed(363)};
    const bigint_generator g = {fill, &s};
    bigint r = BIGINT_INIT, gray = BIGINT_INIT;
    uint64_t runs = 0, tries = 0;
    for (uint64_t bits = 0; bits < 2000; bits += bits < 130 ? 1 : 97) {
        for (int i = 0; i < 20; i += fixture_thinning()) {
            uint64_t length = 7, changes = 0;
            EXPECT_EQ(bigint_random_runs(ctx, &r, &g, bits), BIGINT_OK);
            EXPECT_EQ(bigint_bits(ctx, &length, &r), BIGINT_OK);
            EXPECT_EQ(length, bits);
            EXPECT_EQ(bigint_tdiv_2exp(ctx, &gray, &r, 1), BIGINT_OK);
            EXPECT_EQ(bigint_xor(ctx, &gray, &gray, &r), BIGINT_OK);
            EXPECT_EQ(bigint_popcount(ctx, &changes, &gray), BIGINT_OK);
            if (bits > 1000) {
                runs += changes;
                tries++;
            }
        }
    }
    EXPECT_TRUE(runs > 4 * tries && runs < 100 * tries);
    bigint_clear(ctx, &r);
    bigint_clear(ctx, &gray);
    bigint_ctx_destroy(ctx);
}

// Mutations: a failure of the generator ignored, a draw without end, a bound of 0 or less accepted,
// r changed or memory lost by any of them.
TEST(Random, Refused) {
    allocator_log log = {0};
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.allocator = fixture_allocator(&log)});
    source s = {.fixed = UINT64_MAX, .fail_at = 1};
    const bigint_generator g = {fill, &s};
    bigint r = BIGINT_INIT, bound = BIGINT_INIT;
    mpz_t z;
    mpz_init_set_si(z, -77);
    fixture_set(ctx, &r, z);
    EXPECT_EQ(bigint_set_u64(ctx, &bound, 1000), BIGINT_OK);
    EXPECT_EQ(bigint_random_bits(ctx, &r, &g, 100), BIGINT_EINVAL);
    EXPECT_EQ(bigint_random_runs(ctx, &r, &g, 100), BIGINT_EINVAL);
    EXPECT_EQ(bigint_random_below(ctx, &r, &g, &bound), BIGINT_EINVAL);
    EXPECT_TEXT(ctx, "the generator failed");
    s.fail_at = 0;
    s.calls = 0;
    EXPECT_EQ(bigint_random_below(ctx, &r, &g, &bound), BIGINT_EINVAL);
    EXPECT_TEXT(ctx, "not random");
    EXPECT_EQ(s.calls, 128u);
    EXPECT_EQ(bigint_neg(ctx, &bound, &bound), BIGINT_OK);
    EXPECT_EQ(bigint_random_below(ctx, &r, &g, &bound), BIGINT_EINVAL);
    EXPECT_EQ(bigint_set_u64(ctx, &bound, 0), BIGINT_OK);
    EXPECT_EQ(bigint_random_below(ctx, &r, &g, &bound), BIGINT_EINVAL);
    EXPECT_BIGINT(ctx, &r, z);
    for (uint64_t fail = 1; fail <= 2; fail++) {
        log.fail_at = log.calls + fail;
        EXPECT_EQ(bigint_random_bits(ctx, &r, &g, (uint64_t)100000 * fail), BIGINT_ENOMEM);
        EXPECT_BIGINT(ctx, &r, z);
    }
    mpz_clear(z);
    bigint_clear(ctx, &r);
    bigint_clear(ctx, &bound);
    bigint_ctx_destroy(ctx);
    EXPECT_EQ(log.live_blocks, 0u);
}
