// Contexts on a device: memory and failures. Nothing is allocated anew, the cap holds, what fails
// changes no output, device errors stick.
#include <stdio.h>
#include <string.h>

#include "bigint/device.h"
#include "tests/bigint/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

typedef struct {
    bigint_ctx *ctx;
    bigint a, b, r;  // r is the output
} state;

// An operation: one public call on operands of 40 and 30 limbs, or a few; what it allocates each
// time because it gives it back; and the engine if it is a certain one.
typedef struct {
    const char *name;
    bigint_status (*call)(state *);
    uint64_t own;
    bool unchecked;
    const char *engine;
} operation;

static char text[700];

static bigint_status call_set(state *s) { return bigint_set(s->ctx, &s->r, &s->a); }
static bigint_status call_limbs(state *s) {
    uint64_t p[64];
    memset(p, 0xff, sizeof p);
    return bigint_set_limbs(s->ctx, &s->r, p, 64, -1);
}
static bigint_status call_hex(state *s) {
    return bigint_set_hex(s->ctx, &s->r, text, sizeof text - 1, NULL);
}
static bigint_status call_bytes(state *s) {
    return bigint_set_bytes(s->ctx, &s->r, (const uint8_t *)text, 500, BIGINT_BIG_ENDIAN, 1);
}
static bigint_status call_decimal(state *s) {
    return bigint_set_decimal(s->ctx, &s->r, text, sizeof text - 1, NULL);
}
static bigint_status call_neg(state *s) { return bigint_neg(s->ctx, &s->r, &s->a); }
static bigint_status call_add(state *s) { return bigint_add(s->ctx, &s->r, &s->a, &s->b); }
static bigint_status call_sub(state *s) { return bigint_sub(s->ctx, &s->r, &s->b, &s->a); }
static bigint_status call_left(state *s) { return bigint_mul_2exp(s->ctx, &s->r, &s->a, 1000); }
static bigint_status call_right(state *s) { return bigint_tdiv_2exp(s->ctx, &s->r, &s->a, 70); }
// In place, in limbs that have room for it.
static bigint_status call_in_place(state *s) {
    const bigint_status status = bigint_mul_2exp(s->ctx, &s->a, &s->a, 3);
    return status != BIGINT_OK ? status : bigint_tdiv_2exp(s->ctx, &s->a, &s->a, 3);
}
static bigint_status call_mul(state *s) { return bigint_mul(s->ctx, &s->r, &s->a, &s->b); }
static bigint_status call_mul_sum(state *s) {
    const bigint *const a[] = {&s->a, &s->b, &s->a}, *const b[] = {&s->b, &s->b, &s->b};
    return bigint_mul_sum(s->ctx, &s->r, a, b, (const int[]){1, -1, 1}, 3);
}
static bigint_status call_prepared(state *s) {
    bigint_prep *prep;
    bigint_status status = bigint_prep_create(s->ctx, &prep, &s->a, 30);
    EXPECT_EQ(prep != NULL, status == BIGINT_OK);
    if (status == BIGINT_OK) {
        status = bigint_mul_prep(s->ctx, &s->r, prep, &s->b);
    }
    bigint_prep_destroy(s->ctx, prep);
    return status;
}
static bigint_status call_batch(state *s) {
    uint64_t ones[80];
    memset(ones, 0xff, sizeof ones);
    bigint r = BIGINT_INIT;
    bigint_status status = bigint_set_limbs(s->ctx, &r, ones, 80, 1);
    if (status == BIGINT_OK) {
        const bigint_span a = {.p = s->a.d_, .n = 20, .stride = 20, .count = 2};
        const bigint_span b = {.p = s->b.d_, .n = 15, .stride = 15, .count = 2};
        const bigint_span out = {.p = r.d_, .n = 38, .stride = 39, .count = 2};
        status = bigint_mul_batch(s->ctx, &out, &a, &b);
    }
    bigint_clear(s->ctx, &r);
    return status;
}
static bigint_status call_cmp(state *s) {
    int order = 7;
    const bigint_status status = bigint_cmp(s->ctx, &order, &s->a, &s->b);
    EXPECT_EQ(order, status == BIGINT_OK ? 1 : 7);
    return status;
}
static bigint_status call_get_decimal(state *s) {
    static char written[1000];
    memset(written, '#', sizeof written);
    const bigint_status status = bigint_get_decimal(s->ctx, written, sizeof written, NULL, &s->a);
    EXPECT_EQ(written[0] == '#', status != BIGINT_OK);
    return status;
}
static bigint_status call_get_limbs(state *s) {
    uint64_t p[60];
    return bigint_get_limbs(s->ctx, p, 60, NULL, NULL, &s->a);
}

