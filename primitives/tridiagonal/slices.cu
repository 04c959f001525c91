// slices.cu: tree-partitioning of tridiagonal.h: a system in slices of S rows, each
// reduced by a block; a tree over the slices' last rows; unknowns within the slices.
//
// AGPU counts (n rows, N = n batch, b words a transfer, p cores): time O(N / p + log n), 3 log n
// steps; the first two thirds of a slice's rows twice; I/O 11 N / b + O(N / S), three launches; 4.5
// words of shared memory a row. S = 128 is the papers' "fastest", S = 2048 their "stable"; a plan
// may say any power of two from 64 to that, 1024 for doubles.
#include "primitives/tridiagonal/kernels.cuh"

namespace {

// The workspace: of each system the reduced rows at the slices' odd places, each slice's first row,
// and the unknown at each slice's end.
template <class T>
struct SliceData {
    TridiagonalData<T> m;
    unsigned lanes, slices;  // lanes = S / 2
    Row<T> *odd, *top;
    T *end;
};

// Row i of a slice less multiples of rows i - u and i + u, where the slice has them; what it knows
// of other slices stays.
template <class T, class F>
DEVICE Row<T> BetweenWithin(F at, unsigned i, unsigned u, unsigned size) {
    const Row<T> row = at(i);
    const bool has_lower = i >= u, has_higher = i + u < size;
    Row<T> r =
        Between(has_lower ? at(i - u) : NoRow<T>(), row, has_higher ? at(i + u) : NoRow<T>());
    r.a = has_lower ? r.a : row.a;
    r.c = has_higher ? r.c : row.c;
    return r;
}

// One block a slice. Places are counted from 0: two reductions run at once, of the places that are
// multiples of 2^k, which ends at the slice's first row, and of those one below, which ends at its
// last. They meet in the first step alone, which therefore reads before it writes.
// As many as have registers.
template <class T>
constexpr unsigned kSliceThreads = 4096 / sizeof(T);

template <class T>
__global__ void __launch_bounds__(kSliceThreads<T>, 1) SliceForwardKernel(const SliceData<T> s) {
    DYNAMIC_SHARED(Row<T>, rows);
    const unsigned lane = threadIdx.x, size = 2 * s.lanes;
    const uint64_t system = blockIdx.x / s.slices, slice = blockIdx.x % s.slices;
    auto at = [&](unsigned i) -> Row<T> & { return rows[RowPlace(i)]; };
    WaitForKernelBefore();
    for (unsigned i = lane; i < size; i += s.lanes) {
        at(i) = s.m.Load(system, slice * size + i);
    }
    if (lane == 0 && slice == 0) {
        s.m.ClearStatus(system);
    }
    __syncthreads();
    const unsigned even = 2 * lane;
    const Row<T> first = BetweenWithin<T>(at, even, 1, size);
    const Row<T> second = BetweenWithin<T>(at, even + 1, 1, size);
    __syncthreads();
    at(even) = first;
    at(even + 1) = second;
    __syncthreads();
    for (unsigned u = 2; u < size; u *= 2) {
        // The lower half of those that are still there takes the one chain, the upper the other.
        const unsigned nodes = size / (2 * u);
        if (lane < 2 * nodes) {
            const bool upwards = lane < nodes;
            const unsigned i = upwards ? 2 * u * lane : 2 * u * (lane - nodes) + 2 * u - 1;
            at(i) = BetweenWithin<T>(at, i, u, size);
        }
        __syncthreads();
    }
    const uint64_t block = blockIdx.x;
    s.odd[block * s.lanes + lane] = at(2 * lane + 1);
    if (lane == 0) {
        // The first row without what the last one knows of the next slice.
        const Row<T> top = at(0), bottom = at(size - 1);
        const T q = bottom.c == 0 ? 0 : top.c / bottom.c;
        s.top[block] = {fma(-q, bottom.a, top.a), top.b, -q * bottom.b, fma(-q, bottom.d, top.d)};
    }
}

// One block a system: the slices' last rows, each freed of the next slice's first unknown, form a
// system of their own, solved by cyclic reduction.
template <class T>
__global__ void __launch_bounds__(1024) SliceTreeKernel(const SliceData<T> s, unsigned size) {
    DYNAMIC_SHARED(Row<T>, rows);
    const uint64_t first = (uint64_t)blockIdx.x * s.slices;
    // Rows are counted from 1.
    auto at = [&](unsigned i) -> Row<T> & { return rows[RowPlace(i - 1)]; };
    WaitForKernelBefore();
    for (unsigned i = threadIdx.x; i < size; i += blockDim.x) {
        Row<T> bottom = NoRow<T>();
        if (i < s.slices) {
            bottom = s.odd[(first + i + 1) * s.lanes - 1];
            const Row<T> top = i + 1 < s.slices ? s.top[first + i + 1] : NoRow<T>();
            const T q = bottom.c / top.b;
            bottom = {bottom.a, fma(-q, top.a, bottom.b), -q * top.c, fma(-q, top.d, bottom.d)};
        }
        at(i + 1) = bottom;
    }
    __syncthreads();
    unsigned u = 1;
    for (; 2 * u <= size; u *= 2) {
        for (unsigned i = 2 * u * (threadIdx.x + 1); i <= size; i += 2 * u * blockDim.x) {
            at(i) = Between(at(i - u), at(i), i + u <= size ? at(i + u) : NoRow<T>());
        }
        __syncthreads();
    }
    // A row's d becomes its unknown.
    for (; u > 0; u /= 2) {
        for (unsigned i = u * (2 * threadIdx.x + 1); i <= size; i += 2 * u * blockDim.x) {
            at(i).d =
                Unknown(at(i), i > u ? at(i - u).d : (T)0, i + u <= size ? at(i + u).d : (T)0);
        }
        __syncthreads();
    }
    for (unsigned i = threadIdx.x; i < s.slices; i += blockDim.x) {
        s.end[first + i] = at(i + 1).d;
    }
}

// One block a slice: from both neighbouring ends inwards, by reduced rows at odd places and the
// original ones at even places.
template <class T>
__global__ void __launch_bounds__(1024) SliceBackKernel(const SliceData<T> s) {
    DYNAMIC_SHARED(T, x);  // x[i + 1] at place i; x[0] ends the slice before
    const unsigned lane = threadIdx.x, size = 2 * s.lanes;
    const uint64_t system = blockIdx.x / s.slices, slice = blockIdx.x % s.slices;
    const uint64_t block = blockIdx.x;
    WaitForKernelBefore();
    const Row<T> odd = s.odd[block * s.lanes + lane];
    const Row<T> even = s.m.Load(system, slice * size + 2 * lane);
    if (lane == 0) {
        x[0] = slice > 0 ? s.end[block - 1] : 0;
        x[size] = s.end[block];
    }
    __syncthreads();
    for (unsigned u = size / 2; u > 1; u /= 2) {
        // The place u - 1 modulo 2 u, odd, is that of lane u / 2 - 1 modulo u.
        if (lane % u == u / 2 - 1) {
            const unsigned i = 2 * lane + 2;
            x[i] = Unknown(odd, x[i - u], x[i + u]);
        }
        __syncthreads();
    }
    x[2 * lane + 1] = Unknown(even, x[2 * lane], x[2 * lane + 2]);
    __syncthreads();
    for (unsigned i = lane; i < size; i += s.lanes) {
        s.m.Store(system, slice * size + i, x[i + 1]);
    }
}

template <class T>
cudaError_t Slices(const tridiagonal_plan &plan, const TridiagonalData<T> &d, void *workspace,
                   cudaStream_t stream) {
    SliceData<T> s = {};
    s.m = d;
    s.lanes = plan.lanes;
    s.slices = (unsigned)plan.tiles;
    const uint64_t blocks = d.batch * plan.tiles;
    s.odd = (Row<T> *)((uint32_t *)workspace + kTridiagonalCounters);
    s.top = s.odd + blocks * plan.lanes;
    s.end = (T *)(s.top + blocks);
    unsigned size = 1;
    while (size < s.slices) {
        size *= 2;
    }
    const size_t slice_bytes = RowPlaces(2 * s.lanes) * sizeof(Row<T>);
    const size_t tree_bytes = RowPlaces(size) * sizeof(Row<T>);
    const unsigned tree_threads = size < 128 ? 64 : size / 2;
    cudaError_t e = AllowShared(SliceForwardKernel<T>, slice_bytes);
    if (e == cudaSuccess) {
        e = LaunchEarly(SliceForwardKernel<T>, (unsigned)blocks, plan.lanes, slice_bytes, stream,
                        s);
    }
    if (e == cudaSuccess) {
        e = AllowShared(SliceTreeKernel<T>, tree_bytes);
    }
    if (e == cudaSuccess) {
        e = LaunchEarly(SliceTreeKernel<T>, (unsigned)d.batch, tree_threads, tree_bytes, stream, s,
                        size);
    }
    if (e == cudaSuccess) {
        e = LaunchEarly(SliceBackKernel<T>, (unsigned)blocks, plan.lanes,
                        (2 * s.lanes + 1) * sizeof(T), stream, s);
    }
    return e;
}

}  // namespace

const TridiagonalAlgorithm kTridiagonalTree = {Slices<float>, Slices<double>};
