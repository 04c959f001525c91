// energy.h: the energy that a GPU has taken, from NVML, which is loaded at run time. Building does
// not need it. Plain C; includes the C library only.
//
// The counter moves in steps, on an H100 every 20 to 100 ms, so work is repeated from one step to a
// later one. It counts the whole board: idle power and memory included.
#ifndef BENCH_DEVICE_ENERGY_H_
#define BENCH_DEVICE_ENERGY_H_

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    void *library, *device;
    int (*read)(void *device, unsigned long long *millijoules);
} energy_counter;

// energy_open loads the library (NULL: libnvidia-ml.so.1) and finds the device at that PCI bus
// address. False, and nothing stays open, where there is no library, no device or no such counter.
bool energy_open(energy_counter *counter, const char *library, const char *bus);
void energy_close(energy_counter *counter);

// energy_measure runs batches, each of which ends when its work has ended: up to the counter's next
// step, then at least `batches` more, up to the step after them. *joules: of one of the latter; 0
// if the counter stands still for `batches` batches. False if a batch failed. batches > 0.
bool energy_measure(const energy_counter *counter, bool (*batch)(void *self), void *self,
                    unsigned batches, double *joules);

#ifdef __cplusplus
}
#endif

#endif  // BENCH_DEVICE_ENERGY_H_
