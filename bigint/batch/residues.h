// residues.h: batches of products modulo 2^bits - 1 and 2^bits + 1: what host and device share, and
// the residues on the host. Internal to bigint/.
#ifndef BIGINT_BATCH_RESIDUES_H_
#define BIGINT_BATCH_RESIDUES_H_

#include "bigint/core/context.h"
#include "bigint/multiply/mod.h"

// batch_residue: one call, r[i] = a[i] b[i] in the ring (bigint_mul_mod_2exp_minus1_batch).
typedef struct {
    const bigint_span *r, *a, *b;
    mul_ring ring;
} batch_residue;

// batch_residue_row: limbs of the longest product, at least 1.
uint64_t batch_residue_row(const batch_residue *s);
// batch_residue_check: EINVAL if the modulus has no bits, a factor is longer than bits / 64 + 1
// limbs, or a result shorter than a residue.
bigint_status batch_residue_check(bigint_ctx *ctx, const char *who, const batch_residue *s);
// batch_mul_mod: the products and their residues on the host, on the context's threads. Errors: as
// bigint_mul_batch; results are written after all products.
bigint_status batch_mul_mod(bigint_ctx *ctx, const char *who, const batch_residue *s);
// batch_mul_mod_need: what batch_mul_mod needs for `count` products of an by bn limbs, all alike.
// batch_mul_mod_print: how, on one line, like snprintf.
void batch_mul_mod_need(work_need *w, uint64_t count, uint64_t an, uint64_t bn, mul_ring ring);
int batch_mul_mod_print(bigint_ctx *ctx, char *buf, size_t cap, uint64_t count, uint64_t an,
                        uint64_t bn, mul_ring ring);

#endif  // BIGINT_BATCH_RESIDUES_H_
