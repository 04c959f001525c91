// call_plans.h: the plans of the calls that bigint_call_kind names, except products, a file a
// family. Internal to bigint/plan.
#ifndef BIGINT_PLAN_CALL_PLANS_H_
#define BIGINT_PLAN_CALL_PLANS_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"
#include "bigint/multiply/mod.h"

// call_need: what a call's fields must be: bn > 0; k > 0 bits; k > 0, a step; k >= bn; k a base of
// text; limbs of all items together few enough; k the bits of an exponent, or limbs, few enough.
typedef enum {
    NEEDS_DIVISOR = 1,
    NEEDS_BITS = 2,
    NEEDS_STEP = 4,
    NEEDS_PREPARED = 8,
    NEEDS_BASE = 16,
    NEEDS_BATCH = 32,
    NEEDS_EXPONENT = 64,
    NEEDS_LIMBS = 128
} call_need;

// call_plan: what a call needs on the host and on a device, where device is NULL if the host
// computes it, and its line, on either. takes: whether the device computes this one; NULL: always.
// operands: of an and bn limbs, which are copied from a group.
typedef struct {
    void (*host)(work_need *n, const bigint_call *c);
    void (*device)(work_need *n, const bigint_call *c);
    bool (*takes)(const bigint_ctx *ctx, const bigint_call *c);
    int (*line)(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap);
    unsigned needs;  // of call_need
    unsigned operands;
    bool members;  // of a group compute it: products of an by bn limbs, and sums with them
} call_plan;

extern const call_plan *const call_plans[BIGINT_CALL_KINDS];
// call_on_device: whether the device of the context computes the call.
bool call_on_device(const bigint_ctx *ctx, const bigint_call *c);
// call_ring: of a product modulo 2^k - 1 or 2^k + 1, or a batch of such.
mul_ring call_ring(const bigint_call *c);

// special_products.c
extern const call_plan plan_ring, plan_mul_sum, plan_addmul;
extern const call_plan plan_prep_create, plan_mul_prep;
// divisions.c
extern const call_plan plan_divrem, plan_fdiv, plan_divexact, plan_congruent, plan_div_prep_create;
extern const call_plan plan_divrem_prep, plan_root, plan_rsqrt_fixed;
// texts.c
extern const call_plan plan_set_text, plan_get_text, plan_mul_decimal;
// modular.c
extern const call_plan plan_powm, plan_powm_sec, plan_gcd, plan_lcm, plan_gcdext, plan_invert;
extern const call_plan plan_probable_prime, plan_probable_prime_batch, plan_next_prime;
// numbers.c
extern const call_plan plan_factorial, plan_multifactorial, plan_primorial, plan_binomial_u64;
extern const call_plan plan_binomial, plan_sequence, plan_pow_u64, plan_is_square;
extern const call_plan plan_is_power, plan_kronecker, plan_remove, plan_random;
// batches.c
extern const call_plan plan_mul_batch, plan_mul_sum_batch, plan_ring_batch, plan_powm_batch;
extern const call_plan plan_mulmod_batch, plan_division_batch;

#endif  // BIGINT_PLAN_CALL_PLANS_H_
