// group_scan_bench.c: scans of 32-bit sums over a group of members, by the thesis's ways MBP, MPS
// and MP-PC and its sizes, against one scan of all rows on one device and a copy. Members take the
// machine's devices in turn, so on one GPU all of them share it.
//
// Prints a table; with --out appends records (bench/schema.md) to FOLDER/<chip>-group-scan.jsonl. A
// record has the time of the first member's share alone, the bytes that cross to the last member,
// and modelled_ns: that share, those bytes over a link of LINK bytes a second, and EXCHANGE_NS. It
// is not measured. Results are checked at positions of every member. A wrong one ends the program
// with status 1 and without its record.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "apps/program.h"
#include "bench/device/members.h"
#include "bench/device/record.h"
#include "bench/device/timing.h"
#include "primitives/cuda/group.h"
#include "primitives/scan/group.h"
#include "primitives/scan/portion.h"

enum { MOST = 8, CHECKS = 16 };
static const double LINK = 342e9, EXCHANGE_NS = 10e3;

// One way, with the memory of its members; `all` is the whole on the first device.
typedef struct {
    scan_job job;
    cuda_group group;
    unsigned networks;
    cuda_event begun;
    void *in[MOST], *out[MOST], *workspace[MOST];
    size_t bytes[MOST];  // of the workspace
    void *all_in, *all_out, *all_workspace;
    size_t all_bytes;
} way;

static _Noreturn void stop(const char *what, const scan_job *job) {
    char cause[256];
    cuda_error(cause, sizeof cause);
    fprintf(stderr, "group_scan_bench: %s, %" PRIu64 " x %" PRIu64 ": %s\n", what, job->rows,
            job->n, cause);
    exit(1);
}

static void must(result done, const scan_job *job) {
    if (done != RESULT_OK) {
        stop("a call failed", job);
    }
}

static result scan_all(void *self) {
    way *const w = self;
    return scan_group(&w->job, &w->group, w->networks, w->out, (const void *const *)w->in,
                      w->workspace);
}

static bool enqueue_group(void *self, cuda_stream stream) {
    way *const w = self;
    return members_between(&w->group, w->begun, stream, scan_all, w) == RESULT_OK;
}

static bool enqueue_one(void *self, cuda_stream stream) {
    way *const w = self;
    return scan_device(&w->job, w->all_out, w->all_in, w->all_workspace, w->all_bytes, stream) ==
           RESULT_OK;
}

// The first member's share by itself, without the totals of others.
static bool enqueue_share(void *self, cuda_stream stream) {
    way *const w = self;
    const unsigned members = w->group.members;
    const scan_share s = scan_group_share(&w->job, members, w->networks, 0);
    scan_job own = w->job;
    own.n = s.n;
    own.rows = s.rows;
    if (members == w->networks) {
        return scan_device(&own, w->out[0], w->in[0], w->workspace[0], w->bytes[0], stream) ==
               RESULT_OK;
    }
    char *const totals = w->workspace[0], *const steps = totals + (4 * s.rows + 255) / 256 * 256;
    const size_t bytes = w->bytes[0] - (size_t)(steps - totals);
    return scan_portion_totals(&own, totals, w->in[0], steps, bytes, stream) == RESULT_OK &&
           scan_portion_run(&own, w->out[0], w->in[0], totals, 0, steps, bytes, stream) ==
               RESULT_OK;
}

static void *allocate(const scan_job *job, size_t bytes, int byte, cuda_stream stream) {
    void *p = NULL;
    must(cuda_allocate(&p, bytes > 0 ? bytes : 1, stream), job);
    must(cuda_set(p, byte, bytes > 0 ? bytes : 1, stream), job);
    return p;
}

