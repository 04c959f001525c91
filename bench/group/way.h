// way.h: what the command lines of benchmarks of groups of devices ask a product to take. Includes
// argp.h and group.h.
#ifndef BENCH_GROUP_WAY_H_
#define BENCH_GROUP_WAY_H_

#include <argp.h>

#include "bigint/group/group.h"

// group_way: as of device_member_choice; zeros: what the plan chooses.
typedef struct {
    device_member_way way;
    unsigned prime_groups, lg_inner;
    device_member_pace pace;
} group_way;

// group_way_options: --way, --groups, --inner, --thirds and --in-turn, with a group_way as input.
extern const struct argp group_way_options;

// group_way_set: what the products of a context on a group take.
void group_way_set(bigint_ctx *ctx, const group_way *way);

#endif  // BENCH_GROUP_WAY_H_
