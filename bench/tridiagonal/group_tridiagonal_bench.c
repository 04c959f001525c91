// group_tridiagonal_bench.c: tridiagonal systems over a group of members, by the thesis's ways MBP,
// MPS and MP-PC, against all systems on one device and a copy. The safe solver, partition-pivot,
// with statuses. Members take the machine's devices in turn, so on one GPU all of them share it.
//
// Prints a table; with --out appends records (bench/schema.md) to
// FOLDER/<chip>-group-tridiagonal.jsonl. A record has the time of the first member's share alone,
// the bytes that cross to it, and modelled_ns: that share, those bytes over a link of LINK bytes a
// second, and EXCHANGE_NS for each exchange. It is not measured. Every result is checked: statuses,
// residuals of all systems, and unknowns away from the ends, which are known. A wrong one ends the
// program with status 1 and without its record.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/program.h"
#include "bench/device/members.h"
#include "bench/device/record.h"
#include "bench/device/timing.h"
#include "primitives/cuda/group.h"
#include "primitives/tridiagonal/group.h"
#include "primitives/tridiagonal/portion.h"
#include "primitives/tridiagonal/tridiagonal.h"

enum { MOST = 8, ARRAYS = 5, EXCHANGES = 2, EDGE = 256 };
static const double LINK = 342e9, EXCHANGE_NS = 10e3;
// Bytes of a, b, c, d and x: rows whose diagonal is more than four times their other elements.
static const int bytes_of[ARRAYS] = {0x3F, 0x40, 0x3F, 0x3F, 0xA5};

// One way, with the memory of its members; `all` is the whole on the first device, `share` what
// member 0 needs to work alone.
typedef struct {
    tridiagonal_systems job;
    cuda_group group;
    unsigned networks;
    cuda_event begun;
    tridiagonal_member member[MOST];
    tridiagonal_plan all_plan;
    void *all[ARRAYS], *all_workspace;
    uint32_t *all_status;
    tridiagonal_plan share_plan;  // where systems are not split
    tridiagonal_portion share;    // where they are
    unsigned holders;             // members of a network that have rows
    char *share_spans;
    void *share_workspace;
    size_t share_bytes;
} way;

static _Noreturn void stop(const char *what, const tridiagonal_systems *job) {
    char cause[256];
    cuda_error(cause, sizeof cause);
    fprintf(stderr, "group_tridiagonal_bench: %s, %" PRIu64 " x %" PRIu64 ": %s\n", what,
            job->batch, job->n, cause);
    exit(1);
}

static void must(result done, const tridiagonal_systems *job) {
    if (done != RESULT_OK) {
        stop("a call failed", job);
    }
}

static size_t width(const tridiagonal_systems *job) { return job->type == TRIDIAGONAL_F32 ? 4 : 8; }

static tridiagonal_share share_of(const way *w, unsigned m) {
    return tridiagonal_group_share(&w->job, w->group.members, w->networks, m);
}

static bool is_split(const way *w) { return w->networks < w->group.members; }

static result solve_all(void *self) {
    way *const w = self;
    return tridiagonal_group(&w->job, &w->group, w->networks, w->member);
}

static bool enqueue_group(void *self, cuda_stream stream) {
    way *const w = self;
    return members_between(&w->group, w->begun, stream, solve_all, w) == RESULT_OK;
}

static bool enqueue_one(void *self, cuda_stream stream) {
    way *const w = self;
    void *const *const x = w->all;
    return tridiagonal_device(&w->all_plan, x[0], x[1], x[2], x[3], x[4], w->all_status,
                              w->all_workspace, tridiagonal_workspace_bytes(&w->all_plan),
                              stream) == RESULT_OK;
}

// The first member's share by itself; others' spans are copies of its own.
static bool enqueue_share(void *self, cuda_stream stream) {
    way *const w = self;
    const tridiagonal_member *const own = &w->member[0];
    const tridiagonal_arrays *const r = &own->rows;
    if (!is_split(w)) {
        return tridiagonal_device(&w->share_plan, r->a, r->b, r->c, r->d, r->x, own->status,
                                  w->share_workspace, w->share_bytes, stream) == RESULT_OK;
    }
    return tridiagonal_portion_reduce(&w->share, r, w->share_spans, w->share_workspace,
                                      w->share_bytes, stream) == RESULT_OK &&
           tridiagonal_portion_solve(&w->share, r, w->share_spans, w->holders, 0, own->status, NULL,
                                     w->share_workspace, w->share_bytes, stream) == RESULT_OK;
}

