// device_probe.h: how many CUDA devices this build can use. Plain C; the answer comes from
// device_probe.cu where a CUDA toolkit was there to build it, from device_probe_stub.c otherwise.
#ifndef PRIMITIVES_DEVICE_PROBE_H_
#define PRIMITIVES_DEVICE_PROBE_H_

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// device_probe_count returns the number of devices that can run this build's kernels: those whose
// architecture is at least the oldest one compiled for. A missing driver, a driver that is too old
// and every other CUDA error mean 0. Changes no current device and makes no context.
// Cost: the first call in a process starts the driver, which can take seconds on large hosts.
size_t device_probe_count(void);

#ifdef __cplusplus
}
#endif

#endif  // PRIMITIVES_DEVICE_PROBE_H_
