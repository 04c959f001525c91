// bigint_bits.h: integers as bits. Include bigint.h: it has the rules and includes this header.
//
// The bits of a number are its two's complement: above its top bit a number >= 0 has zeros without
// end, a negative one has ones. Bit 0 is the lowest. For devices and groups the host computes these
// calls. Cost: O(n).
#ifndef BIGINT_BIGINT_BITS_H_
#define BIGINT_BIGINT_BITS_H_

#include "bigint/bigint.h"

#ifdef __cplusplus
extern "C" {
#endif

// bigint_and: r = a & b. bigint_or: r = a | b. bigint_xor: r = a ^ b. bigint_com: r = ~a = -a - 1.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_and(bigint_ctx *ctx, bigint *r, const bigint *a,
                                                      const bigint *b);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_or(bigint_ctx *ctx, bigint *r, const bigint *a,
                                                     const bigint *b);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_xor(bigint_ctx *ctx, bigint *r, const bigint *a,
                                                      const bigint *b);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_com(bigint_ctx *ctx, bigint *r, const bigint *a);

// bigint_tstbit: *bit = bit `index` of a. Cost: constant for a >= 0; from a device the limbs up to
// this bit are copied.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_tstbit(bigint_ctx *ctx, int *bit, const bigint *a,
                                                         uint64_t index);
// bigint_setbit, bigint_clrbit, bigint_combit: bit `index` of r becomes 1, becomes 0, is flipped.
// Cost: constant for r >= 0 that has room, unless the bit is the top one.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_setbit(bigint_ctx *ctx, bigint *r,
                                                         uint64_t index);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_clrbit(bigint_ctx *ctx, bigint *r,
                                                         uint64_t index);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_combit(bigint_ctx *ctx, bigint *r,
                                                         uint64_t index);

// bigint_popcount: *count = the number of ones in a; UINT64_MAX for a < 0, which has endless ones.
// bigint_hamming: *count = the number of bits in which a and b differ; UINT64_MAX if only one of
// them is negative.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_popcount(bigint_ctx *ctx, uint64_t *count,
                                                           const bigint *a);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_hamming(bigint_ctx *ctx, uint64_t *count,
                                                          const bigint *a, const bigint *b);
// bigint_scan0, bigint_scan1: *index = the first bit of a at `start` or above that is 0, or 1;
// UINT64_MAX if there is none.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_scan0(bigint_ctx *ctx, uint64_t *index,
                                                        const bigint *a, uint64_t start);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_scan1(bigint_ctx *ctx, uint64_t *index,
                                                        const bigint *a, uint64_t start);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_BIGINT_BITS_H_
