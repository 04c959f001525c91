// group_device_bench.c: one product on a group of 1, 2, 4 and 8 devices, or another number, by
// bigint_mul, against bigint_mul on one of them. Members take the machine's devices in turn, so on
// one GPU all of them share it.
//
// Prints a table; with --out appends records (bench/schema.md) to
// FOLDER/<chip>-group-product.jsonl. A time is the least of several products, from the call until
// all devices are idle; the single product's come first, because both together may not find room.
// One more product waits between its phases, so its exchanges do not overlap computation; each
// phase is the longest of all members'. `modelled_ns` is not measured: where members share one
// device, what each would take on one of its own (the time over the number of members) and its
// bytes over a link of LINK bytes a second, one after the other; nor is `modelled_exchange_ns`,
// those bytes over that link. Efficiency is the single product's time over the group's and the
// number of devices. At the end stands from which size on the group was faster. A product is
// compared with the single one, limb by limb, on the first device (side.h); a wrong one ends the
// program with status 1 and without its record.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "apps/program.h"
#include "bench/device/record.h"
#include "bench/device/timing.h"
#include "bench/group/side.h"
#include "bench/group/way.h"
#include "bigint/bigint.h"
#include "bigint/core/context.h"
#include "bigint/group/group.h"

enum { MOST = 8, SAMPLES = 5, COUNTS = 4 };  // members 1, 2, 4, 8
static const double LINK = 342e9;            // of 8 GPUs of one host, all at once

typedef struct {
    device_run run;
    unsigned devices, members;
    group_way way;
    unsigned faster[COUNTS];  // the least lg from which on the group was faster; 0: none
} bench;

typedef struct {
    unsigned members, samples, lg;
    double ns, single_ns, phases[DEVICE_PHASES];
    uint64_t sent;
    char plan[1024];
} row;

static void fail(const char *text) {
    fprintf(stderr, "group_device_bench: %s\n", text);
    exit(1);
}

// open_device: a group, or members 0: one device.
static bigint_device *open_device(const bench *b, unsigned members) {
    int places[MOST];
    for (unsigned i = 0; i < members; i++) {
        places[i] = (int)(i % b->devices);
    }
    bigint_device *device = NULL;
    const bigint_status status = members == 0
                                     ? bigint_device_open(&device, 0, "cuda")
                                     : bigint_device_open_group(&device, places, members, "cuda");
    if (status != BIGINT_OK) {
        fail(bigint_device_error(device));
    }
    return device;
}

static double least_of(side *s, unsigned samples) {
    double least = side_time(s);
    for (unsigned i = 1; i < samples; i++) {
        const double ns = side_time(s);
        least = ns < least ? ns : least;
    }
    return least;
}

// measure_phases: of one more product: the longest phases of all members, and the bytes of the one
// that sends most.
static void measure_phases(side *s, row *r) {
    group *const g = s->ctx->group;
    device_member_clock clocks[MOST] = {{{0}, 0}};
    uint64_t before[MOST];
    for (unsigned i = 0; i < g->local; i++) {
        before[i] = g->seats[i].self.exchange->sent_bytes;
    }
    g->clocks = clocks;
    side_time(s);
    g->clocks = NULL;
    for (unsigned i = 0; i < g->local; i++) {
        const uint64_t sent = g->seats[i].self.exchange->sent_bytes - before[i];
        r->sent = sent > r->sent ? sent : r->sent;
        for (int k = 0; k < DEVICE_PHASES; k++) {
            const double ns = 1e9 * clocks[i].seconds[k];
            r->phases[k] = ns > r->phases[k] ? ns : r->phases[k];
        }
    }
}

