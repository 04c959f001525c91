// faults.h: products of members of which one fails at a chosen site, for tests on threads and on
// ranks of MPI.
#ifndef TESTS_BIGINT_GROUP_FAULTS_H_
#define TESTS_BIGINT_GROUP_FAULTS_H_

#include <stdbool.h>

#include "bigint/group/exchange/member.h"
#include "tests/bigint/core/fixture.h"

typedef enum {
    FAULT_ALLOCATION,  // the member's allocator fails
    FAULT_GIVE_UP,     // the member gives up instead of an exchange
    FAULT_HANG,        // the member comes to an exchange much too late
    FAULT_CORRUPT,     // a bit of what the member received is wrong; its context checks products
} fault_kind;

enum { FAULT_MEMBERS = 8 };

// fault: where it is, and how a product with it ended. Every member has its own result.
typedef struct {
    fault_kind kind;
    unsigned member;
    uint64_t site;                      // the first is 1
    allocator_log logs[FAULT_MEMBERS];  // the members' contexts allocate from these
    bool reached;                       // by the member: there is such a site
    bigint_status status[FAULT_MEMBERS];
    double seconds[FAULT_MEMBERS];
} fault;

// fault_timeout_s: for endpoints of such a product.
double fault_timeout_s(fault_kind kind);
// fault_options: for the context of a member.
bigint_ctx_options fault_options(fault *f, unsigned who);
// fault_product, a member program: one product, and after an agreement that failed the same once
// more without a fault. It expects that a result of a failed product is untouched.
void fault_product(member *m, void *f);
// fault_expect: all members ended with the same status, which suits the fault.
void fault_expect(const fault *f, unsigned members);

#endif  // TESTS_BIGINT_GROUP_FAULTS_H_
