// group_mpi_bench.c: one product on the group of the ranks of an MPI job, each on a device, by
// bigint_mul, against bigint_mul on one of them: mpirun -n RANKS group_mpi_bench. Ranks take the
// machine's devices in turn, so on one GPU all of them share it.
//
// Rank 0 prints a table; with --out it appends records (bench/schema.md) to
// FOLDER/<chip>-group-mpi.jsonl. A time is the least of several products, each from a barrier until
// the last rank's device is idle. One more product waits between its phases, so its exchanges do
// not overlap computation; each phase is the longest of all ranks'. `link_bytes_per_s` is the bytes
// that the rank sent that sent most, over that exchange phase. Every rank compares its block of the
// product with the single one's limbs; a difference ends the job.
#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/program.h"
#include "bench/device/record.h"
#include "bench/device/timing.h"
#include "bench/group/way.h"
#include "bench/harness.h"
#include "bigint/bigint_mpi.h"
#include "bigint/core/context.h"
#include "bigint/group/group.h"
#include "tests/support/gen.h"

enum { SAMPLES = 5 };

typedef struct {
    device_run run;
    unsigned groups;
    const char *transport;
    device_member_way way;
    int ranks, rank, place;
} bench;

typedef struct {
    uint64_t n, *a, *b, *want, *got;
} size_job;

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

static void must(const bigint_ctx *ctx, bigint_status status) {
    if (status != BIGINT_OK) {
        give_up(bigint_ctx_error(ctx));
    }
}

