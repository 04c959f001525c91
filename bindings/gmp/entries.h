// entries.h: the functions that answer in GMP's place.
#ifndef BINDINGS_GMP_ENTRIES_H_
#define BINDINGS_GMP_ENTRIES_H_

#include "bindings/gmp/functions.h"

// Their names: GMP's own in the library that is preloaded, others in the one that programs link
// beside GMP (longmul_mpn.h).
#if defined(LONGMUL_MPN_BESIDE)
#define ENTRY(name) longmul_mpn_##name
#else
#define ENTRY(name) __gmpn_##name
#endif

// GMP's contracts stand beside the code: products in entries.c, the others in values.c.
#define EXPORT __attribute__((visibility("default")))
EXPORT mpn_limb ENTRY(mul)(mpn_limb *rp, const mpn_limb *up, mpn_size un, const mpn_limb *vp,
                           mpn_size vn);
EXPORT void ENTRY(mul_n)(mpn_limb *rp, const mpn_limb *up, const mpn_limb *vp, mpn_size n);
EXPORT void ENTRY(sqr)(mpn_limb *rp, const mpn_limb *up, mpn_size n);
EXPORT void ENTRY(mulmod_bnm1)(mpn_limb *rp, mpn_size rn, const mpn_limb *ap, mpn_size an,
                               const mpn_limb *bp, mpn_size bn, mpn_limb *tp);
EXPORT void ENTRY(sqrmod_bnm1)(mpn_limb *rp, mpn_size rn, const mpn_limb *ap, mpn_size an,
                               mpn_limb *tp);
EXPORT void ENTRY(tdiv_qr)(mpn_limb *qp, mpn_limb *rp, mpn_size qxn, const mpn_limb *np,
                           mpn_size nn, const mpn_limb *dp, mpn_size dn);
EXPORT void ENTRY(div_q)(mpn_limb *qp, const mpn_limb *np, mpn_size nn, const mpn_limb *dp,
                         mpn_size dn, mpn_limb *tp);
EXPORT mpn_size ENTRY(sqrtrem)(mpn_limb *sp, mpn_limb *rp, const mpn_limb *np, mpn_size nn);
EXPORT void ENTRY(powm)(mpn_limb *rp, const mpn_limb *bp, mpn_size bn, const mpn_limb *ep,
                        mpn_size en, const mpn_limb *mp, mpn_size n, mpn_limb *tp);
EXPORT size_t ENTRY(get_str)(unsigned char *text, int base, mpn_limb *up, mpn_size un);
EXPORT mpn_size ENTRY(gcd)(mpn_limb *gp, mpn_limb *up, mpn_size un, mpn_limb *vp, mpn_size vn);
EXPORT mpn_size ENTRY(gcdext)(mpn_limb *gp, mpn_limb *sp, mpn_size *sn, mpn_limb *up, mpn_size un,
                              mpn_limb *vp, mpn_size vn);

// entry_address: our function in place of that one.
void *entry_address(mpn_function function);

#endif  // BINDINGS_GMP_ENTRIES_H_
