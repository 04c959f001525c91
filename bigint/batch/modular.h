// modular.h: powers, quotients, products and inverses of whole batches on the host, for spans that
// batch_check has passed. Internal to bigint/.
#ifndef BIGINT_BATCH_MODULAR_H_
#define BIGINT_BATCH_MODULAR_H_

#include "bigint/batch/lanes.h"
#include "bigint/core/context.h"

// batch_powm: bigint_powm_batch. batch_divrem: bigint_divrem_batch; q, r or both may be NULL.
// batch_modular: r = a b, or 1 / a if b is NULL, modulo numbers. Errors: as the calls.
bigint_status batch_powm(bigint_ctx *ctx, const char *who, const bigint_span *r,
                         const bigint_span *base, const bigint_span *exponent,
                         const bigint_span *modulus);
bigint_status batch_divrem(bigint_ctx *ctx, const char *who, const bigint_span *q,
                           const bigint_span *r, const bigint_span *a, const bigint_span *d);
bigint_status batch_modular(bigint_ctx *ctx, const char *who, const bigint_span *r,
                            const bigint_span *a, const bigint_span *b, const bigint_span *modulus);

// batch_..._size: of jobs whose items are all alike, of an limbs modulo mn limbs.
// batch_modular_need: what they need. batch_modular_print: how they are computed, on one line, like
// snprintf.
batch_modular_size batch_powm_size(uint64_t count, uint64_t an, uint64_t exponent_bits,
                                   uint64_t mn);
batch_modular_size batch_divrem_size(uint64_t count, uint64_t an, uint64_t dn);
batch_modular_size batch_mulmod_size(uint64_t count, uint64_t an, uint64_t bn, uint64_t mn);
batch_modular_size batch_invmod_size(uint64_t count, uint64_t an, uint64_t mn);
void batch_modular_need(work_need *w, const batch_modular_size *s);
int batch_modular_print(const bigint_ctx *ctx, char *buf, size_t cap, const batch_modular_size *s);

#endif  // BIGINT_BATCH_MODULAR_H_
