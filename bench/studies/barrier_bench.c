// barrier_bench.c: how steps follow each other on a device: launches, a graph of them, launches
// that begin early, a barrier in one cooperative launch, and post-wait (steps.h).
//
// passes: over a matrix of words, as a product makes them. jacobi: dense systems with one and four
// right-hand sides, rows a thread swept, the matrix kept in shared memory. power: of a matrix.
// blocks: the order in which blocks start, and barriers among as many blocks as run at once and one
// more.
//
// Prints a table; with --out appends records (bench/schema.md) to FOLDER/<chip>-barriers.jsonl. Of
// each row median_ns is in a graph and stream_ns one launch after the other. Every result is
// checked; a wrong one ends the program with status 1 and without its record, except where nothing
// waits: there the record counts the wrong elements.
#include "bench/studies/barrier_bench.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "apps/program.h"
#include "bench/studies/blocks.h"
#include "bench/studies/passes.h"
#include "tests/support/device.h"

void study_stop(const char *what, uint64_t n) {
    fprintf(stderr, "barrier_bench: %s, n = %" PRIu64 "\n", what, n);
    exit(EXIT_WRONG);
}

void *study_alloc(size_t bytes) {
    void *p = device_alloc(bytes);
    if (p == NULL) {
        program_no_memory("%zu bytes on the device", bytes);
    }
    return p;
}

void *study_cleared(size_t bytes) {
    void *p = study_alloc(bytes);
    if (!device_fill(p, 0, bytes)) {
        study_stop("clearing failed", bytes);
    }
    return p;
}

void study_measure(const device_run *run, const study_row *row) {
    device_copying copy = row->copy;
    const device_side sides[] = {row->side, row->base, {device_copy_enqueue, &copy, false}};
    device_times times[3];
    const unsigned samples = run->quick ? 5 : DEVICE_SAMPLES;
    if (!device_time(NULL, sides, 3, row->calls, samples, times) ||
        !device_energy(NULL, sides, 2, row->calls, run->energy, times)) {
        study_stop(row->variant, row->n);
    }
    const uint64_t wrong = row->wrong(row->self);
    if (wrong == UINT64_MAX || (wrong > 0 && !row->may_be_wrong)) {
        study_stop("wrong", row->n);
    }
    times[2].median_ns *= row->steps;
    times[2].min_ns *= row->steps;
    char more[96];
    snprintf(more, sizeof more, ",\"steps\":%u,\"wrong\":%" PRIu64, row->steps, wrong);
    const device_line line = {.topic = "barriers",
                              .op = row->op,
                              .variant = row->variant,
                              .n = row->n,
                              .rows = row->count,
                              .bytes = 2.0 * (double)copy.bytes * row->steps,
                              .times = times,
                              .rival = "launches",
                              .more = more,
                              .note = wrong > 0 ? "wrong, as nothing waits" : NULL};
    device_record(run, &line);
}

// --- Passes --------------------------------------------------------------------------------------

typedef struct {
    passes_job job;
    uint64_t *host;  // 2^lg words
} passes_side;

static bool enqueue_passes(void *self, cuda_stream stream) {
    const passes_side *p = self;
    return passes_run(&p->job, stream) == RESULT_OK;
}

static uint64_t wrong_passes(void *self) {
    const passes_side *p = self;
    const size_t n = (size_t)1 << p->job.lg;
    for (size_t i = 0; i < n; i++) {
        p->host[i] = i;
    }
    if (!device_upload(p->job.x, p->host, 8 * n) || !enqueue_passes(self, NULL) ||
        !device_download(p->host, p->job.steps % 2 == 0 ? p->job.x : p->job.y, 8 * n)) {
        return UINT64_MAX;
    }
    uint64_t wrong = 0;
    for (size_t i = 0; i < n; i++) {
        wrong += p->host[i] != passes_word(&p->job, i);
    }
    return wrong;
}

