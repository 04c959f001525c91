// Checks of products on a device: faults between the kernels of a product, who tells of them, and
// that nothing is forgotten. Right products pass in product_test.c.
#include <stdio.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/check.h"
#include "bigint/device/plan.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

enum { AN = 200, BN = 150 };

static bigint_ctx *checked(void) { return fixture_ctx(&(bigint_ctx_options){.checks = 1}); }

static uint64_t mismatches(const bigint_ctx *ctx) {
    bigint_counters counters;
    bigint_ctx_counters(ctx, &counters);
    return counters.mismatches;
}

// --- Faults --------------------------------------------------------------------------------------

// The kernels of a product whose tables are there, in their order, of several launches or one.
enum { FACTORS = 1, COLUMNS, ROWS, INVERSE, RECOMBINE, CLUSTER = 2 };

// What becomes wrong, and when.
typedef enum { RESULT, PLANE, OPERAND } target;
typedef struct {
    const char *name;
    uint64_t kernel;
    target what;
    uint64_t at, bits;
    bool one_launch;
} fault;
static const fault faults[] = {
    {"lowest_bit_of_the_result", RECOMBINE, RESULT, 0, 1, false},
    {"highest_limb_of_the_result", RECOMBINE, RESULT, AN + BN - 1, 1, false},
    {"carry_of_the_result", RECOMBINE, RESULT, 117, UINT64_C(1) << 40, false},
    {"columns", COLUMNS, PLANE, 7, UINT64_C(1) << 51, false},
    {"rows", ROWS, PLANE, 300, UINT64_C(1) << 50, false},
    {"coefficients", INVERSE, PLANE, 100, UINT64_C(1) << 49, false},
    {"operand_after_its_residue", FACTORS, OPERAND, 33, 1, false},
    {"result_of_one_launch", CLUSTER, RESULT, 40, 2, true},
    {"operand_of_one_launch", FACTORS, OPERAND, 33, 1, true},
};
static void label(char *buf, size_t cap, const fault *f) { snprintf(buf, cap, "%s", f->name); }

// draw: z = n random limbs, of which no residue is 0, the highest bit set.
static void draw(gen *g, mpz_t z, size_t n) {
    gen_limbs(g, GEN_UNIFORM, mpz_limbs_write(z, (mp_size_t)n), n);
    mpz_limbs_finish(z, (mp_size_t)n);
    mpz_setbit(z, 64 * n - 1);
}

// Mutations: a check of the result's residue with itself, one whose verdict is dropped, one that
// sees a part of the limbs alone; a mismatch told twice, or by calls that come later too; sizes of
// another product; checks that count when they are judged.
TEST_EACH(DeviceCheck, FaultsAreSeen, fault, faults, label) {
    if (!device_ready() || !device_flips(0, NULL, 0)) {
        return;  // a real one makes no faults on demand
    }
    bigint_ctx *ctx = checked();
    ctx->queue.cluster = p->one_launch ? ctx->queue.cluster : 0;
    bigint x = BIGINT_INIT, y = BIGINT_INIT, r = BIGINT_INIT;
    mpz_t zx, zy, want;
    mpz_inits(zx, zy, want, NULL);
    gen g = gen_seed(51);
    draw(&g, zx, AN);
    draw(&g, zy, BN);
    mpz_mul(want, zx, zy);
    fixture_set(ctx, &x, zx);
    fixture_set(ctx, &y, zy);
    ASSERT_EQ(bigint_mul(ctx, &r, &x, &y), BIGINT_OK);
    ASSERT_BIGINT(ctx, &r, want);
    // Where the next product's first plane will be.
    const arena_mark mark = arena_mark_in(&ctx->queue.memory);
    uint64_t *plane = arena_take_in(ctx, &ctx->queue.memory, "test", 64);
    arena_release_in(ctx, &ctx->queue.memory, mark);
    uint64_t *const base = p->what == RESULT ? r.d_ : p->what == PLANE ? plane + DEVICE_LINE : x.d_;
    device_flips(p->kernel, base + p->at, p->bits);
    EXPECT_EQ(bigint_mul(ctx, &r, &x, &y), BIGINT_OK);
    EXPECT_FALSE(device_fault_came());  // enqueued alone
    bigint_counters counters;
    bigint_ctx_counters(ctx, &counters);
    EXPECT_TRUE(counters.checks == 2 && counters.mismatches == 0);
    EXPECT_EQ(bigint_sync(ctx), BIGINT_ECHECK);
    EXPECT_TRUE(device_fault_came());
    EXPECT_TEXT(ctx, "bigint_sync: the product of 200 by 150 words is wrong modulo ");
    EXPECT_EQ(mismatches(ctx), 1u);
    EXPECT_EQ(bigint_sync(ctx), BIGINT_OK);
    // The context goes on, and so does the result.
    fixture_set(ctx, &x, zx);
    EXPECT_EQ(bigint_mul(ctx, &r, &x, &y), BIGINT_OK);
    EXPECT_BIGINT(ctx, &r, want);
    EXPECT_EQ(mismatches(ctx), 1u);
    bigint_clear(ctx, &x), bigint_clear(ctx, &y), bigint_clear(ctx, &r);
    mpz_clears(zx, zy, want, NULL);
    bigint_ctx_destroy(ctx);
}