static double longest(double own) {
    double all = 0;
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

// side: a context, and the operands and the product on its place.
typedef struct {
    bigint_ctx *ctx;
    bigint a, b, r;
} side;

static void open_side(side *s, bigint_device *device, const size_job *job) {
    *s = (side){0};
    const bigint_status made = bigint_ctx_create(&s->ctx, device, NULL);
    must(s->ctx, made);
    bigint_device_close(device);
    must(s->ctx, bigint_set_limbs(s->ctx, &s->a, job->a, job->n, 1));
    must(s->ctx, bigint_set_limbs(s->ctx, &s->b, job->b, job->n, 1));
}

static void close_side(side *s) {
    bigint_clear(s->ctx, &s->a), bigint_clear(s->ctx, &s->b), bigint_clear(s->ctx, &s->r);
    bigint_ctx_destroy(s->ctx);
}

static double time_product(side *s) {
    must(s->ctx, bigint_sync(s->ctx));
    const double begin = bench_now();
    must(s->ctx, bigint_mul(s->ctx, &s->r, &s->a, &s->b));
    must(s->ctx, bigint_sync(s->ctx));
    return bench_now() - begin;
}

// single: the product on this rank's device alone, one rank after the other; rank 0's least time.
static double single(const bench *b, const size_job *job) {
    double least = 0;
    for (int turn = 0; turn < b->ranks; turn++) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (turn != b->rank) {
            continue;
        }
        bigint_device *device = NULL;
        side s;
        uint64_t need = 0;
        if (bigint_device_open(&device, b->place, "cuda") != BIGINT_OK) {
            give_up(bigint_device_error(device));
        }
        open_side(&s, device, job);
        for (unsigned i = 0; i <= (turn == 0 ? SAMPLES : 0); i++) {
            const double ns = time_product(&s);
            least = i == 1 || ns < least ? ns : least;  // the first one warms up
        }
        must(s.ctx, bigint_get_limbs(s.ctx, job->want, 2 * job->n, &need, NULL, &s.r));
        close_side(&s);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return least;
}

// compare ends the job if this rank's block is not the single product's.
static void compare(const bench *b, side *s, const size_job *job) {
    uint64_t first = 0, count = 0, got = 0;
    must(s->ctx,
         bigint_block(s->ctx, bigint_limbs_bound(&s->r), (unsigned)b->rank, &first, &count));
    must(s->ctx, bigint_get_block(s->ctx, (unsigned)b->rank, job->got, count, &got, &s->r));
    if (got != count || memcmp(job->got, job->want + first, 8 * count) != 0) {
        give_up("a product is wrong");
    }
}

// measure_phases: of one more product.
static void measure_phases(side *s, row *r) {
    group *const g = s->ctx->group;
    device_member_clock clock = {{0}, 0};
    const uint64_t before = g->seats[0].self.exchange->sent_bytes;
    g->clocks = &clock;
    time_product(s);
    g->clocks = NULL;
    r->sent = (uint64_t)longest((double)(g->seats[0].self.exchange->sent_bytes - before));
    for (int k = 0; k < DEVICE_PHASES; k++) {
        r->phases[k] = longest(1e9 * clock.seconds[k]);
    }
}

static void report(const bench *b, const size_job *job, const row *r, unsigned devices) {
    const double ns = r->phases[DEVICE_PHASE_EXCHANGE];
    const double rate = ns > 0 ? 1e9 * (double)r->sent / ns : 0;
    printf("%12" PRIu64
           " bits  %d ranks on %u devices by %s %10.2f ms | one device %10.2f ms, "
           "%5.2f x | sent by each %8.1f MB at %6.2f GB/s |",
           64 * job->n, b->ranks, devices, b->transport, r->ns / 1e6, r->single_ns / 1e6,
           r->ns / r->single_ns, (double)r->sent / 1e6, rate / 1e9);
    for (int k = 0; k < DEVICE_PHASES; k++) {
        printf(" %s %.2f ms", device_member_phase_name((device_member_phase)k), r->phases[k] / 1e6);
    }
    printf("\n    %s\n", r->plan);
    program_flush();
    if (b->run.out == NULL) {
        return;
    }
    FILE *const f = device_record_open(&b->run, "group-mpi", 64 * job->n);
    fprintf(f,
            "\"ranks\":%d,\"devices\":%u,\"transport\":\"%s\",\"way\":\"%s\",\"min_ns\":%.0f,"
            "\"samples\":%d,\"single_ns\":%.0f,\"sent_bytes\":%" PRIu64
            ",\"link_bytes_per_s\":%.4g,",
            b->ranks, devices, b->transport, device_member_way_name(b->way), r->ns, SAMPLES,
            r->single_ns, r->sent, rate);
    for (int k = 0; k < DEVICE_PHASES; k++) {
        fprintf(f, "\"%s_ns\":%.0f,", device_member_phase_name((device_member_phase)k),
                r->phases[k]);
    }
    fprintf(f, "\"plan\":\"%s\",", r->plan);
    device_record_close(&b->run, f);
}

static void bench_size(const bench *b, unsigned lg) {
    const uint64_t n = UINT64_C(1) << (lg - 6);
    size_job job = {.n = n};
    row r = {.ns = 0};
    gen g = gen_seed(lg);
    job.a = program_memory(n, 8, "an operand");
    job.b = program_memory(n, 8, "an operand");
    job.want = program_memory(2 * n, 8, "a product");
    job.got = program_memory(2 * n, 8, "a product");
    gen_limbs(&g, GEN_UNIFORM, job.a, n);
    gen_limbs(&g, GEN_UNIFORM, job.b, n);
    r.single_ns = single(b, &job);
    bigint_device *device = NULL;
    side dealt;
    if (bigint_device_open_mpi(&device, MPI_COMM_WORLD, b->place, b->transport) != BIGINT_OK) {
        give_up(bigint_device_error(device));
    }
    open_side(&dealt, device, &job);
    dealt.ctx->group->way = b->way;
    dealt.ctx->group->prime_groups = b->groups;
    time_product(&dealt);
    compare(b, &dealt, &job);
    for (unsigned i = 0; i < SAMPLES; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double ns = longest(time_product(&dealt));
        r.ns = i == 0 || ns < r.ns ? ns : r.ns;
    }
    must(dealt.ctx, bigint_explain(dealt.ctx, r.plan, sizeof r.plan, NULL, n, n));
    measure_phases(&dealt, &r);
    if (b->rank == 0) {
        report(b, &job, &r, dealt.ctx->group->devices.devices);
    }
    close_side(&dealt);
    free(job.a), free(job.b), free(job.want), free(job.got);
}

enum { KEY_WAY = 0x2000, KEY_GROUPS, KEY_TRANSPORT };
static const struct argp_option options[] = {
    {"way", KEY_WAY, "WAY", 0, "auto, alone, primes, columns or grid, where it can be; auto", 0},
    {"groups", KEY_GROUPS, "N", 0, "Of a grid: prime groups; by default the best number", 0},
    {"transport", KEY_TRANSPORT, "NAME", 0, "As for bigint_device_open_mpi; mpi", 0},
    {0}};

static error_t parse(int key, char *value, struct argp_state *state) {
    bench *const b = state->input;
    switch (key) {
        case KEY_WAY:
            b->way = group_way_named(value, state);
            return 0;
        case KEY_GROUPS:
            b->groups = (unsigned)device_run_number(state, "groups", value, 1, FFT_MODULAR_PRIMES);
            return 0;
        case KEY_TRANSPORT:
            b->transport = value;
            return 0;
        default:
            return ARGP_ERR_UNKNOWN;
    }
}

int main(int argc, char **argv) {
    static const struct argp own = {
        .options = options,
        .parser = parse,
        .doc =
            "Times one product on the ranks of an MPI job, each on a device, against one device "
            "alone, and compares all limbs."};
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
