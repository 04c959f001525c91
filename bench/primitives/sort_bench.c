// sort_bench.c: sorts on a device against CUB and a copy, alternating in one process.
// Part papers has comb at the papers' sizes, naive the papers' forms without its steps
// (sort_rows.h), dway their d-way merges, d = 2 .. 256 (sort_dway.h), merge the multiway merge in
// every shape against CUB's merge sort.
//
// Prints a table; with --out appends records (bench/schema.md) to FOLDER/<chip>-sort.jsonl. Every
// result is compared with CUB's, word by word. A wrong one ends the program with status 1 and
// without its record. "io" is the plan's traffic at the copy's rate: the time that the cost
// statement of sort.h predicts if memory alone counts.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "apps/program.h"
#include "bench/primitives/cub_sort.h"
#include "bench/primitives/differences.h"
#include "bench/primitives/sort_bench.h"
#include "tests/support/device.h"

enum { SEED = 1, SAMPLES = 9 };
static const size_t ROOM = (size_t)1 << 31;  // of each array

bool sort_bench_ours(void *self, cuda_stream stream) {
    const sort_ours *o = self;
    return sort_device(&o->job, &o->plan, &o->arrays, o->workspace, o->plan.workspace_bytes,
                       stream) == RESULT_OK;
}

sort_arrays sort_bench_arrays(const buffers *b, const sort_job *job) {
    const uint64_t size = job->ragged ? job->n : job->n * job->rows;
    const size_t keys = size * (job->key == SORT_U64 ? 8 : 4);
    return (sort_arrays){b->in, b->out, b->in + keys, b->out + keys, b->offsets};
}

void sort_bench_fail(const char *what, const sort_job *job) {
    fprintf(stderr, "sort_bench: %s of %" PRIu64 " x %" PRIu64 " is wrong or failed\n", what,
            job->rows, job->n);
    exit(1);
}

static unsigned calls_for(uint64_t size) {
    return size >= 1u << 26 ? 1 : size >= 1u << 22 ? 4 : 20;
}

static const char *op_name(const sort_job *job, bool rows) {
    static const char *const names[2][3] = {{"u32", "u32-rows", "u32-ragged"},
                                            {"u64", "u64-rows", "u64-ragged"}};
    static const char *const pairs[2][3] = {{"u32-pairs", "u32-pairs-rows", "u32-pairs-ragged"},
                                            {"u64-pairs", "u64-pairs-rows", "u64-pairs-ragged"}};
    const unsigned shape = job->ragged ? 2 : rows ? 1 : 0, wide = job->key == SORT_U64;
    return job->value_bytes > 0 ? pairs[wide][shape] : names[wide][shape];
}

void sort_bench_measure(const device_run *run, const buffers *b, const sort_line *l) {
    const sort_job *job = l->job;
    const uint64_t size = job->ragged ? job->n : job->n * job->rows;
    const unsigned key_bytes = job->key == SORT_U64 ? 8 : 4;
    const size_t keys = size * key_bytes, bytes = keys + size * job->value_bytes;
    cub_sort_job cub = {b->in,
                        b->rival_out,
                        b->in + keys,
                        b->rival_out + keys,
                        key_bytes,
                        job->value_bytes,
                        size,
                        job->rows,
                        b->offsets,
                        NULL,
                        0};
    if (bytes > ROOM || !l->rival(&cub, NULL) || cub.workspace_bytes > WORKSPACE_ROOM) {
        sort_bench_fail("the rival", job);
    }
    cub.workspace = b->rival_workspace;
    device_copying copy = {b->rival_out, b->in, bytes};
    // CUB's segmented sort waits for its own partition of the segments.
    const device_side sides[] = {{l->enqueue, l->self, false},
                                 {l->rival, &cub, l->rival == cub_segmented_sort},
                                 {device_copy_enqueue, &copy, false}};
    device_times times[3];
    device_fill(b->out, 0xA5, bytes);
    // Values of equal keys may differ where a sort is not stable, so keys alone are compared.
    if (!device_time(NULL, sides, 3, calls_for(size), SAMPLES, times) ||
        !device_energy(NULL, sides, 2, calls_for(size), run->energy, times) ||
        !l->rival(&cub, NULL) ||
        differences(b->out, b->rival_out, (l->stable ? bytes : keys) / 4) != 0) {
        sort_bench_fail(l->variant, job);
    }
    const double io = (double)l->traffic / (2.0 * (double)bytes) * times[2].median_ns;
    const double rate = 1e3 * (double)size / times[0].median_ns;
    char more[240], note[160];
    snprintf(more, sizeof more, ",\"mkeys_s\":%.1f,\"predicted_io_ns\":%.1f,\"launches\":%u%s",
             rate, io, l->launches, l->more != NULL ? l->more : "");
    snprintf(note, sizeof note, "%.1f Mkeys/s, CUB %.1f | io %.2f us, %.2f of measured%s%s", rate,
             1e3 * (double)size / times[1].median_ns, io / 1e3, io / times[0].median_ns,
             l->note != NULL ? " | " : "", l->note != NULL ? l->note : "");
    const device_line line = {.topic = l->topic,
                              .op = op_name(job, job->rows > 1),
                              .variant = l->variant,
                              .n = job->n,
                              .rows = job->rows,
                              .bytes = 2.0 * (double)bytes,
                              .times = times,
                              .rival = "CUB 3.0",
                              .more = more,
                              .note = note,
                              .chosen = l->chosen};
    device_record(run, &line);
}

