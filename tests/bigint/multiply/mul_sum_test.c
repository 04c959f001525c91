// mul_sum_test.c: sums of products against GMP, on the host and on a device: counts, signs,
// aliasing, sizes around the thresholds, worst digits, caps, failures.
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/core/tune.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"

enum { TERMS_MAX = 17 };

// terms: both sides of up to TERMS_MAX products, and what GMP says of their sum.
typedef struct {
    bigint x[2 * TERMS_MAX], r;
    mpz_t z[2 * TERMS_MAX], want;
    const bigint *a[TERMS_MAX], *b[TERMS_MAX];
    int of_a[TERMS_MAX], of_b[TERMS_MAX], signs[TERMS_MAX];
    uint64_t count;
} terms;

static terms *terms_new(void) {
    terms *t = calloc(1, sizeof *t);
    for (int i = 0; i < 2 * TERMS_MAX; i++) {
        mpz_init(t->z[i]);
    }
    for (int i = 0; i < TERMS_MAX; i++) {
        t->of_a[i] = 2 * i;
        t->of_b[i] = 2 * i + 1;
    }
    mpz_init(t->want);
    return t;
}

static void terms_free(bigint_ctx *ctx, terms *t) {
    for (int i = 0; i < 2 * TERMS_MAX; i++) {
        mpz_clear(t->z[i]);
        bigint_clear(ctx, &t->x[i]);
    }
    mpz_clear(t->want);
    bigint_clear(ctx, &t->r);
    free(t);
}

// put: the numbers on the context, the terms' pointers, and the sum.
static void put(bigint_ctx *ctx, terms *t) {
    mpz_set_ui(t->want, 0);
    for (uint64_t i = 0; i < 2 * t->count; i++) {
        fixture_set(ctx, &t->x[i], t->z[i]);
    }
    for (uint64_t i = 0; i < t->count; i++) {
        t->a[i] = &t->x[t->of_a[i]];
        t->b[i] = &t->x[t->of_b[i]];
        if (t->signs[i] < 0) {
            mpz_submul(t->want, t->z[t->of_a[i]], t->z[t->of_b[i]]);
        } else {
            mpz_addmul(t->want, t->z[t->of_a[i]], t->z[t->of_b[i]]);
        }
    }
}

static void expect_sum(bigint_ctx *ctx, terms *t) {
    put(ctx, t);
    EXPECT_EQ(bigint_mul_sum(ctx, &t->r, t->a, t->b, t->signs, t->count), BIGINT_OK);
    EXPECT_BIGINT(ctx, &t->r, t->want);
}

// ones: 2^(64 n) - 1, negated if minus.
static void ones(mpz_t z, size_t n, bool minus) {
    mpz_set_ui(z, 1);
    mpz_mul_2exp(z, z, 64 * n);
    mpz_sub_ui(z, z, 1);
    if (minus) {
        mpz_neg(z, z);
    }
}

static bigint_ctx *ctx_of(const char *engine, uint64_t cap, uint32_t threads, uint32_t checks) {
    return fixture_ctx(&(bigint_ctx_options){
        .engine = engine, .max_workspace_bytes = cap, .threads = threads, .checks = checks});
}

// The products that a context has computed, and checked if asked to.
static uint64_t products(bigint_ctx *ctx, bool checked) {
    bigint_counters c;
    bigint_ctx_counters(ctx, &c);
    EXPECT_EQ(c.checks, checked ? c.products : 0);
    EXPECT_EQ(c.mismatches, 0u);
    return c.products;
}

// Lengths at which everything may be in the transform domain, under a forced engine too.
static size_t longest(void) { return fixture_thinning() > 1 ? 300 : 3000; }

// Mutations: a term left out or taken twice, a sign lost, the sum of an odd number of terms left in
// the other plane, the bias not taken off, its low end forgotten, products reduced no more.
TEST(MulSum, CountsAndSigns) {
    static const uint64_t counts[] = {0, 1, 2, 3, 4, 17};
    static const char *const engines[] = {NULL, "modular-fft"};
    gen g = gen_seed(5);
    for (size_t e = 0; e < 2; e++) {
        bigint_ctx *ctx = ctx_of(engines[e], 0, 1, e == 0);
        terms *t = terms_new();
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            for (int pattern = 0; pattern < 4; pattern++) {
                const size_t n = gen_size(&g, 1, longest());
                SCOPED_TRACE("%llu terms of %zu limbs, signs %d", (unsigned long long)counts[c], n,
                             pattern);
                t->count = counts[c];
                for (uint64_t i = 0; i < t->count; i++) {
                    fixture_limbs(&g, t->z[2 * i], n);
                    fixture_limbs(&g, t->z[2 * i + 1], n - gen_below(&g, (n + 1) / 2));
                    // all added, all subtracted, in turn, by the numbers' own signs
                    t->signs[i] = pattern == 1 || (pattern == 2 && i % 2 != 0) ? -1 : 1;
                    if (pattern == 3 && i % 3 != 1) {
                        mpz_neg(t->z[2 * i], t->z[2 * i]);
                    }
                }
                const uint64_t before = products(ctx, e == 0);
                expect_sum(ctx, t);
                EXPECT_EQ(products(ctx, e == 0) - before, t->count);
            }
        }
        terms_free(ctx, t);
        bigint_ctx_destroy(ctx);
    }
}

