// mul.h: the plan of one product and its execution. Internal to bigint/.
#ifndef BIGINT_MULTIPLY_MUL_H_
#define BIGINT_MULTIPLY_MUL_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"
#include "bigint/multiply/float.h"
#include "bigint/multiply/modular.h"

// mul_plan: how one product of an >= bn limbs is computed. Pure data; allocates nothing.
typedef struct {
    engine_kind engine;  // never ENGINE_AUTO
    uint64_t an, bn;     // limbs, or words of k decimal digits
    unsigned k;          // 0: limbs
    mul_fft_plan fft;    // ENGINE_MODULAR_FFT; certified: of the product once more
    // Not 0: the modular product is two, modulo B^ring_limbs + 1, by fft, and - 1 (halves.h).
    uint64_t ring_limbs;
    mul_fft_plan minus;
    mul_float_plan floats;     // mul_float_engine
    bool certified;            // floats may give a wrong product: mul_run notices
    uint64_t workspace_bytes;  // that mul_execute needs
    uint64_t tables_bytes;     // that mul_ready makes the context hold
    // mul_execute runs ctx->team itself; else several may run at once, one to a thread
    bool uses_team;
} mul_plan;

// mul_plan_make chooses the plan of a product of an by bn limbs (either order), or of a square. If
// the cap forbids the fastest plan, it takes one that needs less memory.
// Errors: ERANGE above BIGINT_MAX_LIMBS or the transform's limit, ENOMEM if no plan fits the cap;
// texts begin with who.
bigint_status mul_plan_make(bigint_ctx *ctx, const char *who, mul_plan *plan, uint64_t an,
                            uint64_t bn, bool square);

// mul_plan_fits: whether workspace and tables of a plan, together with what the arena has in use,
// keep within the cap.
bool mul_plan_fits(const bigint_ctx *ctx, const mul_plan *plan);

// mul_plan_decimal plans a product of a_digits by b_digits decimal digits (>= 1, either order). A
// floating-point engine that is forced by name is used; otherwise the modular one. Words hold as
// many digits as are exact. Errors: ERANGE.
bigint_status mul_plan_decimal(bigint_ctx *ctx, const char *who, mul_plan *plan, uint64_t a_digits,
                               uint64_t b_digits, bool square);

// mul_sum_meets: whether a product of this many limbs should join its sum in the transform domain.
// Alone it takes three transforms of its own length, there two of the longest product's length.
static inline bool mul_sum_meets(uint64_t limbs, uint64_t longest) {
    return 3 * limbs >= 2 * longest;
}

// mul_choose_engine: the engine for operands of these lengths, the real transform aside; never
// ENGINE_AUTO.
engine_kind mul_choose_engine(const bigint_ctx *ctx, uint64_t longer, uint64_t shorter,
                              bool square);

// mul_plan_real: whether products of an by bn limbs, in either order, by an operand whose transform
// is kept take the real transform in one piece on one thread, in mode exact; and the plan.
bool mul_plan_real(const bigint_ctx *ctx, mul_float_plan *plan, uint64_t an, uint64_t bn);

// mul_short_limbs: the longest shorter operand for which the context uses the schoolbook without
// workspace and without a plan, because a plan would cost more than the product. 0 if an engine is
// forced. At most SHORT_LIMBS_MOST.
enum { SHORT_LIMBS_MOST = 128 };
uint64_t mul_short_limbs(const bigint_ctx *ctx);

// mul_tables extends the context's tables as far as the plan needs. mul_ready does the same, and
// first frees other tables if they are in the way under a cap. Errors: ENOMEM.
bigint_status mul_tables(bigint_ctx *ctx, const char *who, const mul_plan *plan);
bigint_status mul_ready(bigint_ctx *ctx, const char *who, const mul_plan *plan);

// mul_execute: {rp, an + bn} = {ap, an} {bp, bn}, in either order, by a plan that was made for
// these lengths and is ready. A plan for a square takes ap == bp. A decimal plan takes words. Only
// reads ctx. ws: plan->workspace_bytes, 64-byte aligned. A certified plan may give a wrong product.
// Returns false if the call is to end (context_step): {rp} is undefined then, but unchanged where
// mul_plan_writes_late.
bool mul_execute(const bigint_ctx *ctx, const mul_plan *plan, uint64_t *rp, const uint64_t *ap,
                 uint64_t an, const uint64_t *bp, uint64_t bn, void *ws);

// mul_plan_writes_late: whether a product ends early only before its first limb is written, for
// any plan that the context makes for these lengths.
bool mul_plan_writes_late(const bigint_ctx *ctx, uint64_t an, uint64_t bn);

