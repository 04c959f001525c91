// agpu_test.c: counts of plans by hand, and the times that they give.
#include "bench/studies/agpu.h"

#include <math.h>

#include "tests/ctest/ctest.h"

static bool near(double a, double b) { return fabs(a - b) <= 1e-9 * fabs(b); }

// Catches: a sweep too many or too few, words of status forgotten, a launch where one is enough.
TEST(Agpu, Scans) {
    agpu_counts c;
    scan_job job = {.op = MONOID_SUM_U32, .variant = SCAN_THREE_KERNEL, .n = 1 << 20, .rows = 1};
    ASSERT_TRUE(agpu_scan(&c, &job, 4));
    EXPECT_TRUE(c.launches == 3 && near(c.io, 3 * 4.0 * (1 << 20)));
    job.n = 1 << 10;
    job.rows = 1 << 10;
    ASSERT_TRUE(agpu_scan(&c, &job, 4));
    EXPECT_TRUE(c.launches == 1 && near(c.io, 2 * 4.0 * (1 << 20)));
    job.variant = SCAN_LOOK_BACK;  // 128 tiles of 32 KiB, a word of status written and read
    ASSERT_TRUE(agpu_scan(&c, &job, 4));
    EXPECT_TRUE(c.blocks == 128 && near(c.io, 2 * 4.0 * (1 << 20) + 2 * 16 * 128));
    job.variant = SCAN_VARIANTS;
    EXPECT_FALSE(agpu_scan(&c, &job, 4));
    const reduce_job sum = {.op = MONOID_SUM_U32, .n = 1 << 20, .rows = 2};
    ASSERT_TRUE(agpu_reduce(&c, &sum, 4));
    EXPECT_TRUE(near(c.io, 4.0 * (2 << 20) + 8));
}

// A network of 64 keys has 6 phases: 1 + 2 + 3 + 4 + 4 + 4 stages in a thread, 1 + 2 by shuffles.
// Catches: stages of the wrong kind, keys of two words at the price of one.
TEST(Agpu, Sorts) {
    agpu_counts c;
    sort_plan plan;
    sort_job job = {.key = SORT_U32, .n = 64, .rows = 1000};
    ASSERT_TRUE(sort_plan_make(&job, SORT_COMB, &plan) && agpu_sort(&c, &job, &plan));
    EXPECT_TRUE(c.launches == 1 && near(c.io, 8.0 * 64000) && near(c.steps, 27.0 * 64000));
    job.key = SORT_U64;
    ASSERT_TRUE(sort_plan_make(&job, SORT_COMB, &plan) && agpu_sort(&c, &job, &plan));
    EXPECT_TRUE(near(c.steps, 54.0 * 64000));
    job = (sort_job){.key = SORT_U32, .n = 1 << 20, .rows = 1};
    ASSERT_TRUE(sort_plan_make(&job, SORT_RADIX, &plan) && agpu_sort(&c, &job, &plan));
    EXPECT_TRUE(c.launches == 6 && near(c.io, 4.0 * (1 << 20) * 9));
}

// Catches: rows that are read across systems taken for lines, launches of another plan.
TEST(Agpu, Tridiagonal) {
    agpu_counts c, d;
    tridiagonal_plan p;
    tridiagonal_job job = {TRIDIAGONAL_F32, 64, 1 << 16, 1, 64};
    ASSERT_TRUE(tridiagonal_make_plan(&p, &job, TRIDIAGONAL_THOMAS) && agpu_tridiagonal(&c, &p));
    EXPECT_TRUE(near(c.io, 9.0 * 32 * (1 << 22)));
    job.row_stride = 1 << 16;
    job.system_stride = 1;
    ASSERT_TRUE(tridiagonal_make_plan(&p, &job, TRIDIAGONAL_THOMAS) && agpu_tridiagonal(&c, &p));
    EXPECT_TRUE(near(c.io, 9.0 * 4 * (1 << 22)) && !c.doubles);
    job = (tridiagonal_job){TRIDIAGONAL_F64, 1 << 20, 1, 1, 1 << 20};
    ASSERT_TRUE(tridiagonal_make_plan(&p, &job, TRIDIAGONAL_PARTITION_PLAIN) &&
                agpu_tridiagonal(&c, &p));
    ASSERT_TRUE(tridiagonal_make_plan(&p, &job, TRIDIAGONAL_PARTITION_PIVOT) &&
                agpu_tridiagonal(&d, &p));
    EXPECT_TRUE(c.doubles && c.launches == 4 && d.steps > 10 * c.steps);
}

