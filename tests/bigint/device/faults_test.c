// Bits that flip between the kernels of products on a device: in every kind of memory that these
// fill, whatever the call and the plan. The check of products sees each of them. What tells a
// kernel how far others are, look-back's words, is left out: wrong ones make it wait for ever.
#include <stdio.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "bigint/device/plan.h"
#include "bigint/device/prep.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

// Limbs of the factors, and of the factors of products under a memory cap.
enum { AN = 200, BN = 150, CAPPED_AN = 3000, CAPPED_BN = 2900 };

// memory: of a call on its way, where its plan puts it.
typedef struct {
    bigint_ctx *ctx;
    bigint a, b, r;
    device_prep prepared;
    uint64_t an, bn;
    device_plan plan;
    double *x, *y;      // planes of the product, and of the other operand
    uint64_t *scratch;  // what stands behind them
} memory;

// --- Calls ---------------------------------------------------------------------------------------

static bigint_status product(memory *m) { return bigint_mul(m->ctx, &m->r, &m->a, &m->b); }
static bigint_status square(memory *m) { return bigint_sqr(m->ctx, &m->r, &m->a); }
static bigint_status by_prepared(memory *m) {
    return device_mul_prep(m->ctx, "bigint_mul_prep", &m->r, &m->prepared, &m->b);
}
static bigint_status sum(memory *m) {
    const bigint *const a[] = {&m->a, &m->b}, *const b[] = {&m->b, &m->a};
    return bigint_mul_sum(m->ctx, &m->r, a, b, NULL, 2);
}

// --- Places --------------------------------------------------------------------------------------

static uint64_t *plane(const memory *m) { return (uint64_t *)m->x + 300; }
// Of digits of two words there are fewer coefficients.
static uint64_t *coefficient(const memory *m) { return (uint64_t *)m->x + 100; }
static uint64_t *last_plane(const memory *m) {
    return (uint64_t *)m->x + (m->plan.modular.primes - 1) * device_plane(&m->plan) + 5;
}
static uint64_t *other_plane(const memory *m) { return (uint64_t *)m->y + 7; }
static uint64_t *other_plane_of_the_last(const memory *m) {
    return (uint64_t *)m->y + (m->plan.modular.primes - 1) * device_plane(&m->plan) + 7;
}
static uint64_t *result_word(const memory *m) { return m->r.d_ + 117; }
static uint64_t *operand_word(const memory *m) { return m->b.d_ + 33; }
static uint64_t *piece(const memory *m) { return m->scratch + 3; }
static uint64_t *prepared_plane(const memory *m) { return (uint64_t *)m->prepared.planes + 40; }
static uint64_t *sum_plane(const memory *m) { return m->scratch + 9; }
static uint64_t *sum_word(const memory *m) {
    return m->scratch + m->plan.modular.primes * device_plane(&m->plan) + 11;
}

// --- Faults --------------------------------------------------------------------------------------

// tight: what a cap leaves no room for.
typedef enum { NOTHING, ALL_PRIMES, ONE_PIECE } tight;

// fault: a bit of *where flips behind that kernel of the call, as counted when tables are there.
typedef struct {
    const char *name;
    bigint_status (*call)(memory *);
    uint64_t kernel;
    uint64_t *(*where)(const memory *);
    unsigned bit;
    const char *engine;
    tight room;
    unsigned primes;    // 0: as many as the plan takes
    unsigned branches;  // likewise
} fault;

