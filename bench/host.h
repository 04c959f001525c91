// host.h: names for what a record was measured on and with.
#ifndef BENCH_HOST_H_
#define BENCH_HOST_H_

#include <stdbool.h>

typedef struct {
    char chip[32];      // short name, fit for a file: "zen4"
    char cpu[96];       // the processor's own name
    char compiler[64];  // of this program, and so of the library linked into it
    char commit[41];    // "unknown" outside a checkout
    bool dirty;         // the sources differ from the commit, or cannot be compared
    long cores;         // online
} bench_host;

// bench_host_get asks the processor, the compiler and git (in the working directory).
bench_host bench_host_get(void);

#endif  // BENCH_HOST_H_
