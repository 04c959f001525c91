// device_faults.c: linked to a program with emulated kernels, lets the environment say what fails
// there: DEVICE_FAULTS=ALLOCATION,CALL, as device_faults counts them.
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/device.h"

__attribute__((constructor)) static void ask_for_faults(void) {
    const char *value = getenv("DEVICE_FAULTS");
    unsigned long long allocation, call;
    if (value != NULL &&
        (sscanf(value, "%llu,%llu", &allocation, &call) != 2 || !device_faults(allocation, call))) {
        fprintf(stderr, "DEVICE_FAULTS=%s: no such faults here\n", value);
        abort();
    }
}
