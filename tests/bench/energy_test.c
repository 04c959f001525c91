// energy_test.c: joules of a batch from a counter in steps, by a library that stands in for NVML.
#include "bench/device/energy.h"

#include <dlfcn.h>
#include <math.h>

#include "bench/symbol.h"
#include "tests/ctest/ctest.h"

#define LIBRARY "tests/bench/libfake_nvml.so"
#define BUS "0000:01:00.0"

typedef struct {
    void (*spend)(unsigned millijoules);
    void (*mute)(int on);
    int (*opened)(void);
    unsigned millijoules, ran, fails;  // of a batch; batches so far; the one that fails, 0: none
} work;

static bool work_open(work *w, energy_counter *counter) {
    return energy_open(counter, LIBRARY, BUS) &&
           bench_symbol(counter->library, "fake_spend", &w->spend) &&
           bench_symbol(counter->library, "fake_mute", &w->mute) &&
           bench_symbol(counter->library, "fake_opened", &w->opened);
}

static bool batch(void *self) {
    work *w = self;
    w->spend(w->millijoules);
    return ++w->ran != w->fails;
}

// Steps of 10 J and batches of 0.7 J: from step to step the count is exact to one batch. Catches: a
// measurement that begins or ends between steps, that counts the batches before the first step, or
// takes millijoules for joules.
TEST(Energy, FromStepToStep) {
    work w = {.millijoules = 700};
    energy_counter counter;
    ASSERT_TRUE(work_open(&w, &counter));
    w.spend(3333);
    double joules = 0;
    EXPECT_TRUE(energy_measure(&counter, batch, &w, 1000, &joules));
    EXPECT_TRUE(fabs(joules / 0.7 - 1) < 0.002);
    EXPECT_TRUE(w.ran >= 1000 && w.ran < 1040);
    energy_close(&counter);
}

// Catches: an endless loop, or a number, where the counter stands still or answers no more; a batch
// that failed and counts.
TEST(Energy, NothingWhereItStandsStill) {
    work w = {.millijoules = 0};
    energy_counter counter;
    ASSERT_TRUE(work_open(&w, &counter));
    double joules = 1;
    EXPECT_TRUE(energy_measure(&counter, batch, &w, 50, &joules));
    EXPECT_TRUE(joules == 0 && w.ran == 50);
    w.millijoules = 700;
    w.fails = w.ran + 60;
    EXPECT_FALSE(energy_measure(&counter, batch, &w, 50, &joules));
    w.mute(1);
    joules = 1;
    EXPECT_TRUE(energy_measure(&counter, batch, &w, 50, &joules));
    EXPECT_TRUE(joules == 0);
    w.mute(0);
    energy_close(&counter);
}

// Catches: a library, a device or a counter that is taken for granted; one that stays open.
TEST(Energy, Absent) {
    work w = {0};
    energy_counter counter, other;
    EXPECT_FALSE(energy_open(&counter, "libno-such.so", BUS));
    ASSERT_TRUE(work_open(&w, &counter));
    EXPECT_FALSE(energy_open(&other, LIBRARY, "0000:02:00.0"));
    w.mute(1);
    EXPECT_FALSE(energy_open(&other, LIBRARY, BUS));
    w.mute(0);
    EXPECT_EQ(w.opened(), 1);
    energy_close(&counter);
}
