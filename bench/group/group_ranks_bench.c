// group_ranks_bench.c: scans of 32-bit sums and tridiagonal systems over the ranks of an MPI job,
// each with a device, by the thesis's ways MBP, MPS and MP-PC, against all of them on one device
// and a copy: mpirun -n RANKS group_ranks_bench. Ranks take the machine's devices in turn, and what
// they exchange goes by MPI and host memory, as between nodes.
//
// Rank 0 prints a table; with --out it appends records (bench/schema.md) to
// FOLDER/<chip>-group-ranks-scan.jsonl and -group-ranks-tridiagonal.jsonl. A time is on the host's
// clock, from a barrier until the last rank's device is idle. share_ns is the same call with a link
// that sends nothing. modelled_nodes_ns is that, and what its agreements and exchanges would take
// between nodes: NODE_EXCHANGE_NS each, and the bytes that come to a rank at NODE_LINK bytes a
// second. It is not measured. Every rank checks its share of the results; a wrong one ends the job.
#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "apps/program.h"
#include "bench/device/record.h"
#include "bench/device/timing.h"
#include "bench/group/ranks_job.h"
#include "bench/harness.h"
#include "longmul/mpi/link_mpi.h"

enum { SAMPLES = 21, AGREEMENTS = 2, TIMEOUT_S = 60 };
static const double NODE_LINK = 50e9, NODE_EXCHANGE_NS = 50e3;

typedef struct {
    device_run run;
    device_run_parts parts;
    cuda_group group;
    unsigned devices, samples;
} bench;

static void end_mpi(void) {
    int ended = 0;
    MPI_Finalized(&ended);
    if (!ended) {
        MPI_Finalize();
    }
}

// --- Contenders ---

// A link that is not there: what a rank does alone.
static result agree_alone(cuda_link *link, result own, uint64_t key, const char *why) {
    (void)link, (void)key, (void)why;
    return own;
}
static result swap_nothing(cuda_link *link, void *host, const cuda_range *send,
                           const cuda_range *receive) {
    (void)link, (void)host, (void)send, (void)receive;
    return RESULT_OK;
}

typedef enum { OVER_RANKS, ONE_DEVICE, COPY, SHARE, AGREEMENT, SIDES } side;

// enqueue: one call of a side. Only the first rank makes calls on one device.
static bool enqueue(const ranks_kind *kind, ranks_job *j, side s) {
    cuda_link *const link = j->g->link;
    cuda_link silent = *link;
    device_copying copy = {j->copy_to, j->copy_from, j->copy_bytes};
    bool done = true;
    switch (s) {
        case OVER_RANKS:
            return kind->run(j);
        case ONE_DEVICE:
            return !ranks_first(j) || kind->single(j);
        case COPY:
            return !ranks_first(j) || device_copy_enqueue(&copy, ranks_stream(j));
        case AGREEMENT:
            return cuda_group_agree(j->g, RESULT_OK, 0) == RESULT_OK;
        default:
            silent.agree = agree_alone;
            silent.swap = swap_nothing;
            j->g->link = &silent;
            done = kind->run(j);
            j->g->link = link;
            return done;
    }
}

static double time_once(const ranks_kind *kind, ranks_job *j, side s) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = bench_now();
    if (!enqueue(kind, j, s) || cuda_stream_wait(ranks_stream(j)) != RESULT_OK) {
        ranks_stop("a call failed", j);
    }
    double own = bench_now() - begin, all = 0;
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

// time_sides: rounds of all sides after one that warms up.
static void time_sides(const bench *b, const ranks_kind *kind, ranks_job *j, device_times *times) {
    double ns[SIDES][SAMPLES];
    const unsigned n = b->samples;
    for (unsigned i = 0; i <= n; i++) {
        for (unsigned s = 0; s < SIDES; s++) {
            const double one = time_once(kind, j, (side)s);
            ns[s][i > 0 ? i - 1 : 0] = one;
        }
    }
    for (unsigned s = 0; s < SIDES; s++) {
        bench_times t;
        bench_statistics(ns[s], n, &t);
        times[s] = (device_times){.median_ns = t.median,
                                  .min_ns = t.min,
                                  .spread = t.spread,
                                  .stream_ns = t.median,
                                  .single_ns = t.median,
                                  .samples = n};
    }
}

// --- One measurement ---

