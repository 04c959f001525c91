// root_halves.h: square roots by halves of the root and a division each. Internal to bigint/; may
// include context.h.
#ifndef BIGINT_ROOT_HALVES_H_
#define BIGINT_ROOT_HALVES_H_

#include "bigint/context.h"

// root_halves: {sp, (an + 1) / 2} = s = floor(a^(1/2)), its top limb not zero, and {rp, an} = a -
// s^2 unless rp is NULL; ap[an - 1] is not 0. No overlap. Workspace from the arena, 3 an limbs.
// Cost: divisions of n limbs by n / 2 for n = an / 2, an / 4, ..., and as many squares. Errors:
// those of bigint_divrem_limbs and bigint_mul_limbs; texts begin with who. Source: Zimmermann's
// algorithm [BrentZimmermann10, 1.5.1]; bounds: docs/proofs/root.md, 6.
bigint_status root_halves(bigint_ctx *ctx, const char *who, uint64_t *sp, uint64_t *rp,
                          const uint64_t *ap, uint64_t an);

#endif  // BIGINT_ROOT_HALVES_H_
