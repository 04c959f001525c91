// mod.h: residues modulo 2^bits - 1 and 2^bits + 1 and their products. Internal to bigint/.
#ifndef BIGINT_MULTIPLY_MOD_H_
#define BIGINT_MULTIPLY_MOD_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"

// mul_ring: the integers modulo 2^bits - 1, or modulo 2^bits + 1; bits >= 1.
typedef struct {
    uint64_t bits;
    bool plus;
} mul_ring;

// mul_ring_limbs: of a residue, which is in [0, 2^bits - 1) or [0, 2^bits + 1).
static inline uint64_t mul_ring_limbs(mul_ring ring) { return ring.bits / 64 + 1; }

// mul_ring_term: {p, n} or its negative.
typedef struct {
    const uint64_t *p;
    uint64_t n;
    bool negative;
} mul_ring_term;

// mul_ring_fold: {rp, mul_ring_limbs} = the residue of the terms' sum. rp may be one of them.
// Workspace from the arena: two residues. Cost: O(terms' limbs + mul_ring_limbs). Errors: ENOMEM.
bigint_status mul_ring_fold(bigint_ctx *ctx, const char *who, mul_ring ring, uint64_t *rp,
                            const mul_ring_term *terms, size_t count);

// mul_ring_reduce: {wp, mul_ring_limbs} = the residue of {ap, an}, an <= 2 mul_ring_limbs, which wp
// does not overlap. wp has room for mul_ring_reduce_limbs.
static inline uint64_t mul_ring_reduce_limbs(mul_ring ring) {
    return 2 * (mul_ring_limbs(ring) + 1);
}
void mul_ring_reduce(mul_ring ring, uint64_t *wp, const uint64_t *ap, uint64_t an);

// mul_ring_pays: whether products in all these rings, whose lengths suit transforms, are faster
// than one whole product of an by bn limbs. If `prepared` is not 0: faster than each of `prepared`
// products whose operand of bn limbs is prepared.
bool mul_ring_pays(bigint_ctx *ctx, const char *who, const mul_ring *rings, unsigned count,
                   uint64_t an, uint64_t bn, bool square, uint64_t prepared);

// mul_ring_mul: {rp, mul_ring_limbs} = the residue of {ap, an} {bp, bn}, which have no more limbs,
// or of *from minus the product; from may be NULL. rp may be any of them. It uses a transform of
// half a product's length if bits allows it and that is faster. Otherwise, and with checks, it
// folds a product. Errors: as bigint_mul_limbs, {rp} unchanged.
bigint_status mul_ring_mul(bigint_ctx *ctx, const char *who, mul_ring ring, uint64_t *rp,
                           const uint64_t *ap, uint64_t an, const uint64_t *bp, uint64_t bn,
                           const mul_ring_term *from);

// mul_ring_fold_need, mul_ring_mul_need: what these need, the product of an by bn limbs.
void mul_ring_fold_need(work_need *n, mul_ring ring);
void mul_ring_mul_need(work_need *n, mul_ring ring, uint64_t an, uint64_t bn, bool square);
// mul_mod_need: what mul_mod_integers needs. mul_mod_print: how it multiplies, on one line, like
// snprintf.
void mul_mod_need(work_need *n, uint64_t an, uint64_t bn, mul_ring ring);
int mul_mod_print(bigint_ctx *ctx, char *buf, size_t cap, uint64_t an, uint64_t bn, mul_ring ring);

// mul_mod_integers: r = a b in the ring on the host, for operands whose places have been checked.
bigint_status mul_mod_integers(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                               const bigint *b, mul_ring ring);

// mul_difference: {ep, n} = c - a b in two's complement, for c = {cp, cn}, a = {ap, an}, b = {bp,
// bn}. Requires: |c - a b| < 2^62 B^(n - 1), n, an, bn >= 1; ep overlaps none of the others. The
// part of the product that c determines is not computed if transforms of about n points, around
// which it wraps, are faster. a == b with an == bn is squared. Errors: as bigint_mul_limbs,
// {ep} unchanged except for ECHECK.
bigint_status mul_difference(bigint_ctx *ctx, const char *who, uint64_t *ep, uint64_t n,
                             const uint64_t *cp, uint64_t cn, const uint64_t *ap, uint64_t an,
                             const uint64_t *bp, uint64_t bn);

// mul_difference_pays: whether that is faster than `times` products with b prepared.
bool mul_difference_pays(bigint_ctx *ctx, const char *who, uint64_t n, uint64_t an, uint64_t bn,
                         uint64_t times);
// mul_difference_need: what mul_difference needs.
void mul_difference_need(work_need *w, uint64_t n, uint64_t an, uint64_t bn, bool square);

#endif  // BIGINT_MULTIPLY_MOD_H_
