// power.h: powers modulo long numbers on a device. Internal to bigint/.
#ifndef BIGINT_DEVICE_POWER_POWER_H_
#define BIGINT_DEVICE_POWER_POWER_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"
#include "bigint/modular/exponent.h"

// device_power_base: the base of a power: not 0, its length known, and its sign.
typedef struct {
    const bigint *x;
    uint64_t bits;
    bool negative;
} device_power_base;

// device_power enqueues r = base^e mod |modulus| for e > 0, in host memory, and a modulus of
// exactly modulus_bits >= 2 bits, of any parity. r may be any operand.
// It reads no value but the length of the modulus where the base is longer. Cost: a reciprocal, and
// some 1.2 products of barrett.h for each bit of a long exponent, whose windows are those of
// exponent.h. Memory: their odd powers, and integers of some 14 times the modulus's length.
// Errors: as bigint_mul; r then keeps its value.
bigint_status device_power(bigint_ctx *ctx, const char *who, bigint *r, device_power_base base,
                           natural e, const bigint *modulus, uint64_t modulus_bits);
// device_power_need: what it needs for a base of an limbs and a modulus of n. device_power_print:
// how it is computed, on one line, like snprintf.
void device_power_need(work_need *w, uint64_t an, uint64_t exponent_bits, uint64_t n);
int device_power_print(const bigint_ctx *ctx, char *buf, size_t cap, uint64_t exponent_bits,
                       uint64_t n);

#endif  // BIGINT_DEVICE_POWER_POWER_H_
