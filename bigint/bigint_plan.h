// bigint_plan.h: how a call would be computed, and the workspace it would take, before it is made.
// Include bigint.h: it has the rules and includes this header.
//
// bigint_explain and bigint_workspace_bytes (bigint_product.h) are the short form for bigint_mul.
// Every call of bigint.h that takes workspace has a kind. Calls without one (values, sums, shifts,
// bits, words, floating-point numbers) take none on the host; on a device or a group they take no
// more than a copy of their operands. Calls on limbs (bigint_limbs.h) take what the calls on
// integers of these names take.
#ifndef BIGINT_BIGINT_PLAN_H_
#define BIGINT_BIGINT_PLAN_H_

#include "bigint/bigint.h"

#ifdef __cplusplus
extern "C" {
#endif

// bigint_call_kind: a call; an, bn, k and count beside it are the fields of bigint_call that it
// reads.
typedef enum {
    BIGINT_CALL_MUL,              // bigint_mul: an by bn limbs
    BIGINT_CALL_SQR,              // bigint_sqr: an limbs
    BIGINT_CALL_MUL_MINUS1,       // bigint_mul_mod_2exp_minus1: an by bn limbs, k = bits
    BIGINT_CALL_MUL_PLUS1,        // bigint_mul_mod_2exp_plus1: likewise
    BIGINT_CALL_DIVREM,           // bigint_divrem: an by bn limbs
    BIGINT_CALL_FDIV,             // bigint_fdiv, bigint_cdiv, bigint_mod: likewise
    BIGINT_CALL_DIVEXACT,         // bigint_divexact, _u64, bigint_divisible: likewise
    BIGINT_CALL_DIV_PREP_CREATE,  // bigint_div_prep_create: bn limbs, k = quotient_limbs
    BIGINT_CALL_DIVREM_PREP,      // bigint_divrem_prep: an limbs by a divisor of that bn and k
    BIGINT_CALL_SQRT,             // bigint_sqrt: an limbs
    BIGINT_CALL_ROOT,             // bigint_root: an limbs, degree k
    BIGINT_CALL_RSQRT_FIXED,      // bigint_rsqrt_fixed: an limbs, k = bits
    BIGINT_CALL_SET_TEXT,         // bigint_set_text, _decimal, _hex: an digits in base k
    BIGINT_CALL_GET_TEXT,         // bigint_get_text, _decimal, _hex: an limbs in base k
    BIGINT_CALL_POWM,       // bigint_powm, _u64: an limbs, an exponent of k bits, modulo bn limbs
    BIGINT_CALL_GCD,        // bigint_gcd: an and bn limbs
    BIGINT_CALL_LCM,        // bigint_lcm: likewise
    BIGINT_CALL_GCDEXT,     // bigint_gcdext: likewise
    BIGINT_CALL_INVERT,     // bigint_invert: an limbs modulo bn limbs
    BIGINT_CALL_MUL_BATCH,  // bigint_mul_batch: count products of an by bn limbs, all alike
    BIGINT_CALL_MUL_SUM_BATCH,   // bigint_mul_sum_batch: count sums of two such products
    BIGINT_CALL_MUL_DECIMAL,     // bigint_mul_decimal: an by bn digits
    BIGINT_CALL_FACTORIAL,       // bigint_factorial: of count
    BIGINT_CALL_MULTIFACTORIAL,  // bigint_multifactorial: of count, k = step
    BIGINT_CALL_PRIMORIAL,       // bigint_primorial: of count
    BIGINT_CALL_BINOMIAL_U64,    // bigint_binomial_u64: count over k
    BIGINT_CALL_BINOMIAL,        // bigint_binomial: an limbs over k
    BIGINT_CALL_FIBONACCI,       // bigint_fibonacci: of count
    BIGINT_CALL_LUCAS,           // bigint_lucas: of count
    BIGINT_CALL_POW_U64,         // bigint_pow_u64, bigint_u64_pow_u64: an limbs to the power of k
    BIGINT_CALL_IS_SQUARE,       // bigint_is_square: an limbs
    BIGINT_CALL_IS_POWER,        // bigint_is_power: an limbs
    BIGINT_CALL_KRONECKER,       // bigint_kronecker and the like: an over bn limbs
    BIGINT_CALL_REMOVE,          // bigint_remove: an by bn limbs
    BIGINT_CALL_RANDOM,          // bigint_random_bits, _below, _runs: an limbs
    BIGINT_CALL_MUL_SUM,         // bigint_mul_sum: count products of an by bn limbs, all alike
    BIGINT_CALL_ADDMUL,          // bigint_addmul, _submul: an by bn limbs, k = limbs of the sum
    BIGINT_CALL_PREP_CREATE,     // bigint_prep_create: an limbs, k = max_other_limbs
    BIGINT_CALL_MUL_PREP,   // bigint_mul_prep: by a prepared operand of that an and k, bn limbs
    BIGINT_CALL_CONGRUENT,  // bigint_congruent: an limbs, the longer of both, modulo bn limbs
    BIGINT_CALL_PROBABLE_PRIME,        // bigint_probable_prime: an limbs
    BIGINT_CALL_PROBABLE_PRIME_BATCH,  // bigint_probable_prime_batch: count numbers of an limbs
    BIGINT_CALL_NEXT_PRIME,            // bigint_next_prime: above an limbs
    BIGINT_CALL_POWM_SEC,              // bigint_powm_sec: as BIGINT_CALL_POWM
    BIGINT_CALL_MUL_MINUS1_BATCH,      // bigint_mul_mod_2exp_minus1_batch: as _MUL_BATCH, k = bits
    BIGINT_CALL_MUL_PLUS1_BATCH,       // bigint_mul_mod_2exp_plus1_batch: likewise
    BIGINT_CALL_POWM_BATCH,            // bigint_powm_batch: count powers as _POWM, all alike
    BIGINT_CALL_MULMOD_BATCH,  // bigint_mulmod_batch: count products of an by k limbs mod bn
    BIGINT_CALL_SQRMOD_BATCH,  // bigint_sqrmod_batch: count squares of an limbs modulo bn
    BIGINT_CALL_INVMOD_BATCH,  // bigint_invmod_batch: count inverses of an limbs modulo bn
    BIGINT_CALL_DIVREM_BATCH,  // bigint_divrem_batch: count divisions of an by bn limbs
    BIGINT_CALL_MUL_HOST,      // bigint_mul, _sqr of an by bn limbs in host memory, by any place
    BIGINT_CALL_KINDS
} bigint_call_kind;

// bigint_call: a call and the size of its arguments; fields that the kind does not read are 0.
// Prepared operands and divisors must come from a context with the same options.
typedef struct {
    bigint_call_kind kind;
    uint64_t an, bn;  // limbs of operands, announced ones on a device
    uint64_t k, count;
} bigint_call;

// bigint_call_explain writes the plan of a call on one line. *need is as for bigint_get_hex.
// bigint_call_workspace_bytes: *bytes = an upper bound on what a new context with ctx's place and
// options holds during the call, tables included, for any values, results wanted and aliasing; on a
// group, on what a context of one member or this process's own context holds. What other calls left
// (see bigint_ctx_trim) comes on top. It is at most the cap. The call succeeds under a cap of that
// many bytes, perhaps by slower plans. On the host it is at most four times what the call holds for
// values that take the longest way, 32 KiB aside. Two kinds of values may take more: numbers of
// which a gcd meets a quotient longer than half of them, and residues modulo 2^bits + 1 that are
// 2^bits.
// On a device the bound includes the integers that calls hold on their way, which count against the
// cap but not in counters.workspace_bytes, and for BIGINT_CALL_MUL_HOST what the two streams beside
// ctx hold, which do not count there either. Not workspace, so that they count nowhere: results, a
// prepared divisor with its transforms, and the transforms that bigint_divrem keeps for a quotient
// of several blocks where there is no cap.
// Cost: that of planning, microseconds, and milliseconds for long gcds; nothing is allocated, and
// nothing waits.
// Errors: EINVAL for a kind that does not exist; ERANGE if no plan exists for the size, ENOMEM if
// none fits the cap.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_call_explain(bigint_ctx *ctx, char *buf,
                                                               size_t cap, size_t *need,
                                                               const bigint_call *call);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_call_workspace_bytes(bigint_ctx *ctx,
                                                                       uint64_t *bytes,
                                                                       const bigint_call *call);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_BIGINT_PLAN_H_
