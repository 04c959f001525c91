// device_product_test.c: one product over members that are devices, several on one device or each
// on its own, against GMP.
#include <gmp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/bigint.h"
#include "bigint/core/device_stream.h"
#include "bigint/group/device/product.h"
#include "bigint/group/exchange/block.h"
#include "bigint/group/exchange/local.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

enum { MOST = 8 };

// One product: operands and result on the host, as limbs.
typedef struct {
    device_member_plan plan;
    uint64_t *a, *b, *r;
    uint64_t seed;
    bool in_place;   // the result's block is the first operand's
    unsigned fails;  // this member fails before the agreement; MOST: none
    bool strays;     // member 0 has another plan, in turn
    unsigned call;   // this runtime call of member 1 fails, from there on; 0: none
    carrier_kind carrier;
} task;

typedef struct {
    pthread_t thread;
    member member;
    device_exchange exchange;
    const task *task;
    bigint_status status;
} seat;

// The member's block of a number of n limbs, on the device, of `room` limbs; release frees it.
static uint64_t *block_of(const seat *s, const uint64_t *limbs, uint64_t n, uint64_t room) {
    const block_range own = block_bounds(n, s->task->plan.members, s->member.exchange->member);
    const cuda_stream stream = s->member.ctx->queue.stream;
    void *p = NULL;
    EXPECT_EQ(cuda_allocate(&p, ((room > own.count ? room : own.count) + 1) * 8, stream),
              RESULT_OK);
    EXPECT_EQ(cuda_copy(p, limbs + own.first, own.count * 8, stream), RESULT_OK);
    EXPECT_EQ(cuda_stream_wait(stream), RESULT_OK);
    return p;
}

static void multiply(seat *s) {
    const task *const t = s->task;
    bigint_ctx *const ctx = s->member.ctx;
    const unsigned self = s->member.exchange->member;
    const uint64_t rn = t->plan.an + t->plan.bn;
    const block_range own = block_bounds(rn, t->plan.members, self);
    ASSERT_EQ(device_enter(ctx, "test"), BIGINT_OK);
    const device_carrier carrier = {.kind = t->carrier, .stage_bytes = 1};
    EXPECT_EQ(device_exchange_open(&s->exchange, s->member.exchange, ctx, "test"), BIGINT_OK);
    EXPECT_EQ(device_exchange_join(&s->exchange, ctx, "test", &carrier), BIGINT_OK);
    uint64_t *const ap = block_of(s, t->a, t->plan.an, own.count);
    uint64_t *const bp = t->plan.square ? NULL : block_of(s, t->b, t->plan.bn, 0);
    uint64_t *const rp = t->in_place ? ap : block_of(s, t->r, rn, 0);
    device_leave(ctx);
    device_member_plan plan = t->plan;
    plan.pace = t->strays && self == 0 ? DEVICE_PACE_IN_TURN : plan.pace;
    const device_member_job job = {.rp = rp,
                                   .a = {ap, t->plan.an, t->plan.an},
                                   .b = {bp, t->plan.bn, t->plan.bn},
                                   .plan = &plan,
                                   .so_far = t->fails == self ? BIGINT_ENOMEM : BIGINT_OK};
    if (t->fails == self) {
        strcpy(ctx->error, "no memory on purpose");
    }
    const bool faulty = t->call > 0 && self == 1 && device_faults(0, t->call);
    s->status = device_member_multiply(&s->member, &s->exchange, &job);
    if (faulty) {
        device_faults(0, 0);
    }
    // Not by device_enter, which refuses a context that has failed.
    const cuda_stream stream = ctx->queue.stream;
    int caller;
    ASSERT_EQ(cuda_enter(ctx->device.place, &caller), RESULT_OK);
    if (s->status == BIGINT_OK) {
        EXPECT_EQ(cuda_copy(t->r + own.first, rp, own.count * 8, stream), RESULT_OK);
    }
    EXPECT_EQ(cuda_stream_wait(stream), RESULT_OK);
    EXPECT_EQ(cuda_release(ap, stream), RESULT_OK);
    EXPECT_EQ(cuda_release(bp, stream), RESULT_OK);
    EXPECT_EQ(t->in_place ? RESULT_OK : cuda_release(rp, stream), RESULT_OK);
    cuda_leave(caller);
}

