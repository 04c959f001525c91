// sort_merge.c: part merge of sort_bench: the multiway merge in every shape that a plan can have,
// against CUB's merge sort: what the table in primitives/sort/shape.h is chosen from
// (merge_tune.py). See sort_bench.h.
#include <stdio.h>

#include "bench/primitives/cub_sort.h"
#include "bench/primitives/sort_bench.h"

static void bench_shape(const device_run *run, const buffers *b, const sort_job *job,
                        unsigned threads, unsigned log_ways, bool one_lane) {
    sort_ours o = {.job = *job, .arrays = sort_bench_arrays(b, job), .workspace = b->workspace};
    sort_plan chosen;
    if (!sort_plan_merge(job, threads, log_ways, &o.plan) ||
        !sort_plan_make(job, SORT_MULTIWAY_MERGE, &chosen) ||
        o.plan.workspace_bytes > WORKSPACE_ROOM) {
        sort_bench_fail("the plan", job);
    }
    if (o.plan.log_ways != log_ways) {
        return;  // fewer ways do it in as many passes: another line's plan
    }
    const unsigned default_probes = o.plan.log_probes;
    o.plan.log_probes = one_lane ? 0 : 5 - o.plan.log_ways;
    char name[48], more[120];
    snprintf(name, sizeof name, "merge-%ux%u%s", 1u << log_ways, threads,
             log_ways == 1 ? ""
             : one_lane    ? "-lane"
                           : "-warp");
    snprintf(more, sizeof more, ",\"parameter\":%u,\"block_threads\":%u,\"passes\":%u",
             1u << log_ways, threads, o.plan.passes);
    const sort_line line = {.topic = "sort-merge",
                            .variant = name,
                            .job = job,
                            .enqueue = sort_bench_ours,
                            .self = &o,
                            .rival = cub_merge_sort,
                            .traffic = o.plan.traffic,
                            .launches = o.plan.launches,
                            .chosen = chosen.threads == threads &&
                                      chosen.log_ways == o.plan.log_ways &&
                                      (log_ways == 1 || o.plan.log_probes == default_probes),
                            .more = more};
    sort_bench_measure(run, b, &line);
}

// Merges of two runs have no search of their own, so one line for both.
static void bench_shapes(const device_run *run, const buffers *b, const sort_job *job) {
    for (unsigned threads = 256; threads <= 512; threads *= 2) {
        for (unsigned log_ways = 1; log_ways <= 3; log_ways++) {
            bench_shape(run, b, job, threads, log_ways, false);
            if (log_ways > 1) {
                bench_shape(run, b, job, threads, log_ways, true);
            }
        }
    }
}

void sort_bench_merge(const device_run *run, const buffers *b) {
    static const struct {
        sort_key key;
        unsigned value_bytes, top;  // 2^top keys and values fill the arrays
    } kinds[] = {{SORT_U32, 0, 28}, {SORT_U32, 4, 28}, {SORT_U64, 0, 28}, {SORT_U64, 8, 27}};
    for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const unsigned top = run->quick ? 20 : kinds[i].top;
        for (unsigned k = 16; k <= top; k += k + 2 > top && k < top ? 1 : 2) {
            const sort_job job = {kinds[i].key, kinds[i].value_bytes, UINT64_C(1) << k, 1, false};
            bench_shapes(run, b, &job);
        }
    }
}
