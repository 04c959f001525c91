// operand.h: an operand prepared for several products. Internal to bigint/.
#ifndef BIGINT_MULTIPLY_OPERAND_H_
#define BIGINT_MULTIPLY_OPERAND_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"

// mul_operand: an operand kept in transform domain on the arena, for callers inside bigint/.
// mul_operand_prepare takes its storage from the arena and refers to {bp, bn}, which must stay
// valid. max_an: the longest other operand. mul_operand_mul: as bigint_mul_limbs with the prepared
// operand as b.
typedef struct mul_operand mul_operand;
bigint_status mul_operand_prepare(bigint_ctx *ctx, mul_operand **out, const uint64_t *bp,
                                  uint64_t bn, uint64_t max_an);
bigint_status mul_operand_mul(bigint_ctx *ctx, uint64_t *rp, const uint64_t *ap, uint64_t an,
                              const mul_operand *b);

// mul_operand_bytes: the storage of an operand of bn limbs prepared for others of up to max_an
// limbs; mul_operand_init prepares it there. For operands that do not live on the
// arena.
uint64_t mul_operand_bytes(const bigint_ctx *ctx, uint64_t bn, uint64_t max_an);
bigint_status mul_operand_init(bigint_ctx *ctx, mul_operand *operand, const uint64_t *bp,
                               uint64_t bn, uint64_t max_an);
// What these need beside the operand's storage: mul_operand_init_need: mul_operand_init.
// mul_operand_mul_need: mul_operand_mul of an limbs. mul_operand_need: both, of up to max_an limbs.
// mul_operand_print: how a product of an limbs is computed, on one line, like snprintf.
void mul_operand_init_need(work_need *n, uint64_t bn, uint64_t max_an);
void mul_operand_mul_need(work_need *n, uint64_t an, uint64_t bn, uint64_t max_an);
void mul_operand_need(work_need *n, uint64_t bn, uint64_t max_an);
int mul_operand_print(bigint_ctx *ctx, char *buf, size_t cap, uint64_t an, uint64_t bn,
                      uint64_t max_an);

#endif  // BIGINT_MULTIPLY_OPERAND_H_
