// powm_natural.h: powers of natural numbers modulo one, on the host. Internal to bigint/.
#ifndef BIGINT_MODULAR_POWM_NATURAL_H_
#define BIGINT_MODULAR_POWM_NATURAL_H_

#include "bigint/core/context.h"
#include "bigint/modular/exponent.h"

// powm_natural: {rp, m.n} = a^e mod m for a, e > 0 and m > 1, whose top limbs are not zero. rp
// overlaps nothing. Workspace from the arena; the caller releases it. Instructions depend on the
// values. Cost: some 1.2 products modulo m for each bit of a long exponent. Memory: the odd powers
// of a window, as many as exponent.h allows. Errors: as for products.
bigint_status powm_natural(bigint_ctx *ctx, uint64_t *rp, natural a, natural e, natural m);

#endif  // BIGINT_MODULAR_POWM_NATURAL_H_