// Two buffers, each contender with a workspace of its own.
static void bench_passes(const device_run *run, unsigned lg, unsigned steps) {
    const size_t bytes = (size_t)8 << lg;
    uint64_t *x = study_cleared(bytes), *y = study_cleared(bytes);
    uint64_t *const host = program_memory(bytes, 1, "a matrix");
    passes_side base = {{x, y, lg, steps, STEPS_LAUNCHES, false, NULL}, host};
    for (unsigned k = 0; k <= STEPS_WAYS; k++) {
        // Once more: tiles wait for tiles.
        const bool by_tiles = k == STEPS_WAYS;
        const steps_way way = by_tiles ? STEPS_POST_WAIT : (steps_way)k;
        passes_side own = {{x, y, lg, steps, way, by_tiles, NULL}, host};
        own.job.workspace = study_cleared(passes_workspace_bytes(&own.job));
        char op[24];
        snprintf(op, sizeof op, "passes-%u", steps);
        const study_row row = {.op = op,
                               .variant = by_tiles ? "post-wait-tiles" : steps_way_name(way),
                               .n = (uint64_t)1 << lg,
                               .count = 1,
                               .side = {enqueue_passes, &own, false},
                               .base = {enqueue_passes, &base, false},
                               .copy = {y, x, bytes},
                               .steps = steps,
                               .calls = lg >= 24 ? 2 : 20,
                               .wrong = wrong_passes,
                               .self = &own,
                               .may_be_wrong = way == STEPS_NO_WAIT};
        study_measure(run, &row);
        device_free(own.job.workspace);
    }
    device_free(x), device_free(y);
    free(host);
}

// Three passes of a product in two sweeps, and nine.
void study_passes(const device_run *run) {
    for (unsigned lg = 12; lg <= (run->quick ? 16 : 26); lg += 2) {
        bench_passes(run, lg, 3);
    }
    for (unsigned lg = 14; lg <= (run->quick ? 14 : 22); lg += 4) {
        bench_passes(run, lg, 9);
    }
}

// --- Blocks --------------------------------------------------------------------------------------

enum { POLLS = 1 << 14 };

typedef struct {
    blocks_shape shape;
    uint32_t grid, *gave_up;
    void *workspace;
} meeting;

static bool enqueue_meeting(void *self, cuda_stream stream) {
    const meeting *m = self;
    return blocks_meet(m->shape, m->grid, POLLS, m->gave_up, m->workspace, stream) == RESULT_OK;
}

// A barrier among `grid` blocks: what the formulas say, and what happens.
static void bench_meeting(const device_run *run, meeting *m, uint32_t limit, uint32_t most,
                          bool predicted) {
    device_copying copy = {study_alloc(4096), study_alloc(4096), 4096};
    const device_side sides[] = {{enqueue_meeting, m, false}, {device_copy_enqueue, &copy, false}};
    device_times times[2];
    uint32_t gave_up = 0;
    char variant[48], more[200], note[96];
    if (!device_time(NULL, sides, 2, 1, 5, times) || !device_download(&gave_up, m->gave_up, 4)) {
        study_stop("a barrier", m->grid);
    }
    if ((gave_up > 0) != predicted) {
        study_stop("the formulas predict otherwise for a barrier", m->grid);
    }
    snprintf(variant, sizeof variant, "threads-%u-shared-%u", m->shape.threads, m->shape.shared);
    snprintf(more, sizeof more,
             ",\"resident\":%u,\"resident_most\":%u,\"deadlock_predicted\":%s,\"gave_up\":%u",
             limit, most, predicted ? "true" : "false", gave_up);
    snprintf(note, sizeof note, "R_L %u, R_M %u: %s predicted, %u blocks gave up", limit, most,
             predicted ? "deadlock" : "no deadlock", gave_up);
    const device_line line = {.topic = "barriers",
                              .op = "meeting",
                              .variant = variant,
                              .n = m->grid,
                              .rows = 1,
                              .bytes = 8.0 * m->grid,
                              .times = times,
                              .more = more,
                              .note = note};
    device_record(run, &line);
    device_free(copy.to), device_free((void *)copy.from);
}

typedef struct {
    blocks_shape shape;
    uint32_t grid, *started, *place, *counter;
} starting;

static bool enqueue_starting(void *self, cuda_stream stream) {
    const starting *s = self;
    return blocks_order(s->shape, s->grid, 200, s->started, s->place, s->counter, stream) ==
           RESULT_OK;
}

