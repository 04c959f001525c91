// bigint_product.h: products of special forms, prepared operands, and the plan of a product.
// Include bigint.h: it has the rules and includes this header.
//
// M(n) is the cost of an n-limb product. Operands must be on the context's place (EPLACE).
#ifndef BIGINT_BIGINT_PRODUCT_H_
#define BIGINT_BIGINT_PRODUCT_H_

#include "bigint/bigint.h"

#ifdef __cplusplus
extern "C" {
#endif

// bigint_mul_sum: r = sum of a[i] b[i], i < count; terms with signs[i] < 0 are subtracted. If signs
// is NULL, all terms are added. r may be any of the operands, and operands may repeat. count = 0
// gives 0.
// Products of similar sizes (on the host: long ones) are added in the transform domain. Each then
// takes two transforms, and the sum takes one, instead of three per product. The other products are
// computed one by one. So are all products if the workspace for this, some 3 / 2 of bigint_mul's,
// does not fit the cap.
// Cost: at most that of the products and their sums, except for two products of up to 2^18 bits on
// a device, which cost up to 1.5 times that. Memory: that of bigint_mul and twice the result. The
// call allocates it anew on a host context with a cap, and on a device if not all terms are added
// in the transform domain.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_mul_sum(bigint_ctx *ctx, bigint *r,
                                                          const bigint *const *a,
                                                          const bigint *const *b, const int *signs,
                                                          uint64_t count);
// bigint_mul_mod_2exp_minus1: r = a b mod 2^bits - 1, 0 <= r < 2^bits - 1.
// bigint_mul_mod_2exp_plus1: r = a b mod 2^bits + 1, 0 <= r <= 2^bits. Operands of any size and
// sign. Errors: EINVAL for bits = 0.
// Cost: half of a product of bits by bits if bits is a multiple of a power of two 2^k >= bits / 64.
// Otherwise, and with options.checks, a product of the residues. On a device: one launch where bits
// is a power of two from 2^15 to 2^19; half of a product where it is from 2^18 on and 52 to 64
// times a power of two, from 2^26 on also 65 to 90, 108 to 122 or 128 times one, modulo 2^bits + 1
// up to 2^31 bits; else a product of the residues and one launch or two.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_mul_mod_2exp_minus1(bigint_ctx *ctx, bigint *r,
                                                                      const bigint *a,
                                                                      const bigint *b,
                                                                      uint64_t bits);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_mul_mod_2exp_plus1(bigint_ctx *ctx, bigint *r,
                                                                     const bigint *a,
                                                                     const bigint *b,
                                                                     uint64_t bits);

// bigint_prep_create prepares a for products with operands of up to max_other_limbs limbs, in
// transform domain where that pays. The prepared operand does not depend on a afterwards. Any
// context of the same place may use it, and several may use it at once; a context with another
// variant gains nothing from it. It may outlive the context that made it. Destroy it through a
// context with the same allocator. On failure *out is NULL.
// On a device the call waits for the stream, so that every stream may use the result. It holds a
// copy of a, and planes of three to four times the memory of a and max_other_limbs together, at
// least 96 KiB. Like integers, they do not count as workspace. Operands that would be cut into
// parts (because of a cap, or because they are long) have no planes, and their products cost as
// much as bigint_mul's. So do all products on a group, where it is a copy of a alone.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_prep_create(bigint_ctx *ctx, bigint_prep **out,
                                                              const bigint *a,
                                                              uint64_t max_other_limbs);
// bigint_mul_prep: r = a b. Errors: ERANGE if b is longer than max_other_limbs of
// bigint_prep_create; on a device the announced length of b counts.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_mul_prep(bigint_ctx *ctx, bigint *r,
                                                           const bigint_prep *a, const bigint *b);
// bigint_prep_destroy frees a prepared operand; prep NULL is allowed. On a device the memory is
// freed in the order of ctx's stream, so first call bigint_sync on the other contexts that used it.
// If ctx is on another place, nothing is freed, and bigint_ctx_error says so.
BIGINT_API void bigint_prep_destroy(bigint_ctx *ctx, bigint_prep *prep);

// bigint_explain writes the plan of a product of an by bn limbs on one line: backend, engine,
// variant, shape. For other calls, and for squares: bigint_plan.h. *need is as for bigint_get_hex.
// Errors: as bigint_workspace_bytes.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_explain(bigint_ctx *ctx, char *buf, size_t cap,
                                                          size_t *need, uint64_t an, uint64_t bn);
// bigint_workspace_bytes: *bytes = an upper bound on the workspace, the context's tables included,
// that bigint_mul holds for a product of an by bn limbs with this context's options and any
// aliasing. Tables left by other sizes (see bigint_ctx_trim) come on top. Errors: ERANGE if no plan
// exists for the size, ENOMEM if none fits the cap.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_workspace_bytes(bigint_ctx *ctx, uint64_t *bytes,
                                                                  uint64_t an, uint64_t bn);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_BIGINT_PRODUCT_H_