static void *run_seat(void *arg) {
    seat *const s = arg;
    const unsigned self = s->member.exchange->member;
    // Seed 1: streams of odd members run ahead, those of even ones work as late as they can.
    device_order(s->task->seed == 1 && self % 2 == 0 ? 0 : s->task->seed * (self + 1));
    multiply(s);
    device_order(0);
    return NULL;
}

static bigint_ctx *context_on(int place) {
    bigint_device *device;
    bigint_ctx *ctx = NULL;
    EXPECT_EQ(bigint_device_open(&device, place, NULL), BIGINT_OK);
    EXPECT_EQ(bigint_ctx_create(&ctx, device, NULL), BIGINT_OK);
    bigint_device_close(device);
    return ctx;
}

// All members, on devices 0 .. devices - 1 in turn, a thread each. Returns the status of all.
static bigint_status run(const task *t, unsigned devices) {
    const unsigned members = t->plan.members;
    void *const memory = aligned_alloc(64, (exchange_hub_bytes(members) + 63) / 64 * 64);
    exchange_hub *const hub = exchange_hub_open(memory, members, 600);
    seat seats[MOST] = {{0}};
    for (unsigned i = 0; i < members; i++) {
        seats[i] = (seat){.member = {exchange_hub_endpoint(hub, i), context_on((int)(i % devices))},
                          .task = t};
    }
    for (unsigned i = 0; i < members; i++) {
        EXPECT_EQ(pthread_create(&seats[i].thread, NULL, run_seat, &seats[i]), 0);
    }
    for (unsigned i = 0; i < members; i++) {
        EXPECT_EQ(pthread_join(seats[i].thread, NULL), 0);
    }
    for (unsigned i = 0; i < members; i++) {
        EXPECT_TRUE(seats[i].status == seats[0].status || t->call > 0);
        if (seats[i].status != BIGINT_OK && t->fails == MOST) {
            fprintf(stderr, "%s\n", bigint_ctx_error(seats[i].member.ctx));
        }
        if (t->fails < MOST) {
            EXPECT_TRUE(strstr(bigint_ctx_error(seats[i].member.ctx), "on purpose") != NULL);
        }
        device_exchange_close(&seats[i].exchange);
        bigint_ctx_destroy(seats[i].member.ctx);
    }
    exchange_hub_close(hub);
    free(memory);
    return seats[0].status;
}

typedef struct {
    unsigned primes, bits, pieces, lg_outer, lg_rows;
    uint64_t an, bn;  // limbs
    unsigned members, devices;
    gen_shape shape;
    bool square, in_place;
    device_member_way way;
    unsigned lg_inner;      // of an inner pass, which lg_rows counts, and second primes
    int pace;               // a device_member_pace
    unsigned prime_groups;  // of a grid; 0: the way's
} product_case;

