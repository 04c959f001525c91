// scan_rows.h: the papers' scans of short rows by name: inclusive sums of uint32_t, rows one after
// another, by Ladner and Fischer's and by Kogge and Stone's circuit, each without and with the
// steps that make it fast. scan.h's schedules take rows of any length; these are what they are
// measured against. Plain C. For the benchmark and its test only.
#ifndef BENCH_PRIMITIVES_SCAN_ROWS_H_
#define BENCH_PRIMITIVES_SCAN_ROWS_H_

#include <stdbool.h>
#include <stdint.h>

#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// n elements of a row, log = log2 n; L threads of a block. Each form reads and writes every element
// once in one launch: I/O 2 n / b a row.
//
//   form                 rows of a block  exchanges                          barriers     words
//   lf-sc, ks-sc         1                elements, in shared memory         log, 2 log   n
//   bplg-lf-sc-naive     4 L / n          4 elements a thread, sums of       log - 2      L
//                                         threads in shared memory
//   bplg-ks-sc-naive     4 L / n          the same                           2 log - 4    L
//   bplg-lf-sc, bplg-ks-sc  4 L / n       4 elements a thread, sums of       0 to n = 128, 32
//                                         threads by shuffles, of warps by   2 above
//                                         one warp
typedef enum {
    SCAN_ROWS_LF,
    SCAN_ROWS_KS,
    SCAN_ROWS_LF_NAIVE,
    SCAN_ROWS_KS_NAIVE,
    SCAN_ROWS_LF_TUNED,
    SCAN_ROWS_KS_TUNED,
    SCAN_ROWS_FORMS,
} scan_rows_form;

static const char *const scan_rows_names[SCAN_ROWS_FORMS] = {
    "lf-sc", "ks-sc", "bplg-lf-sc-naive", "bplg-ks-sc-naive", "bplg-lf-sc", "bplg-ks-sc"};

typedef struct {
    const uint32_t *in;  // aligned to 16 bytes, as out is; out may be in
    uint32_t *out;
    uint64_t n, rows;  // n: a power of two, 64 .. 2048, for ks-sc 1024; n rows <= 2^34
    scan_rows_form form;
    unsigned threads;  // L, of the forms with several rows: a power of two, n / 4 .. 1024
} scan_rows_job;

// scan_rows_warps returns how many warps of a form with several rows a block the present device
// keeps on a multiprocessor, 0 for other jobs. The papers' method takes the L with most warps, and
// of those the least, which has most blocks.
unsigned scan_rows_warps(const scan_rows_job *job);

// scan_rows_enqueue enqueues a scan_rows_job; false if it is outside of these bounds or the launch
// failed.
bool scan_rows_enqueue(void *job, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // BENCH_PRIMITIVES_SCAN_ROWS_H_
