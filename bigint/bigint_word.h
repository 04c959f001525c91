// bigint_word.h: arithmetic of an integer and a word, with no integer made of the word, and
// integers as words. Include bigint.h: it has the rules and includes this header.
//
// _u64 calls take an unsigned word, _i64 calls a signed one; every value is allowed. Cost: O(n),
// except where it is said. On a device and a group sums and products make an integer of the word,
// allocate it at each call, and do not wait on a device. Values and comparisons wait for the
// integer's length and, where that matters, its lowest limb. On a device quotients divide by an
// integer made of the word and wait for the remainder; for groups the host computes them.
#ifndef BIGINT_BIGINT_WORD_H_
#define BIGINT_BIGINT_WORD_H_

#include "bigint/bigint.h"

#ifdef __cplusplus
extern "C" {
#endif

// --- Values --------------------------------------------------------------------------------------

// bigint_get_u64, bigint_get_i64: *value = a. Errors: ERANGE if a does not fit; *value is
// unchanged.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_get_u64(bigint_ctx *ctx, uint64_t *value,
                                                          const bigint *a);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_get_i64(bigint_ctx *ctx, int64_t *value,
                                                          const bigint *a);
// bigint_fits_u64, bigint_fits_i64: *fits = 1 if the word can hold a, else 0.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_fits_u64(bigint_ctx *ctx, int *fits,
                                                           const bigint *a);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_fits_i64(bigint_ctx *ctx, int *fits,
                                                           const bigint *a);
// bigint_cmp_u64, bigint_cmp_i64: *order is -1, 0 or 1 for a < b, a = b, a > b. bigint_cmp_abs_u64
// compares |a| with b.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_cmp_u64(bigint_ctx *ctx, int *order,
                                                          const bigint *a, uint64_t b);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_cmp_i64(bigint_ctx *ctx, int *order,
                                                          const bigint *a, int64_t b);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_cmp_abs_u64(bigint_ctx *ctx, int *order,
                                                              const bigint *a, uint64_t b);

// --- Sums and products ---------------------------------------------------------------------------

// bigint_add_u64, bigint_add_i64: r = a + b. bigint_sub_u64, bigint_sub_i64: r = a - b.
// bigint_u64_sub: r = b - a.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_add_u64(bigint_ctx *ctx, bigint *r,
                                                          const bigint *a, uint64_t b);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_add_i64(bigint_ctx *ctx, bigint *r,
                                                          const bigint *a, int64_t b);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_sub_u64(bigint_ctx *ctx, bigint *r,
                                                          const bigint *a, uint64_t b);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_sub_i64(bigint_ctx *ctx, bigint *r,
                                                          const bigint *a, int64_t b);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_u64_sub(bigint_ctx *ctx, bigint *r, uint64_t b,
                                                          const bigint *a);
// bigint_mul_u64, bigint_mul_i64: r = a b.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_mul_u64(bigint_ctx *ctx, bigint *r,
                                                          const bigint *a, uint64_t b);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_mul_i64(bigint_ctx *ctx, bigint *r,
                                                          const bigint *a, int64_t b);
// bigint_addmul: r = r + a b. bigint_submul: r = r - a b. Cost: bigint_mul's and bigint_add's. Peak
// memory: as bigint_mul, with the product on top.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_addmul(bigint_ctx *ctx, bigint *r,
                                                         const bigint *a, const bigint *b);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_submul(bigint_ctx *ctx, bigint *r,
                                                         const bigint *a, const bigint *b);
// bigint_addmul_u64: r = r + a b. bigint_submul_u64: r = r - a b. In place, with one pass over a.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_addmul_u64(bigint_ctx *ctx, bigint *r,
                                                             const bigint *a, uint64_t b);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_submul_u64(bigint_ctx *ctx, bigint *r,
                                                             const bigint *a, uint64_t b);

// --- Quotients -----------------------------------------------------------------------------------

// bigint_tdiv_u64: q = a / d rounded toward zero, *r = |a - q d|, which is |a| mod d.
// bigint_fdiv_u64: q = a / d rounded down, *r = a - q d, which is a mod d.
// bigint_cdiv_u64: q = a / d rounded up, *r = q d - a.
// In all cases 0 <= *r < d. q, r or both may be NULL if not wanted. Errors: EINVAL for d = 0.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_tdiv_u64(bigint_ctx *ctx, bigint *q, uint64_t *r,
                                                           const bigint *a, uint64_t d);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_fdiv_u64(bigint_ctx *ctx, bigint *q, uint64_t *r,
                                                           const bigint *a, uint64_t d);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_cdiv_u64(bigint_ctx *ctx, bigint *q, uint64_t *r,
                                                           const bigint *a, uint64_t d);
// bigint_divexact_u64: q = a / d, where d divides a. Errors: EINVAL for d = 0 and if it does not.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_divexact_u64(bigint_ctx *ctx, bigint *q,
                                                               const bigint *a, uint64_t d);
// bigint_divisible_u64: *yes = 1 if a = k d for an integer k, else 0; d = 0 divides 0 alone.
// bigint_congruent_u64: the same for a - b in place of a.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_divisible_u64(bigint_ctx *ctx, int *yes,
                                                                const bigint *a, uint64_t d);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_congruent_u64(bigint_ctx *ctx, int *yes,
                                                                const bigint *a, uint64_t b,
                                                                uint64_t d);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_BIGINT_WORD_H_