static const operation operations[] = {
    {"set", call_set, 0, false, NULL},
    {"set_limbs", call_limbs, 0, false, NULL},
    {"set_hex", call_hex, 0, false, NULL},
    {"set_bytes", call_bytes, 0, false, NULL},
    {"set_decimal", call_decimal, 0, false, NULL},
    {"neg", call_neg, 0, false, NULL},
    {"add", call_add, 0, false, NULL},
    {"sub", call_sub, 0, false, NULL},
    {"mul_2exp", call_left, 0, false, NULL},
    {"tdiv_2exp", call_right, 0, false, NULL},
    {"in_place", call_in_place, 0, false, NULL},
    {"mul", call_mul, 0, false, NULL},
    {"mul_real", call_mul, 0, false, "real-fft"},
    {"mul_complex_f32", call_mul, 0, false, "complex-fft-f32"},
    {"mul_sum", call_mul_sum, 0, true, NULL},
    {"mul_sum_one_by_one", call_mul_sum, 2, false, NULL},
    {"prepared", call_prepared, 3, false, NULL},
    {"batch", call_batch, 1, false, NULL},
    {"batch_real", call_batch, 1, false, "real-fft"},
    {"cmp", call_cmp, 0, false, NULL},
    {"get_limbs", call_get_limbs, 0, false, NULL},
    {"get_decimal", call_get_decimal, 0, false, NULL},
};

static void label(char *buf, size_t cap, const operation *o) { snprintf(buf, cap, "%s", o->name); }

// value: z = sign (2^(64 n) - 2^7).
static void value(mpz_t z, unsigned n, int sign) {
    mpz_ui_pow_ui(z, 2, 64 * n);
    mpz_sub_ui(z, z, 128);
    mpz_mul_si(z, z, sign);
}

static void open_state(state *s, allocator_log *log, const operation *o) {
    *s = (state){
        .ctx = fixture_ctx(&(bigint_ctx_options){
            .allocator = fixture_allocator(log), .checks = !o->unchecked, .engine = o->engine})};
    memset(text, '7', sizeof text);
    mpz_t z;
    mpz_init(z);
    value(z, 40, 1);
    fixture_set(s->ctx, &s->a, z);
    value(z, 30, -1);
    fixture_set(s->ctx, &s->b, z);
    mpz_set_si(z, -127);
    fixture_set(s->ctx, &s->r, z);
    EXPECT_EQ(bigint_sync(s->ctx), BIGINT_OK);
    bigint_ctx_trim(s->ctx);  // words and staging are allocated by whoever needs them first
    mpz_clear(z);
}

static void close_state(state *s, const allocator_log *log, int64_t live) {
    bigint_clear(s->ctx, &s->a);
    bigint_clear(s->ctx, &s->b);
    bigint_clear(s->ctx, &s->r);
    bigint_ctx_destroy(s->ctx);
    EXPECT_EQ(log->live_blocks, 0u);
    EXPECT_EQ(device_live(), live);
}

