// batch_test.c: batches of products on a device, or under the kernel emulation, against GMP:
// strided, ragged and repeated; caps, padding, refusals.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/core/context.h"
#include "bigint/device/plan.h"
#include "tests/bigint/core/fixture.h"
#include "tests/bigint/device/numbers.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/oracle.h"

// draw_result: room for the products, or more.
static numbers draw_result(gen *g, const numbers *a, const numbers *b) {
    const uint64_t count = a->span.count, n = a->span.n + b->span.n + gen_below(g, 3);
    numbers s = numbers_open(n, n + gen_below(g, 4), count);
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t least = numbers_length(a, i) + numbers_length(b, i);
        s.lengths[i] = least + gen_below(g, n + 1 - least);
        s.offsets[i] = (count - 1 - i) * s.span.stride;
    }
    if (gen_below(g, 2) == 0) {
        s.span.lengths = s.lengths;
        s.span.offsets = s.offsets;
    }
    numbers_upload(&s);
    return s;
}

// Mutations: the padding is left, lengths of one span used for another, offsets ignored, stride 0
// advances, b longer than a, the plan of the number before is kept though the lengths changed, a
// number of 0 limbs is multiplied.
TEST(DeviceBatch, RandomProducts) {
    if (!device_ready()) {
        SKIP("no device");
    }
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.checks = 1});
    gen g = gen_seed(11);
    const bool emulated = device_emulated();
    const unsigned cluster = ctx->queue.cluster;
    for (int round = 0; round < (emulated ? 25 : 300); round++) {
        ctx->queue.cluster = round % 2 == 0 ? cluster : 0;  // one launch each, or several
        const uint64_t count = gen_below(&g, emulated ? 6 : 60);
        numbers a = numbers_draw(&g, 0, 30, count),
                b = numbers_draw(&g, 0, round % 3 == 0 ? 500 : 30, count);
        numbers r = draw_result(&g, &a, &b);
        SCOPED_TRACE("round %d: %llu products", round, (unsigned long long)count);
        EXPECT_EQ(bigint_mul_batch(ctx, &r.span, &a.span, &b.span), BIGINT_OK);
        numbers_expect_products(ctx, &r, &a, &b);
        numbers_close(&a), numbers_close(&b), numbers_close(&r);
    }
    bigint_ctx_destroy(ctx);
}

// plans_of tells the plans for an by bn limbs apart that caps lead to.
static uint64_t plans_of(bigint_ctx *ctx, uint64_t an, uint64_t bn) {
    device_plan plan;
    const bool found = device_plan_make(ctx, "test", &plan, an, bn, false, true) == BIGINT_OK;
    return found ? plan.workspace_bytes + plan.tables_bytes : 1;
}

// expect_untouched: a call was refused, and has written nothing.
static void expect_untouched(bigint_ctx *ctx, const numbers *r) {
    EXPECT_EQ(bigint_sync(ctx), BIGINT_OK);
    EXPECT_TRUE(device_download(r->host, r->span.p, r->words * sizeof *r->host));
    for (uint64_t i = 0; i < r->words; i++) {
        ASSERT_EQ(r->host[i], NUMBERS_MARK);
    }
}

