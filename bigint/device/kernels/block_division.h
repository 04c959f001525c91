// block_division.h: short divisions on a device in one launch, and the reciprocals with which
// Newton's iteration begins: by one block or, where the device has clusters and numbers are long
// enough, by a cluster of blocks. Internal to bigint/; plain C. B = 2^64.
#ifndef BIGINT_DEVICE_KERNELS_BLOCK_DIVISION_H_
#define BIGINT_DEVICE_KERNELS_BLOCK_DIVISION_H_

#include <stdint.h>

#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// The longest reciprocals and divisors, in limbs.
enum { BLOCK_RECIPROCAL_MOST = 1040, BLOCK_DIVISION_MOST = 576 };

// block_reciprocal enqueues {xp, k + 1} within 2 of B^(2k) / E, where E is the top k limbs of D =
// {dp, dn} 2^shift, with zeros below where dn < k. Requires: 1 <= k <= BLOCK_RECIPROCAL_MOST, D has
// dn limbs and its top bit is set. x and d do not overlap.
// Cost: one launch; some 2 k^2 products of words, which the blocks of a cluster share, and log2(k)
// carries through a block.
// RESULT_REFUSED: another k.
result block_reciprocal(uint64_t *xp, uint64_t k, const uint64_t *dp, uint64_t dn, unsigned shift,
                        cuda_stream stream);

// block_division: {q, qn} = floor(a / d), {r, dn} = a mod d, for the magnitudes {a, an} < {d, dn}
// B^qn and {d, dn}, which has `shift` zeros above its top bit; 1 <= dn <= BLOCK_DIVISION_MOST, qn
// >= 1. q or r NULL: it is not wanted, and its sign is not written. *q_sign differs from 0 where
// the signs of a and d differ; *r_sign = a's.
typedef struct {
    uint64_t *q, *r;
    const uint64_t *a, *d;
    uint64_t qn, an, dn;
    unsigned shift;
    uint64_t *q_sign, *r_sign;
    const uint64_t *a_sign, *d_sign;
} block_division;
// block_divide enqueues this division. Results overlap nothing.
// Cost: one launch; a reciprocal of up to 289 limbs, then for each 288 limbs of the quotient two
// products, by it and by d.
// RESULT_REFUSED: another length. Proof: docs/proofs/division.md, section 6.
result block_divide(const block_division *division, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_DEVICE_KERNELS_BLOCK_DIVISION_H_