static void *allocate(const way *w, size_t bytes, int byte, cuda_stream stream) {
    void *p = NULL;
    must(cuda_allocate(&p, bytes > 0 ? bytes : 1, stream), &w->job);
    must(cuda_set(p, byte, bytes > 0 ? bytes : 1, stream), &w->job);
    return p;
}

static tridiagonal_job packed(const way *w, uint64_t n, uint64_t batch) {
    return (tridiagonal_job){w->job.type, n, batch, 1, n};
}

static void open_member(way *w, unsigned m) {
    const tridiagonal_share s = share_of(w, m);
    const cuda_stream stream = w->group.member[m].stream;
    void *array[ARRAYS];
    must(cuda_group_enter(&w->group, m), &w->job);
    for (unsigned k = 0; k < ARRAYS; k++) {
        array[k] = allocate(w, width(&w->job) * s.n * s.systems, bytes_of[k], stream);
    }
    w->member[m] = (tridiagonal_member){
        .rows = {array[0], array[1], array[2], array[3], array[4]},
        .status = allocate(w, sizeof(uint32_t) * s.systems, 0xA5, stream),
        .workspace = allocate(
            w, tridiagonal_group_workspace_bytes(&w->job, w->group.members, w->networks, m), 0,
            stream)};
    cuda_group_leave(&w->group);
}

// What the first device needs for all systems, and for the first member's share alone.
static void open_first(way *w) {
    const cuda_stream stream = w->group.member[0].stream;
    const tridiagonal_job all = packed(w, w->job.n, w->job.batch);
    const tridiagonal_share s = share_of(w, 0);
    const unsigned each = w->group.members / w->networks;
    if (!tridiagonal_make_plan(&w->all_plan, &all, w->job.variant)) {
        stop("no plan", &w->job);
    }
    for (unsigned k = 0; k < ARRAYS; k++) {
        w->all[k] = allocate(w, width(&w->job) * all.n * all.batch, bytes_of[k], stream);
    }
    w->all_status = allocate(w, sizeof(uint32_t) * all.batch, 0xA5, stream);
    w->all_workspace = allocate(w, tridiagonal_workspace_bytes(&w->all_plan), 0, stream);
    if (!is_split(w)) {
        const tridiagonal_job own = packed(w, s.n, s.systems);
        if (!tridiagonal_make_plan(&w->share_plan, &own, w->job.variant)) {
            stop("no plan", &w->job);
        }
        w->share_bytes = tridiagonal_workspace_bytes(&w->share_plan);
        w->share_workspace = allocate(w, w->share_bytes, 0, stream);
        return;
    }
    w->holders = (unsigned)((w->job.n + s.n - 1) / s.n);
    w->holders = w->holders < each ? w->holders : each;
    w->share = (tridiagonal_portion){.type = w->job.type,
                                     .variant = w->job.variant,
                                     .n = s.n,
                                     .batch = s.systems,
                                     .behind = w->holders > 1};
    w->share_bytes = tridiagonal_portion_bytes(&w->share);
    w->share_workspace = allocate(w, w->share_bytes, 0, stream);
    const size_t spans = s.systems * tridiagonal_span_bytes(w->job.type, w->job.variant);
    w->share_spans = allocate(w, w->holders * spans, 0, stream);
    must(tridiagonal_portion_reduce(&w->share, &w->member[0].rows, w->share_spans,
                                    w->share_workspace, w->share_bytes, stream),
         &w->job);
    for (unsigned k = 1; k < w->holders; k++) {
        must(cuda_copy(w->share_spans + k * spans, w->share_spans, spans, stream), &w->job);
    }
}

static void open_way(way *w, unsigned members, unsigned devices) {
    int places[MOST];
    for (unsigned m = 0; m < MOST; m++) {
        places[m] = (int)(m % devices);
    }
    must(cuda_group_open(&w->group, places, members), &w->job);
    for (unsigned m = 0; m < members; m++) {
        open_member(w, m);
    }
    must(cuda_group_enter(&w->group, 0), &w->job);
    must(cuda_event_create(&w->begun), &w->job);
    open_first(w);
    must(cuda_group_wait(&w->group), &w->job);
    cuda_group_leave(&w->group);
}