// Rows of 2^8 columns, as tests have them; inner passes of every number of levels on a device.
// Lengths that members do not divide, operands in less than a row, in all rows; products in less
// rows than there are parts; empty blocks; carries through all blocks; digits of every width.
enum { BESIDE = DEVICE_PACE_BESIDE, THIRDS = DEVICE_PACE_THIRDS, IN_TURN = DEVICE_PACE_IN_TURN };
static const product_case cases[] = {
    {3, 64, 1, 1, 4, 4000, 3000, 1, 1, GEN_UNIFORM, false, false, DEVICE_MEMBER_COLUMNS, 0, BESIDE,
     0},
    {3, 64, 1, 1, 4, 4000, 4000, 2, 1, GEN_ONES, false, false, DEVICE_MEMBER_COLUMNS, 0, BESIDE, 0},
    {3, 64, 1, 1, 4, 4097, 4095, 2, 2, GEN_RUNS, false, true, DEVICE_MEMBER_COLUMNS, 0, BESIDE, 0},
    {3, 61, 3, 1, 4, 11000, 9001, 2, 2, GEN_ONES, false, false, DEVICE_MEMBER_COLUMNS, 0, BESIDE,
     0},
    {3, 64, 1, 2, 4, 8000, 8000, 4, 4, GEN_ONES, true, false, DEVICE_MEMBER_COLUMNS, 0, BESIDE, 0},
    {3, 64, 1, 2, 4, 16000, 300, 4, 1, GEN_POWER_MINUS, false, false, DEVICE_MEMBER_COLUMNS, 0,
     BESIDE, 0},
    {3, 64, 1, 2, 4, 5000, 9, 4, 2, GEN_UNIFORM, false, true, DEVICE_MEMBER_COLUMNS, 0, BESIDE, 0},
    {3, 64, 1, 3, 4, 16385, 16383, 8, 8, GEN_ONES, false, false, DEVICE_MEMBER_COLUMNS, 0, BESIDE,
     0},
    {3, 63, 2, 2, 4, 23, 17, 8, 4, GEN_UNIFORM, false, false, DEVICE_MEMBER_COLUMNS, 0, BESIDE, 0},
    {3, 64, 2, 2, 4, 15001, 15001, 8, 1, GEN_RUNS, true, true, DEVICE_MEMBER_COLUMNS, 0, BESIDE, 0},
    {3, 64, 1, 3, 4, 30000, 2, 8, 2, GEN_POWER_PLUS, false, false, DEVICE_MEMBER_COLUMNS, 0, BESIDE,
     0},
    {4, 90, 1, 1, 8, 9000, 700, 2, 2, GEN_ONES, false, false, DEVICE_MEMBER_COLUMNS, 0, BESIDE, 0},
    {6, 128, 1, 1, 8, 9000, 500, 2, 1, GEN_ONES, false, false, DEVICE_MEMBER_COLUMNS, 0, BESIDE, 0},
    {3, 64, 1, 2, 4, 8001, 7999, 3, 3, GEN_ONES, false, false, DEVICE_MEMBER_COLUMNS, 0, BESIDE, 0},
    {3, 63, 3, 1, 4, 9001, 9001, 5, 2, GEN_RUNS, true, true, DEVICE_MEMBER_COLUMNS, 0, IN_TURN, 0},
    {3, 64, 1, 3, 4, 16385, 16000, 7, 7, GEN_ONES, false, true, DEVICE_MEMBER_COLUMNS, 0, IN_TURN,
     0},
    {3, 64, 2, 2, 4, 31, 17, 6, 3, GEN_ONES, false, false, DEVICE_MEMBER_COLUMNS, 0, IN_TURN, 0},
    {6, 128, 1, 1, 5, 9000, 7000, 2, 2, GEN_ONES, false, false, DEVICE_MEMBER_COLUMNS, 1, BESIDE,
     0},
    {6, 128, 3, 1, 6, 40000, 30001, 3, 3, GEN_RUNS, false, true, DEVICE_MEMBER_COLUMNS, 2, IN_TURN,
     0},
    {6, 128, 2, 1, 5, 20001, 12000, 4, 1, GEN_ONES, false, false, DEVICE_MEMBER_COLUMNS, 1, IN_TURN,
     0},
    {6, 128, 1, 2, 5, 16000, 16000, 4, 2, GEN_ONES, true, true, DEVICE_MEMBER_COLUMNS, 1, IN_TURN,
     0},
    {6, 128, 1, 1, 9, 5000, 5000, 2, 1, GEN_ONES, true, false, DEVICE_MEMBER_COLUMNS, 5, BESIDE, 0},
    {6, 128, 1, 1, 7, 30000, 30000, 2, 1, GEN_ONES, false, false, DEVICE_MEMBER_COLUMNS, 3, BESIDE,
     0},
    {6, 128, 1, 1, 8, 60000, 60000, 2, 1, GEN_RUNS, false, false, DEVICE_MEMBER_COLUMNS, 4, IN_TURN,
     0},
    {6, 128, 1, 1, 10, 200000, 9999, 2, 1, GEN_RUNS, false, false, DEVICE_MEMBER_COLUMNS, 6,
     IN_TURN, 0},
    {6, 128, 5, 1, 11, 999999, 999999, 3, 1, GEN_ONES, false, true, DEVICE_MEMBER_COLUMNS, 7,
     IN_TURN, 0},
    {3, 64, 1, 1, 4, 4097, 4095, 2, 2, GEN_RUNS, false, true, DEVICE_MEMBER_COLUMNS, 0, THIRDS, 0},
    {3, 64, 1, 2, 4, 8001, 8001, 4, 4, GEN_ONES, true, false, DEVICE_MEMBER_COLUMNS, 0, THIRDS, 0},
    {3, 64, 1, 2, 4, 5001, 9, 4, 2, GEN_UNIFORM, false, true, DEVICE_MEMBER_COLUMNS, 0, THIRDS, 0},
    {3, 64, 1, 2, 4, 8004, 7999, 3, 3, GEN_ONES, false, false, DEVICE_MEMBER_COLUMNS, 0, THIRDS, 0},
    {3, 63, 3, 1, 4, 9001, 9001, 5, 2, GEN_RUNS, true, true, DEVICE_MEMBER_COLUMNS, 0, THIRDS, 0},
    {3, 64, 1, 3, 4, 16385, 16000, 7, 7, GEN_ONES, false, true, DEVICE_MEMBER_COLUMNS, 0, THIRDS,
     0},
    {4, 90, 1, 1, 8, 9000, 700, 2, 2, GEN_ONES, false, false, DEVICE_MEMBER_COLUMNS, 0, THIRDS, 0},
    {6, 128, 1, 1, 5, 9000, 7000, 2, 2, GEN_ONES, false, false, DEVICE_MEMBER_COLUMNS, 1, THIRDS,
     0},
    {6, 128, 3, 1, 6, 40000, 30001, 3, 3, GEN_RUNS, false, true, DEVICE_MEMBER_COLUMNS, 2, THIRDS,
     0},
    {6, 128, 2, 2, 7, 90001, 82000, 8, 1, GEN_ONES, false, true, DEVICE_MEMBER_COLUMNS, 3, THIRDS,
     0},
    {3, 64, 1, 0, 4, 2000, 1500, 2, 2, GEN_UNIFORM, false, false, DEVICE_MEMBER_PRIMES, 0, BESIDE,
     0},
    {3, 64, 1, 0, 4, 2049, 2047, 2, 1, GEN_ONES, false, true, DEVICE_MEMBER_PRIMES, 0, BESIDE, 0},
    {3, 64, 1, 1, 4, 4000, 4000, 2, 2, GEN_ONES, true, false, DEVICE_MEMBER_PRIMES, 0, BESIDE, 0},
    {3, 61, 3, 0, 4, 5000, 4001, 3, 3, GEN_RUNS, false, false, DEVICE_MEMBER_PRIMES, 0, BESIDE, 0},
    {3, 64, 1, 0, 4, 23, 17, 3, 2, GEN_ONES, false, false, DEVICE_MEMBER_PRIMES, 0, BESIDE, 0},
    {3, 64, 1, 0, 4, 4000, 1, 3, 3, GEN_POWER_MINUS, false, true, DEVICE_MEMBER_PRIMES, 0, BESIDE,
     0},
    {4, 90, 1, 0, 8, 9000, 700, 4, 4, GEN_ONES, false, false, DEVICE_MEMBER_PRIMES, 0, BESIDE, 0},
    {5, 120, 1, 0, 8, 4000, 4000, 2, 2, GEN_POWER_MINUS, false, false, DEVICE_MEMBER_PRIMES, 0,
     BESIDE, 0},
    {6, 128, 1, 0, 8, 9000, 500, 5, 3, GEN_RUNS, false, true, DEVICE_MEMBER_PRIMES, 0, BESIDE, 0},
    {6, 128, 1, 0, 8, 4001, 4001, 6, 6, GEN_POWER_PLUS, true, false, DEVICE_MEMBER_PRIMES, 0,
     BESIDE, 0},
    {3, 64, 1, 2, 4, 8000, 7001, 4, 4, GEN_ONES, false, false, DEVICE_MEMBER_GRID, 0, BESIDE, 2},
    {3, 64, 2, 1, 4, 8193, 8191, 4, 2, GEN_RUNS, false, true, DEVICE_MEMBER_GRID, 0, BESIDE, 2},
    {6, 128, 1, 1, 8, 9000, 9000, 4, 1, GEN_ONES, true, false, DEVICE_MEMBER_GRID, 0, BESIDE, 2},
    {3, 61, 3, 1, 4, 11000, 9001, 6, 3, GEN_ONES, false, false, DEVICE_MEMBER_GRID, 0, BESIDE, 3},
    {3, 64, 1, 3, 4, 16384, 16384, 6, 6, GEN_ONES, true, true, DEVICE_MEMBER_GRID, 0, BESIDE, 2},
    {3, 64, 1, 3, 4, 16384, 16000, 8, 8, GEN_RUNS, false, false, DEVICE_MEMBER_GRID, 0, BESIDE, 2},
    {4, 90, 1, 1, 8, 20000, 9001, 8, 4, GEN_ONES, false, true, DEVICE_MEMBER_GRID, 0, BESIDE, 4},
    {6, 128, 1, 1, 8, 300, 17, 8, 8, GEN_POWER_MINUS, false, false, DEVICE_MEMBER_GRID, 0, BESIDE,
     4},
    {3, 64, 1, 3, 4, 31, 17, 6, 3, GEN_ONES, false, false, DEVICE_MEMBER_GRID, 0, BESIDE, 3},
    {6, 128, 1, 2, 5, 16000, 16000, 4, 2, GEN_ONES, false, true, DEVICE_MEMBER_GRID, 1, BESIDE, 2},
    {6, 128, 3, 1, 6, 40000, 30001, 6, 3, GEN_RUNS, false, false, DEVICE_MEMBER_GRID, 2, BESIDE, 2},
    {0, 0, 0, 0, 0, 4001, 3999, 3, 2, GEN_ONES, false, true, DEVICE_MEMBER_ALONE, 0, BESIDE, 0},
    {0, 0, 0, 0, 0, 700, 700, 4, 1, GEN_UNIFORM, true, false, DEVICE_MEMBER_ALONE, 0, BESIDE, 0},
};

