// strips.c: see strips.h.
#include "bigint/group/device/strips.h"

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

void device_strip_runs(const device_member_plan *plan, block_range limbs,
                       device_strip_run runs[DEVICE_STRIP_RUNS]) {
    const uint64_t row = plan->strip_limbs, in_row = limbs.first % row, n = limbs.count;
    const uint64_t head = plan->lg_strips == 0 ? n
                          : in_row == 0        ? 0
                                               : least(row - in_row, n),
                   whole = (n - head) / row, tail = n - head - whole * row;
    runs[0] = (device_strip_run){limbs.first, head, head > 0};
    runs[1] = (device_strip_run){limbs.first + head, row, whole};
    runs[2] = (device_strip_run){limbs.first + head + whole * row, tail, tail > 0};
}
