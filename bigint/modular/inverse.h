// inverse.h: inverses modulo numbers on limbs. Internal to bigint/.
#ifndef BIGINT_MODULAR_INVERSE_H_
#define BIGINT_MODULAR_INVERSE_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"

// inverse_limbs: {rp, mn} = 1 / {ap, an} mod M, M = {mp, mn}, mp[mn - 1] != 0; 0 if there is no
// inverse, and for M = 1. rp overlaps no input. Workspace from the arena.
// Cost: one division if an >= mn, then at most 49 / 17 bits(M) / 60 rounds, on most numbers some
// 2.1 bits(M) / 60, of 10 mn word products and 60 steps on words: quadratic at any length. Even M
// take a product and a division more. The running time depends on the values.
// Errors: as bigint_divrem_limbs.
// Source: [BernsteinYang19]; bounds: docs/proofs/division_device.md, section 4.
bigint_status inverse_limbs(bigint_ctx *ctx, uint64_t *rp, const uint64_t *ap, uint64_t an,
                            const uint64_t *mp, uint64_t mn);
// inverse_limbs_need: what it needs.
void inverse_limbs_need(work_need *w, uint64_t an, uint64_t mn);

#endif  // BIGINT_MODULAR_INVERSE_H_