static void report(const bench *b, const row *r) {
    const unsigned devices = b->devices < r->members ? b->devices : r->members;
    const double exchange_ns = 1e9 * (double)r->sent / LINK;
    const double modelled_ns = devices == 1 ? r->ns / r->members + exchange_ns : 0;
    printf("%12" PRIu64
           " bits  %u members on %u devices %10.2f ms | one device %10.2f ms, %5.2f x, efficiency "
           "%5.1f %% | sent by each %8.1f MB, modelled exchange %.2f ms | modelled %10.2f ms |",
           UINT64_C(1) << r->lg, r->members, devices, r->ns / 1e6, r->single_ns / 1e6,
           r->ns / r->single_ns, 100 * r->single_ns / r->ns / devices, (double)r->sent / 1e6,
           exchange_ns / 1e6, modelled_ns / 1e6);
    for (int k = 0; k < DEVICE_PHASES; k++) {
        printf(" %s %.2f ms", device_member_phase_name((device_member_phase)k), r->phases[k] / 1e6);
    }
    printf("\n    %s\n", r->plan);
    program_flush();
    if (b->run.out == NULL) {
        return;
    }
    FILE *const f = device_record_open(&b->run, "group-product", UINT64_C(1) << r->lg);
    fprintf(f,
            "\"members\":%u,\"devices\":%u,\"way\":\"%s\",\"min_ns\":%.0f,\"samples\":%u,"
            "\"single_ns\":%.0f,\"sent_bytes\":%" PRIu64
            ",\"modelled_ns\":%.0f,\"modelled_exchange_ns\":%.0f,\"modelled_link\":%.3g,",
            r->members, devices, device_member_way_name(b->way.way), r->ns, r->samples,
            r->single_ns, r->sent, modelled_ns, exchange_ns, LINK);
    for (int k = 0; k < DEVICE_PHASES; k++) {
        fprintf(f, "\"%s_ns\":%.0f,", device_member_phase_name((device_member_phase)k),
                r->phases[k]);
    }
    fprintf(f, "\"plan\":\"%s\",", r->plan);
    device_record_close(&b->run, f);
}

// bench_members returns whether the group was faster.
static bool bench_members(const bench *b, unsigned lg, unsigned members) {
    side single, dealt;
    row r = {.members = members, .samples = b->run.quick ? 2 : SAMPLES, .lg = lg};
    side_open(&single, open_device(b, 0), lg, fail);
    side_time(&single);
    r.single_ns = least_of(&single, r.samples);
    bigint_ctx_trim(single.ctx);
    side_open(&dealt, open_device(b, members), lg, fail);
    group_way_set(dealt.ctx, &b->way);
    side_time(&dealt);
    if (!side_same(&single, &dealt)) {
        fail("a product is wrong");
    }
    r.ns = least_of(&dealt, r.samples);
    side_plan(&dealt, r.plan, sizeof r.plan);
    measure_phases(&dealt, &r);
    report(b, &r);
    side_close(&single), side_close(&dealt);
    return r.ns < r.single_ns;
}

static void bench_size(bench *b, unsigned lg) {
    for (unsigned i = 0; i < COUNTS && b->members == 0; i++) {
        const bool faster = bench_members(b, lg, 1U << i);
        b->faster[i] = !faster ? 0 : b->faster[i] > 0 ? b->faster[i] : lg;
    }
    if (b->members > 0) {
        bench_members(b, lg, b->members);
    }
}

static void report_break_even(const bench *b) {
    for (unsigned i = 1; i < COUNTS && b->members == 0; i++) {
        const unsigned members = 1U << i;
        printf("break-even, %u members on %u devices: ", members,
               b->devices < members ? b->devices : members);
        b->faster[i] > 0 ? printf("2^%u bits\n", b->faster[i])
                         : printf("none up to 2^%u bits\n", b->run.range.to);
    }
}

enum { KEY_MEMBERS = 0x2000 };
static const struct argp_option options[] = {
    {"members", KEY_MEMBERS, "N", 0, "One number of members instead of 1, 2, 4 and 8", 0}, {0}};

static error_t parse(int key, char *value, struct argp_state *state) {
    bench *const b = state->input;
    switch (key) {
        case ARGP_KEY_INIT:
            state->child_inputs[0] = &b->way;
            return 0;
        case KEY_MEMBERS:
            b->members = (unsigned)device_run_number(state, "members", value, 1, MOST);
            return 0;
        default:
            return ARGP_ERR_UNKNOWN;
    }
}

int main(int argc, char **argv) {
    static const struct argp_child of_way[] = {{.argp = &group_way_options}, {0}};
    static const struct argp own = {
        .options = options,
        .parser = parse,
        .doc =
            "Times one product on a group of devices, against one device alone, and compares "
            "all limbs.",
        .children = of_way};
    bench b = {.run.range = {.sizes = "Operands of 2^N bits:",
                             .from = 28,
                             .to = 34,
                             .least = 20,
                             .most = 36,
                             .quick = 27}};
    device_run_start(&b.run, &own, &b, argc, argv);
    cuda_description about;
    cuda_describe(0, &about);
    b.devices = about.count > 1 ? (unsigned)about.count : 1;
    char bus[32];
    if (device_bus(bus, sizeof bus)) {
        printf("%u devices, the first at %s\n", b.devices, bus);
    }
    for (unsigned lg = b.run.range.from; lg <= b.run.range.to; lg++) {
        bench_size(&b, lg);
    }
    report_break_even(&b);
    return 0;
}
