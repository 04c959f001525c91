// Contexts on a device: memory and failures. Nothing is allocated anew, the cap holds, what fails
// changes no output, device errors stick.
#include <stdio.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "bigint/core/device_memory.h"
#include "bigint/core/device_staging.h"
#include "tests/bigint/core/fixture.h"
#include "tests/bigint/device/operations.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

// Every allocation of device and of pinned memory fails once, then every one of the host's.
// Mutations: an allocation that is not looked at, an output made the result's before the last
// allocation, memory dropped on the way out, a failure that sticks.
TEST_EACH(DeviceMemory, EveryAllocationMayFail, operation, operations, operation_label) {
    if (!device_ready() || !device_faults(0, 0)) {
        return;  // a real one does not fail on demand
    }
    for (int on_host = 0; on_host < 2; on_host++) {
        int reached = 1;
        for (uint64_t k = 1; reached; k++) {
            SCOPED_TRACE("allocation %llu fails, host %d", (unsigned long long)k, on_host);
            ASSERT_TRUE(k < 100);
            const int64_t live = device_live();
            allocator_log log = {0};
            operands s;
            operation_open(&s, &log, p);
            log.fail_at = on_host ? log.calls + k : 0;
            device_faults(on_host ? 0 : k, 0);
            const bigint_status status = p->call(&s);
            reached = on_host ? log.calls >= log.fail_at : device_fault_came();
            log.fail_at = 0;
            device_faults(0, 0);
            EXPECT_TRUE(status == BIGINT_OK || (status == BIGINT_ENOMEM && reached));
            if (status != BIGINT_OK) {
                EXPECT_TEXT(s.ctx, "bigint_");
                EXPECT_TEXT(s.ctx, " bytes");
                operation_unchanged(&s);
                EXPECT_EQ(p->call(&s), BIGINT_OK);
            }
            operation_close(&s, &log, live);
        }
    }
}

// expect_host_works: a context on the host multiplies.
static void expect_host_works(void) {
    bigint_ctx *host = NULL;
    bigint x = BIGINT_INIT;
    const uint64_t limbs[] = {3, 1};
    uint64_t got[4];
    ASSERT_EQ(bigint_ctx_create(&host, NULL, NULL), BIGINT_OK);
    EXPECT_EQ(bigint_set_limbs(host, &x, limbs, 2, -1), BIGINT_OK);
    EXPECT_EQ(bigint_sqr(host, &x, &x), BIGINT_OK);
    EXPECT_EQ(bigint_get_limbs(host, got, 4, NULL, NULL, &x), BIGINT_OK);
    EXPECT_TRUE(got[0] == 9 && got[1] == 6 && got[2] == 1);
    bigint_clear(host, &x);
    bigint_ctx_destroy(host);
}

// Every call of the runtime fails once, for good. Mutations: a status that is not looked at, an
// error that does not stick, another text than the first, a leak, a crash in what follows; a host
// whose products fail with the device.
TEST_EACH(DeviceMemory, DeviceErrorsStick, operation, operations, operation_label) {
    if (!device_ready() || !device_faults(0, 0)) {
        return;  // a real one does not fail on demand
    }
    int reached = 1;
    for (uint64_t k = 1; reached; k++) {
        SCOPED_TRACE("call %llu fails", (unsigned long long)k);
        ASSERT_TRUE(k < 1000);
        const int64_t live = device_live();
        allocator_log log = {0};
        operands s;
        operation_open(&s, &log, p);
        device_faults(0, k);
        bigint_status status = p->call(&s);
        if (status == BIGINT_OK) {
            status = bigint_sync(s.ctx);
        }
        reached = device_fault_came();
        if (reached) {
            // cuda_leave returns no status: its error shows in the next call.
            status = status == BIGINT_OK ? bigint_set(s.ctx, &s.r, &s.b) : status;
            EXPECT_EQ(status, BIGINT_EDEVICE);
            EXPECT_TEXT(s.ctx, "cudaErrorLaunchFailure: unspecified launch failure");
            EXPECT_TEXT(s.ctx, "device 0");
            char first[300];
            snprintf(first, sizeof first, "%s", bigint_ctx_error(s.ctx));
            EXPECT_EQ(bigint_add(s.ctx, &s.r, &s.a, &s.b), BIGINT_EDEVICE);
            EXPECT_EQ(bigint_sync(s.ctx), BIGINT_EDEVICE);
            bigint_ctx_trim(s.ctx);
            EXPECT_EQ(bigint_ctx_error(s.ctx), first);
            expect_host_works();
        }
        operation_close(&s, &log, live);
        device_faults(0, 0);
    }
}

