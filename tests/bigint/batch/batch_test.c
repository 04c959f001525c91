// Batches of unsigned numbers: strided, ragged and repeated, against GMP; padding.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/oracle.h"

enum { MAX_COUNT = 40, MAX_LIMBS = 30, WORDS = MAX_COUNT * (2 * MAX_LIMBS + 9) };

// One input of a random batch, in memory of its own.
typedef struct {
    uint64_t words[WORDS], lengths[MAX_COUNT], offsets[MAX_COUNT];
    bigint_span span;
} input;

static const uint64_t *at(const bigint_span *s, uint64_t i) {
    return s->p + (s->offsets != NULL ? s->offsets[i] : i * s->stride);
}
static uint64_t length(const bigint_span *s, uint64_t i) {
    return s->lengths != NULL ? s->lengths[i] : s->n;
}

// draw_input: count numbers of up to n limbs (0 .. MAX_LIMBS), of any form.
static void draw_input(gen *g, input *in, uint64_t count) {
    const uint64_t n = gen_below(g, MAX_LIMBS + 1), form = gen_below(g, 4);
    const uint64_t stride = form == 0 ? 0 : n + gen_below(g, 4);
    in->span = (bigint_span){.p = in->words, .n = n, .stride = stride, .count = count};
    for (uint64_t i = 0; i < count; i++) {
        in->lengths[i] = gen_below(g, n + 1);
        in->offsets[i] = (count - 1 - i) * stride;
    }
    in->span.lengths = form >= 2 ? in->lengths : NULL;
    in->span.offsets = form == 3 ? in->offsets : NULL;
    for (uint64_t i = 0; i < (n == 0 ? 0 : count); i++) {
        gen_limbs(g, (gen_shape)gen_below(g, GEN_SHAPES), in->words + i * stride, n);
    }
}

// draw_result: a result span that just holds the products, or more; unused words hold a mark.
static void draw_result(gen *g, input *out, const bigint_span *a, const bigint_span *b,
                        uint64_t count) {
    const uint64_t n = a->n + b->n + gen_below(g, 3), stride = n + gen_below(g, 4);
    out->span = (bigint_span){.p = out->words, .n = n, .stride = stride, .count = count};
    for (uint64_t i = 0; i < count; i++) {
        out->lengths[i] =
            length(a, i) + length(b, i) + gen_below(g, n + 1 - length(a, i) - length(b, i));
        out->offsets[i] = (count - 1 - i) * stride;
    }
    if (gen_below(g, 2) == 0) {
        out->span.lengths = out->lengths;
        out->span.offsets = out->offsets;
    }
    memset(out->words, 0x77, sizeof out->words);
}

// Contexts that compute in different ways.
typedef struct {
    const char *name;
    bigint_ctx_options options;
} context_case;
static const context_case contexts[] = {{"plain", {0}},
                                        {"checked", {.checks = 1}},
                                        {"threads", {.threads = 2}},
                                        {"portable", {.variant = "portable"}},
                                        {"karatsuba", {.engine = "karatsuba"}}};

static void context_label(char *buf, size_t cap, const context_case *p) {
    snprintf(buf, cap, "%s", p->name);
}

static void random_batches(const bigint_ctx_options *options, int rounds) {
    bigint_ctx *ctx = fixture_ctx(options);
    static input a, b, r;
    gen g = gen_seed(11);
    for (int round = 0; round < rounds; round++) {
        const uint64_t count = gen_below(&g, MAX_COUNT + 1);
        draw_input(&g, &a, count);
        draw_input(&g, &b, count);
        draw_result(&g, &r, &a.span, &b.span, count);
        SCOPED_TRACE("round %d: %llu products of %llu by %llu limbs", round,
                     (unsigned long long)count, (unsigned long long)a.span.n,
                     (unsigned long long)b.span.n);
        ASSERT_EQ(bigint_mul_batch(ctx, &r.span, &a.span, &b.span), BIGINT_OK);
        uint64_t marks = WORDS;
        mpz_t x, y;
        mpz_inits(x, y, NULL);
        for (uint64_t i = 0; i < count; i++) {
            oracle_load(x, at(&a.span, i), length(&a.span, i));
            oracle_load(y, at(&b.span, i), length(&b.span, i));
            mpz_mul(x, x, y);
            EXPECT_VALUE(at(&r.span, i), length(&r.span, i), x);
            marks -= length(&r.span, i);
        }
        mpz_clears(x, y, NULL);
        for (uint64_t i = 0; i < WORDS; i++) {
            marks -= r.words[i] == 0x7777777777777777;
        }
        EXPECT_EQ(marks, 0u);  // nothing outside the results was written
    }
    bigint_ctx_destroy(ctx);
}

