// modular.h: products through the modular transform: split in pieces, convolve, carry. Internal to
// bigint/.
#ifndef BIGINT_MULTIPLY_MODULAR_H_
#define BIGINT_MULTIPLY_MODULAR_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"

// mul_fft_plan: a product of an >= bn limbs as products of pieces, each through one transform. Pure
// data.
typedef struct {
    fft_plan fft;               // of a_piece by b_piece limbs
    uint64_t a_piece, b_piece;  // limbs; an, bn for one piece
    bool cut;                   // more than one product of pieces
    bool square;                // one piece times itself
    bool prepares;              // b is one piece, transformed once for all pieces of a
    unsigned others;            // planes for the second operand, a prime each (fft/modular/fft.h)
    unsigned k;                 // digits of base 10^k, one to a word; 0: limbs
} mul_fft_plan;

// mul_fft_plan_make plans a product of an >= bn >= 1 limbs. False if there is no exact plan. cuts =
// 1: the fastest plan, which cuts only an operand that is much longer than the other. cuts > 1: it
// cuts both operands into this many pieces, which divides the workspace and multiplies the time by
// about that.
bool mul_fft_plan_make(const bigint_ctx *ctx, mul_fft_plan *plan, uint64_t an, uint64_t bn,
                       bool square, uint64_t cuts);

// mul_fft_plan_decimal plans a product of an >= 1 by bn >= 1 decimal digits in the largest radix
// 10^k, k <= 19, that is exact; operands and result then are words below 10^k, ceil(digits / k) of
// them. False if there is no such plan.
bool mul_fft_plan_decimal(const bigint_ctx *ctx, mul_fft_plan *plan, uint64_t a_digits,
                          uint64_t b_digits, bool square);

// mul_fft_others: how many primes the context's team would run at once, a thread each, by the
// plan's field fft.
unsigned mul_fft_others(const bigint_ctx *ctx, const mul_fft_plan *plan);

// Bytes of workspace for mul_fft_run, with b prepared by the caller or not; bytes of the tables
// that mul_fft_tables will hold.
uint64_t mul_fft_workspace_bytes(const bigint_ctx *ctx, const mul_fft_plan *plan, bool prepared);
uint64_t mul_fft_tables_bytes(const bigint_ctx *ctx, const mul_fft_plan *plan);

// mul_fft_tables extends the context's tables as far as the plan needs. Errors: ENOMEM.
// mul_fft_ready: whether they are long enough.
bigint_status mul_fft_tables(bigint_ctx *ctx, const char *who, const mul_fft_plan *plan);
bool mul_fft_ready(const bigint_ctx *ctx, const mul_fft_plan *plan);
// mul_fft_trim frees the context's tables.
void mul_fft_trim(bigint_ctx *ctx);
static inline void mul_fft_tables_need(work_need *n, const mul_fft_plan *plan) {
    need_tables(n, 0, mul_fft_tables_bytes(n->ctx, plan));  // one set for all lengths
}

// An operand in transform domain: mul_fft_operand_bytes bytes of planes, filled by mul_fft_prepare
// with mul_fft_prepare_bytes of workspace.
uint64_t mul_fft_operand_bytes(const mul_fft_plan *plan);
uint64_t mul_fft_prepare_bytes(const bigint_ctx *ctx, const mul_fft_plan *plan);
void mul_fft_prepare(const bigint_ctx *ctx, const mul_fft_plan *plan, double *planes,
                     const uint64_t *bp, uint64_t bn, void *ws, team *workers);

// mul_fft_run: {rp, an + bn} = {ap, an} {bp, bn} by a plan for these lengths whose tables are
// ready. prepared: planes of mul_fft_prepare by the same plan, or NULL. Only reads ctx. workers:
// the team, or NULL. Returns false if the call is to end (context_step): {rp} is unchanged then,
// except where the plan cuts.
bool mul_fft_run(const bigint_ctx *ctx, const mul_fft_plan *plan, uint64_t *rp, const uint64_t *ap,
                 uint64_t an, const uint64_t *bp, uint64_t bn, const double *prepared, void *ws,
                 team *workers);

// --- Products modulo 2^bits - 1 and 2^bits + 1 ---------------------------------------------------

// mul_fft_ring_plan_make plans a product modulo 2^bits - 1, or + 1 (plus), of operands of up to
// bits / 64 limbs, by a transform of bits / digit_bits points. False if bits has no such plan. Of
// the plan's fields fft, square and others are used; mul_fft_workspace_bytes says the workspace.
bool mul_fft_ring_plan_make(const bigint_ctx *ctx, mul_fft_plan *plan, uint64_t bits, bool plus,
                            bool square);
// mul_fft_ring_limbs: what mul_fft_ring_run writes.
uint64_t mul_fft_ring_limbs(const mul_fft_plan *plan);
// mul_fft_ring_run: {rp, mul_fft_ring_limbs} = a number congruent to {ap, an} {bp, bn}, not
// reduced. rp overlaps no operand. It reports progress as number `part` of `parts` such products.
// Otherwise as mul_fft_run.
bool mul_fft_ring_run(const bigint_ctx *ctx, const mul_fft_plan *plan, uint64_t *rp,
                      const uint64_t *ap, uint64_t an, const uint64_t *bp, uint64_t bn,
                      unsigned part, unsigned parts, void *ws, team *workers);

// --- Sums of products in transform domain --------------------------------------------------------

// mul_term: {ap, an} {bp, bn}, added or subtracted; a square if both are the same.
typedef struct {
    const uint64_t *ap, *bp;
    uint64_t an, bn;
    bool subtract;
} mul_term;

// mul_fft_sum_plan_make plans the sum of `terms` products whose operands have no more than `limbs`
// limbs together and `shorter` the shorter one, 1 <= shorter <= limbs / 2. False if there is no
// exact plan. Of the plan's fields fft and others are used.
bool mul_fft_sum_plan_make(const bigint_ctx *ctx, mul_fft_plan *plan, uint64_t limbs,
                           uint64_t shorter, uint64_t terms);
// mul_fft_sum_limbs: what mul_fft_sum_run writes; mul_fft_sum_bytes: its workspace.
uint64_t mul_fft_sum_limbs(const mul_fft_plan *plan);
uint64_t mul_fft_sum_bytes(const bigint_ctx *ctx, const mul_fft_plan *plan, uint64_t terms);
// mul_fft_sum_run: {rp, mul_fft_sum_limbs} = the sum of n >= 1 terms within the plan, in two's
// complement. The first term is added. rp overlaps no operand. Otherwise as mul_fft_run.
bool mul_fft_sum_run(const bigint_ctx *ctx, const mul_fft_plan *plan, uint64_t *rp,
                     const mul_term *terms, size_t n, void *ws, team *workers);

#endif  // BIGINT_MULTIPLY_MODULAR_H_