// Mutation: a context that could not be made leaks, or lets calls pass.
TEST(DeviceMemory, ContextCreationMayFail) {
    if (!device_ready() || !device_faults(0, 0)) {
        return;  // a real one does not fail on demand
    }
    bigint_device *device;
    ASSERT_EQ(bigint_device_open(&device, 0, NULL), BIGINT_OK);
    int reached = 1;
    for (uint64_t k = 1; reached; k++) {
        allocator_log log = {0};
        bigint_ctx *ctx = NULL;
        bigint x = BIGINT_INIT;
        device_faults(0, k);
        const bigint_status status = bigint_ctx_create(
            &ctx, device, &(bigint_ctx_options){.allocator = fixture_allocator(&log)});
        reached = device_fault_came();
        if (!reached) {
            device_faults(0, 0);
        }
        ASSERT_TRUE(ctx != NULL);
        EXPECT_TRUE(status == BIGINT_OK || (reached && status == BIGINT_EDEVICE));
        EXPECT_EQ(bigint_set_u64(ctx, &x, 1), reached ? BIGINT_EDEVICE : BIGINT_OK);
        bigint_clear(ctx, &x);
        bigint_ctx_destroy(ctx);
        EXPECT_EQ(log.live_blocks, 0u);
        device_faults(0, 0);
    }
    device_faults(0, 1);
    bigint_device *failed;
    EXPECT_EQ(bigint_device_open(&failed, 0, NULL), BIGINT_ENOBACKEND);
    EXPECT_TRUE(strstr(bigint_device_error(failed), "cudaErrorLaunchFailure") != NULL);
    device_faults(0, 0);
    bigint_device_close(failed);
    bigint_device_close(device);
}

// Mutation: workspace, staging or limbs are allocated anew although there is room.
TEST_EACH(DeviceMemory, RepeatAllocatesNothing, operation, operations, operation_label) {
    if (!device_ready()) {
        SKIP("no device");
    }
    const int64_t before = device_live();
    allocator_log log = {0};
    operands s;
    operation_open(&s, &log, p);
    EXPECT_EQ(p->call(&s), BIGINT_OK);
    EXPECT_EQ(p->call(&s), BIGINT_OK);
    bigint_counters second, last;
    bigint_ctx_counters(s.ctx, &second);
    const int64_t live = device_live();
    for (int i = 0; i < 5; i++) {
        EXPECT_EQ(p->call(&s), BIGINT_OK);
    }
    bigint_ctx_counters(s.ctx, &last);
    EXPECT_EQ(last.allocations, second.allocations + 5 * p->own);
    EXPECT_TRUE(last.allocations > log.calls);  // the device's are counted too
    EXPECT_EQ(last.workspace_bytes, second.workspace_bytes);
    EXPECT_EQ(bigint_sync(s.ctx), BIGINT_OK);
    EXPECT_TRUE(device_live() <= live);
    operation_close(&s, &log, before);
}

