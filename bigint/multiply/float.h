// float.h: products through floating-point transforms, with digit widths that are proved or, in
// mode certified, expected to work: engines real-fft and complex-fft, in double and in float.
// Internal to bigint/.
#ifndef BIGINT_MULTIPLY_FLOAT_H_
#define BIGINT_MULTIPLY_FLOAT_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"
#include "fft/complex/float_product.h"
#include "primitives/words/word.h"

// mul_float_plan: a product of an >= bn limbs, or of words of k decimal digits. Pure data.
typedef struct {
    fft_float_plan fft;    // of a_piece by bn limbs
    uint64_t a_piece, bn;  // a_piece: an, or less: then b is transformed once for `pieces` of a
    uint64_t pieces;
    uint64_t ranges;  // of pieces, a thread each
    bool square;
    unsigned k;  // digits of base 10^k, one to a word; 0: limbs
} mul_float_plan;

// mul_float_points: of all transforms of a plan together.
uint64_t mul_float_points(const mul_float_plan *plan);

// mul_float_engine: whether an engine is a floating-point one.
bool mul_float_engine(engine_kind engine);

// mul_float_method, mul_float_type: of a floating-point engine.
fft_bound_method mul_float_method(engine_kind engine);
fft_float mul_float_type(engine_kind engine);

// mul_float_refuse: ERANGE, for operands of an and bn units for which no proof exists.
bigint_status mul_float_refuse(bigint_ctx *ctx, const char *who, engine_kind engine, uint64_t an,
                               uint64_t bn, const char *unit, const char *why);

// mul_float_plan_make plans a product of an >= bn >= 1 limbs for a floating-point engine. If a is
// much longer and pieces take less time, it cuts a into pieces that `threads` threads share.
// mul_float_plan_decimal plans a product of a_digits >= 1 by b_digits >= 1 decimal digits in the
// largest radix 10^k that is proved. certified: the product may be wrong, as by fft_float_plan.
// Both return NULL, or why there is no such plan.
const char *mul_float_plan_make(mul_float_plan *plan, engine_kind engine, uint64_t an, uint64_t bn,
                                bool square, bool certified, unsigned threads);
const char *mul_float_plan_decimal(mul_float_plan *plan, engine_kind engine, uint64_t a_digits,
                                   uint64_t b_digits, bool square);
// mul_float_plan_share: for a team of threads that share one transform.
void mul_float_plan_share(mul_float_plan *plan);

// mul_float_plan_wrapped plans products of the real transform modulo B^m + 1, B = 2^64, for the
// least m >= n that it has, mul_float_wrap_limbs of the plan, and operands of an, bn <= n limbs.
// sums: and sums of two such products. NULL, or why there is no such plan.
const char *mul_float_plan_wrapped(mul_float_plan *plan, uint64_t an, uint64_t bn, uint64_t n,
                                   bool sums);
uint64_t mul_float_wrap_limbs(const mul_float_plan *plan);
// mul_float_plan_pair plans two such rings that share their tables: plan[0] modulo B^m + 1, m >= n,
// for operands of up to m limbs, and plan[1] modulo a larger one for sums of products of m + 1
// limbs by bn <= n.
const char *mul_float_plan_pair(mul_float_plan plan[2], uint64_t bn, uint64_t n);

// Bytes of workspace for mul_float_run, and of the tables that mul_float_tables makes for this plan
// in addition to those of other plans; 0 where the process shares them (shared_tables.h).
uint64_t mul_float_workspace_bytes(const bigint_ctx *ctx, const mul_float_plan *plan);
uint64_t mul_float_tables_bytes(const mul_float_plan *plan);

// mul_float_tables makes the plan's tables; the context, or for short plans the process, keeps one
// set for each length and type in use. Errors: ENOMEM. mul_float_find: the tables, or NULL.
// mul_float_trim frees the context's.
bigint_status mul_float_tables(bigint_ctx *ctx, const char *who, const mul_float_plan *plan);
const void *mul_float_find(const bigint_ctx *ctx, const mul_float_plan *plan);
void mul_float_trim(bigint_ctx *ctx);
void mul_float_tables_need(work_need *n, const mul_float_plan *plan);

// mul_float_run: {rp, an + bn} = {ap, an} {bp, bn} by a plan for these lengths whose tables exist.
// A certified plan may give another number of an + bn limbs. Only reads ctx. workers: the team, or
// NULL. Returns false if the call is to end (context_step), with parts of {rp} written if the plan
// has several pieces.
bool mul_float_run(const bigint_ctx *ctx, const mul_float_plan *plan, uint64_t *rp,
                   const uint64_t *ap, uint64_t an, const uint64_t *bp, uint64_t bn, void *ws,
                   team *workers);

// --- Prepared operands: of plans of the real transform with one piece, by one thread ---

// mul_float_plane_bytes: an operand in transform domain; mul_float_prepared_bytes: workspace of
// all three calls. mul_float_prepare: plane = the transform of {bp, bn}.
uint64_t mul_float_plane_bytes(const mul_float_plan *plan);
uint64_t mul_float_prepared_bytes(const mul_float_plan *plan);
void mul_float_prepare(const bigint_ctx *ctx, const mul_float_plan *plan, void *plane,
                       const uint64_t *bp, uint64_t bn, void *ws);
// mul_float_run_prepared: {rp, an + bn} = {ap, an} times the operand of bn limbs, where an and bn
// are at most the plan's lengths, in either order. Of a plan that wraps: {rp, m + 2} = a number
// congruent to it plus B^m times mul_float_wrap_offset, which is not below 0.
void mul_float_run_prepared(const bigint_ctx *ctx, const mul_float_plan *plan, uint64_t *rp,
                            const uint64_t *ap, uint64_t an, const void *plane, uint64_t bn,
                            void *ws);
word_pair mul_float_wrap_offset(const mul_float_plan *plan);
// mul_float_run_wrapped: the same of {ap, an} {bp, bn}, or of {ap, an}^2 for bp == NULL. ws:
// mul_float_wrapped_bytes.
uint64_t mul_float_wrapped_bytes(const mul_float_plan *plan);
void mul_float_run_wrapped(const bigint_ctx *ctx, const mul_float_plan *plan, uint64_t *rp,
                           const uint64_t *ap, uint64_t an, const uint64_t *bp, uint64_t bn,
                           void *ws);
// mul_float_run_sum: the same of p0 p1 + p2 p3, or of p0 p1 - p2 p3 for `minus`, of prepared planes
// of a plan that wraps and was made for sums.
void mul_float_run_sum(const bigint_ctx *ctx, const mul_float_plan *plan, uint64_t *rp,
                       const void *const planes[4], bool minus, void *ws);

#endif  // BIGINT_MULTIPLY_FLOAT_H_
