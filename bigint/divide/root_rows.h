// root_rows.h: square roots of few limbs, one limb after the other. Internal to bigint/.
#ifndef BIGINT_DIVIDE_ROOT_ROWS_H_
#define BIGINT_DIVIDE_ROOT_ROWS_H_

#include <stdbool.h>
#include <stdint.h>

#include "primitives/limbs/limbs.h"
#include "primitives/words/word.h"

// root_rows_pair: floor(a^(1/2)) for a > 0, a - its square in *rest.
uint64_t root_rows_pair(word_pair *rest, word_pair a);

// root_rows: {sp, n} = s = floor(m^(1/2)) and *top B^n + {mp, n} = m - s^2 for m = {mp, 2 n} >=
// B^(2 n) / 4, whose upper half is lost; 1 <= n <= ROOT_ROWS_MOST. Unless `remains`, {mp} and *top
// are left undefined. No overlap. Cost: n^2 / 2 products. Bounds: docs/proofs/root.md, 6.
enum { ROOT_ROWS_MOST = 40 };
void root_rows(const limbs_ops *ops, uint64_t *sp, uint64_t *top, uint64_t *mp, uint64_t n,
               bool remains);

#endif  // BIGINT_DIVIDE_ROOT_ROWS_H_