static void label(char *buf, size_t cap, const product_case *c) {
    snprintf(buf, cap, "way%d_%u_pace%d_%ux%u_%ux2p%u_%zux%zu_%u_on_%u", (int)c->way,
             c->prime_groups, c->pace, c->primes, c->bits, c->pieces, c->lg_outer, (size_t)c->an,
             (size_t)c->bn, c->members, c->devices);
}

static void plan_of(device_member_plan *plan, const product_case *c) {
    const fft_modular_plan shape = {.primes = c->primes,
                                    .digit_bits = c->bits,
                                    .pieces = c->pieces,
                                    .lg_outer = c->lg_outer,
                                    .lg_rows = c->lg_rows,
                                    .lg_columns = FFT_MODULAR_LG_SHORT};
    const device_member_choice choice = {.members = c->members,
                                         .devices = c->devices,
                                         .room = UINT64_MAX,
                                         .memory = UINT64_MAX,
                                         .way = c->way,
                                         .prime_groups = c->prime_groups,
                                         .shape = &shape,
                                         .lg_inner = c->lg_inner,
                                         .pace = (device_member_pace)c->pace};
    ASSERT_TRUE(device_member_plan_make(plan, c->an, c->bn, c->square, &choice));
}

// r of the task is a b, or a a.
static void expect_product(const task *t) {
    mpz_t a, b, r;
    mpz_inits(a, b, r, NULL);
    const size_t an = (size_t)t->plan.an, bn = (size_t)t->plan.bn;
    mpz_import(a, an, -1, 8, 0, 0, t->a);
    mpz_import(b, bn, -1, 8, 0, 0, t->plan.square ? t->a : t->b);
    mpz_mul(r, a, b);
    uint64_t *const want = calloc(an + bn, 8);
    mpz_export(want, NULL, -1, 8, 0, 0, r);
    size_t wrong = 0;
    while (wrong < an + bn && want[wrong] == t->r[wrong]) {
        wrong++;
    }
    EXPECT_EQ(wrong, an + bn);  // the first that differs
    free(want);
    mpz_clears(a, b, r, NULL);
}

