// newton_length.h: from which length on tests of division reach the reciprocal. Includes
// bigint/divide/reciprocal.h.
#ifndef TESTS_BIGINT_DIVIDE_NEWTON_LENGTH_H_
#define TESTS_BIGINT_DIVIDE_NEWTON_LENGTH_H_

#include <stddef.h>

#include "bigint/divide/reciprocal.h"

// The length at which division changes to the reciprocal; capped, for it is far off without SIMD.
static inline size_t newton_length(const bigint_ctx *ctx) {
    const uint64_t n = newton_threshold(ctx);
    return n < 2000 ? n : 2000;
}

#endif  // TESTS_BIGINT_DIVIDE_NEWTON_LENGTH_H_