// Mutations: the padding is left, lengths of one span used for another, offsets ignored, stride 0
// advances, b longer than a, the plan of the item before is kept though the lengths changed.
TEST(Batch, RandomProducts) { random_batches(NULL, 600); }
TEST(Batch, CheckedProducts) { random_batches(&(bigint_ctx_options){.checks = 1}, 200); }
// Mutation: two workers share a workspace, a chunk is left out.
TEST(Batch, ProductsOnTwoThreads) {
    random_batches(&(bigint_ctx_options){.threads = 2, .checks = 1}, 300);
}

// expect_products: a batch of spans whose numbers are there, against GMP.
static void expect_products(bigint_ctx *ctx, const bigint_span *r, const bigint_span *a,
                            const bigint_span *b) {
    bigint_counters before, after;
    mpz_t x, y;
    mpz_inits(x, y, NULL);
    bigint_ctx_counters(ctx, &before);
    EXPECT_EQ(bigint_mul_batch(ctx, r, a, b), BIGINT_OK);
    bigint_ctx_counters(ctx, &after);
    EXPECT_EQ(after.products - before.products, r->count);
    for (uint64_t i = 0; i < r->count; i++) {
        SCOPED_TRACE("item %llu of %llu: %llu by %llu limbs", (unsigned long long)i,
                     (unsigned long long)r->count, (unsigned long long)length(a, i),
                     (unsigned long long)length(b, i));
        oracle_load(x, at(a, i), length(a, i));
        oracle_load(y, at(b, i), length(b, i));
        mpz_mul(x, x, y);
        EXPECT_VALUE(at(r, i), length(r, i), x);
    }
    mpz_clears(x, y, NULL);
}

// Batches of items of one length, with and without gaps and padding, in groups of eight and less.
// Mutations: the items that are left after groups of eight are not computed, or computed beyond the
// end; a gap is not skipped; the padding of a group is left; equal pointers are squared though the
// Short items before long ones. Mutation, for builds with assertions: the tables of the first of
// the shortest transforms, whose tables have the same bytes, serve them all.
TEST(Batch, TablesServeTheLongest) {
    enum { LONGEST = 128, COUNT = 3 };
    static uint64_t words[COUNT * LONGEST], products[COUNT * 2 * LONGEST];
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.engine = "modular-fft"});
    gen g = gen_seed(12);
    gen_limbs(&g, GEN_UNIFORM, words, COUNT * LONGEST);
    for (uint64_t n = 1; n <= LONGEST; n++) {
        const uint64_t lengths[] = {1, n, 1};
        const bigint_span a = {words, n, LONGEST, COUNT, lengths, NULL};
        const bigint_span r = {products, 2 * n, 2 * LONGEST, COUNT, NULL, NULL};
        bigint_ctx_trim(ctx);
        expect_products(ctx, &r, &a, &a);
    }
    bigint_ctx_destroy(ctx);
}

// lengths differ.
TEST_EACH(Batch, AlikeItems, context_case, contexts, context_label) {
    enum { MOST = 131, COUNT = 19, STEP = MOST + 3 };
    static uint64_t a[COUNT * STEP], b[COUNT * STEP], r[COUNT * 2 * STEP + 1];
    static const uint64_t counts[] = {1, 4, 5, 7, 8, 9, 12, 13, 16, 19};
    bigint_ctx *ctx = fixture_ctx(&p->options);
    gen g = gen_seed(21);
    for (uint64_t n = 1; n <= MOST; n += n < 40 ? 1 : 9 + gen_below(&g, 9)) {
        for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
            const uint64_t count = counts[k], bn = k % 3 != 0 ? n : 1 + gen_below(&g, n);
            const uint64_t gap = gen_below(&g, 3), more = gen_below(&g, 3);
            gen_limbs(&g, (gen_shape)gen_below(&g, GEN_SHAPES), a, count * (n + gap));
            gen_limbs(&g, (gen_shape)gen_below(&g, GEN_SHAPES), b, count * (n + gap));
            memset(r, 0x77, sizeof r);
            const bigint_span x = {.p = a, .n = n, .stride = n + gap, .count = count};
            const bigint_span y = {
                .p = k % 4 == 3 ? a : b, .n = bn, .stride = n + gap, .count = count};
            const uint64_t rn = n + bn + more, stride = rn + gap;
            const bigint_span out = {.p = r, .n = rn, .stride = stride, .count = count};
            expect_products(ctx, &out, &x, &y);
            EXPECT_EQ(r[(count - 1) * stride + rn], (uint64_t)0x7777777777777777);
            expect_products(
                ctx, &(bigint_span){.p = r, .n = bn + n, .stride = n + bn, .count = count}, &y, &x);
        }
    }
    bigint_ctx_destroy(ctx);
}

