// steps.h: steps of longer computations on a device: sums, shifts and parts of numbers into
// integers that hold no operand, where the caller knows more of the result's length than the
// operands' announced lengths tell. Internal to bigint/.
//
// Each enqueues and does not wait. r keeps its memory if it has room. Errors: ENOMEM, ERANGE,
// EDEVICE; r then keeps its value.
#ifndef BIGINT_DEVICE_DIVIDE_STEPS_H_
#define BIGINT_DEVICE_DIVIDE_STEPS_H_

#include "bigint/core/context.h"
#include "primitives/limbs/device.h"

// device_magnitude: |x| without its lowest `from` limbs, without a copy.
limbs_device_number device_magnitude(const bigint *x, uint64_t from);
// device_announce: |x| < 2^bits, which the caller knows; no more than announced so far.
void device_announce(bigint *x, uint64_t bits);
// device_count_integers: `bytes` of integers that a call holds on its way count against the cap, of
// which the workspace gets what is left, until device_uncount_integers. Errors: ENOMEM if nothing
// is left; the cap is then as before.
bigint_status device_count_integers(bigint_ctx *ctx, const char *who, uint64_t bytes);
void device_uncount_integers(bigint_ctx *ctx, uint64_t bytes);
// device_waits: a quotient or root of `limbs` limbs, wanted without its remainder, may wait for one
// limb. That limb tells whether the last remainder is needed, which takes a third of the time.
// Calls that are recorded do not wait.
bool device_waits(const bigint_ctx *ctx, uint64_t limbs);
// device_scratch: one piece of device memory for the numbers that a call holds on its way, which
// counts as such. device_scratch_open takes room for `count` numbers of `limbs` limbs together,
// device_scratch_bytes; errors: ENOMEM, EDEVICE. device_scratch_take cuts off limbs that begin on a
// line.
// device_scratch_close frees it in stream order; s->p NULL is allowed.
typedef struct {
    uint64_t *p, *at;
    uint64_t bytes;
} device_scratch;
uint64_t device_scratch_bytes(uint64_t count, uint64_t limbs);
bigint_status device_scratch_open(bigint_ctx *ctx, const char *who, device_scratch *s,
                                  uint64_t count, uint64_t limbs);
uint64_t *device_scratch_take(device_scratch *s, uint64_t limbs);
void device_scratch_close(bigint_ctx *ctx, device_scratch *s);
// device_step_sum: r = a + b or, if `subtract`, a - b, where |r| < 2^bits, bits >= 1. The limbs of
// a and b are aligned to 16 bytes. A result of 0 has a's sign.
bigint_status device_step_sum(bigint_ctx *ctx, const char *who, bigint *r, uint64_t bits,
                              limbs_device_number a, limbs_device_number b, bool subtract);
// device_step_left: |r| = |a| 2^by. device_step_right: |r| = floor(|a| / 2^by). Both modulo
// 2^(64 n) for the n limbs that `bits` bits, bits >= 1, take; |r| < 2^bits. r has a's sign.
bigint_status device_step_left(bigint_ctx *ctx, const char *who, bigint *r, uint64_t bits,
                               limbs_device_number a, uint64_t by);
bigint_status device_step_right(bigint_ctx *ctx, const char *who, bigint *r, uint64_t bits,
                                limbs_device_number a, uint64_t by);
// device_step_choose: r = |a| if the word at `chosen`, in device memory, is not 0, else 0.
bigint_status device_step_choose(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                                 const uint64_t *chosen);

#endif  // BIGINT_DEVICE_DIVIDE_STEPS_H_
