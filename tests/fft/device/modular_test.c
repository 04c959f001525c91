// modular_test.c: the steps of a modular convolution on a device, or under the kernel emulation,
// against schoolbook convolution of digits modulo each prime. Every shape that has kernels. Plans
// alone are in modular_plan_test.c.
#include "fft/device/modular/convolution.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ctest/ctest.h"
#include "tests/fft/device/modular_convolution.h"
#include "tests/support/device.h"

typedef struct {
    unsigned pieces, lg_rows, lg_columns;
    uint64_t an, bn;  // limbs
    unsigned lg_outer;
} shape_case;

// The last ones are folded: operands longer than a piece.
static const shape_case shapes[] = {
    {1, 4, 8, 40, 30, 0},
    {2, 4, 8, 300, 200, 0},
    {3, 5, 8, 100, 700, 0},
    {5, 5, 8, 64, 64, 0},
    {7, 6, 8, 33, 900, 0},
    {2, 6, 8, 500, 500, 0},
    {4, 7, 8, 90, 41, 0},
    {6, 6, 8, 77, 600, 0},
    {2, 8, 8, 400, 99, 0},
    {3, 9, 8, 300, 301, 0},
    {1, 6, 12, 600, 90, 0},
    {3, 7, 12, 500, 500, 0},
    {2, 8, 12, 600, 20, 0},
    {2, 10, 12, 300, 300, 0},
    {2, 11, 12, 300, 30, 0},
    {1, 12, 12, 90, 300, 0},
    {5, 9, 12, 700, 100, 0},
    {2, 6, 10, 500, 90, 0},
    {1, 7, 10, 90, 700, 0},
    {3, 8, 10, 30, 30, 0},
    {2, 9, 10, 300, 80, 0},
    {2, 11, 12, 400, 40, 0},
    {3, 12, 12, 300, 3, 0},
    {7, 9, 8, 100, 900, 0},
    {5, 8, 8, 100, 90, 0},
    {2, 4, 8, 7000, 30, 0},
    {3, 4, 8, 60, 9000, 0},
    {7, 4, 8, 20000, 40, 0},
    {5, 4, 8, 20000, 40, 0},
    {1, 4, 8, 300, 200, 1},
    {2, 4, 8, 400, 300, 2},
    {3, 4, 8, 100, 900, 3},
    {5, 4, 8, 700, 30, 4},
    {2, 5, 8, 20000, 40, 1},
    {3, 4, 8, 24000, 40, 1},
    {5, 4, 8, 40, 40000, 1},
    {3, 8, 8, 90, 90, 2},
    {4, 9, 12, 300, 300, 2},
    {1, 4, 8, 900, 700, 5},
    {3, 4, 8, 700, 90, 5},
    {1, 4, 8, 90, 15000, 6},
    {1, 5, 8, 600, 400, 7},
    {2, 4, 8, 60000, 300, 7},
    // Two pieces in one tile: the shapes that stand nowhere above.
    {2, 5, 8, 300, 200, 0},
    {2, 7, 8, 90, 500, 0},
    {2, 9, 8, 400, 300, 0},
    {2, 7, 10, 500, 60, 0},
    {2, 8, 10, 200, 300, 0},
    {2, 7, 12, 300, 90, 0},
    {2, 9, 12, 90, 400, 0},
    // Tiles spread over a cluster of blocks: columns, the inverse of two pieces and of others.
    {2, 10, 8, 900, 300, 0},
    {1, 11, 8, 300, 700, 0},
    {2, 12, 12, 300, 40, 0},
    // Coefficients wrap around.
    {1, 4, 8, 2049, 2049, 0},
    {2, 4, 8, 4000, 4300, 0},
    {2, 4, 8, 7700, 1000, 0},
    {2, 4, 8, 7700, 500, 0},
    {4, 4, 8, 9000, 8000, 0},
    {2, 5, 8, 31000, 1900, 1},
    {1, 4, 8, 1900, 31000, 3},
    {1, 8, 8, 62400, 3200, 0},
    // Tiles of columns inside an operand.
    {1, 8, 8, 65504, 30, 0},
    {1, 8, 8, 30, 65496, 0},
};

static void label(char *buf, size_t cap, const shape_case *p) {
    snprintf(buf, cap, "%ux2p%ux2p%ux2p%u_%llux%llu", p->pieces, p->lg_outer, p->lg_rows,
             p->lg_columns, (unsigned long long)p->an, (unsigned long long)p->bn);
}

enum { EMULATED_POINTS = 1 << 19 };  // tiles that are spread over a cluster