// papers: what the papers reached for such rows, in the note; NULL: nothing.
static void bench(const device_run *run, const buffers *b, const sort_job *job, sort_variant v,
                  bool (*rival)(void *, cuda_stream), const char *papers) {
    sort_ours o = {.job = *job, .arrays = sort_bench_arrays(b, job), .workspace = b->workspace};
    if (!sort_plan_make(job, v, &o.plan) || o.plan.workspace_bytes > WORKSPACE_ROOM) {
        sort_bench_fail("the plan", job);
    }
    const sort_line line = {.topic = "sort",
                            .variant = sort_variant_name(v),
                            .job = job,
                            .enqueue = sort_bench_ours,
                            .self = &o,
                            .rival = rival,
                            .traffic = o.plan.traffic,
                            .launches = o.plan.launches,
                            .stable = v == SORT_RADIX,
                            .chosen = sort_choose(job) == v,
                            .note = papers};
    sort_bench_measure(run, b, &line);
}

static void bench_arrays(const device_run *run, const buffers *b) {
    for (unsigned k = 12; k <= (run->quick ? 20 : 28); k += 2) {
        const sort_job job = {.key = SORT_U32, .n = UINT64_C(1) << k, .rows = 1};
        bench(run, b, &job, sort_choose(&job), cub_radix_sort, NULL);
        bench(run, b, &job, SORT_MULTIWAY_MERGE, cub_merge_sort, NULL);
        if (k % 4 == 0 && k <= 24) {
            bench(run, b, &job, SORT_BITONIC, cub_radix_sort, NULL);
        }
    }
    const sort_job others[] = {{SORT_U64, 0, UINT64_C(1) << 26, 1, false},
                               {SORT_U32, 4, UINT64_C(1) << 26, 1, false},
                               {SORT_U64, 8, UINT64_C(1) << 26, 1, false}};
    for (unsigned i = 0; i < 3 && !run->quick; i++) {
        bench(run, b, &others[i], SORT_RADIX, cub_radix_sort, NULL);
    }
}

static void set_offsets(const buffers *b, const uint64_t *offsets, uint64_t rows) {
    if (!device_upload(b->offsets, offsets, 8 * (rows + 1))) {
        fprintf(stderr, "sort_bench: offsets\n");
        exit(1);
    }
}

void sort_bench_rows(const buffers *b, const sort_job *job) {
    uint64_t *offsets = program_memory(job->rows + 1, 8, "offsets");
    for (uint64_t r = 0; r <= job->rows; r++) {
        offsets[r] = r * job->n;
    }
    set_offsets(b, offsets, job->rows);
    free(offsets);
}

static void bench_equal_rows(const device_run *run, const buffers *b, sort_job job, sort_variant v,
                             const char *papers) {
    sort_bench_rows(b, &job);
    bench(run, b, &job, v, cub_segmented_sort, papers);
}

