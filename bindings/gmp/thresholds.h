// thresholds.h: the sizes, in limbs, from which a call is ours; below, GMP's own code is faster.
// Measured on an Emerald Rapids against Debian 12's GMP 6.2.1 by bench/gmp.
#ifndef BINDINGS_GMP_THRESHOLDS_H_
#define BINDINGS_GMP_THRESHOLDS_H_

// Products are ours at every size. Up to this many limbs of the shorter operand they need no
// context and do not depend on data (bigint_limbs.h).
#define SHORT_PRODUCT_MOST 128
// mulmod_bnm1, sqrmod_bnm1: the modulus.
#define RING_LEAST 200
// tdiv_qr, div_q: the divisor, and the quotient.
#define DIVIDE_LEAST 100
#define QUOTIENT_LEAST 100
// sqrtrem: the number.
#define ROOT_LEAST 200
// powm: the modulus.
#define POWER_LEAST 8
// get_str in base 10: the number.
#define TEXT_LEAST 64

#endif  // BINDINGS_GMP_THRESHOLDS_H_
