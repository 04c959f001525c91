// What contexts on a device hold: transfers of every length, many numbers at once, and values that
// the host does not know.
#include <string.h>

#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

// --- Transfers -----------------------------------------------------------------------------------

// Lengths around the pieces in which limbs are copied: small pieces under a cap, and pieces without
// a cap. Mutations: a piece lost or taken twice, a slot filled again while its limbs are on their
// way, a slot read before they have come, a share of a piece that a team leaves out, a sign over a
// limb.
TEST(DeviceValues, TransfersOfEveryLength) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static uint64_t limbs[400000], got[400000];
    const uint64_t lengths[] = {1,    2,    247,  248,  249,   255,    256,    257,    1015,  1016,
                                1017, 1023, 1024, 1025, 10000, 131064, 131065, 262144, 400000};
    gen g = gen_seed(22);
    for (size_t i = 0; i < sizeof limbs / sizeof limbs[0]; i++) {
        limbs[i] = gen_u64(&g) | 1;
    }
    for (uint64_t cap = 0; cap <= 1 << 17; cap += 1 << 17) {
        bigint_ctx *ctx = fixture_ctx(
            &(bigint_ctx_options){.max_workspace_bytes = cap, .threads = cap == 0 ? 3 : 1});
        bigint x = BIGINT_INIT, y = BIGINT_INIT;
        for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
            SCOPED_TRACE("cap %llu, %llu limbs", (unsigned long long)cap,
                         (unsigned long long)lengths[i]);
            const uint64_t n = lengths[i];
            uint64_t need = 0;
            int sign = 0;
            EXPECT_EQ(bigint_set_limbs(ctx, &y, limbs, n, 1), BIGINT_OK);  // before it, unread
            EXPECT_EQ(bigint_set_limbs(ctx, &x, limbs + (400000 - n), n, -1), BIGINT_OK);
            memset(got, 0, n * sizeof *got);
            EXPECT_EQ(bigint_get_limbs(ctx, got, n, &need, &sign, &x), BIGINT_OK);
            EXPECT_TRUE(need == n && sign == -1);
            EXPECT_LIMBS_EQ(got, limbs + (400000 - n), n);
            EXPECT_EQ(bigint_get_limbs(ctx, got, n, &need, &sign, &y), BIGINT_OK);
            EXPECT_LIMBS_EQ(got, limbs, n);
        }
        bigint_clear(ctx, &x);
        bigint_clear(ctx, &y);
        bigint_ctx_destroy(ctx);
    }
}

// Many small numbers on their way at once, from a buffer that is filled anew each time. Mutation: a
// slot is filled again while its limbs are on their way.
TEST(DeviceValues, ManySmallNumbers) {
    if (!device_ready()) {
        SKIP("no device");
    }
    enum { COUNT = 3000 };
    static bigint x[COUNT];
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.max_workspace_bytes = 1 << 17});
    for (uint64_t i = 0; i < COUNT; i++) {
        const uint64_t limbs[2] = {i, i * i + 1};
        ASSERT_EQ(bigint_set_limbs(ctx, &x[i], limbs, 2, i % 2 ? -1 : 1), BIGINT_OK);
    }
    for (uint64_t i = 0; i < COUNT; i++) {
        uint64_t limbs[2];
        int sign;
        ASSERT_EQ(bigint_get_limbs(ctx, limbs, 2, NULL, &sign, &x[i]), BIGINT_OK);
        ASSERT_TRUE(limbs[0] == i && limbs[1] == i * i + 1 && sign == (i % 2 ? -1 : 1));
        bigint_clear(ctx, &x[i]);
    }
    bigint_ctx_destroy(ctx);
}

// --- Values that the host does not know ----------------------------------------------------------

