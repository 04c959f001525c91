// rsqrt.h: reciprocal square roots in fixed point. Internal to bigint/.
#ifndef BIGINT_DIVIDE_RSQRT_H_
#define BIGINT_DIVIDE_RSQRT_H_

#include "bigint/core/context.h"

// rsqrt_check: the checks of bigint_rsqrt_fixed that need no length. rsqrt_not_positive: EINVAL.
bigint_status rsqrt_check(bigint_ctx *ctx, const char *who, const bigint *r, const bigint *a);
bigint_status rsqrt_not_positive(bigint_ctx *ctx, const char *who);

// rsqrt_form: 2^bits / sqrt(a) is y 2^(places - 1) for y = (a / 2^(2 half))^(-1/2), in (1, 2], and
// a of `length` bits, half = ceil(length / 2). places <= -1: the quotient is 1/2 at most, and its
// rounding is 0. Otherwise it is at most 2^places, and y has to have `limbs` limbs.
typedef struct {
    uint64_t half, limbs;
    int64_t places;
} rsqrt_form;
// rsqrt_form_of: Errors: ERANGE if the result is longer than a number may be.
bigint_status rsqrt_form_of(bigint_ctx *ctx, const char *who, rsqrt_form *form, uint64_t length,
                            uint64_t bits);

// rsqrt_integers: bigint_rsqrt_fixed on the host. Proof: docs/proofs/root.md, section 8.
bigint_status rsqrt_integers(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                             uint64_t bits);

#endif  // BIGINT_DIVIDE_RSQRT_H_
