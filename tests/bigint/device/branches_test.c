// branches_test.c: products on a device whose launches are spread over branches, against
// GMP: as they are planned and as they are forced, one by one, by replays and in a caller's graph.
#include <string.h>

#include "bigint/core/context.h"
#include "bigint/core/device_queue.h"
#include "bigint/device/plan.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

enum { LIMBS = 200, ROUNDS = 4, SEEDS = 2 };

// in_branches: a context whose products take several launches, spread over `branches` branches.
static bigint_ctx *in_branches(unsigned branches, cuda_stream stream) {
    bigint_ctx *ctx =
        fixture_ctx(&(bigint_ctx_options){.engine = "modular-fft", .checks = 1, .stream = stream});
    ctx->queue.cluster = 0;
    ctx->queue.forced.branches = branches;
    return ctx;
}

// set: a new value of n limbs for x and z, which is on its way to x's limbs when this returns.
static void set(gen *g, bigint_ctx *ctx, bigint *x, mpz_t z, size_t n) {
    fixture_shape(g, GEN_UNIFORM, z, n);
    fixture_set(ctx, x, z);
}

// rounds: products, squares and products with a prepared operand of new values in the same limbs:
// enqueued one by one, recorded, and replayed.
static void rounds(bigint_ctx *ctx, gen *g) {
    bigint x = BIGINT_INIT, y = BIGINT_INIT, r = BIGINT_INIT, s = BIGINT_INIT, t = BIGINT_INIT;
    mpz_t zx, zy, zp, want;
    mpz_inits(zx, zy, zp, want, NULL);
    set(g, ctx, &y, zp, LIMBS);
    bigint_prep *prepared = NULL;
    EXPECT_EQ(bigint_prep_create(ctx, &prepared, &y, LIMBS), BIGINT_OK);
    for (int i = 0; i < ROUNDS; i++) {
        SCOPED_TRACE("round %d", i);
        set(g, ctx, &x, zx, LIMBS), set(g, ctx, &y, zy, LIMBS - 10);
        EXPECT_EQ(bigint_mul(ctx, &r, &x, &y), BIGINT_OK);
        EXPECT_EQ(bigint_mul_prep(ctx, &t, prepared, &x), BIGINT_OK);
        EXPECT_EQ(bigint_sqr(ctx, &s, &y), BIGINT_OK);
        EXPECT_EQ(bigint_mul(ctx, &x, &x, &y), BIGINT_OK);
        mpz_mul(want, zx, zy);
        EXPECT_BIGINT(ctx, &r, want);
        EXPECT_BIGINT(ctx, &x, want);
        mpz_mul(want, zx, zp);
        EXPECT_BIGINT(ctx, &t, want);
        mpz_mul(want, zy, zy);
        EXPECT_BIGINT(ctx, &s, want);
    }
    bigint_prep_destroy(ctx, prepared);
    bigint *const all[] = {&x, &y, &r, &s, &t};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        bigint_clear(ctx, all[i]);
    }
    mpz_clears(zx, zy, zp, want, NULL);
}

// Mutations: branches that do not wait for the words of the operands or for the product before, a
// recombination that does not wait for all of them, primes that share a plane of the other operand,
// a prime left out where two of three have a branch together, a replay by another plan's graph.
TEST(DeviceBranches, GiveTheSameLimbs) {
    for (unsigned branches = 1; branches <= BRANCHES_MOST; branches++) {
        for (uint64_t seed = 0; seed < (device_emulated() ? SEEDS : 1); seed++) {
            SCOPED_TRACE("%u branches, order %llu", branches, (unsigned long long)seed);
            device_order(seed);
            bigint_ctx *ctx = in_branches(branches, NULL);
            gen g = gen_seed(90 + branches);
            rounds(ctx, &g);
            bigint_ctx_trim(ctx);  // and branches anew
            rounds(ctx, &g);
            bigint_ctx_destroy(ctx);
        }
    }
    device_order(0);
}

// The same of two groups of primes, three and two, in two branches. Mutations: groups that share
// planes of the other operand, one that does not wait for the words, residues of one in the other's
// planes.
TEST(DeviceBranches, GroupsGiveTheSameLimbs) {
    device_order(1);
    bigint_ctx *ctx = in_branches(2, NULL);
    ctx->queue.forced.primes = 5;
    gen g = gen_seed(80);
    rounds(ctx, &g);
    bigint_ctx_destroy(ctx);
    device_order(0);
}

