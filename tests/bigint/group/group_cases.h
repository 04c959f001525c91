// group_cases.h: groups of devices by each way of a product, with short shapes.
#ifndef TESTS_BIGINT_GROUP_GROUP_CASES_H_
#define TESTS_BIGINT_GROUP_GROUP_CASES_H_

#include "bigint/core/context.h"
#include "bigint/group/group.h"

typedef struct {
    device_member_way way;
    unsigned members, devices;
} group_case;

enum { GROUP_CASES = 7 };
extern const group_case group_cases[GROUP_CASES];

void group_case_label(char *buf, size_t cap, const group_case *c);
// group_case_ready: whether there are its devices. group_case_open: a context on it.
bool group_case_ready(const group_case *c);
bigint_ctx *group_case_open(const group_case *c, const bigint_ctx_options *options);

#endif  // TESTS_BIGINT_GROUP_GROUP_CASES_H_
