// root_halves.h: square roots by halving: a root of half the length and a division. Internal to
// bigint/.
#ifndef BIGINT_DIVIDE_ROOT_HALVES_H_
#define BIGINT_DIVIDE_ROOT_HALVES_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"
#include "primitives/words/word.h"

// root_halves_pair: floor(a^(1/2)) for a > 0, a - its square in *rest.
uint64_t root_halves_pair(word_pair *rest, word_pair a);

// root_halves: {sp, (an + 1) / 2} = s = floor(a^(1/2)), its top limb not zero, and {rp, an} = a -
// s^2 unless rp is NULL; ap[an - 1] is not 0. No overlap. Workspace: {ws, ROOT_HALVES_WORKSPACE
// an}, and the arena's. Cost: divisions of n limbs by n / 2 for n = an / 2, an / 4, ..., and as
// many squares. Errors: as bigint_divide_limbs and bigint_mul_limbs. Source: Zimmermann's
// algorithm [BrentZimmermann10, 1.5.1]; bounds: docs/proofs/root.md, 6.
enum { ROOT_HALVES_WORKSPACE = 3 };
bigint_status root_halves(bigint_ctx *ctx, uint64_t *sp, uint64_t *rp, const uint64_t *ap,
                          uint64_t an, uint64_t *ws);
// root_halves_need: what it needs beside {ws}.
void root_halves_need(work_need *n, uint64_t an);

#endif  // BIGINT_DIVIDE_ROOT_HALVES_H_
