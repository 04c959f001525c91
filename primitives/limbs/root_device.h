// root_device.h: where Newton's iteration for a reciprocal square root begins, on a device. Plain
// C; the kernel is in root_device.cu. B = 2^64. Rules as in device.h.
#ifndef PRIMITIVES_LIMBS_ROOT_DEVICE_H_
#define PRIMITIVES_LIMBS_ROOT_DEVICE_H_

#include <stdint.h>

#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// limbs_device_reciprocal_root enqueues {p, 3} = floor(sqrt(B^6 / {a, 2})): the reciprocal root of
// {a, 2} / B^2 in units of B^-2.
// Requires: {a, 2} >= B^2 / 4. p and a do not overlap.
// Cost: one launch of one thread, 130 times three short products.
result limbs_device_reciprocal_root(uint64_t *p, const uint64_t *a, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // PRIMITIVES_LIMBS_ROOT_DEVICE_H_
