// group_devices_test.c: public calls on a group of devices, by each way of a product, against one
// device and GMP.
#include <gmp.h>
#include <string.h>

#include "bigint/bigint_gmp.h"
#include "tests/bigint/core/fixture.h"
#include "tests/bigint/group/group_cases.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

// Lengths: none, one limb, less than a block, whole blocks and one more or less, unbalanced.
typedef struct {
    size_t an, bn;
} lengths;
static const lengths all_lengths[] = {{0, 5},     {1, 1},       {17, 23},     {2000, 2000},
                                      {2049, 1},  {300, 3700},  {1025, 1023}, {1024, 64},
                                      {900, 900}, {2047, 2048}, {64, 63}};

// products: every aliasing of x y, of both signs.
static void products(bigint_ctx *ctx, const mpz_t x, const mpz_t y) {
    bigint a = BIGINT_INIT, b = BIGINT_INIT, r = BIGINT_INIT;
    mpz_t want;
    mpz_init(want);
    mpz_mul(want, x, y);
    fixture_set(ctx, &a, x), fixture_set(ctx, &b, y);
    EXPECT_EQ(bigint_mul(ctx, &r, &a, &b), BIGINT_OK);
    EXPECT_BIGINT(ctx, &r, want);
    EXPECT_EQ(bigint_mul(ctx, &a, &a, &b), BIGINT_OK);
    EXPECT_BIGINT(ctx, &a, want);
    fixture_set(ctx, &a, x);
    EXPECT_EQ(bigint_mul(ctx, &b, &a, &b), BIGINT_OK);
    EXPECT_BIGINT(ctx, &b, want);
    mpz_mul(want, x, x);
    EXPECT_EQ(bigint_sqr(ctx, &a, &a), BIGINT_OK);
    EXPECT_BIGINT(ctx, &a, want);
    mpz_clear(want);
    bigint_clear(ctx, &a), bigint_clear(ctx, &b), bigint_clear(ctx, &r);
}

// Mutations: an operand is read after its block was written; the product's length is a limb too
// short; a product of the wrong way round is negative.
TEST_EACH(GroupDevices, Products, group_case, group_cases, group_case_label) {
    if (!group_case_ready(p)) {
        SKIP("no second device");
    }
    static const gen_shape shapes[] = {GEN_ONES, GEN_POWER_MINUS, GEN_POWER_PLUS, GEN_RUNS};
    bigint_ctx *const ctx = group_case_open(p, NULL);
    gen g = gen_seed(p->members);
    mpz_t x, y;
    mpz_inits(x, y, NULL);
    for (size_t i = 0; i < sizeof all_lengths / sizeof *all_lengths; i++) {
        SCOPED_TRACE("%zu x %zu limbs", all_lengths[i].an, all_lengths[i].bn);
        const gen_shape shape = shapes[i % 4];
        fixture_shape(&g, shape, x, all_lengths[i].an);
        fixture_shape(&g, shape, y, all_lengths[i].bn);
        if (i % 2 == 1) {
            mpz_neg(x, x);
        }
        products(ctx, x, y);
    }
    mpz_clears(x, y, NULL);
    bigint_ctx_destroy(ctx);
    EXPECT_TRUE(device_several(1));
}

// sums: every aliasing of x + y and x - y, and the order of x and y.
static void sums(bigint_ctx *ctx, const mpz_t x, const mpz_t y) {
    bigint a = BIGINT_INIT, b = BIGINT_INIT, r = BIGINT_INIT;
    mpz_t plus, minus;
    mpz_inits(plus, minus, NULL);
    mpz_add(plus, x, y);
    mpz_sub(minus, x, y);
    fixture_set(ctx, &a, x), fixture_set(ctx, &b, y);
    EXPECT_EQ(bigint_add(ctx, &r, &a, &b), BIGINT_OK);
    EXPECT_BIGINT(ctx, &r, plus);
    EXPECT_EQ(bigint_sub(ctx, &r, &r, &b), BIGINT_OK);  // of blocks of another length
    EXPECT_BIGINT(ctx, &r, x);
    int order = 2;
    EXPECT_EQ(bigint_cmp(ctx, &order, &a, &b), BIGINT_OK);
    EXPECT_EQ(order, (mpz_cmp(x, y) > 0) - (mpz_cmp(x, y) < 0));
    EXPECT_EQ(bigint_sub(ctx, &a, &a, &b), BIGINT_OK);
    EXPECT_BIGINT(ctx, &a, minus);
    fixture_set(ctx, &a, x);
    EXPECT_EQ(bigint_sub(ctx, &b, &a, &b), BIGINT_OK);
    EXPECT_BIGINT(ctx, &b, minus);
    EXPECT_EQ(bigint_sub(ctx, &r, &a, &a), BIGINT_OK);
    mpz_set_ui(minus, 0);
    EXPECT_BIGINT(ctx, &r, minus);
    EXPECT_EQ(bigint_add(ctx, &a, &a, &a), BIGINT_OK);
    mpz_add(plus, x, x);
    EXPECT_BIGINT(ctx, &a, plus);
    mpz_clears(plus, minus, NULL);
    bigint_clear(ctx, &a), bigint_clear(ctx, &b), bigint_clear(ctx, &r);
}

