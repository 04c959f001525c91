// members.h: runs a member program on the members of a group in one process, a thread and a context
// each. Includes ctest and the fixture of contexts.
#ifndef TESTS_BIGINT_GROUP_MEMBERS_H_
#define TESTS_BIGINT_GROUP_MEMBERS_H_

#include "bigint/bigint.h"
#include "bigint/group/exchange/member.h"

enum { MEMBERS_MAX = 8 };

// members_setting: the group. options: a member's own, or NULL; transport: replaces the local one's
// table, or NULL.
typedef struct {
    unsigned members;  // 1 .. MEMBERS_MAX
    double timeout_s;
    const bigint_ctx_options *const *options;  // [members]; NULL: the defaults
    const exchange_ops *transport;
} members_setting;

typedef void (*member_program)(member *m, void *arg);

// members_run runs program(member, arg) on all members at once and returns when all have ended.
void members_run(const members_setting *setting, member_program program, void *arg);

#endif  // TESTS_BIGINT_GROUP_MEMBERS_H_
