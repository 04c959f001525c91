// wang_mou_radix.h: Wang and Mou's algorithm in radices 2, 4 and 8, as the papers' MS-ID-TS has it:
// a thread holds the rows of a node in registers, so that log2 of the radix steps need one
// exchange. tridiagonal.h's wang-mou has a row a thread and exchanges by shuffles within a warp.
// Plain C. For the benchmark and its test only.
#ifndef BENCH_TRIDIAGONAL_WANG_MOU_RADIX_H_
#define BENCH_TRIDIAGONAL_WANG_MOU_RADIX_H_

#include "bench/tridiagonal/naive.h"

#ifdef __cplusplus
extern "C" {
#endif

// wang_mou_radices[0..WANG_MOU_RADICES): ms-id-ts-2, ms-id-ts-4, ms-id-ts-8. Systems of up to 1024
// rows take one launch and 5 words of device memory a row; up to 2^19 two, and 13: blocks of 1024
// rows, then rows at one place of all blocks, with each block's first and last row. Registers
// do not hold a node of 8 doubles without spills.
enum { WANG_MOU_RADICES = 3 };
extern const naive_tridiagonal wang_mou_radices[WANG_MOU_RADICES];

#ifdef __cplusplus
}
#endif

#endif  // BENCH_TRIDIAGONAL_WANG_MOU_RADIX_H_
