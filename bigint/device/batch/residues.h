// residues.h: batches of products modulo 2^bits - 1 and 2^bits + 1 on a device. Internal to
// bigint/.
#ifndef BIGINT_DEVICE_BATCH_RESIDUES_H_
#define BIGINT_DEVICE_BATCH_RESIDUES_H_

#include "bigint/batch/residues.h"
#include "bigint/core/context.h"
#include "bigint/core/need.h"

// device_mul_mod_batch: bigint_mul_mod_2exp_minus1_batch and _plus1_batch for spans that have been
// checked and are not empty.
bigint_status device_mul_mod_batch(bigint_ctx *ctx, const char *who, const batch_residue *s);
// device_mul_mod_batch_need: what it needs for `count` products of an by bn limbs, all alike.
// device_mul_mod_batch_print: how, on one line, like snprintf.
void device_mul_mod_batch_need(work_need *w, uint64_t count, uint64_t an, uint64_t bn,
                               mul_ring ring);
int device_mul_mod_batch_print(bigint_ctx *ctx, char *buf, size_t cap, uint64_t count, uint64_t an,
                               uint64_t bn, mul_ring ring);

#endif  // BIGINT_DEVICE_BATCH_RESIDUES_H_
