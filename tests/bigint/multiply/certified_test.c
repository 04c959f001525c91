// Mode certified, on the host and on a device or under the kernel emulation: products are right for
// all digits. Random digits succeed at once, the worst ones after a second computation. Counters,
// plans, memory and texts are tested too.
#include <gmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/fft/complex/float_fixture.h"

// An engine by name.
typedef struct {
    const char *name;  // NULL: the library's choice
} engine_case;

static const engine_case engines[] = {
    {"real-fft"}, {"complex-fft"}, {"real-fft-f32"}, {"complex-fft-f32"}, {NULL}};
static const engine_case floats[] = {
    {"real-fft"}, {"complex-fft"}, {"real-fft-f32"}, {"complex-fft-f32"}};

static void label(char *buf, size_t cap, const engine_case *p) {
    snprintf(buf, cap, "%s", p->name ? p->name : "chosen");
    for (char *c = buf; *c; c++) {
        *c = *c == '-' ? '_' : *c;
    }
}

static bigint_ctx *certified(const engine_case *p, uint64_t cap) {
    return fixture_ctx(
        &(bigint_ctx_options){.max_workspace_bytes = cap, .engine = p->name, .mode = "certified"});
}

static bigint_counters counted(const bigint_ctx *ctx) {
    bigint_counters counters;
    bigint_ctx_counters(ctx, &counters);
    return counters;
}

// width_of: the digits of a product of n by n limbs, as the plan's line tells; 0: it has none that
// are certified.
static unsigned width_of(bigint_ctx *ctx, size_t n) {
    char line[300] = "";
    EXPECT_EQ(bigint_explain(ctx, line, sizeof line, NULL, n, n), BIGINT_OK);
    const char *const at = strstr(line, " limbs, ");
    return at && strstr(line, "expected, checked") ? (unsigned)atoi(at + strlen(" limbs, ")) : 0;
}

// draw_worst: z = n limbs whose certified digits have this shape.
static void draw_worst(bigint_ctx *ctx, gen *g, float_shape shape, mpz_t z, size_t n) {
    const unsigned width = width_of(ctx, n);
    const float_digits digits = {(uint64_t)1 << width, width, true};
    ASSERT_TRUE(width > 0);
    float_fill(g, &digits, mpz_limbs_write(z, (mp_size_t)n), n, shape);
    mpz_limbs_finish(z, (mp_size_t)n);
}

// Uniform operands of log-uniform lengths: right at once, each checked once. Mutations: digits a
// bit wider than expected, no bit below a balanced digit, a product that is not checked or not
// counted.
TEST_EACH(Certified, RandomProductsAreRightAtOnce, engine_case, engines, label) {
    bigint_ctx *ctx = certified(p, 0);
    gen g = gen_seed(41);
    mpz_t x, y;
    mpz_inits(x, y, NULL);
    const int rounds = fixture_thinning() > 1 ? 12 : 150;
    const size_t longest = fixture_thinning() > 1 ? 300 : 6000;
    for (int round = 0; round < rounds; round++) {
        const size_t n = gen_size(&g, 1, longest), m = gen_size(&g, 1, longest);
        SCOPED_TRACE("%zu by %zu limbs", n, m);
        fixture_shape(&g, GEN_UNIFORM, x, n);
        fixture_shape(&g, GEN_UNIFORM, y, m);
        fixture_check_product(ctx, x, y);
    }
    const bigint_counters c = counted(ctx);
    EXPECT_EQ(c.products, (uint64_t)(5 * rounds));
    EXPECT_EQ(c.checks, c.products);
    EXPECT_EQ(c.mismatches, (uint64_t)0);
    mpz_clears(x, y, NULL);
    bigint_ctx_destroy(ctx);
}

// Largest digits, of one sign or of alternating signs, fail the first computation and are right in
// the end, in place too. Each costs one more mismatch, product and check. Mutations: no second
// computation, one by the same digits, one of operands that the first result is over, mismatches
// that are not counted, or told as a failure.
TEST_EACH(Certified, WorstDigitsAreComputedAgain, engine_case, floats, label) {
    static const float_shape shapes[] = {FLOAT_TOP_BITS, FLOAT_BELOW_TOP, FLOAT_ALTERNATING};
    bigint_ctx *ctx = certified(p, 0);
    gen g = gen_seed(42);
    mpz_t x, y;
    mpz_inits(x, y, NULL);
    for (size_t n = 100; n <= (fixture_thinning() > 1 ? 200 : 3200); n *= 2) {
        for (int s = 0; s < 3; s++) {
            SCOPED_TRACE("%zu limbs, shape %d", n, s);
            draw_worst(ctx, &g, shapes[s], x, n);
            draw_worst(ctx, &g, shapes[s], y, n);
            mpz_clrbit(y, 0);
            const bigint_counters before = counted(ctx);
            fixture_check_product(ctx, x, y);
            const bigint_counters c = counted(ctx);
            const uint64_t again = c.mismatches - before.mismatches;
            EXPECT_TRUE(again >= 1 && again <= 5);
            EXPECT_EQ(c.products - before.products, 5 + again);
            EXPECT_EQ(c.checks - before.checks, 5 + again);
        }
    }
    EXPECT_EQ(bigint_sync(ctx), BIGINT_OK);
    mpz_clears(x, y, NULL);
    bigint_ctx_destroy(ctx);
}

