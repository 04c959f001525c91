// host_work.c: host_wait_measure of host_wait.h.
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <time.h>

#include "bench/device/energy.h"
#include "bench/device/timing.h"
#include "bench/studies/host_wait.h"

enum { PACKAGES = 8 };

static double now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

// Joules that the processors have taken, as far as the system tells; each counter begins anew at
// its range, minutes apart, and a sample with a step back counts as none.
static double processors(void) {
    double joules = 0;
    for (int p = 0; p < PACKAGES; p++) {
        char path[64];
        unsigned long long microjoules = 0;
        snprintf(path, sizeof path, "/sys/class/powercap/intel-rapl:%d/energy_uj", p);
        FILE *f = fopen(path, "r");
        if (f != NULL) {
            joules += fscanf(f, "%llu", &microjoules) == 1 ? 1e-6 * (double)microjoules : 0;
            fclose(f);
        }
    }
    return joules;
}

bool host_wait_measure(bool (*call)(void *self), void *self, double seconds, bool energy,
                       host_work *work) {
    *work = (host_work){0};
    if (!call(self)) {
        return false;
    }
    const double begin = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
    const double taken = energy ? processors() : 0;
    double end = begin;
    for (; end - begin < 1e9 * seconds; work->samples++) {
        if (!call(self)) {
            return false;
        }
        end = now(CLOCK_MONOTONIC);
    }
    const double samples = work->samples;
    work->ns = (end - begin) / samples;
    work->cpu_ns = (now(CLOCK_PROCESS_CPUTIME_ID) - cpu) / samples;
    const double more = energy ? processors() - taken : 0;
    work->host_joules = more > 0 ? more / samples : 0;
    char bus[32];
    energy_counter counter;
    if (!energy || !device_bus(bus, sizeof bus) || !energy_open(&counter, NULL, bus)) {
        return true;
    }
    const bool ok = energy_measure(&counter, call, self, work->samples, &work->joules);
    energy_close(&counter);
    return ok;
}
