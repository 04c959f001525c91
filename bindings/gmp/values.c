// values.c: GMP's quotients, roots, powers, text and greatest common divisors, answered by the limb
// level (bigint_limbs.h) for the sizes where that is faster, and by GMP's own code for others and
// where memory is short.
#include "bindings/gmp/entries.h"
#include "bindings/gmp/gpu.h"
#include "bindings/gmp/ours.h"
#include "bindings/gmp/session.h"
#include "primitives/limbs/limbs.h"

// --- Quotients -----------------------------------------------------------------------------------
// {np, nn} = {qp, nn - dn + 1} {dp, dn} + {rp, dn}, nn >= dn >= 1, dp[dn - 1] != 0. rp may be np.
// GMP requires qxn = 0.

static bool divide(mpn_function function, mpn_limb *qp, mpn_limb *rp, const mpn_limb *np,
                   mpn_size nn, const mpn_limb *dp, mpn_size dn) {
    volatile uint64_t frame;
    session *const s = session_enter(&frame);
    if (s == NULL) {
        return outcome(function, BIGINT_ENOMEM);
    }
    const bigint_status status =
        bigint_limbs_divrem(s->ctx, qp, rp, np, (uint64_t)nn, dp, (uint64_t)dn);
    session_leave(s);
    return outcome(function, status);
}

// Where products go to a GPU, GMP's quotients are products there.
static inline bool division_is_ours(const division_range *range, mpn_size nn, mpn_size dn) {
    const mpn_size qn = nn - dn;
    return within(range->divisor, dn) && !gpu_takes((uint64_t)dn) &&
           qn >= (range->any ? range->divisor.least : dn / 2);
}

EXPORT void ENTRY(tdiv_qr)(mpn_limb *qp, mpn_limb *rp, mpn_size qxn, const mpn_limb *np,
                           mpn_size nn, const mpn_limb *dp, mpn_size dn) {
    if (qxn != 0 || !division_is_ours(&ours.divrem, nn, dn) ||
        !divide(MPN_TDIV_QR, qp, rp, np, nn, dp, dn)) {
        count_call(MPN_TDIV_QR, CALL_PASSED);
        mpn_original()->tdiv_qr(qp, rp, qxn, np, nn, dp, dn);
    }
}

// div_q: without the remainder. tp is workspace of nn + 1 limbs, and may be np.
EXPORT void ENTRY(div_q)(mpn_limb *qp, const mpn_limb *np, mpn_size nn, const mpn_limb *dp,
                         mpn_size dn, mpn_limb *tp) {
    if (!division_is_ours(&ours.quotient, nn, dn) || !divide(MPN_DIV_Q, qp, NULL, np, nn, dp, dn)) {
        count_call(MPN_DIV_Q, CALL_PASSED);
        mpn_original_of(CALLER)->div_q(qp, np, nn, dp, dn, tp);
    }
}

// --- Roots, powers, text -------------------------------------------------------------------------

// sqrtrem: {sp, ceil(nn / 2)} = s = floor(sqrt({np, nn})), np[nn - 1] != 0; returns the length of
// the remainder {rp, nn}, without zeros at the top. rp may be np, or NULL; then what is returned is
// 0 only if the remainder is.
static bool square_root(mpn_size *rn, mpn_limb *sp, mpn_limb *rp, const mpn_limb *np, mpn_size nn) {
    volatile uint64_t frame;
    session *const s = session_enter(&frame);
    if (s == NULL) {
        return outcome(MPN_SQRTREM, BIGINT_ENOMEM);
    }
    int exact = 0;
    const bigint_status status = bigint_limbs_sqrt(s->ctx, sp, rp, &exact, np, (uint64_t)nn);
    if (status == BIGINT_OK) {
        *rn = rp == NULL ? !exact : (mpn_size)limbs_normalize(rp, (uint64_t)nn);
    }
    session_leave(s);
    return outcome(MPN_SQRTREM, status);
}

EXPORT mpn_size ENTRY(sqrtrem)(mpn_limb *sp, mpn_limb *rp, const mpn_limb *np, mpn_size nn) {
    mpn_size rn;
    if (!within(rp == NULL ? ours.root_alone : ours.root, nn) ||
        !square_root(&rn, sp, rp, np, nn)) {
        count_call(MPN_SQRTREM, CALL_PASSED);
        rn = mpn_original()->sqrtrem(sp, rp, np, nn);
    }
    return rn;
}

// powm: {rp, n} = {bp, bn}^{ep, en} mod {mp, n}, which is odd; mp[n - 1] and ep[en - 1] are not 0.
// rp overlaps nothing. tp is workspace.
static bool power(mpn_limb *rp, const mpn_limb *bp, mpn_size bn, const mpn_limb *ep, mpn_size en,
                  const mpn_limb *mp, mpn_size n) {
    volatile uint64_t frame;
    session *const s = session_enter(&frame);
    if (s == NULL) {
        return outcome(MPN_POWM, BIGINT_ENOMEM);
    }
    const bigint_status status =
        bigint_limbs_powm(s->ctx, rp, bp, (uint64_t)bn, ep, (uint64_t)en, mp, (uint64_t)n);
    session_leave(s);
    return outcome(MPN_POWM, status);
}

