// The plans of products of integers in host memory: the bound on what they hold, and their line,
// for operands whole, in blocks and in kept blocks, with little memory and under caps.
#include <string.h>

#include "bigint/core/context.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

// shape: of a product, and what its context is made to choose. memory: of the device; 0: as it is.
typedef struct {
    uint64_t an, bn, memory, block;
    bool kept;
    uint32_t threads;
    const char *line;
} shape;

static bigint_ctx *context(const shape *s, uint64_t cap) {
    bigint_ctx *const ctx =
        fixture_ctx(&(bigint_ctx_options){.threads = s->threads, .max_workspace_bytes = cap});
    ctx->queue.forced.host_block = s->block;
    ctx->queue.forced.host_kept = s->kept;
    if (s->memory != 0) {
        ctx->device.about.memory_bytes = s->memory;
    }
    return ctx;
}

// peak: of the context and of those that it has made.
static uint64_t peak(const bigint_ctx *ctx) {
    const bigint_ctx *const all[] = {ctx, ctx->queue.carrier, ctx->queue.fetcher};
    uint64_t bytes = 0;
    for (int i = 0; i < 3; i++) {
        bytes += all[i] == NULL ? 0 : all[i]->counters.workspace_peak;
    }
    return bytes;
}

// expect_within: a product, or a square, keeps to the bound, also where that is the cap.
static void expect_within(const shape *s, uint64_t cap, bool square, uint64_t bound) {
    bigint_ctx *const ctx = context(s, cap), *host;
    bigint a = BIGINT_INIT, b = BIGINT_INIT, r = BIGINT_INIT;
    mpz_t x, y;
    gen g = gen_seed(s->an + s->bn);
    SCOPED_TRACE("cap %llu, square %d", (unsigned long long)cap, (int)square);
    ASSERT_EQ(bigint_ctx_create(&host, NULL, NULL), BIGINT_OK);
    mpz_inits(x, y, NULL);
    fixture_shape(&g, GEN_UNIFORM, x, s->an), fixture_shape(&g, GEN_UNIFORM, y, s->bn);
    fixture_set(host, &a, x), fixture_set(host, &b, y);
    EXPECT_EQ(bigint_mul(ctx, &r, &a, square ? &a : &b), BIGINT_OK);
    mpz_mul(x, x, square ? x : y);
    EXPECT_BIGINT(host, &r, x);
    EXPECT_TRUE(peak(ctx) <= bound);
    bigint_clear(host, &a), bigint_clear(host, &b), bigint_clear(host, &r);
    mpz_clears(x, y, NULL);
    bigint_ctx_destroy(ctx), bigint_ctx_destroy(host);
}

static void expect_shape(const shape *s) {
    const bigint_call call = {.kind = BIGINT_CALL_MUL_HOST, .an = s->an, .bn = s->bn};
    bigint_ctx *const ctx = context(s, 0);
    char line[700] = "";
    uint64_t bound = 0;
    SCOPED_TRACE("%llu by %llu limbs, blocks of %llu, %u threads", (unsigned long long)s->an,
                 (unsigned long long)s->bn, (unsigned long long)s->block, (unsigned)s->threads);
    EXPECT_EQ(bigint_call_workspace_bytes(ctx, &bound, &call), BIGINT_OK);
    EXPECT_EQ(bigint_call_explain(ctx, line, sizeof line, NULL, &call), BIGINT_OK);
    EXPECT_TRUE(strstr(line, s->line) != NULL);
    // 16 slots of 256 KiB and a line, in blocks for three contexts.
    const bool whole = strstr(s->line, "whole") != NULL;
    EXPECT_TRUE(strstr(line, whole ? " 4194368 pinned" : " 12583104 pinned") != NULL);
    bigint_ctx_destroy(ctx);
    for (int square = 0; square < (s->an == s->bn ? 2 : 1); square++) {
        expect_within(s, 0, square != 0, bound);
        expect_within(s, bound, square != 0, bound);
    }
}

