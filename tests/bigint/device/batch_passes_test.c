// batch_passes_test.c: batches whose products share the launches of the modular transform, on a
// device or under the kernel emulation, against GMP: every class of lengths there, forms of spans,
// launches of few products, caps, faults.
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "bigint/core/context.h"
#include "bigint/core/tune.h"
#include "bigint/device/batch/batch_plan.h"
#include "bigint/device/batch/passes.h"
#include "fft/device/modular/batch.h"
#include "tests/bigint/core/fixture.h"
#include "tests/bigint/device/numbers.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

// passes_ctx: a context in which all products of batches go by passes, at most `items` a launch.
static bigint_ctx *passes_ctx(uint64_t items, uint64_t cap) {
    bigint_ctx *const ctx = fixture_ctx(
        &(bigint_ctx_options){.checks = 1, .engine = "modular-fft", .max_workspace_bytes = cap});
    ctx->queue.forced.batch_limbs = 1;
    ctx->queue.forced.batch_items = items;
    return ctx;
}

// fill: all ones, a power of two, runs or random limbs, in turn.
static void fill(gen *g, numbers *s, uint64_t n) {
    for (uint64_t i = 0; i < s->span.count; i++) {
        const gen_shape shape = i % 3 == 0 ? GEN_ONES : i % 3 == 1 ? GEN_UNIFORM : GEN_RUNS;
        gen_limbs(g, shape, numbers_at(s, i), n);
    }
}

// expect_batch: r = a b for this context.
static void expect_batch(bigint_ctx *ctx, numbers *r, const numbers *a, const numbers *b) {
    EXPECT_TRUE(numbers_upload(r));
    EXPECT_EQ(bigint_mul_batch(ctx, &r->span, &a->span, &b->span), BIGINT_OK);
    numbers_expect_products(ctx, r, a, b);
}

// multiply: r = a b, modulo 2^bits - 1 unless bits is 0.
static bigint_status multiply(bigint_ctx *ctx, const numbers *r, const numbers *a, const numbers *b,
                              uint64_t bits) {
    return bits == 0 ? bigint_mul_batch(ctx, &r->span, &a->span, &b->span)
                     : bigint_mul_mod_2exp_minus1_batch(ctx, &r->span, &a->span, &b->span, bits);
}

// kernels_of counts the kernels of that, 0 .. most, where they are emulated.
static uint64_t kernels_of(bigint_ctx *ctx, const numbers *r, const numbers *a, const numbers *b,
                           uint64_t bits, uint64_t most) {
    uint64_t kernels = 0, nothing = 0;
    for (bool came = true; came && kernels < most; kernels += came) {
        device_flips(kernels + 1, &nothing, 0);
        EXPECT_EQ(multiply(ctx, r, a, b, bits), BIGINT_OK);
        EXPECT_EQ(bigint_sync(ctx), BIGINT_OK);
        came = device_fault_came();
    }
    device_flips(0, NULL, 0);
    return kernels;
}

typedef enum { STRIDED, COMMON_A, COMMON_B, SQUARES, LISTED, FORMS } form;

// Factors of a form, n limbs and m limbs, with gaps between numbers.
static void open_factors(gen *g, form what, uint64_t n, uint64_t m, uint64_t count, numbers *a,
                         numbers *b) {
    *a = numbers_open(n, what == COMMON_A ? 0 : n + 1, count);
    *b = numbers_open(m, what == COMMON_B ? 0 : m + 2, count);
    fill(g, a, n);
    fill(g, b, m);
    for (uint64_t i = 0; i < count; i++) {
        a->lengths[i] = n;
    }
    a->span.lengths = what == LISTED ? a->lengths : NULL;  // alike, but as a list
    EXPECT_TRUE(numbers_upload(a) && numbers_upload(b));
}

