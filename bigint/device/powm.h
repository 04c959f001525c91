// powm.h: modular powers on a device. Internal to bigint/.
#ifndef BIGINT_DEVICE_POWM_H_
#define BIGINT_DEVICE_POWM_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"

// device_powm_batch: bigint_powm_batch for spans that batch_check has passed. Cost: two launches,
// and copies of the lists of ragged spans.
bigint_status device_powm_batch(bigint_ctx *ctx, const char *who, const bigint_span *r,
                                const bigint_span *base, const bigint_span *exponent,
                                const bigint_span *modulus);
// device_lucas_batch: low[i], high[i] = terms e, e + 1, e = exponent[i], of the Lucas sequence of
// p[i] modulo modulus[i] (primitives/residues/lucas_device.h), for spans that
// batch_check has passed. Cost: one launch.
bigint_status device_lucas_batch(bigint_ctx *ctx, const char *who, const bigint_span *low,
                                 const bigint_span *high, const bigint_span *p,
                                 const bigint_span *exponent, const bigint_span *modulus);
// device_exponent: an exponent below 2^bits: the limbs p in device memory. If `secret` is not NULL,
// it is the same limbs in host memory, and the computation does not depend on their values.
typedef struct {
    uint64_t *p, bits;
    const uint64_t *secret;
} device_exponent;
// device_powm_serves: whether device_powm supports these lengths. device_powm_pays: whether it is
// faster than products, too.
bool device_powm_serves(uint64_t modulus_bits, uint64_t exponent_bits);
bool device_powm_pays(const bigint_ctx *ctx, uint64_t modulus_bits, uint64_t exponent_bits);
// device_powm: r = base^exponent mod |modulus|, which has modulus_bits >= 1 bits.
bigint_status device_powm(bigint_ctx *ctx, const char *who, bigint *r, const bigint *base,
                          device_exponent exponent, const bigint *modulus, uint64_t modulus_bits);
// device_powm_need: what it needs; secret: with a secret exponent. device_powm_batch_need,
// device_lucas_batch_need: what device_powm_batch and device_lucas_batch of `count` numbers need, n
// limbs each and exponents of en.
void device_powm_need(work_need *w, uint64_t modulus_bits, uint64_t exponent_bits, bool secret);
void device_powm_batch_need(work_need *w, uint64_t count, uint64_t en, uint64_t n);
void device_lucas_batch_need(work_need *w, uint64_t count, uint64_t en, uint64_t n);

#endif  // BIGINT_DEVICE_POWM_H_