// Mutations: staging, words or the copy of an operand in place are not counted; the cap is not
// looked at; trim keeps something.
TEST(DeviceMemory, CapHolds) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static uint64_t ones[20000];
    memset(ones, 0xff, sizeof ones);
    int refused = 0;
    for (uint64_t cap = 100; cap < 1 << 20; cap *= 2) {
        SCOPED_TRACE("cap %llu", (unsigned long long)cap);
        bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.max_workspace_bytes = cap});
        bigint x = BIGINT_INIT;
        bigint_counters counters;
        const bigint_status status = bigint_set_limbs(ctx, &x, ones, 20000, 1);
        if (status == BIGINT_OK) {
            mpz_t z;
            mpz_init(z);
            mpz_import(z, 20000, -1, 8, 0, 0, ones);
            mpz_mul_2exp(z, z, 1);
            // In place, by a copy of 160000 bytes or into new limbs.
            EXPECT_EQ(bigint_mul_2exp(ctx, &x, &x, 1), BIGINT_OK);
            EXPECT_EQ(bigint_mul_2exp(ctx, &x, &x, 64), BIGINT_OK);
            EXPECT_EQ(bigint_tdiv_2exp(ctx, &x, &x, 64), BIGINT_OK);
            EXPECT_BIGINT(ctx, &x, z);
            mpz_clear(z);
        } else {
            EXPECT_EQ(status, BIGINT_ENOMEM);
            EXPECT_TEXT(ctx, "max_workspace_bytes");
            refused++;
        }
        bigint_ctx_counters(ctx, &counters);
        EXPECT_TRUE(counters.workspace_peak <= cap);
        bigint_ctx_trim(ctx);
        bigint_ctx_counters(ctx, &counters);
        EXPECT_EQ(counters.workspace_bytes, 0u);
        bigint_clear(ctx, &x);
        bigint_ctx_destroy(ctx);
    }
    EXPECT_TRUE(refused > 3 && refused < 10);
}

// Caps from what the call holds without one down to nothing: it succeeds within the cap, or says so
// and changes nothing. Mutations: memory that is not counted, an output written before the last
// allocation, a call that fails without a text.
TEST_EACH(DeviceMemory, CapOfEveryCall, operation, operations, operation_label) {
    if (!device_ready()) {
        SKIP("no device");
    }
    const int64_t live = device_live();
    uint64_t cap = 0;
    do {
        SCOPED_TRACE("cap %llu", (unsigned long long)cap);
        allocator_log log = {0};
        operands s;
        operation_open(&s, &log, p);
        s.ctx->options.max_workspace_bytes = cap;
        s.ctx->counters.workspace_peak = s.ctx->counters.workspace_bytes;
        const bigint_status status = p->call(&s);
        const uint64_t peak = s.ctx->counters.workspace_peak;
        // A batch that is refused lifts the cap to look at its results.
        EXPECT_TRUE(s.ctx->options.max_workspace_bytes == 0 || peak <= cap);
        s.ctx->options.max_workspace_bytes = 0;
        if (status != BIGINT_OK) {
            EXPECT_TRUE(cap != 0 && status == BIGINT_ENOMEM);
            EXPECT_TEXT(s.ctx, "cap");
            operation_unchanged(&s);
        }
        operation_close(&s, &log, live);
        cap = cap == 0 ? peak : cap / 2;
    } while (cap > 0);
}