// A product: residues, columns, rows, inverse, recombination; columns to inverse for each group of
// primes, in turn for each prime; in a graph of three branches one that does nothing before them
// and each of them three times, stage by stage, of two behind the columns rows and inverse twice. A
// sum: columns, rows, residues of each term, inverse, recombination, sign, comparison, difference.
static const fault faults[] = {
    {"columns_of_the_other", product, 2, other_plane, 50, NULL, NOTHING, 0, 0},
    {"columns_of_the_last_prime", product, 2, last_plane, 49, NULL, NOTHING, 0, 0},
    {"rows_of_the_last_prime", product, 3, last_plane, 51, NULL, NOTHING, 0, 0},
    {"inverse_of_the_last_prime", product, 4, last_plane, 48, NULL, NOTHING, 0, 0},
    {"square", square, 2, plane, 50, NULL, NOTHING, 0, 0},
    {"prepared_planes", by_prepared, 2, prepared_plane, 50, NULL, NOTHING, 0, 0},
    {"prepared_product", by_prepared, 3, plane, 50, NULL, NOTHING, 0, 0},
    {"reals", product, 2, plane, 51, "real-fft", NOTHING, 0, 0},
    {"complex_numbers", product, 2, plane, 51, "complex-fft", NOTHING, 0, 0},
    {"floats", product, 2, plane, 30, "real-fft-f32", NOTHING, 0, 0},
    {"columns_of_the_second_primes", product, 5, last_plane, 50, NULL, NOTHING, 6, 0},
    {"inverse_of_the_first_primes", product, 4, coefficient, 50, NULL, NOTHING, 6, 0},
    {"columns_of_a_prime_in_turn", product, 5, other_plane, 50, NULL, ALL_PRIMES, 0, 0},
    {"plane_while_others_have_their_turn", product, 5, plane, 50, NULL, ALL_PRIMES, 0, 0},
    {"piece_of_a_cut_product", product, 9, piece, 63, NULL, ONE_PIECE, 0, 0},
    {"columns_of_a_branch", product, 5, other_plane_of_the_last, 50, NULL, NOTHING, 0, 3},
    {"rows_of_a_branch", product, 8, last_plane, 50, NULL, NOTHING, 0, 3},
    {"inverse_of_a_branch", product, 11, last_plane, 50, NULL, NOTHING, 0, 3},
    {"columns_before_two_branches", square, 2, last_plane, 50, NULL, NOTHING, 0, 2},
    {"rows_of_the_second_branch", square, 4, last_plane, 50, NULL, NOTHING, 0, 2},
    {"tiled", product, 2, result_word, 63, "tiled", NOTHING, 0, 0},
    {"operand_of_a_term", sum, 4, operand_word, 17, NULL, NOTHING, 0, 0},
    {"planes_of_a_sum", sum, 2, sum_plane, 50, NULL, NOTHING, 0, 0},
    {"planes_of_the_last_term", sum, 5, plane, 50, NULL, NOTHING, 0, 0},
    {"sum_of_two_signs", sum, 8, sum_word, 0, NULL, NOTHING, 0, 0},
    {"result_of_a_sum", sum, 11, result_word, 63, NULL, NOTHING, 0, 0},
};
static void label(char *buf, size_t cap, const fault *f) { snprintf(buf, cap, "%s", f->name); }

static void set(memory *m, const mpz_t za, const mpz_t zb) {
    fixture_set(m->ctx, &m->a, za);
    fixture_set(m->ctx, &m->b, zb);
}

// cap_of: one that leaves no room for that, and some for the product.
static uint64_t cap_of(tight room) {
    device_plan plan = {0};
    uint64_t cap = 1 << 21, held = 0;
    bool found = false;
    while (!found && held != UINT64_MAX) {
        bigint_ctx *ctx =
            fixture_ctx(&(bigint_ctx_options){.checks = 1, .max_workspace_bytes = cap});
        ctx->queue.cluster = 0;
        const bool made =
            device_plan_make(ctx, "test", &plan, CAPPED_AN, CAPPED_BN, false, false) == BIGINT_OK;
        found = made && (room == ONE_PIECE ? device_is_cut(&plan) : plan.in_turn);
        held = made ? device_held_bytes(ctx, &plan) : UINT64_MAX;
        bigint_ctx_destroy(ctx);
        cap -= found ? 0 : cap / 8;
    }
    EXPECT_TRUE(found);
    return cap;
}

