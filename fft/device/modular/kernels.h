// kernels.h: the lists of kernels in column_kernels.cu, row_kernels.cu, outer_kernels.cu and
// inner_kernels.cu, and the functions that find a kernel, for steps.cu. Includes inverse.cuh,
// pair.cuh, rows.cuh.
#ifndef FFT_DEVICE_MODULAR_KERNELS_H_
#define FFT_DEVICE_MODULAR_KERNELS_H_

#include "fft/device/modular/inverse.cuh"
#include "fft/device/modular/pair.cuh"
#include "fft/device/modular/rows.cuh"

// A tile: its blocks, a cluster where there are several, and lines as a logarithm; each block's
// threads and bytes of shared memory.
struct ModularTileEntry {
    unsigned blocks, lg_lines, threads;
    size_t bytes;
};

// For 2^lg rows by 2^lg_columns: the columns; back: of one piece in the inverse; pair: of two
// pieces side by side there, lines of both.
struct ModularColumnsEntry {
    bool split;  // behind an outer pass: kSplitDigits and kJoinLater only
    unsigned lg, lg_columns;
    ModularTileEntry tile, back_tile, pair_tile;
    void (*columns[kModularDigitsKinds])(ModularColumnsJob);
    void (*back[2])(ModularColumnsJob);  // by ModularJoin; spread tiles: kJoinLater only
    void (*pair)(ModularColumnsJob);
};
struct ModularRowsEntry {
    unsigned lg, threads, lg_lines;
    size_t bytes;
    void (*kernel)(ModularRowsJob);
};

// The outer pass: a launch of kModularOuterThreads threads a block. lg: of a part's points.
struct ModularOuterJob : ModularStep {
    ModularDigits operand[2];
    unsigned lg;
};
struct ModularOuterEntry {
    unsigned lg, lg_lines;                         // of a tile
    size_t bytes;                                  // of shared memory
    void (*split[kSplitDigits])(ModularOuterJob);  // by ModularDigitsKind
    void (*gather)(ModularOuterJob);
    void (*join)(ModularOuterJob);  // gather and join of two pieces
};
const ModularOuterEntry *ModularOuterOf(unsigned lg);  // 1 .. FFT_MODULAR_LG_OUTER

// The inner pass, in place, with a tile as of the outer one (inner_kernels.cu).
struct ModularInnerEntry {
    unsigned lg_lines;
    size_t bytes;
    void (*split)(ModularOuterJob);
    void (*gather)(ModularOuterJob);
};
const ModularInnerEntry *ModularInnerOf(unsigned lg);  // 1 .. FFT_MODULAR_LG_OUTER

// Null if there are none.
const ModularColumnsEntry *ModularColumnsOf(unsigned lg, unsigned lg_columns, bool split);
const ModularRowsEntry *ModularRowsOf(unsigned lg);

#endif  // FFT_DEVICE_MODULAR_KERNELS_H_
