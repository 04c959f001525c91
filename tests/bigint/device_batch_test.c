// device_batch_test.c: batches of products on a device, or under the kernel emulation, against GMP:
// strided, ragged and repeated; caps, padding, refusals.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/device.h"
#include "tests/bigint/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/oracle.h"

static const uint64_t mark = UINT64_C(0x7777777777777777);

// numbers: a span in device memory of `words` limbs and what the host knows of it.
typedef struct {
    bigint_span span;
    uint64_t words, *host, *lengths, *offsets;
} numbers;

static uint64_t length(const numbers *s, uint64_t i) {
    return s->span.lengths != NULL ? s->span.lengths[i] : s->span.n;
}
static uint64_t *at(const numbers *s, uint64_t i) {
    return s->host + (s->span.offsets != NULL ? s->span.offsets[i] : i * s->span.stride);
}

// numbers_open: memory for count numbers of up to n limbs at the stride, full of marks.
static numbers numbers_open(uint64_t n, uint64_t stride, uint64_t count) {
    numbers s = {.words = count * (n + stride) + 1};
    s.host = malloc(s.words * sizeof *s.host);
    s.lengths = malloc((count + 1) * sizeof *s.lengths);
    s.offsets = malloc((count + 1) * sizeof *s.offsets);
    memset(s.host, 0x77, s.words * sizeof *s.host);
    s.span = (bigint_span){
        .p = device_alloc(s.words * sizeof *s.host), .n = n, .stride = stride, .count = count};
    return s;
}

static void numbers_close(numbers *s) {
    device_free(s->span.p);
    free(s->host), free(s->lengths), free(s->offsets);
}

static bool upload(const numbers *s) {
    return device_upload(s->span.p, s->host, s->words * sizeof *s->host);
}

// draw: an operand: repeated, strided, ragged, or ragged from the end to the beginning.
static numbers draw(gen *g, uint64_t max_n, uint64_t count) {
    const uint64_t n = gen_below(g, max_n + 1), form = gen_below(g, 4);
    numbers s = numbers_open(n, form == 0 ? 0 : n + gen_below(g, 4), count);
    for (uint64_t i = 0; i < count; i++) {
        s.lengths[i] = gen_below(g, n + 1);
        s.offsets[i] = (count - 1 - i) * s.span.stride;
    }
    s.span.lengths = form >= 2 ? s.lengths : NULL;
    s.span.offsets = form == 3 ? s.offsets : NULL;
    for (uint64_t i = 0; i < (n == 0 ? 0 : count); i++) {
        gen_limbs(g, (gen_shape)gen_below(g, GEN_SHAPES), s.host + i * s.span.stride, n);
    }
    upload(&s);
    return s;
}

// draw_result: room for the products, or more.
static numbers draw_result(gen *g, const numbers *a, const numbers *b) {
    const uint64_t count = a->span.count, n = a->span.n + b->span.n + gen_below(g, 3);
    numbers s = numbers_open(n, n + gen_below(g, 4), count);
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t least = length(a, i) + length(b, i);
        s.lengths[i] = least + gen_below(g, n + 1 - least);
        s.offsets[i] = (count - 1 - i) * s.span.stride;
    }
    if (gen_below(g, 2) == 0) {
        s.span.lengths = s.lengths;
        s.span.offsets = s.offsets;
    }
    upload(&s);
    return s;
}

// expect_products: r is a b and padded, and nothing else was written.
static void expect_products(bigint_ctx *ctx, numbers *r, const numbers *a, const numbers *b) {
    EXPECT_EQ(bigint_sync(ctx), BIGINT_OK);
    EXPECT_TRUE(device_download(r->host, r->span.p, r->words * sizeof *r->host));
    uint64_t marks = r->words;
    mpz_t x, y;
    mpz_inits(x, y, NULL);
    for (uint64_t i = 0; i < r->span.count; i++) {
        SCOPED_TRACE("number %llu of %llu by %llu limbs", (unsigned long long)i,
                     (unsigned long long)length(a, i), (unsigned long long)length(b, i));
        oracle_load(x, at(a, i), length(a, i));
        oracle_load(y, at(b, i), length(b, i));
        mpz_mul(x, x, y);
        EXPECT_VALUE(at(r, i), length(r, i), x);
        marks -= length(r, i);
    }
    mpz_clears(x, y, NULL);
    for (uint64_t i = 0; i < r->words; i++) {
        marks -= r->host[i] == mark;
    }
    EXPECT_EQ(marks, 0u);
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
        numbers a = draw(&g, 30, count), b = draw(&g, round % 3 == 0 ? 500 : 30, count);
        numbers r = draw_result(&g, &a, &b);
        SCOPED_TRACE("round %d: %llu products", round, (unsigned long long)count);
        EXPECT_EQ(bigint_mul_batch(ctx, &r.span, &a.span, &b.span), BIGINT_OK);
        expect_products(ctx, &r, &a, &b);
        numbers_close(&a), numbers_close(&b), numbers_close(&r);
    }
    bigint_ctx_destroy(ctx);
}

