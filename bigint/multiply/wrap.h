// wrap.h: an operand prepared for products modulo B^m + 1, B = 2^64, by the real transform, which
// wraps around at that modulus. Internal to bigint/.
#ifndef BIGINT_MULTIPLY_WRAP_H_
#define BIGINT_MULTIPLY_WRAP_H_

#include "bigint/core/context.h"

typedef struct mul_wrap mul_wrap;

// mul_wrap_prepare: *out, on the arena: {bp, bn} for others of up to max_an limbs, modulo B^m + 1
// for the least m >= n that has a transform; bn, max_an <= n. *out is NULL, with status OK, if no
// such product is faster than a whole one: outside the range of the real transform, with checks, on
// a team, or if the cap leaves no memory for it.
bigint_status mul_wrap_prepare(bigint_ctx *ctx, const char *who, mul_wrap **out, const uint64_t *bp,
                               uint64_t bn, uint64_t max_an, uint64_t n);
// mul_wrap_limbs: m.
uint64_t mul_wrap_limbs(const mul_wrap *b);

// mul_wrap_mul: {rp, m + 1} = the residue, in [0, B^m], of {ap, an} times the operand; so it is the
// product itself if that has m limbs. {rp, m + 2} is written; rp overlaps nothing. Cost: two
// transforms. Errors: ENOMEM, {rp} unchanged.
bigint_status mul_wrap_mul(bigint_ctx *ctx, const char *who, uint64_t *rp, const uint64_t *ap,
                           uint64_t an, const mul_wrap *b);
// mul_wrap_fold: {rp, m + 1} = the residue of {cp, cn} - {rp, m + 1}, cn <= 2 m.
void mul_wrap_fold(uint64_t *rp, uint64_t m, const uint64_t *cp, uint64_t cn);

#endif  // BIGINT_MULTIPLY_WRAP_H_
