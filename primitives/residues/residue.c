// residue.c: the host's part of residue.h: what a kernel needs of a modulus, and the
// reference.
#include "primitives/residues/residue.h"

#include <assert.h>

#include "primitives/words/inverse.h"
#include "primitives/words/modarith.h"

limbs_modulus limbs_modulus_of(uint64_t m) {
    assert(m % 2 == 1 && m > 1 && m >> 61 == 0);
    const uint64_t base = (uint64_t)(((word_pair)1 << 64) % m);
    limbs_modulus f = {.m = m, .inverse = word_inverse(m), .one = base};
    f.half = mod_mul(UINT64_C(1) << 32, base, m);
    uint64_t power = base;
    for (unsigned i = 0; i < LIMBS_RESIDUE_POWERS; i++) {
        f.power[i] = mod_mul(power, base, m);
        power = mod_mul(power, power, m);
    }
    return f;
}

uint64_t limbs_residue_reference(const uint64_t *p, uint64_t n, uint64_t m) {
    uint64_t r = 0;
    while (n-- > 0) {
        r = (uint64_t)(((word_pair)r << 64 | p[n]) % m);
    }
    return r;
}
