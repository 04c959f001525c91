// device_product_plan_test.c: plans of one product over members that are devices: the way, what
// each member has, and how far memory reaches.
#include <stdint.h>
#include <stdio.h>

#include "bigint/group/device/cost.h"
#include "bigint/group/device/product.h"
#include "bigint/group/exchange/block.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

// Strips, parts, primes and rows are dealt out without gaps, most to member 0: every column group
// has strips and parts of its own, every prime group primes, and rows of strips.
static void expect_dealt(const device_member_plan *plan) {
    uint64_t strip = 0, part = 0, prime = 0, row = 0;
    EXPECT_EQ(plan->members, plan->prime_groups * plan->column_groups);
    for (unsigned m = 0; m < plan->members; m++) {
        const block_range strips = device_member_strips(plan, m),
                          parts = device_member_parts(plan, m),
                          primes = device_member_primes(plan, m),
                          rows = device_member_rows(plan, m);
        EXPECT_TRUE(strips.count >= 1 && strips.count <= device_member_strips(plan, 0).count);
        EXPECT_TRUE(parts.count >= 1 && parts.count <= device_member_parts(plan, 0).count);
        EXPECT_TRUE(primes.count >= 1 && primes.count <= device_member_rounds(plan));
        EXPECT_TRUE(rows.count <= device_member_rows(plan, 0).count);
        if (m < plan->column_groups) {
            EXPECT_TRUE(strips.first == strip && parts.first == part);
            strip += strips.count;
            part += parts.count;
        }
        if (m % plan->column_groups == 0) {
            EXPECT_TRUE(primes.first == prime && rows.first == row);
            prime += primes.count;
            row += rows.count;
        }
    }
    EXPECT_TRUE(strip == UINT64_C(1) << plan->lg_strips);
    EXPECT_EQ(part, fft_modular_parts(&plan->modular));
    EXPECT_TRUE(prime == plan->modular.primes && row == plan->rows);
}

// Catches plans of more members than parts, of digits that are not exact, and
// of lengths beyond all points; and plans that are not the same for all lengths of their kind.
TEST(DeviceProduct, Plans) {
    if (!device_ready()) {
        SKIP("no device");
    }
    const fft_modular_plan shape = {.primes = 3,
                                    .digit_bits = 64,
                                    .pieces = 3,
                                    .lg_outer = 1,
                                    .lg_rows = 4,
                                    .lg_columns = FFT_MODULAR_LG_SHORT};
    device_member_plan plan;
    device_member_choice choice = {
        .devices = 2, .room = UINT64_MAX, .memory = UINT64_MAX, .way = DEVICE_MEMBER_COLUMNS};
    choice.shape = &shape;
    choice.members = 2;
    EXPECT_TRUE(device_member_plan_make(&plan, 1000, 900, false, &choice));
    EXPECT_EQ(plan.rows, 1);
    EXPECT_FALSE(device_member_plan_make(&plan, 20000, 9000, false, &choice));
    for (choice.members = 3; choice.members <= 6; choice.members++) {
        EXPECT_TRUE(device_member_plan_make(&plan, 1000, 900, false, &choice));
        expect_dealt(&plan);
    }
    choice.members = 7;  // of six parts
    EXPECT_FALSE(device_member_plan_make(&plan, 1000, 900, false, &choice));
    choice.shape = NULL;
    for (unsigned lg = 22; lg <= 31; lg++) {  // limbs of both operands together
        const uint64_t n = UINT64_C(1) << (lg - 1);
        for (choice.members = 1; choice.members <= 12; choice.members++) {
            SCOPED_TRACE("2^%u limbs, %u members", lg, choice.members);
            ASSERT_TRUE(device_member_plan_make(&plan, n, n, false, &choice));
            EXPECT_FALSE(plan.modular.balanced);
            expect_dealt(&plan);
            EXPECT_TRUE(fft_modular_points(&plan.modular) * plan.modular.digit_bits >=
                        128 * n - 64);
            EXPECT_TRUE(plan.rows * plan.row_limbs + DEVICE_MEMBER_OVER >= 2 * n);
        }
    }
}

