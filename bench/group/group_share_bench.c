// group_share_bench.c: one member's share of a product over more devices than there are here: what
// member 0 computes, at full size, on device 0. The other members are its mirror images: they say
// what it says, and what they would send is copied from its own blocks. So the phases take
// the time and the memory of a real member, but what comes out is not the product. The exchange is
// not measured: its bytes are counted, and the model of cost.h says how long it takes.
//
// Prints a table; with --out appends records (bench/schema.md) to
// FOLDER/<chip>-group-share.jsonl. Each phase is the least of several products; nothing runs beside
// it. `modelled_ns` is a whole product by the model.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/program.h"
#include "bench/device/record.h"
#include "bench/device/timing.h"
#include "bench/group/way.h"
#include "bigint/bigint.h"
#include "bigint/core/context.h"
#include "bigint/core/device_stream.h"
#include "bigint/group/device/cost.h"
#include "bigint/group/device/product.h"
#include "bigint/group/group.h"

enum { SAMPLES = 3, WORD = sizeof(uint64_t) };

typedef struct {
    device_run run;
    unsigned members;
    uint64_t memory;  // bytes of a device in the group
    group_way way;
} bench;

static void fail(const char *text) {
    fprintf(stderr, "group_share_bench: %s\n", text);
    exit(1);
}

static void must(result done) {
    if (done != RESULT_OK) {
        fail("the device failed, or has too little memory");
    }
}

// --- Mirror images -------------------------------------------------------------------------------

static bigint_status mirror_all_gather(exchange *x, void *all, const void *own, size_t bytes) {
    for (unsigned i = 0; i < x->members; i++) {
        memcpy((char *)all + i * bytes, own, bytes);
    }
    return BIGINT_OK;
}

static bigint_status mirror_all_to_all(exchange *x, const exchange_block *send,
                                       const exchange_block *receive, bool lasting) {
    (void)lasting;
    for (unsigned i = 0; i < x->members; i++) {
        exchange_copy(&receive[i], &send[x->member]);
    }
    return BIGINT_OK;
}

static void mirror_give_up(exchange *x) { (void)x; }

static const exchange_ops mirror = {"mirror", mirror_all_to_all, mirror_all_gather, mirror_give_up};

// --- A share -------------------------------------------------------------------------------------

typedef struct {
    exchange host;
    member self;
    device_exchange exchange;
    uint64_t *a, *b, *r;
} share;

// block: the member's block of a number of n limbs, of some pattern, and one limb more.
static uint64_t *block(const share *s, uint64_t n, int byte) {
    const uint64_t bytes = (block_bounds(n, s->host.members, 0).count + 1) * WORD;
    const cuda_stream stream = s->self.ctx->queue.stream;
    void *p = NULL;
    must(cuda_allocate(&p, bytes, stream));
    must(cuda_set(p, byte, bytes, stream));
    return p;
}

static void open_share(share *s, bigint_ctx *ctx, const device_member_plan *plan) {
    static const device_carrier peer = {.kind = CARRIER_PEER};
    *s = (share){.host = {.ops = &mirror, .members = plan->members}};
    s->self = (member){&s->host, ctx};
    const char *const who = "group_share_bench";
    if (device_enter(ctx, who) != BIGINT_OK ||
        device_exchange_open(&s->exchange, &s->host, ctx, who) != BIGINT_OK ||
        device_exchange_join(&s->exchange, ctx, who, &peer) != BIGINT_OK) {
        fail(bigint_ctx_error(ctx));
    }
    s->a = block(s, plan->an, 0x5a);
    s->b = block(s, plan->bn, 0x3c);
    s->r = block(s, plan->an + plan->bn, 0);
    must(cuda_stream_wait(ctx->queue.stream));
    device_leave(ctx);
}

static void close_share(share *s) {
    const cuda_stream stream = s->self.ctx->queue.stream;
    if (device_enter(s->self.ctx, "group_share_bench") != BIGINT_OK) {
        fail(bigint_ctx_error(s->self.ctx));
    }
    must(cuda_release(s->a, stream)), must(cuda_release(s->b, stream));
    must(cuda_release(s->r, stream));
    must(cuda_stream_wait(stream));
    device_leave(s->self.ctx);
    device_exchange_close(&s->exchange);
}

// multiply: seconds of each phase of one share.
static void multiply(share *s, const device_member_plan *plan, double *seconds) {
    device_member_clock clock = {{0}, 0};
    const device_member_job job = {.rp = s->r,
                                   .a = {s->a, plan->an, plan->an},
                                   .b = {s->b, plan->bn, plan->bn},
                                   .plan = plan,
                                   .clock = &clock};
    if (device_member_multiply(&s->self, &s->exchange, &job) != BIGINT_OK) {
        fail(bigint_ctx_error(s->self.ctx));
    }
    for (int k = 0; k < DEVICE_PHASES; k++) {
        seconds[k] = clock.seconds[k] < seconds[k] ? clock.seconds[k] : seconds[k];
    }
}

// --- Output --------------------------------------------------------------------------------------

