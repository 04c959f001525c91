// batch_ways_test.c: the ways of batches on a device, or under the kernel emulation: one
// launch for each, engines by name, a million products.
#include <stdbool.h>
#include <string.h>

#include "bigint/core/tune.h"
#include "bigint/device/batch/batch_plan.h"
#include "bigint/device/kernels/product_rows.h"
#include "tests/bigint/core/fixture.h"
#include "tests/bigint/device/numbers.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/oracle.h"

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

// A batch of equal shapes takes one launch, whichever way it goes. So do the items of a list that
// go the same way. Mutations: a stride for another's; the factors change places and their strides
// do not; a common factor is taken for a batch; a way is launched twice, or its list begins at
// another's.
TEST(DeviceBatchWays, OneLaunch) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const struct {
        const char *engine;
        uint64_t an, bn;
    } cases[] = {{NULL, 3, 2},          {NULL, 16, 16},
                 {NULL, 2, 40},         {NULL, 300, 20},
                 {NULL, 250, 512},      {"tiled", 5, 3},
                 {"tiled", 60, 60},     {"tiled", 256, 256},
                 {"modular-fft", 4, 9}, {"modular-fft", 600, 700},
                 {"real-fft", 7, 300},  {NULL, 600, 700}};
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
                gen_limbs(&g, GEN_RUNS, numbers_at(&a, i), an);
                gen_limbs(&g, GEN_UNIFORM, numbers_at(&b, i), bn);
                a.lengths[i] = an;
            }
            a.span.lengths = form == 3 ? a.lengths : NULL;  // alike, but as a list
            EXPECT_TRUE(numbers_upload(&a) && numbers_upload(&b) && numbers_upload(&r));
            EXPECT_EQ(bigint_mul_batch(ctx, &r.span, &a.span, &b.span), BIGINT_OK);
            numbers_expect_products(ctx, &r, &a, &b);
            EXPECT_TRUE(!device_emulated() || kernels_of(ctx, &r, &a, &b, 5) == 1);
            numbers_close(&a), numbers_close(&b), numbers_close(&r);
        }
        bigint_ctx_destroy(ctx);
    }
}

// What the products of a batch share. Mutations: squares of a list; a common factor of one product.
TEST(DeviceBatchWays, Sharing) {
    const device_batch_sharing none = BATCH_SHARES_NOTHING, one = BATCH_SHARES_FACTOR,
                               squares = BATCH_OF_SQUARES;
    static const uint64_t many = DEVICE_BATCH_COMMON_MANY;
    uint64_t words[2] = {0};
    const product_item item = {.a = words, .b = words + 1, .an = 1, .bn = 1};
    product_item square = item;
    square.b = square.a;
    const struct {
        product_rows rows;
        device_batch_sharing shares;
    } batches[] = {
        {{item, 2, 1, 1, NULL, many, 0}, none},  {{item, 2, 0, 1, NULL, many, 0}, one},
        {{item, 2, 1, 0, NULL, many, 0}, one},   {{item, 2, 1, 0, NULL, 2, 0}, one},
        {{item, 2, 1, 0, NULL, 1, 0}, none},     {{square, 2, 1, 1, NULL, 1, 0}, squares},
        {{square, 2, 1, 0, NULL, many, 0}, one}, {{square, 2, 0, 0, &square, many, 0}, none},
    };
    for (size_t i = 0; i < sizeof batches / sizeof *batches; i++) {
        SCOPED_TRACE("batch %zu", i);
        EXPECT_EQ((int)device_batch_shares(&batches[i].rows), (int)batches[i].shares);
    }
}

