// verify.h: the same product by GMP. May include operand_io.h; bigmul.c passes it nothing but
// texts.
#ifndef APPS_VERIFY_H_
#define APPS_VERIFY_H_

#include <stdbool.h>

#include "apps/operand_io.h"

// verify_with_gmp: does r equal a b, limb for limb? GMP reads all three texts itself, so that
// conversions are covered as well as the product. b NULL means a. *seconds is the time of GMP's
// product alone. Errors: EXIT_MEMORY and one line where GMP would abort for want of memory.
bool verify_with_gmp(const number_text *a, const number_text *b, number_format from,
                     const number_text *r, number_format to, double *seconds);

#endif  // APPS_VERIFY_H_
