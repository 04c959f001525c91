// reduction.cu: the algorithms of tridiagonal.h whose systems stay within one block:
// cyclic reduction, its parallel form, and redundant reduction on two circuits.
//
// AGPU counts (n rows, N = n batch, b words a transfer, p cores; I/O 5 N / b, one launch each):
//   cyclic-reduction            time O(N / p + log n), 2 log n - 1 steps, 17 n operations, 4.5 n
//                               words of shared memory; active threads halve with each step
//   parallel-cyclic-reduction   time O(N log n / p), log n steps, 12 n log n operations, 4.5 n
//                               words
//   redundant-kogge-stone       time O(N log n / p), log n + 1 steps, two barriers in each, n - 2^k
//                               nodes of 24 operations, 9 n words
//   redundant-ladner-fischer    time O(N log n / p), log n + 1 steps, one barrier in each, n / 2
//                               nodes, 9 n words
#include "primitives/cuda/warp.cuh"
#include "primitives/tridiagonal/kernels.cuh"
#include "primitives/tridiagonal/redundant.cuh"

namespace {

// Which of a block's systems and rows a thread stands for.
template <class T>
struct Place {
    unsigned lane, lanes;  // among the threads of a system; a power of two
    uint64_t system;
    Row<T> *rows;  // the system's part of shared memory

