// sort_papers.c: the papers' sorts that lack a step of the library's, and their d-way merges: parts
// of sort_bench. See sort_bench.h.
#include <math.h>
#include <stdio.h>

#include "bench/primitives/cub_sort.h"
#include "bench/primitives/sort_bench.h"
#include "bench/primitives/sort_dway.h"
#include "bench/primitives/sort_rows.h"

// The papers' table: rows of 2^24 keys in all.
void sort_bench_naive(const device_run *run, const buffers *b) {
    const unsigned total = run->quick ? 20 : 24;
    for (unsigned form = 0; form < SORT_ROWS_FORMS; form++) {
        for (unsigned k = 6; k <= (form == SORT_ROWS_NAIVE ? 11u : 12u); k++) {
            const sort_job job = {SORT_U32, 0, UINT64_C(1) << k, UINT64_C(1) << (total - k), false};
            sort_rows_job rows = {(const uint32_t *)b->in, (uint32_t *)b->out, job.n, job.rows,
                                  (sort_rows_form)form};
            const sort_line line = {.topic = "sort",
                                    .variant = sort_rows_names[form],
                                    .job = &job,
                                    .enqueue = sort_rows_enqueue,
                                    .self = &rows,
                                    .rival = cub_segmented_sort,
                                    .traffic = 8 * job.n * job.rows,
                                    .launches = 1};
            sort_bench_rows(b, &job);
            sort_bench_measure(run, b, &line);
        }
    }
}

// Bytes of the transfers that any sort needs in the I/O model: (n / b) log_(M/b) (n / b) transfers
// of b = 32 words, where M is the words of shared memory of a multiprocessor [Koike15, 6.3].
static double bound_bytes(uint64_t n) {
    const double b = 32, m = 227 * 1024 / 4;
    return 4 * (double)n * log2((double)n / b) / log2(m / b);
}

static void bench_dway(const device_run *run, const buffers *b, uint64_t n, unsigned lg_ways,
                       unsigned lg_run) {
    const sort_job job = {SORT_U32, 0, n, 1, false};
    sort_dway_job dway = {
        (const uint32_t *)b->in, (uint32_t *)b->out, n, lg_ways, lg_run, b->workspace,
        WORKSPACE_ROOM};
    const sort_dway_costs costs = sort_dway_cost(&dway);
    char name[32], more[160];
    if (lg_run > 5) {
        snprintf(name, sizeof name, "d-way-merge-%u", 1u << lg_ways);
    } else {
        snprintf(name, sizeof name, "warpsort");
    }
    snprintf(more, sizeof more,
             ",\"parameter\":%u,\"passes\":%u,\"bytes\":%.4g,\"bound_bytes\":%.4g", 1u << lg_ways,
             costs.passes, (double)costs.bytes, bound_bytes(n));
    const sort_line line = {.topic = "sort-dway",
                            .variant = name,
                            .job = &job,
                            .enqueue = sort_dway_enqueue,
                            .self = &dway,
                            .rival = cub_merge_sort,
                            .traffic = costs.bytes,
                            .launches = 1 + 2 * costs.passes,
                            .more = more};
    if (costs.workspace_bytes > WORKSPACE_ROOM) {
        sort_bench_fail("the workspace", &job);
    }
    sort_bench_measure(run, b, &line);
}

void sort_bench_dway(const device_run *run, const buffers *b) {
    for (unsigned lg = 20; lg <= (run->quick ? 20u : 28u); lg += 4) {
        for (unsigned lg_ways = 1; lg_ways <= 8; lg_ways++) {
            bench_dway(run, b, UINT64_C(1) << lg, lg_ways, 13);
        }
        bench_dway(run, b, UINT64_C(1) << lg, 1, 5);
    }
}
