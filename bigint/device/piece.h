// piece.h: one piece of a product on a device, and a convolution alone, by the modular transform.
// Internal to bigint/.
#ifndef BIGINT_DEVICE_PIECE_H_
#define BIGINT_DEVICE_PIECE_H_

#include "bigint/device/kernels/recombine_device.h"
#include "bigint/device/product.h"

// device_multiply_piece enqueues {rp, rn} = a b and the sign by the modular transform. a and b have
// at most a_piece and b_piece limbs of the run's plan; rp is aligned to 16 bytes.
result device_multiply_piece(const device_work *run, uint64_t *rp, uint64_t rn,
                             const recombine_signs *signs, fft_modular_operand a,
                             fft_modular_operand b, const double *prepared);

// device_convolving: where the other operand's transform comes from, and the product's sign. All
// zero: the transform is made in the workspace, and the product counts positively.
typedef struct {
    const double *prepared;      // planes of the transform, or NULL
    double *kept;                // planes for its columns, or NULL
    bool made;                   // the columns are there already
    const fft_modular_sum *sum;  // what the rows make of the product, or NULL
} device_convolving;

// device_convolve enqueues the residues of the coefficients of a b, which device_residues
// describes, by a plan of one piece that is not whole. Operands are as of the plan. stream: the
// context's, or the one that its launches are recorded on.
result device_convolve(const device_work *run, fft_modular_operand a, fft_modular_operand b,
                       const device_convolving *how, cuda_stream stream);
recombine_residues device_residues(const device_work *run);

#endif  // BIGINT_DEVICE_PIECE_H_