// Neighbours of the same lengths between others, at strides or at offsets. Mutations: a group takes
// one more or one less than there are; it takes another item's lengths; offsets are those of
// another item.
TEST_EACH(Batch, RunsOfLengths, context_case, contexts, context_label) {
    enum { MOST = 40, COUNT = 60 };
    static input a, b;
    static uint64_t r[COUNT * 2 * MOST], lengths[COUNT], offsets[COUNT];
    static uint64_t words[2][COUNT * MOST];
    bigint_ctx *ctx = fixture_ctx(&p->options);
    gen g = gen_seed(22);
    for (int round = 0; round < 60; round++) {
        input *const both[] = {&a, &b};
        for (int k = 0; k < 2; k++) {
            bigint_span *const s = &both[k]->span;
            *s = (bigint_span){.p = words[k], .n = MOST, .stride = MOST, .count = COUNT};
            gen_limbs(&g, (gen_shape)gen_below(&g, GEN_SHAPES), words[k], COUNT * MOST);
        }
        static uint64_t an[COUNT], bn[COUNT], at_a[COUNT], at_b[COUNT];
        for (uint64_t i = 0; i < COUNT;) {
            const uint64_t run = 1 + gen_below(&g, 11), x = gen_below(&g, MOST + 1);
            const uint64_t y = gen_below(&g, 3) == 0 ? gen_below(&g, MOST + 1) : x;
            for (uint64_t end = i + run; i < end && i < COUNT; i++) {
                an[i] = x, bn[i] = y, lengths[i] = x + y;
                at_a[i] = (i * 7 + 3) % COUNT * MOST, at_b[i] = (i * 11 + 5) % COUNT * MOST;
                offsets[i] = (i * 13 + 1) % COUNT * 2 * MOST;
            }
        }
        a.span.lengths = an, b.span.lengths = bn;
        bigint_span out = {.p = r, .n = 2 * MOST, .stride = 2 * MOST, .count = COUNT};
        out.lengths = round % 4 == 0 ? NULL : lengths;
        if (round % 2 == 0) {
            a.span.offsets = at_a, b.span.offsets = at_b, out.offsets = offsets;
        }
        if (round % 5 == 0) {
            b.span.offsets = NULL;
        }
        expect_products(ctx, &out, &a.span, &b.span);
    }
    bigint_ctx_destroy(ctx);
}

// A cap that leaves no room for groups of eight. Mutation: they are asked for nevertheless.
TEST(Batch, SmallCap) {
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.max_workspace_bytes = 4096});
    static uint64_t a[20 * 30], r[20 * 60];
    gen g = gen_seed(23);
    gen_limbs(&g, GEN_UNIFORM, a, 20 * 30);
    const bigint_span in = {.p = a, .n = 30, .stride = 30, .count = 20};
    expect_products(ctx, &(bigint_span){.p = r, .n = 60, .stride = 60, .count = 20}, &in, &in);
    bigint_ctx_destroy(ctx);
}

// One number times itself, from the same memory. Mutation: equal pointers of different lengths are
// squared.
TEST(Batch, SquaresAndBroadcast) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    uint64_t a[12], r[8 * 3];
    gen g = gen_seed(12);
    gen_limbs(&g, GEN_UNIFORM, a, 12);
    const bigint_span in = {.p = a, .n = 4, .stride = 4, .count = 3};
    const bigint_span one = {.p = a, .n = 4, .stride = 0, .count = 3};
    const bigint_span out = {.p = r, .n = 8, .stride = 8, .count = 3};
    EXPECT_EQ(bigint_mul_batch(ctx, &out, &in, &in), BIGINT_OK);
    for (int i = 0; i < 3; i++) {
        EXPECT_PRODUCT(r + 8 * i, a + 4 * i, 4, a + 4 * i, 4);
    }
    EXPECT_EQ(bigint_mul_batch(ctx, &out, &one, &in), BIGINT_OK);
    for (int i = 0; i < 3; i++) {
        EXPECT_PRODUCT(r + 8 * i, a, 4, a + 4 * i, 4);
    }
    bigint_counters counters;
    bigint_ctx_counters(ctx, &counters);
    EXPECT_EQ(counters.products, 6u);
    bigint_ctx_destroy(ctx);
}

