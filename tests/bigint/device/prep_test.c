// prep_test.c: prepared operands on a device, or under the kernel emulation, against GMP.
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/core/context.h"
#include "bigint/device/plan.h"
#include "bigint/device/prep.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

static void draw(gen *g, mpz_t z, size_t n) {
    fixture_limbs(g, z, n);
    if (gen_below(g, 2) != 0) {
        mpz_neg(z, z);
    }
}

// Operands of every relation of lengths; the others of every length up to the announced one, into
// another integer and in place. Mutations: the prepared operand refers to the integer it came from,
// its sign or that of the other is lost, transforms of the wrong operand's length, planes of one
// prime read for another, digits of the longer operand left out.
TEST(DevicePrep, AgreesWithGmp) {
    if (!device_ready()) {
        SKIP("no device");
    }
    const size_t longest = device_emulated() ? 1500 : 1 << 18;
    const size_t lengths[][2] = {
        {1, 1},      {1, longest},       {longest, 1},           {700, 700},  {1030, 300},
        {300, 1030}, {longest, longest}, {longest / 2, longest}, {1025, 1024}};
    for (uint32_t way = 0; way < 4; way++) {
        const uint32_t checks = way % 2;
        const int64_t live = device_live();
        bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.checks = checks});
        // Where one launch does a product the transform is not used.
        ctx->queue.cluster = way < 2 ? 0 : ctx->queue.cluster;
        gen g = gen_seed(61);
        mpz_t za, zb, want;
        mpz_inits(za, zb, want, NULL);
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
            const size_t n = lengths[i][0], most = lengths[i][1];
            bigint a = BIGINT_INIT, b = BIGINT_INIT, r = BIGINT_INIT;
            bigint_prep *prep = NULL;
            draw(&g, za, n);
            fixture_set(ctx, &a, za);
            ASSERT_EQ(bigint_prep_create(ctx, &prep, &a, most), BIGINT_OK);
            EXPECT_EQ(bigint_set_u64(ctx, &a, 5), BIGINT_OK);  // it is independent of a
            for (int k = 0; k < 5; k++) {
                const size_t m = k == 0   ? most
                                 : k == 1 ? (most + 2) / 3 * 2
                                          : gen_size(&g, 1, most);
                SCOPED_TRACE("%zu limbs for up to %zu, by %zu", n, most, m < most ? m : most);
                draw(&g, zb, m < most ? m : most);
                mpz_mul(want, za, zb);
                fixture_set(ctx, &b, zb);
                EXPECT_EQ(bigint_mul_prep(ctx, &r, prep, &b), BIGINT_OK);
                EXPECT_BIGINT(ctx, &r, want);
                EXPECT_EQ(bigint_mul_prep(ctx, &b, prep, &b), BIGINT_OK);
                EXPECT_BIGINT(ctx, &b, want);
            }
            bigint_prep_destroy(ctx, prep);
            bigint_clear(ctx, &a), bigint_clear(ctx, &b), bigint_clear(ctx, &r);
        }
        bigint_counters counters;
        bigint_ctx_counters(ctx, &counters);
        EXPECT_EQ(counters.checks, checks * counters.products);
        EXPECT_TRUE(counters.products > 0 && counters.mismatches == 0);
        mpz_clears(za, zb, want, NULL);
        bigint_ctx_destroy(ctx);
        EXPECT_EQ(device_live(), live);
    }
}

// The largest digits of words, balanced and shorter ones, by as long and by shorter operands.
// Mutations: a transform of digits of another kind, a carry from the highest word that is lost.
TEST(DevicePrep, LongOperandsOnADevice) {
    if (!device_ready() || device_emulated()) {
        SKIP("the emulation is too slow for these");
    }
    static const size_t lengths[] = {(size_t)1 << 20, ((size_t)1 << 20) + 1, ((size_t)1 << 22) + 1};
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.checks = 1});
    mpz_t za, zb;
    mpz_inits(za, zb, NULL);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        SCOPED_TRACE("%zu limbs", lengths[i]);
        bigint a = BIGINT_INIT, r = BIGINT_INIT;
        bigint_prep *prep = NULL;
        mpz_set_ui(za, 1);
        mpz_mul_2exp(za, za, 64 * lengths[i]);
        mpz_sub_ui(za, za, 1);
        fixture_set(ctx, &a, za);
        ASSERT_EQ(bigint_prep_create(ctx, &prep, &a, lengths[i]), BIGINT_OK);
        EXPECT_EQ(bigint_mul_prep(ctx, &r, prep, &a), BIGINT_OK);
        mpz_mul(zb, za, za);
        EXPECT_BIGINT(ctx, &r, zb);
        EXPECT_EQ(bigint_tdiv_2exp(ctx, &a, &a, 64 * (lengths[i] / 5)), BIGINT_OK);
        EXPECT_EQ(bigint_mul_prep(ctx, &r, prep, &a), BIGINT_OK);
        mpz_tdiv_q_2exp(zb, za, 64 * (lengths[i] / 5));
        mpz_mul(zb, za, zb);
        EXPECT_BIGINT(ctx, &r, zb);
        bigint_prep_destroy(ctx, prep);
        bigint_clear(ctx, &a), bigint_clear(ctx, &r);
    }
    mpz_clears(za, zb, NULL);
    bigint_ctx_destroy(ctx);
}