static void close_way(way *w) {
    const cuda_stream first = w->group.member[0].stream;
    for (unsigned m = 0; m < w->group.members; m++) {
        const tridiagonal_member *const own = &w->member[m];
        const void *const held[] = {own->rows.a, own->rows.b, own->rows.c,   own->rows.d,
                                    own->rows.x, own->status, own->residual, own->workspace};
        must(cuda_group_enter(&w->group, m), &w->job);
        for (unsigned k = 0; k < sizeof held / sizeof *held; k++) {
            cuda_release((void *)(uintptr_t)held[k], w->group.member[m].stream);
        }
        cuda_group_leave(&w->group);
    }
    for (unsigned k = 0; k < ARRAYS; k++) {
        cuda_release(w->all[k], first);
    }
    cuda_release(w->all_status, first), cuda_release(w->all_workspace, first);
    cuda_release(w->share_spans, first), cuda_release(w->share_workspace, first);
    cuda_event_destroy(w->begun);
    must(cuda_group_wait(&w->group), &w->job);
    cuda_group_close(&w->group);
}

// A number of the systems, all of whose bytes are alike.
static double number(const tridiagonal_systems *job, int byte) {
    unsigned char bytes[8];
    float single;
    double twice;
    memset(bytes, byte, sizeof bytes);
    memcpy(&single, bytes, sizeof single);
    memcpy(&twice, bytes, sizeof twice);
    return job->type == TRIDIAGONAL_F32 ? (double)single : twice;
}

// Far from the ends all unknowns are d / (a + b + c): their influence halves with every row.
static void check_unknowns(const way *w, unsigned m, tridiagonal_share s) {
    const double sum = 2 * number(&w->job, bytes_of[0]) + number(&w->job, bytes_of[1]);
    const double want = number(&w->job, bytes_of[3]) / sum;
    const double unit = w->job.type == TRIDIAGONAL_F32 ? 0x1p-24 : 0x1p-53;
    for (uint64_t i = EDGE; i + EDGE < s.n; i += s.n / 4) {
        const size_t at = ((i % s.systems) * s.n + i) * width(&w->job);
        float single = 0;
        double twice = 0;
        void *const to = w->job.type == TRIDIAGONAL_F32 ? (void *)&single : (void *)&twice;
        must(cuda_copy(to, (const char *)w->member[m].rows.x + at, width(&w->job),
                       w->group.member[m].stream),
             &w->job);
        must(cuda_stream_wait(w->group.member[m].stream), &w->job);
        if (!(fabs((double)single + twice - want) <= 4 * unit * want)) {
            stop("an unknown is wrong", &w->job);
        }
    }
}

// Solves once more, with residuals.
static void check_way(way *w) {
    const double unit = w->job.type == TRIDIAGONAL_F32 ? 0x1p-24 : 0x1p-53;
    for (unsigned m = 0; m < w->group.members; m++) {
        must(cuda_group_enter(&w->group, m), &w->job);
        w->member[m].residual = allocate(w, 2 * sizeof(double) * share_of(w, m).systems, 0xA5,
                                         w->group.member[m].stream);
        cuda_group_leave(&w->group);
    }
    must(solve_all(w), &w->job);
    for (unsigned m = 0; m < w->group.members; m++) {
        const tridiagonal_share s = share_of(w, m);
        const cuda_stream stream = w->group.member[m].stream;
        uint32_t *const status = malloc(sizeof *status * (s.systems + 1));
        double *const residual = malloc(sizeof *residual * (s.systems + 1));
        if (status == NULL || residual == NULL) {
            stop("no memory", &w->job);
        }
        must(cuda_group_enter(&w->group, m), &w->job);
        must(cuda_copy(status, w->member[m].status, sizeof *status * s.systems, stream), &w->job);
        must(cuda_copy(residual, w->member[m].residual, sizeof *residual * s.systems, stream),
             &w->job);
        must(cuda_stream_wait(stream), &w->job);
        for (uint64_t k = 0; k < s.systems; k++) {
            if (status[k] != 0 || !(residual[k] <= 3.01 * unit)) {
                stop("a system is wrong", &w->job);
            }
        }
        check_unknowns(w, m, s);
        cuda_group_leave(&w->group);
        free(status), free(residual);
    }
}