// Carries and borrows through all blocks, from blocks that are empty of one operand; differences
// whose top blocks agree. Mutations: a block's own order decides a borrow; what propagates is not
// known of zeros; the lowest block that differs decides the order; moved limbs at the wrong place.
TEST_EACH(GroupDevices, Sums, group_case, group_cases, group_case_label) {
    if (!group_case_ready(p)) {
        SKIP("no second device");
    }
    bigint_ctx *const ctx = group_case_open(p, NULL);
    gen g = gen_seed(p->members);
    mpz_t x, y;
    mpz_inits(x, y, NULL);
    for (size_t i = 0; i < sizeof all_lengths / sizeof *all_lengths; i++) {
        SCOPED_TRACE("%zu and %zu limbs", all_lengths[i].an, all_lengths[i].bn);
        fixture_shape(&g, i % 2 == 0 ? GEN_ONES : GEN_RUNS, x, all_lengths[i].an);
        fixture_shape(&g, i % 3 == 0 ? GEN_POWER_PLUS : GEN_ONES, y, all_lengths[i].bn);
        sums(ctx, x, y);
        mpz_neg(y, y);
        sums(ctx, x, y);
    }
    mpz_set_ui(x, 1);
    mpz_mul_2exp(x, x, 64 * 200);  // 2^k and 2^k - 1: a borrow through all limbs
    mpz_sub_ui(y, x, 1);
    sums(ctx, x, y);
    sums(ctx, y, x);
    mpz_set_ui(y, 1);
    sums(ctx, x, y);
    mpz_sub_ui(x, x, 1);
    sums(ctx, x, y);
    mpz_set(y, x);
    mpz_clrbit(y, 3);  // differs in the lowest block alone
    sums(ctx, x, y);
    sums(ctx, y, x);
    mpz_clears(x, y, NULL);
    bigint_ctx_destroy(ctx);
    EXPECT_TRUE(device_several(1));
}

// Operands whose blocks are those of a longer number: their top limbs are zeros that were set, or
// products have left. Mutations: a block of a number's own length is taken for one of an operand's;
// a block that has fewer limbs is sent, or subtracted from, without its zeros.
TEST_EACH(GroupDevices, LooseLengths, group_case, group_cases, group_case_label) {
    if (!group_case_ready(p)) {
        SKIP("no second device");
    }
    bigint_ctx *const ctx = group_case_open(p, NULL);
    bigint a = BIGINT_INIT, r = BIGINT_INIT;
    mpz_t z;
    mpz_init_set_ui(z, 1);
    uint64_t limbs[700];
    memset(limbs, 0xff, sizeof limbs);
    memset(limbs + 300, 0, 400 * sizeof *limbs);
    for (unsigned m = 0; m < p->members; m++) {
        uint64_t first, count;
        ASSERT_EQ(bigint_block(ctx, 700, m, &first, &count), BIGINT_OK);
        ASSERT_EQ(bigint_set_block(ctx, &a, m, count > 0 ? limbs + first : limbs, 700, 1),
                  BIGINT_OK);
    }
    mpz_t x;
    mpz_init(x);
    mpz_import(x, 700, -1, 8, 0, 0, limbs);
    EXPECT_EQ(bigint_set_u64(ctx, &r, 1), BIGINT_OK);
    for (unsigned i = 0; i < 4; i++) {
        EXPECT_EQ(bigint_mul(ctx, &r, &r, &a), BIGINT_OK);
        mpz_mul(z, z, x);
        EXPECT_BIGINT(ctx, &r, z);
    }
    mpz_set_ui(z, 1);
    mpz_mul_2exp(z, z, 64 * 689 + 5);  // the larger one, of fewer limbs in as long blocks
    fixture_set(ctx, &r, z);
    EXPECT_EQ(bigint_sub(ctx, &r, &a, &r), BIGINT_OK);
    mpz_sub(z, x, z);
    EXPECT_BIGINT(ctx, &r, z);
    mpz_clears(x, z, NULL);
    bigint_clear(ctx, &a), bigint_clear(ctx, &r);
    bigint_ctx_destroy(ctx);
    EXPECT_TRUE(device_several(1));
}