// The arena in device memory, as arena_test.c tests the host's. Mutation: a block is used beyond
// its end, or given back while it is in use.
TEST(DeviceMemory, ArenaOnTheDevice) {
    if (!device_ready()) {
        SKIP("no device");
    }
    bigint_ctx *ctx = fixture_ctx(NULL);
    arena *s = &ctx->queue.memory;
    uint64_t allocations = 0;
    for (int round = 0; round < 4; round++) {
        const arena_mark outer = arena_mark_in(s);
        unsigned char *first = arena_take_in(ctx, s, "test", 1000);
        unsigned char *second = arena_take_in(ctx, s, "test", 100000);
        ASSERT_TRUE(first != NULL && second != NULL);
        EXPECT_EQ((uintptr_t)first % 256 + (uintptr_t)second % 256, (uintptr_t)0);
        EXPECT_EQ(cuda_set(first, 1, 1000, ctx->queue.stream), RESULT_OK);
        EXPECT_EQ(cuda_set(second, 2, 100000, ctx->queue.stream), RESULT_OK);
        const arena_mark inner = arena_mark_in(s);
        EXPECT_TRUE(arena_take_in(ctx, s, "test", 50000) != NULL);
        arena_release_in(ctx, s, inner);
        uint64_t words[2] = {0, 0};
        EXPECT_EQ(device_staging_need(ctx, "test"), BIGINT_OK);
        EXPECT_EQ(device_fetch(ctx, "test", &words[0], (uint64_t *)(first + 992), 1), BIGINT_OK);
        EXPECT_EQ(device_fetch(ctx, "test", &words[1], (uint64_t *)(second + 99992), 1), BIGINT_OK);
        EXPECT_TRUE(words[0] == UINT64_C(0x0101010101010101) &&
                    words[1] == UINT64_C(0x0202020202020202));
        arena_release_in(ctx, s, outer);
        EXPECT_EQ(s->in_use, 0u);
        bigint_counters counters;
        bigint_ctx_counters(ctx, &counters);
        EXPECT_TRUE(round < 2 || counters.allocations == allocations);
        allocations = counters.allocations;
    }
    bigint_ctx_destroy(ctx);
}

// Blocks of lent memory, counted and then lent: of three, the middle one is released, and makes
// room for two shorter ones, not for a longer one; the last of too many is refused.
// Mutations: blocks that overlap; a gap that is not found; the sum counted; a block that is lent
// taken for the allocator's.
TEST(DeviceMemory, LentMemoryIsUsedAgain) {
    if (!device_ready()) {
        SKIP("no device");
    }
    bigint_ctx *const ctx = fixture_ctx(NULL);
    static unsigned char memory[4096];
    for (unsigned pass = 0; pass < 2; pass++) {
        device_lent lent = {.memory = pass == 0 ? NULL : memory, .bytes = sizeof memory};
        void *blocks[6];
        ctx->queue.lent = &lent;
        for (unsigned i = 0; i < 3; i++) {
            blocks[i] = device_allocate(ctx, 500);
        }
        EXPECT_EQ(lent.used, 1536u);
        device_release(ctx, MEMORY_DEVICE, blocks[1]);
        blocks[3] = device_allocate(ctx, 600);
        blocks[4] = device_allocate(ctx, 256);
        blocks[5] = device_allocate(ctx, 1);
        EXPECT_EQ(lent.used, 1536u + 768u);
        if (pass == 1) {
            EXPECT_TRUE(blocks[3] == memory + 1536 && blocks[4] == memory + 512);
            EXPECT_TRUE(blocks[5] == memory + 768 && blocks[2] == memory + 1024);
            EXPECT_TRUE(device_allocate(ctx, 4096 - 2304 + 1) == NULL);
        }
        static const unsigned live[] = {0, 2, 3, 4, 5};
        for (unsigned i = 0; i < sizeof live / sizeof *live; i++) {
            device_release(ctx, MEMORY_DEVICE, blocks[live[i]]);
        }
        ctx->queue.lent = NULL;
    }
    device_lent lent = {0};
    void *many[LENT_BLOCKS + 1];
    ctx->queue.lent = &lent;
    for (unsigned i = 0; i <= LENT_BLOCKS; i++) {
        EXPECT_TRUE(lent.used < DEVICE_LENT_REFUSED);
        many[i] = device_allocate(ctx, 8);
    }
    EXPECT_TRUE(lent.used == DEVICE_LENT_REFUSED);
    for (unsigned i = 0; i <= LENT_BLOCKS; i++) {
        device_release(ctx, MEMORY_DEVICE, many[i]);
    }
    ctx->queue.lent = NULL;
    bigint_ctx_destroy(ctx);
}
