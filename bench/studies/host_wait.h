// host_wait.h: a host that waits for a device by polling or by blocking, and what either costs it.
// Plain C; includes result.h.
#ifndef BENCH_STUDIES_HOST_WAIT_H_
#define BENCH_STUDIES_HOST_WAIT_H_

#include <stdbool.h>
#include <stddef.h>

#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// HOST_POLLS asks again and again; HOST_BLOCKS sleeps until the device's interrupt.
typedef enum { HOST_POLLS, HOST_BLOCKS } host_wait_kind;

// A stream, an event of either kind and pinned memory for what is read.
typedef struct host_waiter host_waiter;
host_waiter *host_wait_open(void);  // NULL: no device
void host_wait_close(host_waiter *waiter);
cuda_stream host_wait_stream(const host_waiter *waiter);
// host_wait_for reads up to 64 bytes of device memory behind all work of the stream, waiting for
// it.
bool host_wait_for(host_waiter *waiter, host_wait_kind kind, void *to, const void *from,
                   size_t bytes);

// host_work: of one call; means over all samples. joules: of the device's counter, host_joules: of
// the processors' (RAPL); 0 where there is none.
typedef struct {
    double ns, cpu_ns, joules, host_joules;
    unsigned samples;
} host_work;

// host_wait_measure calls `call` for about `seconds`, after one call to warm up. energy: also reads
// the counters. False if a call failed.
bool host_wait_measure(bool (*call)(void *self), void *self, double seconds, bool energy,
                       host_work *work);

#ifdef __cplusplus
}
#endif

#endif  // BENCH_STUDIES_HOST_WAIT_H_
