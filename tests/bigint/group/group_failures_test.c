// group_failures_test.c: calls on a group of one process that fail: allocations, contexts, caps,
// members that hang, forked children.
#include <gmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/bigint_gmp.h"
#include "tests/bigint/core/fixture.h"
#include "tests/bigint/group/groups.h"
#include "tests/ctest/ctest.h"
#include "tests/support/child.h"
#include "tests/support/gen.h"

// failing: the calls that allocate, on operands of which the third has no room yet.
typedef bigint_status failing(bigint_ctx *ctx, bigint *r, const bigint *a, const bigint *b);
static bigint_status shift(bigint_ctx *ctx, bigint *r, const bigint *a, const bigint *b) {
    (void)b;
    return bigint_mul_2exp(ctx, r, a, 64 * 1000 + 7);
}
static bigint_status copy(bigint_ctx *ctx, bigint *r, const bigint *a, const bigint *b) {
    (void)b;
    return bigint_set(ctx, r, a);
}
static bigint_status quotient(bigint_ctx *ctx, bigint *r, const bigint *a, const bigint *b) {
    return bigint_divrem(ctx, r, NULL, a, b);
}

// Every allocation fails once, in whatever member makes it, while the threads run in another order
// each time: one status for all, r keeps its value, the context goes on working, nothing leaks.
// Mutations: members do not agree before they write; a member that failed leaves the others
// waiting; a failure is remembered by the next call.
TEST(Failures, FailingAllocations) {
    static failing *const calls[] = {bigint_mul, bigint_add, bigint_sub, shift, copy, quotient};
    for (unsigned k = 0; k < sizeof calls / sizeof calls[0]; k++) {
        bigint_status status = BIGINT_ENOMEM;
        for (uint64_t fail_at = 1; status == BIGINT_ENOMEM; fail_at++) {
            SCOPED_TRACE("call %u, allocation %llu", k, (unsigned long long)fail_at);
            jitter j = {.state = fail_at};
            const bigint_ctx_options options = {.allocator = groups_jitter(&j), .timeout_s = 60};
            bigint_ctx *const ctx = group_of(3, &options);
            bigint a = BIGINT_INIT, b = BIGINT_INIT, r = BIGINT_INIT;
            uint64_t p[900];
            memset(p, 0x5a, sizeof p);
            EXPECT_EQ(bigint_set_limbs(ctx, &a, p, 900, 1), BIGINT_OK);
            EXPECT_EQ(bigint_set_limbs(ctx, &b, p + 1, 300, 1), BIGINT_OK);
            EXPECT_EQ(bigint_set_u64(ctx, &r, 42), BIGINT_OK);
            j.log.fail_at = j.log.calls + fail_at;
            status = calls[k](ctx, &r, &a, &b);
            EXPECT_TRUE(status == BIGINT_OK || status == BIGINT_ENOMEM);
            if (status != BIGINT_OK) {
                EXPECT_TRUE(group_has_word(ctx, &r, 42));
                EXPECT_TRUE(strlen(bigint_ctx_error(ctx)) > 10);
                EXPECT_EQ(calls[k](ctx, &r, &a, &b), BIGINT_OK);
            }
            bigint_clear(ctx, &a), bigint_clear(ctx, &b), bigint_clear(ctx, &r);
            bigint_ctx_destroy(ctx);
            EXPECT_EQ(j.log.live_blocks, 0u);
        }
        EXPECT_EQ(status, BIGINT_OK);
    }
}

