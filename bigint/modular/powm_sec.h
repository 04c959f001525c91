// powm_sec.h: powers with a secret exponent, limbs to limbs. Internal to bigint/.
#ifndef BIGINT_MODULAR_POWM_SEC_H_
#define BIGINT_MODULAR_POWM_SEC_H_

#include "bigint/core/context.h"

// powm_sec_limbs: {rp, mn} = base^{ep, en} mod {mp, mn}, odd, its top limb not zero, on the host;
// base = {bp, bn}, or minus that, bp[bn - 1] != 0 unless bn = 0. rp overlaps nothing. The
// instructions executed and the addresses touched depend only on base, modulus and en.
// Errors: ENOMEM, before it reads anything of the exponent.
// Proof: docs/proofs/powm.md, section 9.
bigint_status powm_sec_limbs(bigint_ctx *ctx, uint64_t *rp, const uint64_t *bp, uint64_t bn,
                             bool negative, const uint64_t *ep, uint64_t en, const uint64_t *mp,
                             uint64_t mn);

#endif  // BIGINT_MODULAR_POWM_SEC_H_