// One, two, three and five pieces; factors that fill the points, so that a coefficient more would
// wrap around; a factor of one limb; launches of all products, of two, of one. Mutations: an item's
// planes, operands or limbs lie a stride too far or none; a tile of the next item is taken for one
// of this; a carry crosses products, or is not looked for beyond a block; the common factor's
// planes move on from item to item, or are made anew from the other factor; the last, shorter
// launch repeats products or leaves some; padding is left; groups of products that are under way at
// once share planes, copies or counters, or do not wait for the common factor's planes.
TEST(DeviceBatchPasses, Forms) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const uint64_t lengths[][2] = {{3, 2},       {2048, 2048}, {4095, 1},
                                          {4096, 4096}, {6000, 6288}, {9000, 11480}};
    static const uint64_t items[] = {0, 2, 1};
    gen g = gen_seed(31);
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        const uint64_t n = lengths[k][0], m = lengths[k][1], count = k < 3 ? 5 : 3;
        for (form what = STRIDED; what < FORMS; what++) {
            if (device_emulated() && n > 4096 && what != STRIDED && what != LISTED) {
                continue;
            }
            SCOPED_TRACE("%llu x %llu limbs, form %d", (unsigned long long)n, (unsigned long long)m,
                         what);
            bigint_ctx *ctx = passes_ctx(items[(k + what) % 3], 0);
            ctx->queue.forced.branches = (unsigned)(k + what) % 4;
            device_order((unsigned)(k + what));
            numbers a, b, r;
            open_factors(&g, what, n, m, count, &a, &b);
            const numbers *const other = what == SQUARES ? &a : &b;
            const uint64_t rn = n + (what == SQUARES ? n : m);
            r = numbers_open(rn + 3, rn + 3 + k % 2, count);
            expect_batch(ctx, &r, &a, other);
            numbers_close(&a), numbers_close(&b), numbers_close(&r);
            bigint_ctx_destroy(ctx);
        }
    }
    device_order(0);
}

// Groups under way at once after launches of more products, which left words where branches count
// now: of one product a launch, then of two. Mutation: a branch's counter begins with what another
// launch left there.
TEST(DeviceBatchPasses, CountersOfBranches) {
    if (!device_ready()) {
        SKIP("no device");
    }
    enum { N = 600, COUNT = 40, FEW = 6 };
    gen g = gen_seed(36);
    bigint_ctx *ctx = passes_ctx(COUNT, 0);
    numbers a = numbers_open(N, N, COUNT), b = numbers_open(N, N, COUNT);
    numbers all = numbers_open(2 * N, 2 * N, COUNT), few = numbers_open(2 * N, 2 * N, FEW);
    fill(&g, &a, N), fill(&g, &b, N);
    EXPECT_TRUE(numbers_upload(&a) && numbers_upload(&b));
    expect_batch(ctx, &all, &a, &b);
    a.span.count = b.span.count = FEW;
    ctx->queue.forced.branches = 3;
    for (unsigned items = 1; items <= 2; items++) {
        SCOPED_TRACE("%u of a launch", items);
        ctx->queue.forced.batch_items = items;
        expect_batch(ctx, &few, &a, &b);
    }
    numbers_close(&a), numbers_close(&b), numbers_close(&all), numbers_close(&few);
    bigint_ctx_destroy(ctx);
}

// One launch of each pass for all products, one more for a list. Mutation: products one after the
// other.
TEST(DeviceBatchPasses, Launches) {
    if (!device_ready() || !device_emulated()) {
        SKIP("the emulation counts");
    }
    static const uint64_t want[FORMS] = {4, 6, 6, 4, 5};
    gen g = gen_seed(32);
    for (form what = STRIDED; what < FORMS; what++) {
        SCOPED_TRACE("form %d", what);
        bigint_ctx *ctx = passes_ctx(0, 0);
        ctx->check_modulus = 0;
        numbers a, b, r = numbers_open(700, 700, 3);
        open_factors(&g, what, 300, 400, 3, &a, &b);
        EXPECT_EQ(kernels_of(ctx, &r, &a, what == SQUARES ? &a : &b, 0, 9), want[what]);
        numbers_close(&a), numbers_close(&b), numbers_close(&r);
        bigint_ctx_destroy(ctx);
    }
}

// Modulo B^n - 1 by the n points of a class: four launches for all products and one for their
// residues, one more for a list; the same with a cap that leaves room for one product of a launch,
// and with one that may leave none. Mutations: a whole product; a cap that is not kept.
TEST(DeviceBatchPasses, Rings) {
    if (!device_ready() || !device_emulated()) {
        SKIP("the emulation counts");
    }
    enum { N = 4096, COUNT = 3 };
    static const uint64_t want[FORMS] = {5, 7, 7, 5, 6};
    gen g = gen_seed(37);
    for (form what = STRIDED; what < FORMS; what++) {
        numbers a, b, r = numbers_open(N, N + 1, COUNT);
        open_factors(&g, what, N, N, COUNT, &a, &b);
        const numbers *const other = what == SQUARES ? &a : &b;
        for (uint64_t cap = 0, round = 0; round < 3; round++) {
            SCOPED_TRACE("form %d, cap %llu", what, (unsigned long long)cap);
            bigint_ctx *ctx = passes_ctx(0, cap);
            ctx->check_modulus = 0;
            ctx->queue.cluster = 0;
            EXPECT_TRUE(numbers_upload(&r));
            const bigint_status status = multiply(ctx, &r, &a, other, 64 * N);
            if (status == BIGINT_OK) {
                numbers_expect_residues(ctx, &r, &a, other, 64 * N, false);
            }
            EXPECT_TRUE(status == BIGINT_OK || (status == BIGINT_ENOMEM && round == 2));
            bigint_counters counters;
            bigint_ctx_counters(ctx, &counters);
            EXPECT_TRUE(cap == 0 || counters.workspace_peak <= cap);
            cap = counters.workspace_peak / 100 * 70;
            EXPECT_TRUE(round > 0 || kernels_of(ctx, &r, &a, other, 64 * N, 9) == want[what]);
            bigint_ctx_destroy(ctx);
        }
        numbers_close(&a), numbers_close(&b), numbers_close(&r);
    }
}