// Signs may be left out. Mutation: NULL is read.
TEST(MulSum, WithoutSigns) {
    bigint_ctx *ctx = ctx_of(NULL, 0, 1, 0);
    terms *t = terms_new();
    t->count = 3;
    for (unsigned i = 0; i < 6; i++) {
        ones(t->z[i], 1 + i, i % 2 != 0);
    }
    put(ctx, t);
    EXPECT_EQ(bigint_mul_sum(ctx, &t->r, t->a, t->b, NULL, 3), BIGINT_OK);
    EXPECT_BIGINT(ctx, &t->r, t->want);
    EXPECT_EQ(bigint_mul_sum(ctx, &t->r, NULL, NULL, NULL, 0), BIGINT_OK);
    mpz_set_ui(t->want, 0);
    EXPECT_BIGINT(ctx, &t->r, t->want);
    terms_free(ctx, t);
    bigint_ctx_destroy(ctx);
}

// Differences that cancel altogether, to one unit of either sign, and to a limb or two: in two's
// complement the borrow then goes through the whole sum. Mutations: the sign is that of the first
// term, a magnitude that is not carried, top limbs that are not filled with the sign.
TEST(MulSum, Cancellation) {
    static const char *const engines[] = {NULL, "modular-fft"};
    static const size_t lengths[] = {1, 2, 7, 8, 63, 64, 65, 900, 2000};
    for (size_t e = 0; e < 2; e++) {
        bigint_ctx *ctx = ctx_of(engines[e], 0, 1, 0);
        terms *t = terms_new();
        for (size_t l = 0; l < sizeof lengths / sizeof *lengths && lengths[l] <= longest(); l++) {
            for (int more = -2; more <= 2; more++) {
                SCOPED_TRACE("%zu limbs, %d", lengths[l], more);
                // (R - 1)^2 - R (R - 2) = 1, and R - 2 +- more instead
                const size_t n = lengths[l];
                ones(t->z[0], n, false);
                ones(t->z[1], n, false);
                mpz_add_ui(t->z[2], t->z[0], 1);
                mpz_sub_ui(t->z[3], t->z[0], 1);
                if (more < 0) {
                    mpz_sub_ui(t->z[3], t->z[3], (unsigned)-more);
                } else {
                    mpz_add_ui(t->z[3], t->z[3], (unsigned)more);
                }
                for (int flip = 0; flip < 2; flip++) {
                    t->count = 2;
                    t->signs[0] = flip ? -1 : 1;
                    t->signs[1] = -t->signs[0];
                    expect_sum(ctx, t);
                }
                mpz_set(t->z[2], t->z[0]);  // to 0
                mpz_set(t->z[3], t->z[0]);
                expect_sum(ctx, t);
            }
        }
        terms_free(ctx, t);
        bigint_ctx_destroy(ctx);
    }
}

// The largest coefficients of either sign, in every number of terms up to 17: all digits 2^64 - 1.
// Mutations: the plan takes the digits of one product, the bias is too small for a sum.
TEST(MulSum, LargestDigits) {
    bigint_ctx *ctx = ctx_of("modular-fft", 0, 1, 0);
    terms *t = terms_new();
    const size_t n = longest() / 4;
    for (t->count = 1; t->count <= TERMS_MAX; t->count += 4) {
        for (int sign = -1; sign <= 1; sign += 2) {
            SCOPED_TRACE("%llu terms, sign %d", (unsigned long long)t->count, sign);
            for (uint64_t i = 0; i < t->count; i++) {
                ones(t->z[2 * i], n, sign < 0);
                ones(t->z[2 * i + 1], n, false);
                t->signs[i] = 1;
            }
            expect_sum(ctx, t);
            t->signs[0] = -1;
            expect_sum(ctx, t);
        }
    }
    terms_free(ctx, t);
    bigint_ctx_destroy(ctx);
}

