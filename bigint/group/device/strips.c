// strips.c: see strips.h. Limbs of a strip in a block are the end of one row, whole rows, and the
// beginning of another.
#include "bigint/group/device/strips.h"

enum { LIMB = sizeof(uint64_t) };

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

// run: neighbouring limbs of a strip, from number `at` of the strip on: rows of `length` limbs.
typedef struct {
    uint64_t at, length, rows;
} run;

// next_run: the run at limb `at` of a strip, of those before `end`.
static run next_run(const device_member_plan *plan, uint64_t at, uint64_t end) {
    const uint64_t row = plan->strip_limbs, left = row - at % row;
    return left == row && end - at >= row ? (run){at, row, (end - at) / row}
                                          : (run){at, least(left, end - at), 1};
}

// place: where limb `at` of strip s is in a block.
static uint64_t place(const device_member_plan *plan, uint64_t s, uint64_t at, block_range range) {
    return at / plan->strip_limbs * plan->row_limbs + s * plan->strip_limbs +
           at % plan->strip_limbs - range.first;
}

// move copies what a block and strip s have in common, to `packed` or from there.
static result move(const device_member_plan *plan, uint64_t s, uint64_t *block, block_range range,
                   uint64_t *packed, bool pack, cuda_stream stream) {
    const uint64_t first = device_member_before(plan, s, range.first),
                   end = device_member_before(plan, s, range.first + range.count),
                   row = plan->row_limbs * LIMB;
    result done = RESULT_OK;
    for (uint64_t at = first; at < end && done == RESULT_OK;) {
        const run r = next_run(plan, at, end);
        const uint64_t bytes = r.length * LIMB;
        uint64_t *const own = block + place(plan, s, at, range), *const p = packed + (at - first);
        done = pack ? cuda_copy_rows(p, bytes, own, row, bytes, r.rows, stream)
                    : cuda_copy_rows(own, row, p, bytes, bytes, r.rows, stream);
        at += r.length * r.rows;
    }
    return done;
}

result device_strip_pack(const device_member_plan *plan, uint64_t s, uint64_t *packed,
                         const uint64_t *block, block_range range, cuda_stream stream) {
    return move(plan, s, (uint64_t *)(uintptr_t)block, range, packed, true, stream);
}

result device_strip_unpack(const device_member_plan *plan, uint64_t s, uint64_t *block,
                           block_range range, const uint64_t *packed, cuda_stream stream) {
    return move(plan, s, block, range, (uint64_t *)(uintptr_t)packed, false, stream);
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
