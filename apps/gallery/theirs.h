// theirs.h: the output of the programs that use GMP.
#ifndef APPS_GALLERY_THEIRS_H_
#define APPS_GALLERY_THEIRS_H_

#include <gmp.h>
#include <stdio.h>
#include <stdlib.h>

#include "apps/gallery/gallery.h"

// show prints the length in bits and the remainder modulo 2^61 - 1.
static inline void show(const mpz_t a) {
    const unsigned long prime = (1ul << 61) - 1;
    printf("%zu bits, %lu modulo 2^61 - 1\n", mpz_sgn(a) == 0 ? 0 : mpz_sizeinbase(a, 2),
           mpz_fdiv_ui(a, prime));
}

#endif  // APPS_GALLERY_THEIRS_H_