// 0 as either operand, and others announced as longer than they are. Mutations: an operand without
// limbs is transformed, a refusal that changes the result.
TEST(DevicePrep, ZerosAndRefusals) {
    if (!device_ready()) {
        SKIP("no device");
    }
    bigint_ctx *ctx = fixture_ctx(NULL), *host;
    ASSERT_EQ(bigint_ctx_create(&host, NULL, NULL), BIGINT_OK);
    bigint a = BIGINT_INIT, b = BIGINT_INIT, r = BIGINT_INIT;
    bigint_prep *zero, *three, *none, *on_host;
    mpz_t want;
    mpz_init(want);
    EXPECT_EQ(bigint_prep_create(ctx, &zero, &a, 10), BIGINT_OK);
    EXPECT_EQ(bigint_set_i64(ctx, &a, -3), BIGINT_OK);
    EXPECT_EQ(bigint_prep_create(ctx, &three, &a, 2), BIGINT_OK);
    EXPECT_EQ(bigint_prep_create(ctx, &none, &a, 0), BIGINT_OK);
    EXPECT_EQ(bigint_mul_prep(ctx, &r, zero, &a), BIGINT_OK);
    EXPECT_BIGINT(ctx, &r, want);
    EXPECT_EQ(bigint_mul_prep(ctx, &r, three, &b), BIGINT_OK);
    EXPECT_BIGINT(ctx, &r, want);
    EXPECT_EQ(bigint_mul_prep(ctx, &r, none, &b), BIGINT_OK);
    EXPECT_BIGINT(ctx, &r, want);
    EXPECT_EQ(bigint_set_u64(ctx, &b, 7), BIGINT_OK);
    EXPECT_EQ(bigint_mul_prep(ctx, &r, three, &b), BIGINT_OK);
    mpz_set_si(want, -21);
    EXPECT_BIGINT(ctx, &r, want);
    EXPECT_EQ(bigint_mul_prep(ctx, &r, none, &b), BIGINT_ERANGE);
    EXPECT_EQ(bigint_mul_2exp(ctx, &b, &b, 128), BIGINT_OK);
    EXPECT_EQ(bigint_mul_prep(ctx, &r, three, &b), BIGINT_ERANGE);
    EXPECT_TEXT(ctx, "bigint_mul_prep: the other operand has 3 limbs, the operand was prepared");
    EXPECT_BIGINT(ctx, &r, want);
    EXPECT_EQ(bigint_prep_create(ctx, &on_host, &a, UINT64_C(1) << 57), BIGINT_ERANGE);
    EXPECT_TRUE(on_host == NULL);
    // Other places.
    bigint five = BIGINT_INIT, s = BIGINT_INIT;
    EXPECT_EQ(bigint_set_u64(host, &five, 5), BIGINT_OK);
    EXPECT_EQ(bigint_prep_create(ctx, &on_host, &five, 1), BIGINT_EPLACE);
    EXPECT_EQ(bigint_prep_create(host, &on_host, &five, 1), BIGINT_OK);
    EXPECT_EQ(bigint_mul_prep(ctx, &r, on_host, &a), BIGINT_EPLACE);
    EXPECT_EQ(bigint_mul_prep(host, &s, three, &five), BIGINT_EPLACE);
    bigint_prep_destroy(host, three);
    EXPECT_TEXT(host, "bigint_prep_destroy: prepared on place 0, the context works on place -1");
    EXPECT_EQ(bigint_mul_prep(ctx, &r, three, &a), BIGINT_OK);
    mpz_set_si(want, 9);
    EXPECT_BIGINT(ctx, &r, want);
    bigint_prep_destroy(ctx, zero), bigint_prep_destroy(ctx, three), bigint_prep_destroy(ctx, none);
    bigint_prep_destroy(host, on_host), bigint_prep_destroy(ctx, NULL);
    bigint_clear(ctx, &a), bigint_clear(ctx, &b), bigint_clear(ctx, &r);
    bigint_clear(host, &five);
    mpz_clear(want);
    bigint_ctx_destroy(ctx), bigint_ctx_destroy(host);
}

