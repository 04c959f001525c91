// wrap.h: an operand prepared for products modulo B^m + 1, B = 2^64, by the real transform, which
// wraps around at that modulus. Internal to bigint/.
#ifndef BIGINT_MULTIPLY_WRAP_H_
#define BIGINT_MULTIPLY_WRAP_H_

#include "bigint/core/context.h"
#include "bigint/multiply/float.h"

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

// --- Sums of two products ---
// a b + c d or a b - c d modulo B^m + 1, where each factor is transformed once, whatever the number
// of sums that it enters. One transform for each factor, and one for each sum.

// mul_wrap_sums: for first factors (a, c) of up to an limbs and second ones (b, d) of up to bn. The
// numbers that are prepared alike may be either.
typedef struct {
    uint64_t an, bn;
    bool pays;
    mul_float_plan plan;
} mul_wrap_sums;

// mul_wrap_sums_begin: for the least m >= n that has a transform; an, bn <= n. If !s->pays, with
// status OK, such sums are not faster than whole products, as for mul_wrap_prepare, or the cap leaves
// no memory for this many planes. Errors: ENOMEM.
bigint_status mul_wrap_sums_begin(bigint_ctx *ctx, const char *who, mul_wrap_sums *s, uint64_t an,
                                  uint64_t bn, uint64_t n, unsigned planes);
// mul_wrap_sums_limbs: m.
uint64_t mul_wrap_sums_limbs(const mul_wrap_sums *s);
// mul_wrap_sums_prepare: *plane, on the arena: {p, n}, n >= 1, transformed. Errors: ENOMEM.
bigint_status mul_wrap_sums_prepare(bigint_ctx *ctx, const char *who, const mul_wrap_sums *s,
                                    const void **plane, const uint64_t *p, uint64_t n);
// mul_wrap_sums_run: {rp, m + 1} = the residue, in [0, B^m], of p0 p1 + p2 p3, or of p0 p1 - p2 p3.
// {rp, m + 2} is written. Errors: ENOMEM, {rp} unchanged.
bigint_status mul_wrap_sums_run(bigint_ctx *ctx, const char *who, const mul_wrap_sums *s,
                                uint64_t *rp, const void *const planes[4], bool minus);

#endif  // BIGINT_MULTIPLY_WRAP_H_
