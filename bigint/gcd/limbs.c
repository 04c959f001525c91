// limbs.c: the public calls on limbs.
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/integer.h"
#include "bigint/core/limbs.h"
#include "bigint/gcd/gcd.h"

// check: what both calls require.
static bigint_status check(bigint_ctx *ctx, const char *who, uint64_t an, const uint64_t *bp,
                           uint64_t bn) {
    bigint_status status = bigint_check_limbs(ctx, who);
    if (status == BIGINT_OK) {
        status = bigint_check_size(ctx, who, an > bn ? an : bn);
    }
    if (status == BIGINT_OK && (bn == 0 || bp[bn - 1] == 0)) {
        status = bigint_fail(ctx, BIGINT_EINVAL,
                             "%s: the top limb of b is 0; give its exact length, and a number "
                             "other than 0",
                             who);
    }
    return status;
}

static void pad(uint64_t *p, uint64_t n, uint64_t length) {
    memset(p + n, 0, (length - n) * sizeof *p);
}

bigint_status bigint_limbs_gcd(bigint_ctx *ctx, uint64_t *gp, const uint64_t *ap, uint64_t an,
                               const uint64_t *bp, uint64_t bn) {
    const char *const who = "bigint_limbs_gcd";
    const bigint_status status = check(ctx, who, an, bp, bn);
    if (status != BIGINT_OK) {
        return status;
    }
    const gcd_run run = gcd_begin(ctx, who);
    an = limbs_normalize(ap, an);
    uint64_t gn = bn;
    if (an == 0) {
        memmove(gp, bp, bn * sizeof *gp);
        return BIGINT_OK;
    }
    const bool longer = an >= bn;  // the longer number is divided by the other one first
    const bigint_status done = longer ? gcd_limbs(&run, gp, &gn, ap, an, bp, bn)
                                      : gcd_limbs(&run, gp, &gn, bp, bn, ap, an);
    if (done == BIGINT_OK) {
        pad(gp, gn, bn);
    }
    return done;
}

bigint_status bigint_limbs_gcdext(bigint_ctx *ctx, uint64_t *gp, uint64_t *sp, int *s_sign,
                                  const uint64_t *ap, uint64_t an, const uint64_t *bp,
                                  uint64_t bn) {
    const char *const who = "bigint_limbs_gcdext";
    const bigint_status status = check(ctx, who, an, bp, bn);
    if (status != BIGINT_OK) {
        return status;
    }
    const gcd_run run = gcd_begin(ctx, who);
    uint64_t gn, sn;
    bool negative;
    const bigint_status done = gcd_cofactor(&run, gp, &gn, sp, &sn, &negative, ap, an, bp, bn);
    if (done == BIGINT_OK) {
        pad(gp, gn, bn);
        pad(sp, sn, bn);
        *s_sign = sn == 0 ? 0 : negative ? -1 : 1;
    }
    return done;
}
