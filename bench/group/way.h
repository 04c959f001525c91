// way.h: the option --way of benchmarks of groups of devices. Includes argp.h and plan.h.
#ifndef BENCH_GROUP_WAY_H_
#define BENCH_GROUP_WAY_H_

#include <argp.h>

#include "bigint/group/device/plan.h"

// group_way_named: the way of that name; any other ends the program.
device_member_way group_way_named(const char *name, struct argp_state *state);

#endif  // BENCH_GROUP_WAY_H_