// Prepared operands, sums and powers, of digits that are wrong at first. Mutation: a site that does
// not compute again.
TEST_EACH(Certified, OtherCallsAreRight, engine_case, engines, label) {
    bigint_ctx *ctx = certified(p, 0);
    gen g = gen_seed(43);
    mpz_t z, want;
    mpz_inits(z, want, NULL);
    if (p->name != NULL) {
        draw_worst(ctx, &g, FLOAT_TOP_BITS, z, 120);
    } else {
        fixture_shape(&g, GEN_UNIFORM, z, 120);
    }
    bigint x = BIGINT_INIT, r = BIGINT_INIT;
    fixture_set(ctx, &x, z);
    bigint_prep *prep = NULL;
    EXPECT_EQ(bigint_prep_create(ctx, &prep, &x, 130), BIGINT_OK);
    EXPECT_EQ(bigint_mul_prep(ctx, &r, prep, &x), BIGINT_OK);
    mpz_mul(want, z, z);
    EXPECT_BIGINT(ctx, &r, want);
    bigint_prep_destroy(ctx, prep);
    const bigint *const terms[] = {&x, &x, &x};
    const int signs[] = {1, -1, 1};
    EXPECT_EQ(bigint_mul_sum(ctx, &r, terms, terms, signs, 3), BIGINT_OK);
    EXPECT_BIGINT(ctx, &r, want);
    const bigint_counters c = counted(ctx);
    EXPECT_TRUE(c.checks == c.products && (p->name == NULL || c.mismatches > 0));
    bigint_clear(ctx, &x), bigint_clear(ctx, &r);
    mpz_clears(z, want, NULL);
    bigint_ctx_destroy(ctx);
}

// The line says what is expected and that it is checked. Digits are wider than in mode exact.
// Without a floating-point engine asked for by name, the line names the choice as in other modes.
// Mutations: the words of a proof, the width of one.
TEST_EACH(Certified, Explains, engine_case, floats, label) {
    bigint_ctx *exact = fixture_ctx(&(bigint_ctx_options){.engine = p->name});
    bigint_ctx *ctx = certified(p, 0);
    char line[300] = "";
    EXPECT_EQ(bigint_explain(exact, line, sizeof line, NULL, 200, 200), BIGINT_OK);
    EXPECT_TRUE(strstr(line, " proved") != NULL && strstr(line, "expected") == NULL);
    const unsigned proved = (unsigned)atoi(strstr(line, " limbs, ") + strlen(" limbs, "));
    EXPECT_EQ(width_of(exact, 200), 0u);
    EXPECT_TRUE(width_of(ctx, 200) > proved);
    EXPECT_EQ(bigint_explain(ctx, line, sizeof line, NULL, 200, 200), BIGINT_OK);
    EXPECT_TRUE(strstr(line, ", error below 0.") != NULL && strstr(line, "proved") == NULL);
    bigint_ctx_destroy(ctx);
    bigint_ctx_destroy(exact);
}

// What is announced is enough for both computations, under every cap, and they keep to it; the
// third product of a size allocates nothing; below that the result keeps its value. Mutations: the
// second transform's tables or workspace left out of the sum, made only when they are needed,
// memory taken after the first limb is written.
TEST_EACH(Certified, AnnouncesItsMemory, engine_case, floats, label) {
    const size_t n = 230;
    gen g = gen_seed(44);
    mpz_t z, want, seven;
    mpz_inits(z, want, NULL);
    mpz_init_set_ui(seven, 7);
    bool refused = false;
    for (uint64_t cap = 0, needed = 0; !refused; cap = (cap == 0 ? needed : cap) / 8 * 7) {
        SCOPED_TRACE("cap %llu", (unsigned long long)cap);
        bigint_ctx *ctx = certified(p, cap);
        bigint x = BIGINT_INIT, y = BIGINT_INIT, r = BIGINT_INIT;
        if (cap == 0) {
            draw_worst(ctx, &g, FLOAT_TOP_BITS, z, n);
            mpz_mul(want, z, z);
        }
        fixture_set(ctx, &x, z), fixture_set(ctx, &y, z), fixture_set(ctx, &r, seven);
        refused = bigint_workspace_bytes(ctx, &needed, n, n) == BIGINT_ENOMEM;
        if (refused) {
            EXPECT_EQ(bigint_mul(ctx, &r, &x, &y), BIGINT_ENOMEM);
            EXPECT_BIGINT(ctx, &r, seven);
        }
        for (int i = 0; i < 4 && !refused; i++) {
            const bigint_counters before = counted(ctx);
            EXPECT_EQ(bigint_mul(ctx, &r, &x, &y), BIGINT_OK);
            const bigint_counters after = counted(ctx);
            EXPECT_EQ(after.mismatches, before.mismatches + 1);
            EXPECT_TRUE(i < 2 || after.allocations == before.allocations);
            EXPECT_TRUE(after.workspace_peak <= needed && (cap == 0 || needed <= cap));
        }
        if (!refused) {
            EXPECT_BIGINT(ctx, &r, want);
        }
        bigint_clear(ctx, &x), bigint_clear(ctx, &y), bigint_clear(ctx, &r);
        bigint_ctx_destroy(ctx);
    }
    mpz_clears(z, want, seven, NULL);
}