// Kinds of digits: whole words, balanced ones, shorter digits; longer ones, modulo more primes: of
// two doubles, of three, and of two words.
enum { KIND_WHOLE, KIND_BALANCED, KIND_SHORT, KIND_LONG, KINDS = 7 };
static const struct {
    unsigned primes, bits;
} kinds[KINDS] = {{3, 64}, {3, 64}, {3, 61}, {4, 90}, {5, 113}, {5, 91}, {6, 128}};

// forced: a plan of this shape and kind.
static bool forced(fft_modular_plan *plan, fft_modular_plan *high, const shape_case *p,
                   unsigned kind) {
    if (!fft_modular_plan_digits(plan, p->an, p->bn, kinds[kind].primes, kinds[kind].bits)) {
        return false;
    }
    plan->balanced = kind == KIND_BALANCED;
    plan->pieces = p->pieces;
    plan->lg_outer = p->lg_outer;
    plan->lg_rows = p->lg_rows;
    plan->lg_columns = p->lg_columns;
    const bool fits = fft_modular_plan_shape(plan, high);
    plan->asks_ahead = true;
    return fits;
}

enum { MANY = 10000 };  // limbs of which schoolbook products modulo many primes take seconds

// tried: whether ShapesConvolve tries the kind with that shape: where there are kernels, and points
// for the longer operand's digits. Under emulation longer digits are LongDigitsConvolve's.
static bool tried(const shape_case *p, unsigned kind) {
    const uint64_t points = (uint64_t)p->pieces << (p->lg_outer + p->lg_rows + p->lg_columns);
    const uint64_t longer = p->an > p->bn ? p->an : p->bn;
    return kind == KIND_WHOLE                        ? true
           : longer * 64 > points * kinds[kind].bits ? false
           : kind == KIND_SHORT                      ? !device_emulated() || p->lg_rows <= 6
           : kind >= KIND_LONG && (device_emulated() || p->an > MANY)
               ? false
               : p->lg_rows >= FFT_MODULAR_LONG_LG_ROWS;
}

// convolve_shape: a product of that shape and kind.
static void convolve_shape(const shape_case *p, unsigned kind) {
    fft_modular_plan plan, high;
    ASSERT_TRUE(forced(&plan, &high, p, kind));
    if (!device_ready() || (device_emulated() && fft_modular_points(&plan) > EMULATED_POINTS)) {
        SKIP("no device for so many points");
    }
    gen g = gen_seed(p->an * 31 + p->lg_rows + kind);
    device_order(kind);
    convolution c = convolution_make(&plan, &high, &g,
                                     kind % 4 == KIND_SHORT ? GEN_ONES : GEN_UNIFORM, p->an, p->bn);
    EXPECT_EQ(convolution_run(&c, FFT_ROW_MULTIPLY), RESULT_OK);
    convolution_check(&c, false);
    convolution_release(&c);
    device_order(0);
}

// Catches a wrong twiddle, twist, place or sign in any step; the join of pieces; a digit that is
// cut at the wrong bit (widths below 64), or balanced wrongly, within an operand or at its ends; a
// tile that is read without asking where an operand begins or ends; coefficients that wrap around
// one place off, or a high convolution that begins one digit late.
TEST_EACH(Modular, ShapesConvolve, shape_case, shapes, label) {
    for (unsigned kind = 0; kind < KINDS; kind++) {
        if (tried(p, kind)) {
            convolve_shape(p, kind);
        }
    }
}

typedef struct {
    shape_case shape;
    unsigned kind;
} long_case;

// The fourth to sixth are folded, and have tiles inside an operand, aligned or not; the next two
// have an outer pass, the last one spread tiles.
static const long_case long_digits[] = {
    {{1, 8, 8, 300, 200, 0}, 3},   {{1, 8, 8, 90, 400, 0}, 4},    {{1, 8, 8, 200, 500, 0}, 6},
    {{2, 8, 8, 140000, 10, 0}, 3}, {{2, 8, 8, 140000, 10, 0}, 6}, {{2, 8, 8, 10, 140000, 0}, 6},
    {{1, 8, 8, 299, 150, 1}, 4},   {{2, 8, 8, 200, 500, 5}, 6},   {{1, 11, 8, 300, 200, 0}, 3},
};

static void label_long(char *buf, size_t cap, const long_case *p) {
    label(buf, cap, &p->shape);
    snprintf(buf + strlen(buf), cap - strlen(buf), "_%ux%u", kinds[p->kind].primes,
             kinds[p->kind].bits);
}

// Digits of more than a word, more primes than one launch has. Mutations: a chunk's bit, its
// weight, or the words that a digit needs; two words read at once beyond the operand's end, or
// where they are not aligned; tables, constants or planes of the first group of primes in place of
// the second's.
TEST_EACH(Modular, LongDigitsConvolve, long_case, long_digits, label_long) {
    convolve_shape(&p->shape, p->kind);
}

