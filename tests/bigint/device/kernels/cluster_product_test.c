// cluster_product_test.c: short products in one launch, on a device or under the kernel emulation,
// against GMP: every shape there is, lengths around each power of two, worst cases of carries,
// results over their factors.

#include <gmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/device/kernels/cluster/product.h"
#include "bigint/device/kernels/product_rows.h"
#include "bigint/device/kernels/recombine_device.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

enum { LINE = 16 };  // words in front of a number: the last one is its sign

// shaped: a shape with its tables, for products of up to `points` limbs.
typedef struct {
    fft_modular_plan plan;
    fft_modular_tables tables;
    void *memory;
    uint64_t points;
} shaped;

// forced: a plan of that shape, the last three of its numbers logarithms.
static bool forced(fft_modular_plan *plan, uint64_t an, uint64_t bn, unsigned pieces,
                   unsigned outer, unsigned rows, unsigned columns) {
    fft_modular_plan high;
    if (!fft_modular_plan_digits(plan, an, bn, 3, 64)) {
        return false;
    }
    plan->pieces = pieces;
    plan->lg_outer = outer;
    plan->lg_rows = rows;
    plan->lg_columns = columns;
    return fft_modular_plan_shape(plan, &high);
}

static shaped make(unsigned pieces, unsigned lg) {
    shaped s = {.points = (uint64_t)pieces << lg};
    EXPECT_TRUE(forced(&s.plan, s.points / 2, s.points / 2, pieces, 0, lg, 0));
    s.memory = device_alloc(fft_modular_table_bytes(&s.plan));
    EXPECT_EQ(fft_modular_tables_make(&s.tables, &s.plan, s.memory, NULL), RESULT_OK);
    return s;
}

typedef enum { APART, OVER_A, OVER_B } place;

// check: {p, an} {q, bn}, or the square of p, is what GMP says, as is its sign; `less` limbs of the
// result, which are zero, are not asked for.
static void check(const shaped *s, const uint64_t *p, uint64_t an, const uint64_t *q, uint64_t bn,
                  place where, bool square, uint64_t less) {
    SCOPED_TRACE("%u pieces of 2^%u: %llu x %llu limbs, place %d, square %d", s->plan.pieces,
                 s->plan.lg_rows, (unsigned long long)an, (unsigned long long)bn, where, square);
    const uint64_t n = square ? 2 * an : an + bn, room = (LINE + n) * sizeof(uint64_t);
    uint64_t *got = calloc(1, room), *want = calloc(n + 1, sizeof *want);
    if (an >= bn || square) {
        mpn_mul(want, p, (mp_size_t)an, square ? p : q, (mp_size_t)(square ? an : bn));
    } else {
        mpn_mul(want, q, (mp_size_t)bn, p, (mp_size_t)an);
    }
    uint64_t *a = device_alloc(room), *b = device_alloc(room), *r = device_alloc(room);
    uint64_t *const to = where == APART ? r : where == OVER_A ? a : b;
    const uint64_t minus = 1;
    memset(got, 0xA5, room);
    EXPECT_TRUE(device_upload(r, got, room) && device_upload(a + LINE, p, 8 * an) &&
                device_upload(b + LINE, square ? p : q, 8 * (n - an)) &&
                device_upload(a + LINE - 1, &minus, 8) && device_fill(b, 0, 8 * LINE));
    const recombine_signs signs = {to + LINE - 1, a + LINE - 1, (square ? a : b) + LINE - 1};
    const product_rows one = product_rows_of((product_item){
        to + LINE, a + LINE, (square ? a : b) + LINE, n - less, an, square ? an : bn});
    EXPECT_EQ(cluster_product(&one, &signs, square, &s->plan, &s->tables, NULL), RESULT_OK);
    EXPECT_TRUE(device_download(got, to, room));
    EXPECT_LIMBS_EQ(got + LINE, want, n - less);
    EXPECT_EQ(got[LINE - 1], square ? 0u : 1u);
    EXPECT_TRUE(less == 0 || where != APART || got[LINE + n - 1] == UINT64_C(0xA5A5A5A5A5A5A5A5));
    device_free(a), device_free(b), device_free(r);
    free(got), free(want);
}