// One operand, three contexts. The context that made it ends. The other two use it alternately
// without waiting, and one of them destroys it. Mutations: creation that does not wait, tables of
// another context, memory that belongs to the first.
TEST(DevicePrep, SharedByContexts) {
    if (!device_ready()) {
        SKIP("no device");
    }
    const int64_t live = device_live();
    bigint_ctx *maker = fixture_ctx(NULL);
    bigint_ctx *users[2] = {fixture_ctx(NULL), fixture_ctx(&(bigint_ctx_options){.checks = 1})};
    bigint a = BIGINT_INIT, b[2] = {BIGINT_INIT, BIGINT_INIT}, r[2] = {BIGINT_INIT, BIGINT_INIT};
    bigint_prep *prep = NULL;
    gen g = gen_seed(62);
    mpz_t za, zb[2];
    mpz_inits(za, zb[0], zb[1], NULL);
    draw(&g, za, 500);
    fixture_set(maker, &a, za);
    for (int u = 0; u < 2; u++) {
        draw(&g, zb[u], 450);
        fixture_set(users[u], &b[u], zb[u]);
    }
    ASSERT_EQ(bigint_prep_create(maker, &prep, &a, 600), BIGINT_OK);
    bool idle = false;
    EXPECT_EQ(cuda_stream_idle(maker->queue.stream, &idle), RESULT_OK);
    EXPECT_TRUE(idle);
    for (int k = 0; k < 3; k++) {
        for (int u = 0; u < 2; u++) {
            EXPECT_EQ(bigint_mul_prep(users[u], &r[u], prep, &b[u]), BIGINT_OK);
            EXPECT_EQ(cuda_stream_idle(users[u]->queue.stream, &idle), RESULT_OK);
            EXPECT_FALSE(device_emulated() && idle);  // enqueued alone
        }
    }
    bigint_clear(maker, &a);
    bigint_ctx_destroy(maker);
    EXPECT_EQ(bigint_mul_prep(users[1], &r[1], prep, &b[1]), BIGINT_OK);
    EXPECT_EQ(bigint_sync(users[1]), BIGINT_OK);
    EXPECT_EQ(bigint_mul_prep(users[0], &r[0], prep, &b[0]), BIGINT_OK);
    bigint_prep_destroy(users[0], prep);
    for (int u = 0; u < 2; u++) {
        mpz_mul(zb[u], zb[u], za);
        EXPECT_BIGINT(users[u], &r[u], zb[u]);
        bigint_clear(users[u], &b[u]), bigint_clear(users[u], &r[u]);
        bigint_ctx_destroy(users[u]);
    }
    mpz_clears(za, zb[0], zb[1], NULL);
    EXPECT_EQ(device_live(), live);
}

