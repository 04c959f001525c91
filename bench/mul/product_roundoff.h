// product_roundoff.h: the errors of the coefficients of floating-point products on a device. Plain
// C; includes bigint/bigint.h.
#ifndef BENCH_MUL_PRODUCT_ROUNDOFF_H_
#define BENCH_MUL_PRODUCT_ROUNDOFF_H_

#include "bigint/bigint.h"

// product_roundoff: how far computed coefficients are from integers at most, and what is proved.
typedef struct {
    double observed, bound;
} product_roundoff;

// product_roundoff_of computes r = a b once more, by kernels that keep the largest distance. Zeros
// if the context's engine is not a floating-point engine. Ends the program if something fails or
// the bound does not hold.
product_roundoff product_roundoff_of(bigint_ctx *ctx, bigint *r, const bigint *a, const bigint *b);

#endif  // BENCH_MUL_PRODUCT_ROUNDOFF_H_