// shifts: x both ways, in place and not, and back again; x against itself in longer blocks.
static void shifts(bigint_ctx *ctx, const mpz_t x, uint64_t bits) {
    bigint a = BIGINT_INIT, r = BIGINT_INIT;
    mpz_t want;
    mpz_init(want);
    fixture_set(ctx, &a, x);
    EXPECT_EQ(bigint_mul_2exp(ctx, &r, &a, bits), BIGINT_OK);
    mpz_mul_2exp(want, x, bits);
    EXPECT_BIGINT(ctx, &r, want);
    EXPECT_EQ(bigint_tdiv_2exp(ctx, &r, &r, bits), BIGINT_OK);
    EXPECT_BIGINT(ctx, &r, x);
    EXPECT_EQ(bigint_tdiv_2exp(ctx, &r, &a, bits), BIGINT_OK);
    mpz_tdiv_q_2exp(want, x, bits);
    EXPECT_BIGINT(ctx, &r, want);
    EXPECT_EQ(bigint_set_u64(ctx, &r, 1), BIGINT_OK);
    EXPECT_EQ(bigint_mul_2exp(ctx, &r, &r, 64 * 3000 + bits), BIGINT_OK);
    EXPECT_EQ(bigint_add(ctx, &a, &a, &r), BIGINT_OK);
    EXPECT_EQ(bigint_sub(ctx, &a, &a, &r), BIGINT_OK);
    fixture_set(ctx, &r, x);
    int order = 2;
    EXPECT_EQ(bigint_cmp(ctx, &order, &a, &r), BIGINT_OK);
    EXPECT_EQ(order, 0);
    EXPECT_EQ(bigint_mul_2exp(ctx, &a, &a, bits), BIGINT_OK);
    EXPECT_EQ(bigint_cmp(ctx, &order, &a, &r), BIGINT_OK);
    EXPECT_EQ(order, bits == 0 ? 0 : mpz_sgn(x));
    EXPECT_EQ(bigint_cmp(ctx, &order, &r, &a), BIGINT_OK);
    EXPECT_EQ(order, bits == 0 ? 0 : -mpz_sgn(x));
    mpz_clear(want);
    bigint_clear(ctx, &a), bigint_clear(ctx, &r);
}

// Mutations: a limb that comes from the next block is dropped, or one too many is shifted out; a
// number is compared by blocks that are not at the same place.
TEST_EACH(GroupDevices, Shifts, group_case, group_cases, group_case_label) {
    if (!group_case_ready(p)) {
        SKIP("no second device");
    }
    static const uint64_t by[] = {0, 1, 63, 64, 65, 64 * 16, 64 * 299 + 17, 64 * 5000 + 1};
    bigint_ctx *const ctx = group_case_open(p, NULL);
    gen g = gen_seed(p->members);
    mpz_t x;
    mpz_init(x);
    for (size_t i = 0; i < sizeof by / sizeof *by; i++) {
        SCOPED_TRACE("by %zu bits", (size_t)by[i]);
        fixture_shape(&g, i % 2 == 0 ? GEN_ONES : GEN_RUNS, x, i % 3 == 0 ? 1 : 300 + i);
        if (i % 4 == 1) {
            mpz_neg(x, x);
        }
        shifts(ctx, x, by[i]);
    }
    mpz_clear(x);
    bigint_ctx_destroy(ctx);
    EXPECT_TRUE(device_several(1));
}

