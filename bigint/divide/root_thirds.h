// root_thirds.h: cube roots by halving: a root of half the length and a division by three times its
// square. Internal to bigint/.
#ifndef BIGINT_DIVIDE_ROOT_THIRDS_H_
#define BIGINT_DIVIDE_ROOT_THIRDS_H_

#include "bigint/core/context.h"

// root_thirds: {sp, ceil(an / 3)} = s = floor(a^(1/3)), its top limb not zero, for an from 3 to
// ROOT_THIRDS_MOST; *exact, unless NULL: whether a = s^3. ap[an - 1] is not 0. No overlap, and all
// workspace on the stack. Cost: for a root of n limbs, rows of n / 2 quotient limbs by n, and a
// square, for n, n / 2, ...; below the top also products of n by n. Errors: as bigint_mul_limbs.
// Source: [BrentZimmermann10, 1.5.2]; bounds: docs/proofs/root.md, 10.
enum { ROOT_THIRDS_MOST = 132 };
bigint_status root_thirds(bigint_ctx *ctx, uint64_t *sp, bool *exact, const uint64_t *ap,
                          uint64_t an);

#endif  // BIGINT_DIVIDE_ROOT_THIRDS_H_
