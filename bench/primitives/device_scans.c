// device_scans.c: one contender's scan for all parts of device_bench, and its parts rows, tuples
// and sweep. See device_bench.h.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/primitives/cub.h"
#include "bench/primitives/device_bench.h"
#include "bench/primitives/scan_rows.h"
#include "bench/primitives/scan_sweep.h"
#include "tests/support/device.h"

void device_bench_record(const device_run *run, const char *topic, const char *variant, uint64_t n,
                         uint64_t rows, const device_times *times, double bytes, const char *more) {
    const char *op = rows > 1 ? "sum-u32-rows" : "sum-u32";
    const device_line line = {.topic = topic,
                              .op = op,
                              .variant = variant,
                              .n = n,
                              .rows = rows,
                              .bytes = bytes,
                              .times = times,
                              .rival = "CUB 3.0",
                              .more = more};
    device_record(run, &line);
}

void device_bench_wrong(const char *what, uint64_t n, uint64_t rows) {
    fprintf(stderr, "device_bench: %s of %" PRIu64 " x %" PRIu64 " is wrong or failed\n", what,
            rows, n);
    exit(1);
}

unsigned device_bench_calls(uint64_t size) {
    return size >= 1u << 26 ? 2 : size >= 1u << 22 ? 8 : 20;
}

void device_bench_scan(const device_run *run, const buffers *b, const char *topic, const char *name,
                       device_side side, uint64_t n, uint64_t rows, const char *more) {
    const uint64_t size = n * rows;
    cub_job cub = {b->in, b->rival_out, n, rows, NULL, 0};
    if (!cub_scan(&cub, NULL) || cub.workspace_bytes > WORKSPACE_BYTES) {
        device_bench_wrong("CUB's scan", n, rows);
    }
    cub.workspace = b->rival_workspace;
    device_copying copy = {b->rival_out, b->in, size * 4};
    const device_side sides[] = {
        side, {cub_scan, &cub, false}, {device_copy_enqueue, &copy, false}};
    device_times times[3];
    device_fill(b->out, 0xA5, size * 4);
    if (!device_time(NULL, sides, 3, device_bench_calls(size), DEVICE_SAMPLES, times) ||
        device_scan_errors(MONOID_SUM_U32, false, b->out, size, n, SEED) != 0) {
        device_bench_wrong(name, n, rows);
    }
    device_bench_record(run, topic, name, n, rows, times, 8.0 * (double)size, more);
}

// The fastest of blocks of 128 to 512 threads, or of the row's where it needs more.
static scan_rows_job fastest_rows(scan_rows_job job) {
    scan_rows_job best = job;
    double best_ns = 0;
    for (job.threads = 128; job.threads <= 512; job.threads *= 2) {
        const device_side side = {scan_rows_enqueue, &job, false};
        device_times times;
        if (job.form > SCAN_ROWS_KS && job.threads * 4 < job.n) {
            continue;
        }
        if (!device_time(NULL, &side, 1, 4, 5, &times)) {
            device_bench_wrong(scan_rows_names[job.form], job.n, job.rows);
        }
        if (best_ns == 0 || times.median_ns < best_ns) {
            best = job;
            best_ns = times.median_ns;
        }
    }
    return best;
}

static void bench_rows(const device_run *run, const buffers *b, unsigned total) {
    for (unsigned form = 0; form < SCAN_ROWS_FORMS; form++) {
        for (unsigned k = 6; k <= (form == SCAN_ROWS_KS ? 10u : 11u); k++) {
            const uint64_t n = UINT64_C(1) << k, rows = UINT64_C(1) << (total - k);
            scan_rows_job job =
                fastest_rows((scan_rows_job){b->in, b->out, n, rows, (scan_rows_form)form, 0});
            const bool several = form > SCAN_ROWS_KS;
            char more[64];
            snprintf(more, sizeof more, ",\"block_rows\":%u",
                     several ? job.threads * 4 / (unsigned)n : 1);
            device_bench_scan(run, b, "scan-rows", scan_rows_names[form],
                              (device_side){scan_rows_enqueue, &job, false}, n, rows, more);
        }
    }
}

// The papers' sizes, 2^24 words in all, and 2^28, which no cache holds.
void device_bench_rows(const device_run *run, const buffers *b) {
    if (run->quick) {
        bench_rows(run, b, 20);
        return;
    }
    bench_rows(run, b, 24);
    bench_rows(run, b, 28);
}

// Every L of a form for rows of n; the one that the papers' method takes is marked.
static void bench_tuples(const device_run *run, const buffers *b, scan_rows_form form, uint64_t n,
                         uint64_t rows) {
    enum { LEAST = 32, MOST = 1024 };
    const unsigned first = n / 4 > LEAST ? (unsigned)n / 4 : LEAST;
    scan_rows_job job = {b->in, b->out, n, rows, form, first};
    unsigned picked = 0, most = 0;
    for (; job.threads <= MOST; job.threads *= 2) {
        const unsigned warps = scan_rows_warps(&job);
        picked = warps > most ? job.threads : picked;
        most = warps > most ? warps : most;
    }
    for (job.threads = first; job.threads <= MOST; job.threads *= 2) {
        char name[32], more[96];
        snprintf(name, sizeof name, "%s-l%u", scan_rows_names[form], job.threads);
        snprintf(more, sizeof more, ",\"block_threads\":%u,\"warps\":%u,\"picked\":%s", job.threads,
                 scan_rows_warps(&job), job.threads == picked ? "true" : "false");
        device_bench_scan(run, b, "scan-tuples", name,
                          (device_side){scan_rows_enqueue, &job, false}, n, rows, more);
    }
}

void device_bench_tuples(const device_run *run, const buffers *b) {
    const unsigned total = run->quick ? 20 : 24;
    for (unsigned form = SCAN_ROWS_LF_TUNED; form <= SCAN_ROWS_KS_TUNED; form++) {
        for (unsigned k = 6; k <= 11; k++) {
            bench_tuples(run, b, (scan_rows_form)form, UINT64_C(1) << k,
                         UINT64_C(1) << (total - k));
        }
    }
}

static void sweep(const device_run *run, const buffers *b, uint64_t n, unsigned k, unsigned alpha) {
    scan_sweep_job job = {b->in, b->out, n, k, alpha, b->workspace, WORKSPACE_BYTES};
    if (scan_sweep_bytes(&job) > WORKSPACE_BYTES) {
        return;
    }
    char name[32], more[64];
    snprintf(name, sizeof name, k > 0 ? "three-kernel-k%u" : "tile-alpha%u", k > 0 ? k : alpha);
    snprintf(more, sizeof more, ",\"parameter\":%u,\"warps\":%u", k > 0 ? k : alpha,
             scan_sweep_warps(&job));
    device_bench_scan(run, b, "scan-sweep", name, (device_side){scan_sweep_enqueue, &job, false}, n,
                      1, more);
}

void device_bench_sweep(const device_run *run, const buffers *b) {
    for (unsigned lg = 20; lg <= (run->quick ? 20 : 28); lg += 4) {
        for (unsigned k = 1; k <= 1024; k *= 2) {
            sweep(run, b, UINT64_C(1) << lg, k, 0);
        }
    }
    for (unsigned lg = 20; lg <= (run->quick ? 20 : 27); lg += 7) {
        for (unsigned i = 0; i < SCAN_SWEEP_ALPHAS; i++) {
            sweep(run, b, UINT64_C(1) << lg, 0, scan_sweep_alphas[i]);
        }
    }
}