// A square, a prepared operand, and primes one after another give what a product gives.
TEST(Modular, ModesConvolve) {
    if (!device_ready()) {
        SKIP("no device");
    }
    gen g = gen_seed(5);
    const shape_case shape = {3, 5, 8, 300, 300, 0};
    fft_modular_plan plan;
    ASSERT_TRUE(forced(&plan, NULL, &shape, 0));
    convolution c = convolution_make(&plan, NULL, &g, GEN_RUNS, 300, 300);
    EXPECT_EQ(convolution_run(&c, FFT_ROW_SQUARE), RESULT_OK);
    convolution_check(&c, true);
    EXPECT_EQ(convolution_run(&c, FFT_ROW_PREPARED), RESULT_OK);
    convolution_check(&c, false);
    EXPECT_TRUE(device_fill(c.x, 0xFF, convolution_plane_bytes(&plan)));
    for (unsigned prime = 0; prime < FFT_PRIMES_USED; prime++) {
        EXPECT_EQ(convolution_run_step(&c, FFT_ROW_MULTIPLY, prime, 1), RESULT_OK);
    }
    convolution_check(&c, false);
    convolution_release(&c);
}

// a b - a a + a a through planes of a sum, in every kernel of rows: a minus by a word of device
// memory, by the host, and by both. Mutations: a sign that is not read, or counted twice; a first
// product that is added to what was there; a sum that is written where it should go back.
TEST(Modular, SumsConvolve) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const shape_case shapes_of_sums[] = {
        {3, 5, 8, 300, 300, 0}, {2, 6, 10, 300, 300, 0}, {1, 6, 12, 300, 300, 0}};
    gen g = gen_seed(6);
    for (int i = 0; i < 3; i++) {
        fft_modular_plan plan;
        ASSERT_TRUE(forced(&plan, NULL, &shapes_of_sums[i], 0));
        convolution c = convolution_make(&plan, NULL, &g, GEN_RUNS, 300, 300);
        double *const planes = device_alloc(convolution_plane_bytes(&plan));
        uint64_t *const words = device_alloc(16);  // a plus and a minus
        EXPECT_TRUE(device_upload(words, (const uint64_t[]){0, 1}, 16) &&
                    device_fill(planes, 0xFF, convolution_plane_bytes(&plan)));
        fft_modular_tables tables;
        EXPECT_EQ(fft_modular_tables_make(&tables, &plan, c.memory, NULL), RESULT_OK);
        const fft_modular_step step = {&plan, &tables, 0, FFT_PRIMES_USED, NULL};
        const fft_modular_operand a = {c.da, c.an}, b = {c.db, c.bn};
        const fft_modular_sum sums[] = {{planes, words + 1, words, true, false, true},
                                        {planes, words + 1, words + 1, true, true, true},
                                        {planes, words, words, false, true, false}};
        for (int k = 0; k < 3; k++) {
            EXPECT_EQ(fft_modular_columns(&step, c.x, a, k == 0 ? c.y : NULL, b), RESULT_OK);
            EXPECT_EQ(fft_modular_rows_sum(&step, c.x, c.y,
                                           k == 0 ? FFT_ROW_MULTIPLY : FFT_ROW_SQUARE, &sums[k]),
                      RESULT_OK);
        }
        EXPECT_EQ(fft_modular_inverse(&step, c.x), RESULT_OK);
        convolution_check(&c, false);
        device_free(planes), device_free(words);
        convolution_release(&c);
    }
}

// Tables of another shape are refused.
TEST(Modular, RefusesOtherTables) {
    fft_modular_plan plan, other;
    const shape_case shape = {2, 4, 8, 3, 3, 0}, of_other = {3, 4, 8, 3, 3, 0};
    ASSERT_TRUE(forced(&plan, NULL, &shape, 0));
    ASSERT_TRUE(forced(&other, NULL, &of_other, 0));
    if (!device_ready()) {
        SKIP("no device");
    }
    fft_modular_tables tables;
    void *memory = device_alloc(fft_modular_table_bytes(&plan));
    EXPECT_EQ(fft_modular_tables_make(&tables, &plan, memory, NULL), RESULT_OK);
    const fft_modular_step step = {&other, &tables, 0, 3, NULL};
    EXPECT_EQ(fft_modular_rows(&step, memory, memory, FFT_ROW_SQUARE), RESULT_REFUSED);
    EXPECT_EQ(fft_modular_inverse(&step, memory), RESULT_REFUSED);
    device_free(memory);
}
