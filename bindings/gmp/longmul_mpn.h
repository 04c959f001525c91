// longmul_mpn.h: the functions of the drop-in beside GMP's own, for programs that want to choose
// call by call. They have the contracts of GMP's mpn functions of the same names, and answer from
// the sizes where they are faster; others they pass on to GMP. Link liblongmul_mpn.a before -lgmp:
//
//   cc program.c -llongmul_mpn -lgmp -lm -lpthread
//
// The LONGMUL_GMP_... variables of the drop-in apply.
#ifndef LONGMUL_MPN_H_
#define LONGMUL_MPN_H_

#include <gmp.h>

#ifdef __cplusplus
extern "C" {
#endif

mp_limb_t longmul_mpn_mul(mp_limb_t *rp, const mp_limb_t *up, mp_size_t un, const mp_limb_t *vp,
                          mp_size_t vn);
void longmul_mpn_mul_n(mp_limb_t *rp, const mp_limb_t *up, const mp_limb_t *vp, mp_size_t n);
void longmul_mpn_sqr(mp_limb_t *rp, const mp_limb_t *up, mp_size_t n);
void longmul_mpn_tdiv_qr(mp_limb_t *qp, mp_limb_t *rp, mp_size_t qxn, const mp_limb_t *np,
                         mp_size_t nn, const mp_limb_t *dp, mp_size_t dn);
mp_size_t longmul_mpn_sqrtrem(mp_limb_t *sp, mp_limb_t *rp, const mp_limb_t *np, mp_size_t nn);
size_t longmul_mpn_get_str(unsigned char *text, int base, mp_limb_t *up, mp_size_t un);
mp_size_t longmul_mpn_gcd(mp_limb_t *gp, mp_limb_t *up, mp_size_t un, mp_limb_t *vp, mp_size_t vn);
mp_size_t longmul_mpn_gcdext(mp_limb_t *gp, mp_limb_t *sp, mp_size_t *sn, mp_limb_t *up,
                             mp_size_t un, mp_limb_t *vp, mp_size_t vn);

// Functions that GMP exports without documenting them: products modulo B^rn - 1, quotients without
// remainder, odd modular powers. Their workspace tp is that of GMP 6.2 and 6.3.
void longmul_mpn_mulmod_bnm1(mp_limb_t *rp, mp_size_t rn, const mp_limb_t *ap, mp_size_t an,
                             const mp_limb_t *bp, mp_size_t bn, mp_limb_t *tp);
void longmul_mpn_sqrmod_bnm1(mp_limb_t *rp, mp_size_t rn, const mp_limb_t *ap, mp_size_t an,
                             mp_limb_t *tp);
void longmul_mpn_div_q(mp_limb_t *qp, const mp_limb_t *np, mp_size_t nn, const mp_limb_t *dp,
                       mp_size_t dn, mp_limb_t *tp);
void longmul_mpn_powm(mp_limb_t *rp, const mp_limb_t *bp, mp_size_t bn, const mp_limb_t *ep,
                      mp_size_t en, const mp_limb_t *mp, mp_size_t n, mp_limb_t *tp);

#ifdef __cplusplus
}
#endif

#endif  // LONGMUL_MPN_H_