// Zeros with a minus, and with limbs. Mutations: -0 < 0, a minus in front of 0, text of no digits.
TEST(DeviceValues, ZeroHasNoSign) {
    if (!device_ready()) {
        SKIP("no device");
    }
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint x = BIGINT_INIT, y = BIGINT_INIT, zero = BIGINT_INIT;
    mpz_t z;
    mpz_init(z);
    EXPECT_EQ(bigint_set_i64(ctx, &x, -1), BIGINT_OK);
    EXPECT_EQ(bigint_set_i64(ctx, &y, 1), BIGINT_OK);
    EXPECT_EQ(bigint_sub(ctx, &x, &x, &y), BIGINT_OK);
    EXPECT_EQ(bigint_add(ctx, &x, &x, &y), BIGINT_OK);  // -1, announced as three bits
    EXPECT_EQ(bigint_tdiv_2exp(ctx, &x, &x, 1), BIGINT_OK);
    EXPECT_EQ(bigint_limbs_bound(&x), 1u);
    EXPECT_BIGINT(ctx, &x, z);
    EXPECT_EQ(bigint_neg(ctx, &y, &x), BIGINT_OK);
    int order = 9;
    const bigint *zeros[] = {&x, &y, &zero};
    for (int i = 0; i < 9; i++) {
        EXPECT_EQ(bigint_cmp(ctx, &order, zeros[i / 3], zeros[i % 3]), BIGINT_OK);
        EXPECT_EQ(order, 0);
    }
    char text[8] = "";
    EXPECT_EQ(bigint_get_decimal(ctx, text, sizeof text, NULL, &x), BIGINT_OK);
    EXPECT_EQ(text, "0");
    EXPECT_EQ(bigint_get_hex(ctx, text, sizeof text, NULL, &x), BIGINT_OK);
    EXPECT_EQ(text, "0");
    EXPECT_EQ(bigint_set_i64(ctx, &y, 1), BIGINT_OK);
    EXPECT_EQ(bigint_cmp(ctx, &order, &x, &y), BIGINT_OK);
    EXPECT_EQ(order, -1);
    EXPECT_EQ(bigint_set_i64(ctx, &y, -1), BIGINT_OK);
    EXPECT_EQ(bigint_cmp(ctx, &order, &x, &y), BIGINT_OK);
    EXPECT_EQ(order, 1);
    EXPECT_EQ(bigint_cmp(ctx, &order, &y, &x), BIGINT_OK);
    EXPECT_EQ(order, -1);
    mpz_clear(z);
    bigint_clear(ctx, &x);
    bigint_clear(ctx, &y);
    bigint_ctx_destroy(ctx);
}

// Long numbers, several tiles and blocks: a carry through all of it, one limb at a time.
// Mutation: announced lengths that a carry does not fit.
TEST(DeviceValues, LongSums) {
    if (!device_ready()) {
        SKIP("no device");
    }
    const uint64_t n = device_emulated() ? 5000 : 3000000;
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint x = BIGINT_INIT, one = BIGINT_INIT, r = BIGINT_INIT;
    mpz_t z;
    mpz_init_set_ui(z, 1);
    EXPECT_EQ(bigint_set_u64(ctx, &one, 1), BIGINT_OK);
    EXPECT_EQ(bigint_mul_2exp(ctx, &x, &one, 64 * n), BIGINT_OK);
    EXPECT_EQ(bigint_sub(ctx, &x, &x, &one), BIGINT_OK);  // all ones
    EXPECT_EQ(bigint_add(ctx, &r, &x, &one), BIGINT_OK);
    mpz_mul_2exp(z, z, 64 * n);
    EXPECT_BIGINT(ctx, &r, z);
    EXPECT_EQ(bigint_limbs_bound(&r), n + 1);  // three bits more than 64 n
    EXPECT_EQ(bigint_sub(ctx, &r, &one, &r), BIGINT_OK);
    mpz_ui_sub(z, 1, z);
    EXPECT_BIGINT(ctx, &r, z);
    EXPECT_EQ(bigint_add(ctx, &r, &r, &x), BIGINT_OK);
    mpz_set_ui(z, 0);
    EXPECT_BIGINT(ctx, &r, z);
    mpz_clear(z);
    bigint_clear(ctx, &x);
    bigint_clear(ctx, &one);
    bigint_clear(ctx, &r);
    bigint_ctx_destroy(ctx);
}

// Catches a bound that grows by a limb with every sum, one that is too low, so that a top bit is
// lost, and one that a shift forgets.
TEST(DeviceValues, SumsGrowByBits) {
    if (!device_ready()) {
        SKIP("no device");
    }
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint x = BIGINT_INIT, y = BIGINT_INIT;
    mpz_t z;
    mpz_init_set_ui(z, 300);
    EXPECT_EQ(bigint_set_u64(ctx, &y, 1), BIGINT_OK);
    for (int i = 0; i < 300; i++) {
        EXPECT_EQ(bigint_add(ctx, &x, &x, &y), BIGINT_OK);
    }
    EXPECT_EQ(bigint_limbs_bound(&x), 5u);  // 300 bits
    EXPECT_BIGINT(ctx, &x, z);
    // A shift keeps what is known: 300 bits and 85 make 385, seven limbs; then six, then none.
    EXPECT_EQ(bigint_mul_2exp(ctx, &x, &x, 85), BIGINT_OK);
    EXPECT_EQ(bigint_limbs_bound(&x), 7u);
    EXPECT_EQ(bigint_tdiv_2exp(ctx, &x, &x, 1), BIGINT_OK);
    EXPECT_EQ(bigint_limbs_bound(&x), 6u);
    mpz_mul_2exp(z, z, 84);
    EXPECT_BIGINT(ctx, &x, z);
    EXPECT_EQ(bigint_tdiv_2exp(ctx, &x, &x, 384), BIGINT_OK);
    EXPECT_EQ(bigint_limbs_bound(&x), 0u);
    EXPECT_EQ(bigint_mul_2exp(ctx, &x, &y, UINT64_MAX), BIGINT_ERANGE);
    mpz_clear(z);
    bigint_clear(ctx, &x);
    bigint_clear(ctx, &y);
    bigint_ctx_destroy(ctx);
}