static void expect_unchanged(state *s) {
    mpz_t z;
    mpz_init(z);
    value(z, 40, 1);
    EXPECT_BIGINT(s->ctx, &s->a, z);
    value(z, 30, -1);
    EXPECT_BIGINT(s->ctx, &s->b, z);
    mpz_set_si(z, -127);
    EXPECT_BIGINT(s->ctx, &s->r, z);
    mpz_clear(z);
}

// Every allocation of device and of pinned memory fails once, then every one of the host's.
// Mutations: an allocation that is not looked at, an output made the result's before the last
// allocation, memory dropped on the way out, a failure that sticks.
TEST_EACH(DeviceMemory, EveryAllocationMayFail, operation, operations, label) {
    if (!device_ready() || !device_faults(0, 0)) {
        return;  // a real one does not fail on demand
    }
    for (int on_host = 0; on_host < 2; on_host++) {
        int reached = 1;
        for (uint64_t k = 1; reached; k++) {
            SCOPED_TRACE("allocation %llu fails, host %d", (unsigned long long)k, on_host);
            ASSERT_TRUE(k < 50);
            const int64_t live = device_live();
            allocator_log log = {0};
            state s;
            open_state(&s, &log, p);
            log.fail_at = on_host ? log.calls + k : 0;
            device_faults(on_host ? 0 : k, 0);
            const bigint_status status = p->call(&s);
            reached = on_host ? log.calls >= log.fail_at : device_fault_came();
            log.fail_at = 0;
            device_faults(0, 0);
            EXPECT_TRUE(status == BIGINT_OK || (status == BIGINT_ENOMEM && reached));
            if (status != BIGINT_OK) {
                EXPECT_TEXT(s.ctx, "bigint_");
                expect_unchanged(&s);
                EXPECT_EQ(p->call(&s), BIGINT_OK);
            }
            close_state(&s, &log, live);
        }
    }
}

// Every call of the runtime fails once, for good. Mutations: a status that is not looked at, an
// error that does not stick, another text than the first, a leak, a crash in what follows.
TEST_EACH(DeviceMemory, DeviceErrorsStick, operation, operations, label) {
    if (!device_ready() || !device_faults(0, 0)) {
        return;  // a real one does not fail on demand
    }
    int reached = 1;
    for (uint64_t k = 1; reached; k++) {
        SCOPED_TRACE("call %llu fails", (unsigned long long)k);
        ASSERT_TRUE(k < 200);
        const int64_t live = device_live();
        allocator_log log = {0};
        state s;
        open_state(&s, &log, p);
        device_faults(0, k);
        bigint_status status = p->call(&s);
        if (status == BIGINT_OK) {
            status = bigint_sync(s.ctx);
        }
        reached = device_fault_came();
        if (reached) {
            // device_leave answers nobody: what it meets shows in the next call.
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
        }
        close_state(&s, &log, live);
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
TEST_EACH(DeviceMemory, RepeatAllocatesNothing, operation, operations, label) {
    if (!device_ready()) {
        SKIP("no device");
    }
    const int64_t before = device_live();
    allocator_log log = {0};
    state s;
    open_state(&s, &log, p);
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
    close_state(&s, &log, before);
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
        EXPECT_EQ(device_set(first, 1, 1000, ctx->queue.stream), RESULT_OK);
        EXPECT_EQ(device_set(second, 2, 100000, ctx->queue.stream), RESULT_OK);
        const arena_mark inner = arena_mark_in(s);
        EXPECT_TRUE(arena_take_in(ctx, s, "test", 50000) != NULL);
        arena_release_in(ctx, s, inner);
        uint64_t words[2] = {0, 0};
        EXPECT_EQ(queue_staging_need(ctx, "test"), BIGINT_OK);
        EXPECT_EQ(queue_download(ctx, "test", &words[0], (uint64_t *)(first + 992), 1), BIGINT_OK);
        EXPECT_EQ(queue_download(ctx, "test", &words[1], (uint64_t *)(second + 99992), 1),
                  BIGINT_OK);
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