EXPORT void ENTRY(powm)(mpn_limb *rp, const mpn_limb *bp, mpn_size bn, const mpn_limb *ep,
                        mpn_size en, const mpn_limb *mp, mpn_size n, mpn_limb *tp) {
    if (!within(ours.power, n) || !power(rp, bp, bn, ep, en, mp, n)) {
        count_call(MPN_POWM, CALL_PASSED);
        mpn_original_of(CALLER)->powm(rp, bp, bn, ep, en, mp, n, tp);
    }
}

// get_str: the digits of {up, un}, up[un - 1] != 0, as numbers below base, most significant first;
// returns how many. {up, un} may be destroyed.
static bool decimal(size_t *digits, unsigned char *text, const mpn_limb *up, mpn_size un) {
    volatile uint64_t frame;
    session *const s = session_enter(&frame);
    if (s == NULL) {
        return outcome(MPN_GET_STR, BIGINT_ENOMEM);
    }
    const bigint_status status =
        bigint_limbs_get_decimal(s->ctx, (char *)text, SIZE_MAX, digits, up, (uint64_t)un);
    session_leave(s);
    for (size_t i = 0; status == BIGINT_OK && i < *digits; i++) {
        text[i] = (unsigned char)(text[i] - '0');
    }
    return outcome(MPN_GET_STR, status);
}

EXPORT size_t ENTRY(get_str)(unsigned char *text, int base, mpn_limb *up, mpn_size un) {
    size_t digits;
    if (base != 10 || !within(ours.text, un) || !decimal(&digits, text, up, un)) {
        count_call(MPN_GET_STR, CALL_PASSED);
        digits = mpn_original()->get_str(text, base, up, un);
    }
    return digits;
}

// --- Greatest common divisors --------------------------------------------------------------------

// gcd: {gp, vn} = gcd({up, un}, {vp, vn}), un >= vn >= 1, vp[vn - 1] != 0; returns its length
// without zeros at the top. {up, un} and {vp, vn} may be destroyed, and gp may be one of them.
static bool common_divisor(mpn_size *gn, mpn_limb *gp, const mpn_limb *up, mpn_size un,
                           const mpn_limb *vp, mpn_size vn) {
    volatile uint64_t frame;
    session *const s = session_enter(&frame);
    if (s == NULL) {
        return outcome(MPN_GCD, BIGINT_ENOMEM);
    }
    const bigint_status status = bigint_limbs_gcd(s->ctx, gp, up, (uint64_t)un, vp, (uint64_t)vn);
    if (status == BIGINT_OK) {
        *gn = (mpn_size)limbs_normalize(gp, (uint64_t)vn);
    }
    session_leave(s);
    return outcome(MPN_GCD, status);
}

EXPORT mpn_size ENTRY(gcd)(mpn_limb *gp, mpn_limb *up, mpn_size un, mpn_limb *vp, mpn_size vn) {
    mpn_size gn;
    if (!within(ours.gcd, vn) || !common_divisor(&gn, gp, up, un, vp, vn)) {
        count_call(MPN_GCD, CALL_PASSED);
        gn = mpn_original()->gcd(gp, up, un, vp, vn);
    }
    return gn;
}

// gcdext: the same, and {sp, |*sn|} = |S| with U S = G mod V, the sign of *sn that of S: |S| < V /
// (2 G), or S = 1. sp has room for vn + 1 limbs, gp for vn.
static bool cofactor(mpn_size *gn, mpn_limb *gp, mpn_limb *sp, mpn_size *sn, const mpn_limb *up,
                     mpn_size un, const mpn_limb *vp, mpn_size vn) {
    volatile uint64_t frame;
    session *const s = session_enter(&frame);
    if (s == NULL) {
        return outcome(MPN_GCDEXT, BIGINT_ENOMEM);
    }
    int sign = 0;
    const bigint_status status =
        bigint_limbs_gcdext(s->ctx, gp, sp, &sign, up, (uint64_t)un, vp, (uint64_t)vn);
    if (status == BIGINT_OK) {
        *gn = (mpn_size)limbs_normalize(gp, (uint64_t)vn);
        *sn = sign * (mpn_size)limbs_normalize(sp, (uint64_t)vn);
    }
    session_leave(s);
    return outcome(MPN_GCDEXT, status);
}

EXPORT mpn_size ENTRY(gcdext)(mpn_limb *gp, mpn_limb *sp, mpn_size *sn, mpn_limb *up, mpn_size un,
                              mpn_limb *vp, mpn_size vn) {
    mpn_size gn;
    if (!within(ours.gcdext, vn) || !cofactor(&gn, gp, sp, sn, up, un, vp, vn)) {
        count_call(MPN_GCDEXT, CALL_PASSED);
        gn = mpn_original()->gcdext(gp, sp, sn, up, un, vp, vn);
    }
    return gn;
}