// r among the operands, operands that repeat, squares. Mutations: a square is taken for a product
// of two lengths, the result is written before the last operand is read.
TEST(MulSum, Aliasing) {
    static const char *const engines[] = {NULL, "modular-fft"};
    gen g = gen_seed(19);
    for (size_t e = 0; e < 2; e++) {
        bigint_ctx *ctx = ctx_of(engines[e], 0, 1, 1);
        for (unsigned round = 0; round < 12; round++) {
            terms *t = terms_new();
            const size_t n = gen_size(&g, 1, longest());
            SCOPED_TRACE("%zu limbs, round %u", n, round);
            t->count = 3;
            for (unsigned i = 0; i < 6; i++) {
                fixture_limbs(&g, t->z[i], n);
            }
            t->signs[1] = -1;
            t->of_b[0] = 0;  // a square first, last, or everywhere
            t->of_b[2] = round % 3 == 1 ? 4 : 5;
            t->of_a[1] = round % 3 == 2 ? 0 : 2;
            t->of_b[1] = round % 3 == 2 ? 0 : 3;
            put(ctx, t);
            bigint *const r = &t->x[round % 2 == 0 ? t->of_a[round % 3] : t->of_b[round % 3]];
            EXPECT_EQ(bigint_mul_sum(ctx, r, t->a, t->b, t->signs, t->count), BIGINT_OK);
            EXPECT_BIGINT(ctx, r, t->want);
            terms_free(ctx, t);
        }
        bigint_ctx_destroy(ctx);
    }
}

// Sizes that differ wildly, zeros among them, unbalanced terms. Mutations: a short term goes into
// the transform's plan but not into its bounds, a zero is counted, the sum is as long as the terms
// that meet.
TEST(MulSum, MixedSizes) {
    gen g = gen_seed(23);
    for (uint32_t threads = 1; threads <= 2; threads++) {
        bigint_ctx *ctx = ctx_of(NULL, 0, threads, 1);
        terms *t = terms_new();
        for (unsigned round = 0; round < (fixture_thinning() > 1 ? 6 : 40); round++) {
            SCOPED_TRACE("round %u, %u threads", round, threads);
            t->count = 1 + gen_below(&g, TERMS_MAX);
            for (uint64_t i = 0; i < 2 * t->count; i++) {
                const size_t n = round % 2 == 0 ? gen_size(&g, 1, 3 * longest())
                                                : longest() - gen_below(&g, longest() / 3);
                fixture_limbs(&g, t->z[i], n);
                if (gen_below(&g, 9) == 0) {
                    mpz_set_ui(t->z[i], 0);
                }
                t->signs[i / 2] = gen_below(&g, 2) == 0 ? -1 : 1;
            }
            expect_sum(ctx, t);
        }
        terms_free(ctx, t);
        bigint_ctx_destroy(ctx);
    }
}

// Terms that meet and are less than 0, beside a longer product that does not. Mutation: the sum so
// far is not filled with its sign.
TEST(MulSum, NegativeBesideALonger) {
    bigint_ctx *ctx = ctx_of("modular-fft", 0, 1, 1);
    terms *t = terms_new();
    const size_t n = longest() / 10;
    t->count = 3;
    for (int sign = -1; sign <= 1; sign += 2) {
        ones(t->z[0], n, false);
        ones(t->z[1], n, false);
        ones(t->z[2], n, false);
        ones(t->z[3], n + 1, false);
        ones(t->z[4], 8 * n, false);
        mpz_set_si(t->z[5], sign);
        t->signs[1] = -1;
        expect_sum(ctx, t);
    }
    terms_free(ctx, t);
    bigint_ctx_destroy(ctx);
}

// Sums of every length around a whole number of limbs, of both signs. Mutations: no room for the
// sign, the sign taken from another bit than the top.
TEST(MulSum, TopBits) {
    bigint_ctx *ctx = ctx_of("modular-fft", 0, 1, 0);
    terms *t = terms_new();
    const size_t n = longest() / 100;
    t->count = 2;
    for (size_t less = 0; less < 6; less++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            SCOPED_TRACE("%zu bits less, sign %d", less, sign);
            for (unsigned i = 0; i < 4; i++) {
                ones(t->z[i], n, false);
                mpz_fdiv_q_2exp(t->z[i], t->z[i], i % 2 == 0 ? less : 0);
            }
            t->signs[0] = t->signs[1] = sign;
            expect_sum(ctx, t);
        }
    }
    terms_free(ctx, t);
    bigint_ctx_destroy(ctx);
}

