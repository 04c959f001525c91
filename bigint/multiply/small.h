// small.h: products below the transform's range: schoolbook, Karatsuba, Toom-3 on limbs. Internal
// to bigint/. Takes workspace from its caller and cannot fail.
#ifndef BIGINT_MULTIPLY_SMALL_H_
#define BIGINT_MULTIPLY_SMALL_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "primitives/limbs/limbs.h"

// mul_small_algorithm: the choice at the top. BEST chooses by the thresholds. The others force the
// named step at the top for every shape that allows it (Karatsuba: bn >= 2, Toom-3: bn >= 3), and
// BEST below.
typedef enum {
    MUL_SMALL_BEST,
    MUL_SMALL_SCHOOLBOOK,
    MUL_SMALL_KARATSUBA,
    MUL_SMALL_TOOM3
} mul_small_algorithm;

// Limbs of workspace for mul_small / sqr_small of these sizes (an >= bn), any algorithm.
size_t mul_small_workspace_limbs(size_t an, size_t bn);

// The outermost step that BEST takes for n by n limbs: schoolbook, Karatsuba or Toom-3.
mul_small_algorithm mul_small_best(const limbs_ops *ops, size_t n, bool square);

// {rp, an + bn} = {ap, an} {bp, bn}. Requires: an >= bn >= 1; rp and ws overlap nothing. Unbalanced
// shapes are cut into balanced pieces. Proof of ranges: docs/proofs/karatsuba.md, toom3.md.
void mul_small(const limbs_ops *ops, mul_small_algorithm algorithm, uint64_t *rp,
               const uint64_t *ap, size_t an, const uint64_t *bp, size_t bn, uint64_t *ws);
// {rp, 2 n} = {ap, n}^2. n >= 1.
void sqr_small(const limbs_ops *ops, mul_small_algorithm algorithm, uint64_t *rp,
               const uint64_t *ap, size_t n, uint64_t *ws);

#endif  // BIGINT_MULTIPLY_SMALL_H_
