// sum_test.c: batches of sums of two products against GMP: strided, ragged and repeated, all signs,
// carries and borrows across everything, refusals. Built for contexts on the host and on a device.
#include <string.h>

#include "tests/bigint/core/fixture.h"
#include "tests/bigint/device/numbers.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/oracle.h"

// signs: words in the place's memory. which: 0 none, 1 given.
typedef struct {
    uint64_t host[64], *there;
} signs;

static signs signs_open(gen *g, uint64_t count, unsigned which) {
    signs s = {.there = which == 0 ? NULL : device_alloc(sizeof s.host)};
    for (uint64_t i = 0; i < 64; i++) {
        s.host[i] = which != 0 && i < count && gen_below(g, 2) != 0 ? gen_u64(g) | 1 : 0;
    }
    EXPECT_TRUE(s.there == NULL || device_upload(s.there, s.host, sizeof s.host));
    return s;
}

// load_product: z = a b of item i, negative where the sign says so.
static void load_product(mpz_t z, const numbers *a, const numbers *b, const signs *s, uint64_t i) {
    mpz_t y;
    mpz_init(y);
    oracle_load(z, numbers_at(a, i), numbers_length(a, i));
    oracle_load(y, numbers_at(b, i), numbers_length(b, i));
    mpz_mul(z, z, y);
    if (s->host[i] != 0) {
        mpz_neg(z, z);
    }
    mpz_clear(y);
}

// expect_sums: r, padded, and the signs; nothing else was written.
static void expect_sums(bigint_ctx *ctx, numbers *r, signs *negative, const numbers x[4],
                        const signs s[2]) {
    mpz_t sum, q;
    mpz_init(sum), mpz_init(q);
    EXPECT_EQ(bigint_sync(ctx), BIGINT_OK);
    EXPECT_TRUE(numbers_download(r));
    EXPECT_TRUE(device_download(negative->host, negative->there, sizeof negative->host));
    uint64_t written = 0;
    for (uint64_t i = 0; i < r->span.count; i++) {
        SCOPED_TRACE("item %llu", (unsigned long long)i);
        const uint64_t n = numbers_length(r, i);
        load_product(sum, &x[0], &x[1], &s[0], i), load_product(q, &x[2], &x[3], &s[1], i);
        mpz_add(sum, sum, q);
        EXPECT_EQ(negative->host[i], mpz_sgn(sum) < 0 ? 1u : 0u);
        mpz_abs(sum, sum);
        oracle_load(q, numbers_at(r, i), n);
        EXPECT_TRUE(mpz_cmp(sum, q) == 0);
        written += n;
    }
    uint64_t marks = 0;
    for (uint64_t i = 0; i < r->words; i++) {
        marks += r->host[i] == NUMBERS_MARK;
    }
    EXPECT_TRUE(marks >= r->words - written);
    EXPECT_EQ(negative->host[r->span.count], 0u);
    mpz_clear(sum), mpz_clear(q);
}

// run: r = +-x0 x1 +-x2 x3 and its check.
static void run(gen *g, bigint_ctx *ctx, const numbers x[4], unsigned which, uint64_t more,
                bool ragged) {
    const uint64_t count = x[0].span.count;
    uint64_t lengths[64], longest = 0;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t p = numbers_length(&x[0], i) + numbers_length(&x[1], i);
        const uint64_t q = numbers_length(&x[2], i) + numbers_length(&x[3], i);
        lengths[i] = (p > q ? p : q) + 1 + more;
        longest = lengths[i] > longest ? lengths[i] : longest;
    }
    numbers r = ragged ? numbers_ragged(g, lengths, count, true)
                       : numbers_open(longest, longest + 1, count);
    EXPECT_TRUE(numbers_upload(&r));
    signs s[2] = {signs_open(g, count, which & 1), signs_open(g, count, which & 2)};
    signs negative = {.there = device_alloc(sizeof negative.host)};
    EXPECT_TRUE(device_upload(negative.there, negative.host, sizeof negative.host));
    EXPECT_EQ(bigint_mul_sum_batch(ctx, &r.span, negative.there, &x[0].span, &x[1].span, s[0].there,
                                   &x[2].span, &x[3].span, s[1].there),
              BIGINT_OK);
    expect_sums(ctx, &r, &negative, x, s);
    device_free(negative.there);
    for (int k = 0; k < 2; k++) {
        device_free(s[k].there);
    }
    numbers_close(&r);
}

