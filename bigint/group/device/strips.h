// strips.h: where limbs of a strip are in a number, for exchanges. Internal to bigint/.
#ifndef BIGINT_GROUP_DEVICE_STRIPS_H_
#define BIGINT_GROUP_DEVICE_STRIPS_H_

#include "bigint/group/device/plan.h"
#include "bigint/group/exchange/block.h"

// device_strip_run: limbs of a strip, from number `at` of it on: in each of `rows` rows that follow
// each other `length` limbs; 0 rows: none.
typedef struct {
    uint64_t at, length, rows;
} device_strip_run;

// device_strip_runs: neighbouring limbs of a strip as the end of one row, whole rows and the
// beginning of another, in this order; of the only strip, whose rows follow each other in a number,
// as one run.
enum { DEVICE_STRIP_RUNS = 3 };
void device_strip_runs(const device_member_plan *plan, block_range limbs,
                       device_strip_run runs[DEVICE_STRIP_RUNS]);

#endif  // BIGINT_GROUP_DEVICE_STRIPS_H_
