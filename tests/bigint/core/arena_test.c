// The arena: what a take gives, what a release gives back, and what is held meanwhile.
#include <stdlib.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"

enum { DEPTH = 12 };

// Random takes in nested marks; every piece is filled, and must keep what was written until its
// mark is released. Mutations: a block is used beyond its end, a released piece is given out while
// its neighbour lives, the height of a block is not restored, pieces are not aligned.
TEST(Arena, NestedTakes) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(15);
    for (int round = 0; round < 300; round++) {
        arena_mark marks[DEPTH];
        unsigned char *pieces[DEPTH];
        size_t sizes[DEPTH];
        int depth = 0;
        for (int step = 0; step < 60; step++) {
            if (depth < DEPTH && gen_below(&g, 3) != 0) {
                sizes[depth] = gen_below(&g, 8) == 0 ? 0 : gen_size(&g, 1, 50000);
                marks[depth] = arena_get_mark(ctx);
                pieces[depth] = arena_take(ctx, "test", sizes[depth]);
                ASSERT_TRUE(pieces[depth] != NULL);
                EXPECT_EQ((uintptr_t)pieces[depth] % 64, (uintptr_t)0);
                memset(pieces[depth], depth + 1, sizes[depth]);
                depth++;
            } else if (depth > 0) {
                depth--;
                for (size_t i = 0; i < sizes[depth]; i++) {
                    ASSERT_EQ(pieces[depth][i], depth + 1);
                }
                arena_release(ctx, marks[depth]);
            }
        }
        if (depth > 0) {
            arena_release(ctx, marks[0]);
        }
        EXPECT_EQ(ctx->arena.in_use, 0u);
    }
    bigint_ctx_destroy(ctx);
}

// What a sequence of takes needed at once is one block afterwards, and no larger than that. The
// sequence alternates, so that a count that is not restored grows. Mutations: in_use or its peak is
// not restored, blocks are kept apart, the merged block has slack.
TEST(Arena, MergesToThePeak) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint_counters counters;
    uint64_t allocations = 0;
    for (int round = 0; round < 6; round++) {
        const arena_mark outer = arena_get_mark(ctx);
        EXPECT_TRUE(arena_take(ctx, "test", 10000) != NULL);
        for (int i = 0; i < 20; i++) {
            const arena_mark inner = arena_get_mark(ctx);
            EXPECT_TRUE(arena_take(ctx, "test", 100000) != NULL);
            EXPECT_TRUE(arena_take(ctx, "test", 50000) != NULL);
            arena_release(ctx, inner);
        }
        arena_release(ctx, outer);
        bigint_ctx_counters(ctx, &counters);
        EXPECT_TRUE(counters.workspace_bytes >= 160000);
        EXPECT_TRUE(counters.workspace_bytes <= 160000 + 4 * 64);
        allocations = round == 0 ? counters.allocations : allocations;
        EXPECT_EQ(counters.allocations, allocations);
    }
    bigint_ctx_destroy(ctx);
}

