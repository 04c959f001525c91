// root_halves.h: square roots by halving: a root of half the length and a division. Internal to
// bigint/.
#ifndef BIGINT_DIVIDE_ROOT_HALVES_H_
#define BIGINT_DIVIDE_ROOT_HALVES_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"
#include "bigint/divide/root_rows.h"

// root_halves: {sp, (an + 1) / 2} = s = floor(a^(1/2)), its top limb not zero, and {rp, an / 2 + 1}
// = a - s^2 unless rp is NULL; ap[an - 1] is not 0. sp or rp may be ap; a failure, impossible for
// up to ROOT_HALVES_SAFE limbs, leaves both undefined. Workspace: {ws, ROOT_HALVES_WORKSPACE an},
// and the arena's. Cost: divisions of n limbs by n / 2 for n = an / 2, an / 4, ..., and as many
// squares. Errors: as bigint_divide_limbs and bigint_mul_limbs. Source: Zimmermann's algorithm
// [BrentZimmermann10, 1.5.1]; bounds: docs/proofs/root.md, 6.
enum { ROOT_HALVES_SAFE = 2 * ROOT_ROWS_MOST };
enum { ROOT_HALVES_WORKSPACE = 3 };
bigint_status root_halves(bigint_ctx *ctx, uint64_t *sp, uint64_t *rp, const uint64_t *ap,
                          uint64_t an, uint64_t *ws);
// root_halves_need: what it needs beside {ws}.
void root_halves_need(work_need *n, uint64_t an);

#endif  // BIGINT_DIVIDE_ROOT_HALVES_H_
