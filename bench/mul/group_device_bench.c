// group_device_bench.c: one product over 1, 2, 4 and 8 members that are devices, against bigint_mul
// on one of them. Members take the machine's devices in turn, so on one GPU all of them share it.
//
// Prints a table; with --out appends records (bench/schema.md) to
// FOLDER/<chip>-group-product.jsonl. A time is the least of several products, from the moment when
// all threads start to the moment when all have waited for their streams. `modelled_ns` is not
// measured: where members share one device, what each would take on a device of its own (the time
// over the number of members) and its bytes over a link of LINK bytes a second, one after the
// other. Every product is compared with bigint_mul's, limb by limb; a wrong one ends the program
// with status 1 and without its record.
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "apps/program.h"
#include "bench/device/record.h"
#include "bench/device/timing.h"
#include "bigint/bigint.h"
#include "bigint/core/device_stream.h"
#include "bigint/group/device/product.h"
#include "bigint/group/exchange/block.h"
#include "bigint/group/exchange/local.h"
#include "primitives/cuda/runtime.h"
#include "tests/support/gen.h"

enum { LG_FROM = 28, LG_TO = 34, LG_QUICK = 27, LG_LEAST = 27, LG_MOST = 36 };
enum { MOST = 8, SAMPLES = 5 };
static const double LINK = 342e9;  // of 8 GPUs of one host, all at once

typedef struct {
    device_run run;
    unsigned from, to, devices;
} bench;

// One size: operands and the product by one device, on the host.
typedef struct {
    uint64_t n;
    uint64_t *a, *b, *want, *got;
    double single_ns;
} size_job;

// What the members of one run share.
typedef struct {
    const size_job *job;
    device_member_plan plan;
    unsigned samples;
    pthread_barrier_t barrier;
} round_job;

typedef struct {
    round_job *round;
    member member;
    device_exchange exchange;
    pthread_t thread;
    double least_ns;  // of member 0
    uint64_t sent;    // bytes of one product
} seat;

static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static _Noreturn void stop(const char *what) {
    fprintf(stderr, "group_device_bench: %s\n", what);
    exit(1);
}

static void must(const bigint_ctx *ctx, bigint_status status) {
    if (status != BIGINT_OK) {
        stop(bigint_ctx_error(ctx));
    }
}

static bigint_ctx *context_on(int place) {
    bigint_device *device = NULL;
    bigint_ctx *ctx = NULL;
    if (bigint_device_open(&device, place, "cuda") != BIGINT_OK) {
        stop(bigint_device_error(device));
    }
    must(ctx, bigint_ctx_create(&ctx, device, NULL));
    bigint_device_close(device);
    return ctx;
}

// The product by bigint_mul, timed, and its limbs.
static void multiply_alone(size_job *job, unsigned samples) {
    bigint_ctx *const ctx = context_on(0);
    bigint a = {0}, b = {0}, r = {0};
    must(ctx, bigint_set_limbs(ctx, &a, job->a, job->n, 1));
    must(ctx, bigint_set_limbs(ctx, &b, job->b, job->n, 1));
    for (unsigned i = 0; i <= samples; i++) {
        must(ctx, bigint_sync(ctx));
        const double begin = now_ns();
        must(ctx, bigint_mul(ctx, &r, &a, &b));
        must(ctx, bigint_sync(ctx));
        const double ns = now_ns() - begin;
        job->single_ns = i == 1 || (i > 1 && ns < job->single_ns) ? ns : job->single_ns;
    }
    uint64_t need = 0;
    memset(job->want, 0, 16 * job->n);
    must(ctx, bigint_get_limbs(ctx, job->want, 2 * job->n, &need, NULL, &r));
    bigint_clear(ctx, &a), bigint_clear(ctx, &b), bigint_clear(ctx, &r);
    bigint_ctx_destroy(ctx);
}

