// difference.h: c - a b on a device where most of the product is known before: by a transform that
// wraps around. Internal to bigint/.
#ifndef BIGINT_DEVICE_DIVIDE_DIFFERENCE_H_
#define BIGINT_DEVICE_DIVIDE_DIFFERENCE_H_

#include "bigint/core/context.h"
#include "bigint/device/divide/ring.h"
#include "bigint/device/plan.h"
#include "bigint/device/product.h"
#include "primitives/limbs/device.h"

// device_difference: r = c - a b for magnitudes a and b, where |r| < 2^bits and c = {c.p, c.n} +
// B^one_at, without the power if one_at is UINT64_MAX. plan: of device_difference_plan. kept: as of
// device_ring_multiply.
typedef struct {
    limbs_device_number a, b, c;
    uint64_t one_at, bits;
    const device_plan *plan;
    device_ring_kept *kept;
} device_difference;

// device_difference_plan: the plan for |r| < 2^bits and factors of up to an and bn limbs; square:
// they are one. False if whole products are as fast. prepared: b's transform is prepared.
bool device_difference_plan(const bigint_ctx *ctx, device_plan *plan, uint64_t bits, uint64_t an,
                            uint64_t bn, bool square, bool prepared);
// device_difference_room: limbs that p of device_difference_words needs, at most an + bn + 13.
// device_difference_words enqueues {p} = r in two's complement, of bits / 64 + 1 limbs and some
// more, and *negative = 1 for r < 0, else 0, between device_begin and device_end for x's plan.
// quotient: NULL, or one that the same launch corrects by that (limbs_device_lift_words). p is
// aligned to 16 bytes and no operand; of c as below. Cost: a product modulo B^n - 1, a launch, and
// a sum for every n limbs of c.
uint64_t device_difference_room(const device_plan *plan);
// device_difference_residue enqueues {p}, from which *lift tells r, before that launch; where
// device_ring_adds, c and the power are in it, unless c.n is 0.
result device_difference_residue(const device_work *run, uint64_t *p, const device_difference *x,
                                 limbs_lift *lift);
result device_difference_words(const device_work *run, uint64_t *p, uint64_t *negative,
                               const device_difference *x, const limbs_quotient *quotient);
// device_subtract_product enqueues r of this difference; r is no operand, and 0 has a plus. Parts
// of c that begin at even limbs are aligned to 16 bytes, one_at >= LIMBS_RING_LOW.
// Cost: a product modulo B^n - 1, two launches, and a sum for every n limbs of c.
// Errors: as bigint_mul; r then keeps its value.
bigint_status device_subtract_product(bigint_ctx *ctx, const char *who, bigint *r,
                                      const device_difference *x);
// device_minus_product enqueues r = {c.p, c.n} - |a| |b|, or B^one_at - |a| |b| for c.n = 0, as
// that does if there is a plan, else by a whole product. a may be b.
bigint_status device_minus_product(bigint_ctx *ctx, const char *who, bigint *r, uint64_t bits,
                                   limbs_device_number c, uint64_t one_at, const bigint *a,
                                   const bigint *b);

#endif  // BIGINT_DEVICE_DIVIDE_DIFFERENCE_H_
