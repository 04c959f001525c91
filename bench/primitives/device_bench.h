// device_bench.h: what the parts of device_bench share: buffers, and one contender's scan against
// CUB's and a copy. Plain C; includes record.h and timing.h.
#ifndef BENCH_PRIMITIVES_DEVICE_BENCH_H_
#define BENCH_PRIMITIVES_DEVICE_BENCH_H_

#include <stdint.h>

#include "bench/device/record.h"
#include "bench/device/timing.h"

typedef struct {
    uint32_t *in, *out, *rival_out;
    char *workspace, *rival_workspace;
} buffers;

enum { WORKSPACE_BYTES = 288 << 20, SEED = 1 };

// device_bench_wrong says that `what` failed, and ends the program.
void device_bench_wrong(const char *what, uint64_t n, uint64_t rows);

// device_bench_calls returns the calls in one graph: about a millisecond's worth, 20 for short
// ones.
unsigned device_bench_calls(uint64_t size);

// device_bench_record prints a line and writes its record against CUB. times: ours, CUB's, the
// copy's.
void device_bench_record(const device_run *run, const char *topic, const char *variant, uint64_t n,
                         uint64_t rows, const device_times *times, double bytes, const char *more);

// device_bench_scan measures a side that scans rows of b->in into b->out, checks its result, prints
// the line and writes the record under that topic, with the fields `more` (NULL: none). Ends the
// program if the result is wrong.
void device_bench_scan(const device_run *run, const buffers *b, const char *topic, const char *name,
                       device_side side, uint64_t n, uint64_t rows, const char *more);

// The parts of device_scans.c. rows: the papers' scans of short rows, topic scan-rows. tuples: the
// tuned ones with every L, topic scan-tuples. sweep: K of three-kernel and alpha of tile, topic
// scan-sweep.
void device_bench_rows(const device_run *run, const buffers *b);
void device_bench_tuples(const device_run *run, const buffers *b);
void device_bench_sweep(const device_run *run, const buffers *b);

// segments.c: the maximum segment sum, topic segments. Overwrites b->out.
void device_bench_segments(const device_run *run, const buffers *b);
// read_bench.c: loads through the read-only cache, topic reads. Overwrites b->out.
void device_bench_reads(const device_run *run, const buffers *b);

#endif  // BENCH_PRIMITIVES_DEVICE_BENCH_H_