// Random batches of all forms. Mutations: a sign is left, or is the other product's; the larger
// product is always the first; a sum's carry is left; the padding is left; a ragged result is read
// at a stride; a result's length taken for its product's.
TEST(BatchSum, Random) {
    if (!device_ready()) {
        SKIP("no device");
    }
    gen g = gen_seed(51);
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.threads = 2});
    for (unsigned k = 0; k < 24; k++) {
        SCOPED_TRACE("batch %u", k);
        const uint64_t count = k == 0 ? 0 : 1 + gen_below(&g, 20), n = k % 8 == 7 ? 700 : 20;
        numbers x[4];
        for (int i = 0; i < 4; i++) {
            x[i] = numbers_draw(&g, 0, n, count);
        }
        if (count > 0) {
            run(&g, ctx, x, k % 4, gen_below(&g, 3), k % 3 == 1);
        }
        for (int i = 0; i < 4; i++) {
            numbers_close(&x[i]);
        }
    }
    bigint_ctx_destroy(ctx);
}

// fixed: one number of n limbs, all `limb` but the lowest and the top one.
static numbers fixed(uint64_t n, uint64_t low, uint64_t limb, uint64_t top, uint64_t count) {
    numbers s = numbers_open(n, n, count);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t *const p = numbers_at(&s, i);
        for (uint64_t k = 0; k < n; k++) {
            p[k] = k + 1 == n ? top : k == 0 ? low : limb;
        }
    }
    EXPECT_TRUE(numbers_upload(&s));
    return s;
}

// (B^n - 1)(B^n + 1) and 1, and B^2n and 1: a carry and a borrow across all limbs; the same
// products twice. n so that they end within a stretch of limbs of a kernel, at its end, and behind
// it. Mutations: a carry lost between limbs, threads or stretches, or one that goes on where limbs
// kill it; the carry at the bottom of a difference left; -0; zero that is not seen.
TEST(BatchSum, Carries) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const uint64_t sizes[] = {1, 2, 63, 511, 512, 513, 1100};
    const uint64_t ones = UINT64_MAX;
    gen g = gen_seed(52);
    bigint_ctx *ctx = fixture_ctx(NULL);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        SCOPED_TRACE("size %zu", k);
        const uint64_t n = sizes[k], count = 3;
        numbers all = fixed(n, ones, ones, ones, count), above = fixed(n + 1, 1, 0, 1, count);
        numbers power = fixed(n + 1, 0, 0, 1, count), one = fixed(1, 1, 1, 1, count);
        const numbers cases[][4] = {{all, above, one, one},   {one, one, all, above},
                                    {power, power, one, one}, {one, one, power, power},
                                    {all, above, above, all}, {power, one, one, power}};
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            for (unsigned which = 0; which < 4; which++) {
                SCOPED_TRACE("case %zu, signs %u", i, which);
                run(&g, ctx, cases[i], which, i % 2, false);
            }
        }
        numbers_close(&all), numbers_close(&above), numbers_close(&power), numbers_close(&one);
    }
    bigint_ctx_destroy(ctx);
}

// What is refused leaves the result alone. Mutations: a result as long as its product passes;
// another count; a result over c.
TEST(BatchSum, Refused) {
    if (!device_ready()) {
        SKIP("no device");
    }
    bigint_ctx *ctx = fixture_ctx(NULL);
    numbers a = fixed(3, 1, 2, 3, 2), r = numbers_open(7, 7, 2);
    EXPECT_TRUE(numbers_upload(&r));
    bigint_span shorter = r.span, fewer = a.span, over = a.span;
    shorter.n = 6;
    fewer.count = 1;
    over.p = r.span.p;
    const struct {
        const bigint_span *r, *c;
    } cases[] = {{&shorter, &a.span}, {&r.span, &fewer}, {&r.span, &over}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SCOPED_TRACE("case %zu", i);
        EXPECT_EQ(bigint_mul_sum_batch(ctx, cases[i].r, NULL, &a.span, &a.span, NULL, cases[i].c,
                                       &a.span, NULL),
                  BIGINT_EINVAL);
        EXPECT_TEXT(ctx, "bigint_mul_sum_batch");
    }
    EXPECT_EQ(bigint_sync(ctx), BIGINT_OK);
    EXPECT_TRUE(numbers_download(&r));
    for (uint64_t i = 0; i < r.words; i++) {
        EXPECT_EQ(r.host[i], NUMBERS_MARK);
    }
    numbers_close(&a), numbers_close(&r);
    bigint_ctx_destroy(ctx);
}
