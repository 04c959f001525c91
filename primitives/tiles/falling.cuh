// falling.cuh: reads four bytes of a row as a word in falling order, as a Toeplitz matrix takes
// them. The row lies between zeros. Includes device.cuh only. Valid on: any device, the emulation.
#ifndef PRIMITIVES_TILES_FALLING_CUH_
#define PRIMITIVES_TILES_FALLING_CUH_

#include "primitives/cuda/device.cuh"

// FallingSelector: for __byte_perm of a word and the one above it, bytes s, s - 1, s - 2, s - 3,
// counted from the upper one, s < 4.
DEVICE constexpr uint32_t FallingSelector(unsigned s) { return 0x1234 + 0x1111 * s; }

// FallingBytes: byte `at` of a row and the three below it, at >= 4.
DEVICE uint32_t FallingBytes(const uint32_t *row, unsigned at) {
    return __byte_perm(row[at / 4 - 1], row[at / 4], FallingSelector(at % 4));
}

// PutBetweenZeros: room = `below` limbs of zeros, b[0 .. n), zeros up to `all` limbs, by all
// threads of the block; a barrier must follow. Requires: n <= all - below.
DEVICE void PutBetweenZeros(uint64_t *room, unsigned all, unsigned below, const uint64_t *b,
                            unsigned n) {
    for (unsigned i = threadIdx.x; i < all; i += blockDim.x) {
        const unsigned limb = i - below;  // wraps below the row
        room[i] = limb < n ? b[limb] : 0;
    }
}

#endif  // PRIMITIVES_TILES_FALLING_CUH_
