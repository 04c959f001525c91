// modular_items_test.c: the steps of batches of modular convolutions against those of each
// convolution by itself, whose planes must be the same bit for bit.
#include "fft/device/modular/batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ctest/ctest.h"
#include "tests/fft/device/modular_convolution.h"
#include "tests/support/device.h"

enum { ITEMS = 2 };

typedef struct {
    unsigned pieces, lg_rows, lg_columns;
    uint64_t an, bn;  // limbs
} shape_case;

// Joins of every kind: none, two pieces side by side, in one block, apart. Columns of every length.
static const shape_case shapes[] = {
    {1, 4, 8, 40, 30},  {2, 4, 8, 300, 200}, {3, 5, 8, 100, 700},
    {5, 8, 8, 100, 90}, {2, 9, 8, 400, 99},  {1, 7, 10, 90, 700},
    {3, 8, 10, 30, 30}, {1, 6, 12, 600, 90}, {2, 6, 12, 600, 20},
};

static bool plan_of(const shape_case *p, unsigned primes, unsigned bits, fft_modular_plan *plan) {
    fft_modular_plan high;
    const bool exact = fft_modular_plan_digits(plan, p->an, p->bn, primes, bits);
    plan->pieces = p->pieces;
    plan->lg_rows = p->lg_rows;
    plan->lg_columns = p->lg_columns;
    return exact && fft_modular_plan_shape(plan, &high);
}

// together: the operands of all items side by side, with a gap, and their planes.
typedef struct {
    fft_modular_items items;
    uint64_t *a, *b;
    double *x, *y;
} together;

static together together_of(const convolution *c) {
    const uint64_t planes = convolution_plane_bytes(&c->plan) / sizeof(double);
    const uint64_t an = c->an + 1, bn = c->bn + 3;
    const together t = {
        .items = {ITEMS, planes + 32, planes + 16, an, bn},
        .a = device_alloc(8 * ITEMS * an),
        .b = device_alloc(8 * ITEMS * bn),
        .x = device_alloc(8 * ITEMS * (planes + 32)),
        .y = device_alloc(8 * ITEMS * (planes + 16)),
    };
    EXPECT_TRUE(device_fill(t.a, 0xFF, 8 * ITEMS * an) && device_fill(t.b, 0xFF, 8 * ITEMS * bn));
    for (uint64_t i = 0; i < ITEMS; i++) {
        EXPECT_TRUE(device_upload(t.a + i * an, c[i].a, 8 * c->an) &&
                    device_upload(t.b + i * bn, c[i].b, 8 * c->bn));
    }
    return t;
}

// primes_of: the primes that are compared: all, of many points one, which take less time.
static unsigned primes_of(const fft_modular_plan *plan) {
    return fft_modular_points(plan) <= 1 << 14 ? plan->primes : 1;
}

// run_together: all items by this mode. A prepared factor is common to all: that of item 0.
static result run_together(const convolution *c, const together *t, fft_row_mode mode) {
    fft_modular_tables tables;
    result done = fft_modular_tables_make(&tables, &c->plan, c->memory, NULL);
    const fft_modular_step step = {&c->plan, &tables, 0, primes_of(&c->plan), NULL};
    const fft_modular_operand a = {t->a, c->an}, b = {t->b, c->bn}, none = {NULL, 0};
    fft_modular_items items = t->items;
    if (done == RESULT_OK && mode == FFT_ROW_PREPARED) {
        items.y = 0;
        done = fft_modular_columns(&step, t->y, b, NULL, none);
        done = done == RESULT_OK ? fft_modular_rows(&step, t->y, NULL, FFT_ROW_TRANSFORM) : done;
    }
    double *const y = mode == FFT_ROW_MULTIPLY ? t->y : NULL;
    done = done == RESULT_OK ? fft_modular_items_columns(&step, &items, t->x, a, y, b) : done;
    done = done == RESULT_OK ? fft_modular_items_rows(&step, &items, t->x, t->y, mode) : done;
    return done == RESULT_OK ? fft_modular_items_inverse(&step, &items, t->x) : done;
}

