// agpu.h: what plans cost in the AGPU model [Koike15], counted from the plans, and the times that
// these counts predict. docs/agpu.md says what the model is. Plain C; includes the headers that
// describe plans.
#ifndef BENCH_STUDIES_AGPU_H_
#define BENCH_STUDIES_AGPU_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "carry/device_types.h"
#include "fft/index_digit/index_digit.h"
#include "primitives/scan/reduce.h"
#include "primitives/scan/scan.h"
#include "primitives/sort/sort.h"
#include "primitives/tridiagonal/tridiagonal.h"

// The machine: its description, and what was measured: the rates of a copy and what an empty launch
// of a graph takes.
typedef struct {
    double multiprocessors, cores;      // cores of a multiprocessor
    double double_cores;                // of them, those that compute with doubles
    double clock;                       // instructions of a core in a nanosecond
    double store;                       // M: bytes of shared memory and registers of one
    double bandwidth, cache_bandwidth;  // measured: bytes in a nanosecond, read and written
    double cache_bytes;                 // below this footprint the second one counts
    double latency;                     // measured: nanoseconds
} agpu_chip;

// agpu_hopper: the description of an H100 or H200; what is measured is 0.
agpu_chip agpu_hopper(double multiprocessors);

// The five metrics. I/O is counted in bytes, not in blocks of b words.
typedef struct {
    double launches;   // each ends with a barrier of all blocks and loses what they hold
    double steps;      // time: steps of all cores together
    double io;         // bytes read and written in device memory
    double store;      // m: bytes of shared memory and registers of a block; M / m is multiplicity
    double footprint;  // bytes of device memory in use
    double blocks;     // of a launch
    bool doubles;      // the steps are of doubles
} agpu_counts;

// agpu_scan .. agpu_product count a plan. False: they know no such plan. bytes: of an element.
bool agpu_scan(agpu_counts *counts, const scan_job *job, unsigned bytes);
bool agpu_reduce(agpu_counts *counts, const reduce_job *job, unsigned bytes);
bool agpu_sort(agpu_counts *counts, const sort_job *job, const sort_plan *plan);
bool agpu_tridiagonal(agpu_counts *counts, const tridiagonal_plan *plan);
bool agpu_fft(agpu_counts *counts, const fft_id_plan *plan);
bool agpu_carry(agpu_counts *counts, const carry_job *job);

// A shape of products by modular transforms: n limbs each, `whole` in one launch of a cluster.
typedef struct {
    uint64_t n;
    unsigned primes, pieces, lg_outer, lg_rows, lg_columns;
    bool square, whole;
} agpu_shape;
bool agpu_product(agpu_counts *counts, const agpu_shape *shape);

// agpu_time predicts nanoseconds, and their parts if parts is not NULL:
//   launches * latency + max(io, steps) + min(io, steps) / multiplicity
// I/O flows at the rate of the memory or the cache, but in each latency at most what all resident
// blocks hold. Steps are those of the busiest multiprocessor. One block alone does one after the
// other; more hide the shorter part behind the longer one.
typedef struct {
    double launches, io, steps, multiplicity;
} agpu_parts;
double agpu_time(const agpu_counts *counts, const agpu_chip *chip, agpu_parts *parts);

// agpu_prune: which of several plans for one job are worth measuring: keep[i] says whether times[i]
// is at most factor times the least. Returns how many are. factor >= 1.
size_t agpu_prune(const double *times, size_t count, double factor, bool *keep);

#endif  // BENCH_STUDIES_AGPU_H_
