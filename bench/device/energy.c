// energy.c: see energy.h. NVML's functions are declared here as its documentation has them; 0 is
// success.
#define _POSIX_C_SOURCE 200809L
#include "bench/device/energy.h"

#include <stddef.h>

#include "bench/symbol.h"

bool energy_open(energy_counter *counter, const char *library, const char *bus) {
    int (*init)(void), (*find)(const char *bus, void **device);
    unsigned long long first;
    *counter = (energy_counter){0};
    counter->library = dlopen(library != NULL ? library : "libnvidia-ml.so.1", RTLD_NOW);
    if (counter->library != NULL && bench_symbol(counter->library, "nvmlInit_v2", &init) &&
        bench_symbol(counter->library, "nvmlDeviceGetHandleByPciBusId_v2", &find) &&
        bench_symbol(counter->library, "nvmlDeviceGetTotalEnergyConsumption", &counter->read) &&
        init() == 0) {
        if (find(bus, &counter->device) == 0 && counter->read(counter->device, &first) == 0) {
            return true;
        }
        energy_close(counter);
    } else if (counter->library != NULL) {
        dlclose(counter->library);
    }
    return false;
}

void energy_close(energy_counter *counter) {
    int (*shutdown)(void);
    if (bench_symbol(counter->library, "nvmlShutdown", &shutdown)) {
        shutdown();
    }
    dlclose(counter->library);
}

// Runs batches until the counter moves from *at, at most `most`; adds them to *ran.
static bool next_step(const energy_counter *counter, bool (*batch)(void *self), void *self,
                      unsigned most, unsigned long long *at, unsigned *ran) {
    const unsigned long long from = *at;
    for (unsigned i = 0; i < most && *at == from; i++) {
        if (!batch(self)) {
            return false;
        }
        *ran += 1;
        if (counter->read(counter->device, at) != 0) {
            *at = from;
        }
    }
    return true;
}

bool energy_measure(const energy_counter *counter, bool (*batch)(void *self), void *self,
                    unsigned batches, double *joules) {
    unsigned long long begin = 0, end;
    unsigned before = 0, ran = 0;
    *joules = 0;
    if (counter->read(counter->device, &begin) != 0) {
        return true;
    }
    end = begin;
    if (!next_step(counter, batch, self, batches, &end, &before)) {
        return false;
    }
    const bool moves = end != begin;
    begin = end;
    // Steps are passed over until there are enough batches; the one that ends them counts.
    while (moves && ran < batches) {
        const unsigned long long last = end;
        if (!next_step(counter, batch, self, batches, &end, &ran)) {
            return false;
        }
        if (end == last) {
            return true;
        }
    }
    *joules = moves ? 1e-3 * (double)(end - begin) / ran : 0;
    return true;
}
