// spin_kernels.cu: see spin_kernels.h. As in a debug build, whatever the build is; with few polls,
// so that the test is short, and fewer than the emulation's own patience.
#undef NDEBUG
#define LONGMUL_SPIN_POLLS 1000

#include "tests/primitives/cuda/spin_kernels.h"

#include "primitives/cuda/launch.cuh"
#include "primitives/scan/kogge_stone.cuh"
#include "primitives/scan/monoid.cuh"

namespace {

struct Number : Sum<uint64_t> {};  // of this file alone, as are the bounds of its waits
using Wires = CircuitWires<Number, KoggeStoneCircuit>;

__global__ void WaitKernel(uint64_t *out, const Wires wires, bool published) {
    if (published && threadIdx.x == 0) {
        wires.words.Publish({0, 0}, kPrefix, 7);
    }
    const uint64_t before = wires.Before(1, 0, {5, false}, false);
    if (threadIdx.x == 0) {
        *out = before;
    }
}

}  // namespace

size_t spin_bytes(void) { return LookBack<Number>::Bytes(KoggeStoneCircuit::Words(2, 1)); }

bool spin_run(uint64_t *out, void *workspace, bool published) {
    const Wires wires = {LookBack<Number>::In(workspace), 1};
    return Launch(WaitKernel, 1, kWarp, 0, nullptr, out, wires, published) == cudaSuccess;
}
