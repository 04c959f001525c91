// device_probe_test.c: the probe answers on machines with and without a driver.
#include "primitives/device_probe.h"

#include <unistd.h>

#include "tests/ctest/ctest.h"

// Catches a CUDA error taken for a device: without the driver's control node there is none, and a
// build without a toolkit never finds one.
TEST(DeviceProbe, AnswersWithoutADriver) {
    size_t devices = device_probe_count();
    if (access("/dev/nvidiactl", F_OK) != 0 && access("/dev/dxg", F_OK) != 0) {
        EXPECT_EQ(devices, 0);
    }
    EXPECT_EQ(device_probe_count(), devices);
    ct_record("devices", (long)devices);
}
