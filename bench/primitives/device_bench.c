// device_bench.c: scan and reduce on a device against CUB and a copy, alternating in one process.
// Part study has the reductions of [Koike15] (tests/primitives/scan/reduce_study.h) as further
// variants, rows the papers' scans of short rows, tuples their parameters searched, sweep K of
// Scan-SP and alpha of the matrix-based scan, segments the maximum segment sum, reads loads through
// the read-only cache.
//
// Prints a table; with --out appends records (bench/schema.md) to FOLDER/<chip>-scan.jsonl,
// -reduce.jsonl, -scan-rows.jsonl, -scan-tuples.jsonl, -scan-sweep.jsonl, -segments.jsonl and
// -reads.jsonl. Every result is checked on the device or against the rival's; a wrong one ends the
// program with status 1 and without its record.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/program.h"
#include "bench/primitives/cub.h"
#include "bench/primitives/device_bench.h"
#include "bench/primitives/naive.h"
#include "primitives/scan/reduce.h"
#include "primitives/scan/scan.h"
#include "tests/primitives/scan/reduce_study.h"
#include "tests/support/device.h"

// One contender of this library.
typedef struct {
    scan_job scan;
    reduce_job reduce;
    study_form form;
    const buffers *b;
} ours;

static bool ours_scan(void *self, cuda_stream stream) {
    const ours *o = self;
    return scan_device(&o->scan, o->b->out, o->b->in, o->b->workspace, WORKSPACE_BYTES, stream) ==
           RESULT_OK;
}

static bool ours_reduce(void *self, cuda_stream stream) {
    const ours *o = self;
    return reduce_device(&o->reduce, o->b->out, o->b->in, o->b->workspace, WORKSPACE_BYTES,
                         stream) == RESULT_OK;
}

static bool ours_study(void *self, cuda_stream stream) {
    const ours *o = self;
    return study_sum(o->b->out, o->b->in, o->reduce.n, o->form, o->b->workspace, stream) ==
           RESULT_OK;
}

static void bench_scan(const device_run *run, const buffers *b, scan_variant v, uint64_t n,
                       uint64_t rows) {
    ours o = {.scan = {.op = MONOID_SUM_U32, .variant = v, .n = n, .rows = rows}, .b = b};
    if (scan_valid(&o.scan) && scan_workspace_bytes(&o.scan) <= WORKSPACE_BYTES) {
        device_bench_scan(run, b, "scan", scan_variant_name(v), (device_side){ours_scan, &o, false},
                          n, rows, NULL);
    }
}

// Every second size for the variants beside the default, up to 2^28, and 2^31.
static void bench_scan_variant(const device_run *run, const buffers *b, scan_variant v,
                               unsigned top) {
    const unsigned step = v == SCAN_LOOK_BACK ? 2 : 4, total = run->quick ? 24 : 28;
    // Some schedules leave words that others may not find.
    if (!device_fill(b->workspace, 0, WORKSPACE_BYTES)) {
        device_bench_wrong("clearing", 0, 0);
    }
    for (unsigned k = 8; k <= (v == SCAN_LOOK_BACK ? top : total); k += step) {
        bench_scan(run, b, v, UINT64_C(1) << k, 1);
    }
    const unsigned last = v == SCAN_LOOK_BACK ? top : top < 31 ? top : 31;
    if (last % step != 0) {
        bench_scan(run, b, v, UINT64_C(1) << last, 1);
    }
    for (unsigned k = 6; k <= 20; k += step) {
        bench_scan(run, b, v, UINT64_C(1) << k, UINT64_C(1) << (total - k));
    }
}

static void bench_naive(const device_run *run, const buffers *b) {
    for (size_t i = 0; i < NAIVE_SCANS; i++) {
        for (unsigned k = 12; k <= 24; k += 4) {
            const uint64_t n = UINT64_C(1) << k;
            naive_job job = {b->in, b->out, n, b->workspace, WORKSPACE_BYTES};
            const device_side side = {naive_scans[i].enqueue, &job, false};
            device_bench_scan(run, b, "scan", naive_scans[i].name, side, n, 1, NULL);
        }
    }
}

// One contender's reduction against CUB's and a copy.
static void bench_reduce_side(const device_run *run, const buffers *b, const char *name,
                              device_side side, uint64_t n, uint64_t rows) {
    cub_job cub = {b->in, b->rival_out, n, rows, NULL, 0};
    if (!cub_reduce(&cub, NULL) || cub.workspace_bytes > WORKSPACE_BYTES) {
        device_bench_wrong("CUB's reduction", n, rows);
    }
    cub.workspace = b->rival_workspace;
    // As many bytes as the reduction reads, half of them read and half written, behind CUB's
    // result.
    device_copying copy = {b->rival_out + (rows + 63) / 64 * 64, b->in, n * rows * 2};
    const device_side sides[] = {
        side, {cub_reduce, &cub, false}, {device_copy_enqueue, &copy, false}};
    device_times times[3];
    device_fill(b->out, 0xA5, rows * 4);
    uint32_t *got = program_memory(rows, 4, "results"), *want = program_memory(rows, 4, "results");
    const bool ok =
        device_time(NULL, sides, 3, device_bench_calls(n * rows), DEVICE_SAMPLES, times) &&
        cub_reduce(&cub, NULL) && device_download(got, b->out, rows * 4) &&
        device_download(want, b->rival_out, rows * 4) && memcmp(got, want, rows * 4) == 0;
    free(got);
    free(want);
    if (!ok) {
        device_bench_wrong(name, n, rows);
    }
    device_bench_record(run, "reduce", name, n, rows, times, 4.0 * (double)(n * rows), NULL);
}