// ragged: operands of the given lengths, at odd places.
static numbers ragged(gen *g, const uint64_t *lengths, uint64_t count, bool as_result) {
    uint64_t n = 0;
    for (uint64_t i = 0; i < count; i++) {
        n = lengths[i] > n ? lengths[i] : n;
    }
    numbers s = numbers_open(n, n + 1 - n % 2, count);
    memcpy(s.lengths, lengths, count * sizeof *lengths);
    s.span.lengths = s.lengths;
    for (uint64_t i = 0; i < count && !as_result; i++) {
        if (lengths[i] > 0) {
            gen_limbs(g, i % 2 == 0 ? GEN_ONES : GEN_UNIFORM, at(&s, i), lengths[i]);
        }
    }
    upload(&s);
    return s;
}

// plans_of tells the plans for an by bn limbs apart that caps lead to.
static uint64_t plans_of(bigint_ctx *ctx, uint64_t an, uint64_t bn) {
    resident_plan plan;
    const bool found = resident_plan_make(ctx, "test", &plan, an, bn, false, true) == BIGINT_OK;
    return found ? plan.workspace_bytes + plan.tables_bytes : 1;
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
    uint64_t rn[COUNT];
    gen g = gen_seed(12);
    for (int i = 0; i < COUNT; i++) {
        rn[i] = an[i] + bn[i] + (uint64_t)i;
    }
    numbers a = ragged(&g, an, COUNT, false), b = ragged(&g, bn, COUNT, false);
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
        numbers r = ragged(&g, rn, COUNT, true);
        SCOPED_TRACE("cap %llu", (unsigned long long)cap);
        bigint x = BIGINT_INIT;
        EXPECT_EQ(bigint_set_u64(ctx, &x, 3), BIGINT_OK);  // by way of the staging, which counts
        const bigint_status status = bigint_mul_batch(ctx, &r.span, &a.span, &b.span);
        bigint_counters counters;
        bigint_ctx_counters(ctx, &counters);
        refused = status == BIGINT_ENOMEM;
        if (refused) {
            EXPECT_TEXT(ctx, "bigint_mul_batch: 2150 by 2050 limbs need");
            EXPECT_EQ(bigint_sync(ctx), BIGINT_OK);
            EXPECT_TRUE(device_download(r.host, r.span.p, r.words * sizeof *r.host));
            for (uint64_t i = 0; i < r.words; i++) {
                ASSERT_EQ(r.host[i], mark);
            }
        } else {
            EXPECT_EQ(status, BIGINT_OK);
            expect_products(ctx, &r, &a, &b);
            const product_tables *const tables = ctx->queue.tables;
            all_shapes |= tables->next != NULL;
            one_shape |= tables->next == NULL;
            resident_plan plan;
            parts |= !resident_plan_whole(ctx, &plan, 2150, 2050, false, false);
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
        gen_limbs(&g, GEN_UNIFORM, at(&a, i), N);
    }
    EXPECT_TRUE(upload(&a) && upload(&r));
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
            EXPECT_EQ(device_stream_idle(ctx->queue.stream, &idle), RESULT_OK);
            EXPECT_FALSE(device_emulated() && idle);
            EXPECT_EQ(bigint_sync(ctx), BIGINT_OK);
            EXPECT_TRUE(device_download(r.host, r.span.p, r.words * sizeof *r.host));
            for (uint64_t i = 0; i < COUNT; i++) {
                EXPECT_PRODUCT(at(&r, i), at(&a, i), N, at(others[k], i), others[k]->span.n);
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

// kernels_of counts the kernels of a batch, 0 .. most, where they are emulated.
static uint64_t kernels_of(bigint_ctx *ctx, const numbers *r, const numbers *a, const numbers *b,
                           uint64_t most) {
    uint64_t kernels = 0, nothing = 0;
    for (bool came = true; came && kernels < most; kernels += came) {
        device_flips(kernels + 1, &nothing, 0);
        EXPECT_EQ(bigint_mul_batch(ctx, &r->span, &a->span, &b->span), BIGINT_OK);
        EXPECT_EQ(bigint_sync(ctx), BIGINT_OK);
        came = device_fault_came();
    }
    device_flips(0, NULL, 0);
    return kernels;
}

// Numbers that are alike are one launch, whatever the way, and so are those of a list that go one
// way. Mutations: a stride for another's; the factors change places and their strides do not; a
// common factor is taken for a batch; a way is launched twice, or its list begins at another's.
TEST(DeviceBatch, OneLaunch) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const struct {
        const char *engine;
        uint64_t an, bn;
    } cases[] = {
        {NULL, 3, 2},          {NULL, 16, 16},           {NULL, 2, 40},     {NULL, 300, 20},
        {NULL, 250, 512},      {"tiled", 5, 3},          {"tiled", 60, 60}, {"tiled", 256, 256},
        {"modular-fft", 4, 9}, {"modular-fft", 600, 700}};
    gen g = gen_seed(15);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const uint64_t an = cases[k].an, bn = cases[k].bn, count = device_emulated() ? 3 : 3000;
        bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.engine = cases[k].engine});
        for (int form = 0; form < 4; form++) {
            SCOPED_TRACE("case %zu, form %d", k, form);
            numbers a = numbers_open(an, form == 1 ? 0 : an + 1, count);
            numbers b = numbers_open(bn, form == 2 ? 0 : bn + 2, count);
            numbers r = numbers_open(an + bn + 3, an + bn + 4, count);
            for (uint64_t i = 0; i < count; i++) {
                gen_limbs(&g, GEN_RUNS, at(&a, i), an);
                gen_limbs(&g, GEN_UNIFORM, at(&b, i), bn);
                a.lengths[i] = an;
            }
            a.span.lengths = form == 3 ? a.lengths : NULL;  // alike, but as a list
            EXPECT_TRUE(upload(&a) && upload(&b) && upload(&r));
            EXPECT_EQ(bigint_mul_batch(ctx, &r.span, &a.span, &b.span), BIGINT_OK);
            expect_products(ctx, &r, &a, &b);
            EXPECT_TRUE(!device_emulated() || kernels_of(ctx, &r, &a, &b, 5) == 1);
            numbers_close(&a), numbers_close(&b), numbers_close(&r);
        }
        bigint_ctx_destroy(ctx);
    }
}