static void report(const bench *b, unsigned lg, const device_member_plan *plan,
                   const device_member_choice *choice, const double *seconds) {
    char text[512];
    const uint64_t held = device_member_held_bytes(plan), sent = device_member_sent_bytes(plan);
    const double modelled = 1e-3 * (double)device_member_cost(plan, choice),
                 transforms = 1e-3 * (double)device_member_work(plan);
    device_member_print(plan, text, sizeof text);
    printf(
        "2^%u bits, one of %u members: transform %.2f ms (modelled %.2f) join %.2f ms, copies "
        "here %.2f ms | %.1f GB, sent %.1f MB | modelled %.2f ms\n    %s\n",
        lg, plan->members, 1e3 * seconds[DEVICE_PHASE_TRANSFORM], transforms / 1e6,
        1e3 * seconds[DEVICE_PHASE_JOIN], 1e3 * seconds[DEVICE_PHASE_EXCHANGE], (double)held / 1e9,
        (double)sent / 1e6, modelled / 1e6, text);
    program_flush();
    if (b->run.out == NULL) {
        return;
    }
    FILE *const f = device_record_open(&b->run, "group-share", UINT64_C(1) << lg);
    fprintf(f,
            "\"members\":%u,\"devices\":1,\"samples\":%d,\"transform_ns\":%.0f,\"join_ns\":%.0f,"
            "\"modelled_transform_ns\":%.0f,\"modelled_ns\":%.0f,\"sent_bytes\":%" PRIu64
            ",\"held_bytes\":%" PRIu64
            ",\"plan\":\"%s\",\"checked\":false,\"commit\":\"%s\",\"dirty\":%s}\n",
            plan->members, SAMPLES, 1e9 * seconds[DEVICE_PHASE_TRANSFORM],
            1e9 * seconds[DEVICE_PHASE_JOIN], transforms, modelled, sent, held, text, b->run.commit,
            b->run.dirty ? "true" : "false");
    device_records_close(f);
}

static void bench_size(const bench *b, unsigned lg) {
    const uint64_t n = UINT64_C(1) << (lg - 6);
    bigint_device *device = NULL;
    bigint_ctx *ctx = NULL;
    if (bigint_device_open(&device, 0, "cuda") != BIGINT_OK ||
        bigint_ctx_create(&ctx, device, NULL) != BIGINT_OK) {
        fail(bigint_device_error(device));
    }
    bigint_device_close(device);
    const device_member_choice choice = {.members = b->members,
                                         .devices = b->members,
                                         .clusters = true,
                                         .room = UINT64_MAX,
                                         .memory = b->memory,
                                         .way = b->way.way,
                                         .prime_groups = b->way.prime_groups,
                                         .lg_inner = b->way.lg_inner,
                                         .pace = b->way.pace};
    device_member_plan plan;
    if (!device_member_plan_make(&plan, n, n, false, &choice) || plan.way == DEVICE_MEMBER_ALONE) {
        fail("members have no memory for that, or do not share it");
    }
    if (device_member_held_bytes(&plan) > ctx->device.about.memory_bytes) {
        printf("2^%u bits, one of %u members: more than this device has\n", lg, b->members);
    } else {
        double seconds[DEVICE_PHASES] = {1e9, 1e9, 1e9};
        share s;
        open_share(&s, ctx, &plan);
        for (int i = 0; i < (b->run.quick ? 1 : SAMPLES); i++) {
            multiply(&s, &plan, seconds);
        }
        report(b, lg, &plan, &choice, seconds);
        close_share(&s);
    }
    bigint_ctx_destroy(ctx);
}

// --- Command line --------------------------------------------------------------------------------

enum { KEY_MEMBERS = 0x2000, KEY_MEMORY };
static const struct argp_option options[] = {
    {"members", KEY_MEMBERS, "N", 0, "Members of the group, 2^i; 8", 0},
    {"memory", KEY_MEMORY, "GB", 0, "Of each device of the group; 141", 0},
    {0}};

static error_t parse(int key, char *value, struct argp_state *state) {
    bench *const b = state->input;
    switch (key) {
        case ARGP_KEY_INIT:
            state->child_inputs[0] = &b->way;
            return 0;
        case KEY_MEMBERS:
            b->members = (unsigned)device_run_number(state, "members", value, 2, 64);
            return 0;
        case KEY_MEMORY:
            b->memory = device_run_number(state, "memory", value, 1, 1000) * 1000000000;
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
        .doc = "Times one member's share of a product over a group of devices, on one device.",
        .children = of_way};
    bench b = {.run.range = {.sizes = "Operands of 2^N bits:",
                             .from = 36,
                             .to = 39,
                             .least = 27,
                             .most = 42,
                             .quick = 30},
               .members = 8,
               .memory = UINT64_C(141000000000)};
    device_run_start(&b.run, &own, &b, argc, argv);
    for (unsigned lg = b.run.range.from; lg <= b.run.range.to; lg++) {
        bench_size(&b, lg);
    }
    return 0;
}
