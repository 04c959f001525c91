// harness.c: the clock, how often to repeat a call, and the order statistics.
#define _POSIX_C_SOURCE 200809L
#include "bench/harness.h"

#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

double bench_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

bool bench_sample_calls(const bench_side *side, uint64_t count, double *ns) {
    if (count > 1 && !side->call(side->self)) {
        return false;
    }
    double begin = bench_now();
    for (uint64_t i = 0; i < count; i++) {
        if (!side->call(side->self)) {
            return false;
        }
    }
    *ns = bench_now() - begin;
    return true;
}

// The number of calls that makes a sample last about sample_ns; the first call is the warm-up that
// fills tables, workspace and pages. A first call far longer than a sample settles it at once.
static bool calibrate(const bench_side *side, double sample_ns, uint64_t *count) {
    double ns;
    *count = 1;
    if (!side->sample(side, 1, &ns)) {
        return false;
    }
    if (ns > 50 * sample_ns) {
        return true;
    }
    for (;;) {
        if (!side->sample(side, *count, &ns)) {
            return false;
        }
        if (ns >= 0.8 * sample_ns) {
            return true;
        }
        double grow = fmin(fmax(1.1 * sample_ns / (ns + 1), 1.5), 100);
        *count = (uint64_t)ceil((double)*count * grow);
    }
}

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void bench_statistics(double *ns, uint32_t n, bench_times *times) {
    qsort(ns, n, sizeof *ns, compare_doubles);
    times->min = ns[0];
    times->median = (ns[(n - 1) / 2] + ns[n / 2]) / 2;
    // The median lies between these ranks with probability 0.95: the count of samples below it is
    // binomial (n, 1/2), of standard deviation sqrt(n) / 2.
    double reach = 0.98 * sqrt((double)n);
    uint32_t lo = 0, hi = n - 1;
    if (n >= 6) {
        lo = (uint32_t)fmax(floor((n - 1) / 2.0 - reach), 0);
        hi = (uint32_t)fmin(ceil((n - 1) / 2.0 + reach), n - 1);
    }
    times->spread = (ns[hi] - ns[lo]) / (2 * times->median);
}

static void summarize(const double *ns, uint32_t n, bench_times *times) {
    double sorted[BENCH_SAMPLES_MAX];
    for (uint32_t i = 0; i < n; i++) {
        sorted[i] = ns[i];
    }
    bench_statistics(sorted, n, times);
}

// How often the system has taken a processor away from one of our threads.
static long interruptions(void) {
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_nivcsw : 0;
}

// One sample, nanoseconds for one call; repeated while it is interrupted and `end` is not reached.
static bool take(const bench_side *side, uint64_t calls, double end, double *ns,
                 uint32_t *interrupted) {
    for (;;) {
        long before = interruptions();
        if (!side->sample(side, calls, ns)) {
            return false;
        }
        *ns /= (double)calls;
        if (interruptions() == before) {
            return true;
        }
        if (bench_now() > end) {
            *interrupted += 1;
            return true;
        }
    }
}

// The spread means nothing with fewer samples: the spread of one sample is 0.
enum { SPREAD_LEAST = 3 };

bool bench_measure(const bench_side *ours, const bench_side *rival, bool (*verify)(void *self),
                   void *self, const bench_effort *effort, bench_result *result) {
    double a[BENCH_SAMPLES_MAX], b[BENCH_SAMPLES_MAX];
    *result = (bench_result){0};
    if (!calibrate(ours, effort->sample_ns, &result->ours.calls) ||
        !calibrate(rival, effort->sample_ns, &result->rival.calls)) {
        return false;
    }
    result->checked = verify(self);
    double end = bench_now() + effort->row_ns;
    for (uint32_t n = 0; result->checked && n < effort->max_samples;) {
        if (!take(ours, result->ours.calls, end, &a[n], &result->interrupted) ||
            !take(rival, result->rival.calls, end, &b[n], &result->interrupted)) {
            return false;
        }
        result->checked = verify(self);
        result->samples = ++n;
        summarize(a, n, &result->ours);
        summarize(b, n, &result->rival);
        bool narrow =
            n >= SPREAD_LEAST && fmax(result->ours.spread, result->rival.spread) <= effort->spread;
        if (n >= effort->min_samples && (narrow || bench_now() > end)) {
            break;
        }
    }
    return true;
}
