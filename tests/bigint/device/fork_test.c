// Forked children of a process with contexts on a device: CUDA does not survive the fork. Every
// call says so, nothing of CUDA is called, and what the host holds can be freed.
#include <string.h>

#include "bigint/core/context.h"
#include "tests/bigint/core/fixture.h"
#include "tests/bigint/device/operations.h"
#include "tests/ctest/ctest.h"
#include "tests/support/child.h"
#include "tests/support/device.h"

typedef struct {
    operands *s;
    const operation *operation;
    const allocator_log *log;
} inherited;

static void expect_refused(bigint_ctx *ctx, bigint_status status) {
    EXPECT_EQ(status, BIGINT_EDEVICE);
    EXPECT_TEXT(ctx, "opened device 0");
    EXPECT_TEXT(ctx, "was forked from it: CUDA does not survive a fork");
}

static void call_in_child(void *arg) {
    const inherited *const h = arg;
    operands *const s = h->s;
    device_faults(0, 1);  // under the emulation, which a fork does not harm, CUDA fails as well
    expect_refused(s->ctx, h->operation->call(s));
    EXPECT_EQ(bigint_sync(s->ctx), BIGINT_EDEVICE);
    bigint_ctx_trim(s->ctx);
    bigint *const all[] = {&s->a, &s->b, &s->m, &s->e, &s->r};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        bigint_clear(s->ctx, all[i]);
        EXPECT_EQ(bigint_limbs_bound(all[i]), 0u);
    }
    bigint_ctx_destroy(s->ctx);
    EXPECT_EQ(h->log->live_blocks, 0u);
    EXPECT_FALSE(device_fault_came());  // no function of the runtime was called
}

// Mutations: a call that reaches CUDA, or pinned memory, which may not be mapped; a text without
// the cause; memory of the host that is lost; a parent whose device is harmed.
TEST_EACH(DeviceFork, EveryCall, operation, operations, operation_label) {
    if (!device_ready()) {
        SKIP("no device");
    }
    const int64_t live = device_live();
    allocator_log log = {0};
    operands s;
    operation_open(&s, &log, p);
    EXPECT_EQ(p->call(&s), BIGINT_OK);  // with tables, staging, words and graphs
    EXPECT_EQ(p->call(&s), BIGINT_OK);
    EXPECT_EQ(p->call(&s), BIGINT_OK);
    EXPECT_CHILD(call_in_child, (&(inherited){&s, p, &log}));
    EXPECT_EQ(p->call(&s), BIGINT_OK);
    EXPECT_EQ(bigint_sync(s.ctx), BIGINT_OK);
    operation_close(&s, &log, live);
}

// owner: a context with threads, and a device to make others on.
typedef struct {
    bigint_device *device;
    bigint_ctx *ctx;
    bigint_prep *prep;
    bigint x;
} owner;

static void questions_in_child(void *arg) {
    owner *const o = arg;
    device_faults(0, 1);
    bigint_ctx *ctx = NULL, *host = NULL;
    char line[200];
    uint64_t bytes = 3;
    int order = 2;
    expect_refused(o->ctx, bigint_explain(o->ctx, line, sizeof line, NULL, 10, 10));
    EXPECT_TEXT(o->ctx, "bigint_explain: process ");
    EXPECT_EQ(bigint_sync(o->ctx), BIGINT_EDEVICE);
    EXPECT_EQ(bigint_move(o->ctx, &o->x, BIGINT_HOST), BIGINT_EDEVICE);
    EXPECT_EQ(bigint_workspace_bytes(o->ctx, &bytes, 10, 10), BIGINT_EDEVICE);
    EXPECT_EQ(bytes, 3u);
    EXPECT_EQ(bigint_mul_prep(o->ctx, &o->x, o->prep, &o->x), BIGINT_EDEVICE);
    expect_refused(ctx, bigint_ctx_create(&ctx, o->device, NULL));
    bigint_ctx_destroy(ctx);
    // The host works on.
    bigint y = BIGINT_INIT;
    EXPECT_EQ(bigint_ctx_create(&host, NULL, NULL), BIGINT_OK);
    EXPECT_EQ(bigint_mul(host, &y, &o->x, &y), BIGINT_EPLACE);
    EXPECT_EQ(bigint_set_u64(host, &y, 5), BIGINT_OK);
    EXPECT_EQ(bigint_cmp(host, &order, &y, &y), BIGINT_OK);
    bigint_clear(host, &y);
    bigint_ctx_destroy(host);
    bigint_prep_destroy(o->ctx, o->prep);
    bigint_clear(o->ctx, &o->x);
    bigint_ctx_destroy(o->ctx);
    bigint_device_close(o->device);
    EXPECT_FALSE(device_fault_came());
}

// Mutations: destroying waits for threads that are not there, or for the stream; a call that asks
// only for the context's state.
TEST(DeviceFork, QuestionsThreadsAndPrepared) {
    if (!device_ready()) {
        SKIP("no device");
    }
    owner o = {0};
    mpz_t z;
    mpz_init_set_si(z, -12345);
    ASSERT_EQ(bigint_device_open(&o.device, 0, NULL), BIGINT_OK);
    const bigint_ctx_options options = {.threads = 3, .checks = 1};
    ASSERT_EQ(bigint_ctx_create(&o.ctx, o.device, &options), BIGINT_OK);
    fixture_set(o.ctx, &o.x, z);
    EXPECT_EQ(bigint_prep_create(o.ctx, &o.prep, &o.x, 100), BIGINT_OK);
    EXPECT_CHILD(questions_in_child, &o);
    EXPECT_BIGINT(o.ctx, &o.x, z);
    EXPECT_EQ(bigint_mul_prep(o.ctx, &o.x, o.prep, &o.x), BIGINT_OK);
    mpz_mul(z, z, z);
    EXPECT_BIGINT(o.ctx, &o.x, z);
    bigint_prep_destroy(o.ctx, o.prep);
    bigint_clear(o.ctx, &o.x);
    bigint_ctx_destroy(o.ctx);
    bigint_device_close(o.device);
    mpz_clear(z);
}