// Prints and records a row: times of the group, one device, a copy, and the share.
static void report(const device_run *run, const way *w, const char *name, unsigned devices,
                   const device_times *times) {
    const unsigned members = w->group.members;
    const uint64_t systems = share_of(w, 0).systems;
    const uint64_t sent =
        tridiagonal_group_sent_bytes(&w->job, members, w->networks, 0) +
        (is_split(w) ? (uint64_t)(w->holders - 1) * sizeof(uint32_t) * systems : 0);
    const double modelled =
        times[3].median_ns + (sent > 0 ? EXCHANGES * EXCHANGE_NS + 1e9 * (double)sent / LINK : 0);
    char variant[32], more[300], note[64];
    snprintf(variant, sizeof variant, "%s-%ux%u", name, w->networks, members / w->networks);
    snprintf(note, sizeof note, "share %.1f us, modelled %.1f us", times[3].median_ns / 1e3,
             modelled / 1e3);
    snprintf(
        more, sizeof more,
        ",\"members\":%u,\"networks\":%u,\"devices\":%u,\"share_ns\":%.1f,\"sent_bytes\":%" PRIu64
        ",\"modelled_ns\":%.1f,\"modelled_link\":%.3g,\"modelled_exchange_ns\":%.0f",
        members, w->networks, devices, times[3].median_ns, sent, modelled, LINK,
        EXCHANGES * EXCHANGE_NS);
    const device_line line = {
        .topic = "group-tridiagonal",
        .op = w->job.type == TRIDIAGONAL_F32 ? "strided-f32" : "strided-f64",
        .variant = variant,
        .n = w->job.n,
        .rows = w->job.batch,
        .bytes = 5.0 * (double)(width(&w->job) * w->job.n) * (double)w->job.batch,
        .times = times,
        .rival = "one device",
        .more = more,
        .note = note};
    device_record(run, &line);
}

static void measure(const device_run *run, const char *name, tridiagonal_systems job,
                    unsigned members, unsigned networks, unsigned devices) {
    way w = {.job = job, .networks = networks};
    open_way(&w, members, devices);
    device_copying copy = {w.all[4], w.all[0], width(&job) * job.n * job.batch};
    // A graph does not take copies between devices (cudaMemcpyPeerAsync): members that exchange
    // spans are timed call by call.
    const bool exchanges = devices > 1 && members > networks;
    const device_side sides[] = {{enqueue_group, &w, exchanges},
                                 {enqueue_one, &w, false},
                                 {device_copy_enqueue, &copy, false},
                                 {enqueue_share, &w, false}};
    device_times times[4];
    if (!device_time(NULL, sides, 4, job.n * job.batch >= 1u << 22 ? 2 : 8, run->quick ? 5 : 11,
                     times)) {
        stop("timing failed", &job);
    }
    // The copy moved 2 words a row, a solver that reads and writes each array once moves 5.
    times[2].median_ns *= 2.5;
    times[2].min_ns *= 2.5;
    check_way(&w);
    report(run, &w, name, devices, times);
    close_way(&w);
}

// 2^26 rows of floats or 2^25 of doubles in all, 2^13 rows a system and more.
static void bench_way(const device_run *run, const char *name, tridiagonal_type type,
                      unsigned networks, unsigned devices) {
    const unsigned floats = run->quick ? 20 : 26;
    const unsigned total = type == TRIDIAGONAL_F64 ? floats - 1 : floats;
    for (unsigned lg = 13; lg <= total; lg += run->quick ? 5 : 3) {
        const tridiagonal_systems job = {type, TRIDIAGONAL_PARTITION_PIVOT, UINT64_C(1) << lg,
                                         UINT64_C(1) << (total - lg)};
        if (networks == 0) {  // MBP: as many networks as there are members
            const unsigned members = job.batch < MOST ? (unsigned)job.batch : MOST;
            measure(run, name, job, members, members, devices);
            continue;
        }
        for (unsigned members = networks; members <= MOST && job.batch >= networks; members *= 2) {
            measure(run, name, job, members, networks, devices);
        }
    }
}

int main(int argc, char **argv) {
    enum { MBP, MPS, MP_PC, PARTS };
    static const char *const names[PARTS] = {[MBP] = "mbp", [MPS] = "mps", [MP_PC] = "mp-pc"};
    static const unsigned networks[PARTS] = {[MBP] = 0, [MPS] = 1, [MP_PC] = 2};
    static const struct argp own = {
        .parser = device_run_parts_parse,
        .args_doc = "[mbp] [mps] [mp-pc]",
        .doc =
            "Times tridiagonal systems over a group of members against one device, and checks "
            "results. Measures the ways that are named, or all."};
    device_run run = {0};
    device_run_parts parts = {names, PARTS, 0};
    device_run_start(&run, &own, &parts, argc, argv);
    cuda_description about;
    cuda_describe(0, &about);
    const unsigned devices = about.count > 1 ? (unsigned)about.count : 1;
    for (unsigned k = 0; k < PARTS; k++) {
        for (unsigned type = 0; type < TRIDIAGONAL_TYPES && (parts.asked >> k & 1) != 0; type++) {
            bench_way(&run, names[k], (tridiagonal_type)type, networks[k], devices);
        }
    }
    return 0;
}