// The ways of batches by what they share. Mutations: < and <= in any of the limits; a common
// factor of too few products; a named engine's products go another way; few products a thread each.
TEST(DeviceBatchWays, Shared) {
    if (!device_ready()) {
        SKIP("no device");
    }
    const device_batch_sharing none = BATCH_SHARES_NOTHING, one = BATCH_SHARES_FACTOR,
                               squares = BATCH_OF_SQUARES;
    static const uint64_t many = DEVICE_BATCH_COMMON_MANY, least = DEVICE_BATCH_COMMON_LEAST,
                          tiled = DEVICE_BATCH_TILED_MOST;
    static const uint64_t short_many = DEVICE_BATCH_SHORT_CUBES * 16 * 16 * 16,
                          squares_many = DEVICE_BATCH_SHORT_SQUARES_CUBES * 32 * 32 * 32;
    const struct {
        const char *engine;
        device_batch_sharing shares;
        uint64_t count, an, bn;
        device_batch_kind kind;
        unsigned size;  // 0: any
    } ways[] = {
        {NULL, none, short_many, 16, 16, BATCH_SHORT, 16},
        {NULL, none, short_many - 1, 16, 16, BATCH_TILED, 1},
        {NULL, none, 1, DEVICE_BATCH_SHORT_FEW_ABOVE, 1, BATCH_SHORT, 8},
        {NULL, none, 1, DEVICE_BATCH_SHORT_FEW_ABOVE + 1, 1, BATCH_TILED, 1},
        {NULL, none, many, 17, 2, BATCH_TILED, 2},
        {NULL, squares, squares_many, 17, 17, BATCH_SHORT, 24},
        {NULL, squares, squares_many, 32, 32, BATCH_SHORT, 32},
        {NULL, squares, squares_many - 1, 32, 32, BATCH_TILED, 2},
        {NULL, squares, squares_many, 33, 33, BATCH_TILED, 3},
        {NULL, squares, many, tiled, tiled, BATCH_TILED, 16},
        {NULL, squares, many, tiled + 1, tiled + 1, BATCH_BLOCK, 0},
        {NULL, none, many, tiled, tiled, BATCH_TILED, 16},
        {NULL, one, many, least - 1, 1, BATCH_SHORT, 0},
        {NULL, one, many, least, 1, BATCH_COMMON, (least + 15) / 16},
        {NULL, one, many, 1, 128, BATCH_COMMON, 8},
        {NULL, one, many, DEVICE_BATCH_MATRIX_LEAST - 1, 1, BATCH_COMMON, 0},
        {NULL, one, many, 1, DEVICE_BATCH_MATRIX_LEAST, BATCH_MATRIX, 9},
        {NULL, one, many, 256, 256, BATCH_MATRIX, 16},
        {NULL, one, many, 257, 1, BATCH_BLOCK, 0},
        {NULL, one, many - 1, 256, 256, BATCH_TILED, 16},
        {"tiled", one, many, 256, 1, BATCH_MATRIX, 16},
        {"tiled", one, many, 1, 1, BATCH_COMMON, 1},
        {"tiled", squares, many, 17, 17, BATCH_TILED, 2},
        {"modular-fft", one, many, 100, 100, BATCH_CLUSTER, 0},
        {NULL, none, 1, 256, 256, BATCH_TILED, 16},
        {NULL, none, 1, 257, 256, BATCH_BLOCK, 0},
        {NULL, none, DEVICE_BATCH_RINGS_MANY, 4096, 4096, BATCH_BLOCK, 14},
        {NULL, none, DEVICE_BATCH_RINGS_MANY, 4096, 1, BATCH_BLOCK, 14},
        {NULL, none, DEVICE_BATCH_RINGS_MANY - 1, 4096, 4096, BATCH_PASSES, 0},
        {NULL, none, DEVICE_BATCH_RINGS_MANY, 4096, 4097, BATCH_PASSES, 0},
        {NULL, one, DEVICE_BATCH_RINGS_COMMON_MANY, 4096, 4096, BATCH_BLOCK, 14},
        {NULL, one, DEVICE_BATCH_RINGS_COMMON_MANY - 1, 4096, 4096, BATCH_PASSES, 0},
        {"tiled", none, 1, 256, 256, BATCH_TILED, 16},
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        SCOPED_TRACE("way %zu", i);
        bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.engine = ways[i].engine});
        const device_batch_way way =
            device_batch_choose(ctx, ways[i].shares, ways[i].count, ways[i].an, ways[i].bn);
        EXPECT_EQ((int)way.kind, (int)ways[i].kind);
        EXPECT_TRUE(ways[i].size == 0 || way.size == ways[i].size);
        bigint_ctx_destroy(ctx);
    }
}

