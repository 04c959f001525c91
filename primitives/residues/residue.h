// residue.h: residues of long numbers on a device modulo a word-sized modulus, and the check
// of a product, or of a sum of products, by them. Plain C; the kernel is in residue.cu, the
// reference in residue.c.
//
// Notation as in limbs.h; B = 2^64. Pointers are to device memory and aligned to 8 bytes. Allocates
// nothing and does not wait. The calling thread's current device must be the stream's.
#ifndef PRIMITIVES_RESIDUES_RESIDUE_H_
#define PRIMITIVES_RESIDUES_RESIDUE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// limbs_modulus: an odd m, 1 < m < 2^61, and what the kernel needs of it. The form of y is y B mod
// m, so that the product of a word and a form, divided by B, is the word times y.
enum { LIMBS_RESIDUE_POWERS = 24 };
typedef struct {
    uint64_t m, inverse;                   // m inverse = 1 mod B
    uint64_t one, half;                    // the forms of 1 and of 2^32
    uint64_t power[LIMBS_RESIDUE_POWERS];  // of B^(2^i)
} limbs_modulus;
limbs_modulus limbs_modulus_of(uint64_t m);

// limbs_residue_reference: {p, n} mod m, limb by limb, of host memory. Requires: m > 0.
uint64_t limbs_residue_reference(const uint64_t *p, uint64_t n, uint64_t m);

// A number whose residue is wanted; n = 0 is 0. Top limbs may be zero. It is negated where *sign,
// in device memory, is not 0, and once more where `minus` says so; sign NULL is 0.
typedef struct {
    const uint64_t *p;
    uint64_t n;
    const uint64_t *sign;
    bool minus;
} limbs_residue_number;

// Bytes of workspace, aligned to 8, zero before the first use; every call leaves it zero.
enum { LIMBS_RESIDUE_WORKSPACE_BYTES = 64 };

// limbs_residue_factors enqueues out[0] = a mod m and out[1] = b mod m, in [0, m). The same limbs
// twice are read once.
// Cost: one launch, one read of the numbers, some 22 instructions a limb.
// Errors: RESULT_DEVICE_ERROR.
result limbs_residue_factors(uint64_t *out, limbs_residue_number a, limbs_residue_number b,
                             const limbs_modulus *m, void *workspace, cuda_stream stream);

// limbs_residue_report: in device or pinned memory, zero at first: how many products were wrong,
// and the lengths of the factors of the first of them.
typedef struct {
    uint64_t wrong, an, bn;
} limbs_residue_report;

// limbs_residue_product enqueues the comparison of r with the sum of factors[2 i] factors[2 i + 1],
// i < count, modulo m: a product, count = 1, or a sum of them. The report is written where they
// differ, else not touched; an and bn go there. A right result always passes; for what a wrong one
// passes see bigint/core/check.h.
// Cost, errors: as above; one thread makes the sum.
result limbs_residue_product(limbs_residue_report *report, limbs_residue_number r,
                             const uint64_t *factors, uint64_t count, uint64_t an, uint64_t bn,
                             const limbs_modulus *m, void *workspace, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // PRIMITIVES_RESIDUES_RESIDUE_H_
