// modular_share_test.c: a convolution on a device whose columns and parts are shared by members,
// against the same one by itself. The exchange is done on the host.
#include "fft/device/modular/share.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ctest/ctest.h"
#include "tests/fft/device/modular_convolution.h"
#include "tests/fft/modular/reference.h"
#include "tests/support/device.h"

typedef struct {
    unsigned pieces, lg_outer, lg_rows, lg_columns, primes, bits;
    uint64_t an, bn;     // limbs
    unsigned lg_strips;  // at most
} shape_case;

// Outer passes of every number of levels; pieces that are joined in the gathering, later, and by
// the inverse matrix; digits of every width; operands of one row, of many, folded.
static const shape_case shapes[] = {
    {1, 1, 4, 8, 3, 64, 300, 200, 1},   {2, 2, 4, 8, 3, 64, 5000, 3000, 3},
    {3, 3, 4, 8, 3, 61, 100, 9000, 3},  {5, 3, 4, 8, 3, 64, 700, 30, 3},
    {1, 5, 4, 8, 3, 64, 30000, 70, 3},  {7, 1, 5, 8, 3, 64, 900, 900, 1},
    {1, 6, 4, 8, 3, 63, 600, 400, 3},   {4, 2, 5, 8, 3, 64, 20000, 90, 3},
    {3, 1, 4, 8, 3, 64, 24000, 40, 1},  {1, 1, 8, 8, 4, 90, 299, 150, 1},
    {1, 1, 8, 8, 5, 113, 5000, 150, 1}, {2, 1, 8, 8, 6, 128, 200, 500, 2},
};

static void label(char *buf, size_t cap, const shape_case *p) {
    snprintf(buf, cap, "%ux2p%ux2p%ux2p%u_%ux%u", p->pieces, p->lg_outer, p->lg_rows, p->lg_columns,
             p->primes, p->bits);
}

// One convolution, and what its members have: planes on the host, of one prime each time.
typedef struct {
    convolution c;
    fft_modular_tables tables;
    unsigned lg_strips, members, prime;
    double *x, *y;  // [strip][part][column of the strip], or [part][column]
} shared;

// A strip of an operand in device memory, n words in all.
static uint64_t *strip_of(const shared *s, unsigned number, const uint64_t *words, uint64_t words_n,
                          uint64_t *n) {
    const uint64_t row = fft_modular_strip_words(&s->c.plan, s->lg_strips),
                   all = row << s->lg_strips;
    *n = (words_n + all - 1) / all * row;
    uint64_t *const strip = calloc((size_t)*n, 8), *const to = device_alloc((size_t)*n * 8);
    for (uint64_t i = 0; i < *n; i++) {
        const uint64_t at = i / row * all + number * row + i % row;
        strip[i] = at < words_n ? words[at] : 0;
    }
    EXPECT_TRUE(device_upload(to, strip, (size_t)*n * 8));
    free(strip);
    return to;
}

static fft_modular_share_step step_of(const shared *s) {
    return (fft_modular_share_step){.plan = &s->c.plan,
                                    .lg_strips = s->lg_strips,
                                    .tables = &s->tables,
                                    .of_share = &s->tables,
                                    .prime = s->prime};
}

// `count` doubles of both planes from number `first` on go to the device, a step works on them, and
// they come back.
typedef result (*plane_step)(const shared *s, const fft_modular_share_step *step, unsigned strip,
                             double *x, double *y);

static void run_step(const shared *s, const fft_modular_share_step *step, unsigned strip,
                     uint64_t first, uint64_t count, plane_step run) {
    const size_t bytes = (size_t)count * sizeof(double);
    double *const x = device_alloc(bytes), *const y = device_alloc(bytes);
    EXPECT_TRUE(device_upload(x, s->x + first, bytes) && device_upload(y, s->y + first, bytes));
    EXPECT_EQ(run(s, step, strip, x, y), RESULT_OK);
    EXPECT_TRUE(device_download(s->x + first, x, bytes) && device_download(s->y + first, y, bytes));
    device_free(x);
    device_free(y);
}

static void run_strips(const shared *s, plane_step run) {
    const fft_modular_share_step step = step_of(s);
    const uint64_t points = fft_modular_points(&s->c.plan) >> s->lg_strips;
    for (unsigned i = 0; i < 1u << s->lg_strips; i++) {
        run_step(s, &step, i, i * points, points, run);
    }
}

// Members have parts that are as even as can be.
static void run_shares(const shared *s, plane_step run) {
    const unsigned parts = fft_modular_parts(&s->c.plan);
    const uint64_t n = (uint64_t)1 << fft_modular_lg_part(&s->c.plan);
    for (unsigned m = 0; m < s->members; m++) {
        fft_modular_share_step step = step_of(s);
        step.first_part = parts * m / s->members;
        step.parts = parts * (m + 1) / s->members - step.first_part;
        run_step(s, &step, 0, step.first_part * n, step.parts * n, run);
    }
}

static result split(const shared *s, const fft_modular_share_step *step, unsigned strip, double *x,
                    double *y) {
    fft_modular_operand a, b;
    uint64_t *const strip_a = strip_of(s, strip, s->c.a, s->c.an, &a.words_n);
    uint64_t *const strip_b = strip_of(s, strip, s->c.b, s->c.bn, &b.words_n);
    a.words = strip_a;
    b.words = strip_b;
    const result done = fft_modular_strip_split(step, x, a, y, b);
    device_free(strip_a);
    device_free(strip_b);
    return done;
}

static result columns_to_columns(const shared *s, const fft_modular_share_step *step,
                                 unsigned strip, double *x, double *y) {
    (void)s, (void)strip;
    result done = fft_modular_share_columns(step, x, y);
    done = done == RESULT_OK ? fft_modular_share_rows(step, x, y, FFT_ROW_MULTIPLY) : done;
    return done == RESULT_OK ? fft_modular_share_inverse(step, x) : done;
}

