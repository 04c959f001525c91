// bigint_division.h: quotients and roots. Include bigint.h: it has the rules and includes this
// header.
//
// M(n) is the cost of an n-limb product. Operands must be on the context's place (EPLACE).
#ifndef BIGINT_BIGINT_DIVISION_H_
#define BIGINT_BIGINT_DIVISION_H_

#include "bigint/bigint.h"

#ifdef __cplusplus
extern "C" {
#endif

// bigint_divrem: a = q d + r with |r| < |d|; r is zero or has the sign of a (like C's / and %). q,
// r or both may be NULL if not wanted. Errors: EINVAL for d = 0. Cost: O(M(n)) for large n.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_divrem(bigint_ctx *ctx, bigint *q, bigint *r,
                                                         const bigint *a, const bigint *d);
// bigint_sqrt: s = sqrt(a) rounded down, r = a - s^2, 0 <= r <= 2 s. s, r or both may be NULL if
// not wanted. Without r it is faster, unless a is a square or nearly one. Errors: EINVAL for a < 0.
// Cost: O(M(n)).
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_sqrt(bigint_ctx *ctx, bigint *s, bigint *r,
                                                       const bigint *a);
// bigint_root: s = the k-th root of a rounded toward zero, r = a - s^k, which is zero or has the
// sign of a. s and r may be NULL as for bigint_sqrt. Errors: EINVAL for k = 0, and for a < 0 with k
// even. Cost: O(M(n / k) log k) for s, O(M(n)) for r.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_root(bigint_ctx *ctx, bigint *s, bigint *r,
                                                       const bigint *a, uint64_t k);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_BIGINT_DIVISION_H_
