// product_test.c: products of integers on a device, or under the kernel emulation, against
// GMP: every aliasing, worst cases of digits and carries, plans that a cap forces, refusals.
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/core/context.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

// launches: of short products, by whatever engine is chosen; by the modular transform, one where
// the device can, or several as of all others.
typedef enum { CHOSEN, ONE, SEVERAL } launches;

static bigint_ctx *ctx_of(uint64_t cap, launches how, uint32_t checks) {
    bigint_ctx *ctx =
        fixture_ctx(&(bigint_ctx_options){.max_workspace_bytes = cap,
                                          .checks = checks,
                                          .engine = how == CHOSEN ? NULL : "modular-fft"});
    ctx->queue.cluster = how != SEVERAL ? ctx->queue.cluster : 0;
    return ctx;
}

// The longest operands in limbs: what the emulation does in seconds; 2^26 bits on a device.
static size_t longest(void) { return device_emulated() ? 3000 : (size_t)1 << 20; }

static void random_products(launches how) {
    bigint_ctx *ctx = ctx_of(0, how, 1);
    fixture_random_products(ctx, 71, device_emulated() ? 12 : 60, longest());
    bigint_ctx_destroy(ctx);
}

// Checked too, in place as well, where a factor is gone when its product is judged.
TEST(DeviceProduct, RandomAgainstGmp) {
    random_products(CHOSEN);
    random_products(ONE);
    random_products(SEVERAL);
}

static void largest_digits(launches how) {
    static const size_t lengths[] = {1,    2,       1024,    1025,    2048,
                                     2049, 4096,    6144,    6145,    8192,
                                     8193, 1 << 14, 1 << 17, 3 << 16, (1 << 18) + 1};
    bigint_ctx *ctx = ctx_of(0, how, 0);
    mpz_t zx, zy;
    mpz_inits(zx, zy, NULL);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const size_t n = lengths[i];
        if (device_emulated() && n > 2049) {
            break;
        }
        SCOPED_TRACE("%zu limbs", n);
        mpz_set_ui(zx, 1);
        mpz_mul_2exp(zx, zx, 64 * n);
        mpz_sub_ui(zx, zx, 1);
        fixture_check_product(ctx, zx, zx);
        mpz_add_ui(zy, zx, 2);
        fixture_check_product(ctx, zy, zx);
    }
    mpz_clears(zx, zy, NULL);
    bigint_ctx_destroy(ctx);
}

// Lengths at which the plan changes its digits or its shape, with the largest digits there are, and
// a product all of ones, whose last carry would ripple through all of it. Catches a coefficient
// that leaves the primes' range, a digit too many, a ripple that is not resolved.
TEST(DeviceProduct, LargestDigits) {
    largest_digits(CHOSEN);
    largest_digits(ONE);
    largest_digits(SEVERAL);
}

// Lengths from which words are balanced digits, and from which digits are shorter than words.
TEST(DeviceProduct, LongOperandsOnADevice) {
    if (device_emulated()) {
        SKIP("the emulation is too slow for these");
    }
    static const size_t lengths[] = {((size_t)1 << 20) + 1, (size_t)1 << 21, (size_t)1 << 22,
                                     ((size_t)1 << 22) + 1, (size_t)7 << 20};
    bigint_ctx *ctx = ctx_of(0, ONE, 0);
    gen g = gen_seed(5);
    mpz_t zx, zy;
    mpz_inits(zx, zy, NULL);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        for (int ones = 0; ones < 2; ones++) {
            SCOPED_TRACE("%zu limbs", lengths[i]);
            fixture_shape(&g, ones ? GEN_ONES : GEN_UNIFORM, zx, lengths[i]);
            fixture_shape(&g, ones ? GEN_ONES : GEN_RUNS, zy, lengths[i]);
            bigint x = BIGINT_INIT, y = BIGINT_INIT, r = BIGINT_INIT;
            fixture_set(ctx, &x, zx);
            fixture_set(ctx, &y, zy);
            EXPECT_EQ(bigint_mul(ctx, &r, &x, &y), BIGINT_OK);
            mpz_mul(zx, zx, zy);
            EXPECT_BIGINT(ctx, &r, zx);
            bigint_clear(ctx, &x), bigint_clear(ctx, &y), bigint_clear(ctx, &r);
        }
    }
    mpz_clears(zx, zy, NULL);
    bigint_ctx_destroy(ctx);
}

