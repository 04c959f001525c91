// wrap.h: an operand prepared for products modulo B^m + 1, B = 2^64, by the real transform, which
// wraps around at that modulus. Internal to bigint/.
#ifndef BIGINT_MULTIPLY_WRAP_H_
#define BIGINT_MULTIPLY_WRAP_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"
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
// mul_wrap_need: what mul_wrap_prepare for n = least needs, and keeps; returns m, or 0 where there
// is no such product. mul_wrap_mul_need: what mul_wrap_mul needs then.
uint64_t mul_wrap_need(work_need *n, uint64_t bn, uint64_t max_an, uint64_t least);
void mul_wrap_mul_need(work_need *n, uint64_t bn, uint64_t max_an, uint64_t least);

// mul_wrap_mul: {rp, m + 1} = the residue, in [0, B^m], of {ap, an} times the operand; so it is the
// product itself if that has m limbs. {rp, m + 2} is written; rp overlaps nothing. Cost: two
// transforms. Errors: ENOMEM, {rp} unchanged.
bigint_status mul_wrap_mul(bigint_ctx *ctx, const char *who, uint64_t *rp, const uint64_t *ap,
                           uint64_t an, const mul_wrap *b);
// mul_wrap_fold: {rp, m + 1} = the residue of {cp, cn} - {rp, m + 1}, cn <= 2 m.
void mul_wrap_fold(uint64_t *rp, uint64_t m, const uint64_t *cp, uint64_t cn);

// --- Rings ---

// mul_wrap_ring: the integers modulo B^m + 1 and their transforms. Products are of a first factor
// of up to an limbs by a second one of up to bn; what is prepared may be either. Where a number
// enters several products, it is transformed once; two products are added before they are
// transformed back.
typedef struct {
    uint64_t an, bn;
    bool pays;
    mul_float_plan plan;
} mul_wrap_ring;

// mul_wrap_ring_begin: for sums of two products, in the ring of the least m >= n that has a
// transform; an, bn <= n. If !s->pays, with status OK, they are not faster than whole products, as
// for mul_wrap_prepare, or the cap leaves no memory for this many planes. Errors: ENOMEM.
bigint_status mul_wrap_ring_begin(bigint_ctx *ctx, const char *who, mul_wrap_ring *s, uint64_t an,
                                  uint64_t bn, uint64_t n, unsigned planes);
// mul_wrap_ring_pair: s[0] with m >= n for products of m by m limbs, and s[1] with a larger m for
// sums of products of m + 1 limbs, m of s[0], by bn <= n limbs.
bigint_status mul_wrap_ring_pair(bigint_ctx *ctx, const char *who, mul_wrap_ring s[2], uint64_t bn,
                                 uint64_t n, unsigned planes);
// mul_wrap_ring_need: *s as mul_wrap_ring_begin makes it for n = least, and what that needs;
// returns s->pays. mul_wrap_ring_pair_need: the same for mul_wrap_ring_pair.
// mul_wrap_ring_planes_need: this many prepared planes, which stay, and a product.
bool mul_wrap_ring_need(work_need *n, mul_wrap_ring *s, uint64_t an, uint64_t bn, uint64_t least,
                        unsigned planes);
bool mul_wrap_ring_pair_need(work_need *n, mul_wrap_ring s[2], uint64_t bn, uint64_t least,
                             unsigned planes);
void mul_wrap_ring_planes_need(work_need *n, const mul_wrap_ring *s, unsigned planes);
// mul_wrap_ring_limbs: m.
uint64_t mul_wrap_ring_limbs(const mul_wrap_ring *s);
// mul_wrap_ring_prepare: *plane, on the arena: {p, n}, n >= 1, transformed. Errors: ENOMEM.
bigint_status mul_wrap_ring_prepare(bigint_ctx *ctx, const char *who, const mul_wrap_ring *s,
                                    const void **plane, const uint64_t *p, uint64_t n);
// All of the following: {rp, m + 1} = a residue in [0, B^m]; {rp, m + 2} is written and overlaps
// nothing. Errors: ENOMEM, {rp} unchanged.
// mul_wrap_ring_sum: of p0 p1 + p2 p3, or of p0 p1 - p2 p3, of planes; s is for sums. Cost: one
// transform.
bigint_status mul_wrap_ring_sum(bigint_ctx *ctx, const char *who, const mul_wrap_ring *s,
                                uint64_t *rp, const void *const planes[4], bool minus);
// mul_wrap_ring_mul: of {ap, an} {bp, bn}, which is squared if both are the same. Cost: three
// transforms, or two.
bigint_status mul_wrap_ring_mul(bigint_ctx *ctx, const char *who, const mul_wrap_ring *s,
                                uint64_t *rp, const uint64_t *ap, uint64_t an, const uint64_t *bp,
                                uint64_t bn);
// mul_wrap_ring_mul_plane: of {ap, an} and a plane. Cost: two transforms.
bigint_status mul_wrap_ring_mul_plane(bigint_ctx *ctx, const char *who, const mul_wrap_ring *s,
                                      uint64_t *rp, const uint64_t *ap, uint64_t an,
                                      const void *plane);

#endif  // BIGINT_MULTIPLY_WRAP_H_
