// blocks.h: long divisions on a device, block by block of the quotient. Internal to bigint/.
#ifndef BIGINT_DEVICE_DIVIDE_BLOCKS_H_
#define BIGINT_DEVICE_DIVIDE_BLOCKS_H_

#include "bigint/core/context.h"
#include "bigint/core/device_integer.h"
#include "bigint/device/divide/divisor.h"

// device_blocks: |a| / |d| for |a| < |d| B^qn, B = 2^64. q and r: where the results go, room for qn
// + 1 limbs and for d's; p NULL where one is not wanted. d: for its sign. zeros: limbs above the
// divisor's in memory that are 0.
typedef struct {
    const device_divisor *by;
    const bigint *a, *d;
    uint64_t qn, zeros;
    device_target q, r;
} device_blocks;

// device_divide_blocks enqueues the results and their signs, by->m limbs of the quotient at a time.
// Cost: for each block an estimate, a product by the reciprocal of which the upper half counts, and
// a difference, a product by d of which n limbs count: two and three launches beside theirs, by a
// ring a few more. One block may be estimated by a series (series.h). q alone, by a long d, waits
// for a limb that tells whether the last difference is needed.
// Memory: some 2 n + 5 m limbs, 2 n + 14 m for a series, and as many as a has if there are several
// blocks, as device_scratch. Errors: as bigint_mul; the results are then not to be used.
bigint_status device_divide_blocks(bigint_ctx *ctx, const char *who, const device_blocks *x);
// device_divide_blocks_need: what it needs for a quotient of qn limbs.
void device_divide_blocks_need(work_need *w, const device_divisor *by, uint64_t qn);

#endif  // BIGINT_DEVICE_DIVIDE_BLOCKS_H_
