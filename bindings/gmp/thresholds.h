// thresholds.h: the sizes, in limbs, for which a call is ours; for others GMP's own code, which
// calls our products, is faster. Products themselves are ours at every size. Measured on an Emerald
// Rapids against Debian 12's GMP 6.2.1 by bench/gmp/crossovers.c.
#ifndef BINDINGS_GMP_THRESHOLDS_H_
#define BINDINGS_GMP_THRESHOLDS_H_

#include <limits.h>
#include <stdbool.h>

typedef struct {
    long least, most;
} size_range;

// division_range: divisors, with quotients of half their length and more. any: with all quotients
// of divisor.least limbs and more.
typedef struct {
    size_range divisor;
    bool any;
} division_range;

// Up to this many limbs of the shorter operand products need no context, and neither branches nor
// addresses depend on the limbs.
#define SHORT_PRODUCT_MOST 128

// The least length of the shorter operand for which a product goes to a GPU, if one is asked for:
// with transfers an H200 took 438 us at 16384 limbs, 510 at 8192, one core of its host 630 and 301.
// gpu_test.c prints both times.
#define DEVICE_PRODUCT_LEAST 16384

#define RING_RANGE ((size_range){1400, LONG_MAX})  // mulmod_bnm1, sqrmod_bnm1: the shorter operand
#define DIVREM_RANGE ((division_range){{30, LONG_MAX}, false})     // tdiv_qr
#define QUOTIENT_RANGE ((division_range){{150, LONG_MAX}, false})  // div_q
#define ROOT_RANGE ((size_range){300, 1200})                       // sqrtrem
#define ROOT_ALONE_RANGE ((size_range){128, LONG_MAX})             // without the remainder
#define POWER_RANGE ((size_range){6, LONG_MAX})                    // powm: the modulus
#define TEXT_RANGE ((size_range){200, LONG_MAX})                   // get_str in base 10

// gcd, gcdext: the shorter operand. GMP's steps branch on the numbers, ours do not: a loop over one
// pair of operands, whose branches a processor learns, makes GMP's look faster than they are.
// With cofactors GMP's code over our products took 1.05 to 1.15 of ours at 2048 to 32768 limbs.
#define GCD_RANGE ((size_range){3, LONG_MAX})
#define GCDEXT_RANGE ((size_range){3, LONG_MAX})

#endif  // BINDINGS_GMP_THRESHOLDS_H_