static void *allocate(const seat *s, const uint64_t *from, uint64_t bytes) {
    void *p = NULL;
    const cuda_stream stream = s->member.ctx->queue.stream;
    if (cuda_allocate(&p, bytes + 8, stream) != RESULT_OK ||
        cuda_copy(p, from, bytes, stream) != RESULT_OK || cuda_stream_wait(stream) != RESULT_OK) {
        stop("no memory on the device for a block, or a copy failed");
    }
    return p;
}

static void *run_member(void *arg) {
    seat *const s = arg;
    round_job *const round = s->round;
    const size_job *const job = round->job;
    bigint_ctx *const ctx = s->member.ctx;
    const unsigned self = s->member.exchange->member, members = round->plan.members;
    const block_range of_a = block_bounds(job->n, members, self),
                      of_r = block_bounds(2 * job->n, members, self);
    must(ctx, device_enter(ctx, "group_device_bench"));
    must(ctx, device_exchange_open(&s->exchange, s->member.exchange, ctx, "group_device_bench"));
    uint64_t *const ap = allocate(s, job->a + of_a.first, of_a.count * 8),
                    *const bp = allocate(s, job->b + of_a.first, of_a.count * 8),
                    *const rp = allocate(s, job->got + of_r.first, of_r.count * 8);
    device_leave(ctx);
    const device_member_job product = {rp, ap, bp, &round->plan, BIGINT_OK};
    for (unsigned i = 0; i <= round->samples; i++) {
        const uint64_t sent = s->member.exchange->sent_bytes;
        pthread_barrier_wait(&round->barrier);
        const double begin = now_ns();
        must(ctx, device_member_multiply(&s->member, &s->exchange, &product));
        must(ctx, bigint_sync(ctx));
        pthread_barrier_wait(&round->barrier);
        const double ns = now_ns() - begin;
        s->least_ns = i == 1 || (i > 1 && ns < s->least_ns) ? ns : s->least_ns;
        s->sent = s->member.exchange->sent_bytes - sent;
    }
    must(ctx, device_enter(ctx, "group_device_bench"));
    const cuda_stream stream = ctx->queue.stream;
    if (cuda_copy(job->got + of_r.first, rp, of_r.count * 8, stream) != RESULT_OK ||
        cuda_stream_wait(stream) != RESULT_OK) {
        stop("a copy failed");
    }
    cuda_release(ap, stream), cuda_release(bp, stream), cuda_release(rp, stream);
    device_leave(ctx);
    return NULL;
}

static void report(const bench *b, const size_job *job, const seat *first, unsigned devices) {
    char plan[300];
    const device_member_plan *const p = &first->round->plan;
    device_member_print(p, plan, sizeof plan);
    const double ns = first->least_ns, link_ns = 1e9 * (double)first->sent / LINK;
    const double modelled_ns = devices == 1 ? ns / p->members + link_ns : 0;
    printf("%12" PRIu64
           " bits  %u members on %u devices %10.2f ms | one device %10.2f ms, %5.2f x "
           "| sent by each %8.1f MB | modelled %10.2f ms\n    %s\n",
           64 * job->n, p->members, devices, ns / 1e6, job->single_ns / 1e6, ns / job->single_ns,
           (double)first->sent / 1e6, modelled_ns / 1e6, plan);
    program_flush();
    if (b->run.out == NULL) {
        return;
    }
    FILE *const f = device_record_open(&b->run, "group-product", 64 * job->n);
    fprintf(f,
            "\"members\":%u,\"devices\":%u,\"min_ns\":%.0f,\"samples\":%u,\"single_ns\":%.0f,"
            "\"sent_bytes\":%" PRIu64
            ",\"modelled_ns\":%.0f,\"modelled_link\":%.3g,\"plan\":\"%s\",",
            p->members, devices, ns, first->round->samples, job->single_ns, first->sent,
            modelled_ns, LINK, plan);
    device_record_close(&b->run, f);
}