// --- Who tells -----------------------------------------------------------------------------------

typedef struct {
    bigint_ctx *ctx;
    bigint x, r;
} state;
typedef struct {
    const char *name;
    bigint_status (*call)(state *);
} waiting;

static bigint_status call_sync(state *s) { return bigint_sync(s->ctx); }
static bigint_status call_bits(state *s) {
    uint64_t bits;
    return bigint_bits(s->ctx, &bits, &s->x);
}
static bigint_status call_sign(state *s) {
    int sign;
    return bigint_sign(s->ctx, &sign, &s->x);
}
static bigint_status call_cmp(state *s) {
    int order;
    return bigint_cmp(s->ctx, &order, &s->x, &s->r);
}
static bigint_status call_cmp_abs(state *s) {
    int order;
    return bigint_cmp_abs(s->ctx, &order, &s->x, &s->r);
}
static bigint_status call_limbs(state *s) {
    uint64_t p[8];
    return bigint_get_limbs(s->ctx, p, 8, NULL, NULL, &s->x);
}
static bigint_status call_bytes(state *s) {
    uint8_t p[64];
    return bigint_get_bytes(s->ctx, p, sizeof p, NULL, BIGINT_LITTLE_ENDIAN, &s->x);
}
static bigint_status call_hex(state *s) {
    char text[64];
    return bigint_get_hex(s->ctx, text, sizeof text, NULL, &s->x);
}
static bigint_status call_decimal(state *s) {
    char text[64];
    return bigint_get_decimal(s->ctx, text, sizeof text, NULL, &s->x);
}
static bigint_status call_move(state *s) { return bigint_move(s->ctx, &s->r, BIGINT_HOST); }
// Gives the memory back in which mismatches are kept.
static bigint_status call_trim(state *s) {
    bigint_ctx_trim(s->ctx);
    return bigint_sync(s->ctx);
}

static const waiting calls[] = {
    {"sync", call_sync},       {"bits", call_bits},          {"sign", call_sign},
    {"cmp", call_cmp},         {"cmp_abs", call_cmp_abs},    {"get_limbs", call_limbs},
    {"get_bytes", call_bytes}, {"get_hex", call_hex},        {"get_decimal", call_decimal},
    {"move", call_move},       {"trim_and_sync", call_trim},
};
static void call_label(char *buf, size_t cap, const waiting *w) {
    snprintf(buf, cap, "%s", w->name);
}