// Catches: real transforms counted by their reals, a pass too few, planes of a square counted
// twice.
TEST(Agpu, TransformsAndProducts) {
    agpu_counts c;
    fft_id_plan plan;
    ASSERT_TRUE(fft_id_parse(&plan, "cf64:fwd:nat:2^12x8:p4,s7,x0:g8>,s8>,g8>,s8") == NULL);
    ASSERT_TRUE(agpu_fft(&c, &plan));
    EXPECT_TRUE(c.launches == 2 && near(c.io, 2.0 * 2 * 16 * (8 << 12)) && c.doubles);
    EXPECT_TRUE(near(c.steps, 36.0 * (8 << 12)) && c.store == 128 * 16 && c.blocks == 256);
    agpu_shape s = {.n = 1000, .primes = 3, .pieces = 2, .lg_rows = 4, .lg_columns = 8};
    const double plane = 3 * 8 * 2 * 4096.0;
    ASSERT_TRUE(agpu_product(&c, &s));
    EXPECT_TRUE(c.launches == 4 && near(c.io, 8 * plane + 4 * 8000));
    s.square = true;
    ASSERT_TRUE(agpu_product(&c, &s));
    EXPECT_TRUE(near(c.io, 6 * plane + 3 * 8000));
    s.lg_outer = 1;
    ASSERT_TRUE(agpu_product(&c, &s));
    EXPECT_TRUE(c.launches == 6 && near(c.io, (6 + 4) * 2 * plane + 3 * 8000));
    s = (agpu_shape){.n = 256, .primes = 3, .pieces = 1, .lg_rows = 9, .whole = true};
    ASSERT_TRUE(agpu_product(&c, &s));
    EXPECT_TRUE(c.launches == 1 && near(c.io, 4 * 2048) && c.blocks == 3);
}

// Catches: digits counted in bytes or limbs, tiles of the other radix, a division that a limb does
// not need, coefficients of one word taken for several.
TEST(Agpu, Carries) {
    agpu_counts c;
    carry_job job = {CARRY_U64, CARRY_POW2, 3, 64, 992 * 10, 1, 992 * 10};
    ASSERT_TRUE(agpu_carry(&c, &job));
    EXPECT_TRUE(c.launches == 1 && c.blocks == 10);
    EXPECT_TRUE(near(c.io, 32.0 * 9920 + 2 * 16 * 10) && near(c.steps, (2.0 * 4 + 5) * 9920));
    // 10^19 >= 2^63: a coefficient reaches over 19 digits, so a thread has 21.
    job = (carry_job){CARRY_F64, CARRY_POW10, 1, 1, 127 * 21, 3, 127 * 21};
    ASSERT_TRUE(agpu_carry(&c, &job));
    EXPECT_TRUE(c.blocks == 3 && near(c.io, 16.0 * 3 * 127 * 21 + 2 * 16 * 3));
    EXPECT_TRUE(near(c.steps, (4.0 + 24 * 2 + 4) * 3 * 127 * 21));
    job.radix = CARRY_RADICES;
    EXPECT_FALSE(agpu_carry(&c, &job));
}

// A machine of 10 multiprocessors of 4 cores with 1000 bytes each. Catches: the wrong rate, a block
// that has the whole machine, parts that are added where blocks hide them, multiplicity of more
// blocks than there are.
TEST(Agpu, Times) {
    const agpu_chip chip = {10, 4, 2, 1, 1000, 10, 50, 1e5, 100};
    agpu_parts p;
    agpu_counts c = {.launches = 1, .io = 1e6, .store = 100, .footprint = 1e6, .blocks = 1e4};
    EXPECT_TRUE(near(agpu_time(&c, &chip, &p), 100 + 1e5) && p.multiplicity == 10);
    c.footprint = 1e5;
    EXPECT_TRUE(near(agpu_time(&c, &chip, NULL), 100 + fmax(2e4, 49 * 100)));
    c.steps = 8e5;  // 40 lanes
    EXPECT_TRUE(near(agpu_time(&c, &chip, NULL), 100 + 2e4 + 2e4 / 10));
    c.doubles = true;
    EXPECT_TRUE(near(agpu_time(&c, &chip, NULL), 100 + 4e4 + 2e4 / 10));
    // One block of 1e6 bytes that holds 100: it waits 5000 times, and works alone.
    c = (agpu_counts){.launches = 1, .steps = 400, .io = 1e6, .store = 100, .blocks = 1};
    EXPECT_TRUE(near(agpu_time(&c, &chip, &p), 100 + 4999 * 100 + 100) && p.multiplicity == 1);
    // 11 blocks on 10 multiprocessors take as long as 20.
    c = (agpu_counts){.launches = 1, .steps = 1100, .store = 1000, .blocks = 11};
    agpu_counts d = {.launches = 1, .steps = 2000, .store = 1000, .blocks = 20};
    EXPECT_TRUE(near(agpu_time(&c, &chip, NULL), agpu_time(&d, &chip, NULL)));
}

// Catches: the best one dropped, a factor of the wrong side, a count of others.
TEST(Agpu, Prune) {
    const double times[] = {30, 10, 15, 15.1, INFINITY};
    bool keep[5];
    EXPECT_EQ(agpu_prune(times, 5, 1.5, keep), 2);
    EXPECT_TRUE(!keep[0] && keep[1] && keep[2] && !keep[3] && !keep[4]);
    EXPECT_EQ(agpu_prune(times, 5, 1, keep), 1);
    EXPECT_EQ(agpu_prune(times, 0, 1.5, keep), 0);
}
