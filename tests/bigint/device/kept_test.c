// Long blocks of host memory that contexts on a device keep when they free them.
#include "bigint/core/kept.h"

#include <stdlib.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "bigint/core/device_queue.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/child.h"
#include "tests/support/device.h"

enum { LONG = KEPT_FROM / 8, FIRST = 0x5a5a };

// draw: x = a number of n limbs on the device, of which the first tells it from others.
static void draw(bigint_ctx *ctx, bigint *x, uint64_t n, uint64_t first) {
    uint64_t *const limbs = calloc(n, sizeof *limbs);
    EXPECT_TRUE(limbs != NULL);
    limbs[0] = first;
    limbs[n - 1] = 1;
    EXPECT_EQ(bigint_set_limbs(ctx, x, limbs, n, 1), BIGINT_OK);
    free(limbs);
}

static uint64_t kept_bytes(const bigint_ctx *ctx) {
    uint64_t bytes = 0;
    for (int i = 0; i < KEPT_BLOCKS; i++) {
        bytes += ctx->queue.kept[i].bytes;
    }
    return bytes;
}

// Moves to and from the device use the same block each time. Mutations: nothing is kept; a block
// that is in use is given away, or one that is too short; another size is told than it has.
TEST(DeviceKept, MovesReuseBlocks) {
    if (!device_ready()) {
        SKIP("no device");
    }
    bigint_ctx *const ctx = fixture_ctx(NULL);
    bigint x = BIGINT_INIT, y = BIGINT_INIT;
    draw(ctx, &x, LONG, FIRST), draw(ctx, &y, LONG, FIRST + 1);
    EXPECT_EQ(bigint_move(ctx, &x, BIGINT_HOST), BIGINT_OK);
    const bigint_limb *const block = x.d_;
    const uint64_t cap = x.cap_;
    EXPECT_EQ(kept_bytes(ctx), 0u);
    EXPECT_EQ(bigint_move(ctx, &x, 0), BIGINT_OK);
    EXPECT_EQ(kept_bytes(ctx), 8 * cap);
    EXPECT_EQ(bigint_move(ctx, &y, BIGINT_HOST), BIGINT_OK);
    EXPECT_TRUE(y.d_ == block && y.cap_ == cap);
    EXPECT_EQ(kept_bytes(ctx), 0u);
    EXPECT_EQ(bigint_move(ctx, &x, BIGINT_HOST), BIGINT_OK);  // beside y
    EXPECT_TRUE(x.d_ != y.d_);
    EXPECT_EQ(x.d_[0], (uint64_t)FIRST);
    EXPECT_EQ(y.d_[0], (uint64_t)FIRST + 1);
    EXPECT_TRUE(x.d_[LONG - 1] == 1 && y.d_[LONG - 1] == 1 && y.d_[1] == 0);
    EXPECT_EQ(bigint_move(ctx, &x, 0), BIGINT_OK);
    EXPECT_EQ(bigint_move(ctx, &y, 0), BIGINT_OK);
    bigint_clear(ctx, &x), bigint_clear(ctx, &y);
    EXPECT_EQ(kept_bytes(ctx), 16 * cap);
    bigint_ctx_trim(ctx);
    EXPECT_EQ(kept_bytes(ctx), 0u);
    bigint_ctx_destroy(ctx);
}

// Of more blocks than are kept the longest stay, and numbers far shorter take none of them. Short
// blocks are not kept. Mutations: the newest replaces a longer one; any block that is long enough
// is taken, and its memory is lost to a short number; the last one of the list is never looked at.
TEST(DeviceKept, WhichBlocks) {
    if (!device_ready()) {
        SKIP("no device");
    }
    bigint_ctx *const ctx = fixture_ctx(NULL);
    for (uint64_t i = 0; i <= KEPT_BLOCKS; i++) {
        const uint64_t bytes = KEPT_FROM * (i + 1);
        EXPECT_TRUE(kept_give(ctx, own_allocate(NULL, bytes), bytes));
    }
    void *const least = own_allocate(NULL, KEPT_FROM);
    EXPECT_FALSE(kept_give(ctx, least, KEPT_FROM));
    own_release(NULL, least, KEPT_FROM);
    uint64_t bytes = KEPT_FROM;
    EXPECT_TRUE(kept_take(ctx, &bytes) == NULL);  // half of the smallest
    bytes = UINT64_C(4) * KEPT_FROM;
    void *const four = kept_take(ctx, &bytes);  // exactly
    EXPECT_TRUE(four != NULL);
    EXPECT_EQ(bytes, UINT64_C(4) * KEPT_FROM);
    void *const five = kept_take(ctx, &bytes);  // the next longer one
    EXPECT_TRUE(five != NULL);
    EXPECT_EQ(bytes, UINT64_C(5) * KEPT_FROM);
    memset(five, 1, bytes);
    EXPECT_TRUE(kept_take(ctx, &bytes) == NULL);
    EXPECT_TRUE(kept_give(ctx, four, UINT64_C(4) * KEPT_FROM) && kept_give(ctx, five, bytes));
    bigint x = BIGINT_INIT;
    draw(ctx, &x, 1000, FIRST);
    EXPECT_EQ(bigint_move(ctx, &x, BIGINT_HOST), BIGINT_OK);
    EXPECT_EQ(bigint_move(ctx, &x, 0), BIGINT_OK);
    EXPECT_EQ(kept_bytes(ctx), UINT64_C(14) * KEPT_FROM);
    bigint_clear(ctx, &x);
    bigint_ctx_destroy(ctx);
}

