// group_mpi_bench.c: one product on the group of the ranks of an MPI job, each on a device, by
// bigint_mul, against bigint_mul on one of them: mpirun -n RANKS group_mpi_bench. Ranks take the
// machine's devices in turn, so on one GPU all of them share it.
//
// Rank 0 prints a table; with --out it appends records (bench/schema.md) to
// FOLDER/<chip>-group-mpi.jsonl. A time is the least of several products, each from a barrier until
// the last rank's device is idle. One more product waits between its phases, so its exchanges do
// not overlap computation; each phase is the longest of all ranks'. `link_bytes_per_s` is the bytes
// that the rank sent that sent most, over that exchange phase. Every rank compares its block of the
// product on its device with the single one's limbs (side.h); a difference ends the job.
#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "apps/program.h"
#include "bench/device/record.h"
#include "bench/device/timing.h"
#include "bench/group/side.h"
#include "bench/group/way.h"
#include "bigint/bigint_mpi.h"
#include "bigint/core/context.h"
#include "bigint/group/group.h"

enum { SAMPLES = 5 };

typedef struct {
    device_run run;
    const char *transport;
    group_way way;
    int ranks, rank, place;
} bench;

typedef struct {
    double ns, single_ns, phases[DEVICE_PHASES];
    uint64_t sent;
    char plan[1024];
} row;

static void end_mpi(void) {
    int ended = 0;
    MPI_Finalized(&ended);
    if (!ended) {
        MPI_Finalize();
    }
}

static void give_up(const char *text) {
    fprintf(stderr, "group_mpi_bench: %s\n", text);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static double longest(double own) {
    double all = 0;
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

// open_single makes the product on this rank's device alone, and returns rank 0's least time, when
// the other devices are idle.
static double open_single(const bench *b, side *s, unsigned lg) {
    bigint_device *device = NULL;
    double least = 0;
    if (bigint_device_open(&device, b->place, "cuda") != BIGINT_OK) {
        give_up(bigint_device_error(device));
    }
    side_open(s, device, lg, give_up);
    side_time(s);
    MPI_Barrier(MPI_COMM_WORLD);
    for (unsigned i = 0; i < SAMPLES && b->rank == 0; i++) {
        const double ns = side_time(s);
        least = i == 0 || ns < least ? ns : least;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    bigint_ctx_trim(s->ctx);
    return least;
}

static void open_dealt(const bench *b, side *s, unsigned lg) {
    bigint_device *device = NULL;
    if (bigint_device_open_mpi(&device, MPI_COMM_WORLD, b->place, b->transport) != BIGINT_OK) {
        give_up(bigint_device_error(device));
    }
    side_open(s, device, lg, give_up);
    group_way_set(s->ctx, &b->way);
}

// measure_phases: of one more product.
static void measure_phases(side *s, row *r) {
    group *const g = s->ctx->group;
    device_member_clock clock = {{0}, 0};
    const uint64_t before = g->seats[0].self.exchange->sent_bytes;
    g->clocks = &clock;
    side_time(s);
    g->clocks = NULL;
    r->sent = (uint64_t)longest((double)(g->seats[0].self.exchange->sent_bytes - before));
    for (int k = 0; k < DEVICE_PHASES; k++) {
        r->phases[k] = longest(1e9 * clock.seconds[k]);
    }
}

static void report(const bench *b, const row *r, unsigned lg, unsigned devices) {
    const double ns = r->phases[DEVICE_PHASE_EXCHANGE];
    const double rate = ns > 0 ? 1e9 * (double)r->sent / ns : 0;
    printf("%12" PRIu64
           " bits  %d ranks on %u devices by %s %10.2f ms | one device %10.2f ms, "
           "%5.2f x | sent by each %8.1f MB at %6.2f GB/s |",
           UINT64_C(1) << lg, b->ranks, devices, b->transport, r->ns / 1e6, r->single_ns / 1e6,
           r->ns / r->single_ns, (double)r->sent / 1e6, rate / 1e9);
    for (int k = 0; k < DEVICE_PHASES; k++) {
        printf(" %s %.2f ms", device_member_phase_name((device_member_phase)k), r->phases[k] / 1e6);
    }
    printf("\n    %s\n", r->plan);
    program_flush();
    if (b->run.out == NULL) {
        return;
    }
    FILE *const f = device_record_open(&b->run, "group-mpi", UINT64_C(1) << lg);
    fprintf(f,
            "\"ranks\":%d,\"devices\":%u,\"transport\":\"%s\",\"way\":\"%s\",\"min_ns\":%.0f,"
            "\"samples\":%d,\"single_ns\":%.0f,\"sent_bytes\":%" PRIu64
            ",\"link_bytes_per_s\":%.4g,",
            b->ranks, devices, b->transport, device_member_way_name(b->way.way), r->ns, SAMPLES,
            r->single_ns, r->sent, rate);
    for (int k = 0; k < DEVICE_PHASES; k++) {
        fprintf(f, "\"%s_ns\":%.0f,", device_member_phase_name((device_member_phase)k),
                r->phases[k]);
    }
    fprintf(f, "\"plan\":\"%s\",", r->plan);
    device_record_close(&b->run, f);
}

static void bench_size(const bench *b, unsigned lg) {
    side single, dealt;
    row r = {.single_ns = open_single(b, &single, lg)};
    open_dealt(b, &dealt, lg);
    side_time(&dealt);
    if (!side_same(&single, &dealt)) {
        give_up("a product is wrong");
    }
    for (unsigned i = 0; i < SAMPLES; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double ns = longest(side_time(&dealt));
        r.ns = i == 0 || ns < r.ns ? ns : r.ns;
    }
    side_plan(&dealt, r.plan, sizeof r.plan);
    measure_phases(&dealt, &r);
    if (b->rank == 0) {
        report(b, &r, lg, dealt.ctx->group->devices.devices);
    }
    side_close(&single), side_close(&dealt);
}

enum { KEY_TRANSPORT = 0x2000 };
static const struct argp_option options[] = {
    {"transport", KEY_TRANSPORT, "NAME", 0, "As for bigint_device_open_mpi; mpi", 0}, {0}};

static error_t parse(int key, char *value, struct argp_state *state) {
    bench *const b = state->input;
    switch (key) {
        case ARGP_KEY_INIT:
            state->child_inputs[0] = &b->way;
            return 0;
        case KEY_TRANSPORT:
            b->transport = value;
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
            "Times one product on the ranks of an MPI job, each on a device, against one device "
            "alone, and compares all limbs.",
        .children = of_way};
    bench b = {.run.range = {.sizes = "Operands of 2^N bits:",
                             .from = 28,
                             .to = 32,
                             .least = 20,
                             .most = 36,
                             .quick = 27},
               .transport = "mpi"};
    int level = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    atexit(end_mpi);
    device_run_start(&b.run, &own, &b, argc, argv);
    MPI_Comm_size(MPI_COMM_WORLD, &b.ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &b.rank);
    cuda_description about;
    cuda_describe(0, &about);
    b.place = about.count > 1 ? b.rank % about.count : 0;
    char bus[32];
    if (b.rank == 0 && device_bus(bus, sizeof bus)) {
        printf("%d ranks, %d devices on this machine, the first at %s\n", b.ranks, about.count,
               bus);
    }
    for (unsigned lg = b.run.range.from; lg <= b.run.range.to; lg++) {
        bench_size(&b, lg);
    }
    return 0;
}
