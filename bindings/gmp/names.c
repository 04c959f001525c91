// names.c: the symbols of the functions.
#include "bindings/gmp/functions.h"

const char *const mpn_names[MPN_FUNCTIONS] = {
    [MPN_MUL] = "__gmpn_mul",
    [MPN_MUL_N] = "__gmpn_mul_n",
    [MPN_SQR] = "__gmpn_sqr",
    [MPN_MULMOD_BNM1] = "__gmpn_mulmod_bnm1",
    [MPN_SQRMOD_BNM1] = "__gmpn_sqrmod_bnm1",
    [MPN_TDIV_QR] = "__gmpn_tdiv_qr",
    [MPN_DIV_Q] = "__gmpn_div_q",
    [MPN_SQRTREM] = "__gmpn_sqrtrem",
    [MPN_POWM] = "__gmpn_powm",
    [MPN_GET_STR] = "__gmpn_get_str",
    [MPN_GCD] = "__gmpn_gcd",
    [MPN_GCDEXT] = "__gmpn_gcdext",
};