// A million products. Mutation: a number of blocks or of products cut to too few bits.
TEST(DeviceBatch, Million) {
    if (!device_ready() || device_emulated()) {
        SKIP("for a device");
    }
    static const uint64_t sizes[] = {1, 5, 17};
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(16);
    for (int k = 0; k < 3; k++) {
        const uint64_t n = sizes[k], count = 1000003;
        numbers a = numbers_open(n, n, count), b = numbers_open(n, n, count);
        numbers r = numbers_open(2 * n, 2 * n, count);
        gen_limbs(&g, GEN_UNIFORM, a.host, n * count);
        gen_limbs(&g, GEN_RUNS, b.host, n * count);
        EXPECT_TRUE(upload(&a) && upload(&b) && upload(&r));
        EXPECT_EQ(bigint_mul_batch(ctx, &r.span, &a.span, &b.span), BIGINT_OK);
        expect_products(ctx, &r, &a, &b);
        numbers_close(&a), numbers_close(&b), numbers_close(&r);
    }
    bigint_ctx_destroy(ctx);
}

// expect_single: r = a b by bigint_mul with these signs, where r is one of the three.
static void expect_single(bigint_ctx *ctx, gen *g, uint64_t an, uint64_t bn, int signs, int over) {
    uint64_t p[256], q[256], need;
    uint64_t got[512];
    int sign = 0;
    gen_limbs(g, GEN_UNIFORM, p, an);
    gen_limbs(g, GEN_ONES, q, bn);
    bigint a = BIGINT_INIT, b = BIGINT_INIT, r = BIGINT_INIT;
    EXPECT_EQ(bigint_set_limbs(ctx, &a, p, an, (signs & 1) != 0 ? -1 : 1), BIGINT_OK);
    EXPECT_EQ(bigint_set_limbs(ctx, &b, q, bn, (signs & 2) != 0 ? -1 : 1), BIGINT_OK);
    bigint *const to = over == 0 ? &r : over == 1 ? &a : &b;
    EXPECT_EQ(bigint_mul(ctx, to, &a, &b), BIGINT_OK);
    EXPECT_EQ(bigint_get_limbs(ctx, got, an + bn, &need, &sign, to), BIGINT_OK);
    EXPECT_EQ(sign, signs == 1 || signs == 2 ? -1 : 1);
    memset(got + need, 0, (an + bn - need) * sizeof *got);
    EXPECT_PRODUCT(got, p, an, q, bn);
    bigint_clear(ctx, &a), bigint_clear(ctx, &b), bigint_clear(ctx, &r);
}

