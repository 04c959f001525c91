// check.h: enqueued checks of products on a device; core/device_stream.h reports what they found.
// Internal to bigint/.
#ifndef BIGINT_DEVICE_CHECK_H_
#define BIGINT_DEVICE_CHECK_H_

#include "bigint/core/context.h"
#include "bigint/device/kernels/product_rows.h"
#include "primitives/limbs/device.h"

// These calls do nothing unless options.checks or mode certified asks for checks.

// device_check_need allocates the memory for checks; device_check_bytes is its size. Errors:
// ENOMEM, EDEVICE.
bigint_status device_check_need(bigint_ctx *ctx, const char *who);
uint64_t device_check_bytes(const bigint_ctx *ctx);
// device_check_factors enqueues the residues of the factors {ap, an} and {bp, bn}, before the
// product is written. device_check_product, after the product, enqueues the comparison with {rp,
// rn}. No other check may come between the two. Cost: a launch and one read of the numbers each.
result device_check_factors(bigint_ctx *ctx, const uint64_t *ap, uint64_t an, const uint64_t *bp,
                            uint64_t bn);
result device_check_product(bigint_ctx *ctx, const uint64_t *rp, uint64_t rn, uint64_t an,
                            uint64_t bn);
// device_check_term: the same for a term of a sum. Its residues go to factors[0] and [1], in the
// caller's device memory; subtract: the term is subtracted. device_check_sum, after the sum and all
// its terms, whose residues lie one after the other, enqueues the comparison with r; an and bn
// appear in the report.
result device_check_term(bigint_ctx *ctx, uint64_t *factors, limbs_device_number a,
                         limbs_device_number b, bool subtract);
result device_check_sum(bigint_ctx *ctx, limbs_device_number r, const uint64_t *factors,
                        uint64_t terms, uint64_t an, uint64_t bn);
// device_check_rows, after many products at once, none of which overwrites a factor, enqueues the
// comparison of all of them. Cost: one launch and one read.
result device_check_rows(bigint_ctx *ctx, const product_rows *rows);
// device_check_trim frees the memory for checks; call device_check_collect first.
void device_check_trim(bigint_ctx *ctx);

#endif  // BIGINT_DEVICE_CHECK_H_