static bool ready(void) { return device_ready() && cluster_product_blocks() > 0; }

// each_shape calls run with every shape that the present device has, and two operands' memory.
static void each_shape(void (*run)(const shaped *s, gen *g, uint64_t *p, uint64_t *q)) {
    for (unsigned lg = FFT_MODULAR_LG_WHOLE_LEAST; lg <= FFT_MODULAR_LG_WHOLE_MOST; lg++) {
        const unsigned most = lg == FFT_MODULAR_LG_WHOLE_LEAST ? 6 : 12;
        for (unsigned pieces = 1; 3 * pieces <= most && 3 * pieces <= cluster_product_blocks();
             pieces *= 2) {
            shaped s = make(pieces, lg);
            gen g = gen_seed(lg * 8 + pieces);
            uint64_t *p = malloc(8 * s.points), *q = malloc(8 * s.points);
            device_order(lg + pieces);
            run(&s, &g, p, q);
            device_order(0);
            device_free(s.memory);
            free(p), free(q);
        }
    }
}

static void lengths(const shaped *s, gen *g, uint64_t *p, uint64_t *q) {
    const uint64_t all = s->points, piece = s->points / s->plan.pieces;
    const uint64_t each[][2] = {{1, 1},
                                {1, all - 1},
                                {all - 1, 1},
                                {all / 2, all - all / 2},
                                {piece / 2, piece / 2},
                                {piece / 2 + 1, all > piece ? piece / 2 : piece / 2 - 1},
                                {piece - 1, piece > all / 2 ? 1 : piece},
                                {1 + gen_below(g, all / 2), 1 + gen_below(g, all / 2)},
                                {1 + gen_below(g, 123), 1 + gen_below(g, 123)},
                                {2 * all / 3, all / 3}};
    for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
        const gen_shape shape = i % 2 == 0 ? GEN_UNIFORM : GEN_RUNS;
        gen_limbs(g, shape, p, each[i][0]);
        gen_limbs(g, shape, q, each[i][1]);
        check(s, p, each[i][0], q, each[i][1], (place)(i % 3), false, 0);
        if (2 * each[i][0] <= all) {
            check(s, p, each[i][0], q, each[i][0], (place)(i % 2), true, 0);
        }
    }
}

// Mutations: a word read beyond an operand, or a block of words left out; the twist of the last
// register, or point 0 scaled as the others are; a sign in ModularJoin; warps for one limb less; a
// square that reads the other operand.
TEST(ClusterProduct, EveryLength) {
    if (!ready()) {
        SKIP("no device with clusters");
    }
    each_shape(lengths);
}

static void carries(const shaped *s, gen *g, uint64_t *p, uint64_t *q) {
    static const gen_shape first[] = {GEN_ONES, GEN_ONES, GEN_POWER_MINUS, GEN_POWER, GEN_ZERO};
    static const gen_shape second[] = {GEN_ONES, GEN_POWER_PLUS, GEN_POWER_PLUS, GEN_RUNS,
                                       GEN_ONES};
    const uint64_t n = s->points / 2;
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
        gen_limbs(g, first[i], p, n);
        gen_limbs(g, second[i], q, n);
        check(s, p, n, q, n, OVER_B, false, 0);
        check(s, p, n, q, n, OVER_A, true, 0);
    }
    // (2^(64 k) - 1) (2^(64 n) + 1): ones, zeros, and ones.
    gen_limbs(g, GEN_ONES, p, n / 3);
    memset(q, 0, 8 * n);
    q[0] = q[n - 1] = 1;
    check(s, p, n / 3, q, n, APART, false, 0);
}

// Mutations: a carry that is not added, or lost between lanes, warps or blocks, where zeros (which
// are biased) or ones carry it through all of the number; coefficients beyond 64 bits cut.
TEST(ClusterProduct, CarriesThroughAllBlocks) {
    if (!ready()) {
        SKIP("no device with clusters");
    }
    each_shape(carries);
}

