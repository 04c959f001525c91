// Results of batches that overlap inputs or each other: what is refused, what is allowed, against a
// comparison of all pairs.
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "bigint/batch/overlap.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/oracle.h"

// --- Pairs ---------------------------------------------------------------------------------------

enum { COUNT_MAX = 6, WORDS = 200 };

static uint64_t words[WORDS];

static const uint64_t *at(const bigint_span *s, uint64_t i) {
    return s->p + (s->offsets != NULL ? s->offsets[i] : i * s->stride);
}
static uint64_t length(const bigint_span *s, uint64_t i) {
    return s->lengths != NULL ? s->lengths[i] : s->n;
}

static bool pair_overlaps(const bigint_span *x, uint64_t i, const bigint_span *y, uint64_t j) {
    for (const uint64_t *p = at(x, i); p < at(x, i) + length(x, i); p++) {
        if (at(y, j) <= p && p < at(y, j) + length(y, j)) {
            return true;
        }
    }
    return false;
}

static bool plain(const bigint_span *s) { return s->lengths == NULL && s->offsets == NULL; }

static bool wanted(const bigint_span *x, const bigint_span *y) {
    for (uint64_t i = 0; i < x->count; i++) {
        for (uint64_t j = 0; j < y->count; j++) {
            if ((i == j || (plain(x) && plain(y))) && pair_overlaps(x, i, y, j)) {
                return true;
            }
        }
    }
    return false;
}

// lists: what a ragged span points to.
typedef struct {
    uint64_t lengths[COUNT_MAX], offsets[COUNT_MAX];
} lists;

static bigint_span draw(gen *g, lists *l, uint64_t count, bool ragged) {
    bigint_span s = {.p = words + gen_below(g, 60),
                     .n = gen_below(g, 8),
                     .stride = gen_below(g, 16),
                     .count = count};
    for (uint64_t i = 0; i < count; i++) {
        l->lengths[i] = gen_below(g, s.n + 1);
        l->offsets[i] = gen_below(g, 100);
    }
    s.lengths = ragged && gen_below(g, 2) == 0 ? l->lengths : NULL;
    s.offsets = ragged && gen_below(g, 2) == 0 ? l->offsets : NULL;
    return s;
}

// Mutations: a number too few at either end, a stride taken from the other span, stride 0 that
// advances, an end that counts as overlap, lengths or offsets ignored, all pairs of ragged spans.
TEST(Overlap, AllPairs) {
    gen g = gen_seed(41);
    unsigned overlaps[2] = {0, 0};
    for (int round = 0; round < 200000; round++) {
        lists of_x, of_y;
        const uint64_t count = gen_below(&g, COUNT_MAX + 1);
        bigint_span x = draw(&g, &of_x, count, round % 4 == 1),
                    y = draw(&g, &of_y, count, round % 4 == 2);
        if (round % 8 == 0) {
            y.stride = x.stride;
        }
        const bool want = wanted(&x, &y);
        ASSERT_EQ(batch_overlap(&x, &y), want);
        ASSERT_EQ(batch_overlap(&y, &x), want);
        overlaps[want]++;
    }
    EXPECT_TRUE(overlaps[0] > 20000 && overlaps[1] > 20000);
}

// Far apart and very long, where differences of addresses are largest. Mutation: bytes that wrap
// around.
TEST(Overlap, LargestSpans) {
    const uint64_t most = (uint64_t)1 << 56;
    const bigint_span all = {.p = words, .n = most, .stride = most / 4, .count = 5};
    const bigint_span low = {.p = words, .n = 1, .stride = 1, .count = 5};
    bigint_span gaps = {.p = words, .n = 1, .stride = most / 4, .count = 5}, between = gaps;
    EXPECT_TRUE(batch_overlap(&all, &low) && batch_overlap(&low, &all));
    EXPECT_TRUE(batch_overlap(&all, &all) && batch_overlap(&gaps, &gaps));
    between.p = words + 1;
    EXPECT_FALSE(batch_overlap(&gaps, &between));
    between.stride -= 1;  // number 1 is number 1
    EXPECT_TRUE(batch_overlap(&gaps, &between));
}

// --- Calls ---------------------------------------------------------------------------------------

// The calls on batches with results: x[0], and x[1] if there are two.
typedef struct {
    const char *name;
    int results, spans;
    bigint_status (*call)(bigint_ctx *ctx, const bigint_span *x);
} batch;

static bigint_status mul(bigint_ctx *ctx, const bigint_span *x) {
    return bigint_mul_batch(ctx, &x[0], &x[1], &x[2]);
}
static bigint_status powm(bigint_ctx *ctx, const bigint_span *x) {
    return bigint_powm_batch(ctx, &x[0], &x[1], &x[2], &x[3]);
}
static bigint_status mulmod(bigint_ctx *ctx, const bigint_span *x) {
    return bigint_mulmod_batch(ctx, &x[0], &x[1], &x[2], &x[3]);
}
static bigint_status sqrmod(bigint_ctx *ctx, const bigint_span *x) {
    return bigint_sqrmod_batch(ctx, &x[0], &x[1], &x[2]);
}
static bigint_status invmod(bigint_ctx *ctx, const bigint_span *x) {
    return bigint_invmod_batch(ctx, &x[0], &x[1], &x[2]);
}
static bigint_status divrem(bigint_ctx *ctx, const bigint_span *x) {
    return bigint_divrem_batch(ctx, &x[0], &x[1], &x[2], &x[3]);
}