// Numbers of several shapes under caps that allow tables for all of them, for one, or parts alone;
// a refusal changes nothing. Mutations: the longest's plan is that of the first number, or of a
// pair of lengths that no number has; tables of another shape are used, or given up while they are
// needed; parts of a result that is not aligned are added where it lies; memory beyond the cap.
TEST(DeviceBatch, ShapesAndCaps) {
    if (!device_ready()) {
        SKIP("no device");
    }
    enum { COUNT = 6 };
    static const uint64_t an[COUNT] = {3, 2150, 2040, 0, 700, 2100};
    static const uint64_t bn[COUNT] = {2100, 2050, 7, 5, 600, 600};
    static const uint64_t rn[COUNT] = {2103, 4201, 2049, 8, 1304, 2705};  // some longer than needed
    gen g = gen_seed(12);
    numbers a = numbers_ragged(&g, an, COUNT, false), b = numbers_ragged(&g, bn, COUNT, false);
    bool refused = false, parts = false, all_shapes = false, one_shape = false;
    uint64_t cap = 0, before = 0;
    for (int round = 0; !refused; round++) {
        bigint_ctx *ctx =
            fixture_ctx(&(bigint_ctx_options){.checks = 1, .max_workspace_bytes = cap});
        ctx->queue.cluster = 0;  // plans of one launch need too little memory for caps
        // Of caps that lead to the same plans one in three.
        const uint64_t plans = plans_of(ctx, 2150, 2050) + plans_of(ctx, 700, 600);
        if (plans == before && round % 3 != 0) {
            cap = cap / 20 * 19;
            bigint_ctx_destroy(ctx);
            continue;
        }
        before = plans;
        numbers r = numbers_ragged(&g, rn, COUNT, true);
        SCOPED_TRACE("cap %llu", (unsigned long long)cap);
        bigint x = BIGINT_INIT;
        EXPECT_EQ(bigint_set_u64(ctx, &x, 3), BIGINT_OK);  // by way of the staging, which counts
        const bigint_status status = bigint_mul_batch(ctx, &r.span, &a.span, &b.span);
        bigint_counters counters;
        bigint_ctx_counters(ctx, &counters);
        refused = status == BIGINT_ENOMEM;
        if (refused) {
            EXPECT_TEXT(ctx, "bigint_mul_batch: 2150 by 2050 limbs need");
            expect_untouched(ctx, &r);
        } else {
            EXPECT_EQ(status, BIGINT_OK);
            numbers_expect_products(ctx, &r, &a, &b);
            const product_tables *const tables = ctx->queue.tables;
            all_shapes |= tables->next != NULL;
            one_shape |= tables->next == NULL;
            device_plan plan;
            parts |= !device_plan_whole(ctx, &plan, 2150, 2050, false, false);
            // What the batch holds is not in the way of other products.
            EXPECT_EQ(bigint_mul_2exp(ctx, &x, &x, 64 * 2050 - 10), BIGINT_OK);
            EXPECT_EQ(bigint_mul(ctx, &x, &x, &x), BIGINT_OK);
            EXPECT_EQ(bigint_sync(ctx), BIGINT_OK);
        }
        bigint_clear(ctx, &x);
        bigint_ctx_counters(ctx, &counters);
        EXPECT_TRUE(cap == 0 || counters.workspace_peak <= cap);
        EXPECT_TRUE(round > 0 || counters.products == COUNT - 1 + 1);  // 0 limbs are no product
        cap = cap == 0 ? counters.workspace_peak : cap / 20 * 19;
        numbers_close(&r);
        bigint_ctx_destroy(ctx);
    }
    EXPECT_TRUE(parts && all_shapes && one_shape);
    numbers_close(&a), numbers_close(&b);
}

// Where the cap has just room for the plan of what comes alone, there is no list. Mutation: there
// is, and the call is refused.
TEST(DeviceBatch, NoListUnderATightCap) {
    if (!device_ready()) {
        SKIP("no device");
    }
    enum { COUNT = 3000 };  // a list that has no room beside what the plan rounds up
    static const uint64_t an[COUNT] = {300}, bn[COUNT] = {300}, rn[COUNT] = {600, 1, 2};
    gen g = gen_seed(18);
    numbers a = numbers_ragged(&g, an, COUNT, false), b = numbers_ragged(&g, bn, COUNT, false);
    numbers r = numbers_ragged(&g, rn, COUNT, true);
    bigint_ctx *ctx = NULL;
    uint64_t cap = 0;
    for (int round = 0; round < 4; round++) {  // the staging's size depends on the cap
        bigint_ctx_destroy(ctx);
        ctx = fixture_ctx(&(bigint_ctx_options){.max_workspace_bytes = cap});
        ctx->queue.cluster = 0;
        device_plan plan;
        ASSERT_EQ(device_plan_make(ctx, "test", &plan, an[0], bn[0], false, true), BIGINT_OK);
        cap = device_held_bytes(ctx, &plan);
    }
    bigint x = BIGINT_INIT;
    EXPECT_EQ(bigint_set_u64(ctx, &x, 3), BIGINT_OK);  // the staging counts
    EXPECT_EQ(bigint_mul_batch(ctx, &r.span, &a.span, &b.span), BIGINT_OK);
    numbers_expect_products(ctx, &r, &a, &b);
    bigint_clear(ctx, &x);
    bigint_ctx_destroy(ctx);
    numbers_close(&a), numbers_close(&b), numbers_close(&r);
}

