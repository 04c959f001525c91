// bigint_float.h: integers and floating-point numbers. Include bigint.h: it has the rules and
// includes this header.
//
// Conversions round toward zero in both directions. Errors: numbers that are not finite are EINVAL,
// except where it is said. Cost: constant, except for the zeros of bigint_set_*. For devices and
// groups the host computes these calls, which copies the whole number.
#ifndef BIGINT_BIGINT_FLOAT_H_
#define BIGINT_BIGINT_FLOAT_H_

#include "bigint/bigint.h"

#ifdef __cplusplus
extern "C" {
#endif

// bigint_set_double, bigint_set_long_double: r = value without its fraction.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_set_double(bigint_ctx *ctx, bigint *r,
                                                             double value);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_set_long_double(bigint_ctx *ctx, bigint *r,
                                                                  long double value);
// bigint_get_double, bigint_get_long_double: *value = a, as many of its upper bits as the type
// holds. Errors: ERANGE if |a|, so rounded, exceeds the type's largest number; *value is unchanged.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_get_double(bigint_ctx *ctx, double *value,
                                                             const bigint *a);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_get_long_double(bigint_ctx *ctx,
                                                                  long double *value,
                                                                  const bigint *a);
// bigint_get_double_2exp: a = *fraction 2^*exponent up to the rounding, 1/2 <= |*fraction| < 1;
// both are 0 for 0.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_get_double_2exp(bigint_ctx *ctx, double *fraction,
                                                                  uint64_t *exponent,
                                                                  const bigint *a);
// bigint_cmp_double: *order is -1, 0 or 1 for a < b, a = b, a > b; b may be infinite.
// bigint_cmp_abs_double compares magnitudes.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_cmp_double(bigint_ctx *ctx, int *order,
                                                             const bigint *a, double b);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_cmp_abs_double(bigint_ctx *ctx, int *order,
                                                                 const bigint *a, double b);

#if defined(__SIZEOF_FLOAT128__)
// bigint_float128: IEEE binary128, where the compiler has it; _Float128 is the same type.
__extension__ typedef __float128 bigint_float128;
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_set_float128(bigint_ctx *ctx, bigint *r,
                                                               bigint_float128 value);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_get_float128(bigint_ctx *ctx,
                                                               bigint_float128 *value,
                                                               const bigint *a);
#endif

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_BIGINT_FLOAT_H_
