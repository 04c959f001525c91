// check.h: checks of products on a device, enqueued; device_stream.h tells what they found.
// Internal to bigint/.
#ifndef BIGINT_DEVICE_CHECK_H_
#define BIGINT_DEVICE_CHECK_H_

#include "bigint/core/context.h"
#include "bigint/device/kernels/product_rows.h"
#include "primitives/limbs/device.h"

// Where options.checks does not ask for them, these do nothing.

// device_check_need makes their memory; device_check_bytes: what it takes. Errors: ENOMEM,
// EDEVICE.
bigint_status device_check_need(bigint_ctx *ctx, const char *who);
uint64_t device_check_bytes(const bigint_ctx *ctx);
// device_check_factors enqueues what must be known of the factors {ap, an} and {bp, bn} before
// the product is written; device_check_product, behind it, the judgement on {rp, rn}. Between
// the two no others. Cost: a launch and one read of the numbers each.
result device_check_factors(bigint_ctx *ctx, const uint64_t *ap, uint64_t an, const uint64_t *bp,
                            uint64_t bn);
result device_check_product(bigint_ctx *ctx, const uint64_t *rp, uint64_t rn, uint64_t an,
                            uint64_t bn);
// device_check_term: the same for a term of a sum, whose residues go to factors[0] and [1],
// device memory of the caller's; subtract: the sum loses it. device_check_sum, behind the sum and
// all its terms, whose residues stand one after the other: the judgement on r; an and bn are told
// of.
result device_check_term(bigint_ctx *ctx, uint64_t *factors, limbs_device_number a,
                         limbs_device_number b, bool subtract);
result device_check_sum(bigint_ctx *ctx, limbs_device_number r, const uint64_t *factors,
                        uint64_t terms, uint64_t an, uint64_t bn);
// device_check_rows, behind many products at once, none of which is over a factor: the judgement
// on all of them. Cost: one launch and one read.
result device_check_rows(bigint_ctx *ctx, const product_rows *rows);
// device_check_trim gives their memory back, after device_check_collect.
void device_check_trim(bigint_ctx *ctx);

#endif  // BIGINT_DEVICE_CHECK_H_
