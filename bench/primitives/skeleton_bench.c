// skeleton_bench.c: the skeletons with a user's operators against CUB with the same ones and a
// copy, alternating in one process.
//
// Prints a table; with --out appends records (bench/schema.md) to FOLDER/<chip>-skeletons.jsonl.
// Every result is compared with CUB's, word by word. A wrong one ends the program with status 1 and
// without its record. CUB reduces with operators that commute only, so other reductions are
// compared with the last value of its scan and timed against a copy alone.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/program.h"
#include "bench/device/record.h"
#include "bench/device/timing.h"
#include "bench/primitives/cub_skeletons.h"
#include "bench/primitives/differences.h"
#include "tests/support/device.h"

enum { SEED = 1, WORKSPACE_BYTES = 64 << 20 };

// The value's bytes: of argmax, affine, carry, matrix.
static const char *const names[] = {"argmax", "affine", "carry", "matrix"};
static const unsigned value_bytes[] = {8, 8, 1, 16};

typedef struct {
    device_run run;
    char *in, *out, *rival_out, *workspace, *rival_workspace;
} skeleton_bench;

typedef struct {
    const skeleton_bench *b;
    skeleton_operator op;
    uint64_t n;
} ours;

static bool ours_scan(void *self, cuda_stream stream) {
    const ours *o = self;
    return skeleton_scan(o->op, false, o->b->out, o->b->in, o->n, 1, o->b->workspace,
                         WORKSPACE_BYTES, stream) == RESULT_OK;
}

static bool ours_reduce(void *self, cuda_stream stream) {
    const ours *o = self;
    return skeleton_reduce(o->op, o->b->out, o->b->in, o->n, 1, o->b->workspace, WORKSPACE_BYTES,
                           stream) == RESULT_OK;
}

static bool ours_compact(void *self, cuda_stream stream) {
    const ours *o = self;
    return skeleton_compact(false, o->b->out + 256, (uint64_t *)o->b->out, o->b->in, o->n,
                            o->b->workspace, WORKSPACE_BYTES, stream) == RESULT_OK;
}

static void fail(const char *what, const char *op, uint64_t n) {
    fprintf(stderr, "skeleton_bench: %s %s of %" PRIu64 " is wrong or failed\n", op, what, n);
    exit(1);
}

static unsigned calls_for(uint64_t bytes) { return bytes >= 1u << 28 ? 2 : 20; }

// Fresh results, and a workspace that no other skeleton has used.
static void prepare(const skeleton_bench *b, uint64_t bytes) {
    device_fill(b->out, 0xA5, bytes + 512);
    device_fill(b->rival_out, 0x5A, bytes + 512);
    device_fill(b->workspace, 0, WORKSPACE_BYTES);
}

// Times ours, the rival if there is one, and a copy of the bytes that are read and written.
static void measure(const skeleton_bench *b, const char *op, ours *o,
                    bool (*enqueue)(void *, cuda_stream), cub_skeleton_job *cub,
                    bool (*rival)(void *, cuda_stream), uint64_t moved) {
    device_copying copy = {b->rival_out, b->in, moved / 2};
    device_side sides[3] = {{enqueue, o, false}};
    unsigned count = 1;
    if (rival != NULL) {
        cub->workspace = NULL;
        if (!rival(cub, NULL) || cub->workspace_bytes > WORKSPACE_BYTES) {
            fail("by CUB", op, o->n);
        }
        cub->workspace = b->rival_workspace;
        sides[count++] = (device_side){rival, cub, false};
    }
    sides[count++] = (device_side){device_copy_enqueue, &copy, false};
    device_times times[3];
    if (!device_time(NULL, sides, count, calls_for(moved), DEVICE_SAMPLES, times)) {
        fail("timing", op, o->n);
    }
    const device_line line = {.topic = "skeletons",
                              .op = op,
                              .variant = "skeleton",
                              .n = o->n,
                              .rows = 1,
                              .bytes = (double)moved,
                              .times = times,
                              .rival = rival != NULL ? "CUB 3.0" : NULL};
    device_record(&b->run, &line);
}

