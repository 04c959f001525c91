// group_devices_faults_test.c: calls on a group of devices in which an allocation fails.
#include <gmp.h>
#include <string.h>

#include "bigint/bigint_gmp.h"
#include "tests/bigint/core/fixture.h"
#include "tests/bigint/group/group_cases.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

typedef bigint_status (*call)(bigint_ctx *ctx, bigint *r, const bigint *a, const bigint *b);

// fail_one: a call in which allocation number `at`, of member 0's device or of the host, fails.
// False: there is no such allocation.
static bool fail_one(const group_case *c, call of, uint64_t at, bool on_device) {
    allocator_log log = {.calls = 0};
    const bigint_ctx_options options = {.allocator = fixture_allocator(&log), .timeout_s = 60};
    bigint_ctx *const ctx = group_case_open(c, &options);
    bigint a = BIGINT_INIT, b = BIGINT_INIT, r = BIGINT_INIT;
    mpz_t x, y;
    mpz_inits(x, y, NULL);
    gen g = gen_seed(at);
    fixture_shape(&g, GEN_ONES, x, 1500);
    fixture_shape(&g, GEN_ONES, y, 700);
    fixture_set(ctx, &a, x), fixture_set(ctx, &b, y);
    EXPECT_EQ(bigint_set_u64(ctx, &r, 42), BIGINT_OK);
    log.fail_at = on_device ? 0 : log.calls + at;
    if (on_device) {
        device_faults(at, 0);
    }
    const bigint_status status = of(ctx, &r, &a, &b);
    const bool came = on_device ? device_fault_came() : log.calls >= log.fail_at;
    log.fail_at = 0;
    if (on_device) {
        device_faults(0, 0);
    }
    EXPECT_EQ(status, came ? BIGINT_ENOMEM : BIGINT_OK);
    if (status != BIGINT_OK) {
        EXPECT_TRUE(strlen(bigint_ctx_error(ctx)) > 10);
        mpz_t z;
        mpz_init_set_ui(z, 42);
        EXPECT_BIGINT(ctx, &r, z);
        mpz_clear(z);
        EXPECT_EQ(of(ctx, &r, &a, &b), BIGINT_OK);
    }
    (of == bigint_mul ? mpz_mul : mpz_sub)(x, x, y);
    EXPECT_BIGINT(ctx, &r, x);
    mpz_clears(x, y, NULL);
    bigint_clear(ctx, &a), bigint_clear(ctx, &b), bigint_clear(ctx, &r);
    bigint_ctx_destroy(ctx);
    EXPECT_EQ(log.live_blocks, 0u);
    return came;
}

// Mutations: members write before all have agreed; a failed call leaves an endpoint that is lost,
// or memory; a result that failed has lost its value.
TEST_EACH(GroupDevices, FailingAllocations, group_case, group_cases, group_case_label) {
    if (!device_emulated() || !group_case_ready(p)) {
        return;  // the emulation injects faults
    }
    static const call calls[] = {bigint_mul, bigint_sub};
    for (unsigned i = 0; i < 4; i++) {
        uint64_t at = 1;
        while (fail_one(p, calls[i / 2], at, i % 2 == 1)) {
            at++;
        }
        EXPECT_TRUE(at >= 2);
    }
    EXPECT_TRUE(device_several(1));
}