static task task_of(const product_case *c) {
    task t = {.in_place = c->in_place, .seed = c->an % 3, .fails = MOST};
    gen g = gen_seed(c->an + c->bn);
    plan_of(&t.plan, c);
    t.a = malloc(c->an * 8);
    t.b = malloc(c->bn * 8);
    t.r = calloc(c->an + c->bn, 8);
    gen_limbs(&g, c->shape, t.a, (size_t)c->an);
    gen_limbs(&g, c->shape, t.b, (size_t)c->bn);
    return t;
}

static void release(task *t) {
    free(t->a);
    free(t->b);
    free(t->r);
}

// Mutations: the limbs beyond a row or a strip dropped, or put at the wrong place; the carry
// between blocks dropped; another member's strip; tables of other parts; a copy that does not
// follow the event of the member that sends, or a buffer that is written again while others fetch
// or while it is received; an exchange that ends too early; primes of one member left out; rows of
// one prime group joined by another, or by two; a device that does not reach another's memory.
TEST_EACH(DeviceProduct, EqualsGmp, product_case, cases, label) {
    if (!device_ready() || !device_several((int)p->devices)) {
        SKIP("no second device");
    }
    if (device_emulated() && (p->lg_inner > 5 || p->an > 40000)) {
        SKIP("long under emulation");
    }
    task t = task_of(p);
    EXPECT_EQ(run(&t, p->devices), BIGINT_OK);
    expect_product(&t);
    release(&t);
    EXPECT_TRUE(device_several(1));
}