// Products that need a workspace, on two threads at once. Mutation: two workers share one.
TEST(Batch, WorkspaceOfEachWorker) {
    enum { N = 1500, COUNT = 40 };
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.threads = 2, .engine = "karatsuba"});
    uint64_t *a = malloc(COUNT * N * sizeof *a), *r = malloc(2 * COUNT * N * sizeof *r);
    ASSERT_TRUE(a != NULL && r != NULL);
    gen g = gen_seed(16);
    gen_limbs(&g, GEN_UNIFORM, a, COUNT * N);
    const bigint_span in = {.p = a, .n = N, .stride = N, .count = COUNT};
    const bigint_span first = {.p = a, .n = N, .stride = 0, .count = COUNT};
    const bigint_span out = {.p = r, .n = 2 * N, .stride = 2 * N, .count = COUNT};
    for (int round = 0; round < 5; round++) {
        EXPECT_EQ(bigint_mul_batch(ctx, &out, &in, &first), BIGINT_OK);
        for (size_t i = 0; i < COUNT; i++) {
            ASSERT_PRODUCT(r + 2 * N * i, a + N * i, N, a, N);
        }
    }
    free(a);
    free(r);
    bigint_ctx_destroy(ctx);
}

// Products large enough for the transform. Mutation: several of them run on one team at once.
TEST(Batch, LargeProducts) {
    enum { N = 6000, COUNT = 3 };
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.threads = 2});
    uint64_t *a = malloc(COUNT * N * sizeof *a), *r = malloc(2 * COUNT * N * sizeof *r);
    ASSERT_TRUE(a != NULL && r != NULL);
    gen g = gen_seed(13);
    gen_limbs(&g, GEN_RUNS, a, COUNT * N);
    const bigint_span in = {.p = a, .n = N, .stride = N, .count = COUNT};
    const bigint_span first = {.p = a, .n = N, .stride = 0, .count = COUNT};
    const bigint_span out = {.p = r, .n = 2 * N, .stride = 2 * N, .count = COUNT};
    EXPECT_EQ(bigint_mul_batch(ctx, &out, &in, &first), BIGINT_OK);
    for (size_t i = 0; i < COUNT; i++) {
        EXPECT_PRODUCT(r + 2 * N * i, a + N * i, N, a, N);
    }
    free(a);
    free(r);
    bigint_ctx_destroy(ctx);
}

// Powers of random numbers modulo odd and even numbers, longer and shorter than the base, and 1.
// Mutations: the padding is left, a result is published before the last one is known, spans of
// exponent and base exchanged, top zero limbs of the modulus count.
TEST(Batch, RandomPowers) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    static input base, exponent, modulus, r;
    gen g = gen_seed(14);
    mpz_t x, e, m;
    mpz_inits(x, e, m, NULL);
    for (int round = 0; round < 100; round++) {
        const uint64_t count = gen_below(&g, 8);
        SCOPED_TRACE("round %d: %llu powers", round, (unsigned long long)count);
        draw_input(&g, &base, count);
        draw_input(&g, &exponent, count);
        exponent.span.n = exponent.span.n > 2 ? 2 : exponent.span.n;
        exponent.span.lengths = NULL;
        draw_input(&g, &modulus, count);
        if (modulus.span.n == 0) {
            continue;
        }
        modulus.span.lengths = NULL;
        for (uint64_t i = 0; i < count; i++) {
            modulus.words[i * modulus.span.stride] |= 1 + gen_below(&g, 4);  // not 0
        }
        const bigint_span none = {0};
        draw_result(&g, &r, &modulus.span, &none, count);
        ASSERT_EQ(bigint_powm_batch(ctx, &r.span, &base.span, &exponent.span, &modulus.span),
                  BIGINT_OK);
        for (uint64_t i = 0; i < count; i++) {
            oracle_load(x, at(&base.span, i), length(&base.span, i));
            oracle_load(e, at(&exponent.span, i), length(&exponent.span, i));
            oracle_load(m, at(&modulus.span, i), length(&modulus.span, i));
            mpz_powm(x, x, e, m);
            EXPECT_VALUE(at(&r.span, i), length(&r.span, i), x);
        }
    }
    mpz_clears(x, e, m, NULL);
    bigint_ctx_destroy(ctx);
}