// Mutations: what is held does not count against the cap, idle blocks do, slack is refused though
// the bytes themselves would fit.
TEST(Arena, Cap) {
    allocator_log log = {0};
    bigint_ctx *ctx = fixture_ctx(
        &(bigint_ctx_options){.max_workspace_bytes = 102400, .allocator = fixture_allocator(&log)});
    const uint64_t before = log.live_bytes;
    const arena_mark empty = arena_get_mark(ctx);
    EXPECT_TRUE(arena_take(ctx, "test", 60000) != NULL);
    EXPECT_TRUE(arena_take(ctx, "test_call", 50000) == NULL);
    EXPECT_TEXT(ctx, "test_call");
    EXPECT_TEXT(ctx, "the cap of 102400");
    arena_release(ctx, empty);
    EXPECT_TRUE(arena_make_room(ctx, &ctx->arena, 50048 + 40000));
    EXPECT_TRUE(arena_take(ctx, "test", 50000) != NULL);
    EXPECT_TRUE(arena_take(ctx, "test", 40000) != NULL);
    arena_release(ctx, empty);
    EXPECT_FALSE(arena_make_room(ctx, &ctx->arena, 102400));
    EXPECT_FALSE(arena_make_room(ctx, &ctx->arena, UINT64_MAX));
    void *tables = workspace_allocate(ctx, "test", MEMORY_HOST, 30000);  // beside an idle arena
    EXPECT_TRUE(tables != NULL);
    EXPECT_TRUE(arena_take(ctx, "test", 80000) == NULL);
    workspace_release(ctx, MEMORY_HOST, tables, 30000);
    EXPECT_TRUE(arena_take(ctx, "test", 102400 - 64) != NULL);  // the block's header
    EXPECT_TRUE(log.live_bytes - before <= 102400);
    EXPECT_TRUE(log.peak_bytes - before <= 102400);
    arena_release(ctx, empty);
    EXPECT_TRUE(arena_take(ctx, "test", 102400) == NULL);
    EXPECT_TRUE(arena_take(ctx, "test", UINT64_MAX) == NULL);
    EXPECT_TRUE(arena_take_limbs(ctx, "test", UINT64_MAX / 8 + 2) == NULL);
    bigint_ctx_destroy(ctx);
    EXPECT_EQ(log.live_blocks, 0u);
}

// Mutation: the rounding of a block is not the one that is announced.
TEST(Arena, HeldBytes) {
    for (uint64_t bytes = 0; bytes < (uint64_t)1 << 40; bytes = bytes * 5 / 3 + 1) {
        const uint64_t held = arena_held_bytes(bytes);
        SCOPED_TRACE("%llu bytes", (unsigned long long)bytes);
        EXPECT_TRUE(held >= bytes + 64);
        EXPECT_TRUE(held <= bytes + 128 + 4096 || held - 128 - bytes <= bytes / 32);
        if (bytes < 10000000) {
            bigint_ctx *ctx = fixture_ctx(NULL);
            bigint_counters counters;
            EXPECT_TRUE(arena_take(ctx, "test", bytes) != NULL);
            bigint_ctx_counters(ctx, &counters);
            EXPECT_EQ(counters.workspace_bytes, held);
            arena_release(ctx, (arena_mark){0});
            bigint_ctx_destroy(ctx);
        }
    }
}

// Blocks around the size from which huge pages are asked for: aligned, all of them writable, and no
// two alike. Mutations: the address of malloc's block is kept inside ours, or released in its
// place; a block ends where malloc's does not; a size that wraps around is served.
TEST(Memory, LargeBlocks) {
    enum { HUGE_PAGE = 2 << 20, LARGE = 4 * HUGE_PAGE };
    const size_t sizes[] = {LARGE - 1, LARGE, LARGE + 1, LARGE + HUGE_PAGE - 8, 3 * LARGE};
    enum { COUNT = sizeof sizes / sizeof *sizes };
    for (int round = 0; round < 3; round++) {
        unsigned char *p[COUNT];
        for (size_t i = 0; i < COUNT; i++) {
            p[i] = own_allocate(NULL, sizes[i]);
            ASSERT_TRUE(p[i] != NULL);
            EXPECT_EQ((uintptr_t)p[i] % (sizes[i] < LARGE ? 64 : HUGE_PAGE), (uintptr_t)0);
            memset(p[i], (int)i + 1, sizes[i]);
        }
        for (size_t i = 0; i < COUNT; i++) {
            EXPECT_EQ(p[i][0], (int)i + 1);
            EXPECT_EQ(p[i][sizes[i] - 1], (int)i + 1);
            own_release(NULL, p[i], sizes[i]);
        }
    }
    EXPECT_TRUE(own_allocate(NULL, SIZE_MAX - HUGE_PAGE / 2) == NULL);
    own_release(NULL, NULL, LARGE);
}
