// group_cases.c: see group_cases.h.
#include "tests/bigint/group/group_cases.h"

#include <stdio.h>

#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

enum { MEMBERS = 8 };

// Short shapes of tests: up to 2^12 coefficients of 64 bits, and up to 2^14.
static const fft_modular_plan one_part = {
    .primes = 3, .digit_bits = 64, .pieces = 1, .lg_rows = 4, .lg_columns = FFT_MODULAR_LG_SHORT};
static const fft_modular_plan four_parts = {.primes = 3,
                                            .digit_bits = 64,
                                            .pieces = 1,
                                            .lg_outer = 2,
                                            .lg_rows = 4,
                                            .lg_columns = FFT_MODULAR_LG_SHORT};

const group_case group_cases[GROUP_CASES] = {
    {DEVICE_MEMBER_AUTO, 1, 1},   {DEVICE_MEMBER_ALONE, 3, 2},   {DEVICE_MEMBER_PRIMES, 2, 1},
    {DEVICE_MEMBER_PRIMES, 3, 3}, {DEVICE_MEMBER_COLUMNS, 2, 2}, {DEVICE_MEMBER_COLUMNS, 4, 2},
    {DEVICE_MEMBER_GRID, 4, 4},
};

void group_case_label(char *buf, size_t cap, const group_case *c) {
    snprintf(buf, cap, "way%d_%u_on_%u", (int)c->way, c->members, c->devices);
}

bool group_case_ready(const group_case *c) {
    return device_ready() && device_several((int)c->devices);
}

bigint_ctx *group_case_open(const group_case *c, const bigint_ctx_options *options) {
    int places[MEMBERS];
    for (unsigned i = 0; i < c->members; i++) {
        places[i] = (int)(i % c->devices);
    }
    bigint_device *device;
    bigint_ctx *ctx = NULL;
    EXPECT_EQ(bigint_device_open_group(&device, places, c->members, NULL), BIGINT_OK);
    EXPECT_EQ(bigint_ctx_create(&ctx, device, options), BIGINT_OK);
    bigint_device_close(device);
    ctx->group->way = c->way;
    ctx->group->shape = c->way >= DEVICE_MEMBER_COLUMNS ? &four_parts : &one_part;
    return ctx;
}