// By way of the host, in pieces of a page, where no device reaches another one. Mutations: a piece
// that begins at the wrong byte, or in a row; a slot that is packed again before its piece has
// travelled, or written before it was unpacked; pieces counted by the own bytes alone.
TEST_EACH(DeviceProduct, StagedEqualsGmp, product_case, cases, label) {
    if (!device_ready() || !device_several((int)p->devices)) {
        SKIP("no second device");
    }
    task t = task_of(p);
    t.carrier = CARRIER_STAGED;
    EXPECT_EQ(run(&t, p->devices), BIGINT_OK);
    expect_product(&t);
    release(&t);
    EXPECT_TRUE(device_several(1));
}

// Catches a member that goes on although another has no memory or another plan, and an endpoint
// that is lost then.
TEST(DeviceProduct, MembersFailTogether) {
    if (!device_ready() || !device_several(1)) {
        SKIP("no device");
    }
    task t = task_of(&cases[1]);
    t.fails = 1;
    EXPECT_EQ(run(&t, 1), BIGINT_ENOMEM);
    t.fails = MOST + 1;
    t.strays = true;
    EXPECT_EQ(run(&t, 1), BIGINT_EINVAL);
    release(&t);
}

static void fail_calls(const product_case *c, carrier_kind carrier) {
    task t = task_of(c);
    t.carrier = carrier;
    for (unsigned call = 5; call < 260; call += 17) {
        SCOPED_TRACE("call %u", call);
        t.fails = MOST + 1;
        t.call = call;
        const bigint_status status = run(&t, c->devices);
        EXPECT_TRUE(status == BIGINT_OK || status == BIGINT_EPEER || status == BIGINT_EDEVICE);
    }
    t.fails = MOST;
    t.call = 0;
    EXPECT_EQ(run(&t, c->devices), BIGINT_OK);
    expect_product(&t);
    release(&t);
}

// A runtime call of member 1 that fails, early or late: nobody hangs, nothing is lost, and a new
// group works. Catches a member that waits for one that gave up, and memory that is freed while
// others still fetch from it.
TEST(DeviceProduct, RuntimeCallsFail) {
    if (!device_emulated() || !device_several(2)) {
        return;  // the emulation injects faults
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bool grid = cases[i].way == DEVICE_MEMBER_GRID && cases[i].bits == 64;
        if (cases[i].in_place && (cases[i].members == 2 || (grid && cases[i].members == 4))) {
            fail_calls(&cases[i], i % 2 == 0 ? CARRIER_PEER : CARRIER_STAGED);
        }
    }
    EXPECT_TRUE(device_several(1));
}
