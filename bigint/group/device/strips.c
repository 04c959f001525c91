// strips.c: see strips.h.
#include "bigint/group/device/strips.h"

enum { LIMB = sizeof(uint64_t) };

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

result device_strip_overs(const device_member_plan *plan, uint64_t s, uint64_t *block,
                          block_range range, const uint64_t *overs, cuda_stream stream) {
    const uint64_t end = range.first + range.count, from = (s + 1) * plan->strip_limbs;
    result done = RESULT_OK;
    for (uint64_t r = 0; r < plan->rows && done == RESULT_OK;) {
        const uint64_t at = r * plan->row_limbs + from;  // the row's first limb beyond
        const uint64_t skip = at < range.first ? least(range.first - at, DEVICE_MEMBER_OVER) : 0;
        const uint64_t last = at < end ? least(end - at, DEVICE_MEMBER_OVER) : 0;
        uint64_t rows = 1;
        if (skip == 0 && last == DEVICE_MEMBER_OVER) {  // and so have the rows that follow
            rows = least(plan->rows - r, (end - DEVICE_MEMBER_OVER - at) / plan->row_limbs + 1);
        }
        if (skip < last) {
            done = cuda_copy_rows(block + (at + skip - range.first), plan->row_limbs * LIMB,
                                  overs + r * DEVICE_MEMBER_OVER + skip, DEVICE_MEMBER_OVER * LIMB,
                                  (last - skip) * LIMB, rows, stream);
        }
        r += rows;
    }
    return done;
}