// Lengths a little above a power of two, whose highest coefficients are found apart: products,
// squares, prepared operands; under a cap the high convolution behind the other one, where it had a
// branch, and primes in turn. Catches a high convolution that misses a digit, or its memory shared
// with what is still needed.
TEST(DeviceProduct, LengthsThatWrapAround) {
    static const size_t lengths[] = {((size_t)1 << 18) + 30000, ((size_t)1 << 19) + 60000,
                                     ((size_t)1 << 20) + 100001, ((size_t)1 << 23) + 1};
    gen g = gen_seed(6);
    mpz_t zx, zy, want;
    mpz_inits(zx, zy, want, NULL);
    for (size_t i = 0; i < (device_emulated() ? 1 : sizeof lengths / sizeof *lengths); i++) {
        const size_t n = lengths[i];
        fixture_shape(&g, GEN_UNIFORM, zx, n);
        fixture_shape(&g, i % 2 == 0 ? GEN_ONES : GEN_UNIFORM, zy, n);
        uint64_t cap = 0;
        for (int capped = 0; capped < 3; capped++) {
            bigint_ctx *ctx = ctx_of(cap, ONE, 0);
            char text[400];
            EXPECT_EQ(bigint_explain(ctx, text, sizeof text, NULL, n, n), BIGINT_OK);
            SCOPED_TRACE("%s", text);
            EXPECT_TRUE(strstr(text, " wrapped: ") != NULL);
            const bool branches = strstr(text, "branches") != NULL;
            capped +=
                capped == 0 && !branches;  // there is nothing to give up but all primes at once
            EXPECT_TRUE((capped == 2) == (strstr(text, "in turn") != NULL));
            EXPECT_TRUE(capped == 0 || !branches);
            bigint x = BIGINT_INIT, y = BIGINT_INIT, r = BIGINT_INIT;
            fixture_set(ctx, &x, zx);
            fixture_set(ctx, &y, zy);
            EXPECT_EQ(bigint_mul(ctx, &r, &x, &y), BIGINT_OK);
            mpz_mul(want, zx, zy);
            EXPECT_BIGINT(ctx, &r, want);
            if (capped < 2) {
                bigint_prep *prepared = NULL;
                EXPECT_EQ(bigint_prep_create(ctx, &prepared, &y, n), BIGINT_OK);
                EXPECT_EQ(bigint_mul_prep(ctx, &r, prepared, &x), BIGINT_OK);
                EXPECT_BIGINT(ctx, &r, want);
                bigint_prep_destroy(ctx, prepared);
                EXPECT_EQ(bigint_sqr(ctx, &x, &x), BIGINT_OK);
                mpz_mul(want, zx, zx);
                EXPECT_BIGINT(ctx, &x, want);
                EXPECT_EQ(bigint_workspace_bytes(ctx, &cap, n, n), BIGINT_OK);
                cap = branches ? cap - 1 : cap / 10 * 9;
            }
            bigint_clear(ctx, &x), bigint_clear(ctx, &y), bigint_clear(ctx, &r);
            bigint_ctx_destroy(ctx);
        }
    }
    mpz_clears(zx, zy, want, NULL);
}

// Mutation: a product of announced lengths that writes a limb too many.
TEST(DeviceProduct, ZerosAndLooseLengths) {
    bigint_ctx *ctx = ctx_of(0, ONE, 0);
    fixture_check_loose_lengths(ctx);
    bigint_ctx_destroy(ctx);
}

static void caps(launches how) {
    const size_t n = 3000;
    uint64_t cap = 0, needed = 0;
    gen g = gen_seed(3);
    mpz_t zx, zy, seven;
    mpz_inits(zx, zy, NULL);
    mpz_init_set_ui(seven, 7);
    fixture_shape(&g, GEN_RUNS, zx, n);
    fixture_shape(&g, GEN_UNIFORM, zy, n - 100);
    bool in_turn = false, parts = false, refused = false;
    while (!refused) {
        bigint_ctx *ctx = ctx_of(cap, how, 1);
        char text[300] = "";
        bigint r = BIGINT_INIT;
        fixture_set(ctx, &r, seven);
        const bigint_status status = bigint_workspace_bytes(ctx, &needed, n, n);
        refused = status == BIGINT_ENOMEM;
        if (refused) {
            EXPECT_TEXT(ctx, "even cut in pieces; the cap is");
            EXPECT_EQ(bigint_mul_2exp(ctx, &r, &r, 64 * n - 10), BIGINT_OK);
            EXPECT_EQ(bigint_mul(ctx, &r, &r, &r), BIGINT_ENOMEM);
            EXPECT_EQ(bigint_tdiv_2exp(ctx, &r, &r, 64 * n - 10), BIGINT_OK);
            EXPECT_BIGINT(ctx, &r, seven);
        } else {
            bigint_counters counters;
            EXPECT_EQ(bigint_explain(ctx, text, sizeof text, NULL, n, n), BIGINT_OK);
            SCOPED_TRACE("cap %llu: %s", (unsigned long long)cap, text);
            in_turn = in_turn || strstr(text, "in turn") != NULL;
            parts = parts || strstr(text, "1 x 1 parts") == NULL;
            fixture_check_product(ctx, zx, zy);
            bigint_ctx_counters(ctx, &counters);
            EXPECT_TRUE(cap == 0 || (needed <= cap && counters.workspace_peak <= cap));
        }
        bigint_clear(ctx, &r);
        bigint_ctx_destroy(ctx);
        cap = (cap == 0 ? needed : cap) / 8 * 7;
    }
    EXPECT_TRUE(in_turn == (how == SEVERAL) && parts == in_turn);
    mpz_clears(zx, zy, seven, NULL);
}

