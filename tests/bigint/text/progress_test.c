// progress_test.c: options.progress in long products and quotients, and in conversions from and to
// decimal text.
#include <stdlib.h>
#include <string.h>

#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"

typedef struct {
    double done, total;
    double most;  // the largest part of the total that passed between two calls
    int calls;
} progress_log;

static int log_progress(void *user, double done, double total) {
    progress_log *const log = user;
    EXPECT_TRUE(done > log->done && done <= total && (log->total == 0 || log->total == total));
    const double part = (done - log->done) / total;
    *log = (progress_log){done, total, part > log->most ? part : log->most, log->calls + 1};
    return 0;
}

// expect_progress: of a product in pieces, by one engine or another, and of a division.
static void expect_progress(const char *engine, int calls) {
    progress_log log = {0};
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){
        .threads = 2, .engine = engine, .progress = log_progress, .progress_user = &log});
    bigint a = BIGINT_INIT, b = BIGINT_INIT, r = BIGINT_INIT;
    EXPECT_EQ(bigint_set_u64(ctx, &a, 3), BIGINT_OK);
    EXPECT_EQ(bigint_mul_2exp(ctx, &b, &a, 64 * 3000), BIGINT_OK);
    EXPECT_EQ(bigint_mul_2exp(ctx, &a, &a, 64 * 90000), BIGINT_OK);
    EXPECT_EQ(bigint_mul(ctx, &r, &a, &b), BIGINT_OK);
    EXPECT_TRUE(log.calls > calls && log.done == log.total);
    log = (progress_log){0};
    EXPECT_EQ(bigint_divrem(ctx, &r, NULL, &a, &b), BIGINT_OK);
    EXPECT_TRUE(log.calls > 1 && log.done == 1 && log.total == 1);
    bigint_clear(ctx, &a);
    bigint_clear(ctx, &b);
    bigint_clear(ctx, &r);
    bigint_ctx_destroy(ctx);
}

// Mutations: progress of pieces starts over, does not reach its total, or comes from products
// inside another call, or from another thread.
TEST(Progress, OfProducts) {
    expect_progress("modular-fft", 10);
    expect_progress("real-fft", 0);  // the other thread may do all pieces
}

// expect_conversions: a number of `digits` digits from text and back, then a division.
static void expect_conversions(size_t digits, uint32_t threads, double most) {
    SCOPED_TRACE("%zu digits, %u threads", digits, threads);
    progress_log log = {0};
    bigint_ctx *ctx = fixture_ctx(
        &(bigint_ctx_options){.threads = threads, .progress = log_progress, .progress_user = &log});
    bigint a = BIGINT_INIT, d = BIGINT_INIT;
    char *const text = malloc(digits + 1), *const back = malloc(digits + 1);
    gen g = gen_seed(303);
    for (size_t i = 0; i < digits; i++) {
        text[i] = (char)('1' + gen_below(&g, 9));
    }
    text[digits] = '\0';
    EXPECT_EQ(bigint_set_decimal(ctx, &a, text, digits, NULL), BIGINT_OK);
    EXPECT_TRUE(log.calls > 1 && log.done == log.total && log.most < most);
    log = (progress_log){0};
    EXPECT_EQ(bigint_get_decimal(ctx, back, digits + 1, NULL, &a), BIGINT_OK);
    EXPECT_TRUE(log.calls > 1 && log.done == log.total && log.most < most);
    EXPECT_TRUE(strcmp(text, back) == 0);
    log = (progress_log){0};
    EXPECT_EQ(bigint_tdiv_2exp(ctx, &d, &a, digits * 5 / 3), BIGINT_OK);
    EXPECT_EQ(bigint_divrem(ctx, &d, NULL, &a, &d), BIGINT_OK);
    EXPECT_TRUE(log.calls > 1 && log.done == 1 && log.total == 1);
    free(text);
    free(back);
    bigint_clear(ctx, &a);
    bigint_clear(ctx, &d);
    bigint_ctx_destroy(ctx);
}

// Mutations: a level or the leaves not counted, counted twice or from 0 again; nothing reported by
// the division, which is half of the work to text; the division's share taken for the whole;
// progress of products inside.
TEST(Progress, OfConversions) {
    const size_t digits[] = {120000, 160000, 250000, 500000};  // the tree begins at 114000
    for (size_t i = 0; i < sizeof digits / sizeof *digits; i++) {
        expect_conversions(digits[i], 1, 0.25);
        expect_conversions(digits[i], 2, 0.25);
    }
}