// Caps by which the operand is not transformed, or a user of it may not. Mutations: a cap that is
// not looked at; a plan whose shape depends on the user's cap.
TEST(DevicePrep, Caps) {
    if (!device_ready()) {
        SKIP("no device");
    }
    enum { N = 3000 };
    gen g = gen_seed(63);
    mpz_t za, zb;
    mpz_inits(za, zb, NULL);
    draw(&g, za, N);
    draw(&g, zb, N);
    uint64_t whole = 0;
    bigint_ctx *free_ctx = fixture_ctx(NULL);
    ASSERT_EQ(bigint_workspace_bytes(free_ctx, &whole, N, N), BIGINT_OK);
    bigint a = BIGINT_INIT, b = BIGINT_INIT, r = BIGINT_INIT;
    fixture_set(free_ctx, &a, za);
    fixture_set(free_ctx, &b, zb);
    EXPECT_EQ(bigint_sync(free_ctx), BIGINT_OK);
    mpz_mul(za, za, zb);
    bool transformed = false, kept = false;
    for (uint64_t cap = whole;; cap = cap / 8 * 7) {
        bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.max_workspace_bytes = cap});
        uint64_t needed;
        const bool fits = bigint_workspace_bytes(ctx, &needed, N, N) == BIGINT_OK;
        SCOPED_TRACE("cap %llu", (unsigned long long)cap);
        bigint_prep *prep;
        EXPECT_EQ(bigint_prep_create(ctx, &prep, &a, N), fits ? BIGINT_OK : BIGINT_ENOMEM);
        if (fits) {
            device_plan plan;
            const bool fit = device_plan_whole(ctx, &plan, N, N, false, true);
            transformed |= fit, kept |= !fit;
            EXPECT_TRUE(!fit || plan.workspace_bytes <= 4 * device_plane(&plan) * sizeof(double));
            EXPECT_EQ(bigint_mul_prep(ctx, &r, prep, &b), BIGINT_OK);
            EXPECT_BIGINT(ctx, &r, za);
            EXPECT_EQ(bigint_mul_prep(free_ctx, &r, prep, &b), BIGINT_OK);
            EXPECT_BIGINT(free_ctx, &r, za);  // waits, so that ctx may destroy what it used
            bigint_counters counters;
            bigint_ctx_counters(ctx, &counters);
            EXPECT_TRUE(counters.workspace_peak <= cap);
            bigint_prep_destroy(ctx, prep);
            EXPECT_EQ(bigint_prep_create(free_ctx, &prep, &a, N), BIGINT_OK);
            EXPECT_EQ(bigint_mul_prep(ctx, &r, prep, &b), BIGINT_OK);
            EXPECT_BIGINT(ctx, &r, za);
            bigint_ctx_counters(ctx, &counters);
            EXPECT_TRUE(counters.workspace_peak <= cap);
            EXPECT_EQ(bigint_sync(ctx), BIGINT_OK);
            bigint_prep_destroy(free_ctx, prep);
        }
        bigint_ctx_destroy(ctx);
        if (!fits) {
            break;
        }
    }
    EXPECT_TRUE(transformed && kept);
    bigint_clear(free_ctx, &a), bigint_clear(free_ctx, &b), bigint_clear(free_ctx, &r);
    mpz_clears(za, zb, NULL);
    bigint_ctx_destroy(free_ctx);
}

// Where the transform pays it is used, and a fault in it is seen. Mutations: products that
// transform both operands again; a check that does not look at the limbs.
TEST(DevicePrep, TheTransformIsUsed) {
    if (!device_ready()) {
        SKIP("no device");
    }
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.checks = 1});
    ctx->queue.cluster = 0;
    bigint a = BIGINT_INIT, b = BIGINT_INIT, r = BIGINT_INIT;
    device_prep prep;
    gen g = gen_seed(64);
    mpz_t z;
    mpz_init(z);
    draw(&g, z, 400);
    fixture_set(ctx, &a, z);
    draw(&g, z, 300);
    fixture_set(ctx, &b, z);
    ASSERT_EQ(device_prep_make(ctx, "test", &prep, &a, 400), BIGINT_OK);
    ASSERT_TRUE(prep.planes != NULL);
    EXPECT_EQ(device_mul_prep(ctx, "test", &r, &prep, &b), BIGINT_OK);
    EXPECT_EQ(bigint_sync(ctx), BIGINT_OK);
    EXPECT_EQ(cuda_set(prep.planes, 0x40, 4096, ctx->queue.stream), RESULT_OK);
    EXPECT_EQ(device_mul_prep(ctx, "test", &r, &prep, &b), BIGINT_OK);
    EXPECT_EQ(bigint_sync(ctx), BIGINT_ECHECK);
    device_prep_free(ctx, &prep);
    // For others that are much longer it is not.
    ASSERT_EQ(device_prep_make(ctx, "test", &prep, &a, 20000), BIGINT_OK);
    ASSERT_TRUE(prep.planes != NULL);
    EXPECT_EQ(cuda_set(prep.planes, 0x40, 4096, ctx->queue.stream), RESULT_OK);
    EXPECT_EQ(device_mul_prep(ctx, "test", &r, &prep, &b), BIGINT_OK);
    EXPECT_EQ(bigint_sync(ctx), BIGINT_OK);
    device_prep_free(ctx, &prep);
    bigint_clear(ctx, &a), bigint_clear(ctx, &b), bigint_clear(ctx, &r);
    mpz_clear(z);
    bigint_ctx_destroy(ctx);
}
