// entries.c: GMP's mpn functions, answered by the limb level (bigint_limbs.h) for the sizes where
// that is faster, and by GMP's own code for others. None can fail: where there is no memory,
// products take a slower way, and the others go to GMP.
#include "bindings/gmp/entries.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>

#include "bigint/bigint.h"
#include "bindings/gmp/attach.h"
#include "bindings/gmp/gpu.h"
#include "bindings/gmp/pieces.h"
#include "bindings/gmp/session.h"
#include "bindings/gmp/settings.h"
#include "bindings/gmp/statistics.h"
#include "bindings/gmp/thresholds.h"
#include "primitives/limbs/limbs.h"
#include "primitives/words/cpu.h"

#define EXPORT __attribute__((visibility("default")))
// In an exported function: whose GMP its workspace is for.
#define CALLER __builtin_return_address(0)

// --- Start ---------------------------------------------------------------------------------------

// ours: the sizes for which calls are ours. Until the library has started that is none.
static struct {
    mpn_size short_product;  // products without a context
    bool products;
    size_range ring, root, power, text, gcd, gcdext;
    division_range divrem, quotient;
} ours;
static const limbs_ops *short_ops = &limbs_ops_portable;

static inline bool within(size_range range, mpn_size n) {
    return n >= range.least && n <= range.most;
}

// choose_sizes: as measured, or for tests every size from a threshold on.
static void choose_sizes(mpn_size threshold) {
    const size_range all = {threshold, LONG_MAX};
    const division_range any = {all, true};
    const bool measured = threshold == 0;
    ours.ring = measured ? RING_RANGE : all;
    ours.root = measured ? ROOT_RANGE : all;
    ours.power = measured ? POWER_RANGE : all;
    ours.text = measured ? TEXT_RANGE : all;
    ours.gcd = measured ? GCD_RANGE : all;
    ours.gcdext = measured ? GCDEXT_RANGE : all;
    ours.divrem = measured ? DIVREM_RANGE : any;
    ours.quotient = measured ? QUOTIENT_RANGE : any;
}

__attribute__((constructor)) static void start(void) {
    const settings s = settings_read();
    if (s.statistics != NULL) {
        statistics_start(s.statistics);
    }
    if (s.off || session_start(s.threads, s.checks) != BIGINT_OK) {
        return;
    }
    if (s.memory != 0) {
        memory_set_limit(s.memory);
    }
    short_ops = limbs_ops_for(cpu_detect());
    choose_sizes(s.threshold);
    ours.products = true;
    if (s.on_device) {
        gpu_start(s.device, s.threshold != 0 ? (uint64_t)s.threshold : DEVICE_PRODUCT_LEAST,
                  s.checks);
    }
    // Calls that are counted or checked take the longer way.
    ours.short_product = s.statistics != NULL || s.checks ? 0 : SHORT_PRODUCT_MOST;
    if (s.patch) {
        attach_patch();
    }
}

// outcome counts a call for which a session was used, and says whether it is done.
static bool outcome(mpn_function function, bigint_status status) {
    count_call(function, status == BIGINT_OK       ? CALL_OURS
                         : status == BIGINT_ECHECK ? CALL_WRONG
                                                   : CALL_SHORT_OF_MEMORY);
    return status == BIGINT_OK;
}

// --- Products ------------------------------------------------------------------------------------
// {rp, un + vn} = {up, un} {vp, vn}, un >= vn >= 1; rp overlaps neither. mul returns the top limb.

static inline void short_product(mpn_limb *rp, const mpn_limb *up, mpn_size un, const mpn_limb *vp,
                                 mpn_size vn) {
    const size_t n = (size_t)vn;
    if (un == vn && up == vp) {
        if (n <= LIMBS_FEW) {
            short_ops->sqr_few[n](rp, up);
        } else {
            short_ops->sqr(rp, up, n);
        }
    } else if (un == vn && n <= LIMBS_FEW) {
        short_ops->mul_few[n](rp, up, vp);
    } else if (n == 1) {
        rp[un] = short_ops->mul_1(rp, up, (size_t)un, vp[0]);
    } else {
        short_ops->mul(rp, up, (size_t)un, vp, n);
    }
}

