// residue_stub.c: residue.h's kernels in a build without a CUDA toolkit.
#include "primitives/residues/residue.h"

result limbs_residue_factors(uint64_t *out, limbs_residue_number a, limbs_residue_number b,
                             const limbs_modulus *m, void *workspace, cuda_stream stream) {
    (void)out, (void)a, (void)b, (void)m, (void)workspace, (void)stream;
    return RESULT_NO_DEVICE;
}

result limbs_residue_product(limbs_residue_report *report, limbs_residue_number r,
                             const uint64_t *factors, uint64_t count, uint64_t an, uint64_t bn,
                             const limbs_modulus *m, void *workspace, cuda_stream stream) {
    (void)report, (void)r, (void)factors, (void)count, (void)an, (void)bn, (void)m;
    return (void)workspace, (void)stream, RESULT_NO_DEVICE;
}
