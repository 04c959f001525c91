// kept.c: see kept.h.
#include "bigint/divide/kept.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/names.h"
#include "bigint/core/tune.h"
#include "bigint/divide/divrem.h"
#include "bigint/divide/reciprocal.h"
#include "primitives/limbs/limbs.h"
#include "primitives/words/word.h"

// Not measured yet: a quotient of less than this part of a block is found without the reciprocal,
// because the products of a short block cost as much as a long one's.
enum { KEPT_BLOCK_PART = 8 };

// block_of: the limbs of a quotient that are found at a time, 0 where a reciprocal does not pay.
static uint64_t block_of(const bigint_ctx *ctx, uint64_t dn, uint64_t qn) {
    const uint64_t m = qn < dn ? qn : dn, least = newton_threshold(ctx) / DIV_NEWTON_LONG_PART;
    return m >= least && m >= 2 ? m : 0;
}

uint64_t kept_divisor_bytes(const bigint_ctx *ctx, uint64_t dn, uint64_t qn) {
    const uint64_t m = block_of(ctx, dn, qn), limbs = arena_limbs_bytes(dn);
    return m == 0 ? limbs : 2 * limbs + block_divider_bytes(ctx, dn, m);
}

bigint_status kept_divisor_make(bigint_ctx *ctx, kept_divisor *s, void *memory, const uint64_t *dp,
                                uint64_t dn, uint64_t qn) {
    const uint64_t m = block_of(ctx, dn, qn), limbs = arena_limbs_bytes(dn);
    uint64_t *const d = memory, *const shifted =
                                    (uint64_t *)(void *)((unsigned char *)memory + limbs);
    assert(dn >= 1 && dp[dn - 1] != 0);
    memcpy(d, dp, dn * sizeof *d);
    *s = (kept_divisor){.dp = d, .dn = dn, .shift = word_clz(dp[dn - 1]), .variant = ctx->variant};
    if (m == 0) {
        return BIGINT_OK;
    }
    limbs_lshift(shifted, d, dn, s->shift);
    return block_divider_keep(ctx, &s->by, (unsigned char *)memory + 2 * limbs, shifted, dn, m);
}

// reciprocal_serves: whether a quotient of qn limbs is found with a kept reciprocal of m.
static bool reciprocal_serves(uint64_t m, uint64_t qn) {
    return m != 0 && KEPT_BLOCK_PART * qn >= m;
}

bigint_status kept_divide(bigint_ctx *ctx, uint64_t *qp, uint64_t *rp, const uint64_t *ap,
                          uint64_t an, const kept_divisor *s) {
    const uint64_t dn = s->dn, qn = an - dn + 1;
    if (s->variant != ctx->variant || !reciprocal_serves(s->by.m, qn)) {
        return bigint_divrem_limbs(ctx, qp, rp, ap, an, s->dp, dn);
    }
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t *const a = arena_take_limbs(ctx, "bigint_divrem_prep", an + 1);
    bigint_status status = BIGINT_ENOMEM;
    if (a != NULL) {  // A = a 2^shift: its top dn limbs are below D
        a[an] = limbs_lshift(a, ap, an, s->shift);
        status = block_divider_divide(ctx, &s->by, qp, a, qn);
    }
    if (status == BIGINT_OK && rp != NULL) {
        limbs_rshift(rp, a, dn, s->shift);
    }
    arena_release(ctx, mark);
    return status;
}

void kept_divisor_need(work_need *n, uint64_t dn, uint64_t qn) {
    const uint64_t m = block_of(n->ctx, dn, qn);
    if (m != 0) {
        block_divider_keep_need(n, dn, m);
    }
}

void kept_divide_need(work_need *n, uint64_t an, uint64_t dn, uint64_t qn) {
    const uint64_t in_use = n->host.in_use, m = block_of(n->ctx, dn, qn);
    if (!reciprocal_serves(m, an - dn + 1)) {
        divrem_limbs_need(n, an, dn);
        return;
    }
    need_take_limbs(&n->host, an + 1);
    block_divider_divide_need(n, dn, m);
    need_release(&n->host, in_use);
}

int kept_print(const bigint_ctx *ctx, char *buf, size_t cap, uint64_t an, uint64_t dn,
               uint64_t qn) {
    const uint64_t m = block_of(ctx, dn, qn);
    const char *const backend = names_backend(ctx->device.backend);
    const unsigned long long d = dn, block = m;
    if (m == 0) {
        return snprintf(buf, cap, "%s division by %llu limbs, of which a copy is kept", backend, d);
    }
    return snprintf(buf, cap, "%s division by %llu limbs, of which a reciprocal of %llu is kept%s",
                    backend, d, block,
                    an < dn || reciprocal_serves(m, an - dn + 1)
                        ? ""
                        : ", and not used for so short a quotient");
}
