// costs.h: what shapes of products on a device cost, as measured. Data only; includes
// convolution.h. Written by ./dev tune --shapes from records of product_bench --shapes.
// Measured on NVIDIA H200, commit aa0d7aa89ece, b9559bad926f, ca94d69877a5, cc05eb4b3634.
#ifndef FFT_DEVICE_MODULAR_COSTS_H_
#define FFT_DEVICE_MODULAR_COSTS_H_

#include "fft/device/modular/convolution.h"

// Picoseconds for each point of a product of whole words modulo three primes, that fills a shape
// of 1 to 7 pieces: by pairs of the columns' logarithm, from 8 on, by that of the rows. 0: nothing
// was measured.
static const uint16_t modular_point_cost[3][13][FFT_MODULAR_PIECES] = {
    {
        [4] = {2222, 1236, 914, 724, 642, 561, 530},
        [5] = {1202, 690, 524, 413, 372, 338, 323},
        [6] = {628, 374, 303, 252, 227, 220, 213},
        [7] = {349, 232, 196, 169, 156, 158, 156},
        [8] = {227, 154, 138, 133, 126, 128, 132},
        [9] = {156, 122, 123, 123, 126, 128, 132},
    },
    {
        [6] = {227, 153, 133, 118, 117, 119, 122},
        [7] = {172, 114, 103, 103, 108, 115, 116},
        [8] = {110, 93, 98, 98, 104, 109, 114},
        [9] = {99, 91, 96, 99, 119, 126, 133},
    },
    {
        [6] = {124, 100, 105, 104, 110, 113, 119},
        [7] = {103, 93, 94, 97, 95, 97, 96},
        [8] = {93, 88, 99, 104, 115, 123, 128},
        [9] = {93, 92, 100, 108, 145, 155, 167},
        [10] = {93, 93, 119, 134, 145, 154, 166},
        [11] = {97, 107, 128, 138, 148, 159, 177},
        [12] = {104, 113, 132, 143, 153, 164, 176},
    },
};

// Picoseconds more behind an outer pass, by the rows' logarithm.
static const unsigned modular_outer_cost[FFT_MODULAR_LG_OUTER + 1][13] = {
    [1] = {[8] = 32, [9] = 28}, [2] = {[8] = 28, [9] = 31}, [3] = {[8] = 29, [9] = 32},
    [4] = {[8] = 32, [9] = 32}, [5] = {[8] = 33, [9] = 34}, [6] = {[8] = 34, [9] = 34},
    [7] = {[8] = 36, [9] = 36},
};

// The cost of a prime in a product modulo that many primes, in hundredths of its cost modulo three:
// by the rows' logarithm, for one piece, two and more. Measured with columns of 2^12. 0: not
// measured.
static const unsigned modular_primes_cost[FFT_MODULAR_PRIMES + 1][13][3] =
    {
        [4] =
            {
                [8] = {122, 122, 125},
                [9] = {121, 118, 123},
                [10] = {113, 115, 109},
                [11] = {112, 108, 106},
                [12] = {106, 105, 105},
            },
        [5] =
            {
                [8] = {119, 125, 128},
                [9] = {124, 123, 128},
                [10] = {118, 121, 114},
                [11] = {115, 111, 111},
                [12] = {110, 111, 111},
            },
        [6] =
            {
                [8] = {108, 108, 110},
                [9] = {112, 104, 109},
                [10] = {103, 102, 99},
                [11] = {104, 95, 98},
                [12] = {102, 97, 98},
            },
};

#endif  // FFT_DEVICE_MODULAR_COSTS_H_