// expect_same: the planes of item i are those of its own convolution.
static void expect_same(const convolution *c, const together *t, uint64_t i) {
    const size_t bytes = primes_of(&c->plan) * fft_modular_plane(&c->plan) * sizeof(double);
    double *const own = malloc(bytes), *const of_item = malloc(bytes);
    EXPECT_TRUE(device_download(own, c->x, bytes) &&
                device_download(of_item, t->x + i * t->items.x, bytes));
    EXPECT_EQ(memcmp(own, of_item, bytes), 0);
    free(own), free(of_item);
}

// Mutations: a tile's item is counted by the tiles of another shape, in any of the kernels; the
// stride of x for y's, or a's for b's; strides counted in planes; the join of pieces apart that
// knows item 0 alone; a prepared factor that moves on.
TEST(ModularItems, SameAsAlone) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const fft_row_mode modes[] = {FFT_ROW_MULTIPLY, FFT_ROW_SQUARE, FFT_ROW_PREPARED};
    gen g = gen_seed(41);
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        const fft_row_mode mode = modes[k % 3];
        SCOPED_TRACE("%u x 2^%u x 2^%u, mode %d", shapes[k].pieces, shapes[k].lg_rows,
                     shapes[k].lg_columns, (int)mode);
        fft_modular_plan plan;
        ASSERT_TRUE(plan_of(&shapes[k], 3, 64, &plan));
        convolution c[ITEMS];
        for (int i = 0; i < ITEMS; i++) {
            c[i] = convolution_make(&plan, NULL, &g, GEN_UNIFORM, shapes[k].an, shapes[k].bn);
        }
        const together t = together_of(c);
        EXPECT_EQ(run_together(c, &t, mode), RESULT_OK);
        for (int i = 0; i < ITEMS; i++) {
            if (mode == FFT_ROW_PREPARED) {
                EXPECT_TRUE(device_upload(c[i].db, c[0].b, 8 * c[0].bn));
            }
            EXPECT_EQ(convolution_run_step(&c[i], mode, 0, primes_of(&plan)), RESULT_OK);
            expect_same(&c[i], &t, (uint64_t)i);
        }
        device_free(t.a), device_free(t.b), device_free(t.x), device_free(t.y);
        for (int i = 0; i < ITEMS; i++) {
            convolution_release(&c[i]);
        }
    }
}

// Plans that serve one item: many rows, digits of other widths. Mutation: their batches are
// enqueued, and all items read those of the first.
TEST(ModularItems, Refuses) {
    if (!device_ready()) {
        SKIP("no device");
    }
    const shape_case rows = {1, 10, 8, 40, 40}, few = {1, 4, 8, 40, 40};
    fft_modular_plan plan;
    ASSERT_TRUE(plan_of(&few, 3, 64, &plan));
    EXPECT_EQ(fft_modular_items_most(&plan), 65535u >> 6);
    plan.balanced = true;
    EXPECT_EQ(fft_modular_items_most(&plan), 1u);
    ASSERT_TRUE(plan_of(&few, 3, 60, &plan));
    EXPECT_EQ(fft_modular_items_most(&plan), 1u);
    ASSERT_TRUE(plan_of(&rows, 3, 64, &plan));
    EXPECT_EQ(fft_modular_items_most(&plan), 1u);
    gen g = gen_seed(42);
    convolution c[ITEMS];
    for (int i = 0; i < ITEMS; i++) {
        c[i] = convolution_make(&plan, NULL, &g, GEN_UNIFORM, rows.an, rows.bn);
    }
    together t = together_of(c);
    EXPECT_EQ(run_together(c, &t, FFT_ROW_MULTIPLY), RESULT_REFUSED);
    t.items.count = 0;
    EXPECT_EQ(run_together(c, &t, FFT_ROW_MULTIPLY), RESULT_REFUSED);
    device_free(t.a), device_free(t.b), device_free(t.x), device_free(t.y);
    for (int i = 0; i < ITEMS; i++) {
        convolution_release(&c[i]);
    }
}
