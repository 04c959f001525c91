// look_back_kernels.cu: see look_back_kernels.h.
#include "tests/primitives/cuda/look_back_kernels.h"

#include "primitives/cuda/launch.cuh"
#include "primitives/cuda/lookback.cuh"
#include "primitives/scan/monoid.cuh"

namespace {

HOST_DEVICE AffineU32::Value Element(uint32_t tile, uint32_t seed) {
    return {2 * (tile * 2654435761u + seed) + 1, tile * 40503u + 7};
}

// Pauses for up to `delay` nanoseconds; under emulation every pause lets the others run.
DEVICE void Delay(uint32_t delay, uint32_t seed, uint32_t tile, uint32_t step) {
    const uint32_t r = (seed * 747796405u + tile * 277803737u + step * 2891336453u) >> 16;
    if (delay > 0 && r % 3 != 0) {
        SpinPause(r % delay);
    }
    // The first tile keeps everybody waiting, so that look-back goes over several windows.
    for (uint32_t i = 0; tile == 0 && i < seed % 3 * 4; i++) {
        SpinPause(1000);
    }
}

__global__ void LookBackKernel(uint64_t *before, const LookBack<AffineU32> look_back,
                               uint32_t delay, uint32_t seed) {
    SHARED(Place, at);
    if (threadIdx.x == 0) {
        at = look_back.counter->Draw(gridDim.x);
    }
    __syncwarp();
    const Place here = at;
    const AffineU32::Value mine = Element(here.tile, seed);
    Delay(delay, seed, here.tile, 0);
    if (threadIdx.x == 0) {
        look_back.Publish(here, here.tile == 0 ? kPrefix : kAggregate, mine);
    }
    Delay(delay, seed, here.tile, 1);
    const AffineU32::Value product = look_back.Before(here);
    Delay(delay, seed, here.tile, 2);
    if (threadIdx.x == 0) {
        look_back.Publish(here, kPrefix, AffineU32::Combine(product, mine));
        before[here.tile] = ToBits(product);
    }
}

}  // namespace

uint64_t look_back_element(uint32_t tile, uint32_t seed) { return ToBits(Element(tile, seed)); }

size_t look_back_bytes(uint32_t tiles) { return LookBack<AffineU32>::Bytes(tiles); }

bool look_back_run(uint64_t *before, void *workspace, uint32_t tiles, uint32_t delay,
                   uint32_t seed) {
    const LookBack<AffineU32> look_back = LookBack<AffineU32>::In(workspace);
    return Launch(LookBackKernel, tiles, kWarp, 0, nullptr, before, look_back, delay, seed) ==
           cudaSuccess;
}
