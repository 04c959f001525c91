// operands.h: the checks at the start of calls with words. Internal to bigint/word.
#ifndef BIGINT_WORD_OPERANDS_H_
#define BIGINT_WORD_OPERANDS_H_

#include "bigint/core/integer.h"

// word_check: OK if the context works on the host and a and b live there.
static inline bigint_status word_check(bigint_ctx *ctx, const char *who, const bigint *a,
                                       const bigint *b) {
    if (bigint_all_on_host(ctx, a, b, b)) {
        return BIGINT_OK;
    }
    const bigint_status status = bigint_check_places(ctx, who, a, b, NULL);
    return status != BIGINT_OK ? status : bigint_check_on_host(ctx, who, BIGINT_MOVE_TO_HOST);
}

// word_magnitude: |value|, which a word holds even for INT64_MIN. word_sign: its sign, 1 for 0.
static inline uint64_t word_magnitude(int64_t value) {
    return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}
static inline int word_sign(int64_t value) { return value < 0 ? -1 : 1; }

#endif  // BIGINT_WORD_OPERANDS_H_
