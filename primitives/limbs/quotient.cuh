// quotient.cuh: the last step of a division by one block (newton_device.h, ring_device.h). Includes
// block_ripple.cuh. Valid on: any device, the emulation.
#ifndef PRIMITIVES_LIMBS_QUOTIENT_CUH_
#define PRIMITIVES_LIMBS_QUOTIENT_CUH_

#include "primitives/limbs/block_ripple.cuh"
#include "primitives/limbs/ring_device.h"

// CorrectQuotient: one less where that is so, and the signs, by all threads of the only block.
DEVICE void CorrectQuotient(BlockRipple &ripple, const limbs_quotient &x, bool less) {
    if (threadIdx.x == 0) {
        const uint64_t a = x.a_sign == nullptr ? 0 : *x.a_sign;
        const uint64_t d = x.d_sign == nullptr ? 0 : *x.d_sign;
        if (x.q_sign != nullptr) {
            *x.q_sign = a ^ d;
        }
        if (x.r_sign != nullptr) {
            *x.r_sign = a;
        }
    }
    if (x.q != nullptr) {
        ripple.Step(x.q, 0, x.qn, less ? -1 : 0);
    }
}

#endif  // PRIMITIVES_LIMBS_QUOTIENT_CUH_
