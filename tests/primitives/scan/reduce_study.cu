// reduce_study.cu: see reduce_study.h. Each kernel's groups are warps that share nothing.
#include "tests/primitives/scan/reduce_study.h"

#include "primitives/cuda/launch.cuh"
#include "primitives/cuda/warp.cuh"
#include "primitives/scan/monoid.cuh"
#include "tests/primitives/scan/monoid_examples.cuh"

namespace {

constexpr unsigned kWarps = 8;        // of a block
constexpr unsigned kMatrixWarps = 2;  // a matrix of 32 x 32 values of 16 bytes each
constexpr unsigned kMatrices = 4;     // a group goes through, at least
constexpr uint64_t kMaxGroups = 8192;
constexpr unsigned kFold = 2 * kWarp;  // elements that a group of the tree folds

// Elements 0 .. n of what `map` gives, identities behind them.
template <class M, class F>
struct Elements {
    using Value = typename M::Value;
    uint64_t n;
    F map;

    DEVICE Value operator()(uint64_t i) const { return i < n ? map(i) : M::Identity(); }
};

template <class T>
struct ValueOf {
    const T *x;
    DEVICE T operator()(uint64_t i) const { return x[i]; }
};

// The calling warp's number, counted over all blocks.
template <unsigned kInBlock>
DEVICE uint64_t Group() {
    return (uint64_t)blockIdx.x * kInBlock + threadIdx.x / kWarp;
}

// out[group] = the product of its 64 elements, level after level: neighbours by neighbours, or,
// where the order does not count, the first half by the second, which meet in no bank.
template <class M, class F, bool kOrdered>
__global__ void __launch_bounds__(kWarps *kWarp)
    TreeKernel(typename M::Value *out, const Elements<M, F> x) {
    using Value = typename M::Value;
    struct Shared {
        Value row[kWarps][kFold];
    };
    SHARED(Shared, shared);
    WaitForKernelBefore();
    Value *const y = shared.row[threadIdx.x / kWarp];
    const uint64_t first = Group<kWarps>() * kFold;
    y[Lane()] = x(first + Lane());
    y[Lane() + kWarp] = x(first + kWarp + Lane());
    __syncwarp();
    for (unsigned nodes = kWarp; nodes > 0; nodes /= 2) {
        Value v = M::Identity();
        if (Lane() < nodes) {
            v = kOrdered ? M::Combine(y[2 * Lane()], y[2 * Lane() + 1])
                         : M::Combine(y[Lane()], y[Lane() + nodes]);
        }
        __syncwarp();
        if (Lane() < nodes) {
            y[Lane()] = v;
        }
        __syncwarp();
    }
    if (Lane() == 0 && first < x.n) {
        out[Group<kWarps>()] = y[0];
    }
}

// Where row r, column c of the matrix stands: neither a row's nor a column's values share a bank.
DEVICE unsigned Skewed(unsigned r, unsigned c) { return r * kWarp + (c + r) % kWarp; }

// out[group] = the product of its 32 runs of `run` elements, a multiple of 32.
template <class M, class F>
__global__ void __launch_bounds__(kMatrixWarps *kWarp)
    MatrixKernel(typename M::Value *out, const Elements<M, F> x, uint64_t run) {
    using Value = typename M::Value;
    struct Shared {
        Value matrix[kMatrixWarps][kWarp * kWarp];
    };
    SHARED(Shared, shared);
    WaitForKernelBefore();
    Value *const d = shared.matrix[threadIdx.x / kWarp];
    const uint64_t first = Group<kMatrixWarps>() * kWarp * run;
    Value product = M::Identity();
    for (uint64_t at = 0; at < run; at += kWarp) {
        for (unsigned r = 0; r < kWarp; r++) {
            d[Skewed(r, Lane())] = x(first + r * run + at + Lane());
        }
        __syncwarp();
        for (unsigned c = 0; c < kWarp; c++) {
            product = M::Combine(product, d[Skewed(Lane(), c)]);
        }
        __syncwarp();
    }
    product = WarpReduce<M>(product);
    if (Lane() == 0) {
        out[Group<kMatrixWarps>()] = product;
    }
}

// A heap of 2 b values: 0 .. b the row that comes in, b + i the product of values 2 i and 2 i + 1,
// so that b + (b - 2) is a whole row's; the last is the product of all rows that came through. Of
// the inner nodes neighbours change places: lanes then write to banks that differ, as they read.
DEVICE unsigned HeapPlace(unsigned i) { return i >= kWarp && i < 2 * kWarp - 2 ? i ^ 1 : i; }

// out[group] = the product of its `rows` rows of 32 elements. Lane i makes value b + i of what the
// values before were one step ago; after the last row identities come until it is through.
template <class M, class F>
__global__ void __launch_bounds__(kWarps *kWarp)
    PipelineKernel(typename M::Value *out, const Elements<M, F> x, uint64_t rows) {
    using Value = typename M::Value;
    constexpr unsigned kDepth = 5;  // levels above the row: log2 b
    struct Shared {
        Value heap[kWarps][2 * kWarp];
    };
    SHARED(Shared, shared);
    WaitForKernelBefore();
    Value *const y = shared.heap[threadIdx.x / kWarp];
    const unsigned lane = Lane(), all = 2 * kWarp - 1;
    const bool last = lane == kWarp - 1;
    const unsigned left = last ? all : HeapPlace(2 * lane);
    const unsigned right = last ? all - 1 : HeapPlace(2 * lane + 1), to = HeapPlace(kWarp + lane);
    const uint64_t first = Group<kWarps>() * rows * kWarp;
    y[kWarp + lane] = M::Identity();
    for (uint64_t row = 0; row < rows + kDepth; row++) {
        y[lane] = row < rows ? x(first + row * kWarp + lane) : M::Identity();
        __syncwarp();
        const Value v = M::Combine(y[left], y[right]);
        __syncwarp();
        y[to] = v;
        __syncwarp();
    }
    if (lane == 0) {
        out[Group<kWarps>()] = y[all];
    }
}

// out[group] = the product of elements that are 32 groups apart. M commutes.
template <class M, class F>
__global__ void __launch_bounds__(kWarps *kWarp)
    CascadeKernel(typename M::Value *out, const Elements<M, F> x) {
    WaitForKernelBefore();
    const uint64_t stride = (uint64_t)gridDim.x * kWarps * kWarp;
    typename M::Value product = M::Identity();
    for (uint64_t i = Group<kWarps>() * kWarp + Lane(); i < x.n; i += stride) {
        product = M::Combine(product, x(i));
    }
    product = WarpReduce<M>(product);
    if (Lane() == 0) {
        out[Group<kWarps>()] = product;
    }
}

uint64_t DivideUp(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

// Launches tree after tree until one product is left, in *out.
template <class M, bool kOrdered = true, class F>
cudaError_t Tree(typename M::Value *out, const Elements<M, F> &x, typename M::Value *partial,
                 cudaStream_t stream) {
    using Value = typename M::Value;
    const uint64_t groups = DivideUp(x.n, kFold);
    Value *const to = groups == 1 ? out : partial;
    const cudaError_t e =
        LaunchEarly(TreeKernel<M, F, kOrdered>, (unsigned)DivideUp(groups, kWarps), kWarps * kWarp,
                    0, stream, to, x);
    if (e != cudaSuccess || groups == 1) {
        return e;
    }
    const Elements<M, ValueOf<Value>> products = {groups, {partial}};
    return Tree<M, kOrdered>(out, products, partial + groups, stream);
}

// Blocks of `in_block` groups, for groups of at least `least` elements.
uint64_t BlocksFor(uint64_t n, uint64_t least, uint64_t in_block) {
    const uint64_t groups = DivideUp(n, least);
    return DivideUp(groups < kMaxGroups ? groups : kMaxGroups, in_block);
}

// The products of groups by a form other than the tree, then a tree of them.
template <class M, class F>
cudaError_t Grouped(typename M::Value *out, const Elements<M, F> &x, study_form form,
                    typename M::Value *partial, cudaStream_t stream) {
    const unsigned in_block = form == STUDY_MATRIX ? kMatrixWarps : kWarps;
    const uint64_t least = form == STUDY_MATRIX ? kMatrices * kWarp * kWarp : kWarp;
    const unsigned blocks = (unsigned)BlocksFor(x.n, least, in_block), threads = in_block * kWarp;
    const uint64_t groups = (uint64_t)blocks * in_block;
    const uint64_t each = DivideUp(DivideUp(x.n, groups), least) * least / kWarp;  // of a lane
    cudaError_t e;
    if (form == STUDY_MATRIX) {
        e = LaunchEarly(MatrixKernel<M, F>, blocks, threads, 0, stream, partial, x, each);
    } else if (form == STUDY_PIPELINE) {
        e = LaunchEarly(PipelineKernel<M, F>, blocks, threads, 0, stream, partial, x, each);
    } else {
        e = LaunchEarly(CascadeKernel<M, F>, blocks, threads, 0, stream, partial, x);
    }
    const Elements<M, ValueOf<typename M::Value>> products = {groups, {partial}};
    return e == cudaSuccess ? Tree<M>(out, products, partial + groups, stream) : e;
}

template <class M, class F>
result Reduce(typename M::Value *out, const Elements<M, F> &x, study_form form, void *workspace,
              cuda_stream stream) {
    typename M::Value *const partial = (typename M::Value *)workspace;
    cudaError_t e = cudaSuccess;
    if (form == STUDY_TREE) {
        e = Tree<M>(out, x, partial, stream);
    } else if (M::kCommutative && form == STUDY_TREE_COMMUTATIVE) {  // no other M has one
        e = Tree<M, !M::kCommutative>(out, x, partial, stream);
    } else {
        e = Grouped(out, x, form, partial, stream);
    }
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}

}  // namespace

size_t study_workspace_bytes(uint64_t n) {
    // A level has at most a 64th of the level before, and 1; levels below one of 2^34 are six.
    const uint64_t first = DivideUp(n, kFold) > kMaxGroups ? DivideUp(n, kFold) : kMaxGroups;
    return (size_t)(first + first / (kFold - 1) + 8) * sizeof(example_segment);
}

result study_sum(uint32_t *out, const uint32_t *x, uint64_t n, study_form form, void *workspace,
                 cuda_stream stream) {
    return Reduce(out, Elements<Sum<uint32_t>, ValueOf<uint32_t>>{n, {x}}, form, workspace, stream);
}

result study_best_segment(example_segment *out, const int32_t *x, uint64_t n, study_form form,
                          void *workspace, cuda_stream stream) {
    if (form >= STUDY_CASCADING) {
        return RESULT_REFUSED;
    }
    return Reduce(out, Elements<BestSegment, SegmentOf>{n, {x}}, form, workspace, stream);
}