// A cap is met by primes in turn and by parts, unless one launch needs less, and what the plan says
// is kept; what no plan meets is refused with numbers, and the result keeps its value.
TEST(DeviceProduct, CapsAreKept) {
    caps(SEVERAL);
    bigint_ctx *ctx = ctx_of(0, ONE, 0);
    if (ctx->queue.cluster > 0) {
        caps(ONE);
    }
    bigint_ctx_destroy(ctx);
}

// The third product of a size allocates nothing.
TEST(DeviceProduct, RepeatsAllocateNothing) {
    bigint_ctx *ctx = ctx_of(0, ONE, 0);
    bigint x = BIGINT_INIT, r = BIGINT_INIT;
    EXPECT_EQ(bigint_set_u64(ctx, &x, 3), BIGINT_OK);
    EXPECT_EQ(bigint_mul_2exp(ctx, &x, &x, 9000), BIGINT_OK);
    bigint_counters before, after;
    for (int i = 0; i < 4; i++) {
        bigint_ctx_counters(ctx, &before);
        EXPECT_EQ(bigint_mul(ctx, &r, &x, &x), BIGINT_OK);
        bigint_ctx_counters(ctx, &after);
        EXPECT_TRUE(i < 2 || after.allocations == before.allocations);
        EXPECT_EQ(after.products, before.products + 1);
    }
    bigint_clear(ctx, &x), bigint_clear(ctx, &r);
    bigint_ctx_destroy(ctx);
}

// set: a new value of n limbs for x and z, in x's own limbs from the second time on.
static void set(gen *g, bigint_ctx *ctx, bigint *x, mpz_t z, size_t n) {
    fixture_shape(g, GEN_UNIFORM, z, n);
    fixture_set(ctx, x, z);
}

// graphs: how many products the context has recorded.
static int graphs(const bigint_ctx *ctx) {
    int count = 0;
    for (int i = 0; i < REPLAYS; i++) {
        count += ctx->queue.replays[i].graph != NULL;
    }
    return count;
}

// New values in the same limbs, other results, other lengths of the same operands, squares in place
// and more sizes than are remembered. Mutations: a key without the result and its sign, or without
// an operand.
TEST(DeviceProduct, ProductsThatComeAgain) {
    enum { LIMBS = 100, SIZES = REPLAYS + 3 };
    bigint_ctx *ctx = ctx_of(0, SEVERAL, 0);
    gen g = gen_seed(77);
    bigint x = BIGINT_INIT, y = BIGINT_INIT, r[2] = {BIGINT_INIT, BIGINT_INIT};
    mpz_t zx, zy, want;
    mpz_inits(zx, zy, want, NULL);
    for (int i = 0; i < 12; i++) {
        const size_t n = i < 9 ? LIMBS : LIMBS - 1;
        set(&g, ctx, &x, zx, n), set(&g, ctx, &y, zy, LIMBS);
        if (i % 3 == 2) {  // by the sign alone
            mpz_neg(zx, zx);
            fixture_set(ctx, &x, zx);
        }
        mpz_mul(want, zx, zy);
        EXPECT_EQ(bigint_mul(ctx, &r[i % 2], &x, &y), BIGINT_OK);
        EXPECT_BIGINT(ctx, &r[i % 2], want);
        EXPECT_TRUE(i < 6 || graphs(ctx) > 0);
    }
    for (int i = 0; i < 6; i++) {
        set(&g, ctx, &x, zx, LIMBS);
        EXPECT_EQ(bigint_mul(ctx, &x, &x, &x), BIGINT_OK);
        mpz_mul(zx, zx, zx);
        EXPECT_BIGINT(ctx, &x, zx);
    }
    for (int i = 0; i < 3 * SIZES; i++) {
        set(&g, ctx, &x, zx, LIMBS + (size_t)(i / 3));
        mpz_mul(want, zx, zy);
        EXPECT_EQ(bigint_mul(ctx, &r[0], &x, &y), BIGINT_OK);
        EXPECT_BIGINT(ctx, &r[0], want);
    }
    EXPECT_TRUE(graphs(ctx) > 1);
    bigint_ctx_trim(ctx);
    EXPECT_EQ(graphs(ctx), 0);
    bigint_clear(ctx, &x), bigint_clear(ctx, &y), bigint_clear(ctx, &r[0]),
        bigint_clear(ctx, &r[1]);
    mpz_clears(zx, zy, want, NULL);
    bigint_ctx_destroy(ctx);
}

// Mutation: the name is refused, or another engine runs.
TEST(DeviceProduct, NamedEngine) {
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.engine = "modular-fft"});
    bigint x = BIGINT_INIT;
    EXPECT_EQ(bigint_set_u64(ctx, &x, 3), BIGINT_OK);
    EXPECT_EQ(bigint_mul(ctx, &x, &x, &x), BIGINT_OK);
    uint64_t value[1], need;
    EXPECT_EQ(bigint_get_limbs(ctx, value, 1, &need, NULL, &x), BIGINT_OK);
    EXPECT_EQ(value[0], 9u);
    bigint_counters counters;
    bigint_ctx_counters(ctx, &counters);
    EXPECT_TRUE(counters.products == 1 && counters.checks == 0);
    bigint_clear(ctx, &x);
    bigint_ctx_destroy(ctx);
}
