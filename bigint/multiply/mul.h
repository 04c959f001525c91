// mul.h: the plan of one product and its execution. Internal to bigint/; may include context.h,
// modular.h and float.h.
#ifndef BIGINT_MULTIPLY_MUL_H_
#define BIGINT_MULTIPLY_MUL_H_

#include "bigint/core/context.h"
#include "bigint/multiply/float.h"
#include "bigint/multiply/modular.h"

// mul_plan: how one product of an >= bn limbs is computed. Pure data; allocates nothing.
typedef struct {
    engine_kind engine;        // never ENGINE_AUTO
    uint64_t an, bn;           // limbs, or words of k decimal digits
    unsigned k;                // 0: limbs
    mul_fft_plan fft;          // ENGINE_MODULAR_FFT; certified: of the product once more
    mul_float_plan floats;     // mul_float_engine
    bool certified;            // floats may give a wrong product: mul_run notices
    uint64_t workspace_bytes;  // that mul_execute needs
    uint64_t tables_bytes;     // that mul_ready makes the context hold
    // mul_execute runs ctx->team itself; else several may run at once, one to a thread
    bool uses_team;
} mul_plan;

// mul_plan_make chooses the plan of a product of an by bn limbs (either order), or of a square. A
// plan that needs less memory is taken where the cap forbids the faster one.
// Errors: ERANGE above BIGINT_MAX_LIMBS or the transform's limit, ENOMEM if no plan fits the cap;
// texts begin with who.
bigint_status mul_plan_make(bigint_ctx *ctx, const char *who, mul_plan *plan, uint64_t an,
                            uint64_t bn, bool square);

// mul_plan_fits: whether workspace and tables of a plan keep within the cap, beside what is taken
// from the arena already.
bool mul_plan_fits(const bigint_ctx *ctx, const mul_plan *plan);

// mul_plan_decimal plans a product of a_digits by b_digits decimal digits (>= 1, either order): by
// the floating-point engine that is forced, else by the modular one, in words of as many digits as
// are exact. Errors: ERANGE.
bigint_status mul_plan_decimal(bigint_ctx *ctx, const char *who, mul_plan *plan, uint64_t a_digits,
                               uint64_t b_digits, bool square);

// mul_sum_meets: whether a product of so many limbs pays in a transform as long as the longest of
// its sum: alone it costs three transforms of its own length, there two of the longest's.
static inline bool mul_sum_meets(uint64_t limbs, uint64_t longest) {
    return 3 * limbs >= 2 * longest;
}

// mul_choose_engine: the engine for operands of so many limbs, the real transform apart; never
// ENGINE_AUTO.
engine_kind mul_choose_engine(const bigint_ctx *ctx, uint64_t longer, uint64_t shorter,
                              bool square);

// mul_short_limbs: up to so many limbs of the shorter operand every product of the context is the
// schoolbook's, which needs no workspace, and a plan costs more than it; 0 where an engine is
// forced. At most SHORT_LIMBS_MOST.
enum { SHORT_LIMBS_MOST = 128 };
uint64_t mul_short_limbs(const bigint_ctx *ctx);

// mul_tables makes the context's tables reach as far as the plan needs; mul_ready does so after
// others that are in the way, under a cap, were given up. Errors: ENOMEM.
bigint_status mul_tables(bigint_ctx *ctx, const char *who, const mul_plan *plan);
bigint_status mul_ready(bigint_ctx *ctx, const char *who, const mul_plan *plan);

// mul_execute: {rp, an + bn} = {ap, an} {bp, bn} by a plan made for these lengths, in either order,
// and ready; a plan for a square takes ap == bp. Words of a decimal plan likewise. Only reads ctx;
// cannot fail. ws: plan->workspace_bytes, 64-byte aligned. By a certified plan the product may be
// wrong.
void mul_execute(const bigint_ctx *ctx, const mul_plan *plan, uint64_t *rp, const uint64_t *ap,
                 uint64_t an, const uint64_t *bp, uint64_t bn, void *ws);

// mul_tally: products, as the counters count them, and those that are wrong in the end.
typedef struct {
    uint64_t products, checks, mismatches, wrong;
} mul_tally;

// mul_run: mul_execute of limbs, and where the context checks products the check; a wrong one of a
// certified plan is computed again by the modular transform, which is exact by proof, and checked
// too. Adds to the tally; {rp, an + bn} is wrong if and only if it counts one more such. rp
// overlaps neither operand.
void mul_run(const bigint_ctx *ctx, const mul_plan *plan, uint64_t *rp, const uint64_t *ap,
             uint64_t an, const uint64_t *bp, uint64_t bn, void *ws, mul_tally *tally);
// mul_count adds a tally to the context's counters.
void mul_count(bigint_ctx *ctx, const mul_tally *tally);

// mul_check counts a product of limbs and, where the context checks products, compares residues;
// mul_check_words the same of words that weigh radix^i. Errors: ECHECK.
bigint_status mul_check(bigint_ctx *ctx, const uint64_t *rp, const uint64_t *ap, uint64_t an,
                        const uint64_t *bp, uint64_t bn);
bigint_status mul_check_words(bigint_ctx *ctx, const char *who, uint64_t radix, const uint64_t *rp,
                              const uint64_t *ap, uint64_t an, const uint64_t *bp, uint64_t bn);

// mul_limbs_short: {rp, an + bn} = {ap, an} {bp, bn} by the schoolbook, in either order of lengths.
// rp overlaps neither.
static inline void mul_limbs_short(const limbs_ops *ops, uint64_t *rp, const uint64_t *ap,
                                   uint64_t an, const uint64_t *bp, uint64_t bn) {
    if (bn == 1) {
        rp[an] = ops->mul_1(rp, ap, an, bp[0]);
    } else if (ap == bp && an == bn) {
        ops->sqr(rp, ap, an);
    } else if (an >= bn) {
        ops->mul(rp, ap, an, bp, bn);
    } else {
        ops->mul(rp, bp, bn, ap, an);
    }
}

// mul_short: {rp, an + bn} = {ap, an} {bp, bn}, for a shorter operand of 1 to ctx->short_limbs
// limbs, counted and, where the context checks products, checked. rp overlaps neither. Errors:
// ECHECK.
static inline bigint_status mul_short(bigint_ctx *ctx, uint64_t *rp, const uint64_t *ap,
                                      uint64_t an, const uint64_t *bp, uint64_t bn) {
    mul_limbs_short(ctx->limbs, rp, ap, an, bp, bn);
    if (ctx->check_modulus != 0) {
        return mul_check(ctx, rp, ap, an, bp, bn);
    }
    ctx->counters.products++;
    return BIGINT_OK;
}

// mul_wrong records that a product of an by bn words was found wrong; returns ECHECK.
bigint_status mul_wrong(bigint_ctx *ctx, const char *who, uint64_t an, uint64_t bn);

// mul_plan_print writes the plan as one line, as snprintf does.
int mul_plan_print(const bigint_ctx *ctx, const mul_plan *plan, char *buf, size_t cap);

// mul_operand_bytes: the storage of an operand of bn limbs prepared for others of up to max_an
// limbs; mul_operand_init prepares it there (see context.h). For operands that do not live on the
// arena.
uint64_t mul_operand_bytes(const bigint_ctx *ctx, uint64_t bn, uint64_t max_an);
bigint_status mul_operand_init(bigint_ctx *ctx, mul_operand *operand, const uint64_t *bp,
                               uint64_t bn, uint64_t max_an);

#endif  // BIGINT_MULTIPLY_MUL_H_