// gmp_product passes a product on; false if GMP has no such function.
static bool gmp_product(mpn_function function, mpn_limb *rp, const mpn_limb *up, mpn_size un,
                        const mpn_limb *vp, mpn_size vn) {
    const mpn_table *const gmp = mpn_original();
    if (gmp->mul == NULL || gmp->mul_n == NULL || gmp->sqr == NULL) {
        return false;
    }
    count_call(function, CALL_PASSED);
    if (function == MPN_SQR) {
        gmp->sqr(rp, up, un);
    } else if (function == MPN_MUL_N) {
        gmp->mul_n(rp, up, vp, un);
    } else {
        gmp->mul(rp, up, un, vp, vn);
    }
    return true;
}

// on_gpu: the product on a GPU, if it is long enough for that and one is asked for.
static bool on_gpu(mpn_function function, mpn_limb *rp, const mpn_limb *up, mpn_size un,
                   const mpn_limb *vp, mpn_size vn) {
    if (!gpu_takes((uint64_t)vn)) {
        return false;
    }
    const bigint_status status = gpu_mul(rp, up, (uint64_t)un, vp, (uint64_t)vn);
    return (status == BIGINT_OK || status == BIGINT_ECHECK) && outcome(function, status);
}

static __attribute__((noinline)) void long_product(mpn_function function, mpn_limb *rp,
                                                   const mpn_limb *up, mpn_size un,
                                                   const mpn_limb *vp, mpn_size vn) {
    if (!ours.products && gmp_product(function, rp, up, un, vp, vn)) {
        return;
    }
    if (on_gpu(function, rp, up, un, vp, vn)) {
        return;
    }
    volatile uint64_t frame;
    session *const s = session_enter(&frame);
    const bigint_status status =
        s == NULL ? BIGINT_ENOMEM
                  : bigint_limbs_mul(s->ctx, rp, up, (uint64_t)un, vp, (uint64_t)vn);
    if (!outcome(function, status)) {
        pieces_mul(s == NULL ? NULL : s->ctx, short_ops, rp, up, (uint64_t)un, vp, (uint64_t)vn);
    }
    if (s != NULL) {
        session_leave(s);
    }
}

static inline void product(mpn_function function, mpn_limb *rp, const mpn_limb *up, mpn_size un,
                           const mpn_limb *vp, mpn_size vn) {
    if (__builtin_expect(vn <= ours.short_product, 1)) {
        short_product(rp, up, un, vp, vn);
    } else {
        long_product(function, rp, up, un, vp, vn);
    }
}

EXPORT mpn_limb ENTRY(mul)(mpn_limb *rp, const mpn_limb *up, mpn_size un, const mpn_limb *vp,
                           mpn_size vn) {
    product(MPN_MUL, rp, up, un, vp, vn);
    return rp[un + vn - 1];
}

EXPORT void ENTRY(mul_n)(mpn_limb *rp, const mpn_limb *up, const mpn_limb *vp, mpn_size n) {
    product(MPN_MUL_N, rp, up, n, vp, n);
}

EXPORT void ENTRY(sqr)(mpn_limb *rp, const mpn_limb *up, mpn_size n) {
    product(MPN_SQR, rp, up, n, up, n);
}

// --- Products modulo B^rn - 1 --------------------------------------------------------------------
// {rp, min(rn, an + bn)} = {ap, an} {bp, bn} mod B^rn - 1, 1 <= bn <= an <= rn. The result is 0
// only if an operand is; otherwise the class of 0 is B^rn - 1. tp is workspace.