// Modulo B^n - 1 by a block for each product: one launch. Mutations: a whole product and a fold; a
// list that is not read.
TEST(DeviceBatchPasses, Wrapped) {
    if (!device_ready() || !device_emulated()) {
        SKIP("the emulation counts");
    }
    enum { N = 2048, COUNT = 2 };
    gen g = gen_seed(38);
    for (form what = STRIDED; what < FORMS; what++) {
        SCOPED_TRACE("form %d", what);
        bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.checks = 1});
        ctx->check_modulus = 0;
        numbers a, b, r = numbers_open(N, N + 1, COUNT);
        open_factors(&g, what, N, N, COUNT, &a, &b);
        const numbers *const other = what == SQUARES ? &a : &b;
        EXPECT_TRUE(numbers_upload(&r));
        EXPECT_EQ(kernels_of(ctx, &r, &a, other, 64 * N, 3), 1u);
        numbers_expect_residues(ctx, &r, &a, other, 64 * N, false);
        numbers_close(&a), numbers_close(&b), numbers_close(&r);
        bigint_ctx_destroy(ctx);
    }
}

// A list with numbers of no limbs, of two classes, at odd places, with results of many lengths; a
// batch of none and of one. Mutations: a factor's limbs beyond its length are another's; the
// longest of another class is taken; a result's padding is the longest's; numbers of no limbs are
// transformed; a class begins at another's items.
TEST(DeviceBatchPasses, Ragged) {
    if (!device_ready()) {
        SKIP("no device");
    }
    enum { COUNT = 8 };
    static const uint64_t an[COUNT] = {4095, 1, 5, 0, 700, 2150, 1, 2100};
    static const uint64_t bn[COUNT] = {1, 4096, 4000, 5, 600, 2050, 1, 0};
    uint64_t rn[COUNT];
    for (int i = 0; i < COUNT; i++) {
        rn[i] = an[i] + bn[i] + (uint64_t)i % 4;
    }
    gen g = gen_seed(33);
    numbers a = numbers_ragged(&g, an, COUNT, false), b = numbers_ragged(&g, bn, COUNT, false);
    for (uint64_t items = 0; items < 4; items++) {
        bigint_ctx *ctx = passes_ctx(items, 0);
        for (uint64_t count = COUNT; count <= COUNT; count = count == 0 ? COUNT + 1 : count / 8) {
            SCOPED_TRACE("%llu of a launch, %llu products", (unsigned long long)items,
                         (unsigned long long)count);
            numbers r = numbers_ragged(&g, rn, COUNT, true);
            numbers x = a, y = b;
            x.span.count = y.span.count = r.span.count = count;
            EXPECT_EQ(bigint_mul_batch(ctx, &r.span, &x.span, &y.span), BIGINT_OK);
            numbers_expect_products(ctx, &r, &x, &y);
            numbers_close(&r);
        }
        bigint_ctx_destroy(ctx);
    }
    numbers_close(&a), numbers_close(&b);
}