// Mutations: the rings of one of the other contexts, or the long ring, are not counted; a plan's
// workspace without that of transforms, or of a sum; tables of the last blocks' products; a cap of
// which the other contexts take a part as well.
TEST(HostPlan, KeepsToItsBound) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const shape shapes[] = {
        {1, 1, 0, 0, false, 1, "sent and fetched whole by 1 thread;"},
        {700, 600, 0, 0, false, 4, "sent and fetched whole by 4 threads"},
        {900, 900, 0, 0, false, 1, "whole"},
        {80, 50, 0, 16, false, 1, "in 5 x 4 blocks of 16 limbs, 4 at a time, 1 products at once"},
        {64, 64, 0, 16, false, 3, "in 4 x 4 blocks of 16 limbs, 8 at a time"},
        {1000, 640, 0, 320, false, 1, "in 4 x 2 blocks of 320 limbs"},
        {160, 160, 0, 16, true, 1, "in 10 x 10 blocks of 16 limbs, kept as transforms, 19 columns"},
        {1300, 1000, 0, 400, true, 4, "in 4 x 3 blocks of 400 limbs, kept as transforms"},
        // Blocks as the library chooses them, where the device has little memory.
        {2000, 2000, 9 << 19, 0, false, 1, "in 3 x 3 blocks of 672 limbs"}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        expect_shape(&shapes[i]);
    }
}

// Mutation: a refusal without a text, or one that the call does not give.
TEST(HostPlan, RefusesWhatHasNoRoom) {
    if (!device_ready()) {
        SKIP("no device");
    }
    const shape s = {100, 90, 1 << 16, 0, false, 1, ""};
    const bigint_call call = {.kind = BIGINT_CALL_MUL_HOST, .an = s.an, .bn = s.bn};
    bigint_ctx *const ctx = context(&s, 0), *host;
    bigint a = BIGINT_INIT, r = BIGINT_INIT;
    uint64_t bytes;
    ASSERT_EQ(bigint_ctx_create(&host, NULL, NULL), BIGINT_OK);
    EXPECT_EQ(bigint_call_workspace_bytes(ctx, &bytes, &call), BIGINT_ENOMEM);
    EXPECT_TEXT(ctx, "100 by 90 limbs in host memory have no room on device 0");
    EXPECT_EQ(bigint_call_explain(ctx, NULL, 0, NULL, &call), BIGINT_ENOMEM);
    EXPECT_EQ(bigint_set_u64(host, &a, 3), BIGINT_OK);
    EXPECT_EQ(bigint_mul(ctx, &r, &a, &a), BIGINT_ENOMEM);
    EXPECT_TEXT(ctx, "1 by 1 limbs in host memory have no room on device 0");
    bigint_clear(host, &a), bigint_clear(host, &r);
    bigint_ctx_destroy(ctx), bigint_ctx_destroy(host);
}

// Plans alone. Mutations: a cap that no number of blocks keeps to; one more block at a time, which
// takes minutes under the small cap.
TEST(HostPlan, LongOnes) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const struct {
        uint64_t limbs, memory, cap;
        const char *line;
    } plans[] = {
        {(uint64_t)1 << 27, (uint64_t)1 << 36, 0, "in 4 x 4 blocks of 33554432 limbs, kept"},
        {(uint64_t)1 << 31, (uint64_t)1 << 36, 0, "at a time"},
        {(uint64_t)1 << 27, (uint64_t)1 << 36, (uint64_t)1 << 32, "at a time"},
        {(uint64_t)1 << 27, (uint64_t)1 << 36, (uint64_t)1 << 24, "at a time"}};
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
        const shape s = {plans[i].limbs, plans[i].limbs, plans[i].memory, 0, false, 1, ""};
        const bigint_call call = {.kind = BIGINT_CALL_MUL_HOST, .an = s.an, .bn = s.bn};
        bigint_ctx *const ctx = context(&s, plans[i].cap);
        char line[700] = "";
        uint64_t bytes = 0;
        SCOPED_TRACE("plan %u", (unsigned)i);
        EXPECT_EQ(bigint_call_explain(ctx, line, sizeof line, NULL, &call), BIGINT_OK);
        EXPECT_TRUE(strstr(line, plans[i].line) != NULL);
        EXPECT_EQ(bigint_call_workspace_bytes(ctx, &bytes, &call), BIGINT_OK);
        EXPECT_TRUE(bytes <= (plans[i].cap == 0 ? s.memory : plans[i].cap));
        bigint_ctx_destroy(ctx);
    }
}
