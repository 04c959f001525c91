// quotient_there.h: quotients by words on other places than the host. Internal to bigint/word.
#ifndef BIGINT_WORD_QUOTIENT_THERE_H_
#define BIGINT_WORD_QUOTIENT_THERE_H_

#include "bigint/core/context.h"

// A place that divides does so, with the word as an integer there, and waits for the remainder; the
// host computes for others.
//
// word_divide_there: q = a / d rounded toward zero, or away from it if `away` is a's sign and the
// division leaves a remainder; *r = the distance of a and q d. Both may be NULL.
bigint_status word_divide_there(bigint_ctx *ctx, const char *who, bigint *q, uint64_t *r,
                                const bigint *a, uint64_t d, int away);
// word_divexact_there, word_congruent_there: bigint_divexact_u64, bigint_congruent_u64.
bigint_status word_divexact_there(bigint_ctx *ctx, const char *who, bigint *q, const bigint *a,
                                  uint64_t d);
bigint_status word_congruent_there(bigint_ctx *ctx, const char *who, int *yes, const bigint *a,
                                   uint64_t b, uint64_t d);

#endif  // BIGINT_WORD_QUOTIENT_THERE_H_