// Products of more points than one outer pass has parts of, and the numbers of members that have
// the memory: 2^39 bits on 8 devices of 141 GB, 2^42 on 48. Catches a share that is left out of the
// bytes, plans that are too short, lengths that are not refused, and a plan that takes longer than
// the group should.
TEST(DeviceProduct, Reach) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const struct {
        unsigned lg_bits, members;
        bool fits;
        device_member_pace pace;
        unsigned most_ms;  // by the model; 0: nobody asks
    } rows[] = {
        {36, 8, true, DEVICE_PACE_BESIDE, 80},   {37, 8, true, DEVICE_PACE_BESIDE, 0},
        {38, 8, true, DEVICE_PACE_BESIDE, 0},    {39, 8, true, DEVICE_PACE_THIRDS, 600},
        {39, 6, true, DEVICE_PACE_IN_TURN, 0},   {39, 4, false, DEVICE_PACE_IN_TURN, 0},
        {40, 12, true, DEVICE_PACE_IN_TURN, 0},  {40, 8, false, DEVICE_PACE_IN_TURN, 0},
        {42, 48, true, DEVICE_PACE_IN_TURN, 0},  {42, 40, false, DEVICE_PACE_IN_TURN, 0},
        {42, 64, true, DEVICE_PACE_THIRDS, 0},   {43, 48, false, DEVICE_PACE_IN_TURN, 0},
        {43, 112, true, DEVICE_PACE_IN_TURN, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint64_t n = UINT64_C(1) << (rows[i].lg_bits - 6);
        const uint64_t memory = UINT64_C(141000000000);
        device_member_plan plan;
        const device_member_choice choice = {.members = rows[i].members,
                                             .devices = rows[i].members,
                                             .clusters = true,
                                             .room = UINT64_MAX,
                                             .memory = memory};
        SCOPED_TRACE("2^%u bits on %u", rows[i].lg_bits, rows[i].members);
        EXPECT_EQ(device_member_plan_make(&plan, n, n, false, &choice), rows[i].fits);
        EXPECT_EQ(plan.way, DEVICE_MEMBER_COLUMNS);
        EXPECT_EQ(plan.pace, rows[i].pace);
        EXPECT_TRUE(rows[i].most_ms == 0 ||
                    device_member_cost(&plan, &choice) <= rows[i].most_ms * UINT64_C(1000000000));
        EXPECT_TRUE(plan.lg_inner > 0);  // faster than four pieces, or the only shape
        EXPECT_TRUE(fft_modular_points(&plan.modular) * 128 >= 128 * n - 128);
        EXPECT_TRUE(plan.points < UINT64_C(1) << 32);  // what kernels count with
        expect_dealt(&plan);
    }
    device_member_plan plan;
    const device_member_choice choice = {.members = 896,
                                         .devices = 896,
                                         .clusters = true,
                                         .room = UINT64_MAX,
                                         .memory = UINT64_C(1) << 43};
    const uint64_t most = UINT64_C(7) << 35;  // limbs of each, for 7 x 2^35 points
    EXPECT_TRUE(device_member_plan_make(&plan, most, most, false, &choice));
    EXPECT_FALSE(device_member_plan_make(&plan, most + 1, most + 1, false, &choice));
    EXPECT_EQ(plan.way, DEVICE_MEMBER_AUTO);
}

// Of the plan that takes least, one byte less than a member holds is too little memory, but for one
// member alone. Mutation: an operand's share that is not counted where it is longer than strips.
TEST(DeviceProduct, LeastMemory) {
    if (!device_ready()) {
        SKIP("no device");
    }
    for (uint64_t n = UINT64_C(5) << 19; n <= UINT64_C(1) << 23; n += UINT64_C(3) << 19) {
        for (unsigned members = 5; members <= 12; members++) {
            SCOPED_TRACE("%llu limbs, %u members", (unsigned long long)n, members);
            device_member_plan plan;
            device_member_choice choice = {.members = members,
                                           .devices = members,
                                           .clusters = true,
                                           .room = UINT64_MAX,
                                           .memory = 1};
            EXPECT_FALSE(device_member_plan_make(&plan, n, n, false, &choice));
            EXPECT_EQ(plan.pace, DEVICE_PACE_IN_TURN);
            choice.memory = device_member_bytes(&plan) + 16 * block_length(2 * n, members);
            EXPECT_TRUE(device_member_plan_make(&plan, n, n, false, &choice));
            choice.memory--;
            EXPECT_TRUE(!device_member_plan_make(&plan, n, n, false, &choice) ||
                        plan.way == DEVICE_MEMBER_ALONE);
        }
    }
}

// The way is the one for members, devices and lengths. Catches more members than primes and
// columns, a member without a prime, gaps between strips, and a grid that costs more than another.
TEST(DeviceProduct, Ways) {
    if (!device_ready()) {
        SKIP("no device");
    }
    const uint64_t n = UINT64_C(1) << 27;
    for (unsigned members = 1; members <= 12; members++) {
        SCOPED_TRACE("%u members", members);
        device_member_plan plan;
        device_member_choice choice = {.members = members,
                                       .devices = members,
                                       .clusters = true,
                                       .room = UINT64_MAX,
                                       .memory = UINT64_MAX};
        ASSERT_TRUE(device_member_plan_make(&plan, n, n - 1, false, &choice));
        EXPECT_EQ(plan.way == DEVICE_MEMBER_ALONE, members == 1);
        if (members > 1) {
            expect_dealt(&plan);
            const uint64_t least = device_member_cost(&plan, &choice);
            for (choice.prime_groups = 1; choice.prime_groups <= members; choice.prime_groups++) {
                device_member_plan other;
                choice.way = DEVICE_MEMBER_GRID;
                const bool made = device_member_plan_make(&other, n, n - 1, false, &choice);
                EXPECT_EQ(made, members % choice.prime_groups == 0 && choice.prime_groups <= 6);
                EXPECT_TRUE(!made || (device_member_cost(&other, &choice) >= least &&
                                      other.prime_groups == choice.prime_groups));
            }
            choice.prime_groups = 0;
            choice.way = DEVICE_MEMBER_AUTO;
        }
        ASSERT_TRUE(device_member_plan_make(&plan, n, n / 64, false, &choice));
        EXPECT_EQ(plan.way, DEVICE_MEMBER_ALONE);
        ASSERT_TRUE(device_member_plan_make(&plan, 1 << 21, 1 << 21, false, &choice));
        EXPECT_EQ(plan.way, DEVICE_MEMBER_ALONE);
        choice.devices = 1;
        ASSERT_TRUE(device_member_plan_make(&plan, n, n, false, &choice));
        EXPECT_EQ(plan.way, DEVICE_MEMBER_ALONE);
    }
}

