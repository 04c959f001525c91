// spin_stub.c: spin_kernels.h in a build without a CUDA toolkit: nothing runs.
#include "tests/primitives/cuda/spin_kernels.h"

size_t spin_bytes(void) { return 0; }
bool spin_run(uint64_t *out, void *workspace, bool published) {
    return (void)out, (void)workspace, (void)published, false;
}