// The context itself: every allocation fails once.
TEST(Failures, FailingContext) {
    bigint_status status = BIGINT_ENOMEM;
    for (uint64_t fail_at = 1; status == BIGINT_ENOMEM; fail_at++) {
        allocator_log log = {.fail_at = fail_at};
        const bigint_ctx_options options = {.allocator = fixture_allocator(&log), .threads = 6};
        static const int places[] = {BIGINT_HOST, BIGINT_HOST, BIGINT_HOST};
        bigint_device *device;
        bigint_ctx *ctx;
        EXPECT_EQ(bigint_device_open_group(&device, places, 3, NULL), BIGINT_OK);
        status = bigint_ctx_create(&ctx, device, &options);
        bigint_device_close(device);
        bigint x = BIGINT_INIT;
        if (ctx != NULL && status != BIGINT_OK) {
            EXPECT_EQ(bigint_set_u64(ctx, &x, 1), status);
        }
        bigint_ctx_destroy(ctx);
        EXPECT_EQ(log.live_blocks, 0u);
    }
    EXPECT_EQ(status, BIGINT_OK);
}

// A cap that one product does not fit: the text names a member and the cap.
TEST(Failures, Cap) {
    const bigint_ctx_options options = {.max_workspace_bytes = 1 << 16};
    bigint_ctx *const ctx = group_of(2, &options);
    bigint a = BIGINT_INIT, r = BIGINT_INIT;
    EXPECT_EQ(bigint_set_u64(ctx, &a, 3), BIGINT_OK);
    EXPECT_EQ(bigint_mul_2exp(ctx, &a, &a, 64 * 20000), BIGINT_ENOMEM);
    EXPECT_TEXT(ctx, "bigint_mul_2exp: member 0 of the group:");
    EXPECT_TEXT(ctx, "exceed the cap");
    bigint_clear(ctx, &a), bigint_clear(ctx, &r);
    bigint_ctx_destroy(ctx);
}

// A member that hangs for longer than timeout_s ends the call of all, for good; a new context
// works. Mutations: the timeout is not the options'; a member that was lost is forgotten.
TEST(Failures, Hang) {
    jitter j = {.state = 1};
    const bigint_ctx_options options = {.allocator = groups_jitter(&j), .timeout_s = 0.7};
    bigint_ctx *ctx = group_of(3, &options);
    bigint a = BIGINT_INIT, r = BIGINT_INIT;
    EXPECT_EQ(bigint_set_u64(ctx, &a, 3), BIGINT_OK);
    EXPECT_EQ(bigint_set_u64(ctx, &r, 1), BIGINT_OK);
    j.hang_at = j.log.calls + 1;
    EXPECT_EQ(bigint_mul_2exp(ctx, &r, &a, 64 * 5000), BIGINT_EPEER);
    EXPECT_TEXT(ctx, "bigint_mul_2exp: member ");
    EXPECT_EQ(bigint_add(ctx, &r, &a, &a), BIGINT_EPEER);
    bigint_clear(ctx, &a), bigint_clear(ctx, &r);
    bigint_ctx_destroy(ctx);
    ctx = group_of(3, &options);
    EXPECT_EQ(bigint_set_u64(ctx, &a, 3), BIGINT_OK);
    EXPECT_TRUE(group_has_word(ctx, &a, 3));
    bigint_clear(ctx, &a);
    bigint_ctx_destroy(ctx);
    EXPECT_EQ(j.log.live_blocks, 0u);
}

static void in_child(void *arg) {
    bigint_ctx *const ctx = arg;
    bigint x = BIGINT_INIT;
    EXPECT_EQ(bigint_set_u64(ctx, &x, 1), BIGINT_EPEER);
    EXPECT_TEXT(ctx, "was forked from it");
    bigint_ctx_destroy(ctx);
    bigint_ctx *const fresh = group_of(2, NULL);
    EXPECT_EQ(bigint_set_u64(fresh, &x, 1), BIGINT_OK);
    bigint_clear(fresh, &x);
    bigint_ctx_destroy(fresh);
}

TEST(Failures, Fork) {
    bigint_ctx *const ctx = group_of(3, NULL);
    bigint x = BIGINT_INIT;
    EXPECT_EQ(bigint_set_u64(ctx, &x, 1), BIGINT_OK);
    EXPECT_CHILD(in_child, ctx);
    EXPECT_TRUE(group_has_word(ctx, &x, 1));
    bigint_clear(ctx, &x);
    bigint_ctx_destroy(ctx);
}