// One factor common to as many products as take the way of a matrix, either one, padded. Mutations:
// the way is not launched; the factors change places without their strides.
TEST(DeviceBatchWays, CommonFactor) {
    if (!device_ready()) {
        SKIP("no device");
    }
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.engine = "tiled"});
    gen g = gen_seed(18);
    const uint64_t count = DEVICE_BATCH_COMMON_MANY + 1;
    const uint64_t shortest = device_emulated() ? 3 : 1, longest = device_emulated() ? 3 : 127;
    for (uint64_t n = shortest; n <= longest; n = 2 * n + 1) {
        const bool first = n % 4 == 3;  // is common
        numbers a = numbers_open(n, first ? 0 : n, count);
        numbers b = numbers_open(n + 1, first ? n + 2 : 0, count);
        numbers r = numbers_open(2 * n + 2, 2 * n + 2, count);
        for (uint64_t i = 0; i < count; i++) {
            gen_limbs(&g, GEN_RUNS, numbers_at(&a, i), n);
            gen_limbs(&g, GEN_UNIFORM, numbers_at(&b, i), n + 1);
        }
        EXPECT_TRUE(numbers_upload(&a) && numbers_upload(&b) && numbers_upload(&r));
        EXPECT_EQ(bigint_mul_batch(ctx, &r.span, &a.span, &b.span), BIGINT_OK);
        numbers_expect_products(ctx, &r, &a, &b);
        numbers_close(&a), numbers_close(&b), numbers_close(&r);
    }
    bigint_ctx_destroy(ctx);
}

// Products by two rings, some of a list with shorter ones. Mutations: no workspace, that of another
// way, or less than blocks use; a cap is not looked at.
TEST(DeviceBatchWays, Rings) {
    if (!device_ready()) {
        SKIP("no device");
    }
    gen g = gen_seed(19);
    const uint64_t n = 2049, count = DEVICE_BATCH_RINGS_MANY;
    for (int form = 0; form < 3; form++) {
        SCOPED_TRACE("form %d", form);
        const uint64_t cap = form == 2 ? UINT64_C(8) << 20 : 0;  // too little for rings
        bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.max_workspace_bytes = cap});
        numbers a = numbers_open(n, n, count), b = numbers_open(n, n, count);
        numbers r = numbers_open(2 * n, 2 * n, count);
        for (uint64_t i = 0; i < count; i++) {
            gen_limbs(&g, GEN_RUNS, numbers_at(&a, i), n);
            gen_limbs(&g, GEN_UNIFORM, numbers_at(&b, i), n);
            a.lengths[i] = i % 16 == 3 ? i : n;
        }
        a.span.lengths = form == 1 ? a.lengths : NULL;
        EXPECT_TRUE(numbers_upload(&a) && numbers_upload(&b) && numbers_upload(&r));
        EXPECT_EQ(bigint_mul_batch(ctx, &r.span, &a.span, &b.span), BIGINT_OK);
        numbers_expect_products(ctx, &r, &a, &b);
        numbers_close(&a), numbers_close(&b), numbers_close(&r);
        bigint_ctx_destroy(ctx);
    }
}

// A million products. Mutation: a number of blocks or of products cut to too few bits.
TEST(DeviceBatchWays, Million) {
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
        EXPECT_TRUE(numbers_upload(&a) && numbers_upload(&b) && numbers_upload(&r));
        EXPECT_EQ(bigint_mul_batch(ctx, &r.span, &a.span, &b.span), BIGINT_OK);
        numbers_expect_products(ctx, &r, &a, &b);
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
TEST(DeviceBatchWays, TiledByName) {
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
    EXPECT_TRUE(strstr(line, "tiled, 50 x 40 limbs, 4 tiles") != NULL);
    bigint a = BIGINT_INIT;
    EXPECT_EQ(bigint_set_u64(ctx, &a, 1), BIGINT_OK);
    EXPECT_EQ(bigint_mul_2exp(ctx, &a, &a, 64 * 256), BIGINT_OK);
    EXPECT_EQ(bigint_mul(ctx, &a, &a, &a), BIGINT_ERANGE);
    EXPECT_TEXT(ctx, "engine tiled has no exact plan for 257 by 257 limbs");
    bigint_clear(ctx, &a);
    const uint64_t lengths[3] = {3, 257, 2};
    numbers x = numbers_ragged(&g, lengths, 3, false), r = numbers_open(514, 515, 3);
    EXPECT_TRUE(numbers_upload(&r));
    EXPECT_EQ(bigint_mul_batch(ctx, &r.span, &x.span, &x.span), BIGINT_ERANGE);
    EXPECT_EQ(bigint_sync(ctx), BIGINT_OK);
    EXPECT_TRUE(device_download(r.host, r.span.p, r.words * sizeof *r.host));
    for (uint64_t i = 0; i < r.words; i++) {
        ASSERT_EQ(r.host[i], NUMBERS_MARK);
    }
    numbers_close(&x), numbers_close(&r);
    bigint_ctx_destroy(ctx);
}
