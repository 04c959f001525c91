// inverse.h: division by a word on a device, as a product. Internal to bigint/. B = 2^64.
#ifndef BIGINT_DEVICE_ROOTS_INVERSE_H_
#define BIGINT_DEVICE_ROOTS_INVERSE_H_

#include "bigint/core/context.h"
#include "primitives/limbs/device.h"

// device_inverse: k = odd 2^zeros, and floor(B^n / odd) on the device, not there for odd = 1.
typedef struct {
    bigint_ctx *ctx;
    const char *who;
    uint64_t odd, n;
    unsigned zeros;
    bigint x;
} device_inverse;

// The limbs of 1 / odd repeat: the host computes those that do not, fewer than odd, and some more,
// and the device doubles them. device_inverse_room: limbs at most of those for n limbs of 1 / odd.
// device_inverse_start enqueues {p, *count}, the host's, on a line of 64 bytes; *count is 0 for odd
// = 1 and n = 0, and depends on k and n alone.
// device_inverse_open enqueues n limbs of 1 / odd at least, k >= 1, from these; none for n = 0.
uint64_t device_inverse_room(uint64_t k, uint64_t n);
bigint_status device_inverse_start(bigint_ctx *ctx, const char *who, uint64_t *p, uint64_t *count,
                                   uint64_t k, uint64_t n);
bigint_status device_inverse_open(device_inverse *s, bigint_ctx *ctx, const char *who, uint64_t k,
                                  limbs_device_number first, uint64_t n);
void device_inverse_close(device_inverse *s);
// device_inverse_limbs: limbs of 1 / odd that a quotient below 2^bits takes.
uint64_t device_inverse_limbs(uint64_t bits);
// device_inverse_divide enqueues r = x / (2^right k), |r| < 2^bits, right >= 64, with x's sign, its
// magnitude at most 2 too small and never too large. Cost: a product of as many limbs, and two
// shifts; a shift alone for a power of 2.
bigint_status device_inverse_divide(const device_inverse *s, bigint *r, uint64_t bits,
                                    const bigint *x, uint64_t right);

#endif  // BIGINT_DEVICE_ROOTS_INVERSE_H_
