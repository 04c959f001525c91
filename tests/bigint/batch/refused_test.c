// refused_test.c: batches that are refused: why, and that they write nothing.
#include <string.h>

#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"

// Mutation: a modulus of 0 is found after the first result was written.
TEST(Batch, RefusedPowers) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    uint64_t a[3] = {3, 4, 5}, m[3] = {7, 8, 0}, r[3] = {1, 1, 1};
    const bigint_span base = {.p = a, .n = 1, .stride = 1, .count = 3};
    bigint_span modulus = {.p = m, .n = 1, .stride = 1, .count = 3};
    bigint_span out = {.p = r, .n = 1, .stride = 1, .count = 3};
    EXPECT_EQ(bigint_powm_batch(ctx, &out, &base, &base, &modulus), BIGINT_EINVAL);
    EXPECT_TEXT(ctx, "bigint_powm_batch: modulus 2 is 0");
    EXPECT_TRUE(r[0] == 1 && r[1] == 1 && r[2] == 1);
    m[2] = 9;
    out.n = 0;
    EXPECT_EQ(bigint_powm_batch(ctx, &out, &base, &base, &modulus), BIGINT_EINVAL);
    EXPECT_TEXT(ctx, "result 0 has 0 limbs, 1 are needed");
    out.n = 1;
    EXPECT_EQ(bigint_powm_batch(ctx, &out, &base, &base, &modulus), BIGINT_OK);
    EXPECT_TRUE(r[0] == 27 % 7 && r[1] == 256 % 8 && r[2] == 3125 % 9);
    bigint_ctx_destroy(ctx);
}

// Mutations: each requirement that is not checked, and a refusal that has written something.
TEST(Batch, RefusedSpans) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    uint64_t a[20], r[40], lengths[4] = {1, 2, 6, 1};
    const uint64_t huge[4] = {5, UINT64_MAX, 5, 5}, most[4] = {10, 10, 10, UINT64_MAX};
    const uint64_t tight[4] = {10, 10, 9, 10}, ones[4] = {1, 1, 1, 1};
    memset(a, 0xff, sizeof a);
    memset(r, 0x77, sizeof r);
    const bigint_span in = {.p = a, .n = 5, .stride = 5, .count = 4};
    const bigint_span out = {.p = r, .n = 10, .stride = 10, .count = 4};
    const struct {
        bigint_span r, a, b;
        bigint_status status;
        const char *text;
    } cases[] = {
        {out, {.p = a, .n = 5, .stride = 5, .count = 3}, in, BIGINT_EINVAL, "a has count 3"},
        {out, in, {.p = a, .n = 5, .stride = 0, .count = 1}, BIGINT_EINVAL, "b has count 1"},
        {{.p = r, .n = 9, .stride = 10, .count = 4},
         in,
         in,
         BIGINT_EINVAL,
         "result 0 has 9 limbs, 10 are needed"},
        {{.p = r, .n = 10, .stride = 9, .count = 4}, in, in, BIGINT_EINVAL, "stride 9 overlap"},
        {{.n = 10, .stride = 10, .count = 4}, in, in, BIGINT_EINVAL, "the result has no limbs"},
        {out, {.n = 5, .stride = 5, .count = 4}, in, BIGINT_EINVAL, "a has no limbs"},
        {out,
         {.p = a, .n = 5, .stride = 5, .count = 4, .lengths = lengths},
         in,
         BIGINT_EINVAL,
         "length 6 of number 2"},
        {out,
         in,
         {.p = a, .n = 5, .stride = 5, .count = 4, .lengths = huge},
         BIGINT_EINVAL,
         "length 18446744073709551615 of number 1"},
        {out,
         {.p = a, .n = 5, .stride = 5, .count = 4, .lengths = ones},
         {.p = a, .n = 5, .stride = 5, .count = 4, .lengths = lengths},
         BIGINT_EINVAL,
         "length 6 of number 2"},
        {{.p = r, .n = 10, .stride = 10, .count = 4, .lengths = most},
         in,
         in,
         BIGINT_EINVAL,
         "length 18446744073709551615 of number 3"},
        {{.p = r, .n = 10, .stride = 10, .count = 4, .lengths = tight},
         in,
         in,
         BIGINT_EINVAL,
         "result 2 has 9 limbs, 10 are needed"},
        {out, {.p = a, .n = 5, .stride = UINT64_MAX, .count = 4}, in, BIGINT_ERANGE, "2^56"},
        {out, {.p = a, .n = UINT64_MAX, .stride = 0, .count = 4}, in, BIGINT_ERANGE, "2^56"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        SCOPED_TRACE("case %zu", i);
        EXPECT_EQ(bigint_mul_batch(ctx, &cases[i].r, &cases[i].a, &cases[i].b), cases[i].status);
        EXPECT_TEXT(ctx, "bigint_mul_batch");
        EXPECT_TEXT(ctx, cases[i].text);
    }
    for (int i = 0; i < 40; i++) {
        EXPECT_EQ(r[i], (uint64_t)0x7777777777777777);
    }
    const bigint_span empty = {0};
    EXPECT_EQ(bigint_mul_batch(ctx, &empty, &empty, &empty), BIGINT_OK);
    bigint_ctx_destroy(ctx);
}
