// modular.h: powers, quotients, products and inverses of whole batches on the host, for spans that
// batch_check has passed. Internal to bigint/.
#ifndef BIGINT_BATCH_MODULAR_H_
#define BIGINT_BATCH_MODULAR_H_

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

#endif  // BIGINT_BATCH_MODULAR_H_
