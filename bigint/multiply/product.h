// product.h: the product of two integers on the host. Internal to bigint/.
#ifndef BIGINT_MULTIPLY_PRODUCT_H_
#define BIGINT_MULTIPLY_PRODUCT_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"
#include "bigint/multiply/operand.h"

// mul_factor: one operand of a product, and its prepared form or NULL.
typedef struct {
    const uint64_t *p;
    uint64_t n;
    int sign;
    const mul_operand *prepared;
} mul_factor;

// mul_product: r = a b for integers on the host whose places have been checked; r may be either.
// Errors: ENOMEM, ERANGE: r unchanged; ECHECK: r is the wrong product.
bigint_status mul_product(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                          mul_factor b);
// mul_product_need: what it needs for a product of an by bn limbs into room that r has, over a
// value of `kept` limbs.
void mul_product_need(work_need *n, uint64_t an, uint64_t bn, bool square, uint64_t kept);
// mul_prepared_need: of an limbs by a factor of bn, prepared for up to max_an, with any aliasing.
void mul_prepared_need(work_need *n, uint64_t an, uint64_t bn, uint64_t max_an);

#endif  // BIGINT_MULTIPLY_PRODUCT_H_
