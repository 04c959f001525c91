// modular_square_rows_test.c: rows of a product and of a square in one launch against those of each
// by itself, whose planes must be the same bit for bit.
#include "fft/device/modular/square_rows.h"

#include <stdlib.h>
#include <string.h>

#include "tests/ctest/ctest.h"
#include "tests/fft/device/modular_convolution.h"
#include "tests/support/device.h"

typedef struct {
    unsigned pieces, lg_rows, lg_columns;
} shape_case;

// Rows of every length, of one piece and of several.
static const shape_case shapes[] = {{1, 4, 8}, {3, 5, 8}, {2, 6, 10}, {1, 6, 12}};

enum { LIMBS = 300 };

static bool plan_of(const shape_case *s, fft_modular_plan *plan) {
    fft_modular_plan high;
    const bool digits = fft_modular_plan_digits(plan, LIMBS, LIMBS, FFT_PRIMES_USED, 64);
    plan->pieces = s->pieces;
    plan->lg_rows = s->lg_rows;
    plan->lg_columns = s->lg_columns;
    return digits && fft_modular_plan_shape(plan, &high);
}

// expect_same: planes in device memory are those of the host, which are freed.
static void expect_same(const double *planes, double *want, size_t bytes) {
    double *const own = malloc(bytes);
    EXPECT_TRUE(device_download(own, planes, bytes));
    EXPECT_EQ(memcmp(own, want, bytes), 0);
    free(own), free(want);
}

// Mutations: the square left in x; the product by the square; a spectrum that is not its thread's;
// a tile of another prime's.
TEST(ModularSquareRows, SameAsApart) {
    if (!device_ready()) {
        SKIP("no device");
    }
    gen g = gen_seed(43);
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        SCOPED_TRACE("%u x 2^%u x 2^%u", shapes[k].pieces, shapes[k].lg_rows, shapes[k].lg_columns);
        fft_modular_plan plan;
        ASSERT_TRUE(plan_of(&shapes[k], &plan));
        convolution c = convolution_make(&plan, NULL, &g, GEN_UNIFORM, LIMBS, LIMBS);
        fft_modular_tables tables;
        const size_t bytes = convolution_plane_bytes(&plan);
        EXPECT_EQ(fft_modular_tables_make(&tables, &plan, c.memory, NULL), RESULT_OK);
        const fft_modular_step step = {&plan, &tables, 0, plan.primes, NULL};
        const fft_modular_operand a = {c.da, LIMBS}, b = {c.db, LIMBS};
        double *const product = malloc(bytes), *const square = malloc(bytes);
        EXPECT_EQ(fft_modular_columns(&step, c.x, a, c.y, b), RESULT_OK);
        EXPECT_EQ(fft_modular_rows(&step, c.x, c.y, FFT_ROW_MULTIPLY), RESULT_OK);
        EXPECT_EQ(fft_modular_rows(&step, c.y, NULL, FFT_ROW_SQUARE), RESULT_OK);
        EXPECT_TRUE(device_download(product, c.x, bytes) && device_download(square, c.y, bytes));
        EXPECT_EQ(fft_modular_columns(&step, c.x, a, c.y, b), RESULT_OK);
        EXPECT_EQ(fft_modular_square_rows(&step, c.x, c.y), RESULT_OK);
        expect_same(c.x, product, bytes);
        expect_same(c.y, square, bytes);
        convolution_release(&c);
    }
}
