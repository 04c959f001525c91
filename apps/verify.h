// verify.h: the same result by GMP. May include operand_io.h; bigmul.c passes it nothing but texts.
#ifndef APPS_VERIFY_H_
#define APPS_VERIFY_H_

#include <stdbool.h>

#include "apps/operand_io.h"

// verify_with_gmp: does r equal what o->verb makes of the operands (A, then B if the verb takes it,
// then the modulus if there is one), limb for limb? GMP reads all texts itself, so that conversions
// are covered as well as the result. *seconds is the time of GMP's operation alone. Errors:
// EXIT_MEMORY and one line where GMP would abort for want of memory.
bool verify_with_gmp(const bigmul_options *o, const number_text *operands, const number_text *r,
                     double *seconds);

#endif  // APPS_VERIFY_H_
