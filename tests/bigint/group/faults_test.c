// faults_test.c: one of several threads fails, at every site of every member.
#include "tests/bigint/group/faults.h"
#include "tests/bigint/group/members.h"
#include "tests/ctest/ctest.h"

// strike: one product with a fault; returns whether there was such a site.
static bool strike(fault_kind kind, unsigned members, unsigned who, uint64_t site) {
    fault f = {.kind = kind, .member = who, .site = site};
    bigint_ctx_options own[FAULT_MEMBERS];
    const bigint_ctx_options *options[FAULT_MEMBERS];
    for (unsigned i = 0; i < members; i++) {
        own[i] = fault_options(&f, i);
        options[i] = &own[i];
    }
    members_run(
        &(members_setting){
            .members = members, .timeout_s = fault_timeout_s(kind), .options = options},
        fault_product, &f);
    fault_expect(&f, members);
    for (unsigned i = 0; i < members; i++) {
        EXPECT_EQ(f.logs[i].live_blocks, 0u);
    }
    return f.reached;
}

static void every_site(fault_kind kind, unsigned members, unsigned most) {
    for (unsigned who = 0; who < members; who++) {
        uint64_t site = 1;
        while (site <= most && strike(kind, members, who, site)) {
            site++;
        }
        EXPECT_TRUE(site > 2);  // there were some
    }
}

// Mutations: a member that finds no memory returns before the agreement; the result is written
// before it; memory that is not released.
TEST(Faults, Allocations) {
    every_site(FAULT_ALLOCATION, 2, 1000);
    every_site(FAULT_ALLOCATION, 3, 1000);
}

// Mutation: an exchange whose failure is not looked at.
TEST(Faults, GiveUp) {
    every_site(FAULT_GIVE_UP, 3, 1000);
    every_site(FAULT_GIVE_UP, 4, 1000);
}

// Mutation: a wait without a deadline.
TEST(Faults, Hang) { every_site(FAULT_HANG, 2, 2); }

// Mutation: the check of a product left out.
TEST(Faults, Corrupt) { every_site(FAULT_CORRUPT, 4, 1000); }
