// near_root.h: roots of degree 3 and more on a device to a limb behind the point. Internal to
// bigint/. B = 2^64.
#ifndef BIGINT_DEVICE_ROOTS_NEAR_ROOT_H_
#define BIGINT_DEVICE_ROOTS_NEAR_ROOT_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"
#include "bigint/device/roots/reciprocal_root.h"

// What is added to an approximation in units of its last limb, so that it exceeds the root, by less
// than DEVICE_ROOT_NEAR.
enum { DEVICE_ROOT_ABOVE = 8, DEVICE_ROOT_NEAR = 14 };

// device_near_inverse: limbs of 1 / k that it takes, of which cube roots by a series take none.
// device_near_start waits for A's top limbs and enqueues what it begins with,
// device_near_begun limbs, to `begun`, on a line of 64 bytes.
uint64_t device_near_inverse(const device_radicand *s);
uint64_t device_near_begun(const device_radicand *s);
bigint_status device_near_start(const device_radicand *s, uint64_t *begun);
// device_near_root enqueues x of rho + 2 limbs, 2 < x + DEVICE_ROOT_ABOVE - A^(1/k) B <
// DEVICE_ROOT_NEAR, from these; s->inverse is open.
bigint_status device_near_root(const device_radicand *s, bigint *x, const uint64_t *begun);
void device_near_root_need(work_need *w, const device_radicand *s);

#endif  // BIGINT_DEVICE_ROOTS_NEAR_ROOT_H_