    DEVICE Place(Row<T> *memory, unsigned lanes_each, size_t rows_each)
        : lane(threadIdx.x % lanes_each),
          lanes(lanes_each),
          system((uint64_t)blockIdx.x * (blockDim.x / lanes_each) + threadIdx.x / lanes_each),
          rows(memory + threadIdx.x / lanes_each * rows_each) {}
};

// BPLG-CR-TS [Dieguez18]: of every two rows one is left, down to two; then back.
template <class T>
__global__ void __launch_bounds__(1024)
    CyclicKernel(const TridiagonalData<T> d, unsigned lanes, unsigned size) {
    DYNAMIC_SHARED(Row<T>, memory);
    const Place<T> p(memory, lanes, RowPlaces(size));
    // Rows are counted from 1, as in the papers: row i is known by its multiples of 2.
    auto at = [&](unsigned i) -> Row<T> & { return p.rows[RowPlace(i - 1)]; };
    WaitForKernelBefore();
    for (unsigned i = p.lane; i < size; i += lanes) {
        at(i + 1) = d.Load(p.system, i);
    }
    __syncthreads();
    unsigned u = 1;
    for (; 4 * u <= size; u *= 2) {
        for (unsigned i = 2 * u * (p.lane + 1); i <= size; i += 2 * u * lanes) {
            at(i) = Between(at(i - u), at(i), i + u <= size ? at(i + u) : NoRow<T>());
        }
        __syncthreads();
    }
    if (p.lane == 0) {  // the two that are left; a row's d becomes its unknown from here on
        const Row<T> l = at(u), h = at(2 * u);
        const T s = h.a / l.b;
        const T x = fma(-s, l.d, h.d) / fma(-s, l.c, h.b);
        at(2 * u).d = x;
        at(u).d = fma(-l.c, x, l.d) / l.b;
        d.ClearStatus(p.system);
    }
    __syncthreads();
    for (u /= 2; u > 0; u /= 2) {
        for (unsigned i = u * (2 * p.lane + 1); i <= size; i += 2 * u * lanes) {
            const T lower = i > u ? at(i - u).d : 0;
            at(i).d = Unknown(at(i), lower, i + u <= size ? at(i + u).d : (T)0);
        }
        __syncthreads();
    }
    for (unsigned i = p.lane; i < size; i += lanes) {
        d.Store(p.system, i, at(i + 1).d);
    }
}

template <class T>
DEVICE Row<T> ShuffleRow(const Row<T> &row, unsigned lane) {
    return {Broadcast(row.a, lane), Broadcast(row.b, lane), Broadcast(row.c, lane),
            Broadcast(row.d, lane)};
}

// BPLG-PCR-TS: every row eliminates its neighbours at distance u = 1, 2, 4, ..; rows that are equal
// modulo u know only each other. Once such a class fits into a warp its rows go there
// ("equation-warp matching") and nothing more passes through shared memory.
template <class T>
__global__ void __launch_bounds__(1024)
    ParallelCyclicKernel(const TridiagonalData<T> d, unsigned lanes) {
    DYNAMIC_SHARED(Row<T>, memory);
    const Place<T> p(memory, lanes, RowPlaces(lanes));
    WaitForKernelBefore();
    Row<T> own = d.Load(p.system, p.lane);
    unsigned u = 1;
    for (; lanes / u > kWarp; u *= 2) {
        p.rows[RowPlace(p.lane)] = own;
        __syncthreads();
        const bool has_lower = p.lane >= u, has_higher = p.lane + u < lanes;
        own = Between(has_lower ? p.rows[RowPlace(p.lane - u)] : NoRow<T>(), own,
                      has_higher ? p.rows[RowPlace(p.lane + u)] : NoRow<T>());
        __syncthreads();
    }
    const unsigned size = lanes / u, position = p.lane % size;
    const unsigned row = p.lane / size + u * position;
    p.rows[RowPlace(p.lane)] = own;
    if (p.lane == 0) {
        d.ClearStatus(p.system);
    }
    __syncthreads();
    own = p.rows[RowPlace(row)];
    for (unsigned by = 1; by < size; by *= 2) {
        const Row<T> lower = ShuffleRow(own, (Lane() - by) % kWarp);
        const Row<T> higher = ShuffleRow(own, (Lane() + by) % kWarp);
        own = Between(position >= by ? lower : NoRow<T>(), own,
                      position + by < size ? higher : NoRow<T>());
    }
    d.Store(p.system, row, own.d / own.b);
}

// Every item takes the one 2^k before it.
struct KoggeStone {
    DEVICE static bool Takes(unsigned j, unsigned step, unsigned *from) {
        *from = j - step;
        return j >= step;
    }
    static constexpr bool kReadsWritten = true;
};

// Every item of the upper half of a group takes the last of the lower half.
struct Ladner {
    DEVICE static bool Takes(unsigned j, unsigned step, unsigned *from) {
        *from = j / step * step - 1;
        return (j & step) != 0;
    }
    static constexpr bool kReadsWritten = false;
};

// A thread a row, as many as have registers.
template <class T>
constexpr unsigned kRedundantThreads = 4096 / sizeof(T);

template <class T, class Circuit>
__global__ void __launch_bounds__(kRedundantThreads<T>)
    RedundantKernel(const TridiagonalData<T> d, unsigned lanes) {
    DYNAMIC_SHARED(Row<T>, memory);
    const Place<T> p(memory, lanes, 2 * RowPlaces(lanes));
    Row<T> *const inner = p.rows, *const outer = p.rows + RowPlaces(lanes);
    const unsigned own = RowPlace(p.lane);
    WaitForKernelBefore();
    inner[own] = outer[own] = d.Load(p.system, p.lane);
    if (p.lane == 0) {
        d.ClearStatus(p.system);
    }
    __syncthreads();
    for (unsigned step = 1; step < lanes; step *= 2) {
        unsigned from = 0;
        const bool takes = Circuit::Takes(p.lane, step, &from);
        RedundantItem<T> item = {};
        if (takes) {
            const unsigned left = RowPlace(from);
            item = Combine<T>({inner[left], outer[left]}, {inner[own], outer[own]});
        }
        if (Circuit::kReadsWritten) {
            __syncthreads();
        }
        if (takes) {
            inner[own] = item.inner;
            outer[own] = item.outer;
        }
        __syncthreads();
    }
    const Row<T> all = outer[RowPlace(lanes - 1)], mine = outer[own];
    const T first = all.d / all.b;
    if (p.lane == 0) {
        d.Store(p.system, 0, first);
    }
    d.Store(p.system, (uint64_t)p.lane + 1, fma(-mine.b, first, mine.d) / mine.c);
}

template <class T, class K, class... A>
cudaError_t LaunchSystems(K kernel, const tridiagonal_plan &plan, const TridiagonalData<T> &d,
                          size_t rows_each, cudaStream_t stream, A... arguments) {
    const uint64_t blocks = (d.batch + plan.systems - 1) / plan.systems;
    const size_t bytes = rows_each * plan.systems * sizeof(Row<T>);
    const cudaError_t e = AllowShared(kernel, bytes);
    return e != cudaSuccess ? e
                            : LaunchEarly(kernel, (unsigned)blocks, plan.lanes * plan.systems,
                                          bytes, stream, d, plan.lanes, arguments...);
}

template <class T>
cudaError_t Cyclic(const tridiagonal_plan &plan, const TridiagonalData<T> &d, void *,
                   cudaStream_t stream) {
    const unsigned size = plan.lanes * plan.rows_each;
    return LaunchSystems(CyclicKernel<T>, plan, d, RowPlaces(size), stream, size);
}

template <class T>
cudaError_t ParallelCyclic(const tridiagonal_plan &plan, const TridiagonalData<T> &d, void *,
                           cudaStream_t stream) {
    return LaunchSystems(ParallelCyclicKernel<T>, plan, d, RowPlaces(plan.lanes), stream);
}

template <class T, class Circuit>
cudaError_t Redundant(const tridiagonal_plan &plan, const TridiagonalData<T> &d, void *,
                      cudaStream_t stream) {
    return LaunchSystems(RedundantKernel<T, Circuit>, plan, d, 2 * RowPlaces(plan.lanes), stream);
}

}  // namespace

const TridiagonalAlgorithm kTridiagonalCyclic = {Cyclic<float>, Cyclic<double>};
const TridiagonalAlgorithm kTridiagonalParallelCyclic = {ParallelCyclic<float>,
                                                         ParallelCyclic<double>};
const TridiagonalAlgorithm kTridiagonalKoggeStone = {Redundant<float, KoggeStone>,
                                                     Redundant<double, KoggeStone>};
const TridiagonalAlgorithm kTridiagonalLadner = {Redundant<float, Ladner>,
                                                 Redundant<double, Ladner>};