// One number times itself, from the same memory, and times others; and the same memory of two
// lengths. Enqueued alone, and without allocations from the third time on. Mutations: equal
// pointers of different lengths are squared, a call that waits, memory taken for each number.
TEST(DeviceBatch, SquaresAndRepeats) {
    if (!device_ready()) {
        SKIP("no device");
    }
    enum { N = 40, COUNT = 3 };
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.checks = 1});
    gen g = gen_seed(13);
    numbers a = numbers_open(N, N, COUNT), r = numbers_open(2 * N, 2 * N, COUNT);
    for (uint64_t i = 0; i < COUNT; i++) {
        gen_limbs(&g, GEN_UNIFORM, numbers_at(&a, i), N);
    }
    EXPECT_TRUE(numbers_upload(&a) && numbers_upload(&r));
    numbers one = a, lower = a;
    one.span.stride = 0;
    lower.span.n = N - 1;
    numbers *const others[] = {&a, &one, &lower};
    uint64_t allocations = 0;
    for (int round = 0; round < 4; round++) {
        for (int k = 0; k < 3; k++) {
            r.span.n = N + others[k]->span.n;
            EXPECT_EQ(bigint_mul_batch(ctx, &r.span, &a.span, &others[k]->span), BIGINT_OK);
            bool idle = false;
            EXPECT_EQ(cuda_stream_idle(ctx->queue.stream, &idle), RESULT_OK);
            EXPECT_FALSE(device_emulated() && idle);
            EXPECT_EQ(bigint_sync(ctx), BIGINT_OK);
            EXPECT_TRUE(device_download(r.host, r.span.p, r.words * sizeof *r.host));
            for (uint64_t i = 0; i < COUNT; i++) {
                EXPECT_PRODUCT(numbers_at(&r, i), numbers_at(&a, i), N, numbers_at(others[k], i),
                               others[k]->span.n);
            }
        }
        bigint_counters counters;
        bigint_ctx_counters(ctx, &counters);
        EXPECT_TRUE(round < 2 || counters.allocations == allocations);
        EXPECT_EQ(counters.products, (uint64_t)(round + 1) * 3 * COUNT);
        allocations = counters.allocations;
    }
    numbers_close(&a), numbers_close(&r);
    bigint_ctx_destroy(ctx);
}