static result gather(const shared *s, const fft_modular_share_step *step, unsigned strip, double *x,
                     double *y) {
    (void)s, (void)strip, (void)y;
    return fft_modular_strip_gather(step, x);
}

// Where element c of a part is in strips.
static uint64_t in_strips(const shared *s, uint64_t part, uint64_t c) {
    const uint64_t columns = fft_modular_strip_columns(&s->c.plan, s->lg_strips);
    return (c / columns * fft_modular_parts(&s->c.plan) + part) * columns + c % columns;
}

// Strips to shares, or back.
static void exchange(const shared *s, double *planes, bool back) {
    const uint64_t points = fft_modular_points(&s->c.plan),
                   n = (uint64_t)1 << fft_modular_lg_part(&s->c.plan);
    double *const from = malloc((size_t)points * sizeof(double));
    memcpy(from, planes, (size_t)points * sizeof(double));
    for (uint64_t i = 0; i < points; i++) {
        const uint64_t at = in_strips(s, i / n, i % n);
        planes[back ? at : i] = from[back ? i : at];
    }
    free(from);
}

// Coefficients that differ from those of the whole plane.
static uint64_t differences(const shared *s, const double *whole) {
    const uint64_t n = (uint64_t)1 << fft_modular_lg_part(&s->c.plan);
    uint64_t wrong = 0;
    for (uint64_t i = 0; i < fft_modular_points(&s->c.plan); i++) {
        wrong += reference_residue(whole[i], s->prime) !=
                 reference_residue(s->x[in_strips(s, i / n, i % n)], s->prime);
    }
    return wrong;
}

// Catches a strip whose rows are one column off, a share that takes the tables of other parts (its
// twists, or the factors behind columns), a part 0 of a share that is not twisted, and planes that
// are as far apart as those of the whole.
TEST_EACH(ModularShare, MembersConvolve, shape_case, shapes, label) {
    fft_modular_plan plan, high;
    ASSERT_TRUE(fft_modular_plan_digits(&plan, p->an, p->bn, p->primes, p->bits));
    plan.balanced = false;  // residues are compared, so digits need not be exact
    plan.pieces = p->pieces;
    plan.lg_outer = p->lg_outer;
    plan.lg_rows = p->lg_rows;
    plan.lg_columns = p->lg_columns;
    ASSERT_TRUE(fft_modular_plan_shape(&plan, &high));
    ASSERT_EQ(plan.wrapped, 0);
    if (!device_ready()) {
        SKIP("no device");
    }
    gen g = gen_seed(p->an + p->bn);
    shared s = {.c = convolution_make(&plan, &high, &g, GEN_UNIFORM, p->an, p->bn)};
    ASSERT_EQ(convolution_run(&s.c, FFT_ROW_MULTIPLY), RESULT_OK);
    const size_t bytes = (size_t)fft_modular_plane(&plan) * sizeof(double);
    double *const whole = malloc(bytes);
    s.x = calloc(bytes, 1);
    s.y = calloc(bytes, 1);
    ASSERT_EQ(fft_modular_tables_make(&s.tables, &plan, s.c.memory, NULL), RESULT_OK);
    // One strip, of the first shape; two; and the most, of members with parts of their own.
    for (s.lg_strips = p == shapes ? 0 : 1; s.lg_strips <= p->lg_strips; s.lg_strips++) {
        if (s.lg_strips > 1 && s.lg_strips < p->lg_strips) {
            continue;
        }
        s.members = s.lg_strips == p->lg_strips ? 1 + fft_modular_parts(&plan) / 2 : 1;
        SCOPED_TRACE("%u strips, %u shares", 1u << s.lg_strips, s.members);
        ASSERT_TRUE(fft_modular_shares(&plan, s.lg_strips));
        s.prime = s.lg_strips % p->primes;
        device_order(s.lg_strips);
        ASSERT_TRUE(device_download(whole, s.c.x + s.prime * fft_modular_plane(&plan), bytes));
        run_strips(&s, split);
        exchange(&s, s.x, false);
        exchange(&s, s.y, false);
        run_shares(&s, columns_to_columns);
        exchange(&s, s.x, true);
        run_strips(&s, gather);
        EXPECT_EQ(differences(&s, whole), 0);
    }
    device_order(0);
    free(whole);
    free(s.x);
    free(s.y);
    convolution_release(&s.c);
}

// Catches plans that are shared although a strip would have half a word of a row, or without an
// outer pass.
TEST(ModularShare, RefusesWhatCannotBeShared) {
    if (!device_ready()) {
        SKIP("no device");
    }
    fft_modular_plan plan, high;
    ASSERT_TRUE(fft_modular_plan_digits(&plan, 300, 200, 3, 64));
    plan.pieces = 3;
    plan.lg_outer = 2;
    plan.lg_rows = 4;
    plan.lg_columns = 8;
    ASSERT_TRUE(fft_modular_plan_shape(&plan, &high));
    plan.balanced = false;
    EXPECT_TRUE(fft_modular_shares(&plan, 2));
    EXPECT_FALSE(fft_modular_shares(&plan, 12));  // a column each
    plan.balanced = true;
    EXPECT_FALSE(fft_modular_shares(&plan, 2));
    plan.balanced = false;
    plan.wrapped = 1;
    EXPECT_FALSE(fft_modular_shares(&plan, 2));
    plan.wrapped = 0;
    plan.lg_outer = 0;
    plan.pieces = 4;
    EXPECT_FALSE(fft_modular_shares(&plan, 2));
}
