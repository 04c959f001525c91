// timing.h: times work enqueued on a device. Several contenders alternate in one process, each as
// one graph of several calls between two events. Plain C; includes result.h only.
#ifndef BENCH_DEVICE_TIMING_H_
#define BENCH_DEVICE_TIMING_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// A contender: enqueue puts one call on the stream, or returns false. waits: calls wait for the
// device, so a graph cannot hold them, and all times are of single calls.
typedef struct {
    bool (*enqueue)(void *self, cuda_stream stream);
    void *self;
    bool waits;
} device_side;

typedef struct {
    double median_ns, min_ns;  // of one call within a graph of `calls`
    double spread;             // half of the middle half of the samples, relative to the median
    double stream_ns;          // median of one call when the calls are launched one by one
    double single_ns;          // median of a graph of one call, events included
    unsigned samples;
    double joules;  // of one call within such a graph; 0: not measured
} device_times;

enum { DEVICE_SAMPLES = 21 };

// device_time measures sides[0..count) in `samples` rounds, every side once a round, on the stream
// or, if that is NULL, on a stream of its own. Returns false if a side failed.
bool device_time(cuda_stream stream, const device_side *sides, size_t count, unsigned calls,
                 unsigned samples, device_times *times);

// device_energy measures times[s].joules of sides[0..count), which device_time has timed, each for
// about `seconds`. Does nothing if seconds is 0 or the device has no counter (energy.h). Returns
// false if a side failed.
bool device_energy(cuda_stream stream, const device_side *sides, size_t count, unsigned calls,
                   double seconds, device_times *times);

// device_copying: copies bytes from one buffer to another by a kernel with 16-byte accesses: the
// roof of everything that reads and writes once.
typedef struct {
    void *to;
    const void *from;
    size_t bytes;
} device_copying;
bool device_copy_enqueue(void *self, cuda_stream stream);

// device_name writes the device's name, as the driver gives it. False if there is no device.
bool device_name(char *to, size_t cap);
// device_bus writes its PCI bus address; false if it is not known.
bool device_bus(char *to, size_t cap);

#ifdef __cplusplus
}
#endif

#endif  // BENCH_DEVICE_TIMING_H_