static void top(const shaped *s, gen *g, uint64_t *p, uint64_t *q) {
    const uint64_t n = 1 + gen_below(g, s->points / 2);
    memset(p, 0, 8 * n);
    gen_limbs(g, GEN_UNIFORM, p, (n + 1) / 2);
    gen_limbs(g, GEN_UNIFORM, q, n);
    check(s, p, n, q, n, APART, false, gen_below(g, n / 2 + 1));
}

// Limbs that are not asked for are not written. Mutation: all are.
TEST(ClusterProduct, LeavesWhatIsAbove) {
    if (!ready()) {
        SKIP("no device with clusters");
    }
    each_shape(top);
}

// Mutations: a plan of several launches, or one that is too short, is run.
TEST(ClusterProduct, Refuses) {
    if (!ready()) {
        SKIP("no device with clusters");
    }
    shaped s = make(1, 9);
    fft_modular_plan other, high;
    const product_rows right = product_rows_of((product_item){NULL, NULL, NULL, 512, 256, 256});
    product_rows longer = right, nothing = right, many = right;
    longer.first.bn = 257;
    nothing.first.rn = 0;
    many.count = UINT64_C(1) << 30;
    ASSERT_TRUE(fft_modular_plan_limbs(&other, &high, 256, 256, 0, true));
    EXPECT_EQ(cluster_product(&right, NULL, true, &other, &s.tables, NULL), RESULT_REFUSED);
    const product_rows *const wrong[] = {&longer, &nothing, &many};
    for (int i = 0; i < 3; i++) {
        EXPECT_EQ(cluster_product(wrong[i], NULL, true, &s.plan, &s.tables, NULL), RESULT_REFUSED);
    }
    device_free(s.memory);
}

// The plan takes the shape for the points, within the cluster that there is, and none beyond.
// Mutations: a place too few, a block too many; a forced shape without kernels.
TEST(ClusterProduct, Plans) {
    static const struct {
        uint64_t an, bn;
        unsigned blocks, pieces, lg;  // pieces 0: none
    } cases[] = {
        {1, 1, 12, 1, 9},        {256, 256, 12, 1, 9},    {257, 256, 12, 1, 10},
        {512, 512, 12, 1, 10},   {512, 513, 12, 2, 10},   {1024, 1024, 12, 2, 10},
        {1025, 1024, 12, 4, 10}, {4096, 4096, 12, 4, 11}, {4097, 4096, 12, 0, 0},
        {1, 8191, 12, 4, 11},    {2048, 2048, 6, 2, 11},  {2049, 2048, 6, 0, 0},
        {1024, 1024, 3, 1, 11},  {1025, 1024, 3, 0, 0},   {1, 1, 0, 0, 0},
        {1, 1, 2, 0, 0},         {1, 1 << 20, 12, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fft_modular_plan plan = {.lg_columns = 99};
        SCOPED_TRACE("case %zu", i);
        const bool found = fft_modular_plan_whole(&plan, cases[i].an, cases[i].bn, cases[i].blocks);
        EXPECT_EQ(found, cases[i].pieces > 0);
        EXPECT_TRUE(!found || (fft_modular_whole(&plan) && plan.pieces == cases[i].pieces &&
                               plan.lg_rows == cases[i].lg && plan.lg_outer == 0 &&
                               plan.digit_bits == 64 && !plan.balanced));
    }
    fft_modular_plan plan;
    EXPECT_TRUE(forced(&plan, 256, 256, 1, 0, 9, 0));
    EXPECT_FALSE(forced(&plan, 257, 256, 1, 0, 9, 0));
    EXPECT_FALSE(forced(&plan, 2, 2, 4, 0, 9, 0));
    EXPECT_FALSE(forced(&plan, 2, 2, 3, 0, 10, 0));
    EXPECT_FALSE(forced(&plan, 2, 2, 1, 1, 10, 0));
    EXPECT_FALSE(forced(&plan, 2, 2, 1, 0, 12, 0));
}