static const batch batches[] = {{"mul", 1, 3, mul},       {"powm", 1, 4, powm},
                                {"mulmod", 1, 4, mulmod}, {"sqrmod", 1, 3, sqrmod},
                                {"invmod", 1, 3, invmod}, {"divrem", 2, 4, divrem}};

static void label(char *buf, size_t cap, const batch *b) { snprintf(buf, cap, "%s", b->name); }

enum { ITEMS = 3, N = 2, EACH = 2 * N, ITEM_WORDS = 4 * EACH };

// layout: spans of ITEMS numbers in one array, as in an array of structs: number i of span k at
// limb ITEM_WORDS (i + 1) + EACH k.
static void layout(bigint_span *x, const batch *b) {
    for (int k = 0; k < b->spans; k++) {
        x[k] = (bigint_span){.p = words + ITEM_WORDS + EACH * k,
                             .n = k < b->results ? EACH : N,
                             .stride = ITEM_WORDS,
                             .count = ITEMS};
    }
}

// Every result on every other span: in place, one limb in, the last limb of the one on the first of
// the other, ragged. Mutations: a pair of spans that is not compared, a refusal that has written
// something, an overlap found without one, distances of spans with offsets in the wrong unit.
TEST_EACH(Overlap, Calls, batch, batches, label) {
    bigint_ctx *const ctx = fixture_ctx(NULL);
    bigint_span x[4];
    for (int i = 0; i < WORDS; i++) {
        words[i] = 2 * (uint64_t)i + 3;
    }
    uint64_t before[WORDS];
    memcpy(before, words, sizeof words);
    const uint64_t offsets[ITEMS] = {0, ITEM_WORDS, 2 * ITEM_WORDS},
                   lengths[ITEMS] = {EACH, EACH, EACH};
    static const int shifts[] = {0, 1, -1, 1 - EACH, ITEM_WORDS, 1 - ITEM_WORDS};
    for (int r = 0; r < p->results; r++) {
        for (int other = r + 1; other < p->spans; other++) {
            for (size_t i = 0; i < sizeof shifts / sizeof *shifts; i++) {
                SCOPED_TRACE("result %d on span %d, shifted by %d limbs", r, other, shifts[i]);
                layout(x, p);
                x[r].p = x[other].p + shifts[i];
                EXPECT_EQ(p->call(ctx, x), BIGINT_EINVAL);
                EXPECT_TEXT(ctx, "a result overlaps ");
                if (shifts[i] > -EACH && shifts[i] < EACH) {  // items of the same index overlap
                    x[r].offsets = offsets;
                    EXPECT_EQ(p->call(ctx, x), BIGINT_EINVAL);
                    EXPECT_TEXT(ctx, "a result overlaps ");
                }
            }
            layout(x, p);
            x[r].p = x[other].p;
            x[r].offsets = offsets;
            EXPECT_EQ(p->call(ctx, x), BIGINT_EINVAL);
            x[r].offsets = NULL;
            x[r].lengths = lengths;
            EXPECT_EQ(p->call(ctx, x), BIGINT_EINVAL);
            EXPECT_TEXT(ctx, other < p->results ? "the other result" : "overlaps ");
        }
    }
    EXPECT_LIMBS_EQ(words, before, WORDS);
    layout(x, p);
    EXPECT_EQ(p->call(ctx, x), BIGINT_OK);
    bigint_ctx_destroy(ctx);
}

// Products between their factors, and behind a common factor in the same array: right, and only
// they are written. Mutation: address ranges are compared instead of numbers.
TEST(Overlap, ArraysOfStructs) {
    bigint_ctx *const ctx = fixture_ctx(NULL);
    struct {
        uint64_t a[2], ab[5], b[3], mark;
    } items[20];
    gen g = gen_seed(42);
    memset(items, 0x77, sizeof items);
    for (int i = 0; i < 20; i++) {
        gen_limbs(&g, GEN_UNIFORM, items[i].a, 2);
        gen_limbs(&g, GEN_UNIFORM, items[i].b, 3);
    }
    const uint64_t stride = sizeof *items / sizeof items->mark;
    const bigint_span a = {.p = items->a, .n = 2, .stride = stride, .count = 20},
                      b = {.p = items->b, .n = 3, .stride = stride, .count = 20},
                      first = {.p = items->b, .n = 3, .stride = 0, .count = 20},
                      ab = {.p = items->ab, .n = 5, .stride = stride, .count = 20};
    EXPECT_EQ(bigint_mul_batch(ctx, &ab, &a, &b), BIGINT_OK);
    for (int i = 0; i < 20; i++) {
        EXPECT_PRODUCT(items[i].ab, items[i].a, 2, items[i].b, 3);
        EXPECT_EQ(items[i].mark, (uint64_t)0x7777777777777777);
    }
    EXPECT_EQ(bigint_mul_batch(ctx, &ab, &a, &first), BIGINT_OK);
    for (int i = 0; i < 20; i++) {
        EXPECT_PRODUCT(items[i].ab, items[i].a, 2, items[0].b, 3);
    }
    bigint_ctx_destroy(ctx);
}