// mul_plan_reads_first: whether mul_run has read both operands when it writes the first limb. Then
// the result may lie where they do.
bool mul_plan_reads_first(const bigint_ctx *ctx, const mul_plan *plan);

// mul_tally: products, as the counters count them, and the ones that are still wrong at the end.
typedef struct {
    uint64_t products, checks, mismatches, wrong;
    bool canceled;  // some products were not computed
} mul_tally;

// mul_run: mul_execute of limbs, and the check if the context checks products. If a product of a
// certified plan is wrong, the modular transform, which is exact by proof, computes it again, and
// that product is checked too. Adds to the tally; {rp, an + bn} is wrong if and only if the tally
// counts one more wrong product, or is canceled (mul_execute). rp overlaps neither operand, unless
// mul_plan_reads_first.
void mul_run(const bigint_ctx *ctx, const mul_plan *plan, uint64_t *rp, const uint64_t *ap,
             uint64_t an, const uint64_t *bp, uint64_t bn, void *ws, mul_tally *tally);
// mul_tally_product counts a product, and checks it if the context checks products.
void mul_tally_product(const bigint_ctx *ctx, mul_tally *tally, const uint64_t *rp,
                       const uint64_t *ap, uint64_t an, const uint64_t *bp, uint64_t bn);
// mul_count adds a tally to the context's counters.
void mul_count(bigint_ctx *ctx, const mul_tally *tally);

// mul_check counts a product of limbs and compares residues if the context checks products.
// mul_check_words does the same for words that weigh radix^i. Errors: ECHECK.
bigint_status mul_check(bigint_ctx *ctx, const uint64_t *rp, const uint64_t *ap, uint64_t an,
                        const uint64_t *bp, uint64_t bn);
bigint_status mul_check_words(bigint_ctx *ctx, const char *who, uint64_t radix, const uint64_t *rp,
                              const uint64_t *ap, uint64_t an, const uint64_t *bp, uint64_t bn);

// mul_limbs_short: {rp, an + bn} = {ap, an} {bp, bn} by the schoolbook, in either order of lengths.
// rp overlaps neither.
static inline void mul_limbs_short(const limbs_ops *ops, uint64_t *rp, const uint64_t *ap,
                                   uint64_t an, const uint64_t *bp, uint64_t bn) {
    if (an == 1 && bn == 1) {  // inline, because a call would take most of the time
        rp[0] = word_mul(&rp[1], ap[0], bp[0]);
    } else if (an == bn && an <= LIMBS_FEW) {
        if (ap == bp) {
            ops->sqr_few[an](rp, ap);
        } else {
            ops->mul_few[an](rp, ap, bp);
        }
    } else if (bn == 1) {
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
// limbs. Counts the product, and checks it if the context checks products. rp overlaps neither.
// Errors: ECHECK.
static inline bigint_status mul_short(bigint_ctx *ctx, uint64_t *rp, const uint64_t *ap,
                                      uint64_t an, const uint64_t *bp, uint64_t bn) {
    mul_limbs_short(ctx->limbs, rp, ap, an, bp, bn);
    if (ctx->check_modulus != 0) {
        return mul_check(ctx, rp, ap, an, bp, bn);
    }
    ctx->counters.products++;
    return BIGINT_OK;
}

// mul_plan_print writes the plan as one line, like snprintf.
int mul_plan_print(const bigint_ctx *ctx, const mul_plan *plan, char *buf, size_t cap);

// bigint_mul_limbs: {rp, an + bn} = {ap, an} {bp, bn}, for any lengths, zero included, in either
// order; ap == bp with an == bn is squared. rp overlaps neither input, unless mul_plan_reads_first
// of their plan. The context chooses the engine. Workspace from the arena. Errors: ENOMEM, ERANGE:
// {rp} is unchanged, because everything that can fail does so before the first limb is written;
// ECANCELED: {rp} is undefined; ECHECK: {rp} is the wrong product.
bigint_status bigint_mul_limbs(bigint_ctx *ctx, uint64_t *rp, const uint64_t *ap, uint64_t an,
                               const uint64_t *bp, uint64_t bn);
// mul_need: what bigint_mul_limbs of an by bn limbs, or of a square, needs. mul_plan_need: of the
// plan's workspace and tables.
void mul_need(work_need *n, uint64_t an, uint64_t bn, bool square);
void mul_plan_need(work_need *n, const mul_plan *plan);

#endif  // BIGINT_MULTIPLY_MUL_H_
