// functions.h: the functions of GMP's mpn layer that the drop-in answers: their names, their types,
// and GMP's own code for them.
//
// The types are those of GMP 6.2 and 6.3 with 64-bit limbs. Their contracts, from GMP's manual and
// the comments of its sources, are beside the entries (entries.c, values.c).
#ifndef BINDINGS_GMP_FUNCTIONS_H_
#define BINDINGS_GMP_FUNCTIONS_H_

#include <stddef.h>
#include <stdint.h>

typedef uint64_t mpn_limb;
typedef long mpn_size;  // mp_size_t

typedef enum {
    MPN_MUL,
    MPN_MUL_N,
    MPN_SQR,
    MPN_MULMOD_BNM1,
    MPN_SQRMOD_BNM1,
    MPN_TDIV_QR,
    MPN_DIV_Q,
    MPN_SQRTREM,
    MPN_POWM,
    MPN_GET_STR,
    MPN_GCD,
    MPN_GCDEXT,
    MPN_FUNCTIONS
} mpn_function;

// mpn_names: their symbols.
extern const char *const mpn_names[MPN_FUNCTIONS];

// mpn_table: one pointer for each, in that order; NULL where a GMP lacks the function.
typedef struct {
    mpn_limb (*mul)(mpn_limb *rp, const mpn_limb *up, mpn_size un, const mpn_limb *vp, mpn_size vn);
    void (*mul_n)(mpn_limb *rp, const mpn_limb *up, const mpn_limb *vp, mpn_size n);
    void (*sqr)(mpn_limb *rp, const mpn_limb *up, mpn_size n);
    void (*mulmod_bnm1)(mpn_limb *rp, mpn_size rn, const mpn_limb *ap, mpn_size an,
                        const mpn_limb *bp, mpn_size bn, mpn_limb *tp);
    void (*sqrmod_bnm1)(mpn_limb *rp, mpn_size rn, const mpn_limb *ap, mpn_size an, mpn_limb *tp);
    void (*tdiv_qr)(mpn_limb *qp, mpn_limb *rp, mpn_size qxn, const mpn_limb *np, mpn_size nn,
                    const mpn_limb *dp, mpn_size dn);
    void (*div_q)(mpn_limb *qp, const mpn_limb *np, mpn_size nn, const mpn_limb *dp, mpn_size dn,
                  mpn_limb *tp);
    mpn_size (*sqrtrem)(mpn_limb *sp, mpn_limb *rp, const mpn_limb *np, mpn_size nn);
    void (*powm)(mpn_limb *rp, const mpn_limb *bp, mpn_size bn, const mpn_limb *ep, mpn_size en,
                 const mpn_limb *mp, mpn_size n, mpn_limb *tp);
    size_t (*get_str)(unsigned char *s, int base, mpn_limb *up, mpn_size un);
    mpn_size (*gcd)(mpn_limb *gp, mpn_limb *up, mpn_size un, mpn_limb *vp, mpn_size vn);
    mpn_size (*gcdext)(mpn_limb *gp, mpn_limb *sp, mpn_size *sn, mpn_limb *up, mpn_size un,
                       mpn_limb *vp, mpn_size vn);
} mpn_table;
_Static_assert(sizeof(mpn_table) == MPN_FUNCTIONS * sizeof(void *), "one pointer each");

// mpn_original: GMP's own functions. Never NULL; empty where no GMP is loaded yet.
extern const mpn_table *mpn_original_found;
const mpn_table *mpn_original_find(void);
static inline const mpn_table *mpn_original(void) {
    const mpn_table *const found = __atomic_load_n(&mpn_original_found, __ATOMIC_ACQUIRE);
    return __builtin_expect(found != NULL, 1) ? found : mpn_original_find();
}

// mpn_original_of: the functions of the GMP that the code at this address belongs to or was linked
// with, for calls that bring workspace: another release of GMP may need more. Those of mpn_original
// where that cannot be said.
const mpn_table *mpn_original_of(const void *caller);

#endif  // BINDINGS_GMP_FUNCTIONS_H_
