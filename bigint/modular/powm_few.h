// powm_few.h: powers modulo odd numbers of few limbs. Internal to bigint/.
#ifndef BIGINT_MODULAR_POWM_FEW_H_
#define BIGINT_MODULAR_POWM_FEW_H_

#include "bigint/core/context.h"

// The longest moduli.
enum { POWM_FEW = 2 };

// powm_few: {rp, n} = {ap, an}^{ep, en} mod {mp, n}, 1 <= n <= POWM_FEW; modulus odd, top limbs of
// modulus and exponent not zero, an >= 1, en >= 1. rp overlaps nothing. Instructions and addresses
// depend on the exponent.
// Cost: for k bits k squares and some k / 3 products, which run beside them, and a division of 2 n
// + 1 limbs by n. Errors: as bigint_divrem_limbs. Source: [Yao76].
bigint_status powm_few(bigint_ctx *ctx, uint64_t *rp, const uint64_t *ap, uint64_t an,
                       const uint64_t *ep, uint64_t en, const uint64_t *mp, uint64_t n);

#endif  // BIGINT_MODULAR_POWM_FEW_H_
