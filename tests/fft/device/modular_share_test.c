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
    uint64_t an, bn;   // limbs
    unsigned lg_most;  // members, as a logarithm
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
    unsigned lg, members, prime;
    uint64_t points;  // of a member
    double *x, *y;    // [member][points]
} shared;

// The member's strip of an operand in device memory, n words in all.
static uint64_t *strip_of(const shared *s, unsigned member, const uint64_t *words, uint64_t words_n,
                          uint64_t *n) {
    const uint64_t row = fft_modular_strip_words(&s->c.plan, s->lg), all = row << s->lg;
    *n = (words_n + all - 1) / all * row;
    uint64_t *const strip = calloc((size_t)*n, 8), *const to = device_alloc((size_t)*n * 8);
    for (uint64_t i = 0; i < *n; i++) {
        const uint64_t at = i / row * all + member * row + i % row;
        strip[i] = at < words_n ? words[at] : 0;
    }
    EXPECT_TRUE(device_upload(to, strip, (size_t)*n * 8));
    free(strip);
    return to;
}

// A member's planes go to the device, a step works on them, and they come back.
typedef result (*member_step)(const shared *s, const fft_modular_step *step, unsigned member,
                              double *x, double *y);

static void run_step(const shared *s, member_step run) {
    const fft_modular_step step = {&s->c.plan, &s->tables, s->prime, 1, NULL};
    const size_t bytes = (size_t)s->points * sizeof(double);
    double *const x = device_alloc(bytes), *const y = device_alloc(bytes);
    for (unsigned m = 0; m < s->members; m++) {
        double *const own_x = s->x + m * s->points, *const own_y = s->y + m * s->points;
        EXPECT_TRUE(device_upload(x, own_x, bytes) && device_upload(y, own_y, bytes));
        EXPECT_EQ(run(s, &step, m, x, y), RESULT_OK);
        EXPECT_TRUE(device_download(own_x, x, bytes) && device_download(own_y, y, bytes));
    }
    device_free(x);
    device_free(y);
}

static result split(const shared *s, const fft_modular_step *step, unsigned member, double *x,
                    double *y) {
    fft_modular_operand a, b;
    uint64_t *const strip_a = strip_of(s, member, s->c.a, s->c.an, &a.words_n);
    uint64_t *const strip_b = strip_of(s, member, s->c.b, s->c.bn, &b.words_n);
    a.words = strip_a;
    b.words = strip_b;
    const result done = fft_modular_strip_split(step, s->lg, x, a, y, b);
    device_free(strip_a);
    device_free(strip_b);
    return done;
}

static result columns_to_columns(const shared *s, const fft_modular_step *step, unsigned member,
                                 double *x, double *y) {
    const fft_modular_share share = {s->lg, member};
    result done = fft_modular_share_columns(step, share, x, y);
    done = done == RESULT_OK ? fft_modular_share_rows(step, share, x, y, FFT_ROW_MULTIPLY) : done;
    return done == RESULT_OK ? fft_modular_share_inverse(step, share, x) : done;
}

static result gather(const shared *s, const fft_modular_step *step, unsigned member, double *x,
                     double *y) {
    (void)member, (void)y;
    return fft_modular_strip_gather(step, s->lg, x);
}

// Strips to shares, or back.
static void exchange(const shared *s, double *planes, bool back) {
    const unsigned parts = fft_modular_parts(&s->c.plan), own = parts >> s->lg;
    const uint64_t n = (uint64_t)1 << fft_modular_lg_part(&s->c.plan), strip = n >> s->lg;
    const size_t bytes = (size_t)s->points * s->members * sizeof(double);
    double *const from = malloc(bytes);
    memcpy(from, planes, bytes);
    for (unsigned part = 0; part < parts; part++) {
        for (uint64_t c = 0; c < n; c++) {
            const uint64_t in_strip = c / strip * s->points + part * strip + c % strip;
            const uint64_t in_share = part / own * s->points + part % own * n + c;
            planes[back ? in_strip : in_share] = from[back ? in_share : in_strip];
        }
    }
    free(from);
}

// Coefficients that differ from those of the whole plane.
static uint64_t differences(const shared *s, const double *whole) {
    const uint64_t n = (uint64_t)1 << fft_modular_lg_part(&s->c.plan), strip = n >> s->lg;
    uint64_t wrong = 0;
    for (uint64_t i = 0; i < s->points * s->members; i++) {
        const uint64_t c = i % n, at = c / strip * s->points + i / n * strip + c % strip;
        wrong += reference_residue(whole[i], s->prime) != reference_residue(s->x[at], s->prime);
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
    // One member alone, of the first shape; two members; and the most.
    for (s.lg = p == shapes ? 0 : 1; s.lg <= p->lg_most; s.lg++) {
        if (s.lg > 1 && s.lg < p->lg_most) {
            continue;
        }
        SCOPED_TRACE("%u members", 1u << s.lg);
        ASSERT_TRUE(fft_modular_shares(&plan, s.lg));
        s.members = 1u << s.lg;
        s.points = fft_modular_share_points(&plan, s.lg);
        s.prime = s.lg % p->primes;
        device_order(s.lg);
        ASSERT_TRUE(device_download(whole, s.c.x + s.prime * fft_modular_plane(&plan), bytes));
        run_step(&s, split);
        exchange(&s, s.x, false);
        exchange(&s, s.y, false);
        run_step(&s, columns_to_columns);
        exchange(&s, s.x, true);
        run_step(&s, gather);
        EXPECT_EQ(differences(&s, whole), 0);
    }
    device_order(0);
    free(whole);
    free(s.x);
    free(s.y);
    convolution_release(&s.c);
}

// Catches plans that are shared although a member would have half a part, half a word of a row, or
// no outer pass.
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
    EXPECT_FALSE(fft_modular_shares(&plan, 3));   // 12 parts
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