static void bench_scan(const skeleton_bench *b, skeleton_operator op, uint64_t n) {
    const uint64_t bytes = n * value_bytes[op];
    ours o = {b, op, n};
    cub_skeleton_job cub = {op, b->in, b->rival_out, NULL, n, NULL, 0};
    char name[32];
    snprintf(name, sizeof name, "scan-%s", names[op]);
    prepare(b, bytes);
    measure(b, name, &o, ours_scan, &cub, cub_skeleton_scan, 2 * bytes);
    // The copy wrote where CUB's result was.
    if (!cub_skeleton_scan(&cub, NULL) || differences(b->out, b->rival_out, bytes / 4) != 0) {
        fail("scan", names[op], n);
    }
}

static void bench_reduce(const skeleton_bench *b, skeleton_operator op, uint64_t n) {
    const uint64_t bytes = n * value_bytes[op];
    ours o = {b, op, n};
    cub_skeleton_job cub = {op, b->in, b->rival_out, NULL, n, NULL, 0};
    char name[32], got[16], want[16];
    snprintf(name, sizeof name, "reduce-%s", names[op]);
    prepare(b, bytes);
    measure(b, name, &o, ours_reduce, &cub, op == SKELETON_ARGMAX ? cub_skeleton_reduce : NULL,
            bytes);
    cub.workspace = NULL;
    if (!cub_skeleton_scan(&cub, NULL) || cub.workspace_bytes > WORKSPACE_BYTES) {
        fail("scan by CUB", names[op], n);
    }
    cub.workspace = b->rival_workspace;
    if (!cub_skeleton_scan(&cub, NULL) || !device_download(got, b->out, value_bytes[op]) ||
        !device_download(want, b->rival_out + bytes - value_bytes[op], value_bytes[op]) ||
        memcmp(got, want, value_bytes[op]) != 0) {
        fail("reduction", names[op], n);
    }
}

static void bench_compact(const skeleton_bench *b, uint64_t n) {
    ours o = {b, SKELETON_ARGMAX, n};
    cub_skeleton_job cub = {
        SKELETON_ARGMAX, b->in, b->rival_out + 256, (uint64_t *)b->rival_out, n, NULL, 0};
    uint64_t count = 0;
    prepare(b, 4 * n);
    measure(b, "compact-u32-half", &o, ours_compact, &cub, cub_skeleton_select, 6 * n);
    if (!cub_skeleton_select(&cub, NULL) || !device_download(&count, b->out, 8) ||
        differences(b->out, b->rival_out, 2) != 0 ||
        differences(b->out + 256, b->rival_out + 256, count) != 0) {
        fail("compaction", "", n);
    }
}

int main(int argc, char **argv) {
    enum { SCAN, REDUCE, COMPACT, PARTS };
    static const char *const names_of_parts[PARTS] = {
        [SCAN] = "scan", [REDUCE] = "reduce", [COMPACT] = "compact"};
    static const struct argp own = {
        .parser = device_run_parts_parse,
        .args_doc = "[scan] [reduce] [compact]",
        .doc =
            "Times the skeletons with a user's operators on a device against CUB and a copy, and "
            "checks every result. Measures the parts that are named, or all."};
    skeleton_bench b = {0};
    device_run_parts parts = {names_of_parts, PARTS, 0};
    device_run_start(&b.run, &own, &parts, argc, argv);
    const unsigned top = b.run.quick ? 20 : 28;
    const uint64_t bytes = (UINT64_C(16) << top) + 512;
    b.in = device_alloc(bytes);
    b.out = device_alloc(bytes);
    b.rival_out = device_alloc(bytes);
    b.workspace = device_alloc(WORKSPACE_BYTES);
    b.rival_workspace = device_alloc(WORKSPACE_BYTES);
    if (b.in == NULL || b.out == NULL || b.rival_out == NULL || b.workspace == NULL ||
        b.rival_workspace == NULL ||
        !device_random(MONOID_SUM_U32, b.in, UINT64_C(4) << top, SEED)) {
        program_no_memory("on the device");
    }
    for (unsigned k = 12; k <= top; k += 4) {
        for (unsigned op = SKELETON_ARGMAX; op <= SKELETON_MATRIX; op++) {
            if (parts.asked >> SCAN & 1) {
                bench_scan(&b, (skeleton_operator)op, UINT64_C(1) << k);
            }
            if (parts.asked >> REDUCE & 1) {
                bench_reduce(&b, (skeleton_operator)op, UINT64_C(1) << k);
            }
        }
        if (parts.asked >> COMPACT & 1) {
            bench_compact(&b, UINT64_C(1) << k);
        }
    }
    return 0;
}
