// residues.h: batches of products modulo 2^bits - 1 and 2^bits + 1 on a device. Internal to
// bigint/.
#ifndef BIGINT_DEVICE_BATCH_RESIDUES_H_
#define BIGINT_DEVICE_BATCH_RESIDUES_H_

#include "bigint/batch/residues.h"
#include "bigint/core/context.h"

// device_mul_mod_batch: bigint_mul_mod_2exp_minus1_batch and _plus1_batch for spans that have been
// checked and are not empty.
bigint_status device_mul_mod_batch(bigint_ctx *ctx, const char *who, const batch_residue *s);

#endif  // BIGINT_DEVICE_BATCH_RESIDUES_H_