// The log of one launch; the timed ones start counting where the last one ended.
static void bench_order(const device_run *run, blocks_shape shape, uint32_t grid,
                        uint32_t multiprocessors) {
    starting s = {shape, grid, study_alloc(4 * grid), study_alloc(4 * grid), study_cleared(4)};
    device_copying copy = {study_alloc(8 * grid), study_alloc(8 * grid), 8 * grid};
    const device_side sides[] = {{enqueue_starting, &s, false},
                                 {device_copy_enqueue, &copy, false}};
    device_times times[2];
    uint32_t *started = program_memory(grid, 4, "a log"), *place = program_memory(grid, 4, "a log");
    if (!device_time(NULL, sides, 2, 5, 5, times) || !device_fill(s.counter, 0, 4) ||
        !enqueue_starting(&s, NULL) || !device_download(started, s.started, 4 * grid) ||
        !device_download(place, s.place, 4 * grid)) {
        study_stop("the log of blocks", grid);
    }
    const blocks_inversions found = blocks_disorder(started, grid);
    uint32_t apart = 0;  // neighbours on different multiprocessors, in the first round
    for (uint32_t b = 1; b < grid && b < multiprocessors; b++) {
        apart += place[b] != place[b - 1];
    }
    char more[160], note[160];
    snprintf(more, sizeof more, ",\"overtakers\":%u,\"farthest\":%u,\"first_round_apart\":%u",
             found.overtakers, found.farthest, apart);
    snprintf(note, sizeof note, "%u blocks overtook a lower one, by %u at most", found.overtakers,
             found.farthest);
    const device_line line = {.topic = "barriers",
                              .op = "order",
                              .variant = "plain-launch",
                              .n = grid,
                              .rows = 1,
                              .bytes = 8.0 * grid,
                              .times = times,
                              .more = more,
                              .note = note};
    device_record(run, &line);
    device_free(s.started), device_free(s.place), device_free(s.counter);
    device_free(copy.to), device_free((void *)copy.from);
    free(started), free(place);
}

void study_blocks(const device_run *run) {
    static const blocks_shape shapes[] = {{32, 0}, {128, 0}, {256, 0}, {128, 32 << 10}, {1024, 0}};
    for (unsigned i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        residency_device device;
        residency_kernel kernel;
        uint32_t driver = 0;
        if (blocks_resident(shapes[i], &device, &kernel, &driver) != RESULT_OK) {
            study_stop("the kernel's limits", 0);
        }
        const uint32_t limit = residency_blocks(&device, &kernel);
        const uint32_t grids[] = {limit / 2, limit, limit + 1, 2 * limit};
        for (unsigned g = 0; g < 4; g++) {
            meeting m = {shapes[i], grids[g], study_alloc(4), study_alloc(8 * (size_t)grids[g])};
            bench_meeting(run, &m, limit, residency_most(&device),
                          residency_deadlocks(&device, &kernel, grids[g]));
            device_free(m.gave_up), device_free(m.workspace);
        }
        bench_order(run, shapes[i], limit, device.multiprocessors);
        bench_order(run, shapes[i], 8 * limit, device.multiprocessors);
    }
}

int main(int argc, char **argv) {
    static const char *const names[] = {"passes", "jacobi", "power", "blocks"};
    static void (*const all[])(const device_run *run) = {study_passes, study_jacobi, study_power,
                                                         study_blocks};
    enum { PARTS = sizeof all / sizeof all[0] };
    static const struct argp own = {
        .parser = device_run_parts_parse,
        .args_doc = "[passes] [jacobi] [power] [blocks]",
        .doc =
            "Times ways in which the steps of an iteration follow each other on a device, and "
            "checks every result. Measures the parts that are named, or all."};
    device_run run = {0};
    device_run_parts parts = {names, PARTS, 0};
    device_run_start(&run, &own, &parts, argc, argv);
    for (unsigned i = 0; i < PARTS; i++) {
        if ((parts.asked >> i & 1) != 0) {
            all[i](&run);
        }
    }
    return 0;
}
