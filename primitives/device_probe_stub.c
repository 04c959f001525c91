// device_probe_stub.c: device_probe.h in a build without a CUDA toolkit.
#include "primitives/device_probe.h"

size_t device_probe_count(void) { return 0; }
