// beside.c: original.c for a program that links the functions beside GMP (longmul_mpn.h): GMP's own
// are found by the linker, and nothing has to be redirected.
#include "bindings/gmp/attach.h"
#include "bindings/gmp/functions.h"

uint64_t __gmpn_mul(uint64_t *, const uint64_t *, mpn_size, const uint64_t *, mpn_size);
void __gmpn_mul_n(uint64_t *, const uint64_t *, const uint64_t *, mpn_size);
void __gmpn_sqr(uint64_t *, const uint64_t *, mpn_size);
void __gmpn_mulmod_bnm1(uint64_t *, mpn_size, const uint64_t *, mpn_size, const uint64_t *,
                        mpn_size, uint64_t *);
void __gmpn_sqrmod_bnm1(uint64_t *, mpn_size, const uint64_t *, mpn_size, uint64_t *);
void __gmpn_tdiv_qr(uint64_t *, uint64_t *, mpn_size, const uint64_t *, mpn_size, const uint64_t *,
                    mpn_size);
void __gmpn_div_q(uint64_t *, const uint64_t *, mpn_size, const uint64_t *, mpn_size, uint64_t *);
mpn_size __gmpn_sqrtrem(uint64_t *, uint64_t *, const uint64_t *, mpn_size);
void __gmpn_powm(uint64_t *, const uint64_t *, mpn_size, const uint64_t *, mpn_size,
                 const uint64_t *, mpn_size, uint64_t *);
size_t __gmpn_get_str(unsigned char *, int, uint64_t *, mpn_size);
mpn_size __gmpn_gcd(uint64_t *, uint64_t *, mpn_size, uint64_t *, mpn_size);
mpn_size __gmpn_gcdext(uint64_t *, uint64_t *, mpn_size *, uint64_t *, mpn_size, uint64_t *,
                       mpn_size);

static const mpn_table linked = {
    __gmpn_mul,         __gmpn_mul_n,   __gmpn_sqr,   __gmpn_mulmod_bnm1,
    __gmpn_sqrmod_bnm1, __gmpn_tdiv_qr, __gmpn_div_q, __gmpn_sqrtrem,
    __gmpn_powm,        __gmpn_get_str, __gmpn_gcd,   __gmpn_gcdext,
};
const mpn_table *mpn_original_found = &linked;
const mpn_table *mpn_original_find(void) { return &linked; }
const mpn_table *mpn_original_of(const void *caller) {
    (void)caller;
    return &linked;
}

bool attach_reaches(const void *base) {
    (void)base;
    return true;
}
int attach_patch(void) { return 0; }
