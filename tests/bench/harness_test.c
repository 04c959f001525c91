// harness_test.c: the harness's order statistics and the order of its calls.
#include "bench/harness.h"

#include <math.h>

#include "tests/ctest/ctest.h"

// Catches: a median off by one rank, for odd and even counts; a minimum taken before sorting.
TEST(Statistics, MedianAndMinimum) {
    double odd[] = {9, 1, 5}, even[] = {8, 2, 4, 6};
    bench_times times = {0};
    bench_statistics(odd, 3, &times);
    EXPECT_TRUE(times.median == 5 && times.min == 1);
    EXPECT_TRUE(times.spread == 0.8);  // half of 9 - 1, over 5
    bench_statistics(even, 4, &times);
    EXPECT_TRUE(times.median == 5 && times.min == 2);
}

// Catches: an interval that does not shrink with the number of samples, or leaves the array.
TEST(Statistics, SpreadShrinks) {
    double few[7], many[BENCH_SAMPLES_MAX];
    for (uint32_t i = 0; i < 7; i++) {
        few[i] = 100 + i;
    }
    for (uint32_t i = 0; i < BENCH_SAMPLES_MAX; i++) {
        many[i] = 100 + 6.0 * i / (BENCH_SAMPLES_MAX - 1);
    }
    bench_times a = {0}, b = {0};
    bench_statistics(few, 7, &a);
    bench_statistics(many, BENCH_SAMPLES_MAX, &b);
    EXPECT_TRUE(fabs(a.median - b.median) < 1e-9);
    EXPECT_TRUE(0 < b.spread && b.spread < a.spread / 2 && a.spread <= 0.03);
}

// A side whose samples last as long as they say, without a clock; it writes its letter to a log.
typedef struct {
    char letter;
    char *log;
    unsigned *length;
} fake;

static bool fake_sample(const bench_side *side, uint64_t count, double *ns) {
    const fake *f = side->self;
    f->log[(*f->length)++] = f->letter;
    *ns = 1000.0 * (double)count;
    return true;
}

static bool agree(void *self) {
    (void)self;
    return true;
}

// Disagrees when asked for the third time: after the warm-up and two pairs.
static bool agree_twice(void *self) {
    unsigned *asked = self;
    return ++*asked < 3;
}

// Catches: sides that do not alternate, a wrong divisor for calls, more samples than allowed.
TEST(Measure, Alternates) {
    char log[64];
    unsigned length = 0;
    fake fa = {'a', log, &length}, fb = {'b', log, &length};
    bench_side a = {fake_sample, NULL, &fa}, b = {fake_sample, NULL, &fb};
    bench_effort effort = {8000, 0, 4, 4, 0};
    bench_result result;
    EXPECT_TRUE(bench_measure(&a, &b, agree, NULL, &effort, &result));
    EXPECT_TRUE(result.checked);
    EXPECT_EQ(result.samples, 4u);
    EXPECT_TRUE(result.ours.median == 1000 && result.rival.median == 1000);
    EXPECT_TRUE(result.ours.calls >= 7);  // samples of about 8000 ns
    for (unsigned i = 0; i < 8; i++) {
        EXPECT_EQ(log[length - 8 + i], "ab"[i % 2]);
    }
}

// Catches: a wrong result that is only looked for at the beginning.
TEST(Measure, EndsAtTheFirstDisagreement) {
    char log[64];
    unsigned length = 0, asked = 0;
    fake fa = {'a', log, &length};
    bench_side a = {fake_sample, NULL, &fa};
    bench_effort effort = {1000, 0, 10, 10, 0};
    bench_result result;
    EXPECT_TRUE(bench_measure(&a, &a, agree_twice, &asked, &effort, &result));
    EXPECT_FALSE(result.checked);
    EXPECT_EQ(result.samples, 2u);
}

// Catches: a single pair taken for a median that is known, although there is time for more; pairs
// taken although there is none.
TEST(Measure, OnePairOnlyForWantOfTime) {
    char log[64];
    unsigned length = 0;
    fake fa = {'a', log, &length};
    bench_side a = {fake_sample, NULL, &fa};
    bench_effort effort = {1000, 1e12, 1, 10, 0.01};
    bench_result result;
    EXPECT_TRUE(bench_measure(&a, &a, agree, NULL, &effort, &result));
    EXPECT_EQ(result.samples, 3u);
    effort.row_ns = 0;
    EXPECT_TRUE(bench_measure(&a, &a, agree, NULL, &effort, &result));
    EXPECT_EQ(result.samples, 1u);
}
