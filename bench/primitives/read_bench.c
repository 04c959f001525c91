// read_bench.c: part reads of device_bench: loads through the read-only cache against plain ones.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/program.h"
#include "bench/primitives/device_bench.h"
#include "bench/primitives/reads.h"
#include "tests/support/device.h"

static bool same_sums(const reads_job *a, const reads_job *b) {
    const size_t bytes = sizeof(double) * READS_STORES * a->threads;
    double *x = program_memory(bytes, 1, "sums"), *y = program_memory(bytes, 1, "sums");
    const bool same = device_download(x, a->out, bytes) && device_download(y, b->out, bytes) &&
                      memcmp(x, y, bytes) == 0;
    free(x), free(y);
    return same;
}

// The table is b->out, all bytes 1: every element the same number, whose sums are finite.
void device_bench_reads(const device_run *run, const buffers *b) {
    const uint64_t threads = UINT64_C(1) << (run->quick ? 16 : 20);
    double *const out = (double *)b->rival_out, *const rival_out = out + READS_STORES * threads;
    for (unsigned lg = 8; lg <= (run->quick ? 16 : 28); lg += 4) {
        const double *const table = (const double *)b->out;
        reads_job job = {table, out, lg, threads, true};
        reads_job plain = {table, rival_out, lg, threads, false};
        device_copying copy = {rival_out, table, 8 * READS_STORES * threads};
        const device_side sides[] = {{reads_enqueue, &job, false},
                                     {reads_enqueue, &plain, false},
                                     {device_copy_enqueue, &copy, false}};
        device_times times[3];
        if (!device_fill(b->out, 1, (size_t)8 << lg) ||
            !device_time(NULL, sides, 3, 20, DEVICE_SAMPLES, times) ||
            !reads_enqueue(&plain, NULL) || !same_sums(&job, &plain)) {
            device_bench_wrong("reads", UINT64_C(1) << lg, threads);
        }
        char more[64];
        snprintf(more, sizeof more, ",\"reads\":%llu", (unsigned long long)(READS_EACH * threads));
        const device_line line = {.topic = "reads",
                                  .op = "gather-f64",
                                  .variant = "read-only",
                                  .n = UINT64_C(1) << lg,
                                  .rows = 1,
                                  .bytes = 8.0 * (READS_EACH + READS_STORES) * (double)threads,
                                  .times = times,
                                  .rival = "plain loads",
                                  .more = more};
        device_record(run, &line);
    }
}
