// lucas_device.h: terms of Lucas sequences modulo many odd numbers at once on a device, for tests
// of primality. Plain C; the kernel is in lucas_device.cu, plans are those of powm_device.h.
//
// V(k): the sequence with Q = 1: V(0) = 2, V(1) = P, V(k + 1) = P V(k) - V(k - 1).
#ifndef PRIMITIVES_RESIDUES_LUCAS_DEVICE_H_
#define PRIMITIVES_RESIDUES_LUCAS_DEVICE_H_

#include "primitives/residues/powm_device.h"

#ifdef __cplusplus
extern "C" {
#endif

// lucas_device_batch: low[i], high[i] = V(e), V(e + 1) of P = p[i] modulo modulus[i], either way
// round, e = exponent[i], i < count. Moduli are odd and above 1, p[i] below modulus[i]; low[i] and
// high[i] have at least the modulus's limbs, and are stored in all of them.
typedef struct {
    uint64_t count;
    numbers_device low, high, p, exponent, modulus;
} lucas_device_batch;

// lucas_device enqueues a batch. Requires: moduli and exponents as announced to the plan of
// powm_device_plan_digits, exponents of at least a limb, so that a table has the four places that
// are used here; low and high overlap nothing; workspace of the plan's bytes, aligned to 16.
// Cost: one launch. With D = each lanes digits and E bits of the warp's longest exponent, E times
// two products of 2 D^2 digit products, and about 64 for R^2.
// Errors: RESULT_DEVICE_ERROR.
// Source: [JoyeQuisquater96]; bounds: docs/proofs/prime.md, section 4.
result lucas_device(const powm_device_plan *plan, const lucas_device_batch *batch, void *workspace,
                    cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // PRIMITIVES_RESIDUES_LUCAS_DEVICE_H_
