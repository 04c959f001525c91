// modular_costs.h: what shapes of products on a device cost, as measured. Data only; includes
// modular.h. Written by ./dev tune --shapes from records of product_bench --shapes.
// Measured on NVIDIA H200, commit 1ff901a5ca5d.
#ifndef FFT_MODULAR_COSTS_H_
#define FFT_MODULAR_COSTS_H_

#include "fft/modular.h"

// Picoseconds for each point of a product of whole words modulo three primes, that fills a shape
// of 1 to 7 pieces: by pairs of the columns' logarithm, from 8 on, by that of the rows. 0: nothing
// was measured.
static const uint16_t modular_point_cost[3][13][FFT_MODULAR_PIECES] = {
    {
        [4] = {2359, 1333, 1001, 812, 725, 651, 614},
        [5] = {1293, 755, 584, 487, 447, 419, 402},
        [6] = {679, 400, 331, 287, 268, 250, 239},
        [7] = {380, 254, 220, 185, 175, 195, 193},
        [8] = {238, 164, 158, 150, 147, 154, 163},
        [9] = {168, 128, 138, 137, 160, 167, 174},
    },
    {
        [6] = {239, 162, 151, 134, 134, 147, 160},
        [7] = {193, 127, 125, 126, 144, 164, 169},
        [8] = {115, 95, 113, 116, 135, 147, 164},
        [9] = {102, 97, 112, 120, 142, 150, 161},
    },
    {
        [6] = {129, 104, 119, 124, 141, 150, 166},
        [7] = {110, 100, 111, 120, 119, 118, 119},
        [8] = {94, 90, 106, 116, 136, 146, 158},
        [9] = {97, 96, 110, 121, 148, 159, 170},
        [10] = {98, 97, 124, 135, 151, 161, 172},
        [11] = {104, 115, 137, 149, 160, 172, 183},
        [12] = {121, 133, 149, 159, 169, 179, 191},
    },
};

// Picoseconds more behind an outer pass.
static const unsigned modular_outer_cost[FFT_MODULAR_LG_OUTER + 1] = {
    [0] = 0, [1] = 34, [2] = 34, [3] = 41, [4] = 55};

// Hundredths of all that modulo so many primes, for as many of them, by the rows' logarithm.
static const unsigned modular_primes_cost[FFT_MODULAR_PRIMES + 1][13] = {
    [3] = {0, 0, 0, 0, 100, 100, 100, 100, 100, 100, 100, 100, 100},
    [4] = {0, 0, 0, 0, 0, 0, 0, 0, 119, 115, 112, 109, 107},
    [5] = {0, 0, 0, 0, 0, 0, 0, 0, 124, 122, 118, 116, 112},
    [6] = {0, 0, 0, 0, 0, 0, 0, 0, 107, 105, 102, 101, 99},
};

#endif  // FFT_MODULAR_COSTS_H_
