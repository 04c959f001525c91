// rows.h: the papers' solvers of short systems that tridiagonal.h does not have: a
// system within a block, several in one if they are short, one launch each. Plain C. For the
// benchmark and its test only.
#ifndef BENCH_TRIDIAGONAL_ROWS_H_
#define BENCH_TRIDIAGONAL_ROWS_H_

#include "bench/tridiagonal/naive.h"

#ifdef __cplusplus
extern "C" {
#endif

// tridiagonal_rows[0..TRIDIAGONAL_ROWS), n = 2^k rows, 5 words of device memory a row, no
// workspace:
//   bplg-cr-ts-gm       cyclic reduction; the 64 rows that are left are a warp's, by shuffles;
//                       unknowns in device memory, 7 words a row there
//   bplg-cr-ts-sh       the same with unknowns in shared memory. The papers' Naive form is
//                       tridiagonal.h's cyclic-reduction, without shuffles
//   bplg-pcr-ts         parallel cyclic reduction, two nested rows a thread, which need four
//                       equations in place of six (efficient allocation); classes of up to 64 rows
//                       are a warp's, by shuffles (equation-warp matching)
//   bplg-pcr-ts-naive   one row a thread, every step through shared memory
//   bplg-lf-ts          redundant reduction on Ladner and Fischer's circuit, by shuffles up to 32
//                       rows, one item of each group through shared memory above. The Naive form
//                       is tridiagonal.h's redundant-ladner-fischer, with all items there
enum { TRIDIAGONAL_ROWS = 5 };
extern const naive_tridiagonal tridiagonal_rows[TRIDIAGONAL_ROWS];

#ifdef __cplusplus
}
#endif

#endif  // BENCH_TRIDIAGONAL_ROWS_H_