static bool ring_product(mpn_function function, mpn_limb *rp, mpn_size rn, const mpn_limb *ap,
                         mpn_size an, const mpn_limb *bp, mpn_size bn) {
    volatile uint64_t frame;
    session *const s = session_enter(&frame);
    if (s == NULL) {
        return outcome(function, BIGINT_ENOMEM);
    }
    const uint64_t n = (uint64_t)rn, a_limbs = (uint64_t)an, b_limbs = (uint64_t)bn;
    bigint_status status;
    if (a_limbs + b_limbs <= n) {
        status = bigint_limbs_mul(s->ctx, rp, ap, a_limbs, bp, b_limbs);
    } else {
        status = bigint_limbs_mul_mod_2exp_minus1(s->ctx, rp, ap, a_limbs, bp, b_limbs, 64 * n);
        if (status == BIGINT_OK && limbs_normalize(rp, n) == 0 &&
            limbs_normalize(ap, a_limbs) != 0 && limbs_normalize(bp, b_limbs) != 0) {
            memset(rp, 0xFF, n * sizeof *rp);
        }
    }
    session_leave(s);
    return outcome(function, status);
}

// gpu_ring: the same by a product on a GPU, in the workspace: where an + bn > rn, tp has room for
// an + bn limbs (mpn_mulmod_bnm1_itch, mpn_sqrmod_bnm1_itch).
static bool gpu_ring(mpn_function function, mpn_limb *rp, mpn_size rn, const mpn_limb *ap,
                     mpn_size an, const mpn_limb *bp, mpn_size bn, mpn_limb *tp) {
    const bool wraps = an + bn > rn;
    if (!on_gpu(function, wraps ? tp : rp, ap, an, bp, bn)) {
        return false;
    }
    if (wraps) {  // B^rn is 1: the high part is added to the low one, and so is the carry
        const uint64_t n = (uint64_t)rn;
        const uint64_t carry = limbs_add(rp, tp, n, tp + n, (uint64_t)(an + bn) - n);
        limbs_add_1(rp, rp, n, carry);
    }
    return true;
}

EXPORT void ENTRY(mulmod_bnm1)(mpn_limb *rp, mpn_size rn, const mpn_limb *ap, mpn_size an,
                               const mpn_limb *bp, mpn_size bn, mpn_limb *tp) {
    if (gpu_ring(MPN_MULMOD_BNM1, rp, rn, ap, an, bp, bn, tp)) {
        return;
    }
    if (!within(ours.ring, bn) || !ring_product(MPN_MULMOD_BNM1, rp, rn, ap, an, bp, bn)) {
        count_call(MPN_MULMOD_BNM1, CALL_PASSED);
        mpn_original_of(CALLER)->mulmod_bnm1(rp, rn, ap, an, bp, bn, tp);
    }
}

EXPORT void ENTRY(sqrmod_bnm1)(mpn_limb *rp, mpn_size rn, const mpn_limb *ap, mpn_size an,
                               mpn_limb *tp) {
    if (gpu_ring(MPN_SQRMOD_BNM1, rp, rn, ap, an, ap, an, tp)) {
        return;
    }
    if (!within(ours.ring, an) || !ring_product(MPN_SQRMOD_BNM1, rp, rn, ap, an, ap, an)) {
        count_call(MPN_SQRMOD_BNM1, CALL_PASSED);
        mpn_original_of(CALLER)->sqrmod_bnm1(rp, rn, ap, an, tp);
    }
}

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
    if (!within(ours.root, nn) || !square_root(&rn, sp, rp, np, nn)) {
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

// -------------------------------------------------------------------------------------------------

void *entry_address(mpn_function function) {
    static void *const addresses[MPN_FUNCTIONS] = {
        [MPN_MUL] = (void *)ENTRY(mul),
        [MPN_MUL_N] = (void *)ENTRY(mul_n),
        [MPN_SQR] = (void *)ENTRY(sqr),
        [MPN_MULMOD_BNM1] = (void *)ENTRY(mulmod_bnm1),
        [MPN_SQRMOD_BNM1] = (void *)ENTRY(sqrmod_bnm1),
        [MPN_TDIV_QR] = (void *)ENTRY(tdiv_qr),
        [MPN_DIV_Q] = (void *)ENTRY(div_q),
        [MPN_SQRTREM] = (void *)ENTRY(sqrtrem),
        [MPN_POWM] = (void *)ENTRY(powm),
        [MPN_GET_STR] = (void *)ENTRY(get_str),
        [MPN_GCD] = (void *)ENTRY(gcd),
        [MPN_GCDEXT] = (void *)ENTRY(gcdext),
    };
    return addresses[function];
}