static void bench_reduce(const device_run *run, const buffers *b, uint64_t n, uint64_t rows) {
    ours o = {.reduce = {.op = MONOID_SUM_U32, .n = n, .rows = rows}, .b = b};
    bench_reduce_side(run, b, "chunks", (device_side){ours_reduce, &o, false}, n, rows);
}

static void bench_study(const device_run *run, const buffers *b, uint64_t n) {
    for (unsigned form = 0; form < STUDY_FORMS; form++) {
        ours o = {.reduce = {.n = n}, .form = (study_form)form, .b = b};
        if (study_workspace_bytes(n) <= WORKSPACE_BYTES) {
            bench_reduce_side(run, b, study_names[form], (device_side){ours_study, &o, false}, n,
                              1);
        }
    }
}

// Buffers for 2^top elements; false, and none, if the device has no room for them.
static bool allocate(buffers *b, unsigned top) {
    const uint64_t bytes = (UINT64_C(4) << top) + (1 << 20);
    b->in = device_alloc(bytes);
    b->out = device_alloc(bytes);
    b->rival_out = device_alloc(bytes);
    b->workspace = device_alloc(WORKSPACE_BYTES);
    b->rival_workspace = device_alloc(WORKSPACE_BYTES);
    if (b->in != NULL && b->out != NULL && b->rival_out != NULL && b->workspace != NULL &&
        b->rival_workspace != NULL) {
        return true;
    }
    device_free(b->in);
    device_free(b->out);
    device_free(b->rival_out);
    device_free(b->workspace);
    device_free(b->rival_workspace);
    *b = (buffers){0};
    return false;
}

int main(int argc, char **argv) {
    enum { SCAN, REDUCE, STUDY, ROWS, TUPLES, SWEEP, SEGMENTS, READS, PARTS };
    static const char *const names[PARTS] = {
        [SCAN] = "scan",     [REDUCE] = "reduce", [STUDY] = "study",       [ROWS] = "rows",
        [TUPLES] = "tuples", [SWEEP] = "sweep",   [SEGMENTS] = "segments", [READS] = "reads"};
    static const struct argp own = {
        .parser = device_run_parts_parse,
        .args_doc = "[scan] [reduce] [study] [rows] [tuples] [sweep] [segments] [reads]",
        .doc =
            "Times scans and reductions on a device against CUB and a copy, and checks every "
            "result. Measures the parts that are named, or all."};
    device_run run = {0};
    device_run_parts parts = {names, PARTS, 0};
    device_run_start(&run, &own, &parts, argc, argv);
    // The longest, up to 2^33, of which the device holds three; at least 2^30.
    unsigned top = run.quick ? 24 : 33;
    buffers b = {0};
    while (!allocate(&b, top) && top > 30) {
        top--;
    }
    if (b.in == NULL || !device_random(MONOID_SUM_U32, b.in, UINT64_C(1) << top, SEED) ||
        !device_fill(b.workspace, 0, WORKSPACE_BYTES)) {
        program_no_memory("on the device");
    }
    const unsigned total = run.quick ? 24 : 28;
    if (parts.asked >> SCAN & 1) {
        for (unsigned v = 0; v < SCAN_VARIANTS; v++) {
            bench_scan_variant(&run, &b, (scan_variant)v, top);
        }
        bench_naive(&run, &b);
    }
    if ((parts.asked >> REDUCE & 1) && device_fill(b.workspace, 0, WORKSPACE_BYTES)) {
        for (unsigned k = 8; k <= top; k += 2) {
            bench_reduce(&run, &b, UINT64_C(1) << k, 1);
        }
        for (unsigned k = 6; k <= 20; k += 2) {
            bench_reduce(&run, &b, UINT64_C(1) << k, UINT64_C(1) << (total - k));
        }
    }
    const unsigned longest = run.quick ? 24 : 30;  // of study
    for (unsigned k = 10; (parts.asked >> STUDY & 1) && k <= longest; k += 2) {
        bench_study(&run, &b, UINT64_C(1) << k);
    }
    void (*const others[PARTS])(const device_run *, const buffers *) = {
        [ROWS] = device_bench_rows,
        [TUPLES] = device_bench_tuples,
        [SWEEP] = device_bench_sweep,
        [SEGMENTS] = device_bench_segments,
        [READS] = device_bench_reads};
    for (unsigned part = ROWS; part < PARTS; part++) {
        if (parts.asked >> part & 1) {
            others[part](&run, &b);
        }
    }
    return 0;
}