// judge_wrongly enqueues the check of x x = r where that is wrong: `times` times.
static void judge_wrongly(state *s, int times) {
    ASSERT_EQ(device_enter(s->ctx, "test"), BIGINT_OK);
    EXPECT_EQ(device_check_need(s->ctx, "test"), BIGINT_OK);
    for (int i = 0; i < times; i++) {
        EXPECT_EQ(device_check_factors(s->ctx, s->x.d_, s->x.n_, s->x.d_, s->x.n_), RESULT_OK);
        EXPECT_EQ(device_check_product(s->ctx, s->r.d_, s->r.n_, s->x.n_, s->x.n_ + (uint64_t)i),
                  RESULT_OK);
    }
    device_leave(s->ctx);
}

// What trim has collected is told before what comes later. Mutation: the later sizes.
TEST(DeviceCheck, TheFirstIsTold) {
    if (!device_ready()) {
        SKIP("no device");
    }
    state s = {.ctx = checked()};
    EXPECT_EQ(bigint_set_u64(s.ctx, &s.x, 3), BIGINT_OK);
    EXPECT_EQ(bigint_set_u64(s.ctx, &s.r, 10), BIGINT_OK);
    judge_wrongly(&s, 1);
    bigint_ctx_trim(s.ctx);
    EXPECT_EQ(mismatches(s.ctx), 1u);
    EXPECT_EQ(bigint_mul_2exp(s.ctx, &s.x, &s.x, 64), BIGINT_OK);
    judge_wrongly(&s, 1);
    EXPECT_EQ(bigint_sync(s.ctx), BIGINT_ECHECK);
    EXPECT_TEXT(s.ctx, "the product of 1 by 1 words is wrong modulo ");
    EXPECT_EQ(mismatches(s.ctx), 2u);
    EXPECT_EQ(bigint_sync(s.ctx), BIGINT_OK);
    bigint_clear(s.ctx, &s.x), bigint_clear(s.ctx, &s.r);
    bigint_ctx_destroy(s.ctx);
}

// Mutation: the memory of checks is not counted.
TEST(DeviceCheck, WorkspaceIsCounted) {
    if (!device_ready()) {
        SKIP("no device");
    }
    bigint_ctx *with = checked(), *without = fixture_ctx(NULL);
    uint64_t more = 0, less = 0;
    EXPECT_EQ(bigint_workspace_bytes(with, &more, 10, 10), BIGINT_OK);
    EXPECT_EQ(bigint_workspace_bytes(without, &less, 10, 10), BIGINT_OK);
    EXPECT_TRUE(more > less);
    bigint_ctx_destroy(with), bigint_ctx_destroy(without);
}

// Mutations: a call that waits and does not look, one that forgets what trim has collected, a
// verdict told twice, the sizes of the last one.
TEST_EACH(DeviceCheck, WhoeverWaitsTells, waiting, calls, call_label) {
    if (!device_ready()) {
        SKIP("no device");
    }
    state s = {.ctx = checked()};
    EXPECT_EQ(bigint_set_u64(s.ctx, &s.x, 3), BIGINT_OK);
    EXPECT_EQ(bigint_set_u64(s.ctx, &s.r, 10), BIGINT_OK);
    judge_wrongly(&s, 3);
    EXPECT_EQ(mismatches(s.ctx), 0u);
    EXPECT_EQ(p->call(&s), BIGINT_ECHECK);
    EXPECT_TEXT(s.ctx, "the product of 1 by 1 words is wrong modulo ");
    EXPECT_EQ(mismatches(s.ctx), 3u);
    EXPECT_EQ(p->call(&s), BIGINT_OK);
    EXPECT_EQ(mismatches(s.ctx), 3u);
    if (s.r.place_ == BIGINT_HOST + 1) {
        EXPECT_EQ(bigint_move(s.ctx, &s.r, 0), BIGINT_OK);
    }
    bigint_clear(s.ctx, &s.x), bigint_clear(s.ctx, &s.r);
    bigint_ctx_destroy(s.ctx);
}
