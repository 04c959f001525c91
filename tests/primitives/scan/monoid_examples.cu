// monoid_examples.cu: see monoid_examples.h. Reductions of what a map makes of the elements, in the
// order of the elements, by the collectives of primitives/cuda/block.cuh; compaction above
// primitives/scan/scan.h.
#include "tests/primitives/scan/monoid_examples.h"

#include "primitives/cuda/block.cuh"
#include "primitives/cuda/launch.cuh"
#include "primitives/scan/scan.h"
#include "tests/primitives/scan/monoid_examples.cuh"

namespace {

constexpr unsigned kWarps = 8, kThreads = kWarps * kWarp;
constexpr unsigned kMaxBlocks = 1024;

struct HigherDecides {
    using Value = int32_t;
    static constexpr bool kCommutative = false;
    HOST_DEVICE static Value Identity() { return 0; }
    HOST_DEVICE static Value Combine(Value low, Value high) { return high != 0 ? high : low; }
};
static_assert(!HigherDecides::kCommutative, "ReduceMapped keeps the order");

// The product of map(first) .. map(end - 1), in warp 0. Each thread takes a stretch, neighbours'
// stretches are neighbours.
template <class M, class F>
DEVICE typename M::Value ReduceMapped(uint64_t first, uint64_t end, F map) {
    struct Shared {
        typename M::Value product[kWarps];
    };
    SHARED(Shared, shared);
    const uint64_t each = (end - first + kThreads - 1) / kThreads;
    const uint64_t from = first + threadIdx.x * each;
    typename M::Value product = M::Identity();
    for (uint64_t i = from; i < end && i < from + each; i++) {
        product = M::Combine(product, map(i));
    }
    return BlockReduce<M, kWarps>(WarpReduce<M>(product), shared.product);
}

// out[block] = the product over the block's elements; one block takes all.
template <class M, class F>
__global__ void __launch_bounds__(kThreads)
    MappedKernel(typename M::Value *out, uint64_t n, uint64_t each, F map) {
    WaitForKernelBefore();
    const uint64_t first = blockIdx.x * each, end = first + each < n ? first + each : n;
    const typename M::Value product = ReduceMapped<M>(first < end ? first : end, end, map);
    if (threadIdx.x == 0) {
        out[blockIdx.x] = product;
    }
}

struct OrderOf {
    const uint64_t *a, *b;
    DEVICE int32_t operator()(uint64_t i) const { return a[i] < b[i] ? -1 : a[i] > b[i] ? 1 : 0; }
};

template <class T>
struct ElementOf {
    const T *x;
    DEVICE T operator()(uint64_t i) const { return x[i]; }
};

// As many blocks as there is work for, each a stretch; then one for their products.
template <class M, class F>
result Reduce(typename M::Value *out, uint64_t n, F map, void *workspace, cuda_stream stream) {
    using Value = typename M::Value;
    Value *const partial = (Value *)workspace;
    const uint64_t wanted = (n + kThreads - 1) / kThreads;
    const uint64_t blocks = wanted < 1 ? 1 : wanted < kMaxBlocks ? wanted : kMaxBlocks;
    const uint64_t each = (n + blocks - 1) / blocks;
    const ElementOf<Value> products = {partial};
    cudaError_t e = LaunchEarly(MappedKernel<M, F>, (unsigned)blocks, kThreads, 0, stream, partial,
                                n, each, map);
    if (e == cudaSuccess) {
        e = LaunchEarly(MappedKernel<M, ElementOf<Value>>, 1, kThreads, 0, stream, out, blocks,
                        blocks, products);
    }
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}

__global__ void __launch_bounds__(kThreads)
    FlagsKernel(uint32_t *flags, const uint32_t *x, uint64_t n) {
    WaitForKernelBefore();
    const uint64_t i = (uint64_t)blockIdx.x * kThreads + threadIdx.x;
    if (i < n) {
        flags[i] = x[i] != 0 ? 1 : 0;
    }
}

__global__ void __launch_bounds__(kThreads)
    PlaceKernel(uint32_t *out, uint32_t *kept, const uint32_t *x, const uint32_t *places,
                uint64_t n) {
    WaitForKernelBefore();
    const uint64_t i = (uint64_t)blockIdx.x * kThreads + threadIdx.x;
    if (i < n && x[i] != 0) {
        out[places[i]] = x[i];
    }
    if (i + 1 == n) {
        *kept = places[i] + (x[i] != 0 ? 1 : 0);
    }
}

scan_job ScanOf(uint64_t n) { return {MONOID_SUM_U32, SCAN_LOOK_BACK, true, n, 1, CPU_PORTABLE}; }

// The scan's workspace, then n places.
size_t ScanBytes(uint64_t n) {
    const scan_job job = ScanOf(n);
    return (scan_workspace_bytes(&job) + 255) / 256 * 256;
}

}  // namespace

size_t example_workspace_bytes(uint64_t n) {
    const size_t partial = kMaxBlocks * sizeof(example_segment);
    const size_t compact = ScanBytes(n) + n * sizeof(uint32_t);
    return partial > compact ? partial : compact;
}

result example_best_segment(example_segment *out, const int32_t *x, uint64_t n, void *workspace,
                            cuda_stream stream) {
    return Reduce<BestSegment>(out, n, SegmentOf{x}, workspace, stream);
}

result example_compare(int32_t *out, const uint64_t *a, const uint64_t *b, uint64_t n,
                       void *workspace, cuda_stream stream) {
    return Reduce<HigherDecides>(out, n, OrderOf{a, b}, workspace, stream);
}

result example_compact(uint32_t *out, uint32_t *kept, const uint32_t *x, uint64_t n,
                       void *workspace, cuda_stream stream) {
    const scan_job job = ScanOf(n);
    const size_t bytes = ScanBytes(n);
    uint32_t *const places = (uint32_t *)((char *)workspace + bytes);
    const unsigned blocks = (unsigned)((n + kThreads - 1) / kThreads);
    cudaError_t e = LaunchEarly(FlagsKernel, blocks, kThreads, 0, stream, places, x, n);
    if (e != cudaSuccess) {
        return RESULT_DEVICE_ERROR;
    }
    const result scanned = scan_device(&job, places, places, workspace, bytes, stream);
    if (scanned != RESULT_OK) {
        return scanned;
    }
    e = LaunchEarly(PlaceKernel, blocks, kThreads, 0, stream, out, kept, x,
                    (const uint32_t *)places, n);
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}
