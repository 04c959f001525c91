// harness.h: times two sides of one row, alternating in one process, until the medians are known
// well enough. Knows clocks and statistics, but nothing about integers. Includes the C library
// only.
#ifndef BENCH_HARNESS_H_
#define BENCH_HARNESS_H_

#include <stdbool.h>
#include <stdint.h>

// bench_side: one of the two contenders. sample runs `count` calls and sets *ns to their time
// together; false ends the row. When count > 1 a sample begins with one untimed call, so that short
// calls find their own data in the caches, not the other side's.
typedef struct bench_side {
    bool (*sample)(const struct bench_side *side, uint64_t count, double *ns);
    bool (*call)(void *self);  // what bench_sample_calls repeats; false: the call failed
    void *self;
} bench_side;

// bench_sample_calls samples a side in this process: it times `call` with CLOCK_MONOTONIC.
bool bench_sample_calls(const bench_side *side, uint64_t count, double *ns);

// bench_effort: how long a row may take.
typedef struct {
    double sample_ns;      // a sample repeats short calls until it takes about this long
    double row_ns;         // no new pair of samples begins after this time
    uint32_t min_samples;  // pairs taken in any case
    uint32_t max_samples;  // at most BENCH_SAMPLES_MAX
    double spread;         // enough once both medians are known this well (relative)
} bench_effort;
enum { BENCH_SAMPLES_MAX = 401 };

// bench_times: nanoseconds for one call. spread is half the width of the median's 95 % confidence
// interval, relative to the median (order statistics, no assumption on the distribution), or half
// of the whole range with fewer than 6 samples.
typedef struct {
    double median, min, spread;
    uint64_t calls;  // in each sample
} bench_times;

typedef struct {
    bench_times ours, rival;
    uint32_t samples;      // of each side
    uint32_t interrupted;  // of both together: samples in which another process had our processor
    bool checked;          // verify agreed after every pair
} bench_result;

// bench_measure warms both sides up, then takes pairs of samples: ours, rival, ours, rival, ... A
// sample is repeated, while the row's time lasts, if the system gave the processor to another
// process. verify(self) compares the results of the last calls. It runs untimed, after the warm-up
// and after every pair. The first disagreement ends the row with checked = false. Returns false if
// a side failed.
bool bench_measure(const bench_side *ours, const bench_side *rival, bool (*verify)(void *self),
                   void *self, const bench_effort *effort, bench_result *result);

// bench_statistics sorts ns[0..n), n >= 1, and gives median, min and spread; calls is left alone.
void bench_statistics(double *ns, uint32_t n, bench_times *times);

// Nanoseconds on the monotonic clock.
double bench_now(void);

#endif  // BENCH_HARNESS_H_