// Caps from what a batch takes down to a refusal: launches of fewer products, then products alone;
// a second call under the same cap; a result too short for one item changes nothing. Mutations:
// memory beyond the cap, a refusal where fewer products of a launch would do, an idle block that
// counts twice.
TEST(DeviceBatchPasses, Caps) {
    if (!device_ready()) {
        SKIP("no device");
    }
    enum { COUNT = 6, N = 1500, M = 1000 };
    gen g = gen_seed(34);
    numbers a = numbers_open(N, N, COUNT), b = numbers_open(M, M, COUNT);
    numbers r = numbers_open(N + M, N + M, COUNT);
    fill(&g, &a, N), fill(&g, &b, M);
    EXPECT_TRUE(numbers_upload(&a) && numbers_upload(&b));
    bigint_span tight = r.span;
    tight.n = N + M - 1;
    bool refused = false;
    uint64_t cap = 0, least = UINT64_MAX;
    for (int round = 0; !refused && round < 40; round++) {
        SCOPED_TRACE("cap %llu", (unsigned long long)cap);
        bigint_ctx *ctx = passes_ctx(0, cap);
        ctx->queue.cluster = 0;
        EXPECT_TRUE(numbers_upload(&r));
        EXPECT_EQ(bigint_mul_batch(ctx, &tight, &a.span, &b.span), BIGINT_EINVAL);
        EXPECT_TEXT(ctx, "result 0 has 2499 limbs, 2500 are needed");
        const bigint_status status = bigint_mul_batch(ctx, &r.span, &a.span, &b.span);
        refused = status == BIGINT_ENOMEM;
        if (!refused) {
            EXPECT_EQ(status, BIGINT_OK);
            numbers_expect_products(ctx, &r, &a, &b);
            expect_batch(ctx, &r, &a, &b);
            // What the first batch held is no reason to compute the next one's products alone.
            EXPECT_TRUE(round != 1 || !device_emulated() || kernels_of(ctx, &r, &a, &b, 0, 9) == 5);
        }
        bigint_counters counters;
        bigint_ctx_counters(ctx, &counters);
        EXPECT_TRUE(cap == 0 || counters.workspace_peak <= cap);
        least = refused ? least : counters.workspace_peak;
        cap = cap == 0 ? counters.workspace_peak : cap / 10 * 8;
        bigint_ctx_destroy(ctx);
    }
    // One product's planes are 2 * 3 * 2^12 doubles; six have six times that.
    EXPECT_TRUE(refused && least < 3 * 6 * 4096 * sizeof(double));
    numbers_close(&a), numbers_close(&b), numbers_close(&r);
}

// What a pass gets wrong is seen, and told of the product that it concerns. Mutation: products by
// passes that are not checked.
TEST(DeviceBatchPasses, FaultsAreSeen) {
    if (!device_ready() || !device_flips(0, NULL, 0)) {
        return;  // a real one makes no faults on demand
    }
    enum { COUNT = 3 };
    static const uint64_t an[COUNT] = {30, 20, 10}, bn[COUNT] = {7, 8, 9};
    uint64_t rn[COUNT];
    gen g = gen_seed(35);
    for (int i = 0; i < COUNT; i++) {
        rn[i] = an[i] + bn[i];
    }
    numbers a = numbers_ragged(&g, an, COUNT, false), b = numbers_ragged(&g, bn, COUNT, false);
    numbers r = numbers_ragged(&g, rn, COUNT, true);
    for (uint64_t i = 0; i < COUNT; i++) {
        bigint_ctx *ctx = passes_ctx(0, 0);
        EXPECT_EQ(bigint_mul_batch(ctx, &r.span, &a.span, &b.span), BIGINT_OK);
        numbers_expect_products(ctx, &r, &a, &b);
        device_flips(5, r.span.p + i * r.span.stride + 3, 1);  // behind the recombination
        EXPECT_EQ(bigint_mul_batch(ctx, &r.span, &a.span, &b.span), BIGINT_OK);
        EXPECT_EQ(bigint_sync(ctx), BIGINT_ECHECK);
        char want[60];
        snprintf(want, sizeof want, "product of %llu by %llu words is wrong",
                 (unsigned long long)an[i], (unsigned long long)bn[i]);
        EXPECT_TEXT(ctx, want);
        bigint_ctx_destroy(ctx);
    }
    numbers_close(&a), numbers_close(&b), numbers_close(&r);
}

