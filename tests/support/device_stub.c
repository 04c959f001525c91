// device_stub.c: device.h in a build without a CUDA toolkit: no device is ready.
#include "tests/support/device.h"

bool device_ready(void) { return false; }
bool device_emulated(void) { return false; }
void device_order(uint64_t seed) { (void)seed; }
bool device_faults(uint64_t allocation, uint64_t call) {
    return (void)allocation, (void)call, false;
}
bool device_flips(uint64_t kernel, uint64_t *word, uint64_t bits) {
    return (void)kernel, (void)word, (void)bits, false;
}
bool device_fault_came(void) { return false; }
int64_t device_live(void) { return 0; }
void *device_alloc(size_t bytes) { return (void)bytes, NULL; }
void device_free(void *p) { (void)p; }
bool device_upload(void *to, const void *from, size_t bytes) {
    return (void)to, (void)from, (void)bytes, false;
}
bool device_download(void *to, const void *from, size_t bytes) {
    return (void)to, (void)from, (void)bytes, false;
}
bool device_fill(void *to, int byte, size_t bytes) {
    return (void)to, (void)byte, (void)bytes, false;
}
bool device_random(monoid op, void *x, uint64_t n, uint32_t seed) {
    return (void)op, (void)x, (void)n, (void)seed, false;
}
uint64_t device_scan_errors(monoid op, bool exclusive, const void *y, uint64_t n, uint64_t row,
                            uint32_t seed) {
    return (void)op, (void)exclusive, (void)y, (void)n, (void)row, (void)seed, UINT64_MAX;
}
