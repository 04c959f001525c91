// fraction.h: approximate numbers on a device, whose size the host knows without their limbs.
// Internal to bigint/. B = 2^64.
#ifndef BIGINT_DEVICE_ROOTS_FRACTION_H_
#define BIGINT_DEVICE_ROOTS_FRACTION_H_

#include "bigint/core/context.h"
#include "primitives/limbs/device.h"

// device_size: what a root's degree k and the length of its radicand tell of a number x on its way:
// 2^(bits + parts / k - 1) (1 - 2^-60) < x < 2^(bits + (parts + 1) / k), parts < k.
// device_size_mul: of a product. device_size_limbs: t with x < B^t, and x > B^(t - 1) / 2.01.
typedef struct {
    int64_t bits;
    uint64_t parts;
} device_size;
device_size device_size_mul(device_size a, device_size b, uint64_t k);
int64_t device_size_limbs(device_size a);

// device_fraction: {x.p, x.n} B^-f, not negative, and its size.
typedef struct {
    limbs_device_number x;
    int64_t f;
    device_size size;
} device_fraction;

// device_fractions: where products go, by turns to two integers: a product stays until the next but
// one. They are cut to their upper `limbs` limbs, or one more; UINT64_MAX: products of integers,
// whose sizes are not looked at, stay whole. k: the root's degree.
typedef struct {
    bigint_ctx *ctx;
    const char *who;
    uint64_t limbs, k;
    bigint at[2];
    unsigned turn;
} device_fractions;
void device_fractions_close(device_fractions *s);

// device_fraction_mul enqueues *r = a b, less than 2.01 B^(1 - limbs) of it too small.
bigint_status device_fraction_mul(device_fractions *s, device_fraction *r, device_fraction a,
                                  device_fraction b);
// device_fraction_factors: *left *right = x^k, k >= 2, the last product of the power left out.
bigint_status device_fraction_factors(device_fractions *s, device_fraction *left,
                                      device_fraction *right, device_fraction x, uint64_t k);
// device_fraction_power: *r = x^k, k >= 1: k - 1 products.
bigint_status device_fraction_power(device_fractions *s, device_fraction *r, device_fraction x,
                                    uint64_t k);
// device_fraction_integer: x as an integer without a sign: its limbs, not a copy.
bigint device_fraction_integer(const bigint *like, limbs_device_number x);

#endif  // BIGINT_DEVICE_ROOTS_FRACTION_H_