// Behind the kernels of one product comes the check of that one. Mutation: numbers of a batch that
// are not checked.
TEST(DeviceBatch, FaultsAreSeen) {
    if (!device_ready() || !device_flips(0, NULL, 0)) {
        return;  // a real one makes no faults on demand
    }
    enum { COUNT = 4, WAYS = 4 };
    // Several launches each, one of clusters, one of blocks, and one for each kernel of short
    // products.
    static const char *const engines[WAYS] = {"modular-fft", "modular-fft", "real-fft", NULL};
    static const uint64_t kernels[WAYS] = {6, 0, 0, 0}, last[WAYS] = {5, 1, 1, 3};
    static const uint64_t an[COUNT] = {9, 8, 30, 1}, bn[COUNT] = {4, 5, 6, 7};
    gen g = gen_seed(14);
    uint64_t rn[COUNT];
    for (int i = 0; i < COUNT; i++) {
        rn[i] = an[i] + bn[i];
    }
    numbers a = numbers_ragged(&g, an, COUNT, false), b = numbers_ragged(&g, bn, COUNT, false);
    numbers r = numbers_ragged(&g, rn, COUNT, true);
    for (uint64_t k = 0; k < WAYS * COUNT; k++) {
        const uint64_t i = k % COUNT, way = k / COUNT;
        bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.checks = 1, .engine = engines[way]});
        ctx->queue.cluster = way == 0 ? 0 : ctx->queue.cluster;
        EXPECT_EQ(bigint_mul_batch(ctx, &r.span, &a.span, &b.span), BIGINT_OK);
        numbers_expect_products(ctx, &r, &a, &b);
        device_flips(kernels[way] * i + last[way], r.span.p + i * r.span.stride + 3, 1);
        EXPECT_EQ(bigint_mul_batch(ctx, &r.span, &a.span, &b.span), BIGINT_OK);
        EXPECT_EQ(bigint_sync(ctx), BIGINT_ECHECK);
        char want[60];
        snprintf(want, sizeof want, "product of %llu by %llu words is wrong",
                 (unsigned long long)(an[i] > bn[i] ? an[i] : bn[i]),
                 (unsigned long long)(an[i] > bn[i] ? bn[i] : an[i]));
        EXPECT_TEXT(ctx, want);
        bigint_ctx_destroy(ctx);
    }
    numbers_close(&a), numbers_close(&b), numbers_close(&r);
}

// Mutations: each requirement that is not looked at on a device, and a refusal that has written
// something.
TEST(DeviceBatch, Refused) {
    if (!device_ready()) {
        SKIP("no device");
    }
    bigint_ctx *ctx = fixture_ctx(NULL);
    numbers a = numbers_open(5, 5, 4), r = numbers_open(10, 10, 4);
    EXPECT_TRUE(numbers_upload(&a) && numbers_upload(&r));
    static const uint64_t lengths[4] = {1, 2, 6, 1};
    bigint_span three = a.span, tight = r.span, overlap = r.span, lost = a.span, longer = a.span;
    bigint_span far = a.span;
    three.count = 3;
    tight.n = 9;
    overlap.stride = 9;
    lost.p = NULL;
    longer.lengths = lengths;
    far.stride = UINT64_MAX;
    const struct {
        const bigint_span *r, *a, *b;
        bigint_status status;
        const char *text;
    } cases[] = {
        {&r.span, &three, &a.span, BIGINT_EINVAL, "a has count 3"},
        {&r.span, &a.span, &three, BIGINT_EINVAL, "b has count 3"},
        {&tight, &a.span, &a.span, BIGINT_EINVAL, "result 0 has 9 limbs, 10 are needed"},
        {&overlap, &a.span, &a.span, BIGINT_EINVAL, "stride 9 overlap"},
        {&r.span, &lost, &a.span, BIGINT_EINVAL, "a has no limbs"},
        {&r.span, &longer, &a.span, BIGINT_EINVAL, "length 6 of number 2"},
        {&r.span, &a.span, &far, BIGINT_ERANGE, "2^56"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SCOPED_TRACE("case %zu", i);
        EXPECT_EQ(bigint_mul_batch(ctx, cases[i].r, cases[i].a, cases[i].b), cases[i].status);
        EXPECT_TEXT(ctx, "bigint_mul_batch");
        EXPECT_TEXT(ctx, cases[i].text);
    }
    EXPECT_EQ(bigint_sync(ctx), BIGINT_OK);
    EXPECT_TRUE(device_download(r.host, r.span.p, r.words * sizeof *r.host));
    for (uint64_t i = 0; i < r.words; i++) {
        EXPECT_EQ(r.host[i], NUMBERS_MARK);
    }
    const bigint_span empty = {0};
    EXPECT_EQ(bigint_mul_batch(ctx, &empty, &empty, &empty), BIGINT_OK);
    numbers_close(&a), numbers_close(&r);
    bigint_ctx_destroy(ctx);
}