// Catches a product that goes through host memory although the devices reach each other, a
// self-check that is left out, and a kept plan that is taken for other lengths or another grid.
TEST(GroupDevices, Plan) {
    const group_case two = {DEVICE_MEMBER_PRIMES, 2, 2};
    if (!group_case_ready(&two)) {
        SKIP("no second device");
    }
    char text[2048], other[2048];
    bigint_ctx *ctx = group_case_open(&two, NULL);
    EXPECT_EQ(bigint_explain(ctx, text, sizeof text, NULL, 2000, 1000), BIGINT_OK);
    EXPECT_TRUE(strstr(text, "2 members on devices, way primes of 2 x 1, 1 strips, 3 primes") !=
                NULL);
    EXPECT_EQ(bigint_explain(ctx, other, sizeof other, NULL, 2500, 1500), BIGINT_OK);
    EXPECT_TRUE(strcmp(text, other) != 0);
    uint64_t bytes = 0;
    EXPECT_EQ(bigint_workspace_bytes(ctx, &bytes, 2000, 1000), BIGINT_OK);
    EXPECT_TRUE(bytes >= 3 * 8 * 4096);
    bigint a = BIGINT_INIT;
    EXPECT_EQ(bigint_set_u64(ctx, &a, 3), BIGINT_OK);
    EXPECT_EQ(bigint_sqr(ctx, &a, &a), BIGINT_OK);
    EXPECT_TRUE(ctx->group->seats[0].self.exchange->sent_bytes > 0);
    bigint_clear(ctx, &a);
    bigint_ctx_destroy(ctx);
    const group_case grid = {DEVICE_MEMBER_GRID, 6, 2};
    ctx = group_case_open(&grid, NULL);
    ctx->group->prime_groups = 3;
    EXPECT_EQ(bigint_explain(ctx, text, sizeof text, NULL, 2000, 1000), BIGINT_OK);
    EXPECT_TRUE(strstr(text, "6 members on devices, way grid of 3 x 2, 2 strips, 3 primes") !=
                NULL);
    ctx->group->prime_groups = 4;  // which are no grid of six
    EXPECT_EQ(bigint_explain(ctx, text, sizeof text, NULL, 2000, 1000), BIGINT_OK);
    EXPECT_TRUE(strstr(text, "way alone") != NULL);
    bigint_ctx_destroy(ctx);
    const group_case any = {DEVICE_MEMBER_AUTO, 2, 2};
    const bigint_ctx_options checks = {.checks = 1, .threads = 2};  // which no host member shares
    ctx = group_case_open(&any, &checks);
    EXPECT_EQ(bigint_explain(ctx, text, sizeof text, NULL, 1 << 26, 1 << 26), BIGINT_OK);
    EXPECT_TRUE(strstr(text, "way alone") != NULL);
    EXPECT_EQ(bigint_set_u64(ctx, &a, 3), BIGINT_OK);
    EXPECT_EQ(bigint_sqr(ctx, &a, &a), BIGINT_OK);
    EXPECT_EQ(bigint_sync(ctx), BIGINT_OK);
    bigint_counters counters;
    bigint_ctx_counters(ctx, &counters);
    EXPECT_EQ(counters.checks, 1u);
    bigint_clear(ctx, &a);
    bigint_ctx_destroy(ctx);
    EXPECT_TRUE(device_several(1));
}

// Numbers of 2^39 bits on 8 devices of 141 GB, as bigint_workspace_bytes plans them, and what is
// refused. Catches a product that is sent to one device though it has no memory for it.
TEST(GroupDevices, Reach) {
    const group_case eight = {DEVICE_MEMBER_AUTO, 8, 8};
    if (!device_emulated() || !group_case_ready(&eight)) {
        return;  // the emulation's devices can be said to have any memory
    }
    const uint64_t n = UINT64_C(1) << 33, memory = UINT64_C(141000000000);
    bigint_ctx *ctx = group_case_open(&eight, NULL);
    ctx->group->shape = NULL;
    for (unsigned i = 0; i < 8; i++) {
        ctx->group->seats[i].self.ctx->device.about.memory_bytes = memory;
    }
    uint64_t bytes = 0;
    char text[2048];
    EXPECT_EQ(bigint_workspace_bytes(ctx, &bytes, n, n), BIGINT_OK);
    EXPECT_TRUE(bytes > memory / 3 && bytes + 4 * n / 8 * 8 <= memory);  // and blocks
    EXPECT_EQ(bigint_explain(ctx, text, sizeof text, NULL, n, n), BIGINT_OK);
    EXPECT_TRUE(
        strstr(text, "way columns of 1 x 8, 8 strips, 6 second primes, digits of 128 bits") !=
        NULL);
    EXPECT_TRUE(strstr(text, "by thirds") != NULL);
    EXPECT_EQ(bigint_workspace_bytes(ctx, &bytes, 2 * n, 2 * n), BIGINT_ENOMEM);
    EXPECT_TRUE(strstr(bigint_ctx_error(ctx), "17179869184 by 17179869184 limbs take 206") != NULL);
    EXPECT_TRUE(strstr(bigint_ctx_error(ctx), "which have 141000000000; take 12 devices") != NULL);
    EXPECT_EQ(bigint_workspace_bytes(ctx, &bytes, n << 10, n << 10), BIGINT_ERANGE);
    EXPECT_TRUE(strstr(bigint_ctx_error(ctx), "7 x 2^35 points") != NULL);
    bigint_ctx_destroy(ctx);
    EXPECT_TRUE(device_several(1));
}