// look fills in where things will be: the plan of the call, and what the arena gives next.
static void look(memory *m, const fault *f) {
    device_plan *const plan = &m->plan;
    if (f->call == sum) {
        *plan = (device_plan){.an = AN, .bn = BN, .a_piece = AN, .b_piece = BN};
        EXPECT_TRUE(
            fft_modular_plan_sum(&plan->modular, AN, BN, 2, m->ctx->queue.forced.primes, true));
    } else if (f->call == by_prepared) {
        EXPECT_TRUE(device_plan_whole(m->ctx, plan, m->bn, m->an, false, true));
    } else {
        EXPECT_EQ(device_plan_make(m->ctx, "test", plan, m->an, f->call == square ? m->an : m->bn,
                                   f->call == square, false),
                  BIGINT_OK);
    }
    const arena_mark mark = arena_mark_in(&m->ctx->queue.memory);
    uint64_t *const next = arena_take_in(m->ctx, &m->ctx->queue.memory, "test", 64);
    arena_release_in(m->ctx, &m->ctx->queue.memory, mark);
    m->x = (double *)(next + DEVICE_LINE);
    m->y = m->x + plan->modular.primes * device_plane(plan);
    m->scratch = (uint64_t *)(m->y + device_others(plan));
}

// Mutations: a sum whose terms or result are not checked, a term's residues that are taken from
// another one, checks that engines by name or prepared operands pass by.
TEST_EACH(DeviceFaults, AreSeen, fault, faults, label) {
    if (!device_ready() || !device_flips(0, NULL, 0)) {
        return;  // a real one makes no faults on demand
    }
    const bool capped = p->room != NOTHING;
    memory m = {.an = capped ? CAPPED_AN : AN,
                .bn = capped ? CAPPED_BN : BN,
                .ctx = fixture_ctx(
                    &(bigint_ctx_options){.checks = 1,
                                          .engine = p->engine,
                                          .max_workspace_bytes = capped ? cap_of(p->room) : 0})};
    m.ctx->queue.cluster = 0;  // several launches
    m.ctx->queue.forced.primes = p->primes;
    m.ctx->queue.forced.branches = p->branches;
    mpz_t za, zb, want, got;
    mpz_inits(za, zb, want, got, NULL);
    gen g = gen_seed(52);
    fixture_shape(&g, GEN_UNIFORM, za, m.an);
    fixture_shape(&g, GEN_UNIFORM, zb, m.bn);
    set(&m, za, zb);
    ASSERT_EQ(device_prep_make(m.ctx, "test", &m.prepared, &m.a, m.bn), BIGINT_OK);
    mpz_mul(want, za, p->call == square ? za : zb);
    mpz_mul_ui(want, want, p->call == sum ? 2 : 1);
    for (int round = 0; round < 2; round++) {
        ASSERT_EQ(p->call(&m), BIGINT_OK);
        ASSERT_BIGINT(m.ctx, &m.r, want);
    }
    look(&m, p);
    device_flips(p->kernel, p->where(&m), UINT64_C(1) << p->bit);
    EXPECT_EQ(p->call(&m), BIGINT_OK);
    EXPECT_EQ(bigint_sync(m.ctx), BIGINT_ECHECK);
    EXPECT_TRUE(device_fault_came());
    EXPECT_TEXT(m.ctx, "bigint_sync: the product of ");
    set(&m, za, zb);
    device_prep_free(m.ctx, &m.prepared);
    EXPECT_EQ(device_prep_make(m.ctx, "test", &m.prepared, &m.a, m.bn), BIGINT_OK);
    EXPECT_EQ(p->call(&m), BIGINT_OK);
    EXPECT_BIGINT(m.ctx, &m.r, want);
    device_prep_free(m.ctx, &m.prepared);
    bigint_clear(m.ctx, &m.a), bigint_clear(m.ctx, &m.b), bigint_clear(m.ctx, &m.r);
    mpz_clears(za, zb, want, got, NULL);
    bigint_ctx_destroy(m.ctx);
}
