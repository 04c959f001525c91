// bigint_random.h: random integers from the caller's generator. Include bigint.h: it has the rules
// and includes this header.
//
// The library has no generator of its own. A program that needs secret numbers passes one that
// reads the system's: getrandom, for example. Errors: EINVAL if the generator fails. For devices
// and groups the host computes these calls. Under MPI the generators of all processes give the same
// words. Cost: O(n).
#ifndef BIGINT_BIGINT_RANDOM_H_
#define BIGINT_BIGINT_RANDOM_H_

#include "bigint/bigint.h"

#ifdef __cplusplus
extern "C" {
#endif

// bigint_generator: where random bits come from. fill writes n limbs, n >= 1, whose bits are random
// and independent, and returns 0; anything else says that it failed. It is called on the calling
// thread, and must not use the context.
typedef struct {
    int (*fill)(void *user, bigint_limb *p, uint64_t n);
    void *user;
} bigint_generator;

// bigint_random_bits: 0 <= r < 2^bits, every number equally likely. It draws one time.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_random_bits(bigint_ctx *ctx, bigint *r,
                                                              const bigint_generator *generator,
                                                              uint64_t bits);
// bigint_random_below: 0 <= r < bound, every number equally likely. It draws numbers of the bound's
// length until one is below, at most two on average. Errors: EINVAL for bound <= 0, and after 128
// numbers, which a working generator gives with a probability below 2^-128.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_random_below(bigint_ctx *ctx, bigint *r,
                                                               const bigint_generator *generator,
                                                               const bigint *bound);
// bigint_random_runs: 2^(bits - 1) <= r < 2^bits (0 for 0 bits), with long runs of ones and zeros:
// for tests, because it makes carries travel far.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_random_runs(bigint_ctx *ctx, bigint *r,
                                                              const bigint_generator *generator,
                                                              uint64_t bits);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_BIGINT_RANDOM_H_