// Single products by the engine's name, signs and all; what is too long is refused, and nothing is
// written. Mutations: the sign is left, another engine takes over, a plan for factors that are too
// long.
TEST(DeviceBatch, TiledByName) {
    if (!device_ready()) {
        SKIP("no device");
    }
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.checks = 1, .engine = "tiled"});
    gen g = gen_seed(17);
    for (int k = 0; k < 12; k++) {
        const uint64_t an = 1 + gen_below(&g, 256), bn = k == 5 ? 256 : 1 + gen_below(&g, an);
        expect_single(ctx, &g, an, bn, k % 4, k % 3);
    }
    char line[200];
    EXPECT_EQ(bigint_explain(ctx, line, sizeof line, NULL, 40, 50), BIGINT_OK);
    EXPECT_TRUE(strstr(line, "tiled, 50 x 40 limbs, 3 tiles") != NULL);
    bigint a = BIGINT_INIT;
    EXPECT_EQ(bigint_set_u64(ctx, &a, 1), BIGINT_OK);
    EXPECT_EQ(bigint_mul_2exp(ctx, &a, &a, 64 * 256), BIGINT_OK);
    EXPECT_EQ(bigint_mul(ctx, &a, &a, &a), BIGINT_ERANGE);
    EXPECT_TEXT(ctx, "engine tiled has no exact plan for 257 by 257 limbs");
    bigint_clear(ctx, &a);
    const uint64_t lengths[3] = {3, 257, 2};
    numbers x = ragged(&g, lengths, 3, false), r = numbers_open(514, 515, 3);
    EXPECT_TRUE(upload(&r));
    EXPECT_EQ(bigint_mul_batch(ctx, &r.span, &x.span, &x.span), BIGINT_ERANGE);
    EXPECT_EQ(bigint_sync(ctx), BIGINT_OK);
    EXPECT_TRUE(device_download(r.host, r.span.p, r.words * sizeof *r.host));
    for (uint64_t i = 0; i < r.words; i++) {
        ASSERT_EQ(r.host[i], mark);
    }
    numbers_close(&x), numbers_close(&r);
    bigint_ctx_destroy(ctx);
}

// Behind the kernels of one product comes the check of that one. Mutation: numbers of a batch that
// are not checked.
TEST(DeviceBatch, FaultsAreSeen) {
    if (!device_ready() || !device_flips(0, NULL, 0)) {
        return;  // a real one makes no faults on demand
    }
    enum { COUNT = 4, WAYS = 3 };
    // Several launches each, one of clusters, and one for each kernel of short products.
    static const char *const engines[WAYS] = {"modular-fft", "modular-fft", NULL};
    static const uint64_t kernels[WAYS] = {6, 0, 0}, last[WAYS] = {5, 1, 3};
    static const uint64_t an[COUNT] = {9, 8, 30, 1}, bn[COUNT] = {4, 5, 6, 7};
    gen g = gen_seed(14);
    uint64_t rn[COUNT];
    for (int i = 0; i < COUNT; i++) {
        rn[i] = an[i] + bn[i];
    }
    numbers a = ragged(&g, an, COUNT, false), b = ragged(&g, bn, COUNT, false);
    numbers r = ragged(&g, rn, COUNT, true);
    for (uint64_t k = 0; k < WAYS * COUNT; k++) {
        const uint64_t i = k % COUNT, way = k / COUNT;
        bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.checks = 1, .engine = engines[way]});
        ctx->queue.cluster = way == 0 ? 0 : ctx->queue.cluster;
        EXPECT_EQ(bigint_mul_batch(ctx, &r.span, &a.span, &b.span), BIGINT_OK);
        expect_products(ctx, &r, &a, &b);
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
    EXPECT_TRUE(upload(&a) && upload(&r));
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
        EXPECT_EQ(r.host[i], mark);
    }
    const bigint_span empty = {0};
    EXPECT_EQ(bigint_mul_batch(ctx, &empty, &empty, &empty), BIGINT_OK);
    numbers_close(&a), numbers_close(&r);
    bigint_ctx_destroy(ctx);
}