static void bench_members(const bench *b, const size_job *job, unsigned members) {
    round_job round = {.job = job, .samples = b->run.quick ? 2 : SAMPLES};
    if (!device_member_plan_make(&round.plan, job->n, job->n, false, members, NULL)) {
        printf("%12" PRIu64 " bits  %u members: no plan\n", 64 * job->n, members);
        return;
    }
    void *const memory = program_memory(exchange_hub_bytes(members) / 64 + 1, 64, "a hub");
    exchange_hub *const hub = exchange_hub_open(memory, members, 0);
    seat seats[MOST] = {{0}};
    if (hub == NULL || pthread_barrier_init(&round.barrier, NULL, members) != 0) {
        program_no_memory("a hub");
    }
    const unsigned devices = b->devices < members ? b->devices : members;
    for (unsigned i = 0; i < members; i++) {
        seats[i] =
            (seat){.round = &round,
                   .member = {exchange_hub_endpoint(hub, i), context_on((int)(i % devices))}};
    }
    memset(job->got, 0, 16 * job->n);
    for (unsigned i = 0; i < members; i++) {
        program_thread(&seats[i].thread, run_member, &seats[i]);
    }
    for (unsigned i = 0; i < members; i++) {
        pthread_join(seats[i].thread, NULL);
    }
    if (memcmp(job->got, job->want, 16 * job->n) != 0) {
        stop("a product is wrong");
    }
    report(b, job, &seats[0], devices);
    for (unsigned i = 0; i < members; i++) {
        device_exchange_close(&seats[i].exchange);
        bigint_ctx_destroy(seats[i].member.ctx);
    }
    pthread_barrier_destroy(&round.barrier);
    exchange_hub_close(hub);
    free(memory);
}

static void bench_size(const bench *b, unsigned lg) {
    const uint64_t n = UINT64_C(1) << (lg - 6);
    size_job job = {.n = n};
    gen g = gen_seed(lg);
    job.a = program_memory(n, 8, "an operand");
    job.b = program_memory(n, 8, "an operand");
    job.want = program_memory(2 * n, 8, "a product");
    job.got = program_memory(2 * n, 8, "a product");
    gen_limbs(&g, GEN_UNIFORM, job.a, n);
    gen_limbs(&g, GEN_UNIFORM, job.b, n);
    multiply_alone(&job, b->run.quick ? 2 : SAMPLES);
    for (unsigned members = 1; members <= MOST; members *= 2) {
        bench_members(b, &job, members);
    }
    free(job.a), free(job.b), free(job.want), free(job.got);
}

enum { KEY_FROM = 0x2000, KEY_TO };
static const struct argp_option options[] = {
    {"from", KEY_FROM, "LG", 0, "Begin with operands of 2^LG bits; 28", 0},
    {"to", KEY_TO, "LG", 0, "End with operands of 2^LG bits; 34", 0},
    {0}};

static error_t parse(int key, char *value, struct argp_state *state) {
    bench *const b = state->input;
    switch (key) {
        case KEY_FROM:
            b->from = (unsigned)device_run_number(state, "from", value, LG_LEAST, LG_MOST);
            return 0;
        case KEY_TO:
            b->to = (unsigned)device_run_number(state, "to", value, LG_LEAST, LG_MOST);
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
            "Times one product over members that are devices, against one device alone, and "
            "compares all limbs."};
    bench b = {0};
    device_run_start(&b.run, &own, &b, argc, argv);
    cuda_description about;
    cuda_describe(0, &about);
    b.devices = about.count > 1 ? (unsigned)about.count : 1;
    char bus[32];
    if (device_bus(bus, sizeof bus)) {
        printf("%u devices, the first at %s\n", b.devices, bus);
    }
    b.from = b.from > 0 ? b.from : b.run.quick ? LG_QUICK : LG_FROM;
    b.to = b.to > 0 ? b.to : b.run.quick ? LG_QUICK : LG_TO;
    for (unsigned lg = b.from; lg <= b.to; lg++) {
        bench_size(&b, lg);
    }
    return 0;
}