// Every class that a product is given has a plan with room for it, and none is shorter than the
// next smaller one needs; thresholds; the plan's text. Mutations: < and <= in any of them, a class
// beyond the digits' exactness, a shape without batches.
TEST(DeviceBatchPasses, Plans) {
    if (!device_ready()) {
        SKIP("no device");
    }
    bigint_ctx *ctx = fixture_ctx(NULL);
    uint64_t before = 0;
    for (uint64_t limbs = 8193; limbs <= UINT64_C(1) << 21; limbs += limbs / 64) {
        const uint64_t an = limbs / 3, bn = limbs - an;
        const device_batch_way way = device_batch_choose(ctx, BATCH_SHARES_NOTHING, 2, an, bn);
        fft_modular_plan plan;
        if (way.kind != BATCH_PASSES) {  // their planes are long
            EXPECT_TRUE(4 * limbs * 96 > 3 * DEVICE_BATCH_PASSES_BYTES);
            continue;
        }
        EXPECT_TRUE(device_batch_passes(way.size, false, &plan));
        const uint64_t points = fft_modular_points(&plan);
        EXPECT_TRUE(points >= limbs && 3 * points <= 5 * limbs && points >= before);
        EXPECT_TRUE(fft_modular_items_most(&plan) > 1);
        before = points;
    }
    const struct {
        uint64_t count, limbs;
        device_batch_kind kind;
    } ways[] = {
        {DEVICE_BATCH_PASSES_MANY, DEVICE_BATCH_PASSES_ABOVE + 1, BATCH_PASSES},
        {DEVICE_BATCH_PASSES_MANY - 1, DEVICE_BATCH_PASSES_ABOVE + 1, BATCH_CLUSTER},
        {DEVICE_BATCH_PASSES_MANY, DEVICE_BATCH_PASSES_ABOVE, BATCH_BLOCK},
        {2, DEVICE_BATCH_PASSES_FEW_ABOVE, BATCH_CLUSTER},
        {2, DEVICE_BATCH_PASSES_FEW_ABOVE + 1, BATCH_PASSES},
        {1, DEVICE_BATCH_PASSES_FEW_ABOVE + 1, BATCH_ALONE},
        {2, UINT64_C(1) << 22, BATCH_ALONE},
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        SCOPED_TRACE("way %zu", i);
        const uint64_t half = ways[i].limbs / 2;
        const device_batch_way way = device_batch_choose(ctx, BATCH_SHARES_NOTHING, ways[i].count,
                                                         half, ways[i].limbs - half);
        EXPECT_EQ((int)way.kind, (int)ways[i].kind);
    }
    device_passes plan;
    char line[200];
    const product_rows rows = {.count = 1000};
    device_passes_make(ctx, &plan, 4, &rows, 5000, 4096, 8200, 0);
    device_passes_print(ctx, &plan, line, sizeof line);
    EXPECT_TRUE(strstr(line,
                       "1000 products of 5000 x 4096 limbs, 3 primes, 8192 points = 2 pieces "
                       "of 2^4 rows x 2^8, packed, 91 products a launch, 2 branches") != NULL);
    bigint_ctx_destroy(ctx);
}

// Which products modulo B^n - 1 have a class. Mutations: < and <= in any of the limits, a class of
// 2^12 points in five pieces, one for products that are checked.
TEST(DeviceBatchPasses, RingClasses) {
    if (!device_ready()) {
        SKIP("no device");
    }
    bigint_ctx *ctx = fixture_ctx(NULL);
    device_batch_way ring;
    const uint64_t n = UINT64_C(1) << 13, many = DEVICE_BATCH_RINGS_MANY;
    EXPECT_TRUE(device_batch_ring(ctx, 16, n, n, n, &ring) && ring.size == 4);
    EXPECT_EQ((int)ring.kind, (int)BATCH_PASSES);
    EXPECT_TRUE(device_batch_ring(ctx, 16, n, 1 << 12, n, &ring));
    EXPECT_FALSE(device_batch_ring(ctx, 16, n / 2, n / 2, n, &ring));   // the product is as long
    EXPECT_FALSE(device_batch_ring(ctx, 16, n + 1, n, n, &ring));       // a digit more
    EXPECT_FALSE(device_batch_ring(ctx, 16, 5000, 5000, 5120, &ring));  // five pieces are no ring
    EXPECT_FALSE(device_batch_ring(ctx, 16, 0, n, n, &ring));
    EXPECT_TRUE(device_batch_ring(ctx, 2, 1 << 20, 1 << 20, 1 << 20, &ring));
    EXPECT_FALSE(device_batch_ring(ctx, 2, 1 << 21, 1 << 21, 1 << 21, &ring));
    EXPECT_TRUE(device_batch_ring(ctx, many, 4096, 4096, 4096, &ring) && ring.size == 14);
    EXPECT_EQ((int)ring.kind, (int)BATCH_WRAPPED);
    EXPECT_TRUE(device_batch_ring(ctx, many, 2048, 2049, 4096, &ring));
    EXPECT_FALSE(device_batch_ring(ctx, many, 2048, 2048, 4096, &ring));
    EXPECT_TRUE(device_batch_ring(ctx, many - 1, 4096, 4096, 4096, &ring));
    EXPECT_EQ((int)ring.kind, (int)BATCH_PASSES);
    EXPECT_TRUE(device_batch_ring(ctx, 1, 2048, 1, 2048, &ring) && ring.size == 13);
    EXPECT_FALSE(device_batch_ring(ctx, many, 1024, 1024, 1024, &ring));
    ctx->check_modulus = 1;
    EXPECT_FALSE(device_batch_ring(ctx, 16, n, n, n, &ring));
    ctx->check_modulus = 0;
    bigint_ctx_destroy(ctx);
}
