// pieces.h: products where memory is short.
#ifndef BINDINGS_GMP_PIECES_H_
#define BINDINGS_GMP_PIECES_H_

#include "bigint/bigint.h"
#include "primitives/limbs/limbs.h"

// pieces_mul: {rp, an + bn} = {ap, an} {bp, bn}, an >= bn >= 1, rp overlaps neither. It cannot
// fail: it cuts the operands into pieces whose products ctx still has workspace for, and without a
// context (NULL), or where even short pieces are too long, it uses the schoolbook.
void pieces_mul(bigint_ctx *ctx, const limbs_ops *ops, uint64_t *rp, const uint64_t *ap,
                uint64_t an, const uint64_t *bp, uint64_t bn);

#endif  // BINDINGS_GMP_PIECES_H_
