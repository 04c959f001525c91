// call_plans.c: see call_plans.h.
#include "bigint/plan/call_plans.h"

#include "bigint/api/host_need.h"

// Of bigint_mul and bigint_sqr, which product.c plans, but of numbers in host memory only its line.
static const call_plan plan_product = {.operands = 2};
static void host_product_device(work_need *n, const bigint_call *c) { host_need(n, c->an, c->bn); }
static const call_plan plan_mul_host = {.device = host_product_device, .operands = 2};

const call_plan *const call_plans[BIGINT_CALL_KINDS] = {
    [BIGINT_CALL_MUL] = &plan_product,
    [BIGINT_CALL_SQR] = &plan_product,
    [BIGINT_CALL_MUL_MINUS1] = &plan_ring,
    [BIGINT_CALL_MUL_PLUS1] = &plan_ring,
    [BIGINT_CALL_DIVREM] = &plan_divrem,
    [BIGINT_CALL_FDIV] = &plan_fdiv,
    [BIGINT_CALL_DIVEXACT] = &plan_divexact,
    [BIGINT_CALL_DIV_PREP_CREATE] = &plan_div_prep_create,
    [BIGINT_CALL_DIVREM_PREP] = &plan_divrem_prep,
    [BIGINT_CALL_SQRT] = &plan_root,
    [BIGINT_CALL_ROOT] = &plan_root,
    [BIGINT_CALL_RSQRT_FIXED] = &plan_rsqrt_fixed,
    [BIGINT_CALL_POWM] = &plan_powm,
    [BIGINT_CALL_GCD] = &plan_gcd,
    [BIGINT_CALL_LCM] = &plan_lcm,
    [BIGINT_CALL_GCDEXT] = &plan_gcdext,
    [BIGINT_CALL_INVERT] = &plan_invert,
    [BIGINT_CALL_MUL_BATCH] = &plan_mul_batch,
    [BIGINT_CALL_MUL_SUM_BATCH] = &plan_mul_sum_batch,
    [BIGINT_CALL_MUL_DECIMAL] = &plan_mul_decimal,
    [BIGINT_CALL_SET_TEXT] = &plan_set_text,
    [BIGINT_CALL_GET_TEXT] = &plan_get_text,
    [BIGINT_CALL_FACTORIAL] = &plan_factorial,
    [BIGINT_CALL_MULTIFACTORIAL] = &plan_multifactorial,
    [BIGINT_CALL_PRIMORIAL] = &plan_primorial,
    [BIGINT_CALL_BINOMIAL_U64] = &plan_binomial_u64,
    [BIGINT_CALL_BINOMIAL] = &plan_binomial,
    [BIGINT_CALL_FIBONACCI] = &plan_sequence,
    [BIGINT_CALL_LUCAS] = &plan_sequence,
    [BIGINT_CALL_POW_U64] = &plan_pow_u64,
    [BIGINT_CALL_IS_SQUARE] = &plan_is_square,
    [BIGINT_CALL_IS_POWER] = &plan_is_power,
    [BIGINT_CALL_KRONECKER] = &plan_kronecker,
    [BIGINT_CALL_REMOVE] = &plan_remove,
    [BIGINT_CALL_RANDOM] = &plan_random,
    [BIGINT_CALL_MUL_SUM] = &plan_mul_sum,
    [BIGINT_CALL_ADDMUL] = &plan_addmul,
    [BIGINT_CALL_PREP_CREATE] = &plan_prep_create,
    [BIGINT_CALL_MUL_PREP] = &plan_mul_prep,
    [BIGINT_CALL_CONGRUENT] = &plan_congruent,
    [BIGINT_CALL_PROBABLE_PRIME] = &plan_probable_prime,
    [BIGINT_CALL_PROBABLE_PRIME_BATCH] = &plan_probable_prime_batch,
    [BIGINT_CALL_NEXT_PRIME] = &plan_next_prime,
    [BIGINT_CALL_POWM_SEC] = &plan_powm_sec,
    [BIGINT_CALL_MUL_MINUS1_BATCH] = &plan_ring_batch,
    [BIGINT_CALL_MUL_PLUS1_BATCH] = &plan_ring_batch,
    [BIGINT_CALL_POWM_BATCH] = &plan_powm_batch,
    [BIGINT_CALL_MULMOD_BATCH] = &plan_mulmod_batch,
    [BIGINT_CALL_SQRMOD_BATCH] = &plan_division_batch,
    [BIGINT_CALL_INVMOD_BATCH] = &plan_division_batch,
    [BIGINT_CALL_DIVREM_BATCH] = &plan_division_batch,
    [BIGINT_CALL_MUL_HOST] = &plan_mul_host,
};

bool call_on_device(const bigint_ctx *ctx, const bigint_call *c) {
    const call_plan *const plan = call_plans[c->kind];
    return context_on_device(ctx) && plan->device != NULL &&
           (plan->takes == NULL || plan->takes(ctx, c));
}

mul_ring call_ring(const bigint_call *c) {
    return (mul_ring){c->k,
                      c->kind == BIGINT_CALL_MUL_PLUS1 || c->kind == BIGINT_CALL_MUL_PLUS1_BATCH};
}
