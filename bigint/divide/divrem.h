// divrem.h: quotients and remainders on limbs. Internal to bigint/.
#ifndef BIGINT_DIVIDE_DIVREM_H_
#define BIGINT_DIVIDE_DIVREM_H_

#include "bigint/core/context.h"
#include "bigint/divide/kept.h"
#include "bigint/divide/plan.h"

// Long divisions report their progress as ctx->division says.
//
// bigint_divrem_limbs: {qp, an - dn + 1} and {rp, dn} = quotient and remainder of {ap, an} / {dp,
// dn}: an >= dn >= 1, dp[dn - 1] != 0. qp or rp may be NULL. rp may equal ap (its low limbs); no
// other overlap.
bigint_status bigint_divrem_limbs(bigint_ctx *ctx, uint64_t *qp, uint64_t *rp, const uint64_t *ap,
                                  uint64_t an, const uint64_t *dp, uint64_t dn);
// divrem_short: the same for an <= DIVREM_SHORT: on the stack, cannot fail. Outputs may be
// operands, but not in part.
void divrem_short(const bigint_ctx *ctx, uint64_t *qp, uint64_t *rp, const uint64_t *ap,
                  uint64_t an, const uint64_t *dp, uint64_t dn);
// bigint_divide_limbs: in place, as div_small (divide/small.h); the sizes choose the algorithm.
bigint_status bigint_divide_limbs(bigint_ctx *ctx, uint64_t *qp, uint64_t *ap, uint64_t qn,
                                  const uint64_t *dp, uint64_t dn);

// divrem_integers: bigint_divrem on the host. divrem_check: what any place refuses before it looks
// at values. divrem_by_zero: the refusal of a divisor that is 0.
bigint_status divrem_integers(bigint_ctx *ctx, bigint *q, bigint *r, const bigint *a,
                              const bigint *d);
// divrem_kept: the same by a kept divisor, which is |d|, or by none if it is NULL.
bigint_status divrem_kept(bigint_ctx *ctx, bigint *q, bigint *r, const bigint *a, const bigint *d,
                          const kept_divisor *kept);
bigint_status divrem_check(bigint_ctx *ctx, const bigint *q, const bigint *r, const bigint *a,
                           const bigint *d);
bigint_status divrem_by_zero(bigint_ctx *ctx);

// divexact_integers: bigint_divexact on the host.
bigint_status divexact_integers(bigint_ctx *ctx, const char *who, bigint *q, const bigint *a,
                                const bigint *d);

#endif  // BIGINT_DIVIDE_DIVREM_H_
