// entries.c: GMP's products, answered by the limb level (bigint_limbs.h) for the sizes where that
// is faster, and by GMP's own code for others. None can fail: where there is no memory, products
// take a slower way. Also the start of the library.
#include "bindings/gmp/entries.h"

#include <limits.h>
#include <string.h>

#include "bigint/bigint.h"
#include "bindings/gmp/attach.h"
#include "bindings/gmp/gpu.h"
#include "bindings/gmp/ours.h"
#include "bindings/gmp/pieces.h"
#include "bindings/gmp/session.h"
#include "bindings/gmp/settings.h"
#include "bindings/gmp/statistics.h"
#include "bindings/gmp/thresholds.h"
#include "primitives/limbs/limbs.h"
#include "primitives/words/cpu.h"

// --- Start ---------------------------------------------------------------------------------------

struct ours_sizes ours;
static const limbs_ops *short_ops = &limbs_ops_portable;

// choose_sizes: as measured, or for tests every size from a threshold on.
static void choose_sizes(mpn_size threshold) {
    const size_range all = {threshold, LONG_MAX};
    const division_range any = {all, true};
    const bool measured = threshold == 0;
    ours.ring = measured ? RING_RANGE : all;
    ours.root = measured ? ROOT_RANGE : all;
    ours.root_alone = measured ? ROOT_ALONE_RANGE : all;
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
