// group_model.c: products on GPUs that are not here: the plan that a group would take, and what it
// takes by the model of bigint/group/device/cost.h. Nothing is measured, and no GPU is needed, but
// a build with kernels.
//
// Prints a table; --json appends records (bench/schema.md). Members exchange as GPUs that all reach
// each other. `modelled_nodes_ns`: on nodes of eight GPUs, where what goes to another node leaves a
// GPU by NETWORK bytes a second; no exchange is beside a transform then, so it is an upper bound.
#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/program.h"
#include "bench/host.h"
#include "bigint/group/device/cost.h"

enum { NODE = 8 };                                      // GPUs of one
static const uint64_t MEMORY = UINT64_C(141000000000);  // bytes of a GPU
static const double NETWORK = 50e9, LINK = 353e9;       // bytes a second: assumed; as in cost.c

typedef struct {
    unsigned lg, members;
} size;

static const size sizes[] = {{30, 4}, {33, 4}, {36, 4},  {34, 8},  {35, 8},  {36, 8},  {37, 8},
                             {38, 8}, {39, 8}, {39, 16}, {40, 12}, {40, 16}, {42, 48}, {42, 64}};

typedef struct {
    uint64_t bits, held, sent;
    unsigned members;
    double ns, nodes_ns, transform_ns;
    char plan[512];
} row;

static bool make(row *r, size s) {
    const uint64_t n = UINT64_C(1) << (s.lg - 6);
    const device_member_choice choice = {.members = s.members,
                                         .devices = s.members,
                                         .clusters = true,
                                         .room = UINT64_MAX,
                                         .memory = MEMORY};
    device_member_plan plan;
    if (!device_member_plan_make(&plan, n, n, false, &choice) || plan.way == DEVICE_MEMBER_ALONE) {
        return false;
    }
    *r = (row){.bits = UINT64_C(1) << s.lg,
               .members = s.members,
               .held = device_member_held_bytes(&plan),
               .sent = device_member_sent_bytes(&plan),
               .ns = 1e-3 * (double)device_member_cost(&plan, &choice),
               .transform_ns = 1e-3 * (double)device_member_work(&plan)};
    const double away = s.members > NODE ? (double)(s.members - NODE) / (s.members - 1) : 0;
    r->nodes_ns = r->ns + 1e9 * away * (double)r->sent * (1 / NETWORK - 1 / LINK);
    device_member_print(&plan, r->plan, sizeof r->plan);
    return true;
}

static void record(const char *file, const bench_host *h, const row *r) {
    FILE *const f = fopen(file, "a");
    if (f == NULL) {
        err(EXIT_IO, "%s", file);
    }
    fprintf(f,
            "{\"schema\":1,\"topic\":\"group-model\",\"case\":\"mul\",\"op\":\"modelled\","
            "\"chip\":\"h200\",\"bits\":%" PRIu64
            ",\"members\":%u,\"modelled_ns\":%.0f,\"modelled_nodes_ns\":%.0f,"
            "\"modelled_transform_ns\":%.0f,\"sent_bytes\":%" PRIu64 ",\"held_bytes\":%" PRIu64
            ",\"model_memory\":%" PRIu64
            ",\"model_network\":%.3g,\"plan\":\"%s\",\"checked\":false,\"commit\":\"%s\","
            "\"dirty\":%s}\n",
            r->bits, r->members, r->ns, r->nodes_ns, r->transform_ns, r->sent, r->held, MEMORY,
            NETWORK, r->plan, h->commit, h->dirty ? "true" : "false");
    if (fclose(f) != 0) {
        err(EXIT_IO, "%s", file);
    }
}

int main(int argc, char **argv) {
    const bool json = argc == 3 && strcmp(argv[1], "--json") == 0;
    if (argc > 1 && !json) {
        errx(EXIT_USAGE, "usage: group_model [--json FILE]");
    }
    const bench_host h = bench_host_get();
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        row r;
        if (!make(&r, sizes[i])) {
            errx(EXIT_WRONG, "no plan for 2^%u bits on %u", sizes[i].lg, sizes[i].members);
        }
        printf(
            "2^%u bits on %2u: modelled %9.2f ms, on nodes of %d at most %9.2f ms, transforms "
            "%8.2f ms, sent %7.2f GB, held %6.2f GB\n    %s\n",
            sizes[i].lg, r.members, r.ns / 1e6, NODE, r.nodes_ns / 1e6, r.transform_ns / 1e6,
            (double)r.sent / 1e9, (double)r.held / 1e9, r.plan);
        if (json) {
            record(argv[2], &h, &r);
        }
    }
    program_flush();
    return 0;
}
