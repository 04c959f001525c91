// plan.c: see plan.h.
#include "bigint/divide/plan.h"

#include <stdio.h>

#include "bigint/core/names.h"
#include "bigint/core/tune.h"
#include "bigint/divide/blocks.h"
#include "bigint/divide/exact.h"
#include "bigint/divide/reciprocal.h"
#include "bigint/divide/small.h"
#include "bigint/multiply/mul.h"
#include "primitives/words/word.h"

// newton_pays: whether a reciprocal is faster than recursion. One that serves many blocks is from
// shorter divisors on.
static bool newton_pays(const bigint_ctx *ctx, uint64_t qn, uint64_t dn) {
    const uint64_t threshold = newton_threshold(ctx);
    return qn >= 2 * dn ? dn >= threshold / DIV_NEWTON_LONG_PART
                        : qn >= threshold && dn >= threshold;
}

division_way division_way_of(const bigint_ctx *ctx, uint64_t qn, uint64_t dn) {
    return div_small_by_rows(ctx->limbs, dn) ? DIVISION_ROWS
           : newton_pays(ctx, qn, dn)        ? DIVISION_BLOCKS
                                             : DIVISION_RECURSIVE;
}

uint64_t division_block(uint64_t qn, uint64_t dn) {
    if (qn > dn) {
        return word_ceil_div(qn, word_ceil_div(qn, dn));
    }
    return 3 * qn > dn ? word_ceil_div(qn, 2) : qn;
}

int division_print(bigint_ctx *ctx, char *buf, size_t cap, uint64_t an, uint64_t dn) {
    const char *const backend = names_backend(ctx->device.backend);
    const unsigned long long a = an, d = dn, qn = an < dn ? 0 : an - dn + 1;
    if (an < dn || division_is_short(true, an, dn)) {
        return snprintf(buf, cap, "%s division %s, %llu by %llu limbs, %s", backend,
                        ctx->limbs->name, a, d, an < dn ? "quotient 0" : "on the stack");
    }
    const division_way way =
        div_small_unshifted_pays(ctx->limbs, qn, dn) ? DIVISION_ROWS : division_way_of(ctx, qn, dn);
    if (way != DIVISION_BLOCKS) {
        return snprintf(buf, cap, "%s division %s, %llu by %llu limbs, %s", backend,
                        ctx->limbs->name, a, d, way == DIVISION_ROWS ? "by rows" : "recursive");
    }
    const uint64_t m = division_block(qn, dn);
    char product[512] = "";
    mul_plan plan;
    if (mul_plan_make(ctx, "bigint_divrem", &plan, dn, m, false) == BIGINT_OK) {
        mul_plan_print(ctx, &plan, product, sizeof product);
    }
    return snprintf(buf, cap,
                    "%s division, %llu by %llu limbs, blocks: %llu of %llu limbs by a reciprocal; "
                    "products up to %s",
                    backend, a, d, (unsigned long long)word_ceil_div(qn, m), (unsigned long long)m,
                    product);
}

// --- Workspace -----------------------------------------------------------------------------------

void divide_limbs_need(work_need *n, uint64_t qn, uint64_t dn) {
    const uint64_t in_use = n->host.in_use;
    switch (division_way_of(n->ctx, qn, dn)) {
        case DIVISION_BLOCKS:
            divide_blocks_need(n, qn, dn);
            break;
        case DIVISION_RECURSIVE:
            need_take_limbs(&n->host, div_small_workspace_limbs(qn, dn));
            break;
        case DIVISION_ROWS:
            break;
    }
    need_release(&n->host, in_use);
}

void divrem_limbs_need(work_need *n, uint64_t an, uint64_t dn) {
    const uint64_t in_use = n->host.in_use, qn = an - dn + 1;
    if (an <= DIVREM_SHORT) {
        return;
    }
    need_take_limbs(&n->host, qn);  // where no quotient is wanted
    const uint64_t kept = n->host.in_use;
    if (dn > 2 && division_way_of(n->ctx, qn, dn) == DIVISION_BLOCKS) {  // a quotient alone
        need_take_limbs(&n->host, an + 2);
        need_take_limbs(&n->host, qn + 1);
        need_take_limbs(&n->host, dn);
        divide_blocks_need(n, qn + 1, dn);
        need_release(&n->host, kept);
    } else if (dn > 2 && div_small_quotient_pays(n->ctx->limbs, qn, dn)) {
        need_take_limbs(&n->host, division_rows_limbs(an));
        need_release(&n->host, kept);
    }
    if (dn > 2) {
        need_take_limbs(&n->host, an + 1);
        need_take_limbs(&n->host, dn);
        if (!div_small_unshifted_pays(n->ctx->limbs, qn, dn)) {
            divide_limbs_need(n, qn, dn);
        }
    }
    need_release(&n->host, in_use);
}

void divrem_need(work_need *n, uint64_t an, uint64_t dn) {
    const uint64_t in_use = n->host.in_use;
    if (an < dn || dn == 0) {
        return;
    }
    if (an <= DIVREM_SHORT) {
        need_take_limbs(&n->host, an - dn + 1);
    }
    divrem_limbs_need(n, an, dn);  // with the quotient
    need_release(&n->host, in_use);
}

void divexact_need(work_need *n, uint64_t an, uint64_t dn) {
    const uint64_t in_use = n->host.in_use;
    if (exact_pays(n->ctx, dn) && an >= dn) {
        need_take_limbs(&n->host, an - dn + 2);
        exact_divide_need(n, an, dn);
    } else {
        need_take_limbs(&n->host, an < dn ? 1 : an - dn + 2);
        need_take_limbs(&n->host, dn);
        divrem_need(n, an, dn);
    }
    need_release(&n->host, in_use);
}
