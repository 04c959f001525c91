// quotient.c: see quotient.h.
#include "bigint/divide/quotient.h"

#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/divide/blocks.h"
#include "bigint/divide/divrem.h"
#include "bigint/divide/scale.h"
#include "bigint/divide/small.h"
#include "primitives/words/word.h"

// quotient_by_rows: a quotient without a remainder, by div_small_quotient, whose answer it returns.
// {ws, 2 an + 2} is workspace; qp may be an operand. Of the divisor the top qn + 2 limbs count.
static bool quotient_by_rows(const limbs_ops *ops, uint64_t *qp, const uint64_t *ap, uint64_t an,
                             const uint64_t *dp, uint64_t dn, uint64_t *ws) {
    const uint64_t qn = an - dn + 1, low = dn > qn + 2 ? dn - (qn + 2) : 0;
    const unsigned s = word_clz(dp[dn - 1]);
    an -= low;
    dn -= low;
    uint64_t *const d = ws + an + 1, *const q = d + dn;
    ws[an] = shift_up(ws, ap + low, an, s);
    shift_up(d, dp + low, dn, s);
    const bool found = div_small_quotient(ops, q, ws, qn, d, dn);
    if (found) {
        copy_words(qp, q, qn);
    }
    return found;
}

bool quotient_on_stack(const bigint_ctx *ctx, uint64_t *qp, const uint64_t *ap, uint64_t an,
                       const uint64_t *dp, uint64_t dn) {
    uint64_t ws[2 * DIVREM_SHORT + 2];
    return quotient_by_rows(ctx->limbs, qp, ap, an, dp, dn, ws);
}

// quotient_below: {qp, an - dn + 1} = the quotient by a reciprocal, with one limb more below it,
// which tells whether what it may lack reaches the others: *found.
static bigint_status quotient_below(bigint_ctx *ctx, bool *found, uint64_t *qp, const uint64_t *ap,
                                    uint64_t an, const uint64_t *dp, uint64_t dn) {
    const arena_mark mark = arena_get_mark(ctx);
    const unsigned s = word_clz(dp[dn - 1]);
    const uint64_t qn = an - dn + 1;
    uint64_t *const a = arena_take_limbs(ctx, "bigint_divrem", an + 2);
    uint64_t *const q = a == NULL ? NULL : arena_take_limbs(ctx, "bigint_divrem", qn + 1);
    const uint64_t *d;
    bigint_status status = BIGINT_ENOMEM;
    if (q != NULL && scale_divisor(ctx, &d, dp, dn, s)) {
        a[0] = 0;
        a[an + 1] = limbs_lshift(a + 1, ap, an, s);
        status = divide_blocks_below(ctx, q, a, qn + 1, d, dn);
    }
    *found = status == BIGINT_OK && q[0] <= UINT64_MAX - BLOCKS_BELOW_MOST;
    if (*found) {
        memcpy(qp, q + 1, qn * sizeof *qp);
    }
    arena_release(ctx, mark);
    return status;
}

bigint_status quotient_alone(bigint_ctx *ctx, bool *found, uint64_t *qp, const uint64_t *ap,
                             uint64_t an, const uint64_t *dp, uint64_t dn) {
    const uint64_t qn = an - dn + 1;
    *found = false;
    if (division_way_of(ctx, qn, dn) == DIVISION_BLOCKS) {
        return quotient_below(ctx, found, qp, ap, an, dp, dn);
    }
    if (!div_small_quotient_pays(ctx->limbs, qn, dn)) {
        return BIGINT_OK;
    }
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t *const ws = arena_take_limbs(ctx, "bigint_divrem", division_rows_limbs(an));
    if (ws != NULL) {
        *found = quotient_by_rows(ctx->limbs, qp, ap, an, dp, dn, ws);
    }
    arena_release(ctx, mark);
    return ws == NULL ? BIGINT_ENOMEM : BIGINT_OK;
}
