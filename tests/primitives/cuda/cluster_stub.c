// cluster_stub.c: cluster_kernels.h in a build without a CUDA toolkit: nothing runs.
#include "tests/primitives/cuda/cluster_kernels.h"

bool cluster_launchable(void) { return false; }
bool cluster_exchange(uint32_t *sent, uint32_t *fetched, uint32_t blocks, uint32_t cluster,
                      bool early, uint32_t seed) {
    return (void)sent, (void)fetched, (void)blocks, (void)cluster, (void)early, (void)seed, false;
}

bool cluster_mail(uint32_t *got, uint32_t parts, uint32_t blocks, uint32_t cluster, bool early,
                  uint32_t seed) {
    (void)got, (void)parts, (void)blocks, (void)cluster, (void)early, (void)seed;
    return false;
}
