// wang_mou.cu: wang-mou of tridiagonal.h, and thomas.
//
// AGPU counts (n rows, N = n batch, b words a transfer, p cores):
//   wang-mou   time O(N log n / p), log n steps of 16 operations and 2 divisions a row; I/O 5 N / b
//              in one launch up to 2^10 rows, 13 N / b in two beyond: [Dieguez18]'s MS-ID-TS,
//              single equations in the first stage, triads in the second
//   thomas     time O(n N / p) where p >= batch, 8 operations and a division a row; I/O 9 N / b if
//              systems interleave, up to 9 N if they do not; one launch
#include "primitives/cuda/warp.cuh"
#include "primitives/tridiagonal/kernels.cuh"
#include "primitives/tridiagonal/wang_mou.cuh"

namespace {

template <class T>
DEVICE Row<T> Merge(const Row<T> &row, const Row<T> &last, const Row<T> &first, bool right) {
    return right ? MergeRight(row, AcrossRight(last, first))
                 : MergeLeft(row, AcrossLeft(last, first));
}

template <class T>
DEVICE Row<T> ShuffleRow(const Row<T> &row, unsigned lane) {
    return {Broadcast(row.a, lane), Broadcast(row.b, lane), Broadcast(row.c, lane),
            Broadcast(row.d, lane)};
}

// A thread a row: log2(lanes) steps, those within a warp by shuffles. rows: where the rows go that
// a further stage takes; NULL: these are all steps, and unknowns come out.
template <class T>
__global__ void __launch_bounds__(1024)
    WangMouKernel(const TridiagonalData<T> d, unsigned lanes, uint64_t tiles, Row<T> *rows) {
    DYNAMIC_SHARED(Row<T>, memory);
    const unsigned lane = threadIdx.x % lanes, base = threadIdx.x - lane;
    const uint64_t first = (uint64_t)blockIdx.x / tiles * (blockDim.x / lanes);
    const uint64_t system = first + threadIdx.x / lanes;
    const uint64_t row = blockIdx.x % tiles * lanes + lane;
    WaitForKernelBefore();
    Row<T> own = d.Load(system, row);
    for (unsigned half = 1; half < lanes; half *= 2) {
        const unsigned last = lane / (2 * half) * (2 * half) + half - 1;
        Row<T> lower, upper;
        if (half < kWarp) {
            lower = ShuffleRow(own, (base + last) % kWarp);
            upper = ShuffleRow(own, (base + last + 1) % kWarp);
        } else {
            memory[RowPlace(threadIdx.x)] = own;
            __syncthreads();
            lower = memory[RowPlace(base + last)];
            upper = memory[RowPlace(base + last + 1)];
            __syncthreads();
        }
        own = Merge(own, lower, upper, (lane & half) != 0);
    }
    if (rows != nullptr) {
        if (lane == 0 && row == 0) {
            d.ClearStatus(system);
        }
        rows[system * tiles * lanes + row] = own;
        return;
    }
    if (lane == 0) {
        d.ClearStatus(system);
    }
    __syncthreads();
    d.Store(system, row, own.d / own.b);
}

// The second stage: rows that stand at one place of every block of the first form a set, a thread
// each, which needs nothing but itself and its block's first and last row: a triad. In each step it
// exchanges first and last with one thread of the neighbouring block.
constexpr unsigned kTriadThreads = 512;

template <class T>
__global__ void __launch_bounds__(kTriadThreads)
    TriadKernel(const TridiagonalData<T> d, unsigned lanes, unsigned tiles, const Row<T> *rows) {
    DYNAMIC_SHARED(Row<T>, memory);
    const unsigned sets = kTriadThreads / tiles;  // of neighbouring places
    const unsigned tile = threadIdx.x / sets;
    const uint64_t system = blockIdx.x / (lanes / sets);
    const unsigned place = blockIdx.x % (lanes / sets) * sets + threadIdx.x % sets;
    WaitForKernelBefore();
    const Row<T> *const block = rows + (system * tiles + tile) * lanes;
    Row<T> own = block[place], first = block[0], last = block[lanes - 1];
    Row<T> *const firsts = memory, *const lasts = memory + RowPlaces(kTriadThreads);
    for (unsigned half = 1; half < tiles; half *= 2) {
        firsts[RowPlace(threadIdx.x)] = first;
        lasts[RowPlace(threadIdx.x)] = last;
        __syncthreads();
        const bool right = (tile & half) != 0;
        const unsigned other = RowPlace(threadIdx.x ^ half * sets);
        const Row<T> other_first = firsts[other], other_last = lasts[other];
        __syncthreads();
        const Row<T> lower = right ? other_last : last, upper = right ? first : other_first;
        const Row<T> left = AcrossLeft(lower, upper), up = AcrossRight(lower, upper);
        own = right ? MergeRight(own, up) : MergeLeft(own, left);
        first = MergeLeft(right ? other_first : first, left);
        last = MergeRight(right ? last : other_last, up);
    }
    d.Store(system, (uint64_t)tile * lanes + place, own.d / own.b);
}

template <class T>
cudaError_t WangMou(const tridiagonal_plan &plan, const TridiagonalData<T> &d, void *workspace,
                    cudaStream_t stream) {
    Row<T> *const rows =
        plan.tiles > 1 ? (Row<T> *)((uint32_t *)workspace + kTridiagonalCounters) : nullptr;
    const uint64_t blocks = (d.batch + plan.systems - 1) / plan.systems * plan.tiles;
    const unsigned threads = plan.lanes * plan.systems;
    cudaError_t e =
        LaunchEarly(WangMouKernel<T>, (unsigned)blocks, threads,
                    RowPlaces(threads) * sizeof(Row<T>), stream, d, plan.lanes, plan.tiles, rows);
    if (e == cudaSuccess && plan.tiles > 1) {
        const uint64_t sets = d.batch * plan.lanes * plan.tiles / kTriadThreads;
        e = LaunchEarly(TriadKernel<T>, (unsigned)sets, kTriadThreads,
                        2 * RowPlaces(kTriadThreads) * sizeof(Row<T>), stream, d, plan.lanes,
                        (unsigned)plan.tiles, (const Row<T> *)rows);
    }
    return e;
}

// A thread a system. The factors of back substitution lie interleaved.
constexpr unsigned kThomasThreads = 128;

template <class T>
__global__ void __launch_bounds__(kThomasThreads)
    ThomasKernel(const TridiagonalData<T> d, T *factors) {
    const uint64_t system = (uint64_t)blockIdx.x * kThomasThreads + threadIdx.x;
    WaitForKernelBefore();
    if (system >= d.batch) {
        return;
    }
    T u = 0, y = 0;  // x(i-1) = y - u x(i)
    for (uint64_t i = 0; i < d.n; i++) {
        const Row<T> row = d.Load(system, i);
        const T pivot = fma(-row.a, u, row.b);
        y = fma(-row.a, y, row.d) / pivot;
        u = row.c / pivot;
        factors[i * d.batch + system] = u;
        d.x[d.At(system, i)] = y;
    }
    d.ClearStatus(system);
    T x = 0;
    for (uint64_t i = d.n; i-- > 0;) {
        x = fma(-factors[i * d.batch + system], x, d.x[d.At(system, i)]);
        d.Store(system, i, x);
    }
}

template <class T>
cudaError_t Thomas(const tridiagonal_plan &, const TridiagonalData<T> &d, void *workspace,
                   cudaStream_t stream) {
    T *const factors = (T *)((uint32_t *)workspace + kTridiagonalCounters);
    return LaunchEarly(ThomasKernel<T>, (unsigned)((d.batch - 1) / kThomasThreads + 1),
                       kThomasThreads, 0, stream, d, factors);
}

}  // namespace

const TridiagonalAlgorithm kTridiagonalWangMou = {WangMou<float>, WangMou<double>};
const TridiagonalAlgorithm kTridiagonalThomas = {Thomas<float>, Thomas<double>};
