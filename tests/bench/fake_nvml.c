// fake_nvml.c: the functions of NVML that energy.h uses, with a counter that the test moves. It
// shows every tenth joule only, or, while it is mute, nothing.
#include <string.h>

enum { STEP = 10000 };

static unsigned long long spent;
static int mute, opened;

void fake_spend(unsigned millijoules) { spent += millijoules; }
void fake_mute(int on) { mute = on; }
int fake_opened(void) { return opened; }

int nvmlInit_v2(void) {
    opened++;
    return 0;
}

int nvmlShutdown(void) {
    opened--;
    return 0;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **device) {
    *device = &spent;
    return strcmp(bus, "0000:01:00.0") == 0 ? 0 : 6;  // NVML_ERROR_NOT_FOUND
}

int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules) {
    if (mute || device != &spent) {
        return 3;  // NVML_ERROR_NOT_SUPPORTED
    }
    *millijoules = spent / STEP * STEP;
    return 0;
}
