// overlap.h: whether results of a batch share memory with other spans. Internal to bigint/.
#ifndef BIGINT_BATCH_OVERLAP_H_
#define BIGINT_BATCH_OVERLAP_H_

#include <stdbool.h>

#include "bigint/bigint.h"

// batch_overlap: whether a number of x and a number of y share a limb. If both spans are plain (no
// lengths, no offsets) all pairs count, otherwise only the pairs of the same index. For spans that
// batch_check passes one by one. Cost: constant without offsets if the address ranges do not
// overlap, and for plain spans of equal strides; else O(count).
bool batch_overlap(const bigint_span *x, const bigint_span *y);

#endif  // BIGINT_BATCH_OVERLAP_H_