// A user's allocator gets back what it gave, at once. Contexts on the host keep nothing. Mutation:
// kept all the same.
TEST(DeviceKept, OwnAllocatorAlone) {
    if (!device_ready()) {
        SKIP("no device");
    }
    allocator_log log = {0};
    const bigint_ctx_options options = {.allocator = fixture_allocator(&log)};
    bigint_ctx *const ctx = fixture_ctx(&options);
    const uint64_t live = log.live_blocks;
    bigint x = BIGINT_INIT;
    draw(ctx, &x, LONG, FIRST);
    EXPECT_EQ(bigint_move(ctx, &x, BIGINT_HOST), BIGINT_OK);
    EXPECT_EQ(log.live_blocks, live + 1);
    EXPECT_EQ(bigint_move(ctx, &x, 0), BIGINT_OK);
    EXPECT_EQ(log.live_blocks, live);
    bigint_clear(ctx, &x);
    bigint_ctx_destroy(ctx);
    bigint_ctx *host = NULL;
    EXPECT_EQ(bigint_ctx_create(&host, NULL, NULL), BIGINT_OK);
    draw(host, &x, LONG, FIRST);
    bigint_clear(host, &x);
    EXPECT_EQ(kept_bytes(host), 0u);
    bigint_ctx_destroy(host);
}

static void trim_in_child(void *arg) {
    bigint_ctx *const ctx = arg;
    device_faults(0, 1);
    bigint_ctx_trim(ctx);
    EXPECT_EQ(kept_bytes(ctx), 0u);
    EXPECT_TRUE(ctx->queue.carrier == NULL && ctx->queue.fetcher == NULL);
    EXPECT_FALSE(device_fault_came());
    bigint_ctx_destroy(ctx);
}

// multiply_in_blocks: a product in host memory, for which the context keeps a second one.
static void multiply_in_blocks(bigint_ctx *ctx) {
    bigint_ctx *host = NULL;
    bigint x = BIGINT_INIT, r = BIGINT_INIT;
    EXPECT_EQ(bigint_ctx_create(&host, NULL, NULL), BIGINT_OK);
    draw(host, &x, 64, FIRST), draw(host, &r, 1, FIRST);
    ctx->queue.forced.host_block = 16;
    EXPECT_EQ(bigint_mul(ctx, &r, &x, &x), BIGINT_OK);
    EXPECT_EQ(bigint_limbs_bound(&r), 127u);
    EXPECT_TRUE(ctx->queue.carrier != NULL && ctx->queue.fetcher != NULL);
    bigint_clear(host, &x), bigint_clear(host, &r);
    bigint_ctx_destroy(host);
}

// A forked child frees its copy, and the second context, and the parent's stay. Mutations: kept
// blocks are forgotten there with CUDA's objects; the second context waits for its stream there.
TEST(DeviceKept, Fork) {
    if (!device_ready()) {
        SKIP("no device");
    }
    bigint_ctx *const ctx = fixture_ctx(NULL);
    unsigned char *const p = own_allocate(NULL, KEPT_FROM);
    EXPECT_TRUE(kept_give(ctx, p, KEPT_FROM));
    multiply_in_blocks(ctx);
    EXPECT_CHILD(trim_in_child, ctx);
    multiply_in_blocks(ctx);
    uint64_t bytes = KEPT_FROM;
    EXPECT_TRUE(kept_take(ctx, &bytes) == p);
    memset(p, 1, bytes);
    own_release(NULL, p, bytes);
    bigint_ctx_destroy(ctx);
}
