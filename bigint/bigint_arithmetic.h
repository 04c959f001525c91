// bigint_arithmetic.h: sums, products and shifts. Include bigint.h: it has the rules and includes
// this header.
//
// M(n) is the cost of an n-limb product. Operands must be on the context's place (EPLACE).
#ifndef BIGINT_BIGINT_ARITHMETIC_H_
#define BIGINT_BIGINT_ARITHMETIC_H_

#include "bigint/bigint.h"

#ifdef __cplusplus
extern "C" {
#endif

// bigint_neg: r = -a. bigint_abs: r = |a|. bigint_add: r = a + b. bigint_sub: r = a - b.
// Cost: O(n).
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_neg(bigint_ctx *ctx, bigint *r, const bigint *a);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_abs(bigint_ctx *ctx, bigint *r, const bigint *a);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_add(bigint_ctx *ctx, bigint *r, const bigint *a,
                                                      const bigint *b);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_sub(bigint_ctx *ctx, bigint *r, const bigint *a,
                                                      const bigint *b);
// bigint_mul: r = a b, exact, for operands of any length; unbalanced products are split. Cost: M(an
// + bn) / 2. Peak memory: bigint_workspace_bytes on top of operands and result.
// On a device context a, b and r may also all be in host memory, and longer than the device's. The
// call waits. What does not fit the device, or is so long that this is faster, is cut: blocks are
// sent and fetched while others are multiplied, by two more streams that the context keeps until
// bigint_ctx_trim, each with threads of its own. All of it, blocks included, keeps to
// max_workspace_bytes, of which each of the two streams takes an eighth. Without a cap the blocks'
// transforms stay on the device where they have room, as the context's workspace. The plan is that
// of BIGINT_CALL_MUL_HOST (bigint_plan.h). A failure makes r 0 if r is no operand and has room for
// the product.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_mul(bigint_ctx *ctx, bigint *r, const bigint *a,
                                                      const bigint *b);
// bigint_sqr: r = a^2. Same value and cost as bigint_mul(ctx, r, a, a), which notices a == b.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_sqr(bigint_ctx *ctx, bigint *r, const bigint *a);
// bigint_mul_2exp: r = a 2^bits. bigint_tdiv_2exp: r = a / 2^bits rounded toward zero. Any bits.
// Cost: O(n).
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_mul_2exp(bigint_ctx *ctx, bigint *r,
                                                           const bigint *a, uint64_t bits);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_tdiv_2exp(bigint_ctx *ctx, bigint *r,
                                                            const bigint *a, uint64_t bits);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_BIGINT_ARITHMETIC_H_
