// quotient.h: quotients without a remainder, which take about half the work. Internal to bigint/.
#ifndef BIGINT_DIVIDE_QUOTIENT_H_
#define BIGINT_DIVIDE_QUOTIENT_H_

#include "bigint/core/context.h"

// {qp, an - dn + 1} = the quotient of {ap, an} / {dp, dn}, if the top limbs decide it; otherwise
// the caller divides. an >= dn, dp[dn - 1] is not 0.
//
// quotient_on_stack: by div_small_quotient, for an <= DIVREM_SHORT, dn >= 3; whether it was found.
// qp may be an operand.
bool quotient_on_stack(const bigint_ctx *ctx, uint64_t *qp, const uint64_t *ap, uint64_t an,
                       const uint64_t *dp, uint64_t dn);
// quotient_alone: the same of any lengths, if a way without the remainder pays: *found. No overlap.
// Errors: as bigint_mul_limbs.
bigint_status quotient_alone(bigint_ctx *ctx, bool *found, uint64_t *qp, const uint64_t *ap,
                             uint64_t an, const uint64_t *dp, uint64_t dn);

#endif  // BIGINT_DIVIDE_QUOTIENT_H_
