// tiled.h: products of limbs as a convolution of digits in tiles. Includes limbs.h only.
#ifndef PRIMITIVES_LIMBS_TILED_H_
#define PRIMITIVES_LIMBS_TILED_H_

#include "primitives/limbs/limbs.h"

// limbs_tiled_mul: {rp, an + bn} = {ap, an} {bp, bn}, 1 <= bn <= an <= LIMBS_TILED_MAX, in portable
// code; rp overlaps neither. Digits of 27 bits: a tile is TILE columns, summed up in registers over
// all digits that meet there; carries once, at the end. limbs_ops.tiled is this or, with AVX-512
// IFMA, the same on 52 bits, eight to a vector (ifma.c).
// Cost: 5.6 an bn products of digits. Ranges: docs/proofs/schoolbook.md, 2.
void limbs_tiled_mul(uint64_t *rp, const uint64_t *ap, size_t an, const uint64_t *bp, size_t bn);

#endif  // PRIMITIVES_LIMBS_TILED_H_