// Every byte of an operand is 1.
static void open_way(way *w, unsigned members, unsigned devices) {
    int places[MOST];
    for (unsigned m = 0; m < MOST; m++) {
        places[m] = (int)(m % devices);
    }
    must(cuda_group_open(&w->group, places, members), &w->job);
    for (unsigned m = 0; m < members; m++) {
        const scan_share s = scan_group_share(&w->job, members, w->networks, m);
        const cuda_stream stream = w->group.member[m].stream;
        must(cuda_group_enter(&w->group, m), &w->job);
        w->bytes[m] = scan_group_workspace_bytes(&w->job, members, w->networks, m);
        w->in[m] = allocate(&w->job, 4 * s.n * s.rows, 1, stream);
        w->out[m] = allocate(&w->job, 4 * s.n * s.rows, 0xA5, stream);
        w->workspace[m] = allocate(&w->job, w->bytes[m], 0, stream);
        cuda_group_leave(&w->group);
    }
    must(cuda_event_create(&w->begun), &w->job);
    const cuda_stream stream = w->group.member[0].stream;
    w->all_bytes = scan_workspace_bytes(&w->job);
    w->all_in = allocate(&w->job, 4 * w->job.n * w->job.rows, 1, stream);
    w->all_out = allocate(&w->job, 4 * w->job.n * w->job.rows, 0xA5, stream);
    w->all_workspace = allocate(&w->job, w->all_bytes, 0, stream);
    must(cuda_group_wait(&w->group), &w->job);
}

static void close_way(way *w) {
    const cuda_stream first = w->group.member[0].stream;
    for (unsigned m = 0; m < w->group.members; m++) {
        must(cuda_group_enter(&w->group, m), &w->job);
        cuda_release(w->in[m], w->group.member[m].stream);
        cuda_release(w->out[m], w->group.member[m].stream);
        cuda_release(w->workspace[m], w->group.member[m].stream);
        cuda_group_leave(&w->group);
    }
    cuda_release(w->all_in, first), cuda_release(w->all_out, first);
    cuda_release(w->all_workspace, first);
    cuda_event_destroy(w->begun);
    must(cuda_group_wait(&w->group), &w->job);
    cuda_group_close(&w->group);
}

// Element i of a row is (i + 1) 0x01010101.
static void check_way(way *w) {
    for (unsigned m = 0; m < w->group.members; m++) {
        const scan_share s = scan_group_share(&w->job, w->group.members, w->networks, m);
        const uint64_t size = s.n * s.rows;
        must(cuda_group_enter(&w->group, m), &w->job);
        for (uint64_t i = 0; i < CHECKS && size > 0; i++) {
            const uint64_t at = i == 0 ? size - 1 : i * (size / CHECKS) * 7919 % size;
            uint32_t y = 0;
            const uint32_t *const from = (const uint32_t *)w->out[m] + at;
            must(cuda_copy(&y, from, 4, w->group.member[m].stream), &w->job);
            must(cuda_stream_wait(w->group.member[m].stream), &w->job);
            if (y != (uint32_t)((s.first + at % s.n + 1) * 0x01010101)) {
                stop("a scan is wrong", &w->job);
            }
        }
        cuda_group_leave(&w->group);
    }
}