// Mutation: a context's branches stay out of the graph that its caller records, or in it.
TEST(DeviceBranches, StandInTheCallersGraph) {
    cuda_stream stream;
    int previous;
    ASSERT_EQ(cuda_enter(0, &previous), RESULT_OK);
    ASSERT_EQ(cuda_stream_create(&stream), RESULT_OK);
    bigint_ctx *ctx = in_branches(3, stream);
    gen g = gen_seed(91);
    bigint x = BIGINT_INIT, y = BIGINT_INIT, r = BIGINT_INIT, s = BIGINT_INIT;
    mpz_t zx, zy, want;
    mpz_inits(zx, zy, want, NULL);
    set(&g, ctx, &x, zx, LIMBS), set(&g, ctx, &y, zy, LIMBS);
    for (int i = 0; i < 3; i++) {  // until nothing is allocated any more
        EXPECT_EQ(bigint_mul(ctx, &r, &x, &y), BIGINT_OK);
        EXPECT_EQ(bigint_mul(ctx, &s, &r, &y), BIGINT_OK);
    }
    EXPECT_EQ(bigint_sync(ctx), BIGINT_OK);
    cuda_graph graph;
    ASSERT_EQ(cuda_graph_begin(stream), RESULT_OK);
    EXPECT_EQ(bigint_mul(ctx, &r, &x, &y), BIGINT_OK);
    EXPECT_EQ(bigint_mul(ctx, &s, &r, &y), BIGINT_OK);
    ASSERT_EQ(cuda_graph_end(stream, &graph), RESULT_OK);
    for (int i = 0; i < 3; i++) {
        set(&g, ctx, &x, zx, LIMBS);
        EXPECT_EQ(cuda_graph_run(graph, stream), RESULT_OK);
        mpz_mul(want, zx, zy);
        EXPECT_BIGINT(ctx, &r, want);
        mpz_mul(want, want, zy);
        EXPECT_BIGINT(ctx, &s, want);
        EXPECT_EQ(bigint_sqr(ctx, &r, &x), BIGINT_OK);  // and the branches are the context's again
        mpz_mul(want, zx, zx);
        EXPECT_BIGINT(ctx, &r, want);
    }
    cuda_graph_destroy(graph);
    bigint_clear(ctx, &x), bigint_clear(ctx, &y), bigint_clear(ctx, &r), bigint_clear(ctx, &s);
    mpz_clears(zx, zy, want, NULL);
    bigint_ctx_destroy(ctx);
    cuda_stream_destroy(stream);
    cuda_leave(previous);
}

// Which plans have branches, and what they say; a high convolution beside the other one takes
// memory, and comes behind it again where a cap leaves none; so do groups of more than three
// primes. Mutations: branches of primes in turn; memory of both convolutions that is counted once.
TEST(DeviceBranches, Plans) {
    enum { WRAPS = (1 << 18) + 30000 };
    bigint_ctx *ctx = fixture_ctx(NULL);
    device_plan plan;
    ASSERT_TRUE(device_plan_whole(ctx, &plan, 1 << 14, 1 << 14, false, false));
    EXPECT_EQ(plan.branches, 1u);
    ASSERT_TRUE(device_plan_whole(ctx, &plan, 1 << 18, 1 << 18, false, false));
    EXPECT_TRUE(plan.branches == 3 && !device_beside(&plan) && !device_parts_late(&plan));
    ASSERT_TRUE(device_plan_whole(ctx, &plan, 1 << 20, 1 << 20, true, false));
    EXPECT_TRUE(plan.branches == 2 && device_parts_late(&plan));
    ASSERT_TRUE(device_plan_whole(ctx, &plan, 1 << 22, 1 << 22, false, false));
    EXPECT_EQ(plan.branches, 1u);
    ASSERT_TRUE(device_plan_whole(ctx, &plan, WRAPS, WRAPS, false, false));
    EXPECT_TRUE(plan.branches == 3 && device_beside(&plan));
    EXPECT_EQ(device_others(&plan), 3 * (device_plane(&plan) + 2 * fft_modular_plane(&plan.high)));
    char text[400];
    device_plan_print(ctx, &plan, text, sizeof text);
    EXPECT_TRUE(strstr(text, ", 3 branches") != NULL);
    const uint64_t beside = plan.workspace_bytes;
    bigint_ctx *capped = fixture_ctx(
        &(bigint_ctx_options){.max_workspace_bytes = device_held_bytes(ctx, &plan) - 1});
    ASSERT_TRUE(device_plan_whole(capped, &plan, WRAPS, WRAPS, false, false));
    EXPECT_TRUE(plan.branches == 1 && plan.modular.wrapped > 0);
    EXPECT_TRUE(plan.workspace_bytes < beside);
    device_plan_print(capped, &plan, text, sizeof text);
    EXPECT_TRUE(strstr(text, "branches") == NULL);
    bigint_ctx_destroy(capped);
    ctx->queue.forced.primes = 6;
    ASSERT_TRUE(device_plan_whole(ctx, &plan, 1 << 18, 1 << 18, false, false));
    EXPECT_EQ(plan.branches, 1u);
    ASSERT_TRUE(device_plan_whole(ctx, &plan, 1 << 21, 1 << 21, false, false));
    EXPECT_TRUE(device_groups_beside(&plan) && !device_parts_late(&plan));
    EXPECT_EQ(device_others(&plan), 6 * device_plane(&plan));
    capped = fixture_ctx(
        &(bigint_ctx_options){.max_workspace_bytes = device_held_bytes(ctx, &plan) - 1});
    capped->queue.forced.primes = 6;
    ASSERT_TRUE(device_plan_whole(capped, &plan, 1 << 21, 1 << 21, false, false));
    EXPECT_TRUE(plan.branches == 1 && !plan.in_turn);
    EXPECT_EQ(device_others(&plan), 3 * device_plane(&plan));
    bigint_ctx_destroy(capped);
    bigint_ctx_destroy(ctx);
}