// Shorter operands of the threshold less one, it, and one more: alone, and beside another that is
// long enough.
TEST(MulSum, AroundTheThresholds) {
    static const size_t thresholds[] = {MUL_FFT_IFMA_THRESHOLD, MUL_FFT_AVX512_THRESHOLD,
                                        MUL_FFT_AVX2_THRESHOLD, MUL_FFT_TEAM_THRESHOLD};
    gen g = gen_seed(29);
    bigint_ctx *ctx = ctx_of(NULL, 0, 2, 0);
    terms *t = terms_new();
    for (size_t i = 0; i < 4; i++) {
        for (int d = -1; d <= 1 && thresholds[i] < longest(); d++) {
            const size_t n = thresholds[i] + (size_t)d;
            SCOPED_TRACE("%zu limbs", n);
            t->count = 3;
            fixture_limbs(&g, t->z[0], n);
            fixture_limbs(&g, t->z[1], n + 100);
            fixture_limbs(&g, t->z[2], 4 * n - 1);
            fixture_limbs(&g, t->z[3], n);
            fixture_limbs(&g, t->z[4], 2 * n);
            fixture_limbs(&g, t->z[5], 2 * n);
            t->signs[2] = -1;
            expect_sum(ctx, t);
        }
    }
    terms_free(ctx, t);
    bigint_ctx_destroy(ctx);
}

// Under caps that are tighter and tighter the terms are computed one by one, in pieces in the end;
// a sum is refused only where the product alone is, and r then keeps its value. Mutations: the sum
// counts as workspace, the plan ignores the cap.
TEST(MulSum, Caps) {
    const size_t n = 2 * longest();
    gen g = gen_seed(31);
    terms *t = terms_new();
    t->count = 3;
    for (unsigned i = 0; i < 6; i++) {
        fixture_limbs(&g, t->z[i], n);
    }
    t->signs[1] = -1;
    const bool host = fixture_thinning() == 1;
    const uint64_t least = host ? 1024 : 1 << 16;  // a device's integers come and go by workspace
    unsigned refused = 0, done = 0;
    for (uint64_t cap = (uint64_t)1 << 24; cap > least; cap -= cap / 3) {
        SCOPED_TRACE("cap %llu", (unsigned long long)cap);
        bigint_ctx *ctx = ctx_of(NULL, cap, 1, 0);
        bigint product = BIGINT_INIT;
        put(ctx, t);
        bigint_status product_status = bigint_mul(ctx, &product, t->a[0], t->b[0]);
        fixture_set(ctx, &t->r, t->z[5]);
        const bigint_status status = bigint_mul_sum(ctx, &t->r, t->a, t->b, t->signs, t->count);
        EXPECT_TRUE(status == BIGINT_OK || status == BIGINT_ENOMEM);
        EXPECT_EQ(status, product_status);
        EXPECT_BIGINT(ctx, &t->r, status == BIGINT_OK ? t->want : t->z[5]);
        done += status == BIGINT_OK;
        refused += status != BIGINT_OK;
        bigint_counters c;
        bigint_ctx_counters(ctx, &c);
        EXPECT_TRUE(c.workspace_peak <= cap);
        bigint_clear(ctx, &product);
        for (unsigned i = 0; i < 6; i++) {
            bigint_clear(ctx, &t->x[i]);
        }
        bigint_clear(ctx, &t->r);
        bigint_ctx_destroy(ctx);
    }
    EXPECT_TRUE(done > 3 && (refused > 0 || !host));
    bigint_ctx *ctx = ctx_of(NULL, 0, 1, 0);
    terms_free(ctx, t);
    bigint_ctx_destroy(ctx);
}

// Mutation: an operand's place is not looked at.
TEST(MulSum, Places) {
    bigint_ctx *ctx = ctx_of(NULL, 0, 1, 0);
    terms *t = terms_new();
    t->count = 2;
    for (unsigned i = 0; i < 4; i++) {
        ones(t->z[i], 3, false);
    }
    put(ctx, t);
    bigint_limb limb = 7;
    bigint elsewhere = {.d_ = &limb, .n_ = 1, .cap_ = 1, .sign_ = 1, .place_ = 6};
    t->b[1] = &elsewhere;
    EXPECT_EQ(bigint_mul_sum(ctx, &t->r, t->a, t->b, NULL, 2), BIGINT_EPLACE);
    EXPECT_TEXT(ctx, "bigint_mul_sum");
    terms_free(ctx, t);
    bigint_ctx_destroy(ctx);
}