static void measure(const device_run *run, const char *name, uint64_t n, uint64_t rows,
                    unsigned members, unsigned networks, unsigned devices) {
    way w = {.job = {.op = MONOID_SUM_U32, .n = n, .rows = rows}, .networks = networks};
    open_way(&w, members, devices);
    device_copying copy = {w.all_out, w.all_in, 4 * n * rows};
    // Of four H200s the first timing of members that fetch from each other failed, where a graph
    // would hold copies between devices. They are timed call by call.
    const bool exchanges = devices > 1 && members > networks;
    const device_side sides[] = {{enqueue_group, &w, exchanges},
                                 {enqueue_one, &w, false},
                                 {device_copy_enqueue, &copy, false},
                                 {enqueue_share, &w, false}};
    device_times times[4];
    if (!device_time(NULL, sides, 4, n * rows >= 1u << 24 ? 2 : 8, run->quick ? 5 : 11, times) ||
        !enqueue_group(&w, w.group.member[0].stream)) {
        stop("timing failed", &w.job);
    }
    must(cuda_group_wait(&w.group), &w.job);
    check_way(&w);
    const uint64_t sent = 4 * (rows + networks - 1) / networks * (members / networks - 1);
    const double modelled =
        times[3].median_ns + (sent > 0 ? EXCHANGE_NS + 1e9 * (double)sent / LINK : 0);
    char variant[32], more[300], note[64];
    snprintf(variant, sizeof variant, "%s-%ux%u", name, networks, members / networks);
    snprintf(note, sizeof note, "share %.1f us, modelled %.1f us", times[3].median_ns / 1e3,
             modelled / 1e3);
    snprintf(
        more, sizeof more,
        ",\"members\":%u,\"networks\":%u,\"devices\":%u,\"share_ns\":%.1f,\"sent_bytes\":%" PRIu64
        ",\"modelled_ns\":%.1f,\"modelled_link\":%.3g,\"modelled_exchange_ns\":%.0f",
        members, networks, devices, times[3].median_ns, sent, modelled, LINK, EXCHANGE_NS);
    const device_line line = {.topic = "group-scan",
                              .op = "sum-u32",
                              .variant = variant,
                              .n = n,
                              .rows = rows,
                              .bytes = 8.0 * (double)n * (double)rows,
                              .times = times,
                              .rival = "one device",
                              .more = more,
                              .note = note};
    device_record(run, &line);
    close_way(&w);
}

// The sizes of figures 6.7 to 6.10 and 6.13: G = 2^28 / N problems of N = 2^13 .. 2^28 elements.
static void bench_split(const device_run *run, const char *name, unsigned networks,
                        unsigned devices) {
    const unsigned total = run->quick ? 20 : 28;
    for (unsigned lg = 13; lg <= total; lg += run->quick ? 7 : 3) {
        const uint64_t n = UINT64_C(1) << lg, rows = UINT64_C(1) << (total - lg);
        for (unsigned members = networks; members <= MOST; members *= 2) {
            if (rows >= networks) {
                measure(run, name, n, rows, members, networks, devices);
            }
        }
    }
}

// Figure 6.12: G = 2^26 / N, N up to 2^25, at least one problem for each member.
static void bench_dealt(const device_run *run, unsigned devices) {
    const unsigned total = run->quick ? 20 : 26;
    for (unsigned lg = 13; lg < total; lg += run->quick ? 5 : 2) {
        const uint64_t n = UINT64_C(1) << lg, rows = UINT64_C(1) << (total - lg);
        const unsigned members = rows < MOST ? (unsigned)rows : MOST;
        measure(run, "mbp", n, rows, members, members, devices);
    }
}

int main(int argc, char **argv) {
    enum { MBP, MPS, MP_PC, PARTS };
    static const char *const names[PARTS] = {[MBP] = "mbp", [MPS] = "mps", [MP_PC] = "mp-pc"};
    static const struct argp own = {
        .parser = device_run_parts_parse,
        .args_doc = "[mbp] [mps] [mp-pc]",
        .doc =
            "Times scans over a group of members against one device, and checks results. "
            "Measures the ways that are named, or all."};
    device_run run = {0};
    device_run_parts parts = {names, PARTS, 0};
    device_run_start(&run, &own, &parts, argc, argv);
    cuda_description about;
    cuda_describe(0, &about);
    const unsigned devices = about.count > 1 ? (unsigned)about.count : 1;
    if (parts.asked >> MBP & 1) {
        bench_dealt(&run, devices);
    }
    if (parts.asked >> MPS & 1) {
        bench_split(&run, names[MPS], 1, devices);
    }
    if (parts.asked >> MP_PC & 1) {
        bench_split(&run, names[MP_PC], 2, devices);
    }
    return 0;
}