static void report(const bench *b, const ranks_kind *kind, const char *name, const ranks_job *j,
                   const device_times *times) {
    const unsigned ranks = j->g->members, each = ranks / j->networks;
    const double share = times[SHARE].median_ns;
    const double modelled = share + (AGREEMENTS + j->exchanges) * NODE_EXCHANGE_NS +
                            1e9 * (double)j->received / NODE_LINK;
    char variant[32], more[400], note[96];
    snprintf(variant, sizeof variant, "%s-%ux%u", name, j->networks, each);
    snprintf(note, sizeof note, "share %.1f us, agreement %.1f us, nodes modelled %.1f us",
             share / 1e3, times[AGREEMENT].median_ns / 1e3, modelled / 1e3);
    snprintf(more, sizeof more,
             ",\"ranks\":%u,\"networks\":%u,\"devices\":%u,\"transport\":\"mpi by host memory\","
             "\"share_ns\":%.1f,\"agreement_ns\":%.1f,\"exchanges\":%u,\"received_bytes\":%" PRIu64
             ",\"modelled_nodes_ns\":%.1f,\"modelled_link\":%.3g,\"modelled_exchange_ns\":%.0f",
             ranks, j->networks, b->devices, share, times[AGREEMENT].median_ns, j->exchanges,
             j->received, modelled, NODE_LINK, NODE_EXCHANGE_NS);
    const bool scan = kind == &ranks_scan;
    const device_line line = {.topic = kind->topic,
                              .op = scan           ? "sum-u32"
                                    : j->is_double ? "strided-f64"
                                                   : "strided-f32",
                              .variant = variant,
                              .n = j->n,
                              .rows = j->rows,
                              .bytes = j->bytes,
                              .times = times,
                              .rival = "one device",
                              .more = more,
                              .note = note};
    device_record(&b->run, &line);
}

static void measure(bench *b, const ranks_kind *kind, const char *name, ranks_job j) {
    device_times times[SIDES];
    j.g = &b->group;
    kind->open(&j);
    time_sides(b, kind, &j, times);
    // The copy moved two words an element; a pass moves as many as it reads and writes.
    const double passes = kind == &ranks_scan ? 1 : 2.5;
    times[COPY].median_ns *= passes;
    times[COPY].min_ns *= passes;
    if (!kind->right(&j)) {
        ranks_stop("a result is wrong", &j);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (ranks_first(&j)) {
        report(b, kind, name, &j, times);
    }
    ranks_job_close(&j);
}

// The sizes of group_scan_bench and group_tridiagonal_bench, fewer of them.
static void bench_kind(bench *b, const ranks_kind *kind, bool is_double, const char *name,
                       unsigned networks) {
    const unsigned total = b->run.quick ? 20 : kind == &ranks_scan ? 28 : 26 - is_double;
    for (unsigned lg = 13; lg <= total; lg += b->run.quick ? 7 : kind == &ranks_scan ? 5 : 6) {
        const ranks_job j = {.networks = networks,
                             .n = UINT64_C(1) << lg,
                             .rows = UINT64_C(1) << (total - lg),
                             .is_double = is_double};
        if (j.rows >= networks) {
            measure(b, kind, name, j);
        }
    }
}

static void bench_way(bench *b, const char *name, unsigned networks) {
    bench_kind(b, &ranks_scan, false, name, networks);
    bench_kind(b, &ranks_solve, false, name, networks);
    bench_kind(b, &ranks_solve, true, name, networks);
}

static void open_group(bench *b) {
    int rank = 0, place;
    cuda_description about;
    result done;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    cuda_describe(0, &about);
    b->devices = about.count > 1 ? (unsigned)about.count : 1;
    place = rank % (int)b->devices;
    cuda_link *const link = link_mpi_open(MPI_COMM_WORLD, 1, TIMEOUT_S, &done);
    if (link == NULL || cuda_group_join(&b->group, &place, link) != RESULT_OK ||
        cuda_group_enter(&b->group, b->group.first) != RESULT_OK) {
        fprintf(stderr, "group_ranks_bench: no group: %s\n", link == NULL ? "" : link->why);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

int main(int argc, char **argv) {
    enum { MBP, MPS, MP_PC, PARTS };
    static const char *const names[PARTS] = {[MBP] = "mbp", [MPS] = "mps", [MP_PC] = "mp-pc"};
    static const struct argp own = {
        .parser = device_run_parts_parse,
        .args_doc = "[mbp] [mps] [mp-pc]",
        .doc =
            "Times scans and tridiagonal systems over the ranks of an MPI job, each with a device, "
            "against one device, and checks results. Measures the ways that are named, or all."};
    bench b = {.parts = {names, PARTS, 0}};
    int level = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    atexit(end_mpi);
    device_run_start(&b.run, &own, &b.parts, argc, argv);
    b.samples = b.run.quick ? 5 : SAMPLES;
    open_group(&b);
    const unsigned ranks = b.group.members;
    if (b.parts.asked >> MBP & 1) {
        bench_way(&b, names[MBP], ranks);
    }
    if (b.parts.asked >> MPS & 1 && ranks > 1) {
        bench_way(&b, names[MPS], 1);
    }
    if (b.parts.asked >> MP_PC & 1 && ranks > 2 && ranks % 2 == 0) {
        bench_way(&b, names[MP_PC], 2);
    }
    cuda_group_leave(&b.group);
    cuda_group_close(&b.group);
    return 0;
}
