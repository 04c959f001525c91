// mod.h: products modulo 2^bits - 1 and 2^bits + 1 on a device. Internal to bigint/.
#ifndef BIGINT_DEVICE_DIVIDE_MOD_H_
#define BIGINT_DEVICE_DIVIDE_MOD_H_

#include "bigint/core/context.h"
#include "bigint/multiply/mod.h"

// device_mul_mod: r = a b modulo 2^bits -+ 1; bits >= 1, operands of any length and sign. It
// enqueues and does not wait. Cost: a transform of `bits` bits where one has that length (ring.h),
// in one launch of a cluster up to 2^19 bits, else with a launch more; at other lengths a product
// of the residues and a launch, or two above 1024 limbs. Operands announced as longer than a
// residue are folded first, in as many launches, and before that by a sum for each halving.
bigint_status device_mul_mod(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                             const bigint *b, mul_ring ring);
// device_mul_mod_need: what it needs for an by bn limbs. device_mul_mod_print: how it multiplies,
// on one line, like snprintf.
void device_mul_mod_need(work_need *w, uint64_t an, uint64_t bn, mul_ring ring);
int device_mul_mod_print(const bigint_ctx *ctx, char *buf, size_t cap, uint64_t an, uint64_t bn,
                         mul_ring ring);

#endif  // BIGINT_DEVICE_DIVIDE_MOD_H_
