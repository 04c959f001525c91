// machine.h: the clock and the number of processors, for the programs. Includes nothing of ours.
#ifndef APPS_MACHINE_H_
#define APPS_MACHINE_H_

#include <sched.h>
#include <stdint.h>
#include <time.h>

// Seconds on a monotonic clock, from an arbitrary start.
static inline double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Processors that this process may run on; 1 if the system does not say.
static inline uint32_t processors(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? (uint32_t)CPU_COUNT(&set) : 1;
}

#endif  // APPS_MACHINE_H_