// Of little memory, and of ways that cannot be.
TEST(DeviceProduct, WaysThatFit) {
    if (!device_ready()) {
        SKIP("no device");
    }
    const uint64_t n = UINT64_C(1) << 27;
    device_member_choice choice = {.members = 4,
                                   .devices = 4,
                                   .clusters = true,
                                   .room = UINT64_C(6) << 30,
                                   .memory = UINT64_MAX};
    device_member_plan plan;
    ASSERT_TRUE(device_member_plan_make(&plan, n, n, false, &choice));
    EXPECT_TRUE(plan.column_groups > 1 && device_member_bytes(&plan) <= choice.room);
    for (unsigned pace = DEVICE_PACE_THIRDS; pace <= DEVICE_PACE_IN_TURN; pace++) {
        choice.room = UINT64_C(1) << 28 << (pace == DEVICE_PACE_THIRDS ? 2 : 0);
        choice.room += UINT64_C(2) << 30;
        ASSERT_TRUE(device_member_plan_make(&plan, n, n, false, &choice));
        EXPECT_EQ(plan.pace, pace);
        EXPECT_TRUE(device_member_bytes(&plan) <= choice.room);
    }
    choice.way = DEVICE_MEMBER_PRIMES;
    choice.members = 7;
    EXPECT_FALSE(device_member_plan_make(&plan, n, n, false, &choice));
    choice.way = DEVICE_MEMBER_GRID;
    EXPECT_FALSE(device_member_plan_make(&plan, n, n, false, &choice));
}

// By columns, whose rows NCCL carries one by one. Mutations: rows that cost nothing, and longer
// rows at any cost.
TEST(DeviceProduct, RowsOfNccl) {
    if (!device_ready()) {
        SKIP("no device");
    }
    const uint64_t n = UINT64_C(1) << 28;
    device_member_choice choice = {.members = 4,
                                   .devices = 4,
                                   .clusters = true,
                                   .room = UINT64_MAX,
                                   .memory = UINT64_MAX,
                                   .way = DEVICE_MEMBER_COLUMNS};
    device_member_plan peer, rows;
    ASSERT_TRUE(device_member_plan_make(&peer, n, n, false, &choice));
    choice.carrier = CARRIER_NCCL;
    ASSERT_TRUE(device_member_plan_make(&rows, n, n, false, &choice));
    EXPECT_TRUE(peer.lg_inner == 0 && rows.lg_inner > 0 && rows.columns > peer.columns);
    EXPECT_TRUE(device_member_cost(&rows, &choice) < device_member_cost(&peer, &choice));
    expect_dealt(&rows);
    choice.carrier = CARRIER_STAGED;
    ASSERT_TRUE(device_member_plan_make(&rows, n, n, false, &choice));
    EXPECT_EQ(rows.lg_inner, 0);
}

// Mutation: longer rows for NCCL that need memory which members do not have.
TEST(DeviceProduct, RowsOfNcclThatFit) {
    if (!device_ready()) {
        SKIP("no device");
    }
    const uint64_t n = UINT64_C(5) << 22;
    device_member_choice choice = {.members = 11,
                                   .devices = 11,
                                   .clusters = true,
                                   .room = UINT64_MAX,
                                   .memory = UINT64_C(200) << 20};
    device_member_plan peer, rows;
    ASSERT_TRUE(device_member_plan_make(&peer, n, n, false, &choice));
    choice.carrier = CARRIER_NCCL;
    ASSERT_TRUE(device_member_plan_make(&rows, n, n, false, &choice));
    EXPECT_TRUE(peer.pace == DEVICE_PACE_IN_TURN && rows.pace == DEVICE_PACE_IN_TURN);
    EXPECT_TRUE(device_member_held_bytes(&rows) <= choice.memory);
}

// Of one column group there is nothing to take by thirds or in turn. Mutation: a pace that is taken
// all the same.
TEST(DeviceProduct, PaceOfWholeTransforms) {
    if (!device_ready()) {
        SKIP("no device");
    }
    const uint64_t n = UINT64_C(1) << 22;
    device_member_choice choice = {.members = 1,
                                   .devices = 1,
                                   .clusters = true,
                                   .room = UINT64_MAX,
                                   .memory = UINT64_MAX,
                                   .way = DEVICE_MEMBER_PRIMES,
                                   .pace = DEVICE_PACE_THIRDS};
    device_member_plan plan;
    ASSERT_TRUE(device_member_plan_make(&plan, n, n, false, &choice));
    EXPECT_EQ(plan.pace, DEVICE_PACE_BESIDE);
}
