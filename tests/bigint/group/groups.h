// groups.h: what the tests of groups share: groups of members on the host, and an allocator that
// changes the order in which their threads run.
#ifndef TESTS_BIGINT_GROUP_GROUPS_H_
#define TESTS_BIGINT_GROUP_GROUPS_H_

#include <stdbool.h>

#include "bigint/bigint.h"
#include "tests/bigint/core/fixture.h"

enum { GROUPS_MEMBERS = 8 };  // the most

// group_of: a context on a group of members on the host, or on device 0; NULL with a failure
// recorded. groups_on_device: which of the two.
bigint_ctx *group_of(unsigned members, const bigint_ctx_options *options);
bool groups_on_device(void);

// group_has: whether x is z. group_has_word: or the word.
bool group_has(bigint_ctx *ctx, const bigint *x, const mpz_t z);
bool group_has_word(bigint_ctx *ctx, const bigint *x, uint64_t value);

// jitter: an allocator that waits up to 0.3 ms, at random, in every call, and two seconds in call
// number hang_at (0: never); fail_at as in allocator_log.
typedef struct {
    allocator_log log;
    uint64_t state, hang_at;
} jitter;
bigint_allocator groups_jitter(jitter *j);

#endif  // TESTS_BIGINT_GROUP_GROUPS_H_