static void bench_rows(const device_run *run, const buffers *b) {
    const unsigned total = run->quick ? 20 : 26;
    for (unsigned k = 6; k <= 16; k += 2) {
        sort_job job = {.key = SORT_U32, .n = UINT64_C(1) << k, .rows = UINT64_C(1) << (total - k)};
        bench_equal_rows(run, b, job, sort_choose(&job), NULL);
        if (k == 8 || k == 12) {
            bench_equal_rows(run, b, job, SORT_BITONIC, NULL);
            job.value_bytes = 4;
            bench_equal_rows(run, b, job, sort_choose(&job), NULL);
            job.value_bytes = 0, job.key = SORT_U64;
            bench_equal_rows(run, b, job, sort_choose(&job), NULL);
        }
    }
}

// Segments of lengths below `longest`, equally likely.
static void bench_ragged(const device_run *run, const buffers *b, uint64_t longest) {
    const uint64_t n = UINT64_C(1) << (run->quick ? 20 : 26);
    uint64_t *offsets = program_memory(n + 2, 8, "offsets"), state = SEED;
    sort_job job = {.key = SORT_U32, .n = n, .ragged = true};
    offsets[0] = 0;
    while (offsets[job.rows] < n) {
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
        const uint64_t end = offsets[job.rows] + (state >> 33) % longest;
        offsets[++job.rows] = end < n ? end : n;
    }
    set_offsets(b, offsets, job.rows);
    free(offsets);
    bench(run, b, &job, SORT_MULTIWAY_MERGE, cub_segmented_sort, NULL);
}

// The papers' table: rows of 2^24 keys in all, in millions of keys a second.
static void bench_papers(const device_run *run, const buffers *b) {
    static const char *const papers[] = {
        "papers: K20 10614, GTX 980 15521", "papers: K20 7492, GTX 980 10457",
        "papers: K20 4496, GTX 980 7218",   "papers: K20 3817, GTX 980 5333",
        "papers: K20 2897, GTX 980 4234",   "papers: K20 2144, GTX 980 3314",
        "papers: K20 1549, GTX 980 2534"};
    for (unsigned k = 6; k <= 12; k++) {
        const sort_job job = {
            .key = SORT_U32, .n = UINT64_C(1) << k, .rows = UINT64_C(1) << (24 - k)};
        bench_equal_rows(run, b, job, SORT_COMB, papers[k - 6]);
    }
}

int main(int argc, char **argv) {
    enum { ARRAY, ROWS, RAGGED, PAPERS, NAIVE, DWAY, MERGE, PARTS };
    static const char *const names[PARTS] = {
        [ARRAY] = "array", [ROWS] = "rows", [RAGGED] = "ragged", [PAPERS] = "papers",
        [NAIVE] = "naive", [DWAY] = "dway", [MERGE] = "merge"};
    static const struct argp own = {
        .parser = device_run_parts_parse,
        .args_doc = "[array] [rows] [ragged] [papers] [naive] [dway] [merge]",
        .doc =
            "Times sorts on a device against CUB and a copy, and checks every result. Measures "
            "the parts that are named, or all."};
    device_run run = {0};
    device_run_parts parts = {names, PARTS, 0};
    device_run_start(&run, &own, &parts, argc, argv);
    const buffers b = {device_alloc(ROOM),           device_alloc(ROOM),
                       device_alloc(ROOM),           device_alloc(WORKSPACE_ROOM),
                       device_alloc(WORKSPACE_ROOM), device_alloc((size_t)1 << 30)};
    if (b.in == NULL || b.out == NULL || b.rival_out == NULL || b.workspace == NULL ||
        b.rival_workspace == NULL || b.offsets == NULL ||
        !device_random(MONOID_SUM_U32, b.in, ROOM / 4, SEED)) {
        program_no_memory("on the device");
    }
    if (parts.asked >> ARRAY & 1) {
        bench_arrays(&run, &b);
    }
    if (parts.asked >> ROWS & 1) {
        bench_rows(&run, &b);
    }
    if (parts.asked >> RAGGED & 1) {
        bench_ragged(&run, &b, 200);
        bench_ragged(&run, &b, 20000);
        bench_ragged(&run, &b, 2000000);
    }
    if (parts.asked >> PAPERS & 1) {
        bench_papers(&run, &b);
    }
    if (parts.asked >> NAIVE & 1) {
        sort_bench_naive(&run, &b);
    }
    if (parts.asked >> DWAY & 1) {
        sort_bench_dway(&run, &b);
    }
    if (parts.asked >> MERGE & 1) {
        sort_bench_merge(&run, &b);
    }
    return 0;
}
