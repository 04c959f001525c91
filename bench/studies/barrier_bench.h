// barrier_bench.h: what the parts of barrier_bench share. Plain C; includes the benchmarks'
// headers.
#ifndef BENCH_STUDIES_BARRIER_BENCH_H_
#define BENCH_STUDIES_BARRIER_BENCH_H_

#include "bench/device/record.h"
#include "bench/device/timing.h"
#include "bench/studies/steps.h"

// study_row: one contender against the same steps by launches.
typedef struct {
    const char *op, *variant;
    uint64_t n, count;  // of the record
    device_side side, base;
    device_copying copy;  // moves one step's bytes, or as much as a step reads
    unsigned steps, calls;
    // Runs each once more on fresh operands and counts elements of the contender's result that are
    // wrong; UINT64_MAX if that failed.
    uint64_t (*wrong)(void *self);
    void *self;
    bool may_be_wrong;  // STEPS_NO_WAIT
} study_row;

// study_measure prints and records the row, topic barriers. Ends the program where it failed or is
// wrong.
void study_measure(const device_run *run, const study_row *row);
// study_stop ends the program with status 1.
void study_stop(const char *what, uint64_t n);
// study_alloc, study_cleared: device memory, of zeros; end the program where there is none.
void *study_alloc(size_t bytes);
void *study_cleared(size_t bytes);

// The parts.
void study_passes(const device_run *run);
void study_jacobi(const device_run *run);
void study_power(const device_run *run);
void study_blocks(const device_run *run);

#endif  // BENCH_STUDIES_BARRIER_BENCH_H_
